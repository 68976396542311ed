-- What search ranks by. A search that is narrowed passes a filter, which is asked
-- only of what may be ranked. Rows with given ids are joined, not compared with a
-- list: for a list PostgreSQL 17 may read all of the group in an index in which
-- the id comes last.

-- Who speaks in a group: one probe of the index for each.
-- name: Actors :many
WITH RECURSIVE speaker AS (
    (SELECT e.actor FROM annals.episodes e WHERE e.group_id = @group_id AND e.actor > '' ORDER BY e.actor LIMIT 1)
    UNION ALL
    SELECT (SELECT e.actor FROM annals.episodes e WHERE e.group_id = @group_id AND e.actor > s.actor ORDER BY e.actor LIMIT 1)
    FROM speaker s WHERE s.actor IS NOT NULL
)
SELECT s.actor::text AS actor FROM speaker s WHERE s.actor IS NOT NULL LIMIT @max_rows::int;

-- What an episode's rank depends on beside its words. Texts are read only where
-- they matter, for short questions and for when something was: long ones cost.
-- name: EpisodeContexts :many
SELECT e.id, e.thread_id, e.actor, e.role, e.occurred_at, e.length,
    (e.length <= @short_length::int AND right(rtrim(e.content), 1) = '?')::boolean AS asks,
    (@with_times::boolean AND e.content ~* '\m(yesterday|today|tonight|tomorrow|ago|last|next|week|weekend|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|since|[0-9]{4})\M')::boolean AS says_when,
    coalesce((SELECT p.id FROM annals.episodes p
        WHERE @with_neighbours::boolean AND p.group_id = @group_id AND p.thread_id = e.thread_id AND (p.occurred_at, p.id) < (e.occurred_at, e.id)
        ORDER BY p.occurred_at DESC, p.id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000')::uuid AS previous,
    coalesce((SELECT n.id FROM annals.episodes n
        WHERE @with_neighbours::boolean AND n.group_id = @group_id AND n.thread_id = e.thread_id AND (n.occurred_at, n.id) > (e.occurred_at, e.id)
        ORDER BY n.occurred_at, n.id LIMIT 1), '00000000-0000-0000-0000-000000000000')::uuid AS next
FROM unnest(@ids::uuid[]) AS i(id)
JOIN annals.episodes e ON e.group_id = @group_id AND e.id = i.id;

-- How a group's kinds are searched best. Of a kind with few documents, no more
-- than FrequentTermsRefresh asks of a frequent term, every term leads: it is
-- searched as a whole, for which its facts that have ended come along, one more
-- than few at the most. Where vectors have an index, the version of pgvector says
-- how that is read.
-- name: GroupShape :many
SELECT coalesce(s.kind, v.kind)::annals.kind AS kind, coalesce(s.documents <= @few::int, false)::boolean AS few,
    coalesce(s.documents, 0)::bigint AS documents, coalesce(s.terms, 0)::bigint AS terms,
    CASE WHEN s.kind = 'fact' AND s.documents <= @few::int THEN ARRAY(
        SELECT f.id FROM annals.facts f WHERE f.group_id = @group_id AND NOT upper_inf(f.valid) AND upper(f.valid) <= now()
        LIMIT 1 + @few::int
    ) ELSE '{}' END::uuid[] AS ended,
    (v.kind IS NOT NULL)::boolean AS indexed,
    coalesce(CASE WHEN v.kind IS NOT NULL THEN (SELECT e.extversion FROM pg_catalog.pg_extension e WHERE e.extname = 'vector') END, '')::text AS pgvector
FROM (SELECT n.kind, n.documents, n.terms FROM annals.search_statistics n WHERE n.group_id = @group_id) s
FULL JOIN (SELECT x.kind FROM annals.vector_indexes x WHERE x.group_id = @group_id AND x.model = @model AND x.valid) v ON v.kind = s.kind;

-- The entities around others, the nearest first.
-- name: Neighborhood :many
SELECT n.entity_id::uuid AS id, n.distance::int AS distance
FROM annals.neighborhood(@group_id, @seed_ids::uuid[], @hops::int, sqlc.narg('valid_at')::timestamptz,
    sqlc.narg('known_at')::timestamptz, @max_rows::int) n;

-- The facts of those entities and then of the ends of those facts, by how near
-- the entity is: of each so many of the newest in either direction that may be
-- found, of its newest fifty. Entities are gone through in their order until there are
-- enough; a fact may be met, and told, at both its ends.
-- name: FactsAround :many
SELECT a.id, n.place::int AS place, a.outgoing::boolean AS outgoing
FROM (
    SELECT s.id, min(s.place) AS place
    FROM (
        SELECT e.id, e.place FROM unnest(@entity_ids::uuid[]) WITH ORDINALITY AS e(id, place)
        UNION ALL
        SELECT ends.id, cardinality(@entity_ids::uuid[]) + 2 * i.place + ends.place
        FROM unnest(@fact_ids::uuid[]) WITH ORDINALITY AS i(id, place)
        JOIN annals.facts f ON f.group_id = @group_id AND f.id = i.id
        CROSS JOIN LATERAL (VALUES (f.source_id, 0), (f.target_id, 1)) AS ends(id, place)
    ) s
    GROUP BY s.id
    ORDER BY min(s.place)
) n
CROSS JOIN LATERAL (
    (SELECT x.id, true AS outgoing
    FROM (SELECT f.id, f.valid FROM annals.facts f WHERE f.group_id = @group_id AND f.source_id = n.id ORDER BY f.id DESC LIMIT 50) x
    WHERE CASE
        WHEN sqlc.narg('valid_at')::timestamptz IS NOT NULL THEN x.valid @> sqlc.narg('valid_at')::timestamptz
        ELSE @include_ended::boolean OR upper_inf(x.valid) OR upper(x.valid) > now()
    END
    LIMIT @told::int)
    UNION ALL
    (SELECT y.id, false
    FROM (SELECT f.id, f.valid FROM annals.facts f WHERE f.group_id = @group_id AND f.target_id = n.id ORDER BY f.id DESC LIMIT 50) y
    WHERE CASE
        WHEN sqlc.narg('valid_at')::timestamptz IS NOT NULL THEN y.valid @> sqlc.narg('valid_at')::timestamptz
        ELSE @include_ended::boolean OR upper_inf(y.valid) OR upper(y.valid) > now()
    END
    LIMIT @told::int)
) a
LIMIT @max_rows::int;

-- When facts hold.
-- name: FactTimes :many
SELECT f.id, f.valid
FROM unnest(@ids::uuid[]) AS i(id)
JOIN annals.facts f ON f.group_id = @group_id AND f.id = i.id;

-- name: FactEnds :many
SELECT f.id, f.source_id, f.target_id
FROM annals.facts f
WHERE f.group_id = @group_id AND f.id = ANY(@ids::uuid[]);

-- name: EntitiesOfEpisodes :many
SELECT m.entity_id AS id, count(*) AS mentions
FROM unnest(@episode_ids::uuid[]) AS i(id)
JOIN annals.mentions m ON m.group_id = @group_id AND m.episode_id = i.id
GROUP BY m.entity_id
ORDER BY mentions DESC, m.entity_id
LIMIT @max_rows::int;

-- The entities of what was said last.
-- name: EntitiesRecent :many
SELECT m.entity_id AS id
FROM (SELECT e.id FROM annals.episodes e WHERE e.group_id = @group_id ORDER BY e.id DESC LIMIT @episodes::int) recent
CROSS JOIN LATERAL (
    SELECT x.entity_id FROM annals.mentions x WHERE x.group_id = @group_id AND x.episode_id = recent.id OFFSET 0
) m
GROUP BY m.entity_id
ORDER BY count(*) DESC, m.entity_id
LIMIT @max_rows::int;

-- How many episodes mention an entity.
-- name: EntityMentions :many
SELECT m.entity_id AS id, count(*) AS mentions
FROM unnest(@ids::uuid[]) AS i(id)
JOIN annals.mentions m ON m.group_id = @group_id AND m.entity_id = i.id
GROUP BY m.entity_id;

-- How much entities are spoken of until a time: each mention weighs half as
-- much a half-life later.
-- name: EntitySalience :many
SELECT m.entity_id AS id, sum(annals.decayed(p.occurred_at, make_interval(secs => @half_life_seconds::float8), @at::timestamptz))::float8 AS salience
FROM annals.mentions m
JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
WHERE m.group_id = @group_id AND m.entity_id = ANY(@ids::uuid[]) AND p.occurred_at <= @at::timestamptz
GROUP BY m.entity_id;

-- When what mentions an entity was last said: of the 20 episodes that came last.
-- name: EntitiesLastMentioned :many
SELECT n.id::uuid AS id, max(e.occurred_at)::timestamptz AS at
FROM unnest(@ids::uuid[]) AS n(id)
CROSS JOIN LATERAL (
    SELECT m.episode_id FROM annals.mentions m
    WHERE m.group_id = @group_id AND m.entity_id = n.id
    ORDER BY m.episode_id DESC
    LIMIT 20
) latest
JOIN annals.episodes e ON e.group_id = @group_id AND e.id = latest.episode_id
GROUP BY n.id;

-- name: EntityVectors :many
SELECT v.entity_id AS id, v.embedding FROM annals.entity_embeddings v
WHERE v.group_id = @group_id AND v.model = @model AND v.entity_id = ANY(@ids::uuid[]);

-- name: EpisodeVectors :many
SELECT v.episode_id AS id, v.embedding FROM annals.episode_embeddings v
WHERE v.group_id = @group_id AND v.model = @model AND v.episode_id = ANY(@ids::uuid[]);

-- name: FactVectors :many
SELECT v.fact_id AS id, v.embedding FROM annals.fact_embeddings v
WHERE v.group_id = @group_id AND v.model = @model AND v.fact_id = ANY(@ids::uuid[]);

-- name: CommunityVectors :many
SELECT v.community_id AS id, v.embedding FROM annals.community_embeddings v
WHERE v.group_id = @group_id AND v.model = @model AND v.community_id = ANY(@ids::uuid[]);

-- name: CommunitiesByIDs :many
SELECT c.id, c.name, c.summary, c.created_at
FROM annals.communities c
WHERE c.group_id = @group_id AND c.id = ANY(@ids::uuid[]);

-- Okapi BM25 (Robertson & Zaragoza 2009, section 3.3) with k1 = 1.2, b = 0.75 and an idf that is never
-- negative.
--
-- A query's rarest terms lead: they bring the candidates. As many do as
-- together have 4,000 postings, or one; of facts, whose words are few, 2,000.
-- The others are looked up for the best of those, twice as many as are asked
-- for; should the leaders bring too few, the newest documents of the rarest
-- other term join them. Terms of more than 500 documents are counted
-- beforehand, others, which always lead, as they are asked for. Of a text with
-- more than a hundred terms the most frequent are left out. So what a query
-- reads is bounded, and where all terms together have fewer postings nothing
-- is lost.
-- name: RankByTerms :many
WITH asked AS MATERIALIZED (
    SELECT t.term, f.documents, CASE WHEN t.term = ANY (l.terms) THEN 0.3 ELSE 1 END::float8 AS weight
    FROM annals.groups g
    CROSS JOIN LATERAL (SELECT tsvector_to_array(to_tsvector(g.text_search, @lesser::text)) AS terms) l
    CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(g.text_search, annals.segmented(@query::text)))) AS t(term)
    LEFT JOIN annals.frequent_terms f ON f.group_id = @group_id AND f.kind = (@kind::annals.kind)::text AND f.term = t.term
    WHERE g.group_id = @group_id
    ORDER BY f.documents NULLS FIRST, length(t.term) DESC, t.term
    LIMIT 100
), statistics AS MATERIALIZED (
    SELECT CASE @kind::annals.kind WHEN 'fact' THEN 2000 ELSE 4000 END AS most,
        greatest(coalesce(max(s.documents), 0), 1)::float8 AS documents,
        greatest(coalesce(max(s.terms)::float8 / nullif(max(s.documents), 0), 1), 1) AS mean_length
    FROM annals.search_statistics s
    WHERE s.group_id = @group_id AND s.kind = @kind::annals.kind
), ordered AS MATERIALIZED (
    SELECT a.term, a.documents, a.weight, row_number() OVER w = 1 OR coalesce(sum(a.documents) OVER w, 0) <= s.most AS leads
    FROM asked a, statistics s
    WINDOW w AS (ORDER BY a.documents NULLS FIRST, a.term)
), leaders AS MATERIALIZED (
    SELECT o.term, h.holders, o.weight * ln(1 + (greatest(s.documents, h.holders) - h.holders + 0.5) / (h.holders + 0.5)) AS idf
    FROM ordered o
    CROSS JOIN statistics s
    CROSS JOIN LATERAL (
        SELECT coalesce(o.documents, (
            SELECT count(*)
            FROM (
                SELECT FROM annals.postings r
                WHERE r.group_id = @group_id AND r.kind = (@kind::annals.kind)::text AND r.term = o.term
                LIMIT s.most
            ) q
        ))::float8 AS holders
        OFFSET 0
    ) h
    WHERE o.leads
), others AS MATERIALIZED (
    SELECT o.term, o.weight * ln(1 + (greatest(s.documents, o.documents) - o.documents + 0.5) / (o.documents + 0.5)) AS idf
    FROM ordered o, statistics s
    WHERE NOT o.leads
), newest AS MATERIALIZED (
    SELECT p.document_id
    FROM (SELECT o.term FROM others o ORDER BY o.idf DESC, o.term LIMIT 1) o
    CROSS JOIN LATERAL (
        SELECT r.document_id FROM annals.postings r
        WHERE r.group_id = @group_id AND r.kind = (@kind::annals.kind)::text AND r.term = o.term
        ORDER BY r.document_id DESC
        LIMIT 2 * @max_rows::int
    ) p
    WHERE (SELECT coalesce(sum(l.holders), 0) FROM leaders l) < @max_rows::int
), scored AS NOT MATERIALIZED (
    SELECT u.id, sum(u.score) AS score
    FROM (
        SELECT p.document_id AS id,
            l.idf * p.tf * 2.2::float8 / (p.tf + 1.2::float8 * (0.25::float8 + 0.75::float8 * p.length / s.mean_length)) AS score
        FROM leaders l
        CROSS JOIN statistics s
        CROSS JOIN LATERAL (
            SELECT r.document_id, r.tf, r.length FROM annals.postings r
            WHERE r.group_id = @group_id AND r.kind = (@kind::annals.kind)::text AND r.term = l.term
            ORDER BY r.document_id DESC
            LIMIT s.most
        ) p
        UNION ALL
        SELECT n.document_id, 0 FROM newest n
    ) u
    GROUP BY u.id
), eligible AS NOT MATERIALIZED (
    SELECT c.id, c.score
    FROM (SELECT o.id, o.score FROM scored o ORDER BY o.score DESC, o.id OFFSET 0) c
    WHERE CASE
        WHEN @kind::annals.kind = 'fact' AND @narrowed::boolean THEN EXISTS (SELECT FROM annals.facts_passing(
            @group_id, @filter::jsonb, sqlc.narg('valid_at')::timestamptz, @include_ended::boolean, ARRAY[c.id]) OFFSET 0)
        WHEN @kind::annals.kind = 'fact' THEN EXISTS (
            SELECT FROM annals.facts f
            WHERE f.group_id = @group_id AND f.id = c.id
                AND CASE WHEN sqlc.narg('valid_at')::timestamptz IS NOT NULL THEN f.valid @> sqlc.narg('valid_at')::timestamptz
                    ELSE @include_ended::boolean OR upper_inf(f.valid) OR upper(f.valid) > now() END)
        WHEN @kind::annals.kind = 'entity' AND @narrowed::boolean THEN
            EXISTS (SELECT FROM annals.entities_passing(@group_id, @filter::jsonb, ARRAY[c.id]) OFFSET 0)
        WHEN @kind::annals.kind = 'episode' AND @narrowed::boolean THEN
            EXISTS (SELECT FROM annals.episodes_passing(@group_id, @filter::jsonb, ARRAY[c.id]) OFFSET 0)
        ELSE true
    END
    LIMIT CASE WHEN EXISTS (SELECT FROM others) THEN 2 * @max_rows::int ELSE @max_rows::int END
)
SELECT e.id::uuid AS id, (e.score + coalesce((
    SELECT sum(o.idf * p.tf * 2.2::float8 / (p.tf + 1.2::float8 * (0.25::float8 + 0.75::float8 * p.length / s.mean_length)))
    FROM others o
    JOIN annals.postings p ON p.group_id = @group_id AND p.kind = (@kind::annals.kind)::text AND p.term = o.term AND p.document_id = e.id
), 0))::float8 AS score
FROM eligible e, statistics s
ORDER BY 2 DESC, e.id
LIMIT @max_rows::int;

