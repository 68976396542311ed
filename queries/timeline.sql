-- Lists the changes up to as_of, as believed now, the earliest or the latest first. At one time,
-- ends come before beginnings. A statement with several facts is listed with the first of them.
-- Ends and beginnings are each read from an index, in the given direction, after the last row of
-- the page before.
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

-- Lists the same as believed at known_at. All versions of the group are read. The bounds by
-- after_at alone add nothing to those by rows below; but since they compare times only, they drop
-- past rows before statements are distinguished.
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
