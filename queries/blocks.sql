-- Working context: blocks that agents see whole and edit.

-- name: BlockAttach :execrows
INSERT INTO annals.agent_blocks (group_id, agent_id, block_id, place)
SELECT a.group_id, a.id, b.id, coalesce((SELECT max(p.place) + 1 FROM annals.agent_blocks p WHERE p.group_id = @group_id AND p.agent_id = a.id), 0)
FROM annals.agents a
JOIN annals.blocks b ON b.group_id = a.group_id AND b.id = @block_id
WHERE a.group_id = @group_id AND a.id = @agent_id
ON CONFLICT DO NOTHING;

-- name: BlockDetach :execrows
DELETE FROM annals.agent_blocks
WHERE group_id = @group_id AND agent_id = @agent_id AND block_id = @block_id;

-- name: BlockGet :one
SELECT * FROM annals.block_versions
WHERE group_id = @group_id AND id = @id AND is_current;

-- name: BlockInsert :exec
INSERT INTO annals.blocks (group_id, id, label, description, value, char_limit, read_only, edited_by)
VALUES (@group_id, @id, @label, @description, @value, @char_limit, @read_only, @edited_by);

-- name: BlocksOfAgent :many
SELECT b.*
FROM annals.agent_blocks s
JOIN annals.block_versions b ON b.group_id = s.group_id AND b.id = s.block_id AND b.is_current
WHERE s.group_id = @group_id AND s.agent_id = @agent_id
ORDER BY s.place, b.label, b.id;

-- Locks a block that an agent sees, by its label, until the transaction ends.
-- name: BlockLock :one
SELECT b.id, b.label, b.description, b.value, b.char_limit, b.read_only, b.version
FROM annals.agent_blocks s
JOIN annals.blocks b ON b.group_id = s.group_id AND b.id = s.block_id
WHERE s.group_id = @group_id AND s.agent_id = @agent_id AND b.label = @label
FOR UPDATE OF b;

-- Edits a block that still has the expected version.
-- name: BlockEdit :execrows
UPDATE annals.blocks
SET label = @label, description = @description, value = @value, char_limit = @char_limit, read_only = @read_only, edited_by = @edited_by
WHERE group_id = @group_id AND id = @id AND version = @version;

-- Restores the content of another version, and records which versions can be restored after that.
-- name: BlockShow :execrows
UPDATE annals.blocks b
SET label = h.label, description = h.description, value = h.value, char_limit = h.char_limit, read_only = h.read_only,
    edited_by = @edited_by, cursor = h.cursor, parent = h.parent, redo = @redo::bigint[]
FROM annals_internal.blocks_history h
WHERE b.group_id = @group_id AND b.id = @id AND b.version = @version
    AND h.group_id = b.group_id AND h.id = b.id AND h.version = @shown::bigint;

-- Reports whether a version exists. An erased one cannot be shown.
-- name: BlockHasVersion :one
SELECT EXISTS (
    SELECT FROM annals_internal.blocks_history
    WHERE group_id = @group_id AND id = @id AND version = @version
);

-- Lists every version of a block, the newest first.
-- name: BlockVersions :many
SELECT * FROM annals.block_versions
WHERE group_id = @group_id AND id = @id
ORDER BY version DESC
LIMIT @max_rows::int;

-- Reads the blocks that an agent sees, as they were at a time.
-- name: BlocksAt :many
SELECT b.*
FROM annals.agent_blocks s
JOIN annals.block_versions b ON b.group_id = s.group_id AND b.id = s.block_id AND b.recorded @> @at::timestamptz
WHERE s.group_id = @group_id AND s.agent_id = @agent_id
ORDER BY s.place, b.label, b.id;
