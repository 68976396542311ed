-- Lists how tasks are done, as known now or at known_at: the procedures that worked at valid_at, or
-- now, with the runs that had succeeded and failed by then. With a task, it lists the best
-- procedure of each skill that is similar by words or, with the vector of the task, by meaning;
-- without one, all procedures. With ended, it also lists those that did not work then. Former versions
-- that tell of a withheld run are left out; those in force were made again without it.
-- name: SkillList :many
WITH moment AS (
    SELECT coalesce(sqlc.narg('valid_at')::timestamptz, sqlc.narg('known_at')::timestamptz, now()) AS at
), fit AS MATERIALIZED (
    SELECT f.skill_id, max(f.alike) AS alike
    FROM (
        SELECT a.skill_id, a.alike FROM annals_internal.skills_alike(@group_id::text, annals_internal.task_terms(@group_id::text, @task::text), NULL, sqlc.narg('known_at')::timestamptz) AS a(skill_id, alike)
        WHERE @task::text <> ''
        UNION ALL
        SELECT r.skill_id, 1 - (v.embedding <=> sqlc.narg('vector')::vector)
        FROM annals_internal.runs_of_skills(@group_id::text, sqlc.narg('known_at')::timestamptz) AS r(skill_id, episode_id)
        JOIN annals_internal.episode_embeddings v ON v.group_id = @group_id::text AND v.episode_id = r.episode_id AND v.model = @model::text AND v.part = 0
        WHERE sqlc.narg('vector')::vector IS NOT NULL
    ) f
    GROUP BY f.skill_id
), version AS (
    SELECT s.*, m.at, c.succeeded, c.failures, w.low, w.high, coalesce(f.alike, 0) AS alike,
        annals_internal.feedback_factor(@group_id::text, s.id, sqlc.narg('valid_at')::timestamptz, sqlc.narg('known_at')::timestamptz) AS regard,
        CASE WHEN s.decision IS NOT NULL THEN s.decision WHEN s.proven_from <= m.at THEN 'confirmed' ELSE 'candidate' END AS state
    FROM annals.skill_versions s
    CROSS JOIN moment m
    LEFT JOIN fit f ON f.skill_id = s.skill_id
    CROSS JOIN LATERAL (SELECT (SELECT count(*) FROM unnest(s.worked_at) AS x(at) WHERE x.at <= m.at) AS succeeded,
        (SELECT count(*) FROM unnest(s.failed_at) AS x(at) WHERE x.at <= m.at) AS failures) c
    CROSS JOIN LATERAL annals_internal.wilson(c.succeeded, c.failures) AS w(low, high)
    WHERE s.group_id = @group_id::text
        AND (@every_version::boolean OR s.recorded @> coalesce(sqlc.narg('known_at')::timestamptz, 'infinity'))
        AND (@ended::boolean AND (@every_version::boolean OR lower(s.valid) <= m.at) OR s.valid @> m.at)
        AND (sqlc.narg('skill_id')::uuid IS NULL OR s.skill_id = sqlc.narg('skill_id')::uuid)
        AND (sqlc.narg('id')::uuid IS NULL OR s.id = sqlc.narg('id')::uuid)
        AND (@task::text = '' OR f.alike >= @least::float8)
        AND (upper_inf(s.recorded) OR NOT EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = @group_id::text AND e.id = ANY(s.worked || s.failed)
            AND NOT annals_internal.episode_shown(@group_id::text, e.id, e.authority, e.thread_id, 'believed')))
), ranked AS (
    SELECT v.*, row_number() OVER (PARTITION BY v.skill_id, CASE WHEN @every_version::boolean THEN v.recorded END ORDER BY v.state = 'confirmed' DESC, v.valid @> v.at DESC, v.low * v.regard DESC, lower(v.valid) DESC, v.id) AS place
    FROM version v
    WHERE CASE @state::text WHEN 'all' THEN true WHEN '' THEN v.state <> 'rejected' ELSE v.state = @state::text END
)
SELECT r.id, r.skill_id, r.procedure, r.name, r.tasks, r.steps, r.pitfalls, r.preconditions,
    (CASE WHEN r.failures = cardinality(r.failed_at) THEN r.why ELSE '' END)::text AS why, r.reader, r.state::text AS state,
    r.succeeded::int AS succeeded, r.failures::int AS failures, r.low::float8 AS low, r.high::float8 AS high, r.worked[:r.succeeded]::uuid[] AS worked,
    r.failed[:r.failures]::uuid[] AS failed, r.valid, r.recorded, r.created_at, r.alike::float8 AS alike
