-- name: BatchAdded :one
UPDATE annals_internal.batches
SET items = items + sqlc.arg('added')::int, updated_at = now(),
    groups = ARRAY(SELECT DISTINCT g.name FROM unnest(groups || sqlc.arg('groups')::text[]) AS g(name) ORDER BY g.name)
WHERE group_id = @group_id AND id = @id AND processed_at IS NULL
RETURNING items;

-- Removes a batch, which must be processed or must not be, and returns the groups of its items.
-- name: BatchDelete :one
DELETE FROM annals_internal.batches
WHERE group_id = @group_id AND id = @id AND (processed_at IS NOT NULL) = @processed::boolean
RETURNING groups;

-- name: BatchGet :one
SELECT * FROM annals_internal.batches
WHERE group_id = @group_id AND id = @id;

-- name: BatchInsert :exec
INSERT INTO annals_internal.batches (group_id, id, metadata, ignored_roles)
VALUES (@group_id, @id, @metadata, @ignored_roles);

-- Lists batches, the newest first, with the progress of their items in all groups. Deleted episodes
-- are not counted. Without a filter on the state, it counts only the batches of the page. The count
-- is a step of its own, as on a cluster the items may be on other servers than the batch.
-- name: BatchPage :many
WITH page AS MATERIALIZED (
    SELECT x.id, x.groups, x.processed_at FROM annals_internal.batches x
    WHERE x.group_id = @group_id AND (sqlc.narg('id')::uuid IS NULL OR x.id = sqlc.narg('id')::uuid)
    ORDER BY x.id DESC
    OFFSET CASE WHEN @state::text = '' THEN @skip::int ELSE 0 END
    LIMIT CASE WHEN @state = '' THEN @max_rows::int END
), counted AS MATERIALIZED (
    SELECT n.id, count(*) FILTER (WHERE n.processed_at IS NULL OR e.id IS NOT NULL) AS items,
        count(*) FILTER (WHERE e.state = 'done' AND NOT e.deferred) AS done, count(*) FILTER (WHERE e.state = 'failed' AND NOT e.deferred) AS failed,
        count(*) FILTER (WHERE e.state = 'processing' AND NOT e.deferred) AS processing, count(*) FILTER (WHERE e.deferred) AS deferred,
        max(coalesce(e.processed_at, e.created_at, i.created_at)) AS updated_at
    FROM (SELECT page.id, page.processed_at, unnest(page.groups) AS name FROM page) n
    JOIN annals_internal.batch_items i ON i.group_id = n.name AND i.batch_id = n.id
    LEFT JOIN annals.episodes e ON e.group_id = i.group_id AND e.id = i.episode_id
    GROUP BY n.id
)
SELECT sqlc.embed(b), p.items::bigint AS episodes, p.done::bigint AS done, p.failed::bigint AS failed, p.processing::bigint AS processing,
    p.deferred::bigint AS deferred, p.updated_at::timestamptz AS last_at, s.state::text AS state
FROM (
    SELECT page.id, coalesce(c.items, 0) AS items, coalesce(c.done, 0) AS done, coalesce(c.failed, 0) AS failed, coalesce(c.processing, 0) AS processing,
        coalesce(c.deferred, 0) AS deferred, coalesce(c.updated_at, '0001-01-01 UTC') AS updated_at
    FROM page
    LEFT JOIN counted c ON c.id = page.id
) p
JOIN annals_internal.batches b ON b.group_id = @group_id AND b.id = p.id
CROSS JOIN LATERAL (
    SELECT CASE
        WHEN b.processed_at IS NULL THEN 'draft'
        WHEN p.items > 0 AND p.done + p.failed + p.deferred + p.processing = 0 THEN 'queued'
        WHEN p.done + p.failed + p.deferred < p.items THEN 'processing'
        WHEN p.failed = 0 THEN 'succeeded'
        WHEN p.failed = p.items THEN 'failed'
        ELSE 'partial'
    END AS state
) s
WHERE @state::text = '' OR s.state = @state::text
ORDER BY b.id DESC
OFFSET CASE WHEN @state::text = '' THEN 0 ELSE @skip::int END
LIMIT @max_rows;

-- name: BatchProcessed :execrows
UPDATE annals_internal.batches
SET processed_at = now(), updated_at = now()
WHERE group_id = @group_id AND id = @id AND processed_at IS NULL;

-- name: BatchItemInsert :batchexec
INSERT INTO annals_internal.batch_items (group_id, batch_id, place, episode_id, item)
VALUES (@group_id, @batch_id, @place, @episode_id, @item);

-- name: BatchItemKeep :batchexec
UPDATE annals_internal.batch_items
SET item = @item
WHERE group_id = @group_id AND batch_id = @batch_id AND place = @place;

-- Lists the items of a batch from an offset on, in all its groups, with their progress.
-- name: BatchItems :many
WITH named AS MATERIALIZED (
    SELECT unnest(b.groups) AS name FROM annals_internal.batches b WHERE b.group_id = @group_id AND b.id = @id
)
SELECT i.group_id, i.place, i.episode_id, i.item, i.created_at, coalesce(e.state::text, '')::text AS state, coalesce(e.error, '')::text AS error,
    coalesce(e.deferred, false)::boolean AS deferred, coalesce(e.processed_at, e.created_at, i.created_at)::timestamptz AS updated_at
FROM annals_internal.batch_items i
LEFT JOIN annals.episodes e ON e.group_id = i.group_id AND e.id = i.episode_id
WHERE i.batch_id = @id AND i.place >= @from_place::int AND i.group_id IN (SELECT n.name FROM named n)
    AND (sqlc.narg('state')::text IS NULL OR coalesce(e.state::text, '') = sqlc.narg('state')::text)
    AND (sqlc.narg('deferred')::boolean IS NULL OR coalesce(e.deferred, false) = sqlc.narg('deferred')::boolean)
ORDER BY i.place
LIMIT @max_rows::int;

-- name: BatchItemsDelete :execrows
DELETE FROM annals_internal.batch_items
WHERE group_id = @group_id AND batch_id = @batch_id;

-- Removes an item that is not stored, as it was erased.
-- name: BatchItemDelete :exec
DELETE FROM annals_internal.batch_items
WHERE group_id = @group_id AND batch_id = @batch_id AND place = @place;
