-- name: EmbeddingDimension :one
SELECT value::int AS dimension
FROM annals.settings
WHERE group_id = '' AND name = 'embedding_dimension';

-- name: ServerVersions :one
SELECT current_setting('server_version')::text AS server,
    (SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'vector')::text AS pgvector;
