-- Queries of searches. A narrowed search passes a filter, which is applied only to rows that may be
-- ranked. Rows with given ids are joined, not compared with a list: for a list PostgreSQL 17 may
-- read the whole group from an index in which the id comes last.

-- Reads the columns of episodes that their rank depends on besides their words. It reads given
-- episodes and, with neighbours, the two before and the two after each in its conversation, under
-- the place of the given one. With most, it reads all episodes of a group instead, by conversation,
-- up to one more than most. Rows with a fact id name the latest episodes that state given facts: a
-- second statement would cost more planning.
-- name: EpisodesAround :many
SELECT 0::bigint AS place, a.id, a.thread_id, a.actor, a.role, a.occurred_at, a.length, a.asks, a.says_when, '00000000-0000-0000-0000-000000000000'::uuid AS fact_id
FROM (
    SELECT x.id, x.thread_id, x.actor, x.role, x.occurred_at, x.length, x.asks, x.says_when
    FROM annals.episodes x
    WHERE x.group_id = @group_id AND @most::int > 0
    ORDER BY x.thread_id, x.occurred_at, x.id
    LIMIT 1 + @most::int
) a
UNION ALL
SELECT i.place, s.id, e.thread_id, s.actor, s.role, s.occurred_at, s.length, s.asks, s.says_when, '00000000-0000-0000-0000-000000000000'::uuid
FROM unnest(@ids::uuid[]) WITH ORDINALITY AS i(id, place)
CROSS JOIN LATERAL (SELECT x.id, x.thread_id, x.occurred_at FROM annals.episodes x WHERE x.group_id = @group_id AND x.id = i.id OFFSET 0) e -- otherwise the whole group may be read
CROSS JOIN LATERAL (
    (SELECT p.id, p.actor, p.role, p.occurred_at, p.length, p.asks, p.says_when FROM annals.episodes p
    WHERE p.group_id = @group_id AND p.thread_id = e.thread_id AND (p.occurred_at, p.id) <= (e.occurred_at, e.id)
    ORDER BY p.occurred_at DESC, p.id DESC LIMIT CASE WHEN @with_neighbours::boolean THEN 3 ELSE 1 END)
    UNION ALL
    (SELECT n.id, n.actor, n.role, n.occurred_at, n.length, n.asks, n.says_when FROM annals.episodes n
    WHERE @with_neighbours::boolean AND n.group_id = @group_id AND n.thread_id = e.thread_id AND (n.occurred_at, n.id) > (e.occurred_at, e.id)
    ORDER BY n.occurred_at, n.id LIMIT 2)
) s
UNION ALL
SELECT 0::bigint, c.episode_id, '', '', '', 'epoch', 0, false, false, c.fact_id
FROM unnest(@fact_ids::uuid[]) AS f(id)
CROSS JOIN LATERAL (
    SELECT x.fact_id, x.episode_id FROM annals.fact_episodes x
    WHERE x.group_id = @group_id AND x.fact_id = f.id AND x.role = 'states'
    ORDER BY x.episode_id DESC LIMIT @most_stating::int
) c;