-- The postings of the terms that RankByTerms looks for, of a kind with few
-- documents: of each so many at the most. To rank those where they are asked for
-- takes a fraction of the time that it takes here to read them again, add them up
-- and put them in order.
-- name: PostingsOfTerms :many
SELECT t.weight::float8 AS weight, p.ids::uuid[] AS ids, p.tf::int[] AS tf, p.lengths::int[] AS lengths
FROM (
    SELECT u.term, CASE WHEN u.term = ANY (l.terms) THEN 0.3 ELSE 1 END AS weight
    FROM annals.groups g
    CROSS JOIN LATERAL (SELECT tsvector_to_array(to_tsvector(g.text_search, @lesser::text)) AS terms) l
    CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(g.text_search, annals.segmented(@query::text)))) AS u(term)
    WHERE g.group_id = @group_id
    ORDER BY length(u.term) DESC, u.term
    LIMIT 100
) t
CROSS JOIN LATERAL (
    SELECT array_agg(r.document_id) AS ids, array_agg(r.tf) AS tf, array_agg(r.length) AS lengths
    FROM (
        SELECT q.document_id, q.tf, q.length FROM annals.postings q
        WHERE q.group_id = @group_id AND q.kind = (@kind::annals.kind)::text AND q.term = t.term
        LIMIT @max_rows::int
    ) r
) p
WHERE p.ids IS NOT NULL;

