-- name: EntityEmbeddingUpsert :batchexec
INSERT INTO annals_internal.entity_embeddings (group_id, model, entity_id, embedding)
VALUES (@group_id, @model, @entity_id, @embedding)
ON CONFLICT (group_id, model, entity_id) DO UPDATE SET embedding = excluded.embedding;

-- Stores a vector of an episode, which is the whole, or one of its passages. With the
-- whole go the vectors of passages that it has no longer.
-- name: EpisodeEmbeddingUpsert :batchexec
WITH former AS (
    DELETE FROM annals_internal.episode_embeddings v
    WHERE @part = 0 AND v.group_id = @group_id AND v.model = @model AND v.episode_id = @episode_id AND v.part > @last_part
)
INSERT INTO annals_internal.episode_embeddings (group_id, model, episode_id, part, embedding)
VALUES (@group_id, @model, @episode_id, @part, @embedding)
ON CONFLICT (group_id, model, episode_id, part) DO UPDATE SET embedding = excluded.embedding;

-- name: FactEmbeddingUpsert :batchexec
INSERT INTO annals_internal.fact_embeddings (group_id, model, fact_id, embedding)
VALUES (@group_id, @model, @fact_id, @embedding)
ON CONFLICT (group_id, model, fact_id) DO UPDATE SET embedding = excluded.embedding;
