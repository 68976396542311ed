-- name: EmbeddingDimension :one
SELECT value::int AS dimension
FROM annals.settings
WHERE group_id = '' AND name = 'embedding_dimension';
