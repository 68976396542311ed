-- Search from SQL, ranked as the library ranks by words.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(9);

-- A question as it can be looked for: its first 8 KiB, without white space around it.
CREATE FUNCTION annals_internal.trim_query(query text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    most CONSTANT integer := 8192;
    bytes bytea;
    fits integer := most;
BEGIN
    query := left(coalesce(query, ''), most);
    IF octet_length(query) > most THEN
        bytes := convert_to(query, 'UTF8');
        WHILE get_byte(bytes, fits) & 192 = 128 LOOP -- within a character
            fits := fits - 1;
        END LOOP;
        query := convert_from(substring(bytes FOR fits), 'UTF8');
    END IF;
    RETURN btrim(translate(query, U&'\FFFD', ' '), annals_internal.whitespace_characters());
END
$$;
COMMENT ON FUNCTION annals_internal.trim_query(text) IS 'A question as it can be looked for: its first 8 KiB, without white space around it.';

CREATE FUNCTION annals_internal.whitespace_characters() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN E' \t\n\x0b\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';
COMMENT ON FUNCTION annals_internal.whitespace_characters() IS 'The characters that are white space.';

-- What a text has in double quotation marks, straight or typographic: five phrases
-- at the most. A mark without its partner means nothing.
CREATE FUNCTION annals_internal.quoted_phrases(query text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN ARRAY(
        SELECT p.phrase
        FROM (
            SELECT btrim(m.match[1], annals_internal.whitespace_characters()) AS phrase, m.place
            FROM regexp_matches(query, '["“„]([^"“”„]+)["”“]', 'g') WITH ORDINALITY AS m(match, place)
        ) p
        WHERE p.phrase <> ''
        GROUP BY p.phrase
        ORDER BY min(p.place)
        LIMIT 5
    );
END
$$;
COMMENT ON FUNCTION annals_internal.quoted_phrases(text) IS 'What a text has in double quotation marks.';

-- What a question tells beside the words to look for. The names of speakers are
-- taken out of those: whoever is asked about seldom says their own name. Words of a
-- question that consists of nothing else stay. Addresses, hosts, paths, versions and
-- decimals are words of their own as well.
CREATE FUNCTION annals.read_question(
    group_id text, query text, OUT words text, OUT actors text[], OUT me boolean, OUT time_wanted boolean
)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    fillers CONSTANT text[] := '{m,ve,re,ll,d,many,much,would,could,might}';
    separators CONSTANT text := E'[[:punct:][:space:][:cntrl:]$+<=>^`|~\u00a2-\u00a9\u00ac-\u00b1\u00b4\u00b8\u00d7\u00f7\u20a0-\u20c0'
        '\u2190-\u2211\u2212-\u244a\u2500-\u2767\u2794-\u2bff\U0001f10d-\U0001fbca]+';
BEGIN
    WITH word AS MATERIALIZED (
        SELECT w.word, lower(w.word) AS lowered, w.place
        FROM regexp_split_to_table(query COLLATE "und-x-icu", separators) WITH ORDINALITY AS w(word, place)
        WHERE w.word <> ''
    ), name AS MATERIALIZED (
        SELECT s.actor, n.name
        FROM annals_internal.speakers($1, 200) AS s(actor)
        CROSS JOIN LATERAL regexp_split_to_table(lower(s.actor COLLATE "und-x-icu"), '\s+') AS n(name)
        WHERE octet_length(n.name) > 1
    ), kept AS (
        SELECT w.word, w.place FROM word w
        WHERE NOT w.lowered = ANY (fillers) AND w.lowered NOT IN (SELECT n.name FROM name n)
        UNION ALL
        SELECT t.word, 100000 + t.place
        FROM regexp_split_to_table(query COLLATE "und-x-icu", '\s+') WITH ORDINALITY AS p(part, place)
        CROSS JOIN LATERAL (SELECT rtrim(ltrim(p.part, '"''“”„(<[{'), '"''“”„)>]}.,;:!?') AS word, p.place) t
        WHERE t.word ~ '[[:alnum:]][.@/_:]+[[:alnum:]]'
    )
    SELECT coalesce((SELECT string_agg(k.word, ' ' ORDER BY k.place) FROM kept k), query),
        ARRAY(SELECT DISTINCT n.actor FROM name n JOIN word w ON w.lowered = n.name),
        EXISTS (SELECT FROM word w WHERE w.lowered IN ('i', 'me', 'my')),
        EXISTS (SELECT FROM word w WHERE w.lowered = 'when')
    INTO words, actors, me, time_wanted;
END
$$;
COMMENT ON FUNCTION annals.read_question(text, text)
    IS 'What a question tells: the words to look for, the speakers it names, whether who asks asks about themselves, whether a time is wanted.';

-- Episodes by their words, by how near they lie where that is known, and by what
-- stands around them, as docs/search.md says: with the messages before and after, with
-- how well the conversation fits as a whole, by who says it. The weights are those of
-- the library (retrieval/episodes.go).
CREATE FUNCTION annals_internal.rank_episodes(
    group_id text, query text, near_ids uuid[], nearness double precision[], filter jsonb, max_rows integer
) RETURNS TABLE (id uuid, score double precision)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    assistant_weight CONSTANT double precision := 0.4; -- of what an assistant said
    neighbour_weight CONSTANT double precision := 0.5; -- of the words of the message before, and of the one after
    near_weight CONSTANT double precision := 1;        -- of the nearest vector, beside the best words
    nearby_weight CONSTANT double precision := 0.2;    -- of the vectors of the message before, and of the one after
    assistant_meant CONSTANT double precision := 0.6;  -- of the vector of what an assistant said
    meant_weight CONSTANT double precision := 0.6;     -- of the vectors, in how well the whole conversation fits
    message_decay CONSTANT double precision := 0.8;    -- there, from one message of a conversation to its next nearest
    thread_weight CONSTANT double precision := CASE WHEN near_ids IS NULL THEN 0.6 ELSE 0.5 END; -- of how well the whole conversation fits
    asked_weight CONSTANT double precision := 1.75;    -- for messages of somebody the question names
    question_weight CONSTANT double precision := 0.7;  -- for short questions
    when_weight CONSTANT double precision := 1.3;      -- for messages that say when, if that is asked
    short_question CONSTANT integer := 12;             -- terms at the most
    narrowed CONSTANT boolean := filter <> '{}';
    question record;
    ids uuid[];
    scores double precision[];
BEGIN
    SELECT * INTO question FROM annals.read_question($1, query);
    SELECT array_agg(r.id), array_agg(r.score) INTO ids, scores
    FROM annals_internal.rank_by_terms($1, 'episode', question.words, '', narrowed, filter, NULL, false, greatest(max_rows, 500)) r;
    IF ids IS NULL AND near_ids IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH thread AS MATERIALIZED (
        SELECT t.id, t.terms, t.weights, t.tf, t.messages, t.length, t.documents
        FROM annals_internal.thread_word_counts($1, question.words, '', ids, assistant_weight) t
    ), total AS MATERIALIZED (
        SELECT greatest(count(*), count(*) * max(t.documents) / greatest(sum(t.messages), 1)::float8) AS threads,
            greatest(sum(t.length) / greatest(count(*), 1), 1) AS mean_length
        FROM thread t
    ), said AS MATERIALIZED (
        SELECT t.id, t.length, u.term, u.weight, u.tf
        FROM thread t CROSS JOIN LATERAL unnest(t.terms, t.weights, t.tf) AS u(term, weight, tf)
    ), holders AS MATERIALIZED (
        SELECT s.term, count(*) AS threads FROM said s GROUP BY s.term
    ), worded AS MATERIALIZED ( -- Okapi BM25 with threads for documents, the best 1
        SELECT f.id, f.score / max(f.score) OVER () AS score
        FROM (
            SELECT s.id, sum(annals_internal.bm25(s.weight * annals_internal.bm25_idf(a.threads, h.threads), s.tf, s.length / a.mean_length)) AS score
            FROM said s JOIN holders h USING (term) CROSS JOIN total a
            GROUP BY s.id
        ) f
    ), best AS MATERIALIZED (
        SELECT c.id, c.thread_id, c.actor, c.role, c.asks, c.says_when, c.previous, c.next
        FROM annals_internal.episode_contexts($1, ARRAY(
            SELECT i.id FROM unnest(ids[:greatest(max_rows, 200)]) AS i(id) UNION SELECT n.id FROM unnest(near_ids[:greatest(max_rows, 200)]) AS n(id)
        ), short_question, question.time_wanted, true) c
    ), beside AS MATERIALIZED ( -- their neighbours, unless a filter has to let them pass
        SELECT n.id, (array_agg(n.previous) FILTER (WHERE n.previous IS NOT NULL))[1] AS previous,
            (array_agg(n.next) FILTER (WHERE n.next IS NOT NULL))[1] AS next
        FROM (
            SELECT b.previous AS id, NULL::uuid AS previous, b.id AS next FROM best b
            UNION ALL
            SELECT b.next, b.id, NULL FROM best b
        ) n
        WHERE NOT narrowed AND n.id <> '00000000-0000-0000-0000-000000000000' AND n.id NOT IN (SELECT b.id FROM best b)
        GROUP BY n.id
    ), around AS MATERIALIZED (
        SELECT b.id, b.thread_id, b.actor, b.role, b.asks, b.says_when, b.previous, b.next FROM best b
        UNION ALL
        SELECT c.id, c.thread_id, c.actor, c.role, c.asks, c.says_when, b.previous, b.next
        FROM annals_internal.episode_contexts($1, ARRAY(SELECT b.id FROM beside b), short_question, question.time_wanted, false) c
        JOIN beside b ON b.id = c.id
    ), base AS MATERIALIZED (
        SELECT i.id, i.score * CASE WHEN a.role = 'assistant' THEN assistant_weight ELSE 1 END AS score
        FROM unnest(ids, scores) AS i(id, score) LEFT JOIN around a ON a.id = i.id
    ), near AS MATERIALIZED (
        SELECT a.id, a.thread_id, i.nearness * CASE WHEN a.role = 'assistant' THEN assistant_meant ELSE 1 END AS nearness
        FROM unnest(near_ids, nearness) AS i(id, nearness) JOIN around a ON a.id = i.id
    ), meant AS MATERIALIZED (
        SELECT n.id, near_weight * coalesce(scores[1], 1) * n.nearness AS score FROM near n
    ), nearest AS MATERIALIZED ( -- the conversations that lie nearest, the best 1
        SELECT c.id, c.score / nullif(max(c.score) OVER (), 0) AS score
        FROM (
            SELECT n.thread_id AS id, sum(n.nearness * message_decay ^ n.place) AS score
            FROM (
                SELECT m.thread_id, m.nearness, row_number() OVER (PARTITION BY m.thread_id ORDER BY m.nearness DESC) - 1 AS place
                FROM near m
                WHERE m.thread_id <> ''
            ) n
            GROUP BY n.thread_id
        ) c
    ), fit AS MATERIALIZED (
        SELECT id, b.score / nullif(max(b.score) OVER (), 0) AS score
        FROM (
            SELECT id, CASE WHEN near_ids IS NULL THEN w.score
                ELSE (1 - meant_weight) * coalesce(w.score, 0) + meant_weight * coalesce(n.score, 0) END AS score
            FROM worded w FULL JOIN nearest n USING (id)
        ) b
    ), ranked AS MATERIALIZED (
        SELECT a.id, a.thread_id, coalesce(o.score, 0) + neighbour_weight * (coalesce(p.score, 0) + coalesce(n.score, 0))
                + coalesce(om.score, 0) + nearby_weight * (coalesce(pm.score, 0) + coalesce(nm.score, 0)) AS score,
            CASE WHEN a.actor = ANY (question.actors) OR question.me AND a.role = 'user' THEN asked_weight ELSE 1 END
                * CASE WHEN a.asks THEN question_weight ELSE 1 END
                * CASE WHEN question.time_wanted AND a.says_when THEN when_weight ELSE 1 END AS weight
        FROM around a
        LEFT JOIN base o ON o.id = a.id
        LEFT JOIN base p ON p.id = a.previous
        LEFT JOIN base n ON n.id = a.next
        LEFT JOIN meant om ON om.id = a.id
        LEFT JOIN meant pm ON pm.id = a.previous
        LEFT JOIN meant nm ON nm.id = a.next
    )
    SELECT r.id, annals_internal.rounded_score((r.score + thread_weight * (SELECT max(t.score) FROM ranked t) * coalesce(f.score, 0)) * r.weight)
    FROM ranked r LEFT JOIN fit f ON f.id = r.thread_id
    ORDER BY 2 DESC, 1;
END
$$;
COMMENT ON FUNCTION annals_internal.rank_episodes(text, text, uuid[], double precision[], jsonb, integer)
    IS 'Episodes by the words of a question, by how near they lie and by what stands around them, as the library ranks them.';

-- The model whose vectors a group is searched by: the one that is named, or that the
-- database was last embedded with, or the only one there is.
CREATE FUNCTION annals_internal.vector_model(group_id text, kind annals.kind, model text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    models text[];
BEGIN
    EXECUTE format('WITH RECURSIVE m AS (
            (SELECT v.model FROM annals_internal.%1$I v WHERE v.group_id = $1 ORDER BY v.model LIMIT 1)
            UNION ALL
            SELECT (SELECT v.model FROM annals_internal.%1$I v WHERE v.group_id = $1 AND v.model > m.model ORDER BY v.model LIMIT 1)
            FROM m WHERE m.model IS NOT NULL
        )
        SELECT array_agg(m.model) FROM m WHERE m.model IS NOT NULL', $2 || '_embeddings') INTO models USING $1;
    IF model <> ALL (models) THEN
        PERFORM annals_internal.raise_invalid('model', format('"%s" made no vectors of this group; %s did', model, array_to_string(models, ', ')));
    ELSIF coalesce(model, annals_internal.current_embedder()) IS NOT NULL THEN
        RETURN coalesce(model, annals_internal.current_embedder());
    ELSIF cardinality(models) > 1 THEN
        PERFORM annals_internal.raise_invalid('model', format('is missing; name the one of %s that made query_vector', array_to_string(models, ', ')));
    END IF;
    RETURN models[1];
END
$$;
COMMENT ON FUNCTION annals_internal.vector_model(text, annals.kind, text) IS 'The model whose vectors a group is searched by where none is named.';

-- The vector of a question as vectors are stored. Of another dimension it is refused.
CREATE FUNCTION annals_internal.to_stored_vector(query_vector vector) RETURNS halfvec
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN query_vector::halfvec;
COMMENT ON FUNCTION annals_internal.to_stored_vector(vector) IS 'A vector in the form that vectors are stored in.';

CREATE FUNCTION annals_internal.vector_dimensions(query_vector vector) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN vector_dims(query_vector);
COMMENT ON FUNCTION annals_internal.vector_dimensions(vector) IS 'How many dimensions a vector has.';

-- The rows whose vectors lie nearest: by the group's index where it has one, which
-- takes the group as a literal, else by comparing all. Most facts are in force, so
-- that one look at a few more than are asked for mostly does; where it does not, all
-- are compared, or all that a filter lets pass. Where an index is read, some of them
-- are enough.
CREATE FUNCTION annals_internal.nearest_rows(
    group_id text, kind annals.kind, model text, embedding halfvec, narrowed boolean, filter jsonb, valid_at timestamptz,
    include_ended boolean, max_rows integer, enough integer
) RETURNS TABLE (id uuid, score double precision)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    conditional CONSTANT boolean := $2 <> 'community' AND (narrowed OR $2 = 'fact' AND (valid_at IS NOT NULL OR NOT include_ended));
    candidates CONSTANT integer := max_rows * CASE WHEN NOT conditional THEN 1 WHEN narrowed THEN 4 ELSE 2 END;
    indexed CONSTANT boolean := EXISTS (SELECT FROM annals_internal.vector_indexes x
        WHERE x.group_id = $1 AND x.kind = $2 AND x.model = $3 AND x.valid);
    wanted CONSTANT integer := CASE WHEN indexed THEN enough ELSE max_rows END;
    per_row CONSTANT integer := CASE $2 WHEN 'episode' THEN 2 ELSE 1 END; -- how many vectors of a row lie among the nearest
    vectors CONSTANT text := format('SELECT v.%I AS id, %%s AS distance FROM annals_internal.%I v WHERE ', $2 || '_id', $2 || '_embeddings');
    compared CONSTANT text := CASE $2 WHEN 'episode'
        THEN format(vectors, 'min(annals_internal.distance(v.embedding, $4))') || 'v.group_id = $1 AND v.model = $3%s GROUP BY 1'
        ELSE format(vectors, 'annals_internal.distance(v.embedding, $4) + 0') || 'v.group_id = $1 AND v.model = $3%s' END;
    nearest CONSTANT text := 'SELECT array_agg(f.id), array_agg(1 - f.distance) FROM ('
        'SELECT n.id, min(n.distance) AS distance FROM (%s) n WHERE %s GROUP BY n.id ORDER BY 2, 1 LIMIT $8) f';
    passing CONSTANT text := CASE
        WHEN NOT conditional THEN 'true'
        WHEN NOT narrowed AND valid_at IS NULL THEN 'NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = $1 AND f.id = n.id
            AND f.kind = ''state'' AND NOT upper_inf(f.valid) AND upper(f.valid) <= now() OFFSET 0)'
        WHEN NOT narrowed THEN 'EXISTS (SELECT FROM annals.facts f WHERE f.group_id = $1 AND f.id = n.id AND annals_internal.shown_at(f.kind, f.valid, f.from_basis, f.said_at, $6) OFFSET 0)'
        WHEN $2 = 'fact' THEN 'EXISTS (SELECT FROM annals_internal.facts_passing($1, $5, $6, $7, ARRAY[n.id]) OFFSET 0)'
        WHEN $2 = 'entity' THEN 'EXISTS (SELECT FROM annals_internal.entities_passing($1, $5, ARRAY[n.id]) OFFSET 0)'
        ELSE 'EXISTS (SELECT FROM annals_internal.episodes_passing($1, $5, ARRAY[n.id]) OFFSET 0)'
    END;
    sized text;
    breadth text;
    suited integer; -- breadth for a group of this size, as db/vectors.go has it
    ids uuid[];
    scores double precision[];
BEGIN
    IF indexed THEN
        sized := (SELECT format('annals_internal.distance(annals_internal.cast_to_dimension(v.embedding, %s), $4)', s.value::integer)
            FROM annals_internal.settings s WHERE s.group_id = '' AND s.name = 'embedding_dimension');
        breadth := coalesce(current_setting('hnsw.ef_search', true), '40');
        SELECT CASE WHEN per_row * s.documents >= 200000 THEN 400 WHEN per_row * s.documents >= 30000 THEN 300 ELSE 200 END INTO suited
        FROM annals_internal.search_statistics s WHERE s.group_id = $1 AND s.kind = $2;
        PERFORM set_config('hnsw.ef_search', least(greatest(max_rows, per_row * enough, suited), 1000)::text, true);
        EXECUTE format(nearest, format(vectors, sized) || format('v.group_id = %L AND v.model = %L', $1, $3)
                || ' ORDER BY ' || sized || ' LIMIT $9', passing)
            INTO ids, scores USING $1, $2, $3, $4, filter, valid_at, include_ended, max_rows, greatest(candidates, per_row * enough);
        PERFORM set_config('hnsw.ef_search', breadth, true);
    ELSE
        EXECUTE format(nearest, format(compared, '') || ' ORDER BY 2, 1 LIMIT $9', passing)
            INTO ids, scores USING $1, $2, $3, $4, filter, valid_at, include_ended, max_rows, candidates;
    END IF;
    IF coalesce(cardinality(ids), 0) < wanted AND (conditional OR indexed) THEN
        EXECUTE CASE WHEN narrowed AND conditional THEN format(nearest, format(compared,
                format(' AND (v.%I IN (SELECT annals_internal.matching_known($1, $2, $5, $6, NULL, $7))) IS TRUE', $2 || '_id')), 'true')
            ELSE format(nearest, format(compared, ''), passing) END
            INTO ids, scores USING $1, $2, $3, $4, filter, valid_at, include_ended, max_rows;
    END IF;
    RETURN QUERY SELECT f.id, f.score FROM unnest(ids, scores) AS f(id, score);
END
$$;
COMMENT ON FUNCTION annals_internal.nearest_rows(text, annals.kind, text, halfvec, boolean, jsonb, timestamptz, boolean, integer, integer)
    IS 'The rows of a kind whose vectors lie nearest, by the group''s index where it has one.';

-- The rows of one kind by words and, where there is one, by a vector: how well both fit
-- is added up, as the library does it (retrieval/fit.go). What contains a phrase of the
-- question stands before what does not: each phrase adds 1 to a score.
CREATE FUNCTION annals_internal.search_kind(
    group_id text, kind annals.kind, query text, embedding halfvec, model text, filter jsonb, valid_at timestamptz,
    known_at timestamptz, include_ended boolean, max_rows integer
) RETURNS TABLE (id uuid, score double precision)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    near_weight CONSTANT double precision := 1;    -- of the nearest vector, beside the best words, which count 1
    least_spread CONSTANT double precision := 0.2; -- between the likeness of the nearest and of the last that counts
    source_weight CONSTANT double precision := 2; -- of facts that start from an entity which the question names
    target_weight CONSTANT double precision := 1.2; -- of facts that lead to one
    candidates CONSTANT integer := greatest(3 * max_rows, 30);
    narrowed CONSTANT boolean := filter <> '{}' AND $2 <> 'community';
    past CONSTANT boolean := known_at IS NOT NULL AND $2 <> 'episode';
    quoted CONSTANT text[] := annals_internal.quoted_phrases(query);
    judged CONSTANT boolean := EXISTS (SELECT FROM annals.marks m WHERE m.group_id = $1 AND m.mark IN ('useful', 'wrong', 'outdated'));
    named CONSTANT uuid[] := CASE WHEN $2 = 'fact' AND $4 IS NOT NULL THEN annals_internal.entities_named_in($1, query) ELSE '{}' END;
    nearby integer; -- how many rows have the one among them whose likeness counts for nothing
    near_ids uuid[];
    nearness double precision[];
    least_likeness double precision;
BEGIN
    IF $4 IS NOT NULL THEN
        nearby := least(greatest((SELECT s.documents / 2 FROM annals_internal.search_statistics s WHERE s.group_id = $1 AND s.kind = $2), 30),
            CASE $2 WHEN 'episode' THEN 400 ELSE 200 END);
        IF past THEN
            SELECT array_agg(r.id), array_agg(r.score) INTO near_ids, nearness
            FROM annals_internal.nearest_known($1, $2, $5, $4, filter, valid_at, known_at, include_ended, greatest(candidates, nearby)) r;
        ELSE
            SELECT array_agg(r.id), array_agg(r.score) INTO near_ids, nearness
            FROM annals_internal.nearest_rows($1, $2, $5, $4, narrowed, filter, valid_at, include_ended, greatest(candidates, nearby), candidates) r;
        END IF;
        least_likeness := nearness[least(nearby, cardinality(nearness))];
        nearness := ARRAY(
            SELECT greatest(0, (n.likeness - least_likeness) / greatest(nearness[1] - least_likeness, least_spread))
            FROM unnest(nearness) WITH ORDINALITY AS n(likeness, place)
            ORDER BY n.place
        );
    END IF;
    RETURN QUERY
    WITH worded AS MATERIALIZED (
        SELECT r.id, r.score FROM annals_internal.rank_by_terms($1, $2, query, '', narrowed, filter, valid_at, include_ended, candidates) r
        WHERE $2 <> 'episode' AND NOT past
        UNION ALL
        SELECT r.id, r.score FROM annals_internal.rank_known_by_terms($1, $2, query, filter, valid_at, known_at, include_ended, candidates) r
        WHERE past
    ), fit AS MATERIALIZED (
        SELECT r.id, r.score FROM annals_internal.rank_episodes($1, query, near_ids, nearness, filter, candidates) r
        WHERE $2 = 'episode'
        UNION ALL
        SELECT id, annals_internal.rounded_score(coalesce(w.score / (SELECT max(b.score) FROM worded b), 0) + near_weight * coalesce(n.nearness, 0))
        FROM worded w FULL JOIN unnest(near_ids, nearness) AS n(id, nearness) USING (id)
        WHERE $2 <> 'episode'
    ), about AS (
        SELECT f.id, annals_internal.rounded_score(f.score
            * CASE WHEN c.source_id = ANY (named) THEN source_weight ELSE 1 END
            * CASE WHEN c.target_id = ANY (named) THEN target_weight ELSE 1 END) AS score
        FROM fit f LEFT JOIN annals.facts c ON c.group_id = $1 AND c.id = f.id
        WHERE named <> '{}'
        UNION ALL
        SELECT f.id, f.score FROM fit f
        WHERE named = '{}'
    ), listed AS (
        SELECT f.id, row_number() OVER (ORDER BY f.score DESC, f.id) AS place, CASE WHEN $4 IS NULL THEN 1 ELSE 2 END AS rankings, 0::float8 AS said
        FROM about f
        UNION ALL
        SELECT r.id, r.place, 1, r.score
        FROM annals_internal.rank_by_phrases($1, $2, quoted, narrowed, filter, valid_at, include_ended, 500) WITH ORDINALITY AS r(id, score, place)
        WHERE cardinality(quoted) > 0 AND NOT past
        UNION ALL
        SELECT r.id, r.place, 1, r.score
        FROM annals_internal.rank_known_by_phrases($1, $2, quoted, filter, valid_at, known_at, include_ended, 500)
            WITH ORDINALITY AS r(id, score, place)
        WHERE cardinality(quoted) > 0 AND past
    )
    SELECT l.id, (sum(l.rankings / (annals_internal.rank_constant() + l.place)) + sum(l.said))
        * CASE WHEN judged THEN annals_internal.feedback_factor($1, l.id, valid_at, known_at) ELSE 1 END
    FROM listed l
    GROUP BY l.id
    ORDER BY 2 DESC, 1
    LIMIT max_rows;
END
$$;
COMMENT ON FUNCTION annals_internal.search_kind(text, annals.kind, text, halfvec, text, jsonb, timestamptz, timestamptz, boolean, integer)
    IS 'The rows of one kind that fit a question, by words and by a vector, made one ranking.';

-- Rows of one kind as a search shows them, in the version believed at known_at.
CREATE FUNCTION annals_internal.describe_hits(group_id text, kind annals.kind, ids uuid[], known_at timestamptz, reading timestamptz)
RETURNS TABLE (id uuid, name text, content text, valid tstzrange, occurred_at timestamptz, details jsonb)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    CASE
        WHEN $2 = 'fact' AND known_at IS NULL THEN
            RETURN QUERY
            SELECT f.id, concat_ws(' ', s.name, f.predicate, t.name), f.told, f.valid, NULL::timestamptz,
                jsonb_build_object('source_id', f.source_id, 'source', s.name, 'predicate', f.predicate, 'target_id', f.target_id,
                    'target', t.name, 'attributes', f.attributes, 'kind', f.kind,
                    'trust', f.trust,
                    'when', annals.when_known(f.kind, f.valid, f.from_basis, f.from_precision, f.until_basis, f.until_precision, coalesce(reading, now()))
                        || CASE f.trust WHEN 'disputed' THEN ', disputed' WHEN 'candidate' THEN ', not confirmed' ELSE '' END,
                    'valid_from', jsonb_build_object('basis', f.from_basis, 'precision', f.from_precision),
                    'valid_until', jsonb_build_object('basis', f.until_basis, 'precision', f.until_precision), 'said_at', f.said_at, 'created_at', f.created_at, 'expired_at', f.expired_at,
                    'episodes', ARRAY(SELECT e.episode_id FROM annals.fact_episodes e
                        WHERE e.group_id = $1 AND e.fact_id = f.id AND e.role = 'states' ORDER BY e.episode_id))
            FROM unnest(ids) AS i(id)
            JOIN annals.facts f ON f.group_id = $1 AND f.id = i.id
            JOIN annals.entities s ON s.group_id = $1 AND s.id = f.source_id
            JOIN annals.entities t ON t.group_id = $1 AND t.id = f.target_id;
        WHEN $2 = 'fact' THEN
            RETURN QUERY
            SELECT f.id, concat_ws(' ', f.source, f.predicate, f.target), f.told, f.valid, NULL::timestamptz,
                jsonb_build_object('source_id', f.source_id, 'source', f.source, 'predicate', f.predicate, 'target_id', f.target_id,
                    'target', f.target, 'attributes', f.attributes, 'kind', f.kind,
                    'trust', f.trust,
                    'when', annals.when_known(f.kind, f.valid, f.from_basis, f.from_precision, f.until_basis, f.until_precision, coalesce(reading, now()))
                        || CASE f.trust WHEN 'disputed' THEN ', disputed' WHEN 'candidate' THEN ', not confirmed' ELSE '' END,
                    'valid_from', jsonb_build_object('basis', f.from_basis, 'precision', f.from_precision),
                    'valid_until', jsonb_build_object('basis', f.until_basis, 'precision', f.until_precision), 'said_at', f.said_at, 'created_at', f.created_at, 'expired_at', f.expired_at,
                    'episodes', f.episodes)
            FROM annals_internal.fact_versions_of($1, ids, known_at) f;
        WHEN $2 = 'entity' THEN
            RETURN QUERY
            SELECT e.id, e.name, e.summary, NULL::tstzrange, NULL::timestamptz,
                jsonb_build_object('aliases', e.aliases, 'labels', e.labels, 'attributes', e.attributes, 'created_at', e.created_at)
            FROM unnest(ids) AS i(id)
            JOIN annals.entity_versions e ON e.group_id = $1 AND e.id = i.id AND e.recorded @> coalesce(known_at, 'infinity');
        WHEN $2 = 'episode' THEN
            RETURN QUERY
            SELECT e.id, CASE WHEN e.actor = '' THEN initcap(e.role COLLATE "und-x-icu") ELSE e.actor END, e.content, NULL::tstzrange,
                e.occurred_at, jsonb_build_object('source', e.source, 'actor', e.actor, 'role', e.role, 'thread_id', e.thread_id,
                    'name', e.name, 'external_id', e.external_id, 'metadata', e.metadata)
            FROM unnest(ids) AS i(id)
            JOIN annals.episodes e ON e.group_id = $1 AND e.id = i.id;
        WHEN $2 = 'community' THEN
            RETURN QUERY
            SELECT c.id, c.name, c.summary, NULL::tstzrange, NULL::timestamptz,
                jsonb_build_object('members', c.members, 'created_at', c.created_at)
            FROM unnest(ids) AS i(id)
            JOIN annals.community_versions c ON c.group_id = $1 AND c.id = i.id AND c.recorded @> coalesce(known_at, 'infinity');
    END CASE;
END
$$;
COMMENT ON FUNCTION annals_internal.describe_hits(text, annals.kind, uuid[], timestamptz, timestamptz) IS 'Rows of one kind as a search shows them.';

-- The part of a filter that keeps what is withheld from who does not ask for it. It is
-- empty where nothing is withheld: a search without a filter takes less time.
CREATE FUNCTION annals_internal.trust_filter(group_id text, kind annals.kind, asked text, known_at timestamptz) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
    WHEN coalesce(asked, 'believed') = 'all' OR kind = 'community' THEN '{}'
    WHEN asked IN ('candidate', 'disputed') THEN jsonb_build_object('trust', asked)
    WHEN kind = 'fact' AND (known_at IS NOT NULL OR annals_internal.withholds(group_id)) THEN '{"trust": "believed"}'
    WHEN EXISTS (SELECT FROM annals.groups g WHERE g.group_id = trust_filter.group_id AND (g.hold_documents OR g.hold_threads <> '{}'))
        THEN '{"trust": "believed"}'
    ELSE '{}' END::jsonb;
COMMENT ON FUNCTION annals_internal.trust_filter(text, annals.kind, text, timestamptz) IS
    'Returns the part of a filter that keeps what is withheld from who does not ask for it.';

-- Plans are kept and fit every group, and so are kept from what is right for large
-- ones only, as those of the library are (db/snapshot.go).
CREATE FUNCTION annals.search(
    group_id text, query text, kinds text[] DEFAULT '{}', valid_at timestamptz DEFAULT NULL,
    known_at timestamptz DEFAULT NULL, filter jsonb DEFAULT '{}', max_rows integer DEFAULT 10, query_vector vector DEFAULT NULL,
    model text DEFAULT NULL, include_ended boolean DEFAULT false
) RETURNS TABLE (
    kind text, rank integer, id uuid, score double precision, name text, content text, valid tstzrange, occurred_at timestamptz, details jsonb
)
LANGUAGE plpgsql STABLE ROWS 40
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off
SET max_parallel_workers_per_gather = 0 AS $$
#variable_conflict use_column
DECLARE
    question CONSTANT text := annals_internal.trim_query(query);
    dimension CONSTANT integer := (SELECT s.value::integer FROM annals_internal.settings s WHERE s.group_id = '' AND s.name = 'embedding_dimension');
    narrowing jsonb;
    asked text;
    sort annals.kind;
    ids uuid[];
    scores double precision[];
BEGIN
    PERFORM annals_internal.check_search($1, kinds, valid_at, known_at, max_rows);
    narrowing := annals_internal.read_filter(filter) || CASE WHEN known_at IS NULL THEN '{}' ELSE jsonb_build_object('known_at', known_at) END
        || CASE WHEN EXISTS (SELECT FROM annals.marks m
            WHERE m.group_id = $1 AND m.mark = 'expires' AND m.until IS NULL AND m.expires_at <= coalesce(known_at, now())
                AND (m.swept_at IS NULL OR m.swept_at > coalesce(known_at, now())))
            THEN '{"unexpired": true}'::jsonb ELSE '{}' END;
    asked := narrowing->>'trust';
    narrowing := narrowing - 'trust';
    IF annals_internal.vector_dimensions(query_vector) <> dimension THEN
        PERFORM annals_internal.raise_invalid('query_vector', format('has %s dimensions; the vectors of this database have %s',
            annals_internal.vector_dimensions(query_vector), dimension));
    END IF;
    FOR sort IN
        SELECT k.kind::annals.kind
        FROM unnest(CASE WHEN cardinality(kinds) > 0 THEN kinds
            WHEN asked = 'disputed' THEN '{fact}'
            WHEN asked = 'candidate' OR narrowing ? 'told_by' THEN '{fact,episode}' -- summaries are the view of the group
            ELSE '{fact,entity,episode,community}' END) WITH ORDINALITY AS k(kind, place)
        GROUP BY k.kind
        ORDER BY min(k.place)
    LOOP
        SELECT array_agg(f.id), array_agg(f.score) INTO ids, scores
        FROM annals_internal.search_kind($1, sort, question, annals_internal.to_stored_vector(query_vector),
            CASE WHEN query_vector IS NOT NULL THEN annals_internal.vector_model($1, sort, $9) END,
            narrowing || annals_internal.trust_filter($1, sort, asked, known_at), valid_at, known_at, coalesce(include_ended, false), coalesce(max_rows, 10)) f;
        RETURN QUERY
        SELECT sort::text, i.place::integer, i.id, i.score, d.name, d.content, d.valid, d.occurred_at, d.details
        FROM unnest(ids, scores) WITH ORDINALITY AS i(id, score, place)
        JOIN annals_internal.describe_hits($1, sort, ids, known_at, valid_at) d ON d.id = i.id
        ORDER BY i.place;
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals.search(text, text, text[], timestamptz, timestamptz, jsonb, integer, vector, text, boolean)
    IS 'What fits a question, the best of each kind first: facts that hold now or at valid_at, entities, episodes and communities, as believed at known_at; NULL: now.';

-- The ASCII that a model may read in a text: of wide, slanted and accented letters
-- the plain ones, of other scripts those that are drawn like them; nothing of what
-- is not seen, or of other letters.
CREATE FUNCTION annals_internal.ascii_lookalike(document text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN lower(regexp_replace(translate(normalize(document, NFKD),
        '⁄∕╱⧸ıɡɑʟᴀᴄᴇᴏᴛꜱꜰ⎸∣❘ǀАВЕКМНОРСТУХЅІЈԚԜԌавекмнорстухѕіјԛԝԍΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεζηικμνορτυχԁһӏԀҺӀ',
        '////igalaceotsf||||abekmhopctyxsijqwgabekmhopctyxsijqwgabezhikmnoptyxabezhikmnoptyxdhldhl'), '[^ -~‹]', '', 'g') COLLATE "C");
COMMENT ON FUNCTION annals_internal.ascii_lookalike(text) IS 'The ASCII that a model may read in a text, in lower case.';

-- A text in one line that cannot close the tags of a context or a prompt, nor open
-- others, nor speak for another turn of a conversation: the bracket that would
-- becomes ‹. The package internal/fence does the same; a test compares them.
CREATE FUNCTION annals_internal.context_line(document text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    tags CONSTANT text := 'assistant|begin_of_text|block|bos|communities|developer|document|documents|earlier|end_header_id|end_of_text|end_of_turn|'
        'entities|entity|eop|eos|eot_id|episodes|existing|fact|facts|function|function_call|function_calls|function_results|'
        'functions|graph|human|instructions|invoke|json|known|mask|member|members|memory|message|messages|name|new|pad|parameter|'
        'passages|query|rejected|sop|start_header_id|start_of_image|start_of_turn|summaries|summary|sys|system|think|thinking|tool|'
        'tool_call|tool_calls|tool_response|tool_result|tool_results|tools|types|unk|user|user_summary';
    forbidden CONSTANT text := '^< */? *(?:' || tags || ')(?![0-9a-z_])|^< *(?:[|]|/? *s *>|/? *(?:unused|extra_id_|reserved_)[0-9])'
        '|^[[] */? *(?:inst|tool_calls?|tool_results?|tool_content|available_tools|system_prompt|call_id|args|bos|eos|sop|eop|gmask|img) *\]'
        '|^[[][fnce]:[0-9a-f]{8}';
    unfinished CONSTANT text := '^<(?:/?[0-9a-z_:.-]*| */? *)$'; -- what follows the text could complete it
    line CONSTANT text := btrim(regexp_replace(document, '[' || annals_internal.whitespace_characters() || ']+', ' ', 'g'));
    pieces text[]; -- each but perhaps the first begins with a bracket
BEGIN
    IF line !~ '[[<＜﹤≮［]' THEN
        RETURN line;
    END IF;
    pieces := ARRAY(SELECT m.match[1] FROM regexp_matches(line, '(.[^[<＜﹤≮［]*)', 'g') WITH ORDINALITY AS m(match, place) ORDER BY m.place);
    RETURN (
        SELECT string_agg(CASE WHEN p.piece ~ '^[[<＜﹤≮［]' AND annals_internal.ascii_lookalike(p.piece) ~ forbidden
            OR p.place = cardinality(pieces) AND p.piece ~ '^[<＜﹤≮]' AND annals_internal.ascii_lookalike(p.piece) ~ unfinished
            THEN '‹' || substr(p.piece, 2) ELSE p.piece END, '' ORDER BY p.place)
        FROM unnest(pieces) WITH ORDINALITY AS p(piece, place)
    );
END
$$;
COMMENT ON FUNCTION annals_internal.context_line(text) IS 'A text as it may stand in a line of a context.';

-- Names the day, month, year … of one end of a time, as exactly as it is known;
-- of an end by which something is over, the last one that belongs to it.
CREATE FUNCTION annals_internal.moment_name(at timestamptz, basis annals.basis, exactness annals.exactness, over boolean) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    edge CONSTANT timestamp := at AT TIME ZONE 'UTC';
    clock CONSTANT timestamp := edge - CASE WHEN over AND exactness <> 'instant' THEN interval '1 microsecond' ELSE interval '0' END;
    season CONSTANT timestamp := date_trunc('month', clock) - make_interval(months => extract(month FROM clock)::integer % 3);
    day_form CONSTANT text := 'FMDD FMMonth FMYYYY';
BEGIN
    RETURN CASE
        WHEN exactness = 'week' THEN 'the week of ' || to_char(date_trunc('week', clock), day_form)
        WHEN exactness = 'month' THEN to_char(clock, 'FMMonth FMYYYY')
        WHEN exactness = 'season' AND extract(month FROM edge)::integer % 3 = 1 THEN
            format('the %s quarter of %s', (ARRAY['first', 'second', 'third', 'fourth'])[extract(quarter FROM clock)::integer], to_char(clock, 'FMYYYY'))
        WHEN exactness = 'season' AND extract(month FROM season) = 12 THEN
            format('the winter of %s/%s', to_char(season, 'FMYYYY'), to_char(season + interval '1 year', 'YY'))
        WHEN exactness = 'season' THEN
            (ARRAY['spring', 'summer', 'autumn'])[extract(month FROM season)::integer / 3] || ' ' || to_char(season, 'FMYYYY')
        WHEN exactness = 'year' THEN to_char(clock, 'FMYYYY')
        WHEN exactness = 'decade' THEN format('the %s0s', extract(year FROM clock)::integer / 10)
        WHEN exactness = 'day' OR basis = 'said' OR clock::time = '00:00' THEN to_char(clock, day_form)
        ELSE to_char(clock, day_form || ', HH24:MI')
    END;
END
$$;
COMMENT ON FUNCTION annals_internal.moment_name(timestamptz, annals.basis, annals.exactness, boolean)
    IS 'Names the day, month, year … of one end of a time, as exactly as it is known.';

-- Says when a fact holds or happened, to somebody who reads it at a time, in the
-- words that the library has for it.
CREATE FUNCTION annals.when_known(
    kind annals.fact_kind, valid tstzrange, from_basis annals.basis, from_precision annals.exactness,
    until_basis annals.basis, until_precision annals.exactness, reading timestamptz DEFAULT now()
) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    -- Text: the words of a bound are asked for only where there is one.
    since CONSTANT text := annals_internal.moment_name(lower(valid), from_basis, from_precision, false);
    ended CONSTANT text := annals_internal.moment_name(upper(valid), until_basis, until_precision, until_basis = 'stated');
    until CONSTANT text := CASE until_basis WHEN 'said' THEN 'until some time before ' ELSE 'until ' END || ended;
    unit CONSTANT timestamp := date_trunc(CASE
        WHEN from_precision = 'season' THEN 'month' WHEN from_precision IN ('day', 'week', 'month', 'year', 'decade') THEN from_precision::text
        ELSE 'second' END, lower(valid) AT TIME ZONE 'UTC');
    unit_end CONSTANT timestamptz := (unit + CASE from_precision
        WHEN 'day' THEN interval '1 day' WHEN 'week' THEN interval '7 days' WHEN 'month' THEN interval '1 month'
        WHEN 'season' THEN interval '3 months' WHEN 'year' THEN interval '1 year' WHEN 'decade' THEN interval '10 years'
        ELSE interval '1 second' END) AT TIME ZONE 'UTC';
    dated CONSTANT boolean := from_basis IN ('stated', 'planned');
    plan CONSTANT text := CASE WHEN lower(valid) > reading THEN 'planned ' WHEN from_basis = 'planned' THEN 'was planned ' ELSE '' END;
    one_unit CONSTANT boolean := (from_basis = until_basis OR from_basis = 'planned' AND until_basis = 'stated') AND from_precision = until_precision AND upper(valid) <= unit_end;
    within text := CASE WHEN from_precision IN ('week', 'month', 'season', 'year', 'decade') THEN 'in ' ELSE 'on ' END || since;
BEGIN
    IF lower_inf(valid) AND upper_inf(valid) THEN
        RETURN 'at an unknown time';
    END IF;
    IF kind = 'event' OR dated AND one_unit AND upper(valid) = unit_end THEN
        RETURN CASE
            WHEN lower_inf(valid) AND until_basis = 'said' THEN 'some time before ' || ended
            WHEN lower_inf(valid) THEN 'by ' || annals_internal.moment_name(upper(valid), until_basis, until_precision, true)
            WHEN plan <> '' AND one_unit THEN plan || 'for ' || since
            ELSE plan || CASE
                WHEN upper_inf(valid) THEN 'from ' || since
                WHEN one_unit THEN within
                ELSE format('from %s to %s', since, annals_internal.moment_name(upper(valid), until_basis, until_precision, true)) END
        END;
    END IF;
    RETURN CASE
        WHEN plan <> '' THEN concat_ws(' ', plan || 'from ' || since, until)
        WHEN lower_inf(valid) THEN until
        WHEN upper_inf(valid) THEN CASE from_basis WHEN 'said' THEN 'known since ' ELSE 'since ' END || since
        ELSE format('%s %s %s', CASE from_basis WHEN 'said' THEN 'known from' ELSE 'from' END, since, until)
    END;
END
$$;
COMMENT ON FUNCTION annals.when_known(annals.fact_kind, tstzrange, annals.basis, annals.exactness, annals.basis, annals.exactness, timestamptz)
    IS 'Says in words when a fact holds or happened, as exactly as that is known.';

CREATE FUNCTION annals_internal.context_date(at timestamptz) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    clock CONSTANT timestamp := at AT TIME ZONE 'UTC';
BEGIN
    RETURN to_char(clock, CASE WHEN clock::time = '00:00' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM-DD HH24:MI' END);
END
$$;
COMMENT ON FUNCTION annals_internal.context_date(timestamptz) IS 'A time as a context says it: in UTC, a day alone where it is midnight.';

-- A name that cannot be read as a note, or as a name with a text after it. What is not
-- seen counts as a space. The package internal/fence does the same; a test compares them.
CREATE FUNCTION annals_internal.plain_name(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(regexp_replace(
    translate(name, '(（﹙⁽₍❨❪⦅⟮⸨)）﹚⁾₎❩❫⦆⟯⸩', '‹‹‹‹‹‹‹‹‹‹››››››››››'),
    E'[:꞉∶]+([ \u00ad\u200b-\u200f\u2060-\u2064\ufeff]|$)|[：﹕]', ' -\1', 'g'), ' -$', '');
COMMENT ON FUNCTION annals_internal.plain_name(text) IS 'A name as it may begin a line of a context.';

-- A text in which nothing is written like a note: that gets other brackets.
CREATE FUNCTION annals_internal.without_notes(document text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(document, '[(（﹙⁽₍❨❪⦅⟮⸨]\s*((?:known|said|planned|was planned|until|since|from|in part|taken back|called off|disputed|corrected|some time|at an unknown|'
    'no longer|pinned|again|date range|by|on|in)\y[^(（﹙⁽₍❨❪⦅⟮⸨)）﹚⁾₎❩❫⦆⟯⸩\n]*|[^(（﹙⁽₍❨❪⦅⟮⸨)）﹚⁾₎❩❫⦆⟯⸩\n]*\ysays otherwise\y[^(（﹙⁽₍❨❪⦅⟮⸨)）﹚⁾₎❩❫⦆⟯⸩\n]*)[)）﹚⁾₎❩❫⦆⟯⸩]', '‹\1›', 'gi');
COMMENT ON FUNCTION annals_internal.without_notes(text) IS 'A text in which nothing is written like a note of a context.';

-- A text that may begin a line: it loses the parentheses before its first letter.
CREATE FUNCTION annals_internal.without_leading_note(document text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    before CONSTANT text := substring(document COLLATE "und-x-icu" FROM '^[^[:alnum:]]*');
BEGIN
    RETURN translate(before, '(（﹙⁽₍❨❪⦅⟮⸨)）﹚⁾₎❩❫⦆⟯⸩', '‹‹‹‹‹‹‹‹‹‹››››››››››') || substr(document, 1 + length(before));
END
$$;
COMMENT ON FUNCTION annals_internal.without_leading_note(text) IS 'A text that cannot be read as beginning with a note.';

CREATE FUNCTION annals_internal.begins_like_turn(document text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN document ~ E'^[^.!?\n]{1,60}([:꞉∶]+([ \u00ad\u200b-\u200f\u2060-\u2064\ufeff]|$)|[：﹕])';
COMMENT ON FUNCTION annals_internal.begins_like_turn(text) IS 'Reports whether a text begins as a name with what somebody said does.';

-- A text as it may stand in a note: it is neither its end nor another note.
CREATE FUNCTION annals_internal.note_text(document text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN replace(annals_internal.plain_name(annals_internal.context_line(document)), ';', ',');
COMMENT ON FUNCTION annals_internal.note_text(text) IS 'A text as it may stand in a note of a context.';

-- Names, behind some words, what holds in the place of something: the first two. Nothing
-- where there is none.
CREATE FUNCTION annals_internal.replacement_note(before text, names text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(before || annals_internal.note_text(names[1]) || CASE WHEN names[2] <> names[1] THEN ' and ' || annals_internal.note_text(names[2]) ELSE '' END, '');
COMMENT ON FUNCTION annals_internal.replacement_note(text, text[]) IS 'Names in a note what holds in the place of something.';

-- Facts as they are believed now, or were at a time.
CREATE FUNCTION annals_internal.believed_facts_of(group_id text, ids uuid[], known_at timestamptz) RETURNS SETOF annals.fact_versions
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF known_at IS NULL THEN
        RETURN QUERY SELECT f.* FROM annals_internal.current_facts_of($1, $2) f;
    ELSE
        RETURN QUERY SELECT f.* FROM annals_internal.fact_versions_of($1, $2, $3) f;
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.believed_facts_of(text, uuid[], timestamptz) IS 'Those of the facts that are believed now, or were at a time.';

-- Says who tells facts, as notes name it, and when they did last: the strongest word, of
-- those the latest. What somebody says of themself is their own.
CREATE FUNCTION annals_internal.fact_sources(group_id text, ids uuid[], known_at timestamptz)
RETURNS TABLE (id uuid, who text, own boolean, authority annals.authority, said_at timestamptz)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT DISTINCT ON (f.id) f.id, coalesce(d.told_by || ', told by ', '') || CASE
            WHEN e.id IS NULL THEN 'a person'
            WHEN e.authority = 'assistant' THEN 'an assistant'
            WHEN e.authority = 'document' AND e.source = 'message' THEN 'a record'
            WHEN e.authority = 'document' THEN coalesce(nullif(e.name, ''), 'a document')
            WHEN e.actor = '' OR lower(e.actor) = 'user' THEN 'the user'
            ELSE e.actor END,
        d.told_by IS NULL AND (e.id IS NULL OR e.authority > 'document' AND (e.actor = '' OR lower(e.actor) IN (SELECT lower(n.name) FROM unnest(s.name || s.aliases) AS n(name)))),
        coalesce(e.authority, 'person'), e.occurred_at
    FROM annals.facts f
    JOIN annals.entities s ON s.group_id = $1 AND s.id = f.source_id
    LEFT JOIN annals.fact_episodes c ON c.group_id = $1 AND c.fact_id = f.id AND c.role = 'states'
    LEFT JOIN annals.episodes e ON e.group_id = $1 AND e.id = c.episode_id AND (known_at IS NULL OR e.processed_at <= known_at)
    LEFT JOIN annals.disputes d ON d.group_id = $1 AND d.fact_id = f.id AND d.episode_id = e.id AND d.told_by <> ''
    WHERE f.group_id = $1 AND f.id = ANY (ids)
    ORDER BY f.id, e.authority DESC NULLS LAST, e.occurred_at DESC, e.id DESC;
END
$$;
COMMENT ON FUNCTION annals_internal.fact_sources(text, uuid[], timestamptz) IS 'Says who tells facts, as notes name it, and when they did last.';

-- Names who tells a fact, with the day: "a record of 3 February 2025".
CREATE FUNCTION annals_internal.source_note(who text, authority annals.authority, said_at timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN annals_internal.note_text(who) || coalesce(CASE authority WHEN 'document' THEN ' of ' ELSE ' on ' END || to_char(said_at AT TIME ZONE 'UTC', 'FMDD FMMonth YYYY'), '');
COMMENT ON FUNCTION annals_internal.source_note(text, annals.authority, timestamptz) IS 'Names in a note who tells a fact, with the day.';

-- Lists what contradicts facts: of each pair the lower word with the higher, who tells
-- each, and whether the lower is a record that states a later day than the other is of.
CREATE FUNCTION annals_internal.contradictions_of(group_id text, ids uuid[], reading timestamptz, known_at timestamptz)
RETURNS TABLE (lower_id uuid, lower_who text, lower_own boolean, lower_said timestamptz, lower_as annals.authority,
    higher_id uuid, higher_who text, higher_own boolean, higher_said timestamptz, higher_as annals.authority, later boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT l.id, lt.who, lt.own, lt.said_at, lt.authority, h.id, ht.who, ht.own, ht.said_at, ht.authority,
        coalesce(lt.authority = 'document' AND l.trust = 'disputed' AND l.from_basis = 'stated' AND date_trunc('day', lower(l.valid), 'UTC') > ht.said_at
            AND (lower(h.valid) IS NULL OR date_trunc('day', lower(l.valid), 'UTC') > lower(h.valid)) AND lower(l.valid) <= reading
            AND (h.kind = 'event' OR upper_inf(h.valid) OR upper(h.valid) > reading) AND (l.kind = 'event' OR upper_inf(l.valid) OR upper(l.valid) > reading), false)
    FROM annals.disputes d
    JOIN annals.facts l ON l.group_id = $1 AND l.id = d.fact_id
    JOIN annals.facts h ON h.group_id = $1 AND h.id = d.disputed_by
    CROSS JOIN LATERAL annals_internal.fact_sources($1, ARRAY[l.id], known_at) lt
    CROSS JOIN LATERAL annals_internal.fact_sources($1, ARRAY[h.id], known_at) ht
    WHERE d.group_id = $1 AND (d.fact_id = ANY (ids) OR d.disputed_by = ANY (ids));
END
$$;
COMMENT ON FUNCTION annals_internal.contradictions_of(text, uuid[], timestamptz, timestamptz) IS 'Lists what contradicts facts, and who tells it.';

-- Says of those of some facts that have ended or are contradicted what became of them, to
-- somebody who reads it at a time: until when they held, what holds in their place, who
-- says otherwise. Before and beside are the facts that stand with it. The library says the same, and names what holds now in more cases
-- (retrieval/changed.go).
CREATE FUNCTION annals_internal.fact_outcomes(group_id text, ids uuid[], reading timestamptz, known_at timestamptz)
RETURNS TABLE (id uuid, subject text, note text, words text, before uuid[], beside uuid[], began timestamptz)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH pair AS MATERIALIZED (
        SELECT p.* FROM annals_internal.contradictions_of($1, ids, reading, known_at) p
    ), fact AS MATERIALIZED (
        SELECT f.*, f.trust = 'disputed' OR f.disputed_by <> '{}' AS disputed,
            annals.when_known('state', f.valid, f.from_basis, f.from_precision, f.until_basis, f.until_precision, reading) AS when_known
        FROM annals_internal.believed_facts_of($1, ids, known_at) f
        WHERE f.trust = 'disputed' OR f.disputed_by <> '{}' OR f.kind = 'state' AND upper(f.valid) <= reading
            OR f.id IN (SELECT p.higher_id FROM pair p WHERE p.later)
    ), other AS MATERIALIZED (
        SELECT o.*, o.kind = 'state' AND o.trust = 'believed' AND o.valid @> reading AS holds
        FROM annals_internal.believed_facts_of($1, ARRAY(
            SELECT unnest(f.disputed_by || f.bounded_by) FROM fact f
            UNION
            SELECT p.lower_id FROM pair p WHERE p.later
            UNION
            SELECT x.id
            FROM (SELECT DISTINCT f.source_id, f.predicate FROM fact f) p
            CROSS JOIN LATERAL (
                SELECT h.id FROM annals.facts h
                WHERE h.group_id = $1 AND h.source_id = p.source_id AND h.predicate = p.predicate
                    AND (known_at IS NOT NULL OR h.trust = 'believed' AND h.kind = 'state' AND h.valid @> reading)
                ORDER BY h.id DESC
                LIMIT 50
            ) x
        ), known_at) o
    )
    SELECT f.id, f.target, CASE
            WHEN f.disputed AND again.when_known IS NULL THEN coalesce(against.who || ' says otherwise' || annals_internal.replacement_note(': ', against.names), 'disputed')
            WHEN f.disputed THEN 'disputed'
            WHEN later.who IS NOT NULL THEN later.who || ' says otherwise' || annals_internal.replacement_note(': ', later.names)
            ELSE coalesce(substring(f.when_known FROM 'until .*$')
                || CASE WHEN again.when_known IS NOT NULL THEN CASE WHEN again.began < upper(f.valid) THEN ', also ' ELSE ', again ' END || again.when_known
                    WHEN bound.predicate = f.predicate OR now.follows THEN annals_internal.replacement_note(', now ', now.names) ELSE '' END, f.when_known)
        END, (
            SELECT CASE WHEN t.own AND t.said_at IS NOT NULL THEN 'said on ' || to_char(t.said_at AT TIME ZONE 'UTC', 'FMDD FMMonth YYYY')
                    ELSE 'said by ' || annals_internal.source_note(t.who, t.authority, t.said_at) END
                || CASE WHEN f.trust <> 'candidate' AND f.from_basis = 'said' AND upper_inf(f.valid) AND date_trunc('day', lower(f.valid), 'UTC') = date_trunc('day', t.said_at, 'UTC') THEN ''
                    ELSE ', ' || annals.when_known(f.kind, f.valid, f.from_basis, f.from_precision, f.until_basis, f.until_precision, reading)
                        || CASE f.trust WHEN 'candidate' THEN ', not confirmed' ELSE '' END END
                || '; ' || coalesce(against.who || ' says otherwise' || annals_internal.replacement_note(': ', against.names), later.who || ' says otherwise' || annals_internal.replacement_note(': ', later.names))
            FROM annals_internal.fact_sources($1, ARRAY[f.id], known_at) t
        ), coalesce(later.ids, '{}') || CASE WHEN against.after THEN '{}' ELSE coalesce(against.ids, '{}') END,
        CASE WHEN against.after THEN against.ids ELSE '{}' END, coalesce(lower(f.valid), '-infinity')
    FROM fact f
    LEFT JOIN other bound ON bound.id = f.bounded_by
    LEFT JOIN LATERAL (
        SELECT array_agg(o.target ORDER BY lower(o.valid) DESC NULLS LAST, o.id DESC) AS names, bool_or(lower(o.valid) = upper(f.valid)) AS follows
        FROM other o
        WHERE o.holds AND o.source_id = f.source_id AND o.predicate = f.predicate AND (o.id = f.bounded_by OR lower(o.valid) IS NULL OR lower(o.valid) >= upper(f.valid))
    ) now ON true
    LEFT JOIN LATERAL (
        SELECT annals.when_known(o.kind, o.valid, o.from_basis, o.from_precision, o.until_basis, o.until_precision, reading) AS when_known, lower(o.valid) AS began
        FROM other o
        WHERE o.holds AND o.source_id = f.source_id AND o.predicate = f.predicate AND o.target_id = f.target_id
        ORDER BY lower(o.valid) DESC NULLS LAST, o.id DESC
        LIMIT 1
    ) again ON true
    LEFT JOIN LATERAL ( -- those that hold, or all where none does
        SELECT array_agg(b.name ORDER BY b.place) AS names, array_agg(b.id ORDER BY b.place) AS ids, (array_agg(b.who ORDER BY b.place))[1] AS who,
            coalesce(bool_or(b.later), false) AS after
        FROM (
            SELECT o.id, d.place, p.later, CASE p.higher_as WHEN 'document' THEN annals_internal.source_note(p.higher_who, p.higher_as, p.higher_said) ELSE annals_internal.note_text(p.higher_who) END AS who,
                CASE WHEN o.source_id = f.source_id THEN o.target ELSE rtrim(o.told, '.!? ') END AS name,
                o.kind = 'event' OR upper_inf(o.valid) OR upper(o.valid) > reading AS goes_on,
                bool_or(o.kind = 'event' OR upper_inf(o.valid) OR upper(o.valid) > reading) OVER () AS any_goes_on
            FROM unnest(f.disputed_by) WITH ORDINALITY AS d(id, place)
            JOIN other o ON o.id = d.id
            LEFT JOIN pair p ON p.lower_id = f.id AND p.higher_id = d.id
        ) b
        WHERE b.goes_on OR NOT b.any_goes_on
    ) against ON true
    LEFT JOIN LATERAL ( -- records of a later time
        SELECT array_agg(r.name ORDER BY r.began DESC, r.id DESC) AS names, array_agg(r.id ORDER BY r.began DESC, r.id DESC) AS ids,
            (array_agg(r.who ORDER BY r.began DESC, r.id DESC))[1] AS who
        FROM (
            SELECT o.id, lower(o.valid) AS began, annals_internal.source_note(p.lower_who, p.lower_as, p.lower_said) AS who,
                CASE WHEN o.source_id = f.source_id THEN o.target ELSE rtrim(o.told, '.!? ') END AS name
            FROM pair p
            JOIN other o ON o.id = p.lower_id
            WHERE p.later AND p.higher_id = f.id
        ) r
    ) later ON true;
END
$$;
COMMENT ON FUNCTION annals_internal.fact_outcomes(text, uuid[], timestamptz, timestamptz)
    IS 'Says of those of some facts that have ended or are contradicted what became of them.';

-- Notes what became of what episodes say: what of it was taken back, has ended or is
-- disputed, three things at the most. A short one that says one thing does not name it.
CREATE FUNCTION annals_internal.episode_notes(group_id text, ids uuid[], reading timestamptz, known_at timestamptz) RETURNS TABLE (id uuid, note text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH withdrawn AS MATERIALIZED (
        SELECT w.*, t.name AS target, row_number() OVER (PARTITION BY w.episode_id ORDER BY w.said_at NULLS FIRST, w.fact) AS place
        FROM annals.withdrawn_statements($1, ids, known_at) w
        LEFT JOIN annals.entities t ON t.group_id = $1 AND t.id = w.target_id
    ), stated AS MATERIALIZED (
        SELECT c.episode_id, c.fact_id FROM annals.fact_episodes c WHERE c.group_id = $1 AND c.episode_id = ANY (ids) AND c.role = 'states'
    ), became AS MATERIALIZED (
        SELECT b.* FROM annals_internal.fact_outcomes($1, ARRAY(SELECT s.fact_id FROM stated s), reading, known_at) b
    ), change AS (
        SELECT w.episode_id, w.place, coalesce(w.target, rtrim(w.fact, '.!? ')) AS subject, CASE
                WHEN NOT w.taken_back THEN 'no longer believed' || annals_internal.replacement_note(', now ', now.names)
                WHEN lower(w.valid) > w.said_at THEN 'called off' ELSE 'taken back' END
            || CASE WHEN now.same THEN ', corrected: ' || now.when_known WHEN w.taken_back THEN annals_internal.replacement_note(', corrected: ', now.names) ELSE '' END AS note
        FROM withdrawn w
        LEFT JOIN LATERAL ( -- what took it back says, or what holds in its place
            SELECT array_agg(CASE WHEN o.source_id = w.source_id THEN o.target ELSE rtrim(o.told, '.!? ') END ORDER BY lower(o.valid) DESC NULLS LAST, o.id DESC) AS names,
                (array_agg(w.taken_back AND o.source_id = w.source_id AND o.target_id = w.target_id ORDER BY lower(o.valid) DESC NULLS LAST, o.id DESC))[1] AS same,
                (array_agg(annals.when_known(o.kind, o.valid, o.from_basis, o.from_precision, o.until_basis, o.until_precision, reading)
                    ORDER BY lower(o.valid) DESC NULLS LAST, o.id DESC))[1] AS when_known
            FROM annals_internal.believed_facts_of($1, ARRAY(
                SELECT c.fact_id FROM annals.fact_episodes c WHERE c.group_id = $1 AND c.episode_id = w.taken_back_by AND c.role = 'states'
                UNION
                SELECT h.id FROM annals.facts h WHERE h.group_id = $1 AND NOT w.taken_back AND h.source_id = w.source_id AND h.predicate = w.predicate
            ), known_at) o
            WHERE o.predicate = w.predicate AND (o.source_id = w.source_id OR o.target_id = w.target_id)
                AND (w.taken_back OR o.kind = 'state' AND o.trust = 'believed' AND o.valid @> reading)
        ) now ON true
        UNION ALL
        SELECT s.episode_id, 1000 + row_number() OVER (PARTITION BY s.episode_id ORDER BY b.began DESC, b.id DESC), b.subject, b.note
        FROM stated s
        JOIN became b ON b.id = s.fact_id
    ), named AS (
        SELECT c.episode_id, c.place, CASE WHEN count(*) OVER (PARTITION BY c.episode_id) > 1
                OR cardinality(regexp_split_to_array(btrim(e.content, annals_internal.whitespace_characters()), '[' || annals_internal.whitespace_characters() || ']+')) > 10 OR (SELECT count(*) FROM annals_internal.split_sentences(e.content)) > 1
            THEN annals_internal.note_text(c.subject) || ': ' ELSE '' END || c.note AS note
        FROM change c
        JOIN annals.episodes e ON e.group_id = $1 AND e.id = c.episode_id
    ), once AS (
        SELECT n.episode_id, n.note, row_number() OVER (PARTITION BY n.episode_id ORDER BY min(n.place)) AS place
        FROM named n
        GROUP BY n.episode_id, n.note
    )
    SELECT o.episode_id, string_agg(o.note, '; ' ORDER BY o.place) FILTER (WHERE o.place <= 3)
        || CASE WHEN count(*) > 3 THEN format('; %s more no longer so', count(*) - 3) ELSE '' END
    FROM once o
    GROUP BY o.episode_id;
END
$$;
COMMENT ON FUNCTION annals_internal.episode_notes(text, uuid[], timestamptz, timestamptz) IS 'Notes what became of what episodes say.';

-- What entities are not at a time, any more or yet, by a disputed word alone, or where a record of a later time says otherwise, of their
-- newest facts, of which summaries are made: the sentences of those facts and of the facts
-- made of the same sentences, and the other ends of facts that start from them, unless a
-- sentence that holds has that name too.
CREATE FUNCTION annals.statements_not_valid(group_id text, ids uuid[], reading timestamptz) RETURNS TABLE (entity_id uuid, words text)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH newest AS MATERIALIZED (
        SELECT n.id AS entity_id, f.id, f.source_id, f.target_id, f.predicate, f.told, f.kind, f.valid, f.trust, f.statement_id
        FROM unnest(ids) AS n(id)
        CROSS JOIN LATERAL (
            (SELECT x.* FROM annals.facts x WHERE x.group_id = $1 AND x.source_id = n.id ORDER BY x.id DESC LIMIT 100)
            UNION ALL
            (SELECT x.* FROM annals.facts x WHERE x.group_id = $1 AND x.target_id = n.id ORDER BY x.id DESC LIMIT 100)
        ) f
    ), told AS MATERIALIZED (
        SELECT f.entity_id, f.source_id, f.target_id, f.told, f.kind,
            f.kind = 'event' OR (f.valid @> reading AND f.trust = 'believed' OR EXISTS (
                SELECT FROM annals.facts a
                WHERE a.group_id = $1 AND a.source_id = f.source_id AND a.target_id = f.target_id AND a.predicate = f.predicate AND a.kind = 'state'
                    AND a.valid @> reading AND a.trust = 'believed'))
                AND NOT (EXISTS (SELECT FROM annals.disputes d WHERE d.group_id = $1 AND d.disputed_by = f.id)
                    AND EXISTS (SELECT FROM annals_internal.contradictions_of($1, ARRAY[f.id], reading, NULL) o WHERE o.later AND o.higher_id = f.id)) AS holds
        FROM (
            SELECT * FROM newest
            UNION ALL
            SELECT n.entity_id, x.id, x.source_id, x.target_id, x.predicate, x.told, x.kind, x.valid, x.trust, x.statement_id
            FROM (SELECT DISTINCT entity_id, statement_id FROM newest) n
            JOIN annals.facts x ON x.group_id = $1 AND x.statement_id = n.statement_id AND n.entity_id NOT IN (x.source_id, x.target_id)
        ) f
    )
    SELECT t.entity_id, t.told FROM told t WHERE NOT t.holds
    UNION
    SELECT t.entity_id, o.name
    FROM told t
    JOIN annals.entities o ON o.group_id = $1 AND o.id = t.target_id
    WHERE NOT t.holds AND t.source_id = t.entity_id AND NOT EXISTS (
        SELECT FROM told h WHERE h.entity_id = t.entity_id AND h.holds AND h.kind = 'state' AND strpos(lower(h.told), lower(o.name)) > 0);
END
$$;
COMMENT ON FUNCTION annals.statements_not_valid(text, uuid[], timestamptz) IS 'What entities are not at a time, any more or yet: sentences and names that a summary may still have.';

-- The summaries of entities without the sentences that tell what they are not at a time.
CREATE FUNCTION annals.summaries_now(group_id text, ids uuid[], reading timestamptz) RETURNS TABLE (id uuid, summary text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH over AS MATERIALIZED (SELECT n.entity_id AS id, annals_internal.fold_text(n.words) AS words FROM annals.statements_not_valid($1, ids, reading) n)
    SELECT e.id, coalesce(string_agg(s.sentence, ' ' ORDER BY s.place) FILTER (WHERE t.still_so), '')
    FROM annals.entities e
    CROSS JOIN LATERAL regexp_split_to_table(e.summary, '(?<=[.!?\u2026])[' || annals_internal.whitespace_characters() || ']+') WITH ORDINALITY AS s(sentence, place)
    CROSS JOIN LATERAL (SELECT NOT EXISTS (
        SELECT FROM over o WHERE o.id = e.id AND o.words <> '' AND strpos(' ' || annals_internal.fold_text(s.sentence) || ' ', ' ' || o.words || ' ') > 0) AS still_so) t
    WHERE e.group_id = $1 AND e.id IN (SELECT o.id FROM over o)
    GROUP BY e.id;
END
$$;
COMMENT ON FUNCTION annals.summaries_now(text, uuid[], timestamptz) IS 'The summaries of entities without what they are no longer, of those that were something else.';

-- A filter that also keeps to what was said by a time.
CREATE FUNCTION annals_internal.filter_said_until(filter jsonb, until timestamptz) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
    WHEN jsonb_typeof(coalesce(filter->'occurred', '[]')) <> 'array' THEN filter -- which the search refuses
    WHEN jsonb_array_length(coalesce(filter->'occurred', '[]')) = 0
        THEN coalesce(filter, '{}') || jsonb_build_object('occurred', jsonb_build_array(jsonb_build_array(jsonb_build_object('op', 'lte', 'at', until))))
    ELSE filter || jsonb_build_object('occurred',
        (SELECT jsonb_agg(t.tests || jsonb_build_array(jsonb_build_object('op', 'lte', 'at', until))) FROM jsonb_array_elements(filter->'occurred') AS t(tests))) END;
COMMENT ON FUNCTION annals_internal.filter_said_until(jsonb, timestamptz) IS 'A filter that also keeps to what was said by a time.';

-- A line begins with a note in parentheses where it may not be believed without, as the
-- lines of the library's contexts do (retrieval/construct_notes.go). What was said after a
-- past valid_at is not looked for, and what sums up how things are is of no past time.
CREATE FUNCTION annals.context(
    group_id text, query text, kinds text[] DEFAULT '{}', valid_at timestamptz DEFAULT NULL,
    known_at timestamptz DEFAULT NULL, filter jsonb DEFAULT '{}', max_rows integer DEFAULT 10, query_vector vector DEFAULT NULL,
    model text DEFAULT NULL, include_ended boolean DEFAULT false
) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    past CONSTANT boolean := coalesce(valid_at < now(), false);
    reading CONSTANT timestamptz := coalesce(valid_at, now());
    wanted CONSTANT text[] := CASE WHEN cardinality(kinds) > 0 THEN kinds WHEN filter->>'trust' = 'disputed' THEN '{fact}' ELSE '{fact,episode}' END; -- of a past time
    found text;
BEGIN
    PERFORM annals_internal.check_search($1, kinds, valid_at, known_at, max_rows);
    WITH hit AS MATERIALIZED (
        SELECT s.kind, s.id, s.rank, s.name, s.content, s.valid, s.occurred_at, s.details->>'when' AS when_known, s.details->>'kind' AS standing,
            s.details->>'source' AS source
        FROM annals.search($1, query, CASE WHEN past THEN '{fact}' ELSE kinds END, valid_at, known_at, filter, max_rows, query_vector, $9, include_ended) s
        WHERE NOT past OR 'fact' = ANY (wanted)
        UNION ALL
        SELECT s.kind, s.id, s.rank, s.name, s.content, s.valid, s.occurred_at, NULL, NULL, s.details->>'source'
        FROM annals.search($1, query, '{episode}', valid_at, known_at, annals_internal.filter_said_until(filter, valid_at), max_rows, query_vector, $9, include_ended) s
        WHERE past AND 'episode' = ANY (wanted)
    ), fact AS MATERIALIZED ( -- what one sentence says of one time once, and of what happened in it and has held since the latter
        SELECT f.id, f.content, f.when_known, CASE WHEN f.event AND f.state THEN f.first ELSE f.rank END AS rank
        FROM (
            SELECT h.*, h.rank > min(h.rank) OVER (PARTITION BY h.content, h.valid, h.standing) AS again, min(h.rank) OVER said AS first,
                bool_or(h.standing = 'event') OVER said AS event, bool_or(h.standing = 'state') OVER said AS state
            FROM hit h
            WHERE h.kind = 'fact'
            WINDOW said AS (PARTITION BY h.content)
        ) f
        WHERE NOT f.again AND (f.standing = 'state' OR NOT f.state)
    ), against AS MATERIALIZED ( -- what disputes a fact stands before it, or behind a record of a later time
        SELECT a.id, min(a.place) AS place
        FROM fact f
        JOIN annals_internal.fact_outcomes($1, ARRAY(SELECT o.id FROM fact o), reading, known_at) b ON b.id = f.id
        CROSS JOIN LATERAL (SELECT unnest(b.before) AS id, f.rank - 0.5 AS place UNION ALL SELECT unnest(b.beside), f.rank + 0.25) a
        GROUP BY a.id
    ), shown AS MATERIALIZED (
        SELECT id, coalesce(f.content, d.content) AS content, coalesce(f.when_known, d.details->>'when') AS when_known,
            least(a.place, f.rank) AS place
        FROM fact f
        FULL JOIN against a USING (id)
        LEFT JOIN annals_internal.describe_hits($1, 'fact', ARRAY(SELECT o.id FROM against o), known_at, valid_at) d USING (id)
    ), besides AS MATERIALIZED ( -- what else the sentence of a fact says
        SELECT f.id, o.id AS other
        FROM shown f
        JOIN annals.facts g ON g.group_id = $1 AND g.id = f.id AND (g.kind = 'event' OR upper_inf(g.valid) OR upper(g.valid) > reading)
        JOIN annals.facts o ON o.group_id = $1 AND o.statement_id = g.statement_id AND o.id <> g.id AND o.fact = g.fact
    ), became AS MATERIALIZED (
        SELECT b.* FROM annals_internal.fact_outcomes($1, ARRAY(SELECT f.id FROM shown f UNION SELECT o.other FROM besides o), reading, known_at) b
    ), noted AS MATERIALIZED (
        SELECT n.id, n.note FROM annals_internal.episode_notes($1, ARRAY(SELECT h.id FROM hit h WHERE h.kind = 'episode'), reading, known_at) n
    ), summed AS MATERIALIZED (
        SELECT s.id, s.summary FROM annals.summaries_now($1, ARRAY(SELECT h.id FROM hit h WHERE h.kind = 'entity' AND known_at IS NULL), reading) s
    ), line AS (
        SELECT 'fact' AS kind, f.place, format('(%s) %s', concat_ws('; ', coalesce((SELECT b.words FROM became b WHERE b.id = f.id), f.when_known), (
                SELECT string_agg(annals_internal.note_text(b.subject) || ': ' || b.note, '; ' ORDER BY b.began DESC, b.id DESC)
                FROM besides o JOIN became b ON b.id = o.other
                WHERE o.id = f.id
            )), annals_internal.without_leading_note(annals_internal.without_notes(annals_internal.context_line(f.content)))) AS line
        FROM shown f
        UNION ALL
        SELECT h.kind, h.rank, CASE h.kind WHEN 'episode' THEN format('(%s) ', concat_ws('; ', annals_internal.context_date(h.occurred_at), CASE WHEN h.name = '' AND h.source <> 'message' AND annals_internal.begins_like_turn(t.text) THEN 'no speaker' END, n.note)) ELSE '' END
            || concat_ws(': ', nullif(annals_internal.plain_name(annals_internal.context_line(h.name)), ''), nullif(
                CASE WHEN h.name = '' THEN annals_internal.without_leading_note(t.text) ELSE t.text END, ''))
        FROM hit h
        LEFT JOIN noted n ON n.id = h.id
        LEFT JOIN summed s ON s.id = h.id
        CROSS JOIN LATERAL (SELECT annals_internal.without_notes(annals_internal.context_line(coalesce(s.summary, h.content))) AS text) t
        WHERE h.kind <> 'fact'
    )
    SELECT string_agg(format(E'<%1$s>\n%2$s</%1$s>\n', t.tag, t.lines), '' ORDER BY t.place)
    INTO found
    FROM (
        SELECT s.tag, s.place, string_agg('- ' || l.line || E'\n', '' ORDER BY l.place) AS lines
        FROM (VALUES ('fact', 'FACTS', 1), ('entity', 'ENTITIES', 2), ('community', 'COMMUNITIES', 3), ('episode', 'EPISODES', 4)) AS s(kind, tag, place)
        JOIN line l ON l.kind = s.kind
        GROUP BY s.tag, s.place
    ) t;
    RETURN coalesce(E'What is known; (…) first in a line says when it holds.\n' || found, E'Nothing is known about this.\n');
END
$$;
COMMENT ON FUNCTION annals.context(text, text, text[], timestamptz, timestamptz, jsonb, integer, vector, text, boolean)
    IS 'What annals.search finds, as a string for a model''s prompt.';

CALL annals_internal.end_migration(9, 'sql_search');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals.context, annals_internal.filter_said_until, annals.summaries_now, annals.statements_not_valid, annals_internal.episode_notes, annals_internal.fact_outcomes, annals_internal.contradictions_of, annals_internal.source_note, annals_internal.fact_sources, annals_internal.believed_facts_of, annals_internal.replacement_note, annals_internal.note_text,
    annals_internal.without_leading_note, annals_internal.begins_like_turn, annals_internal.without_notes, annals_internal.plain_name, annals_internal.context_date, annals.when_known, annals_internal.moment_name, annals_internal.context_line, annals_internal.ascii_lookalike;
DROP FUNCTION annals.search, annals_internal.trust_filter, annals_internal.describe_hits, annals_internal.search_kind, annals_internal.nearest_rows, annals_internal.vector_dimensions, annals_internal.to_stored_vector,
    annals_internal.vector_model, annals_internal.rank_episodes, annals.read_question, annals_internal.quoted_phrases, annals_internal.trim_query, annals_internal.whitespace_characters;
DELETE FROM annals.migrations WHERE version = 9;