-- Returns, in one row, the shape of a group, which a search must know before it ranks. For each
-- kind: the documents and terms as last counted, and whether its vectors have an index; the version
-- of pgvector says how to search it. For a group with few facts: the ended ones, up to one more
-- than few. What the group withholds and which marks it has, now or by known_at. Whether it has
-- facts with an end, facts that are disputed or not believed, statements that are no longer
-- believed, and facts that were to begin later. And its speakers.
-- name: GroupLook :one
SELECT s.kinds::text[] AS kinds, s.documents::bigint[] AS documents, s.terms::bigint[] AS terms, v.kinds::text[] AS indexed,
    coalesce(CASE WHEN v.kinds <> '{}' THEN annals_internal.pgvector_version() END, '')::text AS pgvector,
    CASE WHEN s.few_facts THEN ARRAY(
        SELECT f.id FROM annals.facts f WHERE f.group_id = @group_id AND f.kind = 'state' AND NOT upper_inf(f.valid) AND upper(f.valid) <= now()
        LIMIT 1 + @few::int
    ) ELSE '{}' END::uuid[] AS ended,
    coalesce(g.holds, false)::boolean AS withholds,
    coalesce(g.holds_episodes, false)::boolean AS withholds_episodes,
    EXISTS (SELECT FROM annals.marks m WHERE m.group_id = @group_id AND m.mark = 'expires' AND m.until IS NULL
        AND m.expires_at <= coalesce(sqlc.narg('known_at')::timestamptz, now())
        AND (m.swept_at IS NULL OR m.swept_at > coalesce(sqlc.narg('known_at')::timestamptz, now())))::boolean AS expired,
    EXISTS (SELECT FROM annals.marks m WHERE m.group_id = @group_id AND m.mark IN ('useful', 'wrong', 'outdated'))::boolean AS judged,
    EXISTS (SELECT FROM annals.marks m WHERE m.group_id = @group_id AND m.mark = 'pinned')::boolean AS pinned,
    EXISTS (SELECT FROM annals.marks m WHERE m.group_id = @group_id)::boolean AS marked,
    EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.kind = 'state' AND NOT upper_inf(f.valid))::boolean AS closed,
    (EXISTS (SELECT FROM annals.disputes d WHERE d.group_id = @group_id)
        OR EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.trust <> 'believed'))::boolean AS doubted,
    (EXISTS (SELECT FROM annals.rejections r WHERE r.group_id = @group_id ORDER BY r.id OFFSET 0)
        OR EXISTS (SELECT FROM annals.traces d WHERE d.group_id = @group_id AND d.decision IN ('expired', 'refused')))::boolean AS withdrawn,
    EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.kind = 'state' AND lower(f.valid) > lower(f.recorded))::boolean AS ahead,
    ARRAY(SELECT a.actor FROM annals_internal.speakers(@group_id, @max_actors::int) AS a(actor))::text[] AS actors
FROM (
    SELECT coalesce(array_agg(t.kind::text), '{}') AS kinds, coalesce(array_agg(t.documents), '{}') AS documents, coalesce(array_agg(t.terms), '{}') AS terms,
        coalesce(bool_or(t.kind = 'fact' AND t.documents <= @few::int), false) AS few_facts
    FROM annals_internal.search_statistics t WHERE t.group_id = @group_id
) s
CROSS JOIN (
    SELECT coalesce(array_agg(x.kind::text), '{}') AS kinds FROM annals_internal.vector_indexes x WHERE x.group_id = @group_id AND x.model = @model AND x.valid
) v
LEFT JOIN annals.groups g ON g.group_id = @group_id;

-- Lists the facts of given entities and of those that a question names, or else of its asker: the newest facts of each in
-- either direction, and the newest of given relations. Each relation is looked up by index, as few
-- of a hub's facts may be of that relation. If a question names no entity and asks what happened at
-- a time, it lists the facts of any entity that began or ended then, and events without
-- a date that were over by then. The newest come first.
-- name: NamedFacts :many
WITH p AS MATERIALIZED (SELECT DISTINCT unnest(@predicates::text[]) AS predicate)
SELECT DISTINCT f.id, f.source_id, f.target_id, s.name AS source, t.name AS target, f.predicate, f.fact, f.valid, f.kind, f.from_basis, f.said_at, f.trust,
    (n.id = f.source_id)::boolean AS outgoing
