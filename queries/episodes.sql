-- Claims the next waiting episodes, in the order in which they were added. The caller holds the
-- group's processing lock, so an episode in 'processing' was left by a crash and is claimed again.
-- name: EpisodesClaim :many
WITH waiting AS MATERIALIZED (
    SELECT w.id, w.state, w.authority, w.thread_id, m.expires_at
    FROM annals.episodes w
    LEFT JOIN annals.marks m ON m.group_id = @group_id AND m.subject_id = w.id AND m.mark = 'expires' AND m.until IS NULL
    WHERE w.group_id = @group_id AND w.state IN ('pending', 'processing') AND NOT w.deferred
    ORDER BY w.id
    LIMIT @max_rows::int
), claimed AS MATERIALIZED ( -- Citus returns no function of a row
    SELECT w.id, w.state, w.expires_at, annals_internal.episode_shown(@group_id, w.id, w.authority, w.thread_id, 'believed') AS shown FROM waiting w
)
UPDATE annals.episodes e
SET state = 'processing', attempts = attempts + 1
FROM claimed c
WHERE e.group_id = @group_id AND e.id = c.id
    AND e.id = ANY(ARRAY(SELECT w.id FROM waiting w)) -- where statistics are old, all rows of the group would be joined
RETURNING e.id, e.source, e.content, e.actor, e.role, e.name, e.source_description, e.thread_id, e.occurred_at,
    e.previous, e.attempts, e.trace_context, e.authority, coalesce(c.expires_at, '0001-01-01 UTC')::timestamptz AS expires_at,
    (c.state = 'processing')::boolean AS left_behind,
    c.shown;

-- name: EpisodeCounts :many
SELECT state, count(*) AS episodes
FROM annals.episodes
WHERE group_id = @group_id
GROUP BY state;

-- Marks episodes as read, and returns until when each is shown. Nobody changes that before the
-- transaction ends.
-- name: EpisodesDone :many
UPDATE annals.episodes e
SET state = 'done', processed_at = annals_internal.recorded_now()
FROM (
    SELECT w.id, m.expires_at
    FROM annals.episodes w
    LEFT JOIN annals.marks m ON m.group_id = @group_id AND m.subject_id = w.id AND m.mark = 'expires' AND m.until IS NULL
    WHERE w.group_id = @group_id AND w.id = ANY(@ids::uuid[]) AND w.state = 'processing'
) was
WHERE e.group_id = @group_id AND e.id = was.id
    AND e.id = ANY(@ids::uuid[]) -- as in EpisodesClaim
RETURNING e.id, coalesce(was.expires_at, '0001-01-01 UTC')::timestamptz AS expires_at;

-- Lists episodes that do not wait for a model, and have no vector yet.
-- name: EpisodesUnembedded :many
SELECT id, content, source, role
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.deferred AND NOT EXISTS (
    SELECT FROM annals_internal.episode_embeddings v WHERE v.group_id = @group_id AND v.model = @model AND v.episode_id = e.id AND v.part = 0)
ORDER BY e.id
LIMIT @max_rows::int;

-- name: EpisodeFail :exec
UPDATE annals.episodes
SET state = 'failed', error = @error::text
WHERE group_id = @group_id AND id = @id AND state = 'processing';

-- Stores an episode. If its external id exists already, it changes nothing and returns the episode
-- that has it.
-- name: EpisodeInsert :batchone
WITH inserted AS (
    INSERT INTO annals.episodes (
        group_id, id, source, content, actor, role, name, source_description, thread_id, occurred_at, metadata, external_id,
        deferred, previous, trace_context, door, written_by, authority
    ) VALUES (
        @group_id, @id, @source, @content, @actor, @role, @name, @source_description, @thread_id,
        coalesce(sqlc.narg('occurred_at')::timestamptz, now()), @metadata, sqlc.narg('external_id'),
        @deferred, sqlc.narg('previous'), sqlc.narg('trace_context'), @door, @written_by,
        least(@cap::annals.authority, CASE WHEN @handed::boolean THEN 'person' ELSE annals_internal.authority_of(@source, @role) END)
    )
    ON CONFLICT ON CONSTRAINT episodes_external_id DO NOTHING
    RETURNING id, state, left_out
)
SELECT i.id, i.state, true AS added, i.left_out FROM inserted i
UNION ALL
SELECT e.id, e.state, false AS added, e.left_out FROM annals.episodes e
WHERE e.group_id = @group_id AND e.external_id = sqlc.narg('external_id') AND NOT EXISTS (SELECT FROM inserted);

