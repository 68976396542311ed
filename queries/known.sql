-- Search in what was believed at a time: the rows as they were worded then,
-- those among them that have since left the graph.

-- name: CommunitiesKnownByIDs :many
SELECT v.id, v.name, v.summary, v.created_at
FROM annals.communities_at(@group_id, @known_at::timestamptz) v
WHERE v.id = ANY(@ids::uuid[]);

-- name: EntitiesKnownByIDs :many
SELECT v.id, v.name, v.aliases, v.labels, v.summary, v.attributes, v.created_at, v.recorded
FROM annals.entities_at(@group_id, @known_at::timestamptz) v
WHERE v.id = ANY(@ids::uuid[]);

-- The facts of those entities, the nearest and then the newest first: of each
-- entity the ten newest.
-- name: FactsAroundKnown :many
SELECT a.id::uuid AS id, (1.0 / a.place)::float8 AS score
FROM (
    SELECT t.id, min(t.place) AS place
    FROM (
        SELECT f.id, n.place, row_number() OVER (PARTITION BY n.id ORDER BY f.id DESC) AS newest
        FROM unnest(@entity_ids::uuid[]) WITH ORDINALITY AS n(id, place)
        JOIN annals.fact_versions f ON f.group_id = @group_id AND f.recorded @> @known_at::timestamptz
            AND n.id IN (f.source_id, f.target_id)
        WHERE f.id IN (SELECT annals.matching_known(@group_id, 'fact', @filter::jsonb, sqlc.narg('valid_at')::timestamptz,
            @known_at::timestamptz, @include_ended::boolean))
    ) t
    WHERE t.newest <= 10
    GROUP BY t.id
) a
ORDER BY a.place, a.id DESC
LIMIT @max_rows::int;

-- name: FactsKnownByIDs :many
SELECT v.id, v.source_id, v.target_id, v.source::text AS source, v.target::text AS target, v.predicate, v.fact, v.attributes,
    v.valid, v.recorded, v.created_at, v.expired_at, v.statement_id, v.episodes::uuid[] AS episodes
FROM annals.facts_known(@group_id, @known_at::timestamptz) v
WHERE v.id = ANY(@ids::uuid[]);

-- The rows believed then whose vectors, as they were then, lie nearest.
-- name: NearestKnown :many
WITH past AS MATERIALIZED (
    SELECT DISTINCT ON (h.id) h.id, h.embedding
    FROM annals.embeddings_history h
    WHERE h.group_id = @group_id AND h.kind = @kind::annals.kind AND h.model = @model AND h.until > @known_at::timestamptz
    ORDER BY h.id, h.until
), present AS (
    SELECT v.fact_id AS id, v.embedding FROM annals.fact_embeddings v
    WHERE @kind::annals.kind = 'fact' AND v.group_id = @group_id AND v.model = @model
    UNION ALL
    SELECT v.entity_id, v.embedding FROM annals.entity_embeddings v
    WHERE @kind::annals.kind = 'entity' AND v.group_id = @group_id AND v.model = @model
    UNION ALL
    SELECT v.community_id, v.embedding FROM annals.community_embeddings v
    WHERE @kind::annals.kind = 'community' AND v.group_id = @group_id AND v.model = @model
), candidate AS (
    SELECT p.id, p.embedding FROM past p
    UNION ALL
    SELECT v.id, v.embedding FROM present v WHERE v.id NOT IN (SELECT p.id FROM past p)
)
SELECT c.id::uuid AS id, (1 - annals.distance(c.embedding, @embedding))::float8 AS score
FROM candidate c
WHERE c.id IN (SELECT annals.matching_known(@group_id, @kind::annals.kind, @filter::jsonb, sqlc.narg('valid_at')::timestamptz,
    @known_at::timestamptz, @include_ended::boolean))
ORDER BY annals.distance(c.embedding, @embedding) + 0, c.id
LIMIT @max_rows::int;

-- What contained phrases word by word then, the most of them and then the
-- shortest first. All rows of the time are looked at, by their terms.
-- name: RankKnownByPhrases :many
WITH asked AS MATERIALIZED (
    SELECT phraseto_tsquery(g.text_search, annals.segmented(p.phrase)) AS phrase
    FROM annals.groups g
    CROSS JOIN LATERAL unnest(@phrases::text[]) AS p(phrase)
    WHERE g.group_id = @group_id
), containing AS MATERIALIZED (
    SELECT d.id, count(*) AS phrases, min(d.length) AS length
    FROM (
        SELECT f.id, f.terms, f.length FROM annals.facts f
        WHERE @kind::annals.kind = 'fact' AND f.group_id = @group_id AND f.recorded @> @known_at::timestamptz
        UNION ALL
        SELECT f.id, f.terms, f.length FROM annals.facts_history f
        WHERE @kind::annals.kind = 'fact' AND f.group_id = @group_id AND f.recorded @> @known_at::timestamptz
        UNION ALL
        SELECT e.id, e.terms, e.length FROM annals.entities e
        WHERE @kind::annals.kind = 'entity' AND e.group_id = @group_id AND e.recorded @> @known_at::timestamptz
        UNION ALL
        SELECT e.id, e.terms, e.length FROM annals.entities_history e
        WHERE @kind::annals.kind = 'entity' AND e.group_id = @group_id AND e.recorded @> @known_at::timestamptz
        UNION ALL
        SELECT c.id, c.terms, c.length FROM annals.communities c
        WHERE @kind::annals.kind = 'community' AND c.group_id = @group_id AND c.recorded @> @known_at::timestamptz
        UNION ALL
        SELECT c.id, c.terms, c.length FROM annals.communities_history c
        WHERE @kind::annals.kind = 'community' AND c.group_id = @group_id AND c.recorded @> @known_at::timestamptz
    ) d
    JOIN asked a ON d.terms @@ a.phrase
    GROUP BY d.id
)
SELECT c.id::uuid AS id, c.phrases::float8 AS score
FROM containing c
WHERE c.id IN (SELECT annals.matching_known(@group_id, @kind::annals.kind, @filter::jsonb, sqlc.narg('valid_at')::timestamptz,
    @known_at::timestamptz, @include_ended::boolean))
