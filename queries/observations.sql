-- Ties an observation to those of the facts that exist.
-- name: ObservationFactsInsert :exec
INSERT INTO annals_internal.observation_facts (group_id, observation_id, fact_id, opposes)
SELECT f.group_id, @observation_id, f.id, f.id = ANY(@against::uuid[])
FROM annals.facts f
WHERE f.group_id = @group_id AND f.id = ANY(@supporting::uuid[] || @against::uuid[])
ON CONFLICT DO NOTHING;

-- Lists observations, now or as believed at known_at, those with most proof first. An observation
-- is listed if it was shown by valid_at, or now: by what had been said and had begun or happened by
-- then, while one of its facts still holds; events do not end. A model's observation needs all of
-- its facts by then. With ended, those that no longer hold are listed too, and without valid_at all
-- that are believed, whenever they are shown.
-- name: ObservationList :many
SELECT o.id, o.subject_id, coalesce(annals_internal.name_at(@group_id::text, o.subject_id, sqlc.narg('known_at')::timestamptz), '')::text AS subject, o.predicate,
    CASE WHEN o.reader = 'offline' THEN coalesce(s.told, o.observation) ELSE o.observation END::text AS observation, o.reader,
    p.proof::int AS proof, p.against::int AS against, coalesce(p.first_seen, o.first_seen)::timestamptz AS first_seen,
    coalesce(p.last_seen, o.last_seen)::timestamptz AS last_seen, o.valid, o.recorded, o.created_at, coalesce(s.facts, o.evidence)::uuid[] AS evidence,
    ARRAY(SELECT DISTINCT e.id FROM (
            SELECT c.episode_id FROM annals.facts f
            JOIN annals.fact_episodes c ON c.group_id = @group_id AND c.fact_id = f.id AND c.role = 'states'
            WHERE f.group_id = @group_id AND f.id = ANY(coalesce(s.facts, o.evidence)) AND f.recorded @> coalesce(sqlc.narg('known_at')::timestamptz, 'infinity')
            UNION ALL
            SELECT unnest(f.evidence) FROM annals_internal.facts_history f
            WHERE f.group_id = @group_id AND f.id = ANY(coalesce(s.facts, o.evidence)) AND f.recorded @> sqlc.narg('known_at')::timestamptz
        ) c
        JOIN annals.episodes e ON e.group_id = @group_id AND e.id = c.episode_id
        WHERE e.occurred_at <= t.at AND (sqlc.narg('known_at')::timestamptz IS NULL OR e.processed_at <= sqlc.narg('known_at')::timestamptz) ORDER BY 1)::uuid[] AS episodes
FROM (SELECT CASE WHEN @ended::boolean THEN coalesce(sqlc.narg('valid_at')::timestamptz, 'infinity') ELSE coalesce(sqlc.narg('valid_at')::timestamptz, now()) END AS at) t
CROSS JOIN annals.observation_versions o
CROSS JOIN LATERAL (
    SELECT count(*) AS proof, min(x.said) AS first_seen, max(x.said) AS last_seen,
        (SELECT count(*) FROM unnest(o.opposed_from) AS y(since) WHERE y.since <= t.at) AS against
    FROM (SELECT unnest(o.shown_from) AS since, unnest(o.said_at) AS said) x
    WHERE x.since <= t.at
) p
LEFT JOIN LATERAL (
    SELECT array_agg(x.id ORDER BY x.id) AS facts, bool_or(x.holds) AS holds,
        (array_agg(x.told ORDER BY x.holds DESC, x.said_at DESC NULLS LAST, x.id DESC))[1] AS told
    FROM (
        SELECT f.id, f.told, f.said_at, f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > t.at AS holds
        FROM (
            SELECT c.id, c.told, c.said_at, c.kind, c.valid, c.from_basis, c.recorded FROM annals.facts c WHERE c.group_id = @group_id
            UNION ALL
            SELECT h.id, h.told, h.said_at, h.kind, h.valid, h.from_basis, h.recorded FROM annals_internal.facts_history h WHERE h.group_id = @group_id
        ) f
        WHERE f.id = ANY(o.evidence) AND f.recorded @> coalesce(sqlc.narg('known_at')::timestamptz, 'infinity')
            AND annals_internal.evidence_from(f.kind, f.valid, f.from_basis, f.said_at) <= t.at
    ) x
) s ON t.at < 'infinity'
WHERE o.group_id = @group_id
    AND (@every_version::boolean OR o.recorded @> coalesce(sqlc.narg('known_at')::timestamptz, 'infinity'))
    AND (sqlc.narg('subject_id')::uuid IS NULL OR o.subject_id = sqlc.narg('subject_id')::uuid)
    AND (sqlc.narg('id')::uuid IS NULL OR o.id = sqlc.narg('id')::uuid)
    AND p.proof >= 2
    AND (t.at = 'infinity' OR (s.holds OR @ended::boolean AND s.holds IS NOT NULL) AND (o.reader = 'offline' OR s.facts = o.evidence))
    AND (sqlc.narg('told_by')::text[] IS NULL OR NOT EXISTS (
        SELECT FROM annals.fact_episodes c
        JOIN annals.episodes e ON e.group_id = @group_id AND e.id = c.episode_id
        WHERE c.group_id = @group_id AND c.fact_id = ANY(o.evidence) AND c.role = 'states'
            AND NOT e.actor = ANY(annals_internal.speakers_named(@group_id::text, sqlc.narg('told_by')::text[]))))
    AND (-p.proof, o.id) > (coalesce(-sqlc.narg('after_proof')::int, -2147483648), coalesce(sqlc.narg('after_id')::uuid, '00000000-0000-0000-0000-000000000000'))
