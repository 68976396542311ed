-- Marks: expiry, pins, and judgements as useful, wrong or outdated.

-- Lists the entities with facts that will expire or have expired: no summary may tell of these.
-- name: EntitiesOfExpiring :many
SELECT DISTINCT unnest(ARRAY[f.source_id, f.target_id])::uuid AS id
FROM annals.facts f
WHERE f.group_id = @group_id
    AND EXISTS (SELECT FROM annals.marks a WHERE a.group_id = @group_id AND a.mark = 'expires' AND a.until IS NULL)
    AND f.id IN (SELECT annals_internal.expiring(@group_id::text, 'fact', 'infinity'));

-- Lists the rows of a group that have expired and still exist.
-- name: MarksDue :many
SELECT m.kind, m.subject_id
FROM annals_internal.expired_marks m
WHERE m.group_id = @group_id
ORDER BY m.subject_id;

-- Ends due expiries of rows that a higher authority has said or confirmed since: whoever set the
-- expiry may no longer remove them.
-- name: MarksOutrankedEnd :exec
UPDATE annals.marks m
SET until = greatest(annals_internal.recorded_now(), annals_internal.seconds_after(m.since, 0.000001)), ended_door = 'worker', ended_by = ''
WHERE m.group_id = @group_id AND m.mark = 'expires' AND m.until IS NULL AND m.id = ANY(ARRAY( -- Citus calls no function for the rows of an UPDATE
    SELECT o.id FROM annals.marks o
    WHERE o.group_id = @group_id AND o.mark = 'expires' AND o.until IS NULL AND o.swept_at IS NULL AND o.expires_at <= now()
        AND o.authority < CASE
            WHEN o.kind = 'episode' THEN (SELECT e.authority FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = o.subject_id)
            WHEN EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = o.subject_id) THEN annals_internal.fact_authority(@group_id, o.subject_id) END));

-- Lists the groups with rows that have expired and still exist.
-- name: MarksDueGroups :many
SELECT DISTINCT m.group_id
FROM annals_internal.expired_marks m
ORDER BY m.group_id;

-- Removes the marks of erased rows: all of the first list; of the second list, and of skills, those
-- whose rows no longer exist.
-- name: MarksErase :execrows
DELETE FROM annals.marks m
WHERE m.group_id = @group_id AND (m.subject_id = ANY(@ids::uuid[]) OR m.subject_id = ANY(@gone_ids::uuid[])
    AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = m.subject_id)
    AND NOT EXISTS (SELECT FROM annals.entities n WHERE n.group_id = @group_id AND n.id = m.subject_id)
    OR m.kind = 'skill' AND NOT EXISTS (SELECT FROM annals.skill_versions s WHERE s.group_id = @group_id AND s.id = m.subject_id));

-- Lists the marks of rows, now or at known_at.
-- name: MarksOf :many
SELECT m.subject_id, m.mark, count(*) AS times, coalesce(max(m.expires_at), '0001-01-01 UTC')::timestamptz AS expires_at
FROM annals.marks m
WHERE m.group_id = @group_id AND m.subject_id = ANY(@ids::uuid[])
    AND CASE WHEN sqlc.narg('known_at')::timestamptz IS NULL THEN m.until IS NULL
        ELSE m.since <= sqlc.narg('known_at')::timestamptz AND (m.until IS NULL OR m.until > sqlc.narg('known_at')::timestamptz) END
GROUP BY m.subject_id, m.mark;

-- Lists every mark of a row, the oldest first, with who set and ended it.
-- name: MarkList :many
SELECT m.id, m.kind, m.subject_id, m.mark, m.expires_at, m.since, m.until, m.door, m.written_by, m.ended_door, m.ended_by, m.swept_at
FROM annals.marks m
WHERE m.group_id = @group_id AND (sqlc.narg('subject_id')::uuid IS NULL OR m.subject_id = sqlc.narg('subject_id')::uuid)
    AND (m.since, m.id) < (coalesce(sqlc.narg('before_at')::timestamptz, 'infinity'), coalesce(sqlc.narg('before_id')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
ORDER BY m.since DESC, m.id DESC
LIMIT @max_rows::int;

-- Marks facts, episodes and entities.
-- name: MarksSet :many
SELECT m.id::uuid AS id, m.kind::annals.kind AS kind
FROM annals.mark(@group_id::text, @ids::uuid[], @mark::text, sqlc.narg('expires_at')::timestamptz) m
ORDER BY m.id;

-- Records that expired rows were removed.
-- name: MarksSwept :exec
UPDATE annals.marks m
SET swept_at = now()
WHERE m.group_id = @group_id AND m.subject_id = ANY(@ids::uuid[]) AND m.mark = 'expires' AND m.until IS NULL AND m.swept_at IS NULL;

-- Lists the pinned rows that exist, the latest first.
-- name: Pinned :many
SELECT m.subject_id AS pinned_id, m.kind AS pinned_kind
FROM annals.marks m
WHERE m.group_id = @group_id AND m.mark = 'pinned'
    AND CASE WHEN sqlc.narg('known_at')::timestamptz IS NULL THEN m.until IS NULL AND CASE m.kind
            WHEN 'fact' THEN EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = m.subject_id)
            WHEN 'episode' THEN EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = m.subject_id)
            ELSE EXISTS (SELECT FROM annals.entities n WHERE n.group_id = @group_id AND n.id = m.subject_id) END
        ELSE m.since <= sqlc.narg('known_at')::timestamptz AND (m.until IS NULL OR m.until > sqlc.narg('known_at')::timestamptz) END
ORDER BY m.since DESC, m.subject_id DESC
LIMIT @max_rows::int;

-- Returns the factors by which the judgements of rows multiply their scores.
-- name: Regards :many
SELECT i.id::uuid AS id, annals_internal.feedback_factor(@group_id::text, i.id, sqlc.narg('valid_at')::timestamptz, sqlc.narg('known_at')::timestamptz)::float8 AS regard
FROM unnest(@ids::uuid[]) AS i(id);
