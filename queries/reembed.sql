-- name: CommunityVectorsDrop :execrows
DELETE FROM annals.community_embeddings d
WHERE d.group_id = @group_id AND (d.model, d.community_id) IN (
    SELECT v.model, v.community_id FROM annals.community_embeddings v
    WHERE v.group_id = @group_id AND (v.model = @model) = @own::boolean
    LIMIT @max_rows::int);

-- name: CommunityVectorsFill :execrows
INSERT INTO annals.community_embeddings (group_id, model, community_id, embedding)
SELECT r.group_id, @model, r.id, annals.to_vector(v.embedding)
FROM (
    SELECT unnest(@ids::uuid[]) AS id, unnest(@texts::text[]) AS text, unnest(@predicates::text[]) AS predicate,
        unnest(@embeddings::text[]) AS embedding
) v
JOIN annals.communities r ON r.group_id = @group_id AND r.id = v.id AND r.name = v.text
FOR SHARE OF r SKIP LOCKED
ON CONFLICT (group_id, model, community_id) DO NOTHING;

-- name: CommunityVectorsMissing :many
WITH page AS MATERIALIZED (
    SELECT p.id FROM annals.communities p
    WHERE p.group_id = @group_id AND p.id > @after
    ORDER BY p.id
    LIMIT @max_rows::int
)
SELECT r.id, r.name AS text, ''::text AS predicate, (NOT EXISTS (
        SELECT FROM annals.community_embeddings v WHERE v.group_id = r.group_id AND v.model = @model AND v.community_id = r.id))::boolean AS missing
FROM page
JOIN annals.communities r ON r.group_id = @group_id AND r.id = page.id
ORDER BY r.id;

-- From now on vectors of another model are filled in beside the others.
-- name: EmbedderBegin :exec
INSERT INTO annals.settings (group_id, name, value)
VALUES ('', 'next_embedder', to_jsonb(@embedder::text))
ON CONFLICT (group_id, name) DO UPDATE SET value = excluded.value;

-- Waits until nobody is writing vectors, and keeps others from it until the end
-- of the transaction; see annals.check_embedder. It gives up before those that
-- queue behind it notice.
-- name: EmbedderLock :one
WITH patience AS MATERIALIZED (
    SELECT set_config('lock_timeout', '500ms', true) AS timeout
)
SELECT pg_advisory_xact_lock(hashtextextended('annals.embedder' || left(p.timeout, 0), 0))::text AS locked FROM patience p;

-- The filled-in model is the one in force.
-- name: EmbedderSwitch :exec
WITH done AS (
    DELETE FROM annals.settings s WHERE s.group_id = '' AND s.name = 'next_embedder'
)
INSERT INTO annals.settings (group_id, name, value)
VALUES ('', 'embedder', to_jsonb(@embedder::text)), ('', 'embedding_dimension', to_jsonb(@dimension::int))
ON CONFLICT (group_id, name) DO UPDATE SET value = excluded.value;

-- What makes the vectors in force, where that was ever decided, and those that
-- are being filled in.
-- name: Embedders :one
SELECT coalesce(annals.embedder(), '')::text AS embedder, coalesce(annals.next_embedder(), '')::text AS next_embedder;

-- name: EntityVectorsDrop :execrows
DELETE FROM annals.entity_embeddings d
WHERE d.group_id = @group_id AND (d.model, d.entity_id) IN (
    SELECT v.model, v.entity_id FROM annals.entity_embeddings v
    WHERE v.group_id = @group_id AND (v.model = @model) = @own::boolean
    LIMIT @max_rows::int);

-- name: EntityVectorsFill :execrows
INSERT INTO annals.entity_embeddings (group_id, model, entity_id, embedding)
SELECT r.group_id, @model, r.id, annals.to_vector(v.embedding)
FROM (
    SELECT unnest(@ids::uuid[]) AS id, unnest(@texts::text[]) AS text, unnest(@predicates::text[]) AS predicate,
        unnest(@embeddings::text[]) AS embedding
) v
JOIN annals.entities r ON r.group_id = @group_id AND r.id = v.id AND r.name = v.text
FOR SHARE OF r SKIP LOCKED
ON CONFLICT (group_id, model, entity_id) DO NOTHING;

-- name: EntityVectorsMissing :many
WITH page AS MATERIALIZED (
    SELECT p.id FROM annals.entities p
    WHERE p.group_id = @group_id AND p.id > @after
    ORDER BY p.id
    LIMIT @max_rows::int
)
SELECT r.id, r.name AS text, ''::text AS predicate, (NOT EXISTS (
        SELECT FROM annals.entity_embeddings v WHERE v.group_id = r.group_id AND v.model = @model AND v.entity_id = r.id))::boolean AS missing
FROM page
JOIN annals.entities r ON r.group_id = @group_id AND r.id = page.id
ORDER BY r.id;

-- Removes some of the vectors that other models made, or one model alone.
-- name: EpisodeVectorsDrop :execrows
DELETE FROM annals.episode_embeddings d
WHERE d.group_id = @group_id AND (d.model, d.episode_id) IN (
    SELECT v.model, v.episode_id FROM annals.episode_embeddings v
    WHERE v.group_id = @group_id AND (v.model = @model) = @own::boolean
    LIMIT @max_rows::int);

