-- Okapi BM25 (Robertson & Zaragoza 2009, section 3.3) with k1 = 1.2, b = 0.75 and an idf that is never
-- negative. How many documents hold a term is counted in the same scan.
-- Facts are kept or left out by their validity before they are ranked.
-- name: RankByTerms :many
WITH asked AS MATERIALIZED (
    SELECT unnest(tsvector_to_array(to_tsvector(g.text_search, @query::text))) AS term
    FROM annals.groups g
    WHERE g.group_id = @group_id
), statistics AS MATERIALIZED (
    SELECT greatest(coalesce(max(s.documents), 0), 1)::float8 AS documents,
        greatest(coalesce(max(s.terms)::float8 / nullif(max(s.documents), 0), 1), 1) AS mean_length
    FROM annals.search_statistics s
    WHERE s.group_id = @group_id AND s.kind = @kind::annals.kind
), found AS MATERIALIZED (
    SELECT p.term, p.document_id, p.tf, p.length
    FROM asked a
    CROSS JOIN LATERAL (
        SELECT q.term, q.document_id, q.tf, q.length FROM annals.postings q
        WHERE q.group_id = @group_id AND q.kind = @kind::annals.kind AND q.term = a.term
        OFFSET 0
    ) p
), weight AS MATERIALIZED (
    SELECT f.term, ln(1 + (greatest(s.documents, count(*)) - count(*) + 0.5) / (count(*) + 0.5)) AS idf
    FROM found f, statistics s
    GROUP BY f.term, s.documents
), scored AS (
    SELECT f.document_id AS id,
        sum(w.idf * f.tf * 2.2 / (f.tf + 1.2 * (0.25 + 0.75 * f.length / s.mean_length)))::float8 AS score
    FROM found f JOIN weight w USING (term), statistics s
    GROUP BY f.document_id
)
SELECT c.id, c.score
FROM scored c
WHERE @kind::annals.kind <> 'fact' OR EXISTS (
    SELECT FROM annals.facts f
    WHERE f.group_id = @group_id AND f.id = c.id
        AND (sqlc.narg('valid_at')::timestamptz IS NULL OR f.valid @> sqlc.narg('valid_at')::timestamptz)
        AND (@include_ended::boolean OR sqlc.narg('valid_at')::timestamptz IS NOT NULL
            OR upper_inf(f.valid) OR upper(f.valid) > now())
)
ORDER BY c.score DESC, c.id
LIMIT @max_rows::int;

-- The + 0 keeps any approximate index out: up to some twenty thousand vectors
-- a group, reading them all from the covering key is as fast and misses nothing.
-- name: EntitiesByVector :many
SELECT v.entity_id AS id, (1 - (v.embedding <=> @embedding))::float8 AS score
FROM annals.entity_embeddings v
WHERE v.group_id = @group_id AND v.model = @model
ORDER BY (v.embedding <=> @embedding) + 0, v.entity_id
LIMIT @max_rows::int;

-- name: EpisodesByVector :many
SELECT v.episode_id AS id, (1 - (v.embedding <=> @embedding))::float8 AS score
FROM annals.episode_embeddings v
WHERE v.group_id = @group_id AND v.model = @model
ORDER BY (v.embedding <=> @embedding) + 0, v.episode_id
LIMIT @max_rows::int;

-- name: FactsByVector :many
SELECT v.fact_id AS id, (1 - (v.embedding <=> @embedding))::float8 AS score
FROM annals.fact_embeddings v
JOIN annals.facts f ON f.group_id = v.group_id AND f.id = v.fact_id
WHERE v.group_id = @group_id AND v.model = @model
    AND (sqlc.narg('valid_at')::timestamptz IS NULL OR f.valid @> sqlc.narg('valid_at')::timestamptz)
    AND (@include_ended::boolean OR sqlc.narg('valid_at')::timestamptz IS NOT NULL
        OR upper_inf(f.valid) OR upper(f.valid) > now())
ORDER BY (v.embedding <=> @embedding) + 0, v.fact_id
LIMIT @max_rows::int;

-- Counts a group's documents anew where the count is missing, older than a
-- minute or of a group so small that counting costs nothing.
-- name: StatisticsRefresh :exec
INSERT INTO annals.search_statistics (group_id, kind, documents, terms)
SELECT @group_id, counted.kind, counted.documents, counted.terms
FROM (
    SELECT 'episode'::annals.kind AS kind, count(*) AS documents, coalesce(sum(length), 0) AS terms
    FROM annals.episodes WHERE group_id = @group_id
    UNION ALL
    SELECT 'entity', count(*), coalesce(sum(length), 0) FROM annals.entities WHERE group_id = @group_id
    UNION ALL
    SELECT 'fact', count(*), coalesce(sum(length), 0) FROM annals.facts WHERE group_id = @group_id
    UNION ALL
    SELECT 'community', count(*), coalesce(sum(length), 0) FROM annals.communities WHERE group_id = @group_id
) counted
WHERE EXISTS (SELECT FROM annals.groups g WHERE g.group_id = @group_id) AND NOT EXISTS (
    SELECT FROM annals.search_statistics s
    WHERE s.group_id = @group_id AND s.refreshed_at > now() - interval '1 minute' AND s.documents > 1000
)
ON CONFLICT (group_id, kind) DO UPDATE
SET documents = excluded.documents, terms = excluded.terms, refreshed_at = now();
