-- Lists what changed until as_of, as is believed now, the earliest first. At one
-- time what ended comes before what began. Of a statement that several facts
-- share it has the first. What began and what ended are each read from an index,
-- from where the page before ended.
-- name: Timeline :many
WITH began AS (
    SELECT f.group_id, coalesce(lower(f.valid), '-infinity') AS at, annals_internal.begun_as(f.kind, f.valid, f.from_basis) AS event, f.id AS fact_id, f.told AS words, f.created_at AS recorded_at, f.statement_id,
        f.from_basis AS at_basis, f.from_precision AS at_precision
    FROM annals.facts f
    WHERE f.group_id = @group_id AND f.trust <> 'candidate' AND coalesce(lower(f.valid), '-infinity') > '-infinity' AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND coalesce(lower(f.valid), '-infinity') <= coalesce(sqlc.narg('as_of')::timestamptz, 'infinity')
        AND (coalesce(lower(f.valid), '-infinity'), f.id) > (coalesce(sqlc.narg('after_at')::timestamptz, '-infinity'),
            CASE WHEN sqlc.narg('after_event')::text <> 'ended' THEN sqlc.narg('after_fact')::uuid ELSE '00000000-0000-0000-0000-000000000000'::uuid END)
        AND NOT EXISTS (SELECT FROM annals.facts g
            WHERE g.group_id = @group_id AND g.statement_id = f.statement_id AND g.trust <> 'candidate' AND g.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now())) AND lower(g.valid) = lower(f.valid) AND g.id < f.id)
    ORDER BY coalesce(lower(f.valid), '-infinity'), f.id
    LIMIT @max_rows::int
), ended AS (
    SELECT f.group_id, upper(f.valid) AS at, 'ended' AS event, f.id AS fact_id, 'No longer: ' || f.told AS words, coalesce(f.expired_at, f.created_at) AS recorded_at, f.statement_id,
        f.until_basis AS at_basis, f.until_precision AS at_precision
    FROM annals.facts f
    WHERE f.group_id = @group_id AND f.trust <> 'candidate' AND f.kind = 'state' AND NOT upper_inf(f.valid) AND NOT (f.from_basis = 'planned' AND f.until_basis = 'stated') AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND upper(f.valid) <= coalesce(sqlc.narg('as_of')::timestamptz, 'infinity')
        AND (upper(f.valid), f.id) > (coalesce(sqlc.narg('after_at')::timestamptz, '-infinity'),
            CASE WHEN sqlc.narg('after_event')::text = 'ended' THEN sqlc.narg('after_fact')::uuid ELSE 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid END)
        AND NOT EXISTS (SELECT FROM annals.facts g
            WHERE g.group_id = @group_id AND g.statement_id = f.statement_id AND g.trust <> 'candidate' AND g.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now())) AND upper(g.valid) = upper(f.valid) AND g.kind = 'state' AND g.id < f.id)
    ORDER BY upper(f.valid), f.id
    LIMIT @max_rows::int
)
SELECT c.*
FROM (
    SELECT * FROM annals.timeline t WHERE t.group_id = @group_id AND false -- gives the rows their type
    UNION ALL
    SELECT * FROM began
    UNION ALL
    SELECT * FROM ended
) c
ORDER BY c.at, c.event <> 'ended', c.fact_id
LIMIT @max_rows::int;