-- What contains phrases word by word, the most of them and then the shortest
-- first. The least frequent word of a phrase brings its newest 5,000 documents.
-- name: RankByPhrases :many
WITH asked AS MATERIALIZED (
    SELECT phraseto_tsquery(g.text_search, s.words) AS phrase, tsvector_to_array(to_tsvector(g.text_search, s.words)) AS terms
    FROM annals.groups g
    CROSS JOIN LATERAL unnest(@phrases::text[]) AS p(phrase)
    CROSS JOIN LATERAL (SELECT annals.segmented(p.phrase) AS words OFFSET 0) s
    WHERE g.group_id = @group_id
), holding AS MATERIALIZED (
    SELECT a.phrase, h.document_id AS id, h.length
    FROM asked a
    CROSS JOIN LATERAL (
        SELECT t.term
        FROM unnest(a.terms) AS t(term)
        LEFT JOIN annals.frequent_terms f ON f.group_id = @group_id AND f.kind = (@kind::annals.kind)::text AND f.term = t.term
        ORDER BY f.documents NULLS FIRST, length(t.term) DESC, t.term
        LIMIT 1
    ) rarest
    CROSS JOIN LATERAL (
        SELECT q.document_id, q.length FROM annals.postings q
        WHERE q.group_id = @group_id AND q.kind = (@kind::annals.kind)::text AND q.term = rarest.term
        ORDER BY q.document_id DESC
        LIMIT 5000
    ) h
), containing AS MATERIALIZED (
    SELECT h.id, count(*) AS phrases, min(h.length) AS length
    FROM holding h
    WHERE CASE @kind::annals.kind
        WHEN 'fact' THEN EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = h.id AND f.terms @@ h.phrase)
        WHEN 'entity' THEN EXISTS (SELECT FROM annals.entities n WHERE n.group_id = @group_id AND n.id = h.id AND n.terms @@ h.phrase)
        WHEN 'episode' THEN EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = h.id AND e.terms @@ h.phrase)
        ELSE EXISTS (SELECT FROM annals.communities c WHERE c.group_id = @group_id AND c.id = h.id AND c.terms @@ h.phrase)
    END
    GROUP BY h.id
)
SELECT c.id, c.phrases::float8 AS score
FROM (SELECT o.id, o.phrases, o.length FROM containing o ORDER BY o.phrases DESC, o.length, o.id OFFSET 0) c
WHERE CASE
    WHEN @kind::annals.kind = 'fact' AND @narrowed::boolean THEN EXISTS (SELECT FROM annals.facts_passing(
        @group_id, @filter::jsonb, sqlc.narg('valid_at')::timestamptz, @include_ended::boolean, ARRAY[c.id]) OFFSET 0)
    WHEN @kind::annals.kind = 'fact' THEN EXISTS (
        SELECT FROM annals.facts f
        WHERE f.group_id = @group_id AND f.id = c.id
            AND CASE WHEN sqlc.narg('valid_at')::timestamptz IS NOT NULL THEN f.valid @> sqlc.narg('valid_at')::timestamptz
                ELSE @include_ended::boolean OR upper_inf(f.valid) OR upper(f.valid) > now() END)
    WHEN @kind::annals.kind = 'entity' AND @narrowed::boolean THEN
        EXISTS (SELECT FROM annals.entities_passing(@group_id, @filter::jsonb, ARRAY[c.id]) OFFSET 0)
    WHEN @kind::annals.kind = 'episode' AND @narrowed::boolean THEN
        EXISTS (SELECT FROM annals.episodes_passing(@group_id, @filter::jsonb, ARRAY[c.id]) OFFSET 0)
    ELSE true