FROM (SELECT unnest(annals_internal.entities_named_in(@group_id, @query, @asker::text) || @ids::uuid[]) AS id OFFSET 0) n
CROSS JOIN LATERAL (
    (SELECT x.id, x.source_id, x.target_id, x.predicate, x.fact, x.valid, x.kind, x.from_basis, x.said_at, x.trust FROM annals.facts x
    WHERE x.group_id = @group_id AND x.source_id = n.id AND annals_internal.trust_passes(x.trust, @trust::text) ORDER BY x.id DESC LIMIT @max_rows::int)
    UNION ALL
    (SELECT x.id, x.source_id, x.target_id, x.predicate, x.fact, x.valid, x.kind, x.from_basis, x.said_at, x.trust FROM annals.facts x
    WHERE x.group_id = @group_id AND x.target_id = n.id AND annals_internal.trust_passes(x.trust, @trust::text) ORDER BY x.id DESC LIMIT @max_rows::int)
    UNION ALL
    (SELECT x.id, x.source_id, x.target_id, x.predicate, x.fact, x.valid, x.kind, x.from_basis, x.said_at, x.trust FROM p
    CROSS JOIN LATERAL (SELECT y.* FROM annals.facts y
        WHERE y.group_id = @group_id AND y.source_id = n.id AND y.predicate = p.predicate AND annals_internal.trust_passes(y.trust, @trust::text) ORDER BY y.id DESC LIMIT @max_rows::int) x
    ORDER BY x.id DESC LIMIT @max_rows::int)
    UNION ALL
    (SELECT x.id, x.source_id, x.target_id, x.predicate, x.fact, x.valid, x.kind, x.from_basis, x.said_at, x.trust FROM p
    CROSS JOIN LATERAL (SELECT y.* FROM annals.facts y
        WHERE y.group_id = @group_id AND y.target_id = n.id AND y.predicate = p.predicate AND annals_internal.trust_passes(y.trust, @trust::text) ORDER BY y.id DESC LIMIT @max_rows::int) x
    ORDER BY x.id DESC LIMIT @max_rows::int)
) f
JOIN annals.entities s ON s.group_id = @group_id AND s.id = f.source_id
JOIN annals.entities t ON t.group_id = @group_id AND t.id = f.target_id
UNION
SELECT x.id, x.source_id, x.target_id, s.name, t.name, x.predicate, x.fact, x.valid, x.kind, x.from_basis, x.said_at, x.trust, true
FROM (
    (SELECT y.* FROM annals.facts y
    WHERE y.group_id = @group_id AND coalesce(lower(y.valid), '-infinity') >= sqlc.narg('happened_from')::timestamptz
        AND coalesce(lower(y.valid), '-infinity') < sqlc.narg('happened_until')::timestamptz AND annals_internal.trust_passes(y.trust, @trust::text)
    ORDER BY coalesce(lower(y.valid), '-infinity'), y.id LIMIT @max_rows::int)
    UNION ALL
    (SELECT y.* FROM annals.facts y
    WHERE y.group_id = @group_id AND y.kind = 'state' AND NOT upper_inf(y.valid) AND upper(y.valid) >= sqlc.narg('happened_from')::timestamptz
        AND upper(y.valid) < sqlc.narg('happened_until')::timestamptz AND annals_internal.trust_passes(y.trust, @trust::text)
    ORDER BY upper(y.valid), y.id LIMIT @max_rows::int)
    UNION ALL
    (SELECT y.* FROM annals.facts y
    WHERE y.group_id = @group_id AND y.kind = 'event' AND lower_inf(y.valid) AND upper(y.valid) >= sqlc.narg('happened_from')::timestamptz
        AND upper(y.valid) < sqlc.narg('happened_until')::timestamptz AND annals_internal.trust_passes(y.trust, @trust::text)
    ORDER BY upper(y.valid), y.id LIMIT @max_rows::int)
) x
JOIN annals.entities s ON s.group_id = @group_id AND s.id = x.source_id
JOIN annals.entities t ON t.group_id = @group_id AND t.id = x.target_id
WHERE CASE WHEN sqlc.narg('happened_from')::timestamptz IS NULL THEN false ELSE cardinality(annals_internal.entities_named_in(@group_id, @query, @asker::text)) = 0 END
ORDER BY id DESC, outgoing DESC;

-- Lists the facts of named and given entities as believed at a time, with the entity by which each
-- is found.
-- name: NamedFactsKnown :many
SELECT v.id, v.source_id, v.target_id, v.source, v.target, v.predicate, v.fact, v.valid, v.kind, v.from_basis, v.said_at, v.trust, e.id::uuid AS named_id
FROM (SELECT annals_internal.entities_named_in(@group_id, @query, @asker::text) || @ids::uuid[] AS ids OFFSET 0) n
CROSS JOIN LATERAL (
    SELECT ARRAY(
        SELECT x.id FROM annals.facts x
        WHERE x.group_id = @group_id AND (x.source_id = ANY(n.ids) OR x.target_id = ANY(n.ids))
        UNION
        SELECT h.id FROM annals_internal.facts_history h
        WHERE h.group_id = @group_id AND h.recorded @> @known_at::timestamptz AND (h.source_id = ANY(n.ids) OR h.target_id = ANY(n.ids))
    ) AS ids OFFSET 0
) i
CROSS JOIN LATERAL annals_internal.fact_versions_of(@group_id, i.ids, @known_at::timestamptz) v
CROSS JOIN LATERAL (VALUES (v.source_id), (v.target_id)) AS e(id)
WHERE annals_internal.trust_passes(v.trust, @trust::text) AND e.id = ANY(n.ids)
ORDER BY v.id DESC, e.id = v.source_id DESC
LIMIT @max_rows::int;

