-- Returns the newest migration that ran, and the dimensions of vectors; 0: no migration ran, or no
-- dimensions are set yet. blind: row-level security hides everything from this role.
-- name: SchemaState :one
SELECT coalesce((SELECT max(m.version) FROM annals.migrations m), 0)::bigint AS migration,
    coalesce((SELECT s.value::int FROM annals_internal.settings s WHERE s.group_id = '' AND s.name = 'embedding_dimension'), 0)::int AS dimension,
    (row_security_active('annals_internal.settings'::regclass::oid) AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_policy p CROSS JOIN LATERAL unnest(p.polroles) AS r(role)
        WHERE p.polrelid = 'annals_internal.settings'::regclass AND (r.role = 0 OR pg_has_role(r.role, 'USAGE'))))::boolean AS blind;

-- name: EmbeddingDimension :one
SELECT value::int AS dimension
FROM annals_internal.settings
WHERE group_id = '' AND name = 'embedding_dimension';

-- Sets the dimensions of vectors, if they are not set yet.
-- name: EmbeddingDimensionFix :one
SELECT annals_internal.fix_embedding_dimension(@dimension::int)::int AS dimension;

-- name: ServerVersions :one
SELECT current_setting('server_version')::text AS server,
    (SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'vector')::text AS pgvector;

-- Reports whether the tables are from before the first release.
-- name: SchemaFormer :one
SELECT (to_regclass('annals.migrations') IS NULL AND to_regclass('annals.episodes') IS NOT NULL)::boolean AS former;
