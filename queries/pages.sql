-- Lists of a group's rows, filtered like a search, page by page. A page begins after the last row
-- of the page before. If that row is gone and its place unknown, the page begins after as many rows
-- as came before. Rows in quarantine are left out.

-- name: EpisodePage :many
WITH listed AS (
    SELECT a.id, l.occurred_at
    FROM unnest(ARRAY[sqlc.narg('after_id')::uuid]) AS a(id)
    LEFT JOIN annals.episodes l ON l.group_id = @group_id AND l.id = a.id
    WHERE l.id IS NOT NULL OR a.id IS NOT NULL AND NOT @by_time::boolean
)
SELECT e.*
FROM annals.episode_rows e
LEFT JOIN listed l ON true
WHERE e.group_id = @group_id
    AND (l.id IS NULL OR CASE
        WHEN @by_time::boolean AND @ascending::boolean THEN (e.occurred_at, e.id) > (l.occurred_at, l.id)
        WHEN @by_time::boolean THEN (e.occurred_at, e.id) < (l.occurred_at, l.id)
        WHEN @ascending::boolean THEN e.id > l.id
        ELSE e.id < l.id
    END)
    AND (NOT @narrowed::boolean OR e.id IN (SELECT annals_internal.episodes_matching(@group_id, @filter::jsonb)))
    AND annals_internal.episode_shown(@group_id, e.id, e.authority, e.thread_id, 'believed')
    AND (sqlc.narg('mentioning')::uuid[] IS NULL OR e.id = ANY(sqlc.narg('mentioning')::uuid[])
        OR EXISTS (SELECT FROM annals.mentions m WHERE m.group_id = @group_id AND m.episode_id = e.id AND m.entity_id = ANY(sqlc.narg('mentioning')::uuid[])))
ORDER BY
    CASE WHEN @by_time::boolean AND @ascending::boolean THEN e.occurred_at END,
    CASE WHEN @by_time::boolean AND NOT @ascending::boolean THEN e.occurred_at END DESC,
    CASE WHEN @ascending::boolean THEN e.id END, CASE WHEN NOT @ascending::boolean THEN e.id END DESC
OFFSET CASE WHEN EXISTS (SELECT FROM listed) THEN 0 ELSE @skip::int END
LIMIT @max_rows::int;

-- name: EntityPage :many
WITH listed AS (
    SELECT a.id, l.created_at, (
        SELECT count(*) FROM annals.facts f
        WHERE @order_by::text = 'degree' AND f.group_id = @group_id AND (f.source_id = l.id OR f.target_id = l.id)) AS degree
    FROM unnest(ARRAY[sqlc.narg('after_id')::uuid]) AS a(id)
    LEFT JOIN annals.entities l ON l.group_id = @group_id AND l.id = a.id
    WHERE l.id IS NOT NULL OR a.id IS NOT NULL AND @order_by NOT IN ('created_at', 'degree')
)
SELECT sqlc.embed(n), d.degree::bigint AS degree
FROM annals_internal.entity_rows n
CROSS JOIN LATERAL (
    SELECT count(*) AS degree FROM annals.facts f
    WHERE @order_by::text = 'degree' AND f.group_id = @group_id AND (f.source_id = n.id OR f.target_id = n.id)
) d
LEFT JOIN listed l ON true
WHERE n.group_id = @group_id AND n.is_current AND n.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'entity', now()))
    AND annals_internal.entity_shown(@group_id::text, n.id, 'believed')
    AND (NOT @narrowed::boolean OR n.id IN (SELECT annals_internal.entities_matching(@group_id, @filter::jsonb)))
    AND (sqlc.narg('episode_ids')::uuid[] IS NULL OR EXISTS (SELECT FROM annals.mentions m
        WHERE m.group_id = @group_id AND m.entity_id = n.id AND m.episode_id = ANY(sqlc.narg('episode_ids')::uuid[])))
    AND (l.id IS NULL OR CASE
        WHEN @order_by = 'degree' AND @ascending::boolean THEN (d.degree, n.id) > (l.degree, l.id)
        WHEN @order_by = 'degree' THEN (d.degree, n.id) < (l.degree, l.id)
        WHEN @order_by = 'created_at' AND @ascending::boolean THEN (n.created_at, n.id) > (l.created_at, l.id)
        WHEN @order_by = 'created_at' THEN (n.created_at, n.id) < (l.created_at, l.id)
        WHEN @ascending::boolean THEN n.id > l.id
        ELSE n.id < l.id
    END)