-- Returns the highest share of the question's words that one of the given rows holds, from 0 to 1.
-- A word is weighted by its rarity among the rows of the kind, at least 0.25. A name counts 0.3, as
-- it says who and not what; a lesser word counts 0.3 of its weight. For a question without words it
-- is 1.
-- name: WordsShared :one
WITH asked AS MATERIALIZED (
    SELECT t.term, t.term = ANY (r.names) AS is_name, CASE WHEN t.term = ANY (r.lesser) THEN 0.3 ELSE 1 END AS weight
    FROM annals.groups g
    CROSS JOIN LATERAL (
        SELECT tsvector_to_array(to_tsvector(g.text_search::regconfig, @lesser::text)) AS lesser, tsvector_to_array(to_tsvector(g.text_search::regconfig, concat_ws(' ', @names::text, (
            SELECT string_agg(n.name_key, ' ') FROM annals_internal.entity_names n
            WHERE n.group_id = @group_id AND n.entity_id = ANY (annals_internal.entities_named_in(@group_id, @query::text)))))) AS names
        OFFSET 0
    ) r
    CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(g.text_search::regconfig, annals_internal.segmented(@query)))) AS t(term)
    WHERE g.group_id = @group_id
), weighed AS MATERIALIZED (
    SELECT k.kind, a.term, CASE WHEN a.is_name THEN 0.3 ELSE a.weight * greatest(0.25, annals_internal.bm25_idf(
        greatest(coalesce(s.documents, 0), 1), coalesce(f.documents, h.holders))) END AS weight
    FROM unnest(@kinds::text[]) AS k(kind)
    CROSS JOIN asked a
    LEFT JOIN annals_internal.search_statistics s ON s.group_id = @group_id AND s.kind = k.kind::annals.kind
    LEFT JOIN annals_internal.frequent_terms f ON f.group_id = @group_id AND f.kind = k.kind AND f.term = a.term
    CROSS JOIN LATERAL (
        SELECT count(*) AS holders
        FROM (
            SELECT FROM annals_internal.all_postings p
            WHERE f.documents IS NULL AND NOT a.is_name AND p.group_id = @group_id AND p.kind = k.kind AND p.term = a.term
            LIMIT 1000
        ) q
    ) h
), document AS (
    SELECT 'fact' AS kind, v.id, v.terms FROM annals.facts v
    WHERE v.group_id = @group_id AND v.id = ANY (@fact_ids::uuid[]) AND (sqlc.narg('known_at')::timestamptz IS NULL OR v.recorded @> sqlc.narg('known_at')::timestamptz)
    UNION ALL
    SELECT 'fact', v.id, v.terms FROM annals_internal.facts_history v
    WHERE sqlc.narg('known_at')::timestamptz IS NOT NULL AND v.group_id = @group_id AND v.id = ANY (@fact_ids::uuid[]) AND v.recorded @> sqlc.narg('known_at')::timestamptz
    UNION ALL
    SELECT 'entity', v.id, v.terms FROM annals.entities v
    WHERE v.group_id = @group_id AND v.id = ANY (@entity_ids::uuid[]) AND (sqlc.narg('known_at')::timestamptz IS NULL OR v.recorded @> sqlc.narg('known_at')::timestamptz)
    UNION ALL
    SELECT 'entity', v.id, v.terms FROM annals_internal.entities_history v
    WHERE sqlc.narg('known_at')::timestamptz IS NOT NULL AND v.group_id = @group_id AND v.id = ANY (@entity_ids::uuid[]) AND v.recorded @> sqlc.narg('known_at')::timestamptz
    UNION ALL
    SELECT 'community', v.id, v.terms FROM annals.communities v
    WHERE v.group_id = @group_id AND v.id = ANY (@community_ids::uuid[]) AND (sqlc.narg('known_at')::timestamptz IS NULL OR v.recorded @> sqlc.narg('known_at')::timestamptz)
    UNION ALL
    SELECT 'community', v.id, v.terms FROM annals_internal.communities_history v
    WHERE sqlc.narg('known_at')::timestamptz IS NOT NULL AND v.group_id = @group_id AND v.id = ANY (@community_ids::uuid[]) AND v.recorded @> sqlc.narg('known_at')::timestamptz
    UNION ALL
    SELECT 'episode', v.id, v.terms FROM annals.episodes v
    WHERE v.group_id = @group_id AND v.id = ANY (@episode_ids::uuid[])
)
SELECT CASE WHEN EXISTS (SELECT FROM asked) THEN coalesce(max(b.shared / t.weight), 0) ELSE 1 END::float8 AS shared
FROM (SELECT w.kind, sum(w.weight) AS weight FROM weighed w GROUP BY w.kind) t
CROSS JOIN LATERAL (
    SELECT sum(w.weight) AS shared
    FROM document d
    CROSS JOIN LATERAL (SELECT tsvector_to_array(d.terms) AS terms OFFSET 0) a
    JOIN weighed w ON w.kind = d.kind AND w.term = ANY (a.terms)
    WHERE d.kind = t.kind
    GROUP BY d.id
) b;

