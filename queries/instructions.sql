-- Returns the total length of the instructions.
-- name: InstructionBytes :one
SELECT coalesce(sum(octet_length(words) + 1), 0)::int AS bytes
FROM annals_internal.instructions
WHERE group_id = @group_id;

-- name: InstructionDelete :execrows
DELETE FROM annals_internal.instructions
WHERE group_id = @group_id AND purpose = @purpose AND (cardinality(@names::text[]) = 0 OR name = ANY(@names::text[]));

-- name: InstructionList :many
SELECT name, words
FROM annals_internal.instructions
WHERE group_id = @group_id AND purpose = @purpose
ORDER BY created_at, name;

-- name: InstructionUpsert :exec
INSERT INTO annals_internal.instructions (group_id, purpose, name, words)
VALUES (@group_id, @purpose, @name, @words)
ON CONFLICT (group_id, purpose, name) DO UPDATE SET words = excluded.words;

-- Sets the instructions of one group, or of all groups of a namespace, from those stored for the
-- group and for its namespace. Instructions for summaries of users do not apply to groups of the
-- kind graph.
-- name: GroupsInstruct :one
SELECT annals_internal.apply_instructions(@namespace::text, @one::text)::bigint AS groups;

-- Sets the types of a namespace for those of its groups that still have its former ones. Their
-- instructions stay.
-- name: GroupsAdopt :execrows
UPDATE annals.groups g
SET ontology = coalesce(jsonb_set(sqlc.arg('ontology')::jsonb - 'instructions', '{instructions}', g.ontology->'instructions'),
    sqlc.arg('ontology')::jsonb - 'instructions')
WHERE CASE WHEN @one::text <> '' THEN g.group_id = @one
    ELSE split_part(g.group_id, ':', 1) = @namespace AND strpos(g.group_id, ':') > 0 END
    AND g.ontology - 'instructions' = sqlc.arg('former')::jsonb - 'instructions'
    AND NOT EXISTS (SELECT FROM annals.users u WHERE u.group_id = g.group_id AND u.plain);
