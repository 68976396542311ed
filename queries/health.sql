-- The health of the database, for its operators. All of it is about all groups.

-- name: HealthClock :one
SELECT clock_timestamp()::timestamptz AS now;

-- Counts the rows whose counter, kept by triggers, is wrong: mentions of entities, members of
-- communities, and the rows that searches rank. Those of a group that is being read are counted
-- once no episode waits.
-- name: HealthCounts :one
SELECT (
        SELECT count(*)
        FROM annals.entities e
        LEFT JOIN annals_internal.entity_mentions k ON k.group_id = e.group_id AND k.entity_id = e.id
        LEFT JOIN (SELECT r.group_id, r.entity_id, count(*) AS episodes FROM annals.mentions r GROUP BY r.group_id, r.entity_id) m
            ON m.group_id = e.group_id AND m.entity_id = e.id
        WHERE (k.name, k.mentions::bigint) IS DISTINCT FROM (e.name, coalesce(m.episodes, 0))
    )::bigint AS entities,
    (
        SELECT count(*)
        FROM annals.communities c
        LEFT JOIN (SELECT r.group_id, r.community_id, count(*) AS entities FROM annals.community_members r GROUP BY r.group_id, r.community_id) m
            ON m.group_id = c.group_id AND m.community_id = c.id
        WHERE c.size <> coalesce(m.entities, 0)
    )::bigint AS communities,
    (
        SELECT count(*)
        FROM annals.groups g
        WHERE EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = g.group_id AND e.state = 'done')
            AND NOT EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = g.group_id AND e.state IN ('pending', 'processing') AND NOT e.deferred)
            AND NOT EXISTS (SELECT FROM annals_internal.search_statistics s WHERE s.group_id = g.group_id)
    )::bigint AS groups;

-- Lists the tables in which most rows are dead and were not vacuumed.
-- name: HealthDeadRows :many
SELECT r.qualified::text AS name, s.n_live_tup::bigint AS live, s.n_dead_tup::bigint AS dead
FROM pg_catalog.pg_stat_user_tables s
JOIN annals_internal.relations() r ON to_regclass(r.qualified) = s.relid AND NOT r.is_view
WHERE s.n_dead_tup > @least::bigint AND s.n_dead_tup > s.n_live_tup * @share::float8
ORDER BY s.n_dead_tup DESC, s.relname;

-- name: HealthExtensions :many
SELECT extname::text AS name, extversion::text AS version
FROM pg_catalog.pg_extension
ORDER BY extname;

-- Lists invalid indexes, left by an interrupted build: no statement uses them.
-- name: HealthInvalidIndexes :many
SELECT (n.nspname || '.' || i.relname)::text AS name
FROM pg_catalog.pg_index x
JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
JOIN pg_catalog.pg_namespace n ON n.oid = i.relnamespace
JOIN annals_internal.relations() r ON to_regclass(r.qualified) = x.indrelid
WHERE NOT x.indisvalid
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_stat_progress_create_index p WHERE p.index_relid = x.indexrelid)
ORDER BY i.relname;

-- Lists vector indexes of groups that are in our catalogue but do not exist.
-- name: HealthLostIndexes :many
WITH valid AS MATERIALIZED (
    SELECT i.relname::text AS name
    FROM pg_catalog.pg_index x
    JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = i.relnamespace
    WHERE n.nspname = 'annals_internal' AND x.indisvalid
)
SELECT v.group_id, v.kind, v.rows_at_build
FROM annals_internal.vector_indexes v
WHERE v.valid AND NOT EXISTS (SELECT FROM valid x WHERE x.name = v.index_name)
ORDER BY v.group_id, v.kind;

-- name: HealthQueue :one
SELECT count(*) FILTER (WHERE state IN ('pending', 'processing') AND NOT deferred) AS waiting,
    count(*) FILTER (WHERE state = 'failed') AS failed,
    coalesce(extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE state IN ('pending', 'processing') AND NOT deferred)), 0)::float8
        AS oldest_seconds
FROM annals.episodes
WHERE state IN ('pending', 'processing', 'failed');

-- Lists sequences whose next number is taken, as after a restore of data alone.
-- name: HealthSequences :many
SELECT (s.schemaname || '.' || s.sequencename)::text AS name
FROM pg_catalog.pg_sequences s
WHERE s.schemaname = 'annals_internal' AND coalesce(s.last_value, 0) < CASE s.sequencename
    WHEN 'river_job_id_seq' THEN (SELECT coalesce(max(j.id), 0) FROM annals_internal.river_job j)
    WHEN 'river_notification_id_seq' THEN (SELECT coalesce(max(n.id), 0) FROM annals_internal.river_notification n)
    END
ORDER BY s.sequencename;

-- name: HealthSizes :one
SELECT pg_database_size(current_database())::bigint AS database,
    coalesce(sum(pg_table_size(c.oid)), 0)::bigint AS tables, coalesce(sum(pg_indexes_size(c.oid)), 0)::bigint AS indexes
FROM annals_internal.relations() r
JOIN pg_catalog.pg_class c ON c.oid = to_regclass(r.qualified)
WHERE NOT r.is_view;

-- Lists the large tables whose planner statistics are missing or outdated, because most rows
-- changed since.
-- name: HealthStale :many
SELECT s.schemaname::text AS schema, s.relname::text AS name, s.n_mod_since_analyze::bigint AS changed
FROM pg_catalog.pg_stat_user_tables s
JOIN pg_catalog.pg_class c ON c.oid = s.relid
WHERE (s.schemaname = 'annals_internal' AND s.relname LIKE 'river\_%' OR s.relid IN (SELECT to_regclass(r.qualified) FROM annals_internal.relations() r))
    AND (s.n_mod_since_analyze > @least::bigint AND s.n_mod_since_analyze > s.n_live_tup * @share::float8
        OR c.reltuples < 0 AND pg_relation_size(c.oid) > @bytes::bigint)
ORDER BY s.n_mod_since_analyze DESC, s.schemaname, s.relname;

-- Lists groups that are large enough for a vector index and have none.
-- name: HealthUnindexed :many
SELECT s.group_id, s.kind, s.documents
FROM annals_internal.search_statistics s
WHERE s.documents >= @threshold::bigint -- an episode may have more vectors than one
    AND NOT EXISTS (SELECT FROM annals_internal.vector_indexes v WHERE v.group_id = s.group_id AND v.kind = s.kind AND v.valid)
ORDER BY s.documents DESC, s.group_id, s.kind;
