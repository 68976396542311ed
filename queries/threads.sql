-- Lists the messages of a thread after a given one, the oldest first, without those in quarantine
-- and without those that will expire: a summary would outlive them.
-- name: ThreadNews :many
SELECT e.id, e.actor, e.role, e.content, e.occurred_at, annals_internal.taken_back(e.group_id, e.id, e.content, e.actor, e.thread_id, e.terms, e.said_key)::text AS taken_back
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.thread_id = @thread_id AND e.source = 'message' AND NOT e.deferred
    AND NOT annals_internal.quarantined(e.group_id, e.id, e.authority, e.thread_id)
    AND e.id NOT IN (SELECT annals_internal.expiring(@group_id::text, 'episode', 'infinity'))
    AND (e.occurred_at, e.id) > (@after_at::timestamptz, @after_id::uuid)
ORDER BY e.occurred_at, e.id
LIMIT @max_rows::int;

-- Counts the messages of a thread that were read since its summary.
-- name: ThreadReadSince :one
SELECT count(*)
FROM annals.episodes e
LEFT JOIN annals.threads t ON t.group_id = @group_id AND t.id = @thread_id
WHERE e.group_id = @group_id AND e.thread_id = @thread_id AND e.source = 'message' AND e.state IN ('done', 'failed')
    AND (t.through_id IS NULL OR (e.occurred_at, e.id) > (t.through_at, t.through_id));

-- name: ThreadGet :one
SELECT id, summary, coalesce(through_at, '0001-01-01 UTC')::timestamptz AS through_at,
    coalesce(through_id, '00000000-0000-0000-0000-000000000000')::uuid AS through_id, updated_at
FROM annals.threads
WHERE group_id = @group_id AND id = @id;

-- Lists a page of threads, the latest first, with their messages and how many of these the summary
-- does not cover; with an id, that thread alone. A thread is ordered by its last message, or by its
-- creation if it has none. Messages are read from the latest on, until enough threads are found.
-- name: ThreadList :many
WITH said AS (
    SELECT e.thread_id AS id, e.occurred_at AS last_at
    FROM annals.episodes e
    WHERE sqlc.narg('id')::text IS NULL AND e.group_id = @group_id AND e.thread_id <> '' AND e.source = 'message'
        AND e.occurred_at <= coalesce(sqlc.narg('after_at')::timestamptz, 'infinity')
        AND (e.occurred_at < coalesce(sqlc.narg('after_at')::timestamptz, 'infinity') OR e.thread_id > coalesce(sqlc.narg('after_id')::text, ''))
        AND NOT EXISTS (SELECT FROM annals.episodes n
            WHERE n.group_id = @group_id AND n.thread_id = e.thread_id AND (n.occurred_at, n.id) > (e.occurred_at, e.id) AND n.source = 'message')
    ORDER BY e.occurred_at DESC, e.thread_id
    LIMIT @max_rows::int
), made AS (
    SELECT m.id, m.created_at AS last_at
    FROM annals.threads m
    WHERE sqlc.narg('id')::text IS NULL AND m.group_id = @group_id AND m.created_at <= coalesce(sqlc.narg('after_at')::timestamptz, 'infinity')
        AND (m.created_at < coalesce(sqlc.narg('after_at')::timestamptz, 'infinity') OR m.id > coalesce(sqlc.narg('after_id')::text, ''))
        AND NOT EXISTS (SELECT FROM annals.episodes n WHERE n.group_id = @group_id AND n.thread_id = m.id AND n.source = 'message')
    ORDER BY m.created_at DESC, m.id
    LIMIT @max_rows::int
), one AS MATERIALIZED (
    SELECT sqlc.narg('id')::text AS id, coalesce(
        (SELECT max(e.occurred_at) FROM annals.episodes e WHERE e.group_id = @group_id AND e.thread_id = sqlc.narg('id')::text AND e.source = 'message'),
        (SELECT m.created_at FROM annals.threads m WHERE m.group_id = @group_id AND m.id = sqlc.narg('id')::text)) AS last_at
), page AS MATERIALIZED (
    SELECT u.id, u.last_at
    FROM (SELECT id, last_at FROM said UNION ALL SELECT id, last_at FROM made UNION ALL SELECT id, last_at FROM one) u
    WHERE u.last_at IS NOT NULL
    ORDER BY u.last_at DESC, u.id
    LIMIT @max_rows::int
)
SELECT l.id, coalesce(t.summary, '')::text AS summary, l.messages::bigint AS messages, (
        SELECT count(*) FROM annals.episodes n
        WHERE n.group_id = @group_id AND n.thread_id = l.id AND n.source = 'message'
            AND (t.through_id IS NULL OR (n.occurred_at, n.id) > (t.through_at, t.through_id))) AS unsummarised,
    l.last_at::timestamptz AS last_at, t.created_at, t.updated_at, t.through_at, coalesce(t.metadata, '{}')::jsonb AS metadata
FROM (
    SELECT p.id, p.last_at, (
        SELECT count(*) FROM annals.episodes n WHERE n.group_id = @group_id AND n.thread_id = p.id AND n.source = 'message') AS messages
    FROM page p
) l
LEFT JOIN annals.threads t ON t.group_id = @group_id AND t.id = l.id
ORDER BY l.last_at DESC, l.id;

-- Creates a thread. An existing one stays as it is.
-- name: ThreadCreate :execrows
INSERT INTO annals.threads (group_id, id, metadata, created_at)
VALUES (@group_id, @id, @metadata, now())
ON CONFLICT (group_id, id) DO NOTHING;

-- Locks the name of a thread to be created, until the transaction ends.
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

-- Lists the messages of a thread that have a given trust, in their order; with documents, also its
-- other episodes, such as the parts of a document.
-- name: ThreadMessages :many
SELECT e.* FROM annals.episode_rows e
WHERE e.group_id = @group_id AND e.thread_id = @thread_id AND (e.source = 'message' OR @documents::boolean)
    AND annals_internal.episode_shown(@group_id, e.id, e.authority, e.thread_id, @trust::text)
ORDER BY e.occurred_at, e.id
OFFSET @skip::int
LIMIT @max_rows::int;

-- Counts the visible messages of a thread.
-- name: ThreadMessageCount :one
SELECT count(*) FROM annals.episodes e
WHERE e.group_id = @group_id AND e.thread_id = @thread_id AND e.source = 'message' AND NOT annals_internal.has_expired(@group_id, 'episode', e.id)
    AND annals_internal.episode_shown(@group_id, e.id, e.authority, e.thread_id, 'believed');

-- name: ThreadUpsert :exec
INSERT INTO annals.threads (group_id, id, summary, through_at, through_id, updated_at)
VALUES (@group_id, @id, @summary, @through_at::timestamptz, @through_id::uuid, now())
ON CONFLICT (group_id, id) DO UPDATE
SET summary = excluded.summary, through_at = excluded.through_at, through_id = excluded.through_id, updated_at = excluded.updated_at;