-- Sets when a new episode expires. It is not a part of the insert, as Citus would then send the
-- inserted rows to every server.
-- name: EpisodeExpires :batchexec
INSERT INTO annals.marks (group_id, kind, subject_id, mark, expires_at, door, written_by, authority)
VALUES (@group_id, 'episode', @id, 'expires', @expires_at::timestamptz, @door, @written_by, @cap::annals.authority);

-- Lists a page of all episodes, or of those that are done, the latest first. Each of the three
-- lists reads its own index, after the last row of the page before.
-- name: EpisodeList :many
SELECT e.* FROM annals.episode_rows e
WHERE e.group_id = @group_id AND (NOT @done::boolean OR e.state = 'done') AND (sqlc.narg('source')::annals.episode_source IS NULL OR e.source = sqlc.narg('source'))
    AND (e.occurred_at, e.id) < (coalesce(sqlc.narg('before_at')::timestamptz, 'infinity'), coalesce(sqlc.narg('before_id')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    AND annals_internal.episode_shown(@group_id, e.id, e.authority, e.thread_id, @trust::text)
ORDER BY e.occurred_at DESC, e.id DESC
LIMIT @max_rows::int;

-- Lists the episodes of a conversation.
-- name: EpisodeListOfThread :many
SELECT e.* FROM annals.episode_rows e
WHERE e.group_id = @group_id AND e.thread_id = @thread_id
    AND (sqlc.narg('state')::annals.episode_state IS NULL OR e.state = sqlc.narg('state')) AND (sqlc.narg('source')::annals.episode_source IS NULL OR e.source = sqlc.narg('source'))
    AND (e.occurred_at, e.id) < (coalesce(sqlc.narg('before_at')::timestamptz, 'infinity'), coalesce(sqlc.narg('before_id')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    AND annals_internal.episode_shown(@group_id, e.id, e.authority, e.thread_id, @trust::text)
ORDER BY e.occurred_at DESC, e.id DESC
LIMIT @max_rows::int;

-- Lists the episodes in a state other than done, which are few.
-- name: EpisodeListUnread :many
SELECT e.* FROM annals.episode_rows e
WHERE e.group_id = @group_id AND e.state = @state AND e.state <> 'done' AND (sqlc.narg('source')::annals.episode_source IS NULL OR e.source = sqlc.narg('source'))
    AND (e.occurred_at, e.id) < (coalesce(sqlc.narg('before_at')::timestamptz, 'infinity'), coalesce(sqlc.narg('before_id')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    AND annals_internal.episode_shown(@group_id, e.id, e.authority, e.thread_id, @trust::text)
ORDER BY e.occurred_at DESC, e.id DESC
LIMIT @max_rows::int;

-- Puts back claimed episodes that were not read. The attempt does not count for those that were not
-- tried.
-- name: EpisodesRelease :exec
UPDATE annals.episodes
SET state = 'pending', attempts = attempts - @untried::int
WHERE group_id = @group_id AND id = ANY(@ids::uuid[]) AND state = 'processing';

-- Takes back the attempts of claimed episodes that were never begun: the process that had claimed
-- them ended while it read another one.
-- name: EpisodesUnbegun :exec
UPDATE annals.episodes
SET attempts = 1
WHERE group_id = @group_id AND id = ANY(@ids::uuid[]) AND state = 'processing';

-- name: EpisodesWait :one
SELECT EXISTS (
    SELECT FROM annals.episodes
    WHERE group_id = @group_id AND state IN ('pending', 'processing') AND NOT deferred);

-- name: EpisodeTake :execrows
UPDATE annals.episodes
SET state = 'processing', attempts = attempts + 1
WHERE group_id = @group_id AND id = @id AND state = 'pending';

-- name: EpisodesByIDs :many
SELECT e.*
FROM unnest(@ids::uuid[]) AS i(id)
JOIN annals.episode_rows e ON e.group_id = @group_id AND e.id = i.id;

-- Reads episodes that a search found, with the passages to show of long ones, and what of them was
-- withdrawn, now or by known_at.
-- name: EpisodesFound :many
SELECT e.group_id, e.id, e.source, (CASE WHEN e.source = 'run' THEN annals_internal.run_told(e.content) WHEN annals_internal.is_long(e.content) THEN annals_internal.telling_passage(g.text_search::regconfig, e.content, @question::text) ELSE e.content END)::text AS content,
    e.actor, e.role, e.name, e.source_description, e.thread_id, e.occurred_at, e.created_at, e.metadata, e.external_id, e.state, e.attempts,
    e.error, e.deferred, e.door, e.written_by, e.authority,
    (CASE WHEN sqlc.narg('known_at')::timestamptz IS NULL THEN e.taken_back ELSE (
        SELECT annals_internal.taken_back(o.group_id, o.id, o.content, o.actor, o.thread_id, o.terms, o.said_key, sqlc.narg('known_at')::timestamptz)
        FROM annals.episodes o WHERE o.group_id = @group_id AND o.id = e.id) END)::text AS taken_back, annals_internal.is_long(e.content) AS is_passage
FROM unnest(@ids::uuid[]) AS i(id)
JOIN annals.episode_rows e ON e.group_id = @group_id AND e.id = i.id
JOIN annals.groups g ON g.group_id = @group_id;

-- Reads the messages just before some short episodes, which may answer them, if they have a given
-- trust and, with unexpired, have not expired.
-- name: EpisodesAnswered :many
SELECT e.*
FROM unnest(@ids::uuid[]) AS i(id)
CROSS JOIN LATERAL (SELECT x.id, x.thread_id, x.occurred_at FROM annals.episodes x
    WHERE x.group_id = @group_id AND x.id = i.id AND x.thread_id <> '' AND octet_length(x.content) <= @max_bytes::int OFFSET 0) a
CROSS JOIN LATERAL (
    SELECT p.id FROM annals.episodes p
    WHERE p.group_id = @group_id AND p.thread_id = a.thread_id AND (p.occurred_at, p.id) < (a.occurred_at, a.id)
    ORDER BY p.occurred_at DESC, p.id DESC LIMIT 1
) b
CROSS JOIN LATERAL (SELECT r.* FROM annals.episode_rows r WHERE r.group_id = @group_id AND r.id = b.id OFFSET 0) e
WHERE (@trust::text = 'all' OR annals_internal.episode_shown(@group_id, e.id, e.authority, e.thread_id, @trust::text))
    AND (NOT @unexpired::boolean OR e.id NOT IN (SELECT annals_internal.expired(@group_id, 'episode', now())));

-- Reads the messages just before an episode in its thread, the newest first. Those in quarantine
-- are read only if the episode is in quarantine too.
-- name: EpisodesBefore :many
SELECT e.actor, e.role, e.content, e.occurred_at
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.thread_id = @thread_id AND (e.occurred_at, e.id) < (@occurred_at::timestamptz, @id::uuid)
    AND e.source = 'message' AND NOT e.deferred
    AND annals_internal.episode_shown(@group_id, e.id, e.authority, e.thread_id,
        (SELECT CASE WHEN annals_internal.episode_shown(@group_id, @id, @authority::annals.authority, @thread_id, 'believed') THEN 'believed' ELSE 'all' END))
ORDER BY e.occurred_at DESC, e.id DESC
LIMIT @max_rows::int;

-- Lets failed or deferred episodes be read again, with as many attempts as new ones.
-- name: EpisodesRetry :execrows
UPDATE annals.episodes
SET state = 'pending', error = NULL, deferred = false, attempts = 0
WHERE group_id = @group_id AND (state = 'failed' OR deferred);
