-- What changed until as_of, as was believed at known_at; without either, all of
-- what is believed now.
-- name: Timeline :many
SELECT c.at::timestamptz AS at, c.event::text AS event, c.fact_id::uuid AS fact_id, c.words::text AS words,
    c.recorded_at::timestamptz AS recorded_at
FROM annals.timeline_at(@group_id, sqlc.narg('known_at')::timestamptz) c
WHERE sqlc.narg('as_of')::timestamptz IS NULL OR c.at <= sqlc.narg('as_of')::timestamptz
ORDER BY 1, 2 DESC, 3
LIMIT @max_rows::int;
