-- Review: what waits for a decision, and what somebody or something brought.

-- Lists the episodes that a source, a conversation, a door, a key or a run brought, or
-- that came in between two times.
-- name: EpisodesBrought :many
SELECT e.id
FROM annals.episodes e
WHERE e.group_id = @group_id
    AND (sqlc.narg('source')::text IS NULL OR e.source_description = sqlc.narg('source'))
    AND (sqlc.narg('thread_id')::text IS NULL OR e.thread_id = sqlc.narg('thread_id'))
    AND (sqlc.narg('door')::text IS NULL OR e.door = sqlc.narg('door'))
    AND (sqlc.narg('key')::text IS NULL OR e.written_by = sqlc.narg('key'))
    AND (sqlc.narg('run')::text IS NULL OR e.metadata->>'run_id' = sqlc.narg('run'))
    AND (sqlc.narg('since')::timestamptz IS NULL OR e.created_at >= sqlc.narg('since'))
    AND (sqlc.narg('until')::timestamptz IS NULL OR e.created_at < sqlc.narg('until'))
ORDER BY e.id;

-- Lists what a door or a key did to facts by hand, or what was done between two times.
-- name: FactsChangedByHand :many
SELECT d.subject_id::uuid AS id, d.edited_at
FROM annals.edits d
WHERE d.group_id = @group_id AND d.kind = 'fact' AND d.action NOT IN ('confirm', 'unconfirm', 'sweep')
    AND (sqlc.narg('door')::text IS NULL OR d.door = sqlc.narg('door'))
    AND (sqlc.narg('key')::text IS NULL OR d.written_by = sqlc.narg('key'))
    AND (sqlc.narg('since')::timestamptz IS NULL OR d.edited_at >= sqlc.narg('since'))
    AND (sqlc.narg('until')::timestamptz IS NULL OR d.edited_at < sqlc.narg('until'));

-- Reads all versions of a page of the facts that some episodes made, changed or ended, and
-- of others.
-- name: FactVersionsBy :many
SELECT v.*
FROM annals_internal.fact_versions_of(@group_id, ARRAY(
    SELECT i.id FROM (
        SELECT f.id FROM annals.facts f WHERE f.group_id = @group_id AND f.caused_by && @episode_ids::uuid[]
        UNION
        SELECT h.id FROM annals_internal.facts_history h
        WHERE h.group_id = @group_id AND (h.caused_by && @episode_ids::uuid[] OR h.ended_by && @episode_ids::uuid[])
        UNION
        SELECT unnest(@fact_ids::uuid[])
    ) i
    WHERE i.id > @after::uuid
    ORDER BY i.id
    LIMIT @max_rows::int
)) v
ORDER BY v.id, lower(v.recorded);

-- Lists the facts that wait for a decision: candidates, what is disputed, what nobody says
-- but assistants and documents, and what is told of others. What was confirmed by hand does
-- not wait.
-- name: ReviewList :many
WITH asked AS NOT MATERIALIZED (
    SELECT f.id, f.trust
    FROM annals.facts f
    WHERE f.group_id = @group_id
        AND (sqlc.narg('relation')::text IS NULL OR f.predicate = sqlc.narg('relation'))
        AND (NOT @brought::boolean OR f.id = ANY (@fact_ids::uuid[]) OR EXISTS (
            SELECT FROM annals.fact_episodes c
            WHERE c.group_id = @group_id AND c.fact_id = f.id AND c.role = 'states' AND c.episode_id = ANY (@episode_ids::uuid[])))
        AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND NOT annals_internal.fact_confirmed(@group_id, f.id)
), kinds AS (
    (SELECT 1 AS place, a.id FROM asked a
    WHERE a.trust = 'candidate' AND @kind::text IN ('', 'candidate') AND (1, a.id) > (@after_place::int, @after::uuid)
    ORDER BY a.id LIMIT @max_rows::int)
    UNION ALL
    (SELECT 2, a.id FROM asked a
    WHERE a.trust = 'disputed' AND @kind::text IN ('', 'disputed') AND (2, a.id) > (@after_place::int, @after::uuid)
    ORDER BY a.id LIMIT @max_rows::int)
    UNION ALL
    (SELECT 3, a.id FROM asked a
    WHERE a.trust = 'believed' AND @kind::text IN ('', 'low_trust') AND (3, a.id) > (@after_place::int, @after::uuid)
        AND annals_internal.fact_authority(@group_id, a.id) < 'user'
    ORDER BY a.id LIMIT @max_rows::int)
    UNION ALL
    (SELECT 4, a.id FROM asked a
    WHERE a.trust = 'believed' AND @kind::text IN ('', 'second_hand') AND (4, a.id) > (@after_place::int, @after::uuid)
        AND EXISTS (SELECT FROM annals_internal.fact_sources(@group_id, ARRAY[a.id], NULL) s WHERE NOT s.own AND s.authority >= 'user')
    ORDER BY a.id LIMIT @max_rows::int)
)
SELECT k.id, (ARRAY['candidate', 'disputed', 'low_trust', 'second_hand'])[k.place]::text AS kind
FROM kinds k
ORDER BY k.place, k.id
LIMIT @max_rows::int;

-- Tells which of some facts stand rejected, and are no facts.
-- name: FactsStandRejected :many
SELECT DISTINCT r.fact_id
FROM annals.rejections r
WHERE r.group_id = @group_id AND r.fact_id = ANY (@ids::uuid[]) AND r.lifted_at IS NULL
    AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = r.fact_id);