-- Lists the entities around others, the nearest first.
-- name: Neighborhood :many
SELECT n.entity_id::uuid AS id, n.distance::int AS distance
FROM annals.neighborhood(@group_id, @seed_ids::uuid[], @hops::int, sqlc.narg('valid_at')::timestamptz,
    sqlc.narg('known_at')::timestamptz, @max_rows::int) n;

-- Lists the facts of given entities, and of the entities at the ends of given facts. The order is
-- that of the entities. Of the newest fifty facts of each it lists the newest that may be found, up
-- to a number in each direction. It stops when there are enough. A fact may be listed for both its
-- ends.
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
    FROM (SELECT f.id, f.valid, f.kind, f.trust, f.from_basis, f.said_at FROM annals.facts f WHERE f.group_id = @group_id AND f.source_id = n.id ORDER BY f.id DESC LIMIT 50) x
    WHERE annals_internal.trust_passes(x.trust, @trust::text) AND CASE
        WHEN sqlc.narg('valid_at')::timestamptz IS NOT NULL THEN annals_internal.shown_at(x.kind, x.valid, x.from_basis, x.said_at, sqlc.narg('valid_at')::timestamptz)
        ELSE @include_ended::boolean OR x.kind = 'event' OR upper_inf(x.valid) OR upper(x.valid) > now()
    END
    LIMIT @told::int)
    UNION ALL
    (SELECT y.id, false
    FROM (SELECT f.id, f.valid, f.kind, f.trust, f.from_basis, f.said_at FROM annals.facts f WHERE f.group_id = @group_id AND f.target_id = n.id ORDER BY f.id DESC LIMIT 50) y
    WHERE annals_internal.trust_passes(y.trust, @trust::text) AND CASE
        WHEN sqlc.narg('valid_at')::timestamptz IS NOT NULL THEN annals_internal.shown_at(y.kind, y.valid, y.from_basis, y.said_at, sqlc.narg('valid_at')::timestamptz)
        ELSE @include_ended::boolean OR y.kind = 'event' OR upper_inf(y.valid) OR upper(y.valid) > now()
    END
    LIMIT @told::int)
) a
LIMIT @max_rows::int;

-- Reads when facts hold.
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

-- Lists the entities of the latest episodes.
-- name: EntitiesRecent :many
SELECT m.entity_id AS id
FROM (SELECT e.id FROM annals.episodes e WHERE e.group_id = @group_id ORDER BY e.id DESC LIMIT @episodes::int) recent
CROSS JOIN LATERAL (
    SELECT x.entity_id FROM annals.mentions x WHERE x.group_id = @group_id AND x.episode_id = recent.id OFFSET 0
) m
GROUP BY m.entity_id
ORDER BY count(*) DESC, m.entity_id
LIMIT @max_rows::int;

