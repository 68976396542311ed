-- name: BatchAdded :one
UPDATE annals.batches
SET items = items + sqlc.arg('added')::int, updated_at = now(),
    groups = ARRAY(SELECT DISTINCT g.name FROM unnest(groups || sqlc.arg('groups')::text[]) AS g(name) ORDER BY g.name)
WHERE group_id = @group_id AND id = @id AND processed_at IS NULL
RETURNING items;

-- name: BatchDelete :execrows
DELETE FROM annals.batches
WHERE group_id = @group_id AND id = @id;

-- name: BatchGet :one
SELECT * FROM annals.batches
WHERE group_id = @group_id AND id = @id;

-- name: BatchInsert :exec
INSERT INTO annals.batches (group_id, id, metadata, ignored_roles)
VALUES (@group_id, @id, @metadata, @ignored_roles);

-- Lists batches from the one before an id on, the newest first.
-- name: BatchList :many
SELECT * FROM annals.batches
WHERE group_id = @group_id
ORDER BY id DESC
OFFSET @skip::int
LIMIT @max_rows::int;

-- name: BatchProcessed :execrows
UPDATE annals.batches
SET processed_at = now(), updated_at = now()
WHERE group_id = @group_id AND id = @id AND processed_at IS NULL;

-- name: BatchItemInsert :batchexec
INSERT INTO annals.batch_items (group_id, batch_id, place, episode_id, item)
VALUES (@group_id, @batch_id, @place, @episode_id, @item);

-- name: BatchItemKeep :batchexec
UPDATE annals.batch_items
SET item = @item
WHERE group_id = @group_id AND batch_id = @batch_id AND place = @place;

-- Lists the items of a batch that are for one group, and how far they have come.
-- name: BatchItems :many
SELECT i.place, i.episode_id, i.item, i.created_at, coalesce(e.state::text, '')::text AS state, coalesce(e.error, '')::text AS error,
    coalesce(e.deferred, false)::boolean AS deferred, coalesce(e.processed_at, e.created_at, i.created_at)::timestamptz AS updated_at
FROM annals.batch_items i
LEFT JOIN annals.episodes e ON e.group_id = i.group_id AND e.id = i.episode_id
WHERE i.group_id = @group_id AND i.batch_id = @batch_id
ORDER BY i.place;

-- Counts how far the items of a batch have come, in all groups that they are
-- for.
-- name: BatchProgress :one
WITH named AS MATERIALIZED (
    SELECT unnest(b.groups) AS name FROM annals.batches b WHERE b.group_id = @group_id AND b.id = @id
)
SELECT count(*) AS items, count(*) FILTER (WHERE e.state = 'done' AND NOT e.deferred) AS done,
    count(*) FILTER (WHERE e.state = 'failed' AND NOT e.deferred) AS failed,
    count(*) FILTER (WHERE e.state = 'processing' AND NOT e.deferred) AS processing, count(*) FILTER (WHERE e.deferred) AS deferred,
    coalesce(max(coalesce(e.processed_at, e.created_at, i.created_at)), '0001-01-01 UTC')::timestamptz AS updated_at
FROM annals.batch_items i
LEFT JOIN annals.episodes e ON e.group_id = i.group_id AND e.id = i.episode_id
WHERE i.batch_id = @id AND i.group_id IN (SELECT n.name FROM named n);

-- name: BatchItemsDelete :execrows
DELETE FROM annals.batch_items
WHERE group_id = @group_id AND batch_id = @batch_id;

-- Removes an item that is not taken in, as it was erased.
-- name: BatchItemDelete :exec
DELETE FROM annals.batch_items
WHERE group_id = @group_id AND batch_id = @batch_id AND place = @place;
