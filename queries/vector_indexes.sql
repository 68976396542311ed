-- Counts the vectors of a group by kind and model.
-- name: VectorCounts :many
WITH asked AS MATERIALIZED (SELECT unnest(@kinds::text[]) AS kind),
held AS (
    SELECT 'episode' AS kind, e.model FROM annals_internal.episode_embeddings e
    WHERE e.group_id = @group_id AND EXISTS (SELECT FROM asked a WHERE a.kind = 'episode')
    UNION ALL
    SELECT 'entity', n.model FROM annals_internal.entity_embeddings n
    WHERE n.group_id = @group_id AND EXISTS (SELECT FROM asked a WHERE a.kind = 'entity')
    UNION ALL
    SELECT 'fact', f.model FROM annals_internal.fact_embeddings f
    WHERE f.group_id = @group_id AND EXISTS (SELECT FROM asked a WHERE a.kind = 'fact')
    UNION ALL
    SELECT 'community', m.model FROM annals_internal.community_embeddings m
    WHERE m.group_id = @group_id AND EXISTS (SELECT FROM asked a WHERE a.kind = 'community')
)
SELECT h.kind::annals.kind AS kind, h.model::text AS model, count(*) AS vectors
FROM held h
GROUP BY h.kind, h.model;

-- Lists the groups that may need an index, or have one that they no longer need. An episode counts
-- as the given number of vectors.
-- name: VectorIndexCandidates :many
SELECT s.group_id
FROM annals_internal.search_statistics s
WHERE s.documents * CASE s.kind WHEN 'episode' THEN @per_episode::bigint ELSE 1 END >= @threshold::bigint
UNION
SELECT x.group_id
FROM annals_internal.vector_indexes x
ORDER BY group_id;

-- name: VectorIndexChecked :exec
UPDATE annals_internal.vector_indexes
SET checked_at = now()
WHERE group_id = @group_id AND kind = ANY(CAST(@kinds::text[] AS annals.kind[]));

-- name: VectorIndexDelete :exec
DELETE FROM annals_internal.vector_indexes
WHERE group_id = @group_id AND kind = @kind AND model = @model;

-- name: VectorIndexFinish :exec
UPDATE annals_internal.vector_indexes
SET valid = true, rows_at_build = @rows_at_build, built_at = now(), checked_at = now()
WHERE group_id = @group_id AND kind = @kind AND model = @model;

-- name: VectorIndexList :many
SELECT kind, model, index_name, rows_at_build
FROM annals_internal.vector_indexes
WHERE group_id = @group_id
ORDER BY kind, model;

-- Sets the resources for building an index. Without memory for the whole graph, building is many
-- times slower. The memory is bounded by the most, or by shared_buffers if these are larger. It
-- uses no more processes than asked for or than the server allows, and limits the wait for a
-- transaction that does not end.
-- name: VectorIndexSettings :one
SELECT set_config('maintenance_work_mem', greatest(pg_size_bytes(current_setting('maintenance_work_mem')),
        least(@memory::bigint, greatest(@most_memory::bigint, pg_size_bytes(current_setting('shared_buffers'))))) / 1024 || 'kB', false) AS memory,
    set_config('max_parallel_maintenance_workers',
        least(@workers::int, (SELECT s.reset_val::int FROM pg_catalog.pg_settings s WHERE s.name = 'max_parallel_maintenance_workers'))::text, false) AS workers,
    set_config('lock_timeout', '10min', false) AS lock_timeout,
    set_config('statement_timeout', '0', false) AS statement_timeout;

-- Stores a row, not yet valid, before the index is built. After a crash it marks what is left.
-- name: VectorIndexStart :exec
INSERT INTO annals_internal.vector_indexes (group_id, kind, model, index_name, rows_at_build)
VALUES (@group_id, @kind, @model, @index_name, @rows_at_build)
ON CONFLICT (group_id, kind, model) DO UPDATE
SET index_name = excluded.index_name, rows_at_build = excluded.rows_at_build, valid = false;

-- Lists our indexes that the catalogue does not account for: half built, half dropped, or unknown
-- to it.
-- name: VectorIndexStrays :many
WITH known AS MATERIALIZED (SELECT v.index_name FROM annals_internal.vector_indexes v WHERE v.valid)
SELECT i.relname::text AS index_name
FROM pg_catalog.pg_index x
JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
JOIN pg_catalog.pg_class t ON t.oid = x.indrelid
JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
WHERE n.nspname = 'annals_internal' AND i.relname ~ '^[a-z]+_embeddings_hnsw_[0-9a-f]{24}(_cc(new|old)[0-9]*)?$'
    AND (NOT x.indisvalid OR NOT EXISTS (
        SELECT FROM known v WHERE v.index_name = i.relname::text))
ORDER BY i.relname;

-- Lists the rows of the catalogue to remove: of a group that is gone, or without a working index.
-- name: VectorIndexStale :many
WITH valid AS MATERIALIZED (
    SELECT i.relname::text AS name
    FROM pg_catalog.pg_index x
    JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = i.relnamespace
    WHERE n.nspname = 'annals_internal' AND x.indisvalid
)
SELECT v.group_id, v.kind, v.model, v.index_name, v.rows_at_build
FROM annals_internal.vector_indexes v
WHERE NOT v.valid OR NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = v.group_id)
    OR v.index_name NOT IN (SELECT x.name FROM valid x)
ORDER BY v.group_id, v.kind, v.model;

-- Lists the kinds of a group whose vectors may need an index, or no longer need theirs. Counting
-- vectors reads all of them, so it is due only if the number of documents suggests it or is
-- unknown, and otherwise once an hour.
-- name: VectorKindsToCount :many
SELECT k.kind::text AS kind
FROM unnest(enum_range(NULL, 'community'::annals.kind)) AS k(kind)
LEFT JOIN LATERAL (
    SELECT c.documents * CASE c.kind WHEN 'episode' THEN @per_episode::bigint ELSE 1 END AS vectors
    FROM annals_internal.search_statistics c
    WHERE c.group_id = @group_id AND c.kind = k.kind
) s ON true
LEFT JOIN (
    SELECT v.kind, max(v.rows_at_build) AS rows_at_build, min(v.checked_at) AS checked_at
    FROM annals_internal.vector_indexes v
    WHERE v.group_id = @group_id
    GROUP BY v.kind
) x ON x.kind = k.kind
WHERE s.vectors IS NULL
    OR (x.kind IS NULL AND s.vectors >= @threshold::bigint)
    OR (x.kind IS NOT NULL AND (s.vectors >= 2 * x.rows_at_build OR 2 * s.vectors < @threshold::bigint
        OR x.checked_at < now() - interval '1 hour'));

-- Returns the types of vectors and pgvector's schema: for connections, and for statements that
-- build indexes.
-- name: VectorType :one
SELECT n.nspname::text AS schema, t.oid::oid AS oid, t.typarray::oid AS of_many
FROM pg_catalog.pg_extension e
JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
JOIN pg_catalog.pg_type t ON t.typnamespace = n.oid AND t.typname = 'halfvec'
WHERE e.extname = 'vector';