-- Counts the episodes that mention an entity.
-- name: EntityMentions :many
SELECT m.*
FROM unnest(@ids::uuid[]) AS i(id)
CROSS JOIN LATERAL (SELECT * FROM annals_internal.entity_mentions x WHERE x.group_id = @group_id AND x.entity_id = i.id OFFSET 0) m;

-- Computes the salience of entities at a time: the weight of each mention halves with every
-- half-life.
-- name: EntitySalience :many
SELECT m.entity_id AS id, sum(annals_internal.decayed(p.occurred_at, make_interval(secs => @half_life_seconds::float8), @at::timestamptz))::float8 AS salience
FROM annals.mentions m
JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
WHERE m.group_id = @group_id AND m.entity_id = ANY(@ids::uuid[]) AND p.occurred_at <= @at::timestamptz
GROUP BY m.entity_id;

-- Reads when an entity was last mentioned: the latest time of the 20 episodes that were added last.
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

-- name: Vectors :many
SELECT v.* FROM annals.vectors v
WHERE v.group_id = @group_id AND v.kind = @kind::annals.kind AND v.model = @model AND v.id = ANY(@ids::uuid[]);

-- name: CommunitiesByIDs :many
SELECT c.* FROM annals_internal.community_rows c
WHERE c.group_id = @group_id AND c.id = ANY(@ids::uuid[]) AND c.is_current;

-- Ranks each kind by Okapi BM25. For a kind to be ranked as a whole, it returns the postings of the
-- terms instead, unless a term has more than most_postings or all together ten times as many.
-- Ranking these in the caller takes a fraction of the time of reading, adding and sorting them
-- here. Without a filter, no rows are filtered.
-- name: RankByWords :many
SELECT a.place::int AS place, coalesce(w.term, '')::text AS term, w.weight::float8 AS weight, coalesce(k.ids, w.ids)::uuid[] AS ids, w.tf::int[] AS tf, w.lengths::int[] AS lengths, k.scores::float8[] AS scores
FROM (
    SELECT p.place, (@kinds::text[])[p.place] AS kind, (@texts::text[])[p.place] AS text, (@lessers::text[])[p.place] AS lesser, (@wholes::boolean[])[p.place] AS whole,
        (@filters::text[])[p.place] AS filter, (@with_ended::boolean[])[p.place] AS with_ended, (@most::int[])[p.place] AS most
    FROM generate_series(1, cardinality(@kinds::text[])) AS p(place)
    OFFSET 0
) a
CROSS JOIN LATERAL (
    SELECT t.term, t.weight, p.ids, p.tf, p.lengths, row_number() OVER () AS place,
        max(cardinality(p.ids)) OVER () > @most_postings::int OR sum(cardinality(p.ids)) OVER () > 10 * @most_postings::int AS many
    FROM (
        SELECT u.term, CASE WHEN u.term = ANY (l.terms) THEN 0.3 ELSE 1 END AS weight
        FROM annals.groups g
        CROSS JOIN LATERAL (SELECT tsvector_to_array(to_tsvector(g.text_search::regconfig, a.lesser)) AS terms) l
        CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(g.text_search::regconfig, annals_internal.segmented(a.text)))) AS u(term)
        WHERE g.group_id = @group_id AND a.whole
        ORDER BY length(u.term) DESC, u.term
        LIMIT 100
    ) t
    CROSS JOIN LATERAL (
        SELECT array_agg(r.document_id) AS ids, array_agg(r.tf) AS tf, array_agg(r.length) AS lengths
        FROM (
            SELECT q.document_id, q.tf, q.length FROM annals_internal.all_postings q
            WHERE q.group_id = @group_id AND q.kind = a.kind AND q.term = t.term
            LIMIT 1 + @most_postings::int
        ) r
    ) p
    WHERE p.ids IS NOT NULL
    UNION ALL
    SELECT NULL, 0, NULL, NULL, NULL, 1, true
    WHERE NOT a.whole
) w
LEFT JOIN LATERAL (
    SELECT array_agg(r.id) AS ids, array_agg(r.score) AS scores
    FROM annals_internal.rank_by_terms(@group_id, a.kind::annals.kind, a.text, a.lesser, a.filter <> '', nullif(a.filter, '')::jsonb,
        sqlc.narg('valid_at')::timestamptz, a.with_ended, a.most) r
    WHERE w.many AND w.place = 1
) k ON true
WHERE NOT w.many OR k.ids IS NOT NULL;

