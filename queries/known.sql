-- Search in what was believed at a time: rows with their texts of that time, also those that have
-- left the graph since.

-- name: CommunitiesKnownByIDs :many
SELECT v.* FROM annals_internal.community_rows v
WHERE v.group_id = @group_id AND v.id = ANY(@ids::uuid[]) AND v.recorded @> @known_at::timestamptz;

-- name: EntitiesKnownByIDs :many
SELECT v.* FROM annals_internal.entity_rows v
WHERE v.group_id = @group_id AND v.id = ANY(@ids::uuid[]) AND v.recorded @> @known_at::timestamptz
    AND v.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'entity', @known_at::timestamptz));

-- Lists the ten newest facts of each entity, in the order of the entities, the newest first.
-- name: FactsAroundKnown :many
SELECT a.id::uuid AS id, a.place::int AS place
FROM (
    SELECT t.id, min(t.place) AS place
    FROM (
        SELECT f.id, n.place, row_number() OVER (PARTITION BY n.id ORDER BY f.id DESC) AS newest
        FROM unnest(@entity_ids::uuid[]) WITH ORDINALITY AS n(id, place)
        JOIN (
            SELECT c.id, c.source_id, c.target_id, c.recorded FROM annals.facts c WHERE c.group_id = @group_id
            UNION ALL
            SELECT h.id, h.source_id, h.target_id, h.recorded FROM annals_internal.facts_history h WHERE h.group_id = @group_id
        ) f ON f.recorded @> @known_at::timestamptz AND n.id IN (f.source_id, f.target_id)
        WHERE f.id IN (SELECT annals_internal.matching_known(@group_id, 'fact', @filter::jsonb, sqlc.narg('valid_at')::timestamptz,
            @known_at::timestamptz, @include_ended::boolean))
    ) t
    WHERE t.newest <= 10
    GROUP BY t.id
) a
ORDER BY a.place, a.id DESC
LIMIT @max_rows::int;

-- name: FactsKnownByIDs :many
SELECT v.* FROM annals_internal.fact_versions_of(@group_id, @ids::uuid[], @known_at::timestamptz) v;

-- Ranks the rows believed at that time by the nearness of the vectors that they had then.
-- name: NearestKnown :many
SELECT r.*
FROM annals_internal.nearest_known(@group_id, @kind::annals.kind, @model::text, @embedding, @filter::jsonb,
    sqlc.narg('valid_at')::timestamptz, @known_at::timestamptz, @include_ended::boolean, @max_rows::int) r;

-- Ranks the rows whose text at that time contains phrases word by word.
-- name: RankKnownByPhrases :many
SELECT r.*
FROM annals_internal.rank_known_by_phrases(@group_id, @kind::annals.kind, @phrases::text[], @filter::jsonb,
    sqlc.narg('valid_at')::timestamptz, @known_at::timestamptz, @include_ended::boolean, @max_rows::int) r;

-- Ranks by Okapi BM25 over the terms that the rows had at that time.
-- name: RankKnownByTerms :many
SELECT r.*
FROM annals_internal.rank_known_by_terms(@group_id, @kind::annals.kind, @query::text, @filter::jsonb,
    sqlc.narg('valid_at')::timestamptz, @known_at::timestamptz, @include_ended::boolean, @max_rows::int) r;

-- Reads the vectors that rows had at that time: the first that was replaced since, or else the
-- current one.
-- name: VectorsKnown :many
WITH past AS MATERIALIZED (
    SELECT DISTINCT ON (h.id) h.id, h.embedding
    FROM annals_internal.embeddings_history h
    WHERE h.group_id = @group_id AND h.kind = @kind::annals.kind AND h.model = @model AND h.until > @known_at::timestamptz
        AND h.id = ANY(@ids::uuid[])
    ORDER BY h.id, h.until
)
SELECT v.* FROM annals.vectors v
WHERE v.group_id = @group_id AND v.kind = @kind::annals.kind AND v.model = @model AND v.id = ANY(@ids::uuid[])
    AND v.id NOT IN (SELECT p.id FROM past p)
UNION ALL
SELECT @group_id, @kind::annals.kind, @model, p.id, p.embedding FROM past p;

-- Lists those of some rows of a kind that were believed at that time and pass a filter.
-- name: MatchingKnown :many
SELECT i.id::uuid AS id
FROM unnest(@ids::uuid[]) AS i(id)
WHERE i.id IN (SELECT annals_internal.matching_known(@group_id, @kind::annals.kind, @filter::jsonb, sqlc.narg('valid_at')::timestamptz,
    @known_at::timestamptz, @include_ended::boolean));
