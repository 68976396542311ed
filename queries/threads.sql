-- What was said in a thread after a message, oldest first.
-- name: ThreadNews :many
SELECT e.id, e.actor, e.role, e.content, e.occurred_at
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.thread_id = @thread_id AND e.source = 'message' AND NOT e.deferred
    AND (e.occurred_at, e.id) > (@after_at::timestamptz, @after_id::uuid)
ORDER BY e.occurred_at, e.id
LIMIT @max_rows::int;

-- name: ThreadGet :one
SELECT id, summary, through_at, through_id, updated_at
FROM annals.threads
WHERE group_id = @group_id AND id = @id;

-- Threads with their messages and how many of them the summary does not know.
-- name: ThreadList :many
SELECT e.thread_id AS id, coalesce(t.summary, '')::text AS summary, count(*) AS messages,
    count(*) FILTER (WHERE t.id IS NULL OR (e.occurred_at, e.id) > (t.through_at, t.through_id)) AS unsummarised,
    max(e.occurred_at)::timestamptz AS last_at
FROM annals.episodes e
LEFT JOIN annals.threads t ON t.group_id = e.group_id AND t.id = e.thread_id
WHERE e.group_id = @group_id AND e.thread_id <> '' AND e.source = 'message'
    AND (sqlc.narg('id')::text IS NULL OR e.thread_id = sqlc.narg('id'))
GROUP BY e.thread_id, t.summary
ORDER BY last_at DESC, e.thread_id
LIMIT @max_rows::int;

-- name: ThreadUpsert :exec
INSERT INTO annals.threads (group_id, id, summary, through_at, through_id)
VALUES (@group_id, @id, @summary, @through_at, @through_id)
ON CONFLICT (group_id, id) DO UPDATE
SET summary = excluded.summary, through_at = excluded.through_at, through_id = excluded.through_id, updated_at = now()
WHERE (threads.through_at, threads.through_id) < (excluded.through_at, excluded.through_id);