-- Ranks the facts that hold by Okapi BM25 over all postings of the words, with those that tie with
-- the last. It is the reference for annals_internal.rank_by_terms, which bounds what it reads.
-- name: RankByAllPostings :many
WITH statistics AS MATERIALIZED (
    SELECT s.documents::float8 AS documents, greatest(s.terms::float8 / greatest(s.documents, 1), 1) AS mean_length
    FROM annals_internal.search_statistics s
    WHERE s.group_id = @group_id AND s.kind = 'fact'
), posting AS MATERIALIZED (
    SELECT p.document_id AS id, p.tf, p.length, annals_internal.bm25_idf(s.documents, count(*) OVER (PARTITION BY p.term)) AS idf
    FROM statistics s
    CROSS JOIN annals.groups g
    CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(g.text_search::regconfig, annals_internal.segmented(@query::text)))) AS t(term)
    JOIN annals_internal.all_postings p ON p.group_id = @group_id AND p.kind = 'fact' AND p.term = t.term COLLATE "C"
    WHERE g.group_id = @group_id
)
SELECT * FROM annals_internal.ranked WHERE false -- gives the rows their type
UNION ALL
(SELECT p.id, annals_internal.rounded_score(sum(annals_internal.bm25(p.idf, p.tf, p.length / s.mean_length)))::float8 AS score
FROM posting p
CROSS JOIN statistics s
JOIN annals.facts f ON f.group_id = @group_id AND f.id = p.id
WHERE f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > now()
GROUP BY p.id
ORDER BY 2 DESC
FETCH FIRST (@max_rows::int) ROWS WITH TIES);

-- Ranks the rows that contain phrases word by word.
-- name: RankByPhrases :many
SELECT r.*
FROM annals_internal.rank_by_phrases(@group_id, @kind::annals.kind, @phrases::text[], @narrowed::boolean, @filter::jsonb,
    sqlc.narg('valid_at')::timestamptz, @include_ended::boolean, @max_rows::int) r;

-- Counts the words of a text in given episodes, and the episodes that hold each word.
-- name: EpisodeWords :many
SELECT w.weight::float8 AS weight, w.holders::bigint AS holders, w.said_in::uuid[] AS ids, w.tf::int[] AS tf
FROM annals_internal.episode_word_counts(@group_id, @query::text, @lesser::text, @ids::uuid[]) w;

-- Lists the conversations of episodes: with which of the episodes are of each, which of these an
-- assistant said, and its length by its first messages. What an assistant said counts less for the
-- length.
-- name: ThreadsOfEpisodes :many
SELECT t.thread_id AS id, t.ids::uuid[] AS ids, t.answers::boolean[] AS answers, m.messages, m.length::float8 AS length
FROM (
    SELECT e.thread_id, array_agg(e.id) AS ids, array_agg(e.role = 'assistant') AS answers
    FROM unnest(@ids::uuid[]) AS i(id)
    CROSS JOIN LATERAL (SELECT x.id, x.thread_id, x.role FROM annals.episodes x WHERE x.group_id = @group_id AND x.id = i.id OFFSET 0) e
    WHERE e.thread_id <> ''
    GROUP BY e.thread_id
) t
CROSS JOIN LATERAL (
    SELECT count(*) AS messages, coalesce(sum(r.length * CASE WHEN r.role = 'assistant' THEN @assistant_weight::float8 ELSE 1 END), 0) AS length
    FROM (
        SELECT x.length, x.role FROM annals.episodes x
        WHERE x.group_id = @group_id AND x.thread_id = t.thread_id
        ORDER BY x.occurred_at, x.id
        LIMIT @most_messages::int
    ) r
) m;

