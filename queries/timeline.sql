-- Lists what changed until as_of, as is believed now, the earliest first or the latest.
-- At one time what ended comes before what began. Of a statement that several facts
-- share it has the first. What began and what ended are each read from an index, in
-- the direction that is asked for, from where the page before ended.
-- name: Timeline :many
SELECT c.*
FROM (
    SELECT * FROM annals.timeline t WHERE t.group_id = @group_id AND false -- gives the rows their type
    UNION ALL
    (SELECT c.* FROM annals_internal.timeline_began c
    WHERE c.group_id = @group_id AND c.fact_id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND c.at <= coalesce(sqlc.narg('as_of')::timestamptz, 'infinity')
        AND (c.at, c.fact_id) > (coalesce(sqlc.narg('after_at')::timestamptz, '-infinity'),
            CASE WHEN sqlc.narg('after_event')::text <> 'ended' THEN sqlc.narg('after_fact')::uuid ELSE '00000000-0000-0000-0000-000000000000'::uuid END)
    ORDER BY c.at, c.fact_id
    LIMIT CASE WHEN @latest_first::boolean THEN 0 ELSE @max_rows::int END)
    UNION ALL
    (SELECT c.* FROM annals_internal.timeline_began c
    WHERE c.group_id = @group_id AND c.fact_id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND c.at <= coalesce(sqlc.narg('as_of')::timestamptz, 'infinity')
        AND (c.at, c.fact_id) < (coalesce(sqlc.narg('after_at')::timestamptz, 'infinity'),
            CASE WHEN sqlc.narg('after_event')::text <> 'ended' THEN sqlc.narg('after_fact')::uuid ELSE '00000000-0000-0000-0000-000000000000'::uuid END)
    ORDER BY c.at DESC, c.fact_id DESC
    LIMIT CASE WHEN @latest_first::boolean THEN @max_rows::int ELSE 0 END)
    UNION ALL
    (SELECT c.* FROM annals_internal.timeline_ended c
    WHERE c.group_id = @group_id AND c.fact_id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND c.at <= coalesce(sqlc.narg('as_of')::timestamptz, 'infinity')
        AND (c.at, c.fact_id) > (coalesce(sqlc.narg('after_at')::timestamptz, '-infinity'),
            CASE WHEN sqlc.narg('after_event')::text = 'ended' THEN sqlc.narg('after_fact')::uuid ELSE 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid END)
    ORDER BY c.at, c.fact_id
    LIMIT CASE WHEN @latest_first::boolean THEN 0 ELSE @max_rows::int END)
    UNION ALL
    (SELECT c.* FROM annals_internal.timeline_ended c
    WHERE c.group_id = @group_id AND c.fact_id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND c.at <= coalesce(sqlc.narg('as_of')::timestamptz, 'infinity')
        AND (c.at, c.fact_id) < (coalesce(sqlc.narg('after_at')::timestamptz, 'infinity'),
            CASE WHEN sqlc.narg('after_event')::text = 'ended' THEN sqlc.narg('after_fact')::uuid ELSE 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid END)
    ORDER BY c.at DESC, c.fact_id DESC
    LIMIT CASE WHEN @latest_first::boolean THEN @max_rows::int ELSE 0 END)
) c
ORDER BY CASE WHEN @latest_first THEN c.at END DESC, CASE WHEN @latest_first THEN c.event = 'ended' END, CASE WHEN @latest_first THEN c.fact_id END DESC,
    c.at, c.event <> 'ended', c.fact_id
LIMIT @max_rows;

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