ORDER BY
    CASE WHEN @order_by = 'degree' AND @ascending::boolean THEN d.degree END, CASE WHEN @order_by = 'degree' AND NOT @ascending::boolean THEN d.degree END DESC,
    CASE WHEN @order_by = 'created_at' AND @ascending::boolean THEN n.created_at END,
    CASE WHEN @order_by = 'created_at' AND NOT @ascending::boolean THEN n.created_at END DESC,
    CASE WHEN @ascending::boolean THEN n.id END, CASE WHEN NOT @ascending::boolean THEN n.id END DESC
OFFSET CASE WHEN EXISTS (SELECT FROM listed) THEN 0 ELSE @skip::int END
LIMIT @max_rows::int;

-- name: FactPage :many
WITH listed AS (
    SELECT a.id, l.created_at, lower(l.valid) AS since
    FROM unnest(ARRAY[sqlc.narg('after_id')::uuid]) AS a(id)
    LEFT JOIN annals.facts l ON l.group_id = @group_id AND l.id = a.id
    WHERE l.id IS NOT NULL OR a.id IS NOT NULL AND @order_by::text NOT IN ('created_at', 'valid_at')
)
SELECT f.id
FROM annals.facts f
LEFT JOIN listed l ON true
WHERE f.group_id = @group_id AND f.trust <> 'candidate' AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
    AND (NOT @narrowed::boolean OR f.id IN (SELECT annals_internal.facts_matching(@group_id, @filter::jsonb, NULL, NULL, true)))
    AND (sqlc.narg('ids')::uuid[] IS NULL OR f.id = ANY(sqlc.narg('ids')::uuid[]))
    AND (sqlc.narg('entity_ids')::uuid[] IS NULL OR f.source_id = ANY(sqlc.narg('entity_ids')::uuid[]) OR f.target_id = ANY(sqlc.narg('entity_ids')::uuid[]))
    AND (sqlc.narg('source_ids')::uuid[] IS NULL OR f.source_id = ANY(sqlc.narg('source_ids')::uuid[]))
    AND (sqlc.narg('target_ids')::uuid[] IS NULL OR f.target_id = ANY(sqlc.narg('target_ids')::uuid[]))
    AND (sqlc.narg('episode_ids')::uuid[] IS NULL OR EXISTS (SELECT FROM annals.fact_episodes c
        WHERE c.group_id = @group_id AND c.fact_id = f.id AND c.episode_id = ANY(sqlc.narg('episode_ids')::uuid[])))
    AND (l.id IS NULL OR CASE
        WHEN @order_by::text = 'created_at' AND @ascending::boolean THEN (f.created_at, f.id) > (l.created_at, l.id)
        WHEN @order_by = 'created_at' THEN (f.created_at, f.id) < (l.created_at, l.id)
        WHEN @order_by = 'valid_at' AND @ascending::boolean THEN (coalesce(lower(f.valid), 'infinity'), f.id) > (coalesce(l.since, 'infinity'), l.id)
        WHEN @order_by = 'valid_at' THEN (coalesce(lower(f.valid), '-infinity'), f.id) < (coalesce(l.since, '-infinity'), l.id)
        WHEN @ascending::boolean THEN f.id > l.id
        ELSE f.id < l.id
    END)
ORDER BY
    CASE WHEN @order_by::text = 'created_at' AND @ascending::boolean THEN f.created_at END,
    CASE WHEN @order_by = 'created_at' AND NOT @ascending::boolean THEN f.created_at END DESC,
    CASE WHEN @order_by = 'valid_at' AND @ascending::boolean THEN lower(f.valid) END,
    CASE WHEN @order_by = 'valid_at' AND NOT @ascending::boolean THEN lower(f.valid) END DESC NULLS LAST,
    CASE WHEN @ascending::boolean THEN f.id END, CASE WHEN NOT @ascending::boolean THEN f.id END DESC
OFFSET CASE WHEN EXISTS (SELECT FROM listed) THEN 0 ELSE @skip::int END
LIMIT @max_rows::int;