-- Adds vectors for rows that still have the text they were made from. Rows that
-- somebody is changing are left for the next time.
-- name: EpisodeVectorsFill :execrows
INSERT INTO annals.episode_embeddings (group_id, model, episode_id, embedding)
SELECT r.group_id, @model, r.id, annals.to_vector(v.embedding)
FROM (
    SELECT unnest(@ids::uuid[]) AS id, unnest(@texts::text[]) AS text, unnest(@predicates::text[]) AS predicate,
        unnest(@embeddings::text[]) AS embedding
) v
JOIN annals.episodes r ON r.group_id = @group_id AND r.id = v.id AND r.content = v.text
FOR SHARE OF r SKIP LOCKED
ON CONFLICT (group_id, model, episode_id) DO NOTHING;

-- A page of a group's rows in the order of their keys, and which of them lack a
-- vector of a model. Episodes that wait to be read get theirs when they are.
-- name: EpisodeVectorsMissing :many
WITH page AS MATERIALIZED (
    SELECT p.id FROM annals.episodes p
    WHERE p.group_id = @group_id AND p.id > @after
    ORDER BY p.id
    LIMIT @max_rows::int
)
SELECT r.id, r.content AS text, ''::text AS predicate, (NOT EXISTS (
        SELECT FROM annals.episode_embeddings v WHERE v.group_id = r.group_id AND v.model = @model AND v.episode_id = r.id)
        AND (r.state = 'done' OR r.deferred
            OR EXISTS (SELECT FROM annals.episode_embeddings o WHERE o.group_id = r.group_id AND o.episode_id = r.id)))::boolean AS missing
FROM page
JOIN annals.episodes r ON r.group_id = @group_id AND r.id = page.id
ORDER BY r.id;

-- name: FactVectorsDrop :execrows
DELETE FROM annals.fact_embeddings d
WHERE d.group_id = @group_id AND (d.model, d.fact_id) IN (
    SELECT v.model, v.fact_id FROM annals.fact_embeddings v
    WHERE v.group_id = @group_id AND (v.model = @model) = @own::boolean
    LIMIT @max_rows::int);

-- name: FactVectorsFill :execrows
INSERT INTO annals.fact_embeddings (group_id, model, fact_id, embedding)
SELECT r.group_id, @model, r.id, annals.to_vector(v.embedding)
FROM (
    SELECT unnest(@ids::uuid[]) AS id, unnest(@texts::text[]) AS text, unnest(@predicates::text[]) AS predicate,
        unnest(@embeddings::text[]) AS embedding
) v
JOIN annals.facts r ON r.group_id = @group_id AND r.id = v.id AND r.fact = v.text AND r.predicate = v.predicate
FOR SHARE OF r SKIP LOCKED
ON CONFLICT (group_id, model, fact_id) DO NOTHING;

-- name: FactVectorsMissing :many
WITH page AS MATERIALIZED (
    SELECT p.id FROM annals.facts p
    WHERE p.group_id = @group_id AND p.id > @after
    ORDER BY p.id
    LIMIT @max_rows::int
)
SELECT r.id, r.fact AS text, r.predicate AS predicate, (NOT EXISTS (
        SELECT FROM annals.fact_embeddings v WHERE v.group_id = r.group_id AND v.model = @model AND v.fact_id = r.id))::boolean AS missing
FROM page
JOIN annals.facts r ON r.group_id = @group_id AND r.id = page.id
ORDER BY r.id;

-- The groups, page by page.
-- name: GroupsAfter :many
SELECT group_id
FROM annals.groups
WHERE group_id > @after
ORDER BY group_id
LIMIT @max_rows::int;

-- The same of vectors that stood for what is no more.
-- name: PastVectorsDrop :execrows
DELETE FROM annals.embeddings_history d
WHERE d.group_id = @group_id AND (d.model = @model) = @own::boolean;

-- Has indexes looked at anew, for a model that has none yet.
-- name: VectorIndexesRecheck :exec
UPDATE annals.vector_indexes SET checked_at = '-infinity' WHERE model <> @model;

-- Lets go of the indexes over vectors of other models; the next run drops them.
-- name: VectorIndexesRetire :exec
UPDATE annals.vector_indexes SET valid = false WHERE model <> @model;

-- Whether the keys of the vectors hold the vectors themselves.
-- name: VectorKeys :many
SELECT t.relname::text AS vectors, (x.indnatts > x.indnkeyatts)::boolean AS covering
FROM pg_catalog.pg_index x
JOIN pg_catalog.pg_class t ON t.oid = x.indrelid
JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
WHERE n.nspname = 'annals' AND x.indisprimary AND t.relname ~ '^[a-z]+_embeddings$'
ORDER BY t.relname;

-- How many rows of a group lack a vector of a model.
-- name: VectorsMissing :one
SELECT (SELECT count(*) FROM annals.episodes e WHERE e.group_id = @group_id AND (e.state = 'done' OR e.deferred) AND NOT EXISTS (
        SELECT FROM annals.episode_embeddings v WHERE v.group_id = e.group_id AND v.model = @model AND v.episode_id = e.id)) AS episodes,
    (SELECT count(*) FROM annals.entities n WHERE n.group_id = @group_id AND NOT EXISTS (
        SELECT FROM annals.entity_embeddings v WHERE v.group_id = n.group_id AND v.model = @model AND v.entity_id = n.id)) AS entities,
    (SELECT count(*) FROM annals.facts f WHERE f.group_id = @group_id AND NOT EXISTS (
        SELECT FROM annals.fact_embeddings v WHERE v.group_id = f.group_id AND v.model = @model AND v.fact_id = f.id)) AS facts,
    (SELECT count(*) FROM annals.communities c WHERE c.group_id = @group_id AND NOT EXISTS (
        SELECT FROM annals.community_embeddings v WHERE v.group_id = c.group_id AND v.model = @model AND v.community_id = c.id)) AS communities;