FROM ranked r
WHERE @task::text = '' OR r.place = 1
ORDER BY r.alike * r.regard DESC, min(r.name) OVER (PARTITION BY r.skill_id), r.skill_id, r.place, lower(r.recorded), r.id
LIMIT @max_rows::int;

-- Confirms or rejects a procedure of a skill; if skills were merged, in each of them. A decision of
-- a higher authority stays.
-- name: SkillDecide :execrows
INSERT INTO annals_internal.skill_decisions AS d (group_id, skill_id, procedure, decision)
SELECT @group_id::text, s.id, @procedure::uuid, @decision::text
FROM annals_internal.joined_skills(@group_id::text, @skill_id::uuid) AS s(id)
WHERE NOT EXISTS (SELECT FROM annals_internal.skill_decision(@group_id::text, @skill_id::uuid, @procedure::uuid) o
    WHERE o.authority > (annals_internal.write_origin()->>'authority')::annals.authority)
ON CONFLICT (group_id, skill_id, procedure) DO UPDATE SET decision = excluded.decision, authority = excluded.authority, decided_at = excluded.decided_at;

-- Takes back the decision on a procedure, unless a higher authority made it.
-- name: SkillUndecide :execrows
DELETE FROM annals_internal.skill_decisions d
WHERE d.group_id = @group_id::text AND d.procedure = @procedure::uuid AND d.skill_id IN (SELECT annals_internal.joined_skills(@group_id::text, @skill_id::uuid))
    AND NOT EXISTS (SELECT FROM annals_internal.skill_decision(@group_id::text, @skill_id::uuid, @procedure::uuid) o
        WHERE o.authority > (annals_internal.write_origin()->>'authority')::annals.authority);

-- Reports whether there is a decision on a procedure of a skill.
-- name: SkillDecided :one
SELECT EXISTS (SELECT FROM annals_internal.skill_decision(@group_id::text, @skill_id::uuid, @procedure::uuid));

-- Returns the highest authority of the decisions on some skills; the lowest authority if there are
-- none.
-- name: SkillsAuthority :one
SELECT coalesce(max(d.authority), 'assistant')::annals.authority AS authority
FROM annals.skills k
CROSS JOIN LATERAL annals_internal.skill_decision(k.group_id, k.skill_id, k.procedure) d
WHERE k.group_id = @group_id AND k.id = ANY(@ids::uuid[]);

-- Removes former versions of skills that rested on runs, or have one of the names.
-- name: SkillVersionsDelete :execrows
DELETE FROM annals_internal.skills_history h
WHERE h.group_id = @group_id::text AND (h.worked && @episode_ids::uuid[] OR h.failed && @episode_ids::uuid[]
    OR annals_internal.contains_any_name(annals_internal.join_texts(' . ', VARIADIC h.name || h.tasks || h.steps || h.pitfalls || h.preconditions || h.why), @words::text[]));

-- Lists the skills in force that are not rejected and whose current form no model has worded, the
-- most used first: their words, and what a model is shown of them.
-- name: SkillsToWord :many
SELECT k.id, k.tasks, k.pitfalls, k.preconditions, q.asked::text[] AS asked, q.errors::text[] AS errors, q.basis::text AS basis,
    coalesce((SELECT p.steps FROM annals_internal.procedures_of(k.group_id, k.skill_id) p WHERE p.procedure = k.procedure), '{}')::text[] AS steps
FROM (
    SELECT s.* FROM annals.skills s
    WHERE s.group_id = @group_id AND s.worded_from = '' AND s.decision IS DISTINCT FROM 'rejected' AND upper_inf(s.valid)
    ORDER BY cardinality(s.worked) DESC, s.id
    LIMIT @max_rows::int
) k
CROSS JOIN LATERAL annals_internal.skill_question(k.procedure, k.tasks, k.pitfalls, k.preconditions) AS q(asked, errors, basis)
ORDER BY cardinality(k.worked) DESC, k.id;

-- Sets the words of a skill, if it is still what the model was shown.
-- name: SkillWord :exec
UPDATE annals.skills k
SET name = @name, tasks = @tasks::text[], pitfalls = @pitfalls::text[], preconditions = @preconditions::text[], reader = @reader, worded_from = @basis
WHERE k.group_id = @group_id AND k.id = @id AND k.worded_from = ''
    AND (annals_internal.skill_question(k.procedure, k.tasks, k.pitfalls, k.preconditions)).basis = @basis;

-- Records that a model had no words for a skill.
-- name: SkillUnworded :exec
UPDATE annals.skills k SET worded_from = @basis
WHERE k.group_id = @group_id AND k.id = @id AND k.worded_from = ''
    AND (annals_internal.skill_question(k.procedure, k.tasks, k.pitfalls, k.preconditions)).basis = @basis;
