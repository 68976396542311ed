-- Ties an observation to facts that are there.
-- name: ObservationFactsInsert :exec
INSERT INTO annals.observation_facts (group_id, observation_id, fact_id, opposes)
SELECT f.group_id, @observation_id, f.id, f.id = ANY(@against::uuid[])
FROM annals.facts f
WHERE f.group_id = @group_id AND f.id = ANY(@supporting::uuid[] || @against::uuid[])
ON CONFLICT DO NOTHING;

-- Lists observations as they are, or as they were believed at known_at: those that
-- hold at valid_at or, without it, have not ended, unless all are asked for; those
-- with most proof first. Between the first and the last of its facts an observation
-- holds while one of those does; events do not end.
-- name: ObservationList :many
SELECT o.id, o.subject_id, coalesce(annals.name_at(@group_id::text, o.subject_id, sqlc.narg('known_at')::timestamptz), '')::text AS subject, o.predicate,
    o.observation, o.reader, o.proof, o.against, o.first_seen, o.last_seen, o.valid, o.recorded, o.created_at, o.evidence::uuid[] AS evidence,
    ARRAY(SELECT DISTINCT c.episode_id FROM annals.fact_episodes c
        WHERE c.group_id = @group_id AND c.fact_id = ANY(o.evidence) AND c.role = 'states' ORDER BY 1)::uuid[] AS episodes
FROM annals.observation_versions o
WHERE o.group_id = @group_id
    AND (@every_version::boolean OR o.recorded @> coalesce(sqlc.narg('known_at')::timestamptz, 'infinity'))
    AND (sqlc.narg('subject_id')::uuid IS NULL OR o.subject_id = sqlc.narg('subject_id')::uuid)
    AND (sqlc.narg('id')::uuid IS NULL OR o.id = sqlc.narg('id')::uuid)
    AND (@ended::boolean OR CASE WHEN sqlc.narg('valid_at')::timestamptz IS NULL THEN upper_inf(o.valid) OR upper(o.valid) > now()
        ELSE o.valid @> sqlc.narg('valid_at')::timestamptz AND EXISTS (
            SELECT FROM annals.fact_versions f
            WHERE f.group_id = @group_id AND f.id = ANY(o.evidence) AND f.recorded @> coalesce(sqlc.narg('known_at')::timestamptz, 'infinity')
                AND CASE f.kind WHEN 'event' THEN lower_inf(f.valid) OR lower(f.valid) <= sqlc.narg('valid_at')::timestamptz
                    ELSE f.valid @> sqlc.narg('valid_at')::timestamptz END) END)
    AND (sqlc.narg('told_by')::text[] IS NULL OR NOT EXISTS (
        SELECT FROM annals.fact_episodes t
        JOIN annals.episodes e ON e.group_id = @group_id AND e.id = t.episode_id
        WHERE t.group_id = @group_id AND t.fact_id = ANY(o.evidence) AND t.role = 'states'
            AND NOT e.actor = ANY(annals.tellers(@group_id::text, sqlc.narg('told_by')::text[]))))
    AND (-o.proof, o.id) > (coalesce(-sqlc.narg('after_proof')::int, -2147483648), coalesce(sqlc.narg('after_id')::uuid, '00000000-0000-0000-0000-000000000000'))
ORDER BY -o.proof, o.id
LIMIT @max_rows::int;

-- name: ObservationRunSet :exec
INSERT INTO annals.observation_runs (group_id, through)
VALUES (@group_id, @through)
ON CONFLICT (group_id) DO UPDATE SET through = excluded.through;

-- Keeps what a model saw. What is there already stays as it is.
-- name: ObservationUpsert :exec
INSERT INTO annals.observations (group_id, id, subject_id, predicate, meaning, observation, reader)
SELECT e.group_id, @id, e.id, @predicate, @meaning, @observation, @reader
FROM annals.entities e
WHERE e.group_id = @group_id AND e.id = @subject_id
ON CONFLICT DO NOTHING;

-- Removes versions that may tell of what is erased: of what rests on it since, and
-- those that have one of the names.
-- name: ObservationVersionsDelete :execrows
DELETE FROM annals.observations_history
WHERE group_id = @group_id AND (annals.names_any(observation, @words::text[])
    OR upper(recorded) >= @since::timestamptz AND (subject_id = ANY(@subject_ids::uuid[]) OR evidence && @fact_ids::uuid[]));

-- Has a group keep observations from now on. A model has seen none of it yet.
-- name: ObservationsBegin :exec
INSERT INTO annals.observation_runs (group_id, through)
SELECT g.group_id, '-infinity'
FROM annals.groups g
WHERE g.group_id = @group_id
ON CONFLICT DO NOTHING;

-- Counts what is said several times, in a group that keeps observations: what came
-- into the graph since it was counted last, or all there is.
-- name: ObservationsCount :exec
SELECT annals.observe(@group_id::text, @anew::boolean);

-- Removes observations that have one of the names.
-- name: ObservationsNamingDelete :execrows
DELETE FROM annals.observations
WHERE group_id = @group_id AND annals.names_any(observation, @words::text[]);

-- Brings observations to what their facts say.
-- name: ObservationsRestate :exec
SELECT annals.restate_observations(@group_id::text, @ids::uuid[]);

-- Lists, of the entities that most facts were learned about since a model looked
-- last, what was learned of them, and how many episodes were read since.
-- name: ObservationsSource :many
WITH run AS MATERIALIZED (
    SELECT coalesce((SELECT r.through FROM annals.observation_runs r WHERE r.group_id = @group_id), '-infinity') AS through
), fresh AS MATERIALIZED (
    SELECT f.source_id AS id, count(*) AS facts
    FROM annals.facts f
    CROSS JOIN run
    WHERE f.group_id = @group_id AND f.created_at > run.through AND NOT f.ends AND f.trust <> 'candidate' AND f.id NOT IN (SELECT annals.expiring(@group_id::text, 'fact', 'infinity'))
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
    WHERE o.group_id = @group_id AND o.source_id = s.id AND NOT o.ends AND o.trust <> 'candidate' AND NOT isempty(o.valid) AND o.id NOT IN (SELECT annals.expiring(@group_id::text, 'fact', 'infinity'))
    ORDER BY o.created_at DESC, o.id DESC
    LIMIT @max_facts::int
) f
ORDER BY s.facts DESC, s.id, f.created_at, f.id;

-- name: ObservationsThrough :one
SELECT greatest(coalesce(max(p.processed_at), '-infinity'), coalesce((SELECT max(f.created_at) FROM annals.facts f WHERE f.group_id = @group_id), '-infinity'))::timestamptz AS through
FROM annals.episodes p
WHERE p.group_id = @group_id;
