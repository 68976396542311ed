-- How the database is, for whoever runs it. All of it is about all groups.

-- name: HealthClock :one
SELECT clock_timestamp()::timestamptz AS now;

-- The tables in which most rows are dead, which vacuum has not got to.
-- name: HealthDeadRows :many
SELECT s.relname::text AS name, s.n_live_tup::bigint AS live, s.n_dead_tup::bigint AS dead
FROM pg_catalog.pg_stat_user_tables s
JOIN annals.relations() r ON r.name = s.relname AND NOT r.is_view
WHERE s.schemaname = 'annals' AND s.n_dead_tup > @least::bigint AND s.n_dead_tup > s.n_live_tup * @share::float8
ORDER BY s.n_dead_tup DESC, s.relname;

-- name: HealthExtensions :many
SELECT extname::text AS name, extversion::text AS version
FROM pg_catalog.pg_extension
ORDER BY extname;

-- Indexes that no statement uses because building them broke off.
-- name: HealthInvalidIndexes :many
SELECT i.relname::text AS name
FROM pg_catalog.pg_index x
JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
JOIN pg_catalog.pg_class t ON t.oid = x.indrelid
JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
JOIN annals.relations() r ON r.name = t.relname
WHERE n.nspname = 'annals' AND NOT x.indisvalid
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_stat_progress_create_index p WHERE p.index_relid = x.indexrelid)
ORDER BY i.relname;

-- name: HealthQueue :one
SELECT count(*) FILTER (WHERE state IN ('pending', 'processing') AND NOT deferred) AS waiting,
    count(*) FILTER (WHERE state = 'failed') AS failed,
    coalesce(extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE state IN ('pending', 'processing') AND NOT deferred)), 0)::float8
        AS oldest_seconds
FROM annals.episodes
WHERE state IN ('pending', 'processing', 'failed');

-- name: HealthSizes :one
SELECT pg_database_size(current_database())::bigint AS database,
    coalesce(sum(pg_table_size(c.oid)), 0)::bigint AS tables, coalesce(sum(pg_indexes_size(c.oid)), 0)::bigint AS indexes
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN annals.relations() r ON r.name = c.relname AND NOT r.is_view
WHERE n.nspname = 'annals';

-- Groups so large that their vectors should have an index, and have none.
-- name: HealthUnindexed :many
SELECT s.group_id, s.kind, s.documents
FROM annals.search_statistics s
WHERE s.documents >= @threshold::bigint
    AND NOT EXISTS (SELECT FROM annals.vector_indexes v WHERE v.group_id = s.group_id AND v.kind = s.kind AND v.valid)
ORDER BY s.documents DESC, s.group_id, s.kind;