-- Lists the facts of a page of statements, statement by statement. For each list of a filter, one
-- fact of the statement must match one value.
-- name: StatementPage :many
SELECT v.*
FROM (
    SELECT f.statement_id, min(f.created_at) AS created_at
    FROM annals.facts f
    WHERE f.group_id = @group_id AND f.trust <> 'candidate' AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND (sqlc.narg('ids')::uuid[] IS NULL OR f.statement_id = ANY(sqlc.narg('ids')::uuid[]))
        AND (sqlc.narg('fact_ids')::uuid[] IS NULL OR f.statement_id IN (
            SELECT o.statement_id FROM annals.facts o WHERE o.group_id = @group_id AND o.id = ANY(sqlc.narg('fact_ids')::uuid[])))
        AND (sqlc.narg('entity_ids')::uuid[] IS NULL OR f.statement_id IN (
            SELECT o.statement_id FROM annals.facts o WHERE o.group_id = @group_id AND o.source_id = ANY(sqlc.narg('entity_ids')::uuid[])
            UNION ALL
            SELECT o.statement_id FROM annals.facts o WHERE o.group_id = @group_id AND o.target_id = ANY(sqlc.narg('entity_ids')::uuid[])))
        AND (sqlc.narg('episode_ids')::uuid[] IS NULL OR f.statement_id IN (
            SELECT o.statement_id FROM annals.fact_episodes c
            JOIN annals.facts o ON o.group_id = @group_id AND o.id = c.fact_id
            WHERE c.group_id = @group_id AND c.episode_id = ANY(sqlc.narg('episode_ids')::uuid[])))
    GROUP BY f.statement_id
    ORDER BY
        CASE WHEN @by_time::boolean AND @ascending::boolean THEN min(f.created_at) END,
        CASE WHEN @by_time AND NOT @ascending::boolean THEN min(f.created_at) END DESC,
        CASE WHEN @ascending::boolean THEN f.statement_id END, CASE WHEN NOT @ascending::boolean THEN f.statement_id END DESC
    OFFSET @skip::int
    LIMIT @max_rows::int
) p
JOIN annals.facts f ON f.group_id = @group_id AND f.statement_id = p.statement_id AND f.trust <> 'candidate'
CROSS JOIN LATERAL annals_internal.current_facts_of(@group_id, ARRAY[f.id]) v
ORDER BY
    CASE WHEN @by_time AND @ascending THEN p.created_at END, CASE WHEN @by_time AND NOT @ascending THEN p.created_at END DESC,
    CASE WHEN @ascending THEN p.statement_id END, CASE WHEN NOT @ascending THEN p.statement_id END DESC, v.id;

-- Lists the newest episodes that mention each entity, without those in quarantine.
-- name: EpisodesOfEntities :many
SELECT n.id::uuid AS entity_id, m.episode_id
FROM unnest(@ids::uuid[]) AS n(id)
CROSS JOIN LATERAL (
    SELECT x.episode_id FROM annals.mentions x
    JOIN annals.episodes e ON e.group_id = @group_id AND e.id = x.episode_id
    WHERE x.group_id = @group_id AND x.entity_id = n.id
        AND annals_internal.episode_shown(@group_id, e.id, e.authority, e.thread_id, 'believed')
    ORDER BY x.episode_id DESC
    LIMIT @max_each::int
) m
ORDER BY m.episode_id DESC;

-- Lists the entities that an episode mentions.
-- name: EntitiesOfEpisode :many
SELECT m.entity_id AS id
FROM annals.mentions m
WHERE m.group_id = @group_id AND m.episode_id = @episode_id
ORDER BY m.entity_id
LIMIT @max_rows::int;

-- Counts the episodes of a range by progress.
-- name: EpisodeProgress :one
SELECT count(*) AS episodes, count(*) FILTER (WHERE e.state = 'done') AS done, count(*) FILTER (WHERE e.state = 'failed') AS failed,
    count(*) FILTER (WHERE e.state = 'processing') AS processing, count(*) FILTER (WHERE e.deferred AND e.state = 'pending') AS deferred,
    coalesce(min(e.created_at), '0001-01-01 UTC')::timestamptz AS created_at,
    coalesce(max(e.processed_at), '0001-01-01 UTC')::timestamptz AS processed_at, coalesce(max(e.error), '')::text AS error
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.id BETWEEN @first_id::uuid AND @last_id::uuid;
