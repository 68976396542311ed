-- Creates a group. An existing one stays as it is.
-- name: GroupCreate :execrows
INSERT INTO annals.groups (group_id, kind, name, description, time_zone)
VALUES (@group_id, @kind, @name, @description, @time_zone)
ON CONFLICT DO NOTHING;

-- Creates a group if it is missing, for the first episode that names it. It checks first, as a
-- conflict would wait for transactions that change the group.
-- name: GroupEnsure :exec
INSERT INTO annals.groups (group_id)
SELECT @group_id::text
WHERE NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = @group_id::text)
ON CONFLICT DO NOTHING;

-- Reports whether a group keeps observations and standing answers, and has skills for SkillsToWord.
-- name: GroupKeeps :one
SELECT EXISTS (SELECT FROM annals_internal.observation_runs r WHERE r.group_id = @group_id) AS observations,
    EXISTS (SELECT FROM annals.answers a WHERE a.group_id = @group_id) AS answers,
    EXISTS (SELECT FROM annals.skills k WHERE k.group_id = @group_id AND k.worded_from = '' AND k.decision IS DISTINCT FROM 'rejected' AND upper_inf(k.valid))
        AS unworded_skills;

-- name: GroupExists :one
SELECT EXISTS (SELECT FROM annals.groups WHERE group_id = @group_id);

-- name: GroupGet :one
SELECT * FROM annals_internal.group_rows
WHERE group_id = @group_id;

-- Lists groups by name, after a given name: all, or those of a list.
-- name: GroupList :many
SELECT * FROM annals_internal.group_rows
WHERE group_id > @after::text AND annals_internal.is_among(group_id, '', sqlc.narg('among')::text[])
ORDER BY group_id
LIMIT @max_rows::int;

-- name: GroupDescribe :execrows
UPDATE annals.groups
SET name = coalesce(sqlc.narg('name')::text, name), description = coalesce(sqlc.narg('description')::text, description),
    time_zone = coalesce(sqlc.narg('time_zone')::text, time_zone), updated_at = now()
WHERE group_id = @group_id;

-- name: GroupOntology :one
SELECT g.ontology, g.time_zone, g.holds, coalesce(btrim(concat_ws(' ', u.first_name, u.last_name)), '')::text AS user_name
FROM annals.groups g
LEFT JOIN annals.users u ON u.group_id = @group_id
WHERE g.group_id = @group_id;

-- Lists the time zones of the groups that have one.
-- name: GroupZones :many
SELECT group_id, time_zone
FROM annals.groups
WHERE group_id = ANY (@groups::text[]) AND time_zone <> '';

-- Sets the ontology of a group, if it still has the expected one.
-- name: GroupReplaceOntology :execrows
INSERT INTO annals.groups (group_id, ontology)
VALUES (@group_id, @ontology)
ON CONFLICT (group_id) DO UPDATE SET ontology = excluded.ontology
WHERE groups.ontology = @expected::jsonb;

-- name: GroupSetOntology :exec
INSERT INTO annals.groups (group_id, ontology)
VALUES (@group_id, @ontology)
ON CONFLICT (group_id) DO UPDATE SET ontology = excluded.ontology;

-- Locks the graph of a group for writing, until the transaction ends.
-- name: GroupLock :exec
SELECT pg_advisory_xact_lock(hashtextextended('annals.write:' || @group_id::text, 0));

-- Begins the writing of an episode's graph. The transaction's time on the recorded axis is taken
-- after the group's lock, so that a later commit has a later time. The commit need not wait for the
-- disk: if a crash loses it, the episode is still waiting and is processed again. The engine itself
-- checks the facts against rejections. Statements are not planned anew for each transaction, which
-- takes longer than running them; the coordinator of a cluster must know the group to plan. An edit
-- is left alone: it may run in a transaction of the caller.
-- name: WriteBegin :one
SELECT annals_internal.begin_write(@group_id::text, NULL, true, sqlc.narg('at')::timestamptz)::timestamptz AS recorded_at,
    annals_internal.set_local('synchronous_commit', 'off') AS synchronous_commit,
    annals_internal.set_local('plan_cache_mode', CASE current_setting('annals.distributed', true) WHEN 'on' THEN 'auto' ELSE 'force_generic_plan' END) AS plan_cache_mode,
    annals_internal.set_local('jit', 'off') AS jit;

-- name: RetentionGet :one
SELECT coalesce(extract(epoch FROM max_age), 0)::float8 AS max_age_seconds, coalesce(max_episodes, 0)::int AS max_episodes, applied_at
FROM annals.retention
WHERE group_id = @group_id;

-- name: RetentionSet :exec
INSERT INTO annals.retention (group_id, max_age, max_episodes)
VALUES (@group_id, make_interval(secs => sqlc.narg('max_age_seconds')::float8), sqlc.narg('max_episodes')::int)
ON CONFLICT (group_id) DO UPDATE SET max_age = excluded.max_age, max_episodes = excluded.max_episodes;

-- Returns the authority with which a policy was set. Applying it has the same.
-- name: RetentionAuthority :one
SELECT coalesce(annals_internal.setting_owner(@group_id::text, 'retention', '{}', '{}'), 'assistant')::annals.authority AS authority;

-- name: RetentionDelete :exec
DELETE FROM annals.retention
WHERE group_id = @group_id;

-- name: RetentionApplied :exec
UPDATE annals.retention
SET applied_at = now()
WHERE group_id = @group_id;


-- Lists the episodes that are older than the group's policy allows, or beyond the number that it
-- keeps. Pinned episodes stay and do not count; nor do those of a higher authority than set the
-- policy.
-- name: EpisodesPastRetention :many
SELECT e.id
FROM (
    SELECT p.id, p.occurred_at, row_number() OVER (ORDER BY p.occurred_at DESC, p.id DESC) AS place
    FROM annals.episodes p
    WHERE p.group_id = @group_id AND p.authority <= @authority::annals.authority AND NOT EXISTS (
        SELECT FROM annals.marks m WHERE m.group_id = @group_id AND m.subject_id = p.id AND m.mark = 'pinned' AND m.until IS NULL)
) e
JOIN annals.retention r ON r.group_id = @group_id
WHERE e.place > r.max_episodes OR e.occurred_at < now() - r.max_age
ORDER BY e.occurred_at, e.id;

