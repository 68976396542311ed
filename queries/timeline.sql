-- What changed until as_of, as was believed at known_at; without either, all of
-- what is believed now. At one time what ended comes before what began. The
-- bounds of after_at say no more than the rows below them, but where times are
-- compared alone, what is past is left out before statements are told apart.
-- name: Timeline :many
SELECT c.at::timestamptz AS at, c.event::text AS event, c.fact_id::uuid AS fact_id, c.words::text AS words,
    c.recorded_at::timestamptz AS recorded_at
FROM annals.timeline_at(@group_id, sqlc.narg('known_at')::timestamptz) c
WHERE (sqlc.narg('as_of')::timestamptz IS NULL OR c.at <= sqlc.narg('as_of')::timestamptz)
    AND (sqlc.narg('after_at')::timestamptz IS NULL OR CASE WHEN @latest_first::bool
        THEN c.at <= sqlc.narg('after_at')::timestamptz ELSE c.at >= sqlc.narg('after_at')::timestamptz END)
    AND (sqlc.narg('after_at')::timestamptz IS NULL OR CASE WHEN @latest_first::bool
        THEN (c.at, c.event = 'began', c.fact_id)
            < (sqlc.narg('after_at')::timestamptz, sqlc.narg('after_event')::text = 'began', sqlc.narg('after_fact')::uuid)
        ELSE (c.at, c.event = 'began', c.fact_id)
            > (sqlc.narg('after_at')::timestamptz, sqlc.narg('after_event')::text = 'began', sqlc.narg('after_fact')::uuid)
        END)
ORDER BY CASE WHEN @latest_first::bool THEN c.at END DESC, CASE WHEN @latest_first::bool THEN c.event END,
    CASE WHEN @latest_first::bool THEN c.fact_id END DESC, c.at, c.event DESC, c.fact_id
LIMIT @max_rows::int;