ORDER BY c.phrases DESC, c.length, c.id
LIMIT @max_rows::int;

-- Okapi BM25, as RankByTerms, over the terms that the rows had then. They are
-- read from the rows: there are no postings of what is no longer so.
-- name: RankKnownByTerms :many
WITH asked AS MATERIALIZED (
    SELECT array_agg(t.term) AS terms,
        string_agg('''' || replace(replace(t.term, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery AS any_term
    FROM annals.groups g
    CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(g.text_search, annals.segmented(@query::text)))) AS t(term)
    WHERE g.group_id = @group_id
), statistics AS MATERIALIZED (
    SELECT greatest(coalesce(max(s.documents), 0), 1)::float8 AS documents,
        greatest(coalesce(max(s.terms)::float8 / nullif(max(s.documents), 0), 1), 1) AS mean_length
    FROM annals.search_statistics s
    WHERE s.group_id = @group_id AND s.kind = @kind::annals.kind
), document AS MATERIALIZED (
    SELECT d.id, d.terms, d.length
    FROM (
        SELECT f.id, f.terms, f.length FROM annals.facts f
        WHERE @kind::annals.kind = 'fact' AND f.group_id = @group_id AND f.recorded @> @known_at::timestamptz
        UNION ALL
        SELECT f.id, f.terms, f.length FROM annals.facts_history f
        WHERE @kind::annals.kind = 'fact' AND f.group_id = @group_id AND f.recorded @> @known_at::timestamptz
        UNION ALL
        SELECT e.id, e.terms, e.length FROM annals.entities e
        WHERE @kind::annals.kind = 'entity' AND e.group_id = @group_id AND e.recorded @> @known_at::timestamptz
        UNION ALL
        SELECT e.id, e.terms, e.length FROM annals.entities_history e
        WHERE @kind::annals.kind = 'entity' AND e.group_id = @group_id AND e.recorded @> @known_at::timestamptz
        UNION ALL
        SELECT c.id, c.terms, c.length FROM annals.communities c
        WHERE @kind::annals.kind = 'community' AND c.group_id = @group_id AND c.recorded @> @known_at::timestamptz
        UNION ALL
        SELECT c.id, c.terms, c.length FROM annals.communities_history c
        WHERE @kind::annals.kind = 'community' AND c.group_id = @group_id AND c.recorded @> @known_at::timestamptz
    ) d
    WHERE d.terms @@ (SELECT a.any_term FROM asked a)
), found AS MATERIALIZED (
    SELECT d.id, d.length, t.lexeme AS term, cardinality(t.positions) AS tf
    FROM document d
    CROSS JOIN LATERAL unnest(d.terms) AS t(lexeme, positions, weights)
    WHERE t.lexeme = ANY (SELECT unnest(a.terms) FROM asked a)
), weight AS MATERIALIZED (
    SELECT f.term, ln(1 + (greatest(max(s.documents), count(*)) - count(*) + 0.5) / (count(*) + 0.5)) AS idf
    FROM found f, statistics s
    GROUP BY f.term
)
SELECT f.id::uuid AS id, sum(w.idf * f.tf * 2.2 / (f.tf + 1.2 * (0.25 + 0.75 * f.length / s.mean_length)))::float8 AS score
FROM found f JOIN weight w USING (term), statistics s
WHERE f.id IN (SELECT annals.matching_known(@group_id, @kind::annals.kind, @filter::jsonb, sqlc.narg('valid_at')::timestamptz,
    @known_at::timestamptz, @include_ended::boolean))
GROUP BY f.id
ORDER BY 2 DESC, f.id
LIMIT @max_rows::int;

-- The vectors that rows had then: that which was replaced first since, else
-- the one that stands.
-- name: VectorsKnown :many
WITH past AS MATERIALIZED (
    SELECT DISTINCT ON (h.id) h.id, h.embedding
    FROM annals.embeddings_history h
    WHERE h.group_id = @group_id AND h.kind = @kind::annals.kind AND h.model = @model AND h.until > @known_at::timestamptz
        AND h.id = ANY(@ids::uuid[])
    ORDER BY h.id, h.until
), present AS (
    SELECT v.fact_id AS id, v.embedding FROM annals.fact_embeddings v
    WHERE @kind::annals.kind = 'fact' AND v.group_id = @group_id AND v.model = @model AND v.fact_id = ANY(@ids::uuid[])
    UNION ALL
    SELECT v.entity_id, v.embedding FROM annals.entity_embeddings v
    WHERE @kind::annals.kind = 'entity' AND v.group_id = @group_id AND v.model = @model AND v.entity_id = ANY(@ids::uuid[])
    UNION ALL
    SELECT v.community_id, v.embedding FROM annals.community_embeddings v
    WHERE @kind::annals.kind = 'community' AND v.group_id = @group_id AND v.model = @model AND v.community_id = ANY(@ids::uuid[])
)
SELECT p.id, p.embedding FROM past p
UNION ALL
SELECT v.id, v.embedding FROM present v WHERE v.id NOT IN (SELECT p.id FROM past p);
