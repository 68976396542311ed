-- name: EntityEmbeddingUpsert :batchexec
INSERT INTO annals_internal.entity_embeddings (group_id, model, entity_id, embedding)
VALUES (@group_id, @model, @entity_id, @embedding)
ON CONFLICT (group_id, model, entity_id) DO UPDATE SET embedding = excluded.embedding;

-- Stores a vector of an episode: of the whole, or of one of its passages. Storing that of the whole
-- removes the vectors of passages that no longer exist.
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
