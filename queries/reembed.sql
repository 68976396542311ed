-- Announces another model. From now on its vectors are added beside the current ones.
-- name: EmbedderBegin :exec
INSERT INTO annals_internal.settings (group_id, name, value)
VALUES ('', 'next_embedder', to_jsonb(@embedder::text))
ON CONFLICT (group_id, name) DO UPDATE SET value = excluded.value;

-- Waits until nobody writes vectors, and blocks such writes until the transaction ends; see
-- annals_internal.check_embedder. It gives up before those that queue behind it are delayed
-- noticeably.
-- name: EmbedderLock :one
WITH patience AS MATERIALIZED (
    SELECT set_config('lock_timeout', '500ms', true) AS timeout
)
SELECT pg_advisory_xact_lock(hashtextextended('annals.embedder' || left(p.timeout, 0), 0))::text AS locked FROM patience p;

-- Makes the announced model the one in force.
-- name: EmbedderSwitch :exec
WITH done AS (
    DELETE FROM annals_internal.settings s WHERE s.group_id = '' AND s.name = 'next_embedder'
)
INSERT INTO annals_internal.settings (group_id, name, value)
VALUES ('', 'embedder', to_jsonb(@embedder::text)), ('', 'embedding_dimension', to_jsonb(@dimension::int))
ON CONFLICT (group_id, name) DO UPDATE SET value = excluded.value;

-- Returns the model whose vectors are in force, if one was ever chosen, and the announced one.
-- name: Embedders :one
SELECT coalesce(annals_internal.current_embedder(), '')::text AS embedder, coalesce(annals_internal.next_embedder(), '')::text AS next_embedder;

-- Lists the groups, page by page.
-- name: GroupsAfter :many
SELECT group_id
FROM annals.groups
WHERE group_id > @after
ORDER BY group_id
LIMIT @max_rows::int;

-- Removes the vectors of former versions, of other models or of one alone.
-- name: PastVectorsDrop :execrows
DELETE FROM annals_internal.embeddings_history d
WHERE d.group_id = @group_id AND (d.model = @model) = @own::boolean;

-- Lets the indexes be checked again, for a model that has none yet.
-- name: VectorIndexesRecheck :exec
UPDATE annals_internal.vector_indexes SET checked_at = '-infinity' WHERE model <> @model;

-- Retires the indexes over vectors of other models. The next run drops them.
-- name: VectorIndexesRetire :exec
UPDATE annals_internal.vector_indexes SET valid = false WHERE model <> @model;

-- Counts the rows of a group that lack a vector of a model.
-- name: VectorsMissing :one
SELECT (SELECT count(*) FROM annals.episodes e WHERE e.group_id = @group_id AND (e.state = 'done' OR e.deferred) AND NOT EXISTS (
        SELECT FROM annals_internal.episode_embeddings v WHERE v.group_id = e.group_id AND v.model = @model AND v.episode_id = e.id AND v.part = 0)) AS episodes,
    (SELECT count(*) FROM annals.entities n WHERE n.group_id = @group_id AND NOT EXISTS (
        SELECT FROM annals_internal.entity_embeddings v WHERE v.group_id = n.group_id AND v.model = @model AND v.entity_id = n.id)) AS entities,
    (SELECT count(*) FROM annals.facts f WHERE f.group_id = @group_id AND NOT EXISTS (
        SELECT FROM annals_internal.fact_embeddings v WHERE v.group_id = f.group_id AND v.model = @model AND v.fact_id = f.id)) AS facts,
    (SELECT count(*) FROM annals.communities c WHERE c.group_id = @group_id AND NOT c.stale AND NOT EXISTS (
        SELECT FROM annals_internal.community_embeddings v WHERE v.group_id = c.group_id AND v.model = @model AND v.community_id = c.id)) AS communities;

-- Removes some of a group's vectors of other models, or of one model alone.
-- name: VectorsDrop :one
SELECT annals_internal.drop_vectors(@group_id, @kind::annals.kind, @model::text, @own::boolean, @max_rows::int) AS removed;

-- Adds vectors to rows whose text is still the one they were made from.
-- name: VectorsFill :one
SELECT annals_internal.fill_vectors(@group_id, @kind::annals.kind, @model::text, @ids::uuid[], @texts::text[], @predicates::text[],
    @embeddings::text[]) AS added;

-- Reads a page of a group's rows in the order of their keys, with whether each lacks a vector of a
-- model.
-- name: VectorsPage :many
SELECT r.id::uuid AS id, r.words::text AS text, r.predicate::text AS predicate, r.source::text AS source, r.role::text AS role,
    r.missing::boolean AS missing
FROM annals_internal.vectors_missing(@group_id, @kind::annals.kind, @model::text, @after::uuid, @max_rows::int) r;