END
ORDER BY c.phrases DESC, c.length, c.id
LIMIT @max_rows::int;

-- How often the words of a text are said in whole conversations, by the given
-- episodes, and how long those are: of their first 50 messages at the most. What
-- an assistant said counts less, in the words and in the length. A word that many
-- more documents hold than episodes are given is looked up for each of those,
-- others are read as a whole.
-- name: ThreadsByTerms :many
WITH asked AS MATERIALIZED (
    SELECT t.term, coalesce(f.documents, 0) > 32 * cardinality(@ids::uuid[]) AS frequent,
        CASE WHEN t.term = ANY (l.terms) THEN 0.3 ELSE 1 END::float8 AS weight
    FROM annals.groups g
    CROSS JOIN LATERAL (SELECT tsvector_to_array(to_tsvector(g.text_search, @lesser::text)) AS terms) l
    CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(g.text_search, annals.segmented(@query::text)))) AS t(term)
    LEFT JOIN annals.frequent_terms f ON f.group_id = @group_id AND f.kind = 'episode' AND f.term = t.term
    WHERE g.group_id = @group_id
    ORDER BY length(t.term) DESC, t.term
    LIMIT 100
), said AS MATERIALIZED (
    SELECT e.id, e.thread_id, CASE WHEN e.role = 'assistant' THEN @assistant_weight::float8 ELSE 1 END AS weight
    FROM unnest(@ids::uuid[]) AS i(id)
    JOIN annals.episodes e ON e.group_id = @group_id AND e.id = i.id
    WHERE e.thread_id <> ''
), held AS MATERIALIZED (
    SELECT a.term, p.document_id AS id, p.tf
    FROM asked a
    CROSS JOIN LATERAL (
        SELECT q.document_id, q.tf FROM annals.postings q
        WHERE q.group_id = @group_id AND q.kind = 'episode' AND q.term = a.term
            AND (q.document_id IN (SELECT s.id FROM said s)) IS TRUE -- asked of each row, not joined
        OFFSET 0
    ) p
    WHERE NOT a.frequent
    UNION ALL
    SELECT a.term, s.id, p.tf
    FROM asked a
    CROSS JOIN said s
    CROSS JOIN LATERAL (
        SELECT q.tf FROM annals.postings q
        WHERE q.group_id = @group_id AND q.kind = 'episode' AND q.term = a.term AND q.document_id = s.id
        LIMIT 1
    ) p
    WHERE a.frequent
), spoken AS MATERIALIZED (
    SELECT s.thread_id, a.term, a.weight, sum(s.weight * h.tf) AS tf
    FROM held h
    JOIN said s USING (id)
    JOIN asked a USING (term)
    GROUP BY s.thread_id, a.term, a.weight
)
SELECT t.thread_id AS id, t.terms::text[] AS terms, t.weights::float8[] AS weights, t.tf::float8[] AS tf, m.messages, m.length::float8 AS length,
    coalesce(d.documents, 0)::bigint AS documents
