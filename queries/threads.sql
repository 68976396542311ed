-- What was said in a thread after a message, oldest first.
-- name: ThreadNews :many
SELECT e.id, e.actor, e.role, e.content, e.occurred_at
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.thread_id = @thread_id AND e.source = 'message' AND NOT e.deferred
    AND (e.occurred_at, e.id) > (@after_at::timestamptz, @after_id::uuid)
ORDER BY e.occurred_at, e.id
LIMIT @max_rows::int;

-- name: ThreadGet :one
SELECT id, summary, coalesce(through_at, '0001-01-01 UTC')::timestamptz AS through_at,
    coalesce(through_id, '00000000-0000-0000-0000-000000000000')::uuid AS through_id, updated_at
FROM annals.threads
WHERE group_id = @group_id AND id = @id;

-- Threads with their messages and how many of them the summary does not know.
-- name: ThreadList :many
WITH said AS (
    SELECT e.thread_id, count(*) AS messages, max(e.occurred_at) AS last_at
    FROM annals.episodes e
    WHERE e.group_id = @group_id AND e.thread_id <> '' AND e.source = 'message'
        AND (sqlc.narg('id')::text IS NULL OR e.thread_id = sqlc.narg('id'))
    GROUP BY e.thread_id
), listed AS (
    SELECT s.thread_id AS id, s.messages, s.last_at FROM said s
    UNION ALL
    SELECT m.id, 0, m.created_at FROM annals.threads m
    WHERE m.group_id = @group_id AND m.created_at IS NOT NULL AND (sqlc.narg('id')::text IS NULL OR m.id = sqlc.narg('id'))
        AND NOT EXISTS (SELECT FROM said s WHERE s.thread_id = m.id)
)
SELECT l.id, coalesce(t.summary, '')::text AS summary, l.messages, (
        SELECT count(*) FROM annals.episodes n
        WHERE n.group_id = @group_id AND n.thread_id = l.id AND n.source = 'message'
            AND (t.through_id IS NULL OR (n.occurred_at, n.id) > (t.through_at, t.through_id))) AS unsummarised,
    l.last_at::timestamptz AS last_at, t.created_at, t.updated_at, t.through_at, coalesce(t.metadata, '{}')::jsonb AS metadata
FROM listed l
LEFT JOIN annals.threads t ON t.group_id = @group_id AND t.id = l.id
WHERE sqlc.narg('after_at')::timestamptz IS NULL OR l.last_at < sqlc.narg('after_at')::timestamptz
    OR l.last_at = sqlc.narg('after_at')::timestamptz AND l.id > sqlc.narg('after_id')::text
ORDER BY last_at DESC, l.id
LIMIT @max_rows::int;

-- A thread that is there already stays as it is.
-- name: ThreadCreate :execrows
INSERT INTO annals.threads (group_id, id, metadata, created_at)
VALUES (@group_id, @id, @metadata, now())
ON CONFLICT (group_id, id) DO NOTHING;

-- One at a time makes a thread of a name. The lock goes with the transaction.
-- name: ThreadNameLock :exec
SELECT pg_advisory_xact_lock(hashtextextended('annals.thread:' || @namespace::text || ':' || @id::text, 0));

-- name: ThreadEpisodes :many
SELECT id
FROM annals.episodes
WHERE group_id = @group_id AND thread_id = @thread_id
ORDER BY id;

-- name: ThreadDelete :execrows
DELETE FROM annals.threads
WHERE group_id = @group_id AND id = @id;

-- What was said in a thread, in the order in which it was said.
-- name: ThreadMessages :many
SELECT id, source, content, actor, role, name, source_description, thread_id, occurred_at, created_at, metadata,
    external_id, state, attempts, error, deferred
FROM annals.episodes
WHERE group_id = @group_id AND thread_id = @thread_id
ORDER BY occurred_at, id
OFFSET @skip::int
LIMIT @max_rows::int;

-- name: ThreadUpsert :exec
INSERT INTO annals.threads (group_id, id, summary, through_at, through_id)
VALUES (@group_id, @id, @summary, @through_at::timestamptz, @through_id::uuid)
ON CONFLICT (group_id, id) DO UPDATE
SET summary = excluded.summary, through_at = excluded.through_at, through_id = excluded.through_id, updated_at = now()
WHERE threads.through_id IS NULL OR (threads.through_at, threads.through_id) < (excluded.through_at, excluded.through_id);