-- Lists the same the other way round.
-- name: TimelineBack :many
WITH began AS (
    SELECT f.group_id, coalesce(lower(f.valid), '-infinity') AS at, annals_internal.begun_as(f.kind, f.valid, f.from_basis) AS event, f.id AS fact_id, f.told AS words, f.created_at AS recorded_at, f.statement_id,
        f.from_basis AS at_basis, f.from_precision AS at_precision
    FROM annals.facts f
    WHERE f.group_id = @group_id AND f.trust <> 'candidate' AND coalesce(lower(f.valid), '-infinity') > '-infinity' AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND coalesce(lower(f.valid), '-infinity') <= coalesce(sqlc.narg('as_of')::timestamptz, 'infinity')
        AND (coalesce(lower(f.valid), '-infinity'), f.id) < (coalesce(sqlc.narg('after_at')::timestamptz, 'infinity'),
            CASE WHEN sqlc.narg('after_event')::text <> 'ended' THEN sqlc.narg('after_fact')::uuid ELSE '00000000-0000-0000-0000-000000000000'::uuid END)
        AND NOT EXISTS (SELECT FROM annals.facts g
            WHERE g.group_id = @group_id AND g.statement_id = f.statement_id AND g.trust <> 'candidate' AND g.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now())) AND lower(g.valid) = lower(f.valid) AND g.id < f.id)
    ORDER BY coalesce(lower(f.valid), '-infinity') DESC, f.id DESC
    LIMIT @max_rows::int
), ended AS (
    SELECT f.group_id, upper(f.valid) AS at, 'ended' AS event, f.id AS fact_id, 'No longer: ' || f.told AS words, coalesce(f.expired_at, f.created_at) AS recorded_at, f.statement_id,
        f.until_basis AS at_basis, f.until_precision AS at_precision
    FROM annals.facts f
    WHERE f.group_id = @group_id AND f.trust <> 'candidate' AND f.kind = 'state' AND NOT upper_inf(f.valid) AND NOT (f.from_basis = 'planned' AND f.until_basis = 'stated') AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND upper(f.valid) <= coalesce(sqlc.narg('as_of')::timestamptz, 'infinity')
        AND (upper(f.valid), f.id) < (coalesce(sqlc.narg('after_at')::timestamptz, 'infinity'),
            CASE WHEN sqlc.narg('after_event')::text = 'ended' THEN sqlc.narg('after_fact')::uuid ELSE 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid END)
        AND NOT EXISTS (SELECT FROM annals.facts g
            WHERE g.group_id = @group_id AND g.statement_id = f.statement_id AND g.trust <> 'candidate' AND g.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now())) AND upper(g.valid) = upper(f.valid) AND g.kind = 'state' AND g.id < f.id)
    ORDER BY upper(f.valid) DESC, f.id DESC
    LIMIT @max_rows::int
)
SELECT c.*
FROM (
    SELECT * FROM annals.timeline t WHERE t.group_id = @group_id AND false -- gives the rows their type
    UNION ALL
    SELECT * FROM began
    UNION ALL
    SELECT * FROM ended
) c
ORDER BY c.at DESC, c.event = 'ended', c.fact_id DESC
LIMIT @max_rows::int;

-- Lists the same as was believed at known_at. All versions of the group are
-- looked through. The bounds of after_at say no more than the rows below them.
-- But where times are compared alone, what is past is left out before statements
-- are told apart.
-- name: TimelineKnown :many
SELECT c.*
FROM annals.timeline_at(@group_id, @known_at::timestamptz) c
WHERE (sqlc.narg('as_of')::timestamptz IS NULL OR c.at <= sqlc.narg('as_of')::timestamptz)
    AND (sqlc.narg('after_at')::timestamptz IS NULL OR CASE WHEN @latest_first::bool
        THEN c.at <= sqlc.narg('after_at')::timestamptz ELSE c.at >= sqlc.narg('after_at')::timestamptz END)
    AND (sqlc.narg('after_at')::timestamptz IS NULL OR CASE WHEN @latest_first::bool
        THEN (c.at, c.event <> 'ended', c.fact_id)
            < (sqlc.narg('after_at')::timestamptz, sqlc.narg('after_event')::text <> 'ended', sqlc.narg('after_fact')::uuid)
        ELSE (c.at, c.event <> 'ended', c.fact_id)
            > (sqlc.narg('after_at')::timestamptz, sqlc.narg('after_event')::text <> 'ended', sqlc.narg('after_fact')::uuid)
        END)
ORDER BY CASE WHEN @latest_first::bool THEN c.at END DESC, CASE WHEN @latest_first::bool THEN c.event = 'ended' END,
    CASE WHEN @latest_first::bool THEN c.fact_id END DESC, c.at, c.event <> 'ended', c.fact_id
LIMIT @max_rows::int;