FROM (
    SELECT s.thread_id, coalesce(array_agg(s.term) FILTER (WHERE s.tf > 0), '{}') AS terms,
        coalesce(array_agg(s.weight) FILTER (WHERE s.tf > 0), '{}') AS weights, coalesce(array_agg(s.tf) FILTER (WHERE s.tf > 0), '{}') AS tf
    FROM (
        SELECT p.thread_id, p.term, p.weight, p.tf FROM spoken p
        UNION ALL
        SELECT DISTINCT n.thread_id, '', 0.0::float8, 0.0::float8 FROM said n
    ) s
    GROUP BY s.thread_id
) t
CROSS JOIN LATERAL (
    SELECT count(*) AS messages, coalesce(sum(e.length * CASE WHEN e.role = 'assistant' THEN @assistant_weight::float8 ELSE 1 END), 0) AS length
    FROM (
        SELECT r.length, r.role FROM annals.episodes r
        WHERE r.group_id = @group_id AND r.thread_id = t.thread_id
        ORDER BY r.occurred_at, r.id
        LIMIT 50
    ) e
) m
LEFT JOIN annals.search_statistics d ON d.group_id = @group_id AND d.kind = 'episode';

-- Counts anew which terms more than 500 documents of a group hold, of the
-- kinds that have grown, or shrunk, by a fifth since.
-- name: FrequentTermsRefresh :exec
WITH due AS (
    UPDATE annals.search_statistics s SET counted = s.documents
    WHERE s.group_id = @group_id AND (s.documents > 500 AND s.documents > s.counted * 1.2 OR s.documents < s.counted * 0.8)
    RETURNING s.kind
), frequent AS (
    SELECT d.kind, p.term, count(*) AS documents
    FROM due d JOIN annals.postings p ON p.group_id = @group_id AND p.kind = d.kind::text
    GROUP BY d.kind, p.term
    HAVING count(*) > 500
), rarer AS (
    DELETE FROM annals.frequent_terms t USING due d
    WHERE t.group_id = @group_id AND t.kind = d.kind::text
        AND NOT EXISTS (SELECT FROM frequent f WHERE f.kind = d.kind AND f.term = t.term)
)
INSERT INTO annals.frequent_terms (group_id, kind, term, documents)
SELECT @group_id, f.kind, f.term, f.documents FROM frequent f
ON CONFLICT (group_id, kind, term) DO UPDATE SET documents = excluded.documents;

-- Another transaction can set the snapshot that this names, and so see the
-- same state, as long as this one lasts.
-- name: SnapshotExport :one
SELECT pg_export_snapshot()::text;

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
