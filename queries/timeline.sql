-- name: Timeline :many
SELECT at::timestamptz AS at, event::text AS event, fact_id::uuid AS fact_id, words::text AS words,
    recorded_at::timestamptz AS recorded_at
FROM annals.timeline
WHERE group_id = @group_id
ORDER BY 1, 2 DESC, 3
LIMIT @max_rows::int;