-- Counts again which terms more than 500 documents of a group hold, for the kinds that have grown
-- or shrunk by a fifth since.
-- name: FrequentTermsRefresh :exec
WITH due AS (
    UPDATE annals_internal.search_statistics s SET counted = s.documents
    WHERE s.group_id = @group_id AND (s.documents > 500 AND s.documents > s.counted * 1.2 OR s.documents < s.counted * 0.8)
    RETURNING s.kind
), frequent AS (
    SELECT n.kind, n.term, sum(n.documents) AS documents
    FROM (
        SELECT d.kind, p.term, count(*) AS documents
        FROM due d JOIN annals_internal.postings p ON p.group_id = @group_id AND p.kind = d.kind::text
        GROUP BY d.kind, p.term
        UNION ALL
        SELECT d.kind, b.term, cardinality(b.ids)
        FROM due d JOIN annals_internal.posting_blocks b ON b.group_id = @group_id AND b.kind = d.kind::text
    ) n
    GROUP BY n.kind, n.term
    HAVING sum(n.documents) > 500
), rarer AS (
    DELETE FROM annals_internal.frequent_terms t USING due d
    WHERE t.group_id = @group_id AND t.kind = d.kind::text
        AND NOT EXISTS (SELECT FROM frequent f WHERE f.kind = d.kind AND f.term = t.term)
)
INSERT INTO annals_internal.frequent_terms (group_id, kind, term, documents)
SELECT @group_id, f.kind, f.term, f.documents FROM frequent f
ON CONFLICT (group_id, kind, term) DO UPDATE SET documents = excluded.documents;

-- Lists the kinds of a group that have grown or shrunk by a hundred rows and a quarter since their
-- postings were packed.
-- name: PostingsDue :many
SELECT s.kind FROM annals_internal.search_statistics s
WHERE s.group_id = @group_id AND abs(s.documents - s.packed) >= greatest(100, s.packed / 4)
ORDER BY s.kind;

-- Lists the terms of a kind with postings to pack, in parts of some 50,000 postings. Terms with a
-- single posting are left out, as that takes no less space in a block.
-- name: PostingsToPack :many
SELECT array_agg(n.term ORDER BY n.term)::text[] AS terms
FROM (
    SELECT p.term, (sum(sum(p.postings)) OVER (ORDER BY p.term))::bigint / 50000 AS part
    FROM (
        SELECT l.term, count(*) AS postings, count(*) AS loose FROM annals_internal.postings l
        WHERE l.group_id = @group_id AND l.kind = (@kind::annals.kind)::text
        GROUP BY l.term
        UNION ALL
        SELECT b.term, cardinality(b.ids), 0 FROM annals_internal.posting_blocks b
        WHERE b.group_id = @group_id AND b.kind = (@kind::annals.kind)::text
    ) p
    GROUP BY p.term
    HAVING sum(p.postings) > 1 AND sum(p.loose) > 0
) n
GROUP BY n.part
ORDER BY n.part;

-- name: PostingsPack :one
SELECT annals_internal.pack_postings(@group_id::text, (@kind::annals.kind)::text, @terms::text[])::boolean AS done;

-- name: PostingsPacked :exec
UPDATE annals_internal.search_statistics SET packed = documents
WHERE group_id = @group_id AND kind = @kind::annals.kind;

-- Counts a group's documents again if the count is missing, covers at most a thousand, or is older
-- than 60 µs for each document: for a million, a minute. Counting takes a few hundredths of that,
-- and the count misses no more than what is read meanwhile.
-- name: StatisticsRefresh :exec
INSERT INTO annals_internal.search_statistics (group_id, kind, documents, terms, refreshed_at)
SELECT @group_id, counted.kind, counted.documents, counted.terms, now()
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
    SELECT FROM annals_internal.search_statistics s
    WHERE s.group_id = @group_id AND s.documents > 1000 AND s.refreshed_at > now() - s.documents * interval '60 microseconds'
)
ON CONFLICT (group_id, kind) DO UPDATE
SET documents = excluded.documents, terms = excluded.terms, refreshed_at = excluded.refreshed_at;
