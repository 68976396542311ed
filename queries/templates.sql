-- name: TemplateDelete :execrows
DELETE FROM annals_internal.templates
WHERE group_id = @group_id AND id = @id;

-- name: TemplateGet :one
SELECT * FROM annals_internal.templates
WHERE group_id = @group_id AND id = @id;

-- name: TemplateInsert :execrows
INSERT INTO annals_internal.templates (group_id, id, template)
VALUES (@group_id, @id, @template)
ON CONFLICT (group_id, id) DO NOTHING;

-- name: TemplateList :many
SELECT * FROM annals_internal.templates
WHERE group_id = @group_id
ORDER BY created_at, id
LIMIT @max_rows::int;

-- name: TemplateUpdate :execrows
UPDATE annals_internal.templates
SET template = @template, updated_at = now()
WHERE group_id = @group_id AND id = @id;
