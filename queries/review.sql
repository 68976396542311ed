-- Review: facts that wait for a decision, and what a source brought.

-- Lists the episodes that came from a source, a conversation, a door, a key or a run, or between
-- two times.
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

-- Lists the sources, the runs and the days of the latest episodes, with the number of episodes of
-- each, the latest first.
-- name: EpisodesBroughtBy :many
SELECT b.by::text AS by, b.name::text AS name, count(*) AS episodes, max(e.created_at)::timestamptz AS last_at
FROM (
    SELECT l.source_description, l.metadata->>'run_id' AS run, l.created_at
    FROM annals.episodes l
    WHERE l.group_id = @group_id
    ORDER BY l.id DESC
    LIMIT @max_episodes::int
) e
CROSS JOIN LATERAL (VALUES ('source', e.source_description), ('run_id', e.run), ('day', to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'))) AS b(by, name)
WHERE b.name <> ''
GROUP BY b.by, b.name
ORDER BY max(e.created_at) DESC, b.by, b.name
LIMIT @max_rows::int;

-- Lists the edits of facts by hand of a door or a key, or between two times.
-- name: FactsChangedByHand :many
SELECT d.subject_id::uuid AS id, d.edited_at
FROM annals.edits d
WHERE d.group_id = @group_id AND d.kind = 'fact' AND d.action NOT IN ('confirm', 'unconfirm', 'sweep')
    AND (sqlc.narg('door')::text IS NULL OR d.door = sqlc.narg('door'))
    AND (sqlc.narg('key')::text IS NULL OR d.written_by = sqlc.narg('key'))
    AND (sqlc.narg('since')::timestamptz IS NULL OR d.edited_at >= sqlc.narg('since'))
    AND (sqlc.narg('until')::timestamptz IS NULL OR d.edited_at < sqlc.narg('until'));

-- Reads all versions of a page of facts: those that some episodes stated, changed or ended, and
-- given ones.
-- name: FactVersionsBy :many
WITH chosen AS MATERIALIZED (
    SELECT unnest(@episode_ids::uuid[]) AS id
)
SELECT v.*
FROM annals_internal.fact_versions_of(@group_id, ARRAY(
    SELECT i.id FROM (
        SELECT f.id FROM annals.facts f CROSS JOIN LATERAL unnest(f.caused_by) AS e(id) JOIN chosen x ON x.id = e.id
        WHERE f.group_id = @group_id
        UNION
        SELECT h.id FROM annals_internal.facts_history h CROSS JOIN LATERAL unnest(h.caused_by || h.ended_by) AS e(id) JOIN chosen x ON x.id = e.id
        WHERE h.group_id = @group_id
        UNION
        SELECT unnest(@fact_ids::uuid[])
    ) i
    WHERE i.id > @after::uuid
    ORDER BY i.id
    LIMIT @max_rows::int
)) v
ORDER BY v.id, lower(v.recorded);

-- Lists the facts that wait for a decision: candidates, disputed facts, facts told only by
-- assistants and documents (low trust), and facts that people tell of others (second hand). Facts
-- confirmed by hand do not wait. Facts that a user or a person added or corrected are in neither of
-- the last two kinds.
-- name: ReviewList :many
WITH chosen AS MATERIALIZED (
    SELECT c.fact_id AS id
    FROM (SELECT unnest(@episode_ids::uuid[]) AS id) x
    JOIN annals.fact_episodes c ON c.group_id = @group_id AND c.episode_id = x.id AND c.role = 'states'
    UNION
    SELECT unnest(@fact_ids::uuid[])
), confirmed AS MATERIALIZED (
    SELECT l.id FROM (
        SELECT DISTINCT ON (d.subject_id) d.subject_id AS id, d.action FROM annals.edits d
        WHERE d.group_id = @group_id AND d.kind = 'fact' AND d.action IN ('confirm', 'unconfirm')
        ORDER BY d.subject_id, d.edited_at DESC, d.id DESC
    ) l
    WHERE l.action = 'confirm'
), asked AS NOT MATERIALIZED (
    SELECT f.id, f.source_id, f.trust
    FROM annals.facts f
    WHERE f.group_id = @group_id
        AND (sqlc.narg('relation')::text IS NULL OR f.predicate = sqlc.narg('relation'))
        AND (NOT @brought::boolean OR f.id IN (SELECT x.id FROM chosen x))
        AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND f.id NOT IN (SELECT c.id FROM confirmed c)
), held AS MATERIALIZED (
    (SELECT 1 AS place, a.id FROM asked a
    WHERE a.trust = 'candidate' AND @kind::text IN ('', 'candidate') AND (1, a.id) > (@after_place::int, @after::uuid)
    ORDER BY a.id LIMIT @max_rows::int)
    UNION ALL
    (SELECT 2, a.id FROM asked a
    WHERE a.trust = 'disputed' AND @kind::text IN ('', 'disputed') AND (2, a.id) > (@after_place::int, @after::uuid)
    ORDER BY a.id LIMIT @max_rows::int)
), told AS MATERIALIZED ( -- the authority of all facts in one pass, unless the page is full
    SELECT a.id, bool_or(e.authority >= 'user') AS by_users
    FROM asked a
    JOIN annals.entities s ON s.group_id = @group_id AND s.id = a.source_id
    JOIN annals.fact_episodes c ON c.group_id = @group_id AND c.fact_id = a.id AND c.role = 'states'
    JOIN annals.episodes e ON e.group_id = @group_id AND e.id = c.episode_id
    WHERE a.trust = 'believed' AND @kind::text IN ('', 'low_trust', 'second_hand') AND (SELECT count(*) FROM held) < @max_rows::int
        AND a.id NOT IN (
            SELECT d.subject_id FROM annals.edits d WHERE d.group_id = @group_id AND d.kind = 'fact' AND d.authority >= 'user'
                AND d.action IN ('add', 'edit', 'restore', 'insert', 'update'))
    GROUP BY a.id
    HAVING NOT bool_or(e.authority >= 'user' AND (
        e.actor = '' OR lower(e.actor) = lower(s.name) OR lower(e.actor) IN (SELECT lower(n.name) FROM unnest(s.aliases) AS n(name))))
), kinds AS (
    SELECT h.place, h.id FROM held h
    UNION ALL
    SELECT t.place, t.id
    FROM (SELECT CASE WHEN o.by_users THEN 4 ELSE 3 END AS place, o.id FROM told o) t
    WHERE (t.place, t.id) > (@after_place::int, @after::uuid) AND @kind::text IN ('', CASE t.place WHEN 3 THEN 'low_trust' ELSE 'second_hand' END)
)
SELECT k.id, (ARRAY['candidate', 'disputed', 'low_trust', 'second_hand'])[k.place]::text AS kind
FROM kinds k
ORDER BY k.place, k.id
LIMIT @max_rows::int;

-- Returns the state of facts before a decision: their version, the last decision on each, and the
-- facts that dispute it, with their versions.
-- name: ReviewStates :many
SELECT f.id, concat_ws(' ', f.id, extract(epoch FROM lower(f.recorded)), (
        SELECT extract(epoch FROM max(d.edited_at)) FROM annals.edits d
        WHERE d.group_id = @group_id AND d.subject_id = f.id AND d.action IN ('confirm', 'unconfirm')), (
        SELECT string_agg(concat(a.disputed_by, ' ', extract(epoch FROM lower(o.recorded))), ' ' ORDER BY a.disputed_by)
        FROM annals.disputes a
        JOIN annals.facts o ON o.group_id = @group_id AND o.id = a.disputed_by
        WHERE a.group_id = @group_id AND a.fact_id = f.id))::text AS state
FROM annals.facts f
WHERE f.group_id = @group_id AND f.id = ANY(@ids::uuid[]);

-- Lists those of some facts that are rejected, and no longer exist.
-- name: FactsStandRejected :many
SELECT DISTINCT r.fact_id
FROM annals.rejections r
WHERE r.group_id = @group_id AND r.fact_id = ANY (@ids::uuid[]) AND r.lifted_at IS NULL
    AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = r.fact_id);
