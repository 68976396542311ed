-- Ranking of search results, in one place: used by the library and by the
-- functions annals.search and annals.context.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(7);

-- The constants of Okapi BM25 (Robertson & Zaragoza 2009, section 3.3): the
-- saturation of term frequency, and the penalty for long texts.
CREATE FUNCTION annals_internal.bm25_k1() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 1.2::float8;
COMMENT ON FUNCTION annals_internal.bm25_k1()
    IS 'k1 of Okapi BM25: how soon more occurrences of a word stop counting.';
CREATE FUNCTION annals_internal.bm25_b() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 0.75::float8;
COMMENT ON FUNCTION annals_internal.bm25_b()
    IS 'b of Okapi BM25: the penalty for long texts.';

-- Returns the inverse document frequency, never negative.
CREATE FUNCTION annals_internal.bm25_idf(documents double precision, holders double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ln(1 + (greatest(documents, holders) - holders + 0.5) / (holders + 0.5));
COMMENT ON FUNCTION annals_internal.bm25_idf(double precision, double precision)
    IS 'Returns the inverse document frequency of a word.';

-- Returns the BM25 score of a word in a document. length is relative to the mean
-- length.
CREATE FUNCTION annals_internal.bm25(weight double precision, tf double precision, length double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN weight * (tf * (annals_internal.bm25_k1() + 1) / (tf + annals_internal.bm25_k1() * (1 - annals_internal.bm25_b() + annals_internal.bm25_b() * length)));
COMMENT ON FUNCTION annals_internal.bm25(double precision, double precision, double precision)
    IS 'Returns the BM25 score of a word in a document, from its weight, its frequency and the document''s length relative to the mean.';

-- Returns the term frequency of a word in a text. ts_rank of one word is the sum of
-- 1/n² up to its frequency, divided by the infinite sum; the formula inverts that.
-- Listing the words of the text takes a hundred times as long.
CREATE FUNCTION annals_internal.term_count(terms tsvector, word tsquery) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN terms @@ word
    THEN round(6 / (pi() * pi()) / greatest(1 - ts_rank('{1,1,1,1}', terms, word)::float8, 1e-6) - 0.5)::integer
    ELSE 0 END;
COMMENT ON FUNCTION annals_internal.term_count(tsvector, tsquery) IS 'Returns how often a text contains a word.';

-- Converts a term to a query for that term.
CREATE FUNCTION annals_internal.word_query(term text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('''' || replace(replace(term, '\', '\\'), '''', '''''') || '''')::tsquery;
COMMENT ON FUNCTION annals_internal.word_query(text) IS 'Converts a term to a query for that term.';

-- Rounds a score, so that sums added in a different order are equal.
CREATE FUNCTION annals_internal.rounded_score(score double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN round(score * 1e11::float8) / 1e11::float8;
COMMENT ON FUNCTION annals_internal.rounded_score(double precision) IS 'Rounds a score to eleven decimals, for comparison.';

-- Returns the factor of feedback for a score: 1 without feedback, always between
-- 0.8 and 1.2. Each useful raises it and each wrong lowers it. outdated lowers it
-- only if no valid_at is asked for.
CREATE FUNCTION annals_internal.feedback_factor(group_id text, subject_id uuid, valid_at timestamptz, known_at timestamptz) RETURNS double precision
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    balance CONSTANT double precision := (
        SELECT coalesce(sum(CASE m.mark WHEN 'useful' THEN 1 WHEN 'wrong' THEN -1 ELSE -(valid_at IS NULL)::integer END), 0)
        FROM annals.marks m
        WHERE m.group_id = $1 AND m.subject_id = $2 AND m.mark IN ('useful', 'wrong', 'outdated')
            AND CASE WHEN known_at IS NULL THEN m.until IS NULL ELSE m.since <= known_at AND (m.until IS NULL OR m.until > known_at) END);
BEGIN
    RETURN 1 + 0.2 * balance / (1 + abs(balance));
END
$$;
COMMENT ON FUNCTION annals_internal.feedback_factor(text, uuid, timestamptz, timestamptz) IS
    'Returns the factor by which feedback changes the score of a fact, an episode or a skill: 0.8 to 1.2.';

-- k of reciprocal rank fusion. A larger k makes the first ranks stand out less. 60
-- is from the paper (Cormack, Clarke and Büttcher, SIGIR 2009).
CREATE FUNCTION annals_internal.rank_constant() RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 60::float8;
COMMENT ON FUNCTION annals_internal.rank_constant()
    IS 'k of reciprocal rank fusion.';

-- Lists the speakers of a group, with one index probe each.
CREATE FUNCTION annals_internal.speakers(group_id text, max_rows integer) RETURNS SETOF text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH RECURSIVE speaker AS (
        (SELECT e.actor FROM annals.episodes e WHERE e.group_id = $1 AND e.actor > '' ORDER BY e.actor LIMIT 1)
        UNION ALL
        SELECT (SELECT e.actor FROM annals.episodes e WHERE e.group_id = $1 AND e.actor > s.actor ORDER BY e.actor LIMIT 1)
        FROM speaker s WHERE s.actor IS NOT NULL
    )
    SELECT s.actor FROM speaker s WHERE s.actor IS NOT NULL LIMIT max_rows;
END
$$;
COMMENT ON FUNCTION annals_internal.speakers(text, integer)
    IS 'Lists the speakers of a group.';

-- The row type of the rankings that functions return. As a view, it gives sqlc
-- one struct for all of them.
CREATE VIEW annals_internal.ranked WITH (security_invoker = true) AS
SELECT r.id::uuid AS id, r.score::float8 AS score
FROM (VALUES (NULL, NULL)) AS r(id, score)
WHERE false;
COMMENT ON VIEW annals_internal.ranked IS 'Row type of the rankings that functions return, best row first. The view itself has no rows.';
COMMENT ON COLUMN annals_internal.ranked.id IS 'Id of the row.';
COMMENT ON COLUMN annals_internal.ranked.score IS 'Its score; higher is better.';

-- Ranks the rows of a kind by Okapi BM25.
--
-- The rarest terms of a query lead: all their postings are read. They lead while
-- their document counts sum to at most 4,000, or 2,000 for facts, which have few
-- words. Counts above 500 are in frequent_terms; rarer terms always lead, and are
-- counted in the search. Beyond a hundred terms the most frequent are left out.
--
-- Of each other term, the 7,000 postings in which it counts most are read; above
-- three such terms, 21,000 in equal parts. They add rows in which two of these
-- terms meet, and rows in which one counts most. This is skipped if enough rows
-- with leading terms score higher than any row without could. All rows are then
-- ordered by the terms read. The best, three times as many as asked for, are scored
-- by all their terms. So a query reads a bounded number of postings, and loses
-- nothing if all terms have few. Words in lesser count 0.3.
CREATE FUNCTION annals_internal.rank_by_terms(
    group_id text, kind annals.kind, query text, lesser text, narrowed boolean, filter jsonb, valid_at timestamptz,
    include_ended boolean, max_rows integer
) RETURNS SETOF annals_internal.ranked
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    kind_name CONSTANT text := $2::text;
BEGIN
    RETURN QUERY
    WITH asked AS MATERIALIZED (
        SELECT t.term, f.documents, CASE WHEN t.term = ANY (l.terms) THEN 0.3 ELSE 1 END::float8 AS weight
        FROM annals.groups g
        CROSS JOIN LATERAL (SELECT tsvector_to_array(to_tsvector(g.text_search::regconfig, lesser)) AS terms) l
        CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(g.text_search::regconfig, annals_internal.segmented(query)))) AS t(term)
        LEFT JOIN annals_internal.frequent_terms f ON f.group_id = $1 AND f.kind = kind_name AND f.term = t.term
        WHERE g.group_id = $1
        ORDER BY f.documents NULLS FIRST, length(t.term) DESC, t.term
        LIMIT 100
    ), statistics AS MATERIALIZED (
        SELECT CASE $2 WHEN 'fact' THEN 2000 ELSE 4000 END AS most,
            greatest(coalesce(max(s.documents), 0), 1)::float8 AS documents,
            greatest(coalesce(max(s.terms)::float8 / nullif(max(s.documents), 0), 1), 1) AS mean_length
        FROM annals_internal.search_statistics s
        WHERE s.group_id = $1 AND s.kind = $2
    ), ordered AS MATERIALIZED (
        SELECT a.term, a.documents, a.weight, coalesce(sum(a.documents) OVER w, 0) <= s.most AS leads
        FROM asked a, statistics s
        WINDOW w AS (ORDER BY a.documents NULLS FIRST, a.term)
    ), leaders AS MATERIALIZED (
        SELECT o.weight * annals_internal.bm25_idf(s.documents, coalesce(o.documents, cardinality(h.ids))) AS idf, h.ids, h.tf, h.lengths
        FROM ordered o
        CROSS JOIN statistics s
        CROSS JOIN LATERAL (
            SELECT array_agg(q.document_id) AS ids, array_agg(q.tf) AS tf, array_agg(q.length) AS lengths
            FROM (
                (SELECT r.document_id, r.tf, r.length FROM annals_internal.postings r
                WHERE r.group_id = $1 AND r.kind = kind_name AND r.term = o.term
                ORDER BY r.document_id DESC
                LIMIT s.most)
                UNION ALL
                SELECT unnest(r.ids), unnest(r.tf), unnest(r.lengths) FROM annals_internal.posting_blocks r
                WHERE r.group_id = $1 AND r.kind = kind_name AND r.term = o.term AND r.block <= s.most / 72
            ) q
        ) h
        WHERE o.leads AND h.ids IS NOT NULL
    ), led AS MATERIALIZED (
        SELECT p.id, sum(annals_internal.bm25(p.idf, p.tf, p.length / s.mean_length)) AS score
        FROM (SELECT l.idf, unnest(l.ids) AS id, unnest(l.tf) AS tf, unnest(l.lengths) AS length FROM leaders l) p, statistics s
        GROUP BY p.id
    ), others AS MATERIALIZED (
        SELECT o.term, o.idf, annals_internal.word_query(o.term) AS word, row_number() OVER (ORDER BY o.idf DESC, o.term) AS place,
            least(7000, 21000 / count(*) OVER ()) AS most
        FROM (
            SELECT r.term, r.weight * annals_internal.bm25_idf(s.documents, r.documents) AS idf FROM ordered r, statistics s WHERE NOT r.leads
        ) o
    ), unled AS MATERIALIZED (
        SELECT coalesce(sum(b.best), 0) > coalesce((SELECT l.score FROM led l ORDER BY l.score DESC OFFSET max_rows / 2 LIMIT 1), 0) AS matter
        FROM others o
        CROSS JOIN statistics s
        CROSS JOIN LATERAL (
            SELECT coalesce((
                SELECT max(annals_internal.bm25(o.idf, t.tf, t.length / s.mean_length))
                FROM annals_internal.posting_blocks r, unnest(r.tf, r.lengths) AS t(tf, length)
                WHERE r.group_id = $1 AND r.kind = kind_name AND r.term = o.term AND r.block = 0
            ), o.idf * (annals_internal.bm25_k1() + 1)) AS best
        ) b
    ), blocks AS MATERIALIZED (
        SELECT o.place, o.idf, b.block, b.ids, b.tf, b.lengths
        FROM others o
        CROSS JOIN LATERAL (
            (SELECT r.block, r.ids, r.tf, r.lengths FROM annals_internal.posting_blocks r
            WHERE r.group_id = $1 AND r.kind = kind_name AND r.term = o.term AND r.block <= o.most / 72)
            UNION ALL
            SELECT 0, array_agg(q.document_id), array_agg(q.tf::smallint), array_agg(least(q.length, 32767)::smallint)
            FROM (
                SELECT r.document_id, r.tf, r.length FROM annals_internal.postings r
                WHERE r.group_id = $1 AND r.kind = kind_name AND r.term = o.term
                ORDER BY r.document_id DESC
                LIMIT o.most
            ) q
        ) b
        WHERE (SELECT u.matter FROM unled u)
    ), together AS MATERIALIZED (
        SELECT p.id, p.place, p.score, annals_internal.bm25(q.idf, q.tf, p.length / s.mean_length) AS more
        FROM statistics s
        CROSS JOIN (
            SELECT b.place, annals_internal.bm25(b.idf, b.tf, b.length / t.mean_length) AS score, b.id, b.length
            FROM (
                SELECT c.place, c.idf, unnest(c.ids) AS id, unnest(c.tf) AS tf, unnest(c.lengths) AS length FROM blocks c
                WHERE c.place = 1 OR c.place = 2 AND c.block < 24
            ) b, statistics t
        ) p
        JOIN (SELECT c.place, c.idf, unnest(c.ids) AS id, unnest(c.tf) AS tf FROM blocks c WHERE c.place > 1) q
            ON q.id = p.id AND q.place > p.place
    ), found AS NOT MATERIALIZED (
        SELECT l.id, l.score, l.score AS settled FROM led l
        UNION ALL
        SELECT m.id, max(m.score), 0
        FROM (
            SELECT t.id, max(t.score) + sum(t.more) AS score FROM together t GROUP BY t.id, t.place
            UNION ALL
            SELECT a.id, a.score
            FROM others o
            CROSS JOIN LATERAL (
                SELECT c.id, annals_internal.bm25(o.idf, c.tf, c.length / s.mean_length) AS score
                FROM (
                    SELECT unnest(b.ids) AS id, unnest(b.tf) AS tf, unnest(b.lengths) AS length FROM blocks b
                    WHERE b.place = o.place AND b.block <= 1
                ) c, statistics s
                ORDER BY 2 DESC, 1
                LIMIT 2 * max_rows
            ) a
        ) m
        GROUP BY m.id
    ), eligible AS NOT MATERIALIZED (
        SELECT c.id, c.settled
        FROM (
            SELECT f.id, sum(f.settled) AS settled FROM found f
            GROUP BY f.id
            ORDER BY annals_internal.rounded_score(sum(f.score)) DESC, f.id
            OFFSET 0
        ) c
        WHERE CASE
            WHEN $2 = 'fact' AND narrowed THEN EXISTS (SELECT FROM annals_internal.facts_passing(
                $1, filter, valid_at, include_ended, ARRAY[c.id]) OFFSET 0)
            WHEN $2 = 'fact' THEN EXISTS (
                SELECT FROM annals.facts f
                WHERE f.group_id = $1 AND f.id = c.id
                    AND CASE WHEN valid_at IS NOT NULL THEN annals_internal.shown_at(f.kind, f.valid, f.from_basis, f.said_at, valid_at)
                        ELSE include_ended OR f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > now() END)
            WHEN $2 = 'entity' AND narrowed THEN
                EXISTS (SELECT FROM annals_internal.entities_passing($1, filter, ARRAY[c.id]) OFFSET 0)
            WHEN $2 = 'episode' AND narrowed THEN
                EXISTS (SELECT FROM annals_internal.episodes_passing($1, filter, ARRAY[c.id]) OFFSET 0)
            ELSE true
        END
        LIMIT CASE WHEN EXISTS (SELECT FROM others) THEN 3 * max_rows ELSE max_rows END
    )
    SELECT e.id, annals_internal.rounded_score(e.settled + coalesce((
        SELECT sum(annals_internal.bm25(o.idf, annals_internal.term_count(d.terms, o.word), d.length / s.mean_length))
        FROM (
            SELECT f.terms || ''::tsvector AS terms, f.length FROM annals.facts f WHERE $2 = 'fact' AND f.group_id = $1 AND f.id = e.id
            UNION ALL
            SELECT n.terms || ''::tsvector, n.length FROM annals.entities n WHERE $2 = 'entity' AND n.group_id = $1 AND n.id = e.id
            UNION ALL
            SELECT p.terms || ''::tsvector, p.length FROM annals.episodes p WHERE $2 = 'episode' AND p.group_id = $1 AND p.id = e.id
            UNION ALL
            SELECT c.terms || ''::tsvector, c.length FROM annals.communities c WHERE $2 = 'community' AND c.group_id = $1 AND c.id = e.id
            OFFSET 0
        ) d
        CROSS JOIN others o
    ), 0)) AS score
    FROM eligible e, statistics s
    ORDER BY 2 DESC, e.id
    LIMIT max_rows;
END
$$;
COMMENT ON FUNCTION annals_internal.rank_by_terms(text, annals.kind, text, text, boolean, jsonb, timestamptz, boolean, integer)
    IS 'Ranks the rows of a kind by the words of a text, by Okapi BM25. Words in lesser count 0.3.';

-- Returns the folded words of a text, with a space before and after each. In scripts
-- without spaces each letter is a word.
CREATE FUNCTION annals_internal.words_apart(said text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    folded CONSTANT text := annals_internal.fold_text(said);
BEGIN
    IF octet_length(folded) = length(folded) THEN
        RETURN ' ' || folded || ' ';
    END IF;
    RETURN ' ' || btrim(regexp_replace(folded, '\s*([' || annals_internal.unspaced_letters() || '])\s*', ' \1 ', 'g')) || ' ';
END
$$;
COMMENT ON FUNCTION annals_internal.words_apart(text) IS 'Returns the folded words of a text, with a space before and after each.';

-- Positions of terms in a long text do not show which are neighbours
-- (annals_internal.words_of), so the phrase is searched in its words.
CREATE FUNCTION annals_internal.holds_phrase(document text, terms tsvector, said text, phrase tsquery) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN annals_internal.is_long(document)
    THEN strpos(annals_internal.words_apart(document), annals_internal.words_apart(said)) > 0
    ELSE terms @@ phrase END;
COMMENT ON FUNCTION annals_internal.holds_phrase(text, tsvector, text, tsquery) IS 'Tells whether a text contains a phrase word by word.';

-- Ranks the rows that contain phrases word by word: by number of phrases, then
-- shortest first. The rarest word of a phrase yields up to 5,000 documents, the
-- newest and those in which it counts most.
CREATE FUNCTION annals_internal.rank_by_phrases(
    group_id text, kind annals.kind, phrases text[], narrowed boolean, filter jsonb, valid_at timestamptz, include_ended boolean,
    max_rows integer
) RETURNS SETOF annals_internal.ranked
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    kind_name CONSTANT text := $2::text;
BEGIN
    RETURN QUERY
    WITH asked AS MATERIALIZED (
        SELECT p.phrase AS said, phraseto_tsquery(g.text_search::regconfig, s.words) AS phrase,
            tsvector_to_array(to_tsvector(g.text_search::regconfig, s.words)) AS terms
        FROM annals.groups g
        CROSS JOIN LATERAL unnest(phrases) AS p(phrase)
        CROSS JOIN LATERAL (SELECT annals_internal.segmented(p.phrase) AS words OFFSET 0) s
        WHERE g.group_id = $1
    ), holding AS MATERIALIZED (
        SELECT a.said, a.phrase, h.document_id AS id, h.length
        FROM asked a
        CROSS JOIN LATERAL (
            SELECT t.term
            FROM unnest(a.terms) AS t(term)
            LEFT JOIN annals_internal.frequent_terms f ON f.group_id = $1 AND f.kind = kind_name AND f.term = t.term
            ORDER BY f.documents NULLS FIRST, length(t.term) DESC, t.term
            LIMIT 1
        ) rarest
        CROSS JOIN LATERAL (
            (SELECT q.document_id, q.length FROM annals_internal.postings q
            WHERE q.group_id = $1 AND q.kind = kind_name AND q.term = rarest.term
            ORDER BY q.document_id DESC
            LIMIT 5000)
            UNION ALL
            SELECT unnest(q.ids), unnest(q.lengths) FROM annals_internal.posting_blocks q
            WHERE q.group_id = $1 AND q.kind = kind_name AND q.term = rarest.term AND q.block <= 5000 / 72
            LIMIT 5000
        ) h
    ), containing AS MATERIALIZED (
        SELECT h.id, count(*) AS phrases, min(h.length) AS length
        FROM holding h
        WHERE CASE $2
            WHEN 'fact' THEN EXISTS (SELECT FROM annals.facts f WHERE f.group_id = $1 AND f.id = h.id AND f.terms @@ h.phrase)
            WHEN 'entity' THEN EXISTS (SELECT FROM annals.entities n WHERE n.group_id = $1 AND n.id = h.id AND n.terms @@ h.phrase)
            WHEN 'episode' THEN EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = $1 AND e.id = h.id
                AND annals_internal.holds_phrase(concat_ws(' ', e.actor, e.name, annals_internal.searched(e.source, e.content)), e.terms, h.said, h.phrase))
            ELSE EXISTS (SELECT FROM annals.communities c WHERE c.group_id = $1 AND c.id = h.id AND c.terms @@ h.phrase)
        END
        GROUP BY h.id
    )
    SELECT c.id, c.phrases::float8 AS score
    FROM (SELECT o.id, o.phrases, o.length FROM containing o ORDER BY o.phrases DESC, o.length, o.id OFFSET 0) c
    WHERE CASE
        WHEN $2 = 'fact' AND narrowed THEN EXISTS (SELECT FROM annals_internal.facts_passing(
            $1, filter, valid_at, include_ended, ARRAY[c.id]) OFFSET 0)
        WHEN $2 = 'fact' THEN EXISTS (
            SELECT FROM annals.facts f
            WHERE f.group_id = $1 AND f.id = c.id
                AND CASE WHEN valid_at IS NOT NULL THEN annals_internal.shown_at(f.kind, f.valid, f.from_basis, f.said_at, valid_at)
                    ELSE include_ended OR f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > now() END)
        WHEN $2 = 'entity' AND narrowed THEN
            EXISTS (SELECT FROM annals_internal.entities_passing($1, filter, ARRAY[c.id]) OFFSET 0)
        WHEN $2 = 'episode' AND narrowed THEN
            EXISTS (SELECT FROM annals_internal.episodes_passing($1, filter, ARRAY[c.id]) OFFSET 0)
        ELSE true
    END
    ORDER BY c.phrases DESC, c.length, c.id
    LIMIT max_rows;
END
$$;
COMMENT ON FUNCTION annals_internal.rank_by_phrases(text, annals.kind, text[], boolean, jsonb, timestamptz, boolean, integer)
    IS 'Ranks the rows of a kind that contain phrases word by word, by number of phrases.';

-- Like rank_by_terms, over the terms that rows had at a time. It reads the terms
-- from the rows, because former versions have no postings.
CREATE FUNCTION annals_internal.rank_known_by_terms(
    group_id text, kind annals.kind, query text, filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean,
    max_rows integer
) RETURNS SETOF annals_internal.ranked
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH asked AS MATERIALIZED (
        SELECT array_agg(t.term) AS terms,
            string_agg(annals_internal.word_query(t.term)::text, ' | ')::tsquery AS any_term
        FROM annals.groups g
        CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(g.text_search::regconfig, annals_internal.segmented(query)))) AS t(term)
        WHERE g.group_id = $1
    ), statistics AS MATERIALIZED (
        SELECT greatest(coalesce(max(s.documents), 0), 1)::float8 AS documents,
            greatest(coalesce(max(s.terms)::float8 / nullif(max(s.documents), 0), 1), 1) AS mean_length
        FROM annals_internal.search_statistics s
        WHERE s.group_id = $1 AND s.kind = $2
    ), document AS MATERIALIZED (
        SELECT d.id, d.terms, d.length
        FROM (
            SELECT f.id, f.terms, f.length FROM annals.facts f
            WHERE $2 = 'fact' AND f.group_id = $1 AND f.recorded @> known_at
            UNION ALL
            SELECT f.id, f.terms, f.length FROM annals_internal.facts_history f
            WHERE $2 = 'fact' AND f.group_id = $1 AND f.recorded @> known_at
            UNION ALL
            SELECT e.id, e.terms, e.length FROM annals.entities e
            WHERE $2 = 'entity' AND e.group_id = $1 AND e.recorded @> known_at
            UNION ALL
            SELECT e.id, e.terms, e.length FROM annals_internal.entities_history e
            WHERE $2 = 'entity' AND e.group_id = $1 AND e.recorded @> known_at
            UNION ALL
            SELECT c.id, c.terms, c.length FROM annals.communities c
            WHERE $2 = 'community' AND c.group_id = $1 AND c.recorded @> known_at
            UNION ALL
            SELECT c.id, c.terms, c.length FROM annals_internal.communities_history c
            WHERE $2 = 'community' AND c.group_id = $1 AND c.recorded @> known_at
        ) d
        WHERE d.terms @@ (SELECT a.any_term FROM asked a)
    ), found AS MATERIALIZED (
        SELECT d.id, d.length, t.lexeme AS term, cardinality(t.positions) AS tf
        FROM document d
        CROSS JOIN LATERAL unnest(d.terms) AS t(lexeme, positions, weights)
        WHERE t.lexeme = ANY (SELECT unnest(a.terms) FROM asked a)
    ), weight AS MATERIALIZED (
        SELECT f.term, annals_internal.bm25_idf(max(s.documents), count(*)) AS idf
        FROM found f, statistics s
        GROUP BY f.term
    )
    SELECT f.id::uuid AS id, annals_internal.rounded_score(sum(annals_internal.bm25(w.idf, f.tf, f.length / s.mean_length))) AS score
    FROM found f JOIN weight w USING (term), statistics s
    WHERE f.id IN (SELECT annals_internal.matching_known($1, $2, filter, valid_at,
        known_at, include_ended))
    GROUP BY f.id
    ORDER BY 2 DESC, f.id
    LIMIT max_rows;
END
$$;
COMMENT ON FUNCTION annals_internal.rank_known_by_terms(text, annals.kind, text, jsonb, timestamptz, timestamptz, boolean, integer)
    IS 'Like rank_by_terms, over the rows believed at a time.';

-- Like rank_by_phrases, over the terms that rows had at a time. It tests all rows
-- of that time.
CREATE FUNCTION annals_internal.rank_known_by_phrases(
    group_id text, kind annals.kind, phrases text[], filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean,
    max_rows integer
) RETURNS SETOF annals_internal.ranked
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH asked AS MATERIALIZED (
        SELECT phraseto_tsquery(g.text_search::regconfig, annals_internal.segmented(p.phrase)) AS phrase
        FROM annals.groups g
        CROSS JOIN LATERAL unnest(phrases) AS p(phrase)
        WHERE g.group_id = $1
    ), containing AS MATERIALIZED (
        SELECT d.id, count(*) AS phrases, min(d.length) AS length
        FROM (
            SELECT f.id, f.terms, f.length FROM annals.facts f
            WHERE $2 = 'fact' AND f.group_id = $1 AND f.recorded @> known_at
            UNION ALL
            SELECT f.id, f.terms, f.length FROM annals_internal.facts_history f
            WHERE $2 = 'fact' AND f.group_id = $1 AND f.recorded @> known_at
            UNION ALL
            SELECT e.id, e.terms, e.length FROM annals.entities e
            WHERE $2 = 'entity' AND e.group_id = $1 AND e.recorded @> known_at
            UNION ALL
            SELECT e.id, e.terms, e.length FROM annals_internal.entities_history e
            WHERE $2 = 'entity' AND e.group_id = $1 AND e.recorded @> known_at
            UNION ALL
            SELECT c.id, c.terms, c.length FROM annals.communities c
            WHERE $2 = 'community' AND c.group_id = $1 AND c.recorded @> known_at
            UNION ALL
            SELECT c.id, c.terms, c.length FROM annals_internal.communities_history c
            WHERE $2 = 'community' AND c.group_id = $1 AND c.recorded @> known_at
        ) d
        JOIN asked a ON d.terms @@ a.phrase
        GROUP BY d.id
    )
    SELECT c.id::uuid AS id, c.phrases::float8 AS score
    FROM containing c
    WHERE c.id IN (SELECT annals_internal.matching_known($1, $2, filter, valid_at,
        known_at, include_ended))
    ORDER BY c.phrases DESC, c.length, c.id
    LIMIT max_rows;
END
$$;
COMMENT ON FUNCTION annals_internal.rank_known_by_phrases(text, annals.kind, text[], jsonb, timestamptz, timestamptz, boolean, integer)
    IS 'Like rank_by_phrases, over the rows believed at a time.';

-- Ranks the rows believed at a time by the distance of their vectors of that
-- time.
CREATE FUNCTION annals_internal.nearest_known(
    group_id text, kind annals.kind, model text, embedding halfvec, filter jsonb, valid_at timestamptz, known_at timestamptz,
    include_ended boolean, max_rows integer
) RETURNS SETOF annals_internal.ranked
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH past AS MATERIALIZED (
        SELECT DISTINCT ON (h.id) h.id, h.embedding
        FROM annals_internal.embeddings_history h
        WHERE h.group_id = $1 AND h.kind = $2 AND h.model = $3 AND h.until > known_at
        ORDER BY h.id, h.until
    ), present AS (
        SELECT v.fact_id AS id, v.embedding FROM annals_internal.fact_embeddings v
        WHERE $2 = 'fact' AND v.group_id = $1 AND v.model = $3
        UNION ALL
        SELECT v.entity_id, v.embedding FROM annals_internal.entity_embeddings v
        WHERE $2 = 'entity' AND v.group_id = $1 AND v.model = $3
        UNION ALL
        SELECT v.community_id, v.embedding FROM annals_internal.community_embeddings v
        WHERE $2 = 'community' AND v.group_id = $1 AND v.model = $3
    ), candidate AS (
        SELECT p.id, p.embedding FROM past p
        UNION ALL
        SELECT v.id, v.embedding FROM present v WHERE v.id NOT IN (SELECT p.id FROM past p)
    )
    SELECT c.id::uuid AS id, (1 - annals_internal.distance(c.embedding, $4))::float8 AS score
    FROM candidate c
    WHERE c.id IN (SELECT annals_internal.matching_known($1, $2, filter, valid_at,
        known_at, include_ended))
    ORDER BY annals_internal.distance(c.embedding, $4) + 0, c.id
    LIMIT max_rows;
END
$$;
COMMENT ON FUNCTION annals_internal.nearest_known(text, annals.kind, text, halfvec, jsonb, timestamptz, timestamptz, boolean, integer)
    IS 'Ranks the rows of a kind believed at a time by the distance of their vectors of that time.';

-- Returns the entities named in the first 64 words of a question. Punctuation
-- around a word and a final 's are ignored, except a dot that ends a name ("Acme
-- Corp.") and an 's within one ("Ben's mother"). A question that names none means
-- those named asker, if that is given.
CREATE FUNCTION annals_internal.entities_named_in(group_id text, query text, asker text DEFAULT '') RETURNS uuid[]
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    said CONSTANT text[] := (string_to_array(annals_internal.name_key(query), ' '))[:64];
    bare CONSTANT text[] := ARRAY(
        SELECT btrim(s.word, '.,;:!?"()[]{}<>“”„‘’''') FROM unnest(said) WITH ORDINALITY AS s(word, place) ORDER BY s.place
    );
    words CONSTANT text[] := ARRAY(
        SELECT CASE WHEN b.word ~ '[''’]s$' THEN left(b.word, -2) ELSE b.word END
        FROM unnest(bare) WITH ORDINALITY AS b(word, place) ORDER BY b.place
    );
    found uuid[];
BEGIN
    found := ARRAY(
        SELECT DISTINCT n.entity_id
        FROM ( -- names that start with a word sort before that word and '/', as do a space and a dot
            SELECT w.first, w.word, w.word || '/' AS beyond
            FROM unnest(words) WITH ORDINALITY AS w(word, first)
            OFFSET 0 -- as below
        ) f
        CROSS JOIN LATERAL ( -- most words start no name
            SELECT FROM annals_internal.entity_names b WHERE b.group_id = $1 AND b.name_key >= f.word AND b.name_key < f.beyond LIMIT 1
        ) b
        CROSS JOIN LATERAL (
            SELECT array_to_string((CASE WHEN o.owned THEN bare ELSE words END)[f.first : f.first + m.more - 1] || words[f.first + m.more], ' ') || d.dot AS name_key
            FROM generate_series(0, least(4, cardinality(words) - f.first::integer)) AS m(more)
            JOIN (VALUES (''), ('.')) AS d(dot) ON strpos(said[f.first + m.more], d.dot) > 0
            JOIN (VALUES (false), (true)) AS o(owned) ON NOT o.owned OR bare[f.first : f.first + m.more - 1] <> words[f.first : f.first + m.more - 1]
            OFFSET 0 -- else each key is tested on all names of a tenant: its expression is not leakproof
        ) k
        CROSS JOIN LATERAL (SELECT e.entity_id FROM annals_internal.entity_names e WHERE e.group_id = $1 AND e.name_key = k.name_key OFFSET 0) n
        ORDER BY n.entity_id
        LIMIT 100
    );
    IF found = '{}' AND asker <> '' THEN
        RETURN ARRAY(SELECT e.entity_id FROM annals_internal.entity_names e WHERE e.group_id = $1 AND e.name_key = annals_internal.name_key(asker) ORDER BY e.entity_id LIMIT 100);
    END IF;
    RETURN found;
END
$$;
COMMENT ON FUNCTION annals_internal.entities_named_in(text, text, text) IS 'Returns the entities named in a question, or else those named asker.';

-- Returns the term frequencies of words in the given episodes, and the number of
-- episodes in the group that contain each.
CREATE FUNCTION annals_internal.episode_word_counts(group_id text, query text, lesser text, ids uuid[])
RETURNS TABLE (weight double precision, holders bigint, said_in uuid[], tf integer[])
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH asked AS MATERIALIZED (
        SELECT t.term, annals_internal.word_query(t.term) AS word, f.documents,
            CASE WHEN t.term = ANY (l.terms) THEN 0.3 ELSE 1 END::float8 AS weight
        FROM annals.groups g
        CROSS JOIN LATERAL (SELECT tsvector_to_array(to_tsvector(g.text_search::regconfig, $3)) AS terms) l
        CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector(g.text_search::regconfig, annals_internal.segmented($2)))) AS t(term)
        LEFT JOIN annals_internal.frequent_terms f ON f.group_id = $1 AND f.kind = 'episode' AND f.term = t.term
        WHERE g.group_id = $1
        ORDER BY length(t.term) DESC, t.term
        LIMIT 100
    ), around AS MATERIALIZED (
        SELECT e.id, e.terms FROM unnest($4) AS i(id) JOIN annals.episodes e ON e.group_id = $1 AND e.id = i.id
    )
    SELECT a.weight, h.holders, h.ids, h.tf
    FROM asked a
    CROSS JOIN LATERAL (
        SELECT count(*) AS holders, array_agg(q.document_id) FILTER (WHERE (q.document_id IN (SELECT r.id FROM around r)) IS TRUE) AS ids,
            array_agg(q.tf) FILTER (WHERE (q.document_id IN (SELECT r.id FROM around r)) IS TRUE) AS tf
        FROM annals_internal.all_postings q
        WHERE a.documents IS NULL AND q.group_id = $1 AND q.kind = 'episode' AND q.term = a.term
    ) h
    WHERE a.documents IS NULL AND h.ids IS NOT NULL
    UNION ALL
    SELECT a.weight, a.documents::bigint, array_agg(r.id), array_agg(annals_internal.term_count(r.terms, a.word))
    FROM asked a
    JOIN around r ON r.terms @@ a.word
    WHERE a.documents IS NOT NULL
    GROUP BY a.term, a.weight, a.documents;
END
$$;
COMMENT ON FUNCTION annals_internal.episode_word_counts(text, text, text, uuid[])
    IS 'Returns the term frequencies of a text''s words in some episodes.';

CALL annals_internal.end_migration(7, 'ranking');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals_internal.episode_word_counts, annals_internal.entities_named_in, annals_internal.nearest_known, annals_internal.rank_known_by_phrases,
    annals_internal.rank_known_by_terms, annals_internal.rank_by_phrases, annals_internal.holds_phrase, annals_internal.words_apart, annals_internal.rank_by_terms, annals_internal.speakers, annals_internal.rank_constant, annals_internal.feedback_factor,
    annals_internal.rounded_score, annals_internal.word_query, annals_internal.term_count, annals_internal.bm25, annals_internal.bm25_idf, annals_internal.bm25_b, annals_internal.bm25_k1;
DROP VIEW annals_internal.ranked;
DELETE FROM annals.migrations WHERE version = 7;