ORDER BY -p.proof, o.id
LIMIT @max_rows::int;

-- name: ObservationRunSet :exec
INSERT INTO annals_internal.observation_runs (group_id, through)
VALUES (@group_id, @through)
ON CONFLICT (group_id) DO UPDATE SET through = excluded.through;

-- Stores what a model observed. An existing row stays as it is.
-- name: ObservationUpsert :exec
INSERT INTO annals.observations (group_id, id, subject_id, predicate, meaning, observation, reader)
SELECT e.group_id, @id, e.id, @predicate, @meaning, @observation, @reader
FROM annals.entities e
WHERE e.group_id = @group_id AND e.id = @subject_id
ON CONFLICT DO NOTHING;

-- Removes versions that may repeat what is erased: those that rest on it since, and those that have
-- one of the names.
-- name: ObservationVersionsDelete :execrows
DELETE FROM annals_internal.observations_history
WHERE group_id = @group_id AND (annals_internal.contains_any_name(observation, @words::text[])
    OR upper(recorded) >= @since::timestamptz AND (subject_id = ANY(@subject_ids::uuid[]) OR evidence && @fact_ids::uuid[]));

-- Lets a group keep observations from now on. A model has read none of it yet.
-- name: ObservationsBegin :exec
INSERT INTO annals_internal.observation_runs (group_id, through)
SELECT g.group_id, '-infinity'
FROM annals.groups g
WHERE g.group_id = @group_id
ON CONFLICT DO NOTHING;

-- Counts what is said several times, in a group that keeps observations: among what was added to
-- the graph since the last count, or among all.
-- name: ObservationsCount :exec
SELECT annals_internal.count_observations(@group_id::text, @anew::boolean);

-- Removes observations that have one of the names.
-- name: ObservationsNamingDelete :execrows
DELETE FROM annals.observations
WHERE group_id = @group_id AND annals_internal.contains_any_name(observation, @words::text[]);

-- Updates observations to what their facts say.
-- name: ObservationsRestate :exec
SELECT annals_internal.update_observations(@group_id::text, @ids::uuid[]);

-- Lists the entities with the most new facts since a model last looked, with the latest believed
-- facts of each, and the number of episodes processed since.
-- name: ObservationsSource :many
WITH run AS MATERIALIZED (
    SELECT coalesce((SELECT r.through FROM annals_internal.observation_runs r WHERE r.group_id = @group_id), '-infinity') AS through
), fresh AS MATERIALIZED (
    SELECT f.source_id AS id, count(*) AS facts
    FROM annals.facts f
    CROSS JOIN run
    WHERE f.group_id = @group_id AND f.created_at > run.through AND NOT f.ends AND f.trust = 'believed' AND f.id NOT IN (SELECT annals_internal.expiring(@group_id::text, 'fact', 'infinity'))
    GROUP BY f.source_id
    ORDER BY count(*) DESC, f.source_id
    LIMIT @max_subjects::int
)
SELECT s.id AS subject_id, e.name AS subject, f.id, f.predicate, f.told, f.valid, f.created_at,
    (SELECT count(*) FROM annals.episodes p CROSS JOIN run WHERE p.group_id = @group_id AND p.processed_at > run.through) AS episodes
FROM fresh s
JOIN annals.entities e ON e.group_id = @group_id AND e.id = s.id
CROSS JOIN LATERAL (
    SELECT o.id, o.predicate, o.told, o.valid, o.created_at
    FROM annals.facts o
    WHERE o.group_id = @group_id AND o.source_id = s.id AND NOT o.ends AND o.trust = 'believed' AND NOT isempty(o.valid) AND o.id NOT IN (SELECT annals_internal.expiring(@group_id::text, 'fact', 'infinity'))
    ORDER BY o.created_at DESC, o.id DESC
    LIMIT @max_facts::int
) f
ORDER BY s.facts DESC, s.id, f.created_at, f.id;

-- name: ObservationsThrough :one
SELECT greatest(coalesce(max(p.processed_at), '-infinity'), coalesce((SELECT max(f.created_at) FROM annals.facts f WHERE f.group_id = @group_id), '-infinity'))::timestamptz AS through
FROM annals.episodes p
WHERE p.group_id = @group_id;
