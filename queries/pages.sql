-- Lists of a group's rows, filtered as a search is, page by page.

-- name: EpisodePage :many
SELECT e.id, e.source, e.content, e.actor, e.role, e.name, e.source_description, e.thread_id, e.occurred_at, e.created_at, e.metadata,
    e.external_id, e.state, e.attempts, e.error, e.deferred
FROM annals.episodes e
WHERE e.group_id = @group_id
    AND (NOT @narrowed::boolean OR e.id IN (SELECT annals.episodes_matching(@group_id, @filter::jsonb)))
    AND (sqlc.narg('mentioning')::uuid[] IS NULL OR e.id = ANY(sqlc.narg('mentioning')::uuid[])
        OR EXISTS (SELECT FROM annals.mentions m WHERE m.group_id = @group_id AND m.episode_id = e.id AND m.entity_id = ANY(sqlc.narg('mentioning')::uuid[])))
ORDER BY
    CASE WHEN @by_time::boolean AND @ascending::boolean THEN e.created_at END,
    CASE WHEN @by_time::boolean AND NOT @ascending::boolean THEN e.created_at END DESC,
    CASE WHEN @ascending::boolean THEN e.id END, CASE WHEN NOT @ascending::boolean THEN e.id END DESC
OFFSET @skip::int
LIMIT @max_rows::int;

-- name: EntityPage :many
SELECT n.id, n.name, n.aliases, n.labels, n.summary, n.attributes, n.created_at, n.recorded, d.degree::bigint AS degree
FROM annals.entities n
CROSS JOIN LATERAL (
    SELECT count(*) AS degree FROM annals.facts f
    WHERE @order_by::text = 'degree' AND f.group_id = @group_id AND (f.source_id = n.id OR f.target_id = n.id)
) d
WHERE n.group_id = @group_id AND (NOT @narrowed::boolean OR n.id IN (SELECT annals.entities_matching(@group_id, @filter::jsonb)))
ORDER BY
    CASE WHEN @order_by = 'degree' AND @ascending::boolean THEN d.degree END, CASE WHEN @order_by = 'degree' AND NOT @ascending::boolean THEN d.degree END DESC,
    CASE WHEN @order_by = 'created_at' AND @ascending::boolean THEN n.created_at END,
    CASE WHEN @order_by = 'created_at' AND NOT @ascending::boolean THEN n.created_at END DESC,
    CASE WHEN @ascending::boolean THEN n.id END, CASE WHEN NOT @ascending::boolean THEN n.id END DESC
OFFSET @skip::int
LIMIT @max_rows::int;

-- name: FactPage :many
SELECT f.id
FROM annals.facts f
WHERE f.group_id = @group_id AND (NOT @narrowed::boolean OR f.id IN (SELECT annals.facts_matching(@group_id, @filter::jsonb, NULL, NULL, true)))
    AND (sqlc.narg('entity_id')::uuid IS NULL OR f.source_id = sqlc.narg('entity_id')::uuid OR f.target_id = sqlc.narg('entity_id')::uuid)
    AND (sqlc.narg('episode_id')::uuid IS NULL OR EXISTS (SELECT FROM annals.fact_episodes c
        WHERE c.group_id = @group_id AND c.fact_id = f.id AND c.episode_id = sqlc.narg('episode_id')::uuid))
ORDER BY
    CASE WHEN @order_by::text = 'created_at' AND @ascending::boolean THEN f.created_at END,
    CASE WHEN @order_by = 'created_at' AND NOT @ascending::boolean THEN f.created_at END DESC,
    CASE WHEN @order_by = 'valid_at' AND @ascending::boolean THEN lower(f.valid) END,
    CASE WHEN @order_by = 'valid_at' AND NOT @ascending::boolean THEN lower(f.valid) END DESC NULLS LAST,
    CASE WHEN @ascending::boolean THEN f.id END, CASE WHEN NOT @ascending::boolean THEN f.id END DESC
OFFSET @skip::int
LIMIT @max_rows::int;

-- The entities that an episode mentions.
-- name: EntitiesOfEpisode :many
SELECT m.entity_id AS id
FROM annals.mentions m
WHERE m.group_id = @group_id AND m.episode_id = @episode_id
ORDER BY m.entity_id
LIMIT @max_rows::int;

-- How far a stretch of episodes has come.
-- name: EpisodeProgress :one
SELECT count(*) AS episodes, count(*) FILTER (WHERE e.state = 'done') AS done, count(*) FILTER (WHERE e.state = 'failed') AS failed,
    count(*) FILTER (WHERE e.state = 'processing') AS processing, count(*) FILTER (WHERE e.deferred AND e.state = 'pending') AS deferred,
    coalesce(min(e.created_at), '0001-01-01 UTC')::timestamptz AS created_at,
    coalesce(max(e.processed_at), '0001-01-01 UTC')::timestamptz AS processed_at, coalesce(max(e.error), '')::text AS error
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.id BETWEEN @first_id::uuid AND @last_id::uuid;
