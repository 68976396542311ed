-- name: EntityEmbeddingUpsert :batchexec
INSERT INTO annals.entity_embeddings (group_id, model, entity_id, embedding)
VALUES (@group_id, @model, @entity_id, @embedding)
ON CONFLICT (group_id, model, entity_id) DO UPDATE SET embedding = excluded.embedding;

-- name: EpisodeEmbeddingUpsert :batchexec
INSERT INTO annals.episode_embeddings (group_id, model, episode_id, embedding)
VALUES (@group_id, @model, @episode_id, @embedding)
ON CONFLICT (group_id, model, episode_id) DO UPDATE SET embedding = excluded.embedding;

-- name: FactEmbeddingUpsert :batchexec
INSERT INTO annals.fact_embeddings (group_id, model, fact_id, embedding)
VALUES (@group_id, @model, @fact_id, @embedding)
ON CONFLICT (group_id, model, fact_id) DO UPDATE SET embedding = excluded.embedding;
