-- A small search in SQL: by words, vectors and relations, over rows that are valid and
-- visible. The library ranks by more (docs/sql.md).
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(9);

CREATE FUNCTION annals_internal.whitespace_characters() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN E' \t\n\x0b\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';
COMMENT ON FUNCTION annals_internal.whitespace_characters() IS 'Returns the white space characters.';

-- Names the day, month, year and so on of a bound, as precisely as it is known.
-- With over, names the last one inside the range.
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
    IS 'Names the day, month, year and so on of a bound, as precisely as it is known.';

-- Returns in words when a fact holds or happened, as read at a time, like the
-- library.
CREATE FUNCTION annals.when_known(
    kind annals.fact_kind, valid tstzrange, from_basis annals.basis, from_precision annals.exactness,
    until_basis annals.basis, until_precision annals.exactness, reading timestamptz DEFAULT now()
) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    -- Text, so that moment_name is called only for bounds that exist.
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
    IS 'Returns in words when a fact holds or happened, as precisely as that is known.';

-- Returns the given facts as believed now, or at a time.
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
COMMENT ON FUNCTION annals_internal.believed_facts_of(text, uuid[], timestamptz) IS 'Returns the given facts as believed now, or at a time.';

-- Returns the model of query_vector: the given one, else the one that last embedded
-- the database, else the only one of the group.
CREATE FUNCTION annals_internal.vector_model(group_id text, model text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    models text[];
BEGIN
    WITH RECURSIVE m AS (
        (SELECT v.model FROM annals.vectors v WHERE v.group_id = $1 ORDER BY v.model LIMIT 1)
        UNION ALL
        SELECT (SELECT v.model FROM annals.vectors v WHERE v.group_id = $1 AND v.model > m.model ORDER BY v.model LIMIT 1)
        FROM m WHERE m.model IS NOT NULL
    )
    SELECT array_agg(m.model) INTO models FROM m WHERE m.model IS NOT NULL;
    IF $2 <> ALL (models) THEN
        PERFORM annals_internal.raise_invalid('model', format('"%s" made no vectors of this group; %s did', $2, array_to_string(models, ', ')));
    ELSIF coalesce($2, annals_internal.current_embedder()) IS NULL AND cardinality(models) > 1 THEN
        PERFORM annals_internal.raise_invalid('model', format('is missing; name the one of %s that made query_vector', array_to_string(models, ', ')));
    END IF;
    RETURN coalesce($2, annals_internal.current_embedder(), models[1]);
END
$$;
COMMENT ON FUNCTION annals_internal.vector_model(text, text) IS 'Returns the model of query_vector: the given one, or the default.';

-- Convert the vector of a question to the stored type, and count its dimensions.
CREATE FUNCTION annals_internal.to_stored_vector(query_vector vector) RETURNS halfvec
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN query_vector::halfvec;
COMMENT ON FUNCTION annals_internal.to_stored_vector(vector) IS 'Converts a vector to the type in which vectors are stored.';

CREATE FUNCTION annals_internal.vector_dimensions(query_vector vector) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN vector_dims(query_vector);
COMMENT ON FUNCTION annals_internal.vector_dimensions(vector) IS 'Returns the number of dimensions of a vector.';

-- Returns the given rows that a search may show, as they are now. It calls functions
-- in FROM, where they become part of a cached plan.
CREATE FUNCTION annals_internal.rows_passing(
    group_id text, kind annals.kind, filter jsonb, valid_at timestamptz, include_ended boolean, ids uuid[]
) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    CASE
        WHEN $2 = 'fact' AND $3 = '{}' THEN
            RETURN QUERY
            SELECT f.id FROM unnest($6) AS i(id) JOIN annals.facts f ON f.group_id = $1 AND f.id = i.id
            WHERE CASE WHEN $4 IS NOT NULL THEN annals_internal.shown_at(f.kind, f.valid, f.from_basis, f.said_at, $4)
                ELSE $5 OR f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > now() END;
        WHEN $2 = 'fact' THEN RETURN QUERY SELECT p.id FROM annals_internal.facts_passing($1, $3, $4, $5, $6) AS p(id);
        WHEN $2 = 'community' OR $3 = '{}' THEN RETURN QUERY SELECT i.id FROM annals.groups g CROSS JOIN unnest($6) AS i(id) WHERE g.group_id = $1;
        WHEN $2 = 'entity' THEN RETURN QUERY SELECT p.id FROM annals_internal.entities_passing($1, $3, $6) AS p(id);
        ELSE RETURN QUERY SELECT p.id FROM annals_internal.episodes_passing($1, $3, $6) AS p(id);
    END CASE;
END
$$;
COMMENT ON FUNCTION annals_internal.rows_passing(text, annals.kind, jsonb, timestamptz, boolean, uuid[]) IS 'Returns the given rows of a kind that a search may show.';

-- Returns the rows with the nearest vectors, by the group's index if it has one, or by
-- comparing all. It first takes four times max_rows, enough for most searches; if too
-- few may be shown, it compares all. The index covers one group, which the statement
-- must name; only that statement is planned in each call.
CREATE FUNCTION annals_internal.nearest_rows(
    group_id text, kind annals.kind, model text, embedding halfvec, filter jsonb, valid_at timestamptz, include_ended boolean, max_rows integer
) RETURNS SETOF annals_internal.ranked
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    breadth CONSTANT text := coalesce(current_setting('hnsw.ef_search', true), '40');
    indexed boolean := EXISTS (SELECT FROM annals_internal.vector_indexes x WHERE x.group_id = $1 AND x.kind = $2 AND x.model = $3 AND x.valid);
    looked_at integer := 4 * max_rows;
    near text;
    ids uuid[];
    distances double precision[];
    passing uuid[];
BEGIN
    LOOP
        IF indexed THEN
            near := (SELECT format('annals_internal.distance(annals_internal.cast_to_dimension(embedding, %s), $1)', s.value::integer)
                FROM annals_internal.settings s WHERE s.group_id = '' AND s.name = 'embedding_dimension');
            PERFORM set_config('hnsw.ef_search', least(greatest(looked_at, 200), 1000)::text, true);
            EXECUTE format('SELECT array_agg(n.id ORDER BY n.distance, n.id), array_agg(n.distance ORDER BY n.distance, n.id) FROM (
                    SELECT v.id, min(v.distance) AS distance
                    FROM (SELECT %I AS id, %s AS distance FROM annals_internal.%I WHERE group_id = %L AND model = %L ORDER BY %2$s LIMIT $2) v
                    GROUP BY v.id
                ) n', $2 || '_id', near, $2 || '_embeddings', $1, $3)
                INTO ids, distances USING $4, looked_at;
            PERFORM set_config('hnsw.ef_search', breadth, true);
        ELSE
            SELECT array_agg(n.id), array_agg(n.distance) INTO ids, distances
            FROM (
                SELECT v.fact_id AS id, annals_internal.distance(v.embedding, $4) + 0 AS distance FROM annals_internal.fact_embeddings v
                WHERE $2 = 'fact' AND v.group_id = $1 AND v.model = $3
                UNION ALL
                SELECT v.entity_id, annals_internal.distance(v.embedding, $4) + 0 FROM annals_internal.entity_embeddings v
                WHERE $2 = 'entity' AND v.group_id = $1 AND v.model = $3
                UNION ALL
                SELECT v.community_id, annals_internal.distance(v.embedding, $4) + 0 FROM annals_internal.community_embeddings v
                WHERE $2 = 'community' AND v.group_id = $1 AND v.model = $3
                UNION ALL
                SELECT v.episode_id, min(annals_internal.distance(v.embedding, $4)) FROM annals_internal.episode_embeddings v
                WHERE $2 = 'episode' AND v.group_id = $1 AND v.model = $3
                GROUP BY v.episode_id
                ORDER BY 2, 1
                LIMIT looked_at
            ) n;
        END IF;
        passing := ARRAY(SELECT annals_internal.rows_passing($1, $2, filter, valid_at, include_ended, ids));
        EXIT WHEN cardinality(passing) >= max_rows OR NOT indexed AND coalesce(cardinality(ids) < looked_at, true);
        looked_at := NULL; -- all
        indexed := false;
    END LOOP;
    RETURN QUERY
    SELECT n.id, 1 - n.distance FROM unnest(ids, distances) AS n(id, distance)
    WHERE n.id = ANY (passing)
    ORDER BY n.distance, n.id
    LIMIT max_rows;
END
$$;
COMMENT ON FUNCTION annals_internal.nearest_rows(text, annals.kind, text, halfvec, jsonb, timestamptz, boolean, integer)
    IS 'Returns the rows of a kind with the nearest vectors, by the index of the group if it has one.';

-- Returns the newest facts of each entity in both directions, and whether both their
-- ends are among the entities.
CREATE FUNCTION annals_internal.facts_between(
    group_id text, entity_ids uuid[], filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean
) RETURNS TABLE (id uuid, joins boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    passing uuid[];
BEGIN
    IF known_at IS NOT NULL THEN
        passing := ARRAY(SELECT annals_internal.matching_known($1, 'fact', filter, valid_at, known_at, include_ended));
        RETURN QUERY
        SELECT f.id, f.source_id = ANY (entity_ids) AND f.target_id = ANY (entity_ids)
        FROM annals_internal.fact_versions_of($1, passing, known_at) f
        WHERE f.source_id = ANY (entity_ids) OR f.target_id = ANY (entity_ids)
        ORDER BY f.id DESC
        LIMIT 1000;
        RETURN;
    END IF;
    passing := ARRAY(
        SELECT x.id FROM unnest(entity_ids) AS e(id)
        CROSS JOIN LATERAL (
            (SELECT f.id FROM annals.facts f WHERE f.group_id = $1 AND f.source_id = e.id ORDER BY f.id DESC LIMIT 100)
            UNION ALL
            (SELECT f.id FROM annals.facts f WHERE f.group_id = $1 AND f.target_id = e.id ORDER BY f.id DESC LIMIT 100)
        ) x
        LIMIT 1000
    );
    RETURN QUERY
    SELECT DISTINCT f.id, f.source_id = ANY (entity_ids) AND f.target_id = ANY (entity_ids)
    FROM annals_internal.rows_passing($1, 'fact', filter, valid_at, include_ended, passing) AS p(id)
    JOIN annals.facts f ON f.group_id = $1 AND f.id = p.id;
END
$$;
COMMENT ON FUNCTION annals_internal.facts_between(text, uuid[], jsonb, timestamptz, timestamptz, boolean)
    IS 'Returns the newest facts from or to some entities, and whether both their ends are among these.';

-- Ranks the rows of one kind for a question: by words, by a vector and, for facts, by the
-- entities that the question names. Reciprocal rank fusion combines the rankings. In
-- messages, names of speakers weigh less: people seldom say their own names.
CREATE FUNCTION annals_internal.search_kind(
    group_id text, kind annals.kind, query text, embedding halfvec, model text, filter jsonb, valid_at timestamptz,
    known_at timestamptz, include_ended boolean, max_rows integer
) RETURNS SETOF annals_internal.ranked
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    candidates CONSTANT integer := greatest(3 * max_rows, 30);
    past CONSTANT boolean := known_at IS NOT NULL AND $2 <> 'episode';
    lesser CONSTANT text := CASE WHEN $2 = 'episode' THEN (SELECT string_agg(s.actor, ' ') FROM annals_internal.speakers($1, 200) AS s(actor)) END;
    named CONSTANT uuid[] := CASE WHEN $2 = 'fact' THEN annals_internal.entities_named_in($1, query) END;
BEGIN
    RETURN QUERY
    WITH listed AS MATERIALIZED (
        SELECT r.id, r.place
        FROM annals_internal.rank_by_terms($1, $2, query, coalesce(lesser, ''), filter <> '{}', filter, valid_at, include_ended, candidates)
            WITH ORDINALITY AS r(id, score, place)
        WHERE NOT past
        UNION ALL
        SELECT r.id, r.place
        FROM annals_internal.rank_known_by_terms($1, $2, query, filter, valid_at, known_at, include_ended, candidates) WITH ORDINALITY AS r(id, score, place)
        WHERE past
        UNION ALL
        SELECT r.id, r.place
        FROM annals_internal.nearest_rows($1, $2, $5, $4, filter, valid_at, include_ended, candidates) WITH ORDINALITY AS r(id, score, place)
        WHERE $4 IS NOT NULL AND NOT past
        UNION ALL
        SELECT r.id, r.place
        FROM annals_internal.nearest_known($1, $2, $5, $4, filter, valid_at, known_at, include_ended, candidates) WITH ORDINALITY AS r(id, score, place)
        WHERE $4 IS NOT NULL AND past
    ), found AS MATERIALIZED (
        SELECT l.id, sum(1 / (annals_internal.rank_constant() + l.place)) AS score FROM listed l GROUP BY l.id
    ), related AS (
        SELECT b.id, 1 / (annals_internal.rank_constant() + row_number() OVER (ORDER BY b.joins DESC, f.score DESC NULLS LAST, b.id DESC)) AS score
        FROM annals_internal.facts_between($1, named, filter, valid_at, known_at, include_ended) b
        LEFT JOIN found f ON f.id = b.id
        WHERE named <> '{}'
    )
    SELECT id, coalesce(f.score, 0) + coalesce(r.score, 0)
    FROM found f FULL JOIN related r USING (id)
    ORDER BY 2 DESC, 1 DESC
    LIMIT max_rows;
END
$$;
COMMENT ON FUNCTION annals_internal.search_kind(text, annals.kind, text, halfvec, text, jsonb, timestamptz, timestamptz, boolean, integer)
    IS 'Ranks the rows of one kind for a question: by words, by a vector and by the entities that it names.';

-- Returns rows of one kind as a search shows them, in the version believed at
-- known_at.
CREATE FUNCTION annals_internal.describe_hits(group_id text, kind annals.kind, ids uuid[], known_at timestamptz, reading timestamptz, query text)
RETURNS TABLE (id uuid, name text, content text, valid tstzrange, occurred_at timestamptz, details jsonb)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    CASE $2
        WHEN 'fact' THEN
            RETURN QUERY
            SELECT f.id, concat_ws(' ', f.source, f.predicate, f.target), f.told, f.valid, NULL::timestamptz,
                jsonb_build_object('source_id', f.source_id, 'source', f.source, 'predicate', f.predicate, 'target_id', f.target_id,
                    'target', f.target, 'attributes', f.attributes, 'kind', f.kind, 'trust', f.trust,
                    'when', annals.when_known(f.kind, f.valid, f.from_basis, f.from_precision, f.until_basis, f.until_precision, coalesce(reading, now()))
                        || CASE f.trust WHEN 'disputed' THEN ', disputed' WHEN 'candidate' THEN ', not confirmed' ELSE '' END,
                    'valid_from', jsonb_build_object('basis', f.from_basis, 'precision', f.from_precision),
                    'valid_until', jsonb_build_object('basis', f.until_basis, 'precision', f.until_precision),
                    'said_at', f.said_at, 'created_at', f.created_at, 'expired_at', f.expired_at, 'episodes', f.episodes)
            FROM annals_internal.believed_facts_of($1, ids, known_at) f;
        WHEN 'entity' THEN
            RETURN QUERY
            SELECT e.id, e.name, e.summary, NULL::tstzrange, NULL::timestamptz,
                jsonb_build_object('aliases', e.aliases, 'labels', e.labels, 'attributes', e.attributes, 'created_at', e.created_at)
            FROM unnest(ids) AS i(id)
            JOIN annals.entity_versions e ON e.group_id = $1 AND e.id = i.id AND e.recorded @> coalesce(known_at, 'infinity');
        WHEN 'episode' THEN
            RETURN QUERY
            SELECT e.id, CASE WHEN e.actor = '' THEN initcap(e.role COLLATE "und-x-icu") ELSE e.actor END,
                CASE e.source WHEN 'run' THEN annals_internal.run_told(e.content) ELSE annals_internal.telling_passage(g.text_search::regconfig, e.content, query) END, NULL::tstzrange,
                e.occurred_at, jsonb_build_object('source', e.source, 'actor', e.actor, 'role', e.role, 'thread_id', e.thread_id,
                    'name', e.name, 'external_id', e.external_id, 'metadata', e.metadata)
            FROM unnest(ids) AS i(id)
            JOIN annals.groups g ON g.group_id = $1
            JOIN annals.episodes e ON e.group_id = $1 AND e.id = i.id;
        WHEN 'community' THEN
            RETURN QUERY
            SELECT c.id, c.name, c.summary, NULL::tstzrange, NULL::timestamptz, jsonb_build_object('members', c.members, 'created_at', c.created_at)
            FROM unnest(ids) AS i(id)
            JOIN annals.community_versions c ON c.group_id = $1 AND c.id = i.id AND c.recorded @> coalesce(known_at, 'infinity');
    END CASE;
END
$$;
COMMENT ON FUNCTION annals_internal.describe_hits(text, annals.kind, uuid[], timestamptz, timestamptz, text) IS 'Returns rows of one kind as a search shows them.';

-- Cached plans serve every group, so the settings rule out plans that suit only large
-- ones, as in the library (db/snapshot.go). Withheld rows are shown only on request. If
-- a group withholds nothing, the test is skipped to save time.
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
    question CONSTANT text := btrim(left(coalesce(query, ''), 8192), annals_internal.whitespace_characters());
    dimension CONSTANT integer := (SELECT s.value::integer FROM annals_internal.settings s WHERE s.group_id = '' AND s.name = 'embedding_dimension');
    narrowing jsonb;
    asked text;
    trust text; -- of the rows to show; NULL: any
    trust_of_facts text;
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
    IF asked IN ('candidate', 'disputed') THEN
        trust := asked;
    ELSIF asked IS DISTINCT FROM 'all' AND EXISTS (SELECT FROM annals.groups g WHERE g.group_id = $1 AND g.holds_episodes) THEN
        trust := 'believed';
    END IF;
    trust_of_facts := coalesce(trust, CASE WHEN asked IS DISTINCT FROM 'all' AND (known_at IS NOT NULL OR annals_internal.withholds($1)) THEN 'believed' END);
    IF annals_internal.vector_dimensions(query_vector) <> dimension THEN
        PERFORM annals_internal.raise_invalid('query_vector', format('has %s dimensions; the vectors of this database have %s',
            annals_internal.vector_dimensions(query_vector), dimension));
    ELSIF query_vector IS NOT NULL THEN
        model := annals_internal.vector_model($1, $9);
    END IF;
    FOR sort IN
        SELECT k.kind::annals.kind
        FROM unnest(CASE WHEN cardinality(kinds) > 0 THEN kinds
            WHEN asked = 'disputed' THEN '{fact}'
            WHEN asked = 'candidate' OR narrowing ? 'told_by' THEN '{fact,episode}' -- summaries have no single source
            ELSE '{fact,entity,episode,community}' END) WITH ORDINALITY AS k(kind, place)
        GROUP BY k.kind
        ORDER BY min(k.place)
    LOOP
        SELECT array_agg(f.id), array_agg(f.score) INTO ids, scores
        FROM annals_internal.search_kind($1, sort, question, annals_internal.to_stored_vector(query_vector), $9, narrowing - 'trust' || CASE
                WHEN sort = 'fact' AND trust_of_facts IS NOT NULL THEN jsonb_build_object('trust', trust_of_facts)
                WHEN sort <> 'community' AND trust IS NOT NULL THEN jsonb_build_object('trust', trust) ELSE '{}' END,
            valid_at, known_at, coalesce(include_ended, false), coalesce(max_rows, 10)) f;
        RETURN QUERY
        SELECT sort::text, i.place::integer, i.id, i.score, d.name, d.content, d.valid, d.occurred_at, d.details
        FROM unnest(ids, scores) WITH ORDINALITY AS i(id, score, place)
        JOIN annals_internal.describe_hits($1, sort, ids, known_at, valid_at, question) d ON d.id = i.id
        ORDER BY i.place;
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals.search(text, text, text[], timestamptz, timestamptz, jsonb, integer, vector, text, boolean)
    IS 'Returns the rows that match a question, best first within each kind: facts that hold now or at valid_at, entities, episodes and communities, as believed at known_at; NULL: now.';

-- Returns the ASCII that a model may read in a text. Wide, slanted and accented
-- letters become plain, letters of other scripts their ASCII lookalikes. Invisible
-- characters and other letters are dropped.
CREATE FUNCTION annals_internal.ascii_lookalike(document text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN lower(regexp_replace(translate(normalize(document, NFKD),
        '⁄∕╱⧸ıɡɑʟᴀᴄᴇᴏᴛꜱꜰ⎸∣❘ǀАВЕКМНОРСТУХЅІЈԚԜԌавекмнорстухѕіјԛԝԍΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεζηικμνορτυχԁһӏԀҺӀ',
        '////igalaceotsf||||abekmhopctyxsijqwgabekmhopctyxsijqwgabezhikmnoptyxabezhikmnoptyxdhldhl'), '[^ -~‹]', '', 'g') COLLATE "C");
COMMENT ON FUNCTION annals_internal.ascii_lookalike(text) IS 'Returns the ASCII that a model may read in a text, in lower case.';

-- Returns a text as one line of a context or prompt. It cannot close or open tags,
-- or imitate another turn of a conversation: an opening bracket that could becomes
-- ‹. The package internal/fence does the same; a test compares them.
CREATE FUNCTION annals_internal.context_line(document text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    tags CONSTANT text := 'assistant|begin_of_text|block|bos|communities|developer|document|documents|earlier|end_header_id|end_of_text|end_of_turn|entities|'
        'entity|eop|eos|eot_id|episodes|existing|fact|facts|function|function_call|function_calls|function_results|functions|gone|graph|human|'
        'instructions|invoke|json|known|mask|member|members|memory|message|messages|name|new|pad|parameter|passages|pitfalls|preconditions|'
        'query|question|rejected|skills|slots|sop|start_header_id|start_of_image|start_of_turn|steps|subject|subjects|summaries|summary|sys|'
        'system|tasks|think|thinking|tool|tool_call|tool_calls|tool_response|tool_result|tool_results|tools|types|unk|user|user_summary';
    forbidden CONSTANT text := '^< */? *(?:' || tags || ')(?![0-9a-z_])|^< *(?:[|]|/? *s *>|/? *(?:unused|extra_id_|reserved_)[0-9])'
        '|^[[] */? *(?:inst|tool_calls?|tool_results?|tool_content|available_tools|system_prompt|call_id|args|bos|eos|sop|eop|gmask|img) *\]'
        '|^[[][fnce]:[0-9a-f]{8}';
    unfinished CONSTANT text := '^<(?:/?[0-9a-z_:.-]*| */? *)$'; -- later text could complete it
    line CONSTANT text := btrim(regexp_replace(document, '[' || annals_internal.whitespace_characters() || ']+', ' ', 'g'));
    pieces text[]; -- each but perhaps the first starts with a bracket
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
COMMENT ON FUNCTION annals_internal.context_line(text) IS 'Returns a text as one safe line of a context.';

CREATE FUNCTION annals_internal.context_date(at timestamptz) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    clock CONSTANT timestamp := at AT TIME ZONE 'UTC';
BEGIN
    RETURN to_char(clock, CASE WHEN clock::time = '00:00' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM-DD HH24:MI' END);
END
$$;
COMMENT ON FUNCTION annals_internal.context_date(timestamptz) IS 'Formats a time for a context: in UTC, without the clock at midnight.';

-- Returns a name that cannot be read as a note, or as a name with a text after it.
-- Invisible characters count as spaces. The package internal/fence does the same; a test
-- compares them.
CREATE FUNCTION annals_internal.plain_name(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(regexp_replace(
    translate(name, '(（﹙⁽₍❨❪⦅⟮⸨)）﹚⁾₎❩❫⦆⟯⸩', '‹‹‹‹‹‹‹‹‹‹››››››››››'),
    E'[:꞉∶]+([ \u00ad\u200b-\u200f\u2060-\u2064\ufeff]|$)|[：﹕]', ' -\1', 'g'), ' -$', '');
COMMENT ON FUNCTION annals_internal.plain_name(text) IS 'Returns a name that may safely begin a line of a context.';

-- Replaces the brackets of anything in a text that looks like a note.
CREATE FUNCTION annals_internal.without_notes(document text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(document, '[(（﹙⁽₍❨❪⦅⟮⸨]\s*((?:known|said|planned|was planned|until|since|from|in part|taken back|called off|disputed|corrected|some time|at an unknown|'
    'no longer|pinned|again|date range|by|on|in)\y[^(（﹙⁽₍❨❪⦅⟮⸨)）﹚⁾₎❩❫⦆⟯⸩\n]*|[^(（﹙⁽₍❨❪⦅⟮⸨)）﹚⁾₎❩❫⦆⟯⸩\n]*\ysays otherwise\y[^(（﹙⁽₍❨❪⦅⟮⸨)）﹚⁾₎❩❫⦆⟯⸩\n]*)[)）﹚⁾₎❩❫⦆⟯⸩]', '‹\1›', 'gi');
COMMENT ON FUNCTION annals_internal.without_notes(text) IS 'Replaces the brackets of anything in a text that looks like a note.';

-- Returns a text that may begin a line: parentheses before its first letter are
-- replaced.
CREATE FUNCTION annals_internal.without_leading_note(document text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    before CONSTANT text := substring(document COLLATE "und-x-icu" FROM '^[^[:alnum:]]*');
BEGIN
    RETURN translate(before, '(（﹙⁽₍❨❪⦅⟮⸨)）﹚⁾₎❩❫⦆⟯⸩', '‹‹‹‹‹‹‹‹‹‹››››››››››') || substr(document, 1 + length(before));
END
$$;
COMMENT ON FUNCTION annals_internal.without_leading_note(text) IS 'Returns a text that cannot be read as beginning with a note.';

CREATE FUNCTION annals_internal.begins_like_turn(document text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN document ~ E'^[^.!?\n]{1,60}([:꞉∶]+([ \u00ad\u200b-\u200f\u2060-\u2064\ufeff]|$)|[：﹕])';
COMMENT ON FUNCTION annals_internal.begins_like_turn(text) IS 'Tells whether a text begins like a speaker''s turn: a name and a colon.';

-- Returns a text that may stand in a note: it cannot end the note or begin
-- another.
CREATE FUNCTION annals_internal.note_text(document text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN replace(annals_internal.plain_name(annals_internal.context_line(document)), ';', ',');
COMMENT ON FUNCTION annals_internal.note_text(text) IS 'Returns a text that may safely stand in a note of a context.';

-- Returns who tells each fact, in the words of notes, and when: by the highest
-- authority, and then the latest. own marks what people say about themselves.
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
COMMENT ON FUNCTION annals_internal.fact_sources(text, uuid[], timestamptz) IS 'Returns who tells each fact, in the words of notes, and when they last did.';

-- Lists the disputes of facts: the fact of lower and of higher authority, who tells
-- each, and whether the lower is a record of a later day than the higher.
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
COMMENT ON FUNCTION annals_internal.contradictions_of(text, uuid[], timestamptz, timestamptz) IS 'Lists the disputes of facts, and who tells each side.';

-- Returns until when facts held, if they ended, and who says otherwise, if they are
-- contradicted, as read at a time. A state that holds again has not ended. The library
-- names more (retrieval/changed.go).
CREATE FUNCTION annals_internal.fact_outcomes(group_id text, ids uuid[], reading timestamptz, known_at timestamptz)
RETURNS TABLE (id uuid, subject text, ended text, disputed text)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH contradiction AS MATERIALIZED (
        SELECT c.* FROM annals_internal.contradictions_of($1, ids, reading, known_at) c
    ), pair AS MATERIALIZED (
        SELECT c.lower_id AS id, c.higher_id AS other, c.higher_who AS who, c.higher_as AS told_as, c.higher_said AS said_at FROM contradiction c
        UNION ALL
        SELECT c.higher_id, c.lower_id, c.lower_who, c.lower_as, c.lower_said FROM contradiction c WHERE c.later
    ), fact AS MATERIALIZED (
        SELECT f.* FROM annals_internal.believed_facts_of($1, ids || ARRAY(
            SELECT p.other FROM pair p
            UNION
            SELECT b.bounded_by FROM annals.facts b WHERE b.group_id = $1 AND b.id = ANY (ids) AND b.bounded_by IS NOT NULL
        ), known_at) f
        WHERE f.id = ANY (ids) OR f.trust <> 'candidate'
    )
    SELECT f.id, annals_internal.note_text(f.target), CASE WHEN f.kind = 'state' AND upper(f.valid) <= reading AND NOT EXISTS (
            SELECT FROM annals.facts a
            WHERE a.group_id = $1 AND a.source_id = f.source_id AND a.predicate = f.predicate AND a.target_id = f.target_id
                AND a.kind = 'state' AND a.trust = 'believed' AND a.valid @> reading AND (known_at IS NULL OR a.recorded @> known_at)
        ) THEN coalesce(substring(w.words FROM 'until .*$'), w.words) || coalesce(', now ' || annals_internal.note_text(n.target), '') END,
        CASE WHEN f.trust = 'disputed' OR a.words IS NOT NULL THEN coalesce(a.words, 'disputed') END
    FROM fact f
    CROSS JOIN LATERAL (
        SELECT annals.when_known(f.kind, f.valid, f.from_basis, f.from_precision, f.until_basis, f.until_precision, reading) AS words
    ) w
    LEFT JOIN fact n ON n.id = f.bounded_by AND n.source_id = f.source_id AND n.predicate = f.predicate
        AND n.kind = 'state' AND n.trust = 'believed' AND n.valid @> reading
    LEFT JOIN LATERAL (
        SELECT string_agg(DISTINCT format('%s%s says otherwise: %s', annals_internal.note_text(p.who),
            CASE p.told_as WHEN 'document' THEN ' of ' || to_char(p.said_at AT TIME ZONE 'UTC', 'FMDD FMMonth YYYY') ELSE '' END,
            annals_internal.note_text(CASE WHEN o.source_id = f.source_id THEN o.target ELSE rtrim(o.told, '.!? ') END)), '; ') AS words
        FROM pair p JOIN fact o ON o.id = p.other
        WHERE p.id = f.id AND (o.trust = 'disputed' OR f.trust = 'disputed') -- at known_at
    ) a ON true
    WHERE f.id = ANY (ids);
END
$$;
COMMENT ON FUNCTION annals_internal.fact_outcomes(text, uuid[], timestamptz, timestamptz)
    IS 'Returns until when facts held, if they ended, and who says otherwise, if they are contradicted.';

-- Returns notes on statements of episodes that were taken back, have ended or are
-- disputed: three at most per episode, and the number of others.
CREATE FUNCTION annals_internal.episode_notes(group_id text, ids uuid[], reading timestamptz, known_at timestamptz) RETURNS TABLE (id uuid, note text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH stated AS MATERIALIZED (
        SELECT c.episode_id, c.fact_id FROM annals.fact_episodes c WHERE c.group_id = $1 AND c.episode_id = ANY (ids) AND c.role = 'states'
    ), change AS (
        SELECT w.episode_id, format('%s: %s', annals_internal.note_text(coalesce(t.name, rtrim(w.fact, '.!? '))),
            CASE WHEN NOT w.taken_back THEN 'no longer believed' WHEN lower(w.valid) > w.said_at THEN 'called off' ELSE 'taken back' END
                || coalesce(', corrected: ' || o.correction, '')) AS note
        FROM annals.withdrawn_statements($1, ids, known_at) w
        LEFT JOIN annals.entities t ON t.group_id = $1 AND t.id = w.target_id
        LEFT JOIN LATERAL ( -- what the episode that took it back says: another end or time
            SELECT CASE WHEN i.target_id = w.target_id
                THEN annals.when_known(i.kind, i.valid, i.from_basis, i.from_precision, i.until_basis, i.until_precision, reading)
                ELSE annals_internal.note_text(i.target) END AS correction
            FROM annals_internal.believed_facts_of($1, ARRAY(SELECT c.fact_id FROM annals.fact_episodes c
                WHERE c.group_id = $1 AND c.episode_id = w.taken_back_by AND c.role = 'states'), known_at) i
            WHERE i.source_id = w.source_id AND i.predicate = w.predicate AND i.trust <> 'candidate'
            ORDER BY lower(i.valid) DESC NULLS LAST, i.id DESC
            LIMIT 1
        ) o ON w.taken_back
        UNION
        SELECT s.episode_id, format('%s: %s', b.subject, concat_ws('; ', b.ended, b.disputed))
        FROM annals_internal.fact_outcomes($1, ARRAY(SELECT s.fact_id FROM stated s), reading, known_at) b
        JOIN stated s ON s.fact_id = b.id
        WHERE b.ended IS NOT NULL OR b.disputed IS NOT NULL
    ), numbered AS (
        SELECT c.*, row_number() OVER (PARTITION BY c.episode_id ORDER BY c.note) AS place FROM change c
    )
    SELECT n.episode_id, string_agg(n.note, '; ' ORDER BY n.place) FILTER (WHERE n.place <= 3)
        || CASE WHEN count(*) > 3 THEN format('; %s more no longer so', count(*) - 3) ELSE '' END
    FROM numbered n
    GROUP BY n.episode_id;
END
$$;
COMMENT ON FUNCTION annals_internal.episode_notes(text, uuid[], timestamptz, timestamptz) IS 'Returns notes on statements of episodes that no longer hold.';

-- Returns sentences and names in summaries that do not hold at a time. It reads the newest facts of
-- each entity, from which summaries are made, and facts of the same statements. States do not hold
-- if they are over, not begun, only disputed, or contradicted by a later record. Names are targets
-- of the entity's facts, unless a sentence that holds has them.
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
COMMENT ON FUNCTION annals.statements_not_valid(text, uuid[], timestamptz) IS 'Returns the sentences and names that summaries of entities may still contain although they do not hold at a time.';

-- Returns summaries of entities without the sentences that do not hold at a time.
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
COMMENT ON FUNCTION annals.summaries_now(text, uuid[], timestamptz) IS 'Returns the summaries of entities that have outdated statements, without the sentences that contain these.';

-- Begins a line with a note in parentheses if the line would mislead without one, as the
-- library does (retrieval/construct_notes.go). For a past valid_at it leaves out later
-- episodes, and entities and communities, whose summaries tell the present.
CREATE FUNCTION annals.context(
    group_id text, query text, kinds text[] DEFAULT '{}', valid_at timestamptz DEFAULT NULL,
    known_at timestamptz DEFAULT NULL, filter jsonb DEFAULT '{}', max_rows integer DEFAULT 10, query_vector vector DEFAULT NULL,
    model text DEFAULT NULL, include_ended boolean DEFAULT false
) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off
SET max_parallel_workers_per_gather = 0 AS $$
#variable_conflict use_column
DECLARE
    past CONSTANT boolean := coalesce(valid_at < now(), false);
    reading CONSTANT timestamptz := coalesce(valid_at, now());
    said_by CONSTANT jsonb := jsonb_build_array(jsonb_build_object('op', 'lte', 'at', valid_at));
    wanted text[] := kinds;
    said jsonb := filter; -- filter of episodes
    found text;
BEGIN
    PERFORM annals_internal.check_search($1, kinds, valid_at, known_at, max_rows);
    IF past THEN
        wanted := CASE WHEN cardinality(kinds) > 0 THEN kinds WHEN filter->>'trust' = 'disputed' THEN '{fact}' ELSE '{fact,episode}' END;
        IF jsonb_typeof(coalesce(filter->'occurred', '[]')) = 'array' THEN -- else the search refuses it
            said := coalesce(filter, '{}') || jsonb_build_object('occurred', coalesce(
                (SELECT jsonb_agg(t.tests || said_by) FROM jsonb_array_elements(filter->'occurred') AS t(tests)), jsonb_build_array(said_by)));
        END IF;
    END IF;
    WITH hit AS MATERIALIZED (
        SELECT s.* FROM annals.search($1, query, CASE WHEN past THEN '{fact}' ELSE kinds END, valid_at, known_at, filter, max_rows, query_vector, $9, include_ended) s
        WHERE NOT past OR 'fact' = ANY (wanted)
        UNION ALL
        SELECT s.* FROM annals.search($1, query, '{episode}', valid_at, known_at, said, max_rows, query_vector, $9, include_ended) s
        WHERE past AND 'episode' = ANY (wanted)
    ), fact AS MATERIALIZED ( -- each sentence once per time; of an event and a state, the state
        SELECT DISTINCT ON (h.content, h.details->>'when') h.id, h.rank, h.content, h.details->>'when' AS when_known
        FROM hit h
        WHERE h.kind = 'fact' AND (h.details->>'kind' = 'state' OR NOT EXISTS (
            SELECT FROM hit s WHERE s.kind = 'fact' AND s.content = h.content AND s.details->>'kind' = 'state'))
        ORDER BY h.content, h.details->>'when', h.rank
    ), beside AS MATERIALIZED ( -- other facts of the same sentence
        SELECT f.id, o.id AS other
        FROM fact f
        JOIN annals.facts g ON g.group_id = $1 AND g.id = f.id
        JOIN annals.facts o ON o.group_id = $1 AND o.statement_id = g.statement_id AND o.id <> g.id AND o.fact = g.fact AND o.trust <> 'candidate'
    ), became AS MATERIALIZED (
        SELECT b.* FROM annals_internal.fact_outcomes($1, ARRAY(SELECT f.id FROM fact f UNION SELECT o.other FROM beside o), reading, known_at) b
        WHERE b.ended IS NOT NULL OR b.disputed IS NOT NULL
    ), line AS ( -- disputed facts come last
        SELECT 'fact' AS kind, f.rank + CASE WHEN EXISTS (SELECT FROM became b WHERE b.id = f.id AND b.disputed IS NOT NULL) THEN 1000000 ELSE 0 END AS rank, format('(%s) %s', concat_ws('; ', f.when_known, (SELECT b.disputed FROM became b WHERE b.id = f.id AND b.disputed <> 'disputed'), (
                SELECT string_agg(DISTINCT format('%s: %s', b.subject, concat_ws('; ', b.ended, b.disputed)), '; ')
                FROM beside o JOIN became b ON b.id = o.other
                WHERE o.id = f.id
            )), annals_internal.without_leading_note(annals_internal.without_notes(annals_internal.context_line(f.content)))) AS line
        FROM fact f
        UNION ALL
        SELECT h.kind, h.rank, CASE h.kind WHEN 'episode' THEN format('(%s) ', concat_ws('; ', annals_internal.context_date(h.occurred_at),
                CASE WHEN h.name = '' AND h.details->>'source' <> 'message' AND annals_internal.begins_like_turn(t.text) THEN 'no speaker' END, n.note)) ELSE '' END
            || concat_ws(': ', nullif(annals_internal.plain_name(annals_internal.context_line(h.name)), ''),
                nullif(CASE WHEN h.name = '' THEN annals_internal.without_leading_note(t.text) ELSE t.text END, ''))
        FROM hit h
        LEFT JOIN annals_internal.episode_notes($1, ARRAY(SELECT e.id FROM hit e WHERE e.kind = 'episode'), reading, known_at) n ON n.id = h.id
        LEFT JOIN annals.summaries_now($1, ARRAY(SELECT e.id FROM hit e WHERE e.kind = 'entity' AND known_at IS NULL), reading) s ON s.id = h.id
        CROSS JOIN LATERAL (SELECT annals_internal.without_notes(annals_internal.context_line(coalesce(s.summary, h.content))) AS text) t
        WHERE h.kind <> 'fact'
    )
    SELECT string_agg(format(E'<%1$s>\n%2$s</%1$s>\n', t.tag, t.lines), '' ORDER BY t.place)
    INTO found
    FROM (
        SELECT s.tag, s.place, string_agg('- ' || l.line || E'\n', '' ORDER BY l.rank) AS lines
        FROM (VALUES ('fact', 'FACTS', 1), ('entity', 'ENTITIES', 2), ('community', 'COMMUNITIES', 3), ('episode', 'EPISODES', 4)) AS s(kind, tag, place)
        JOIN line l ON l.kind = s.kind
        GROUP BY s.tag, s.place
    ) t;
    RETURN coalesce(E'What is known; (…) first in a line says when it holds.\n' || found, E'Nothing is known about this.\n');
END
$$;
COMMENT ON FUNCTION annals.context(text, text, text[], timestamptz, timestamptz, jsonb, integer, vector, text, boolean)
    IS 'Returns the results of annals.search as a string for a model''s prompt.';

CALL annals_internal.end_migration(9, 'sql_search');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals.context, annals.summaries_now, annals.statements_not_valid, annals_internal.episode_notes, annals_internal.fact_outcomes, annals_internal.contradictions_of,
    annals_internal.fact_sources, annals_internal.note_text, annals_internal.begins_like_turn, annals_internal.without_leading_note, annals_internal.without_notes, annals_internal.plain_name,
    annals_internal.context_date, annals_internal.context_line, annals_internal.ascii_lookalike, annals.search, annals_internal.describe_hits, annals_internal.search_kind,
    annals_internal.facts_between, annals_internal.nearest_rows, annals_internal.rows_passing, annals_internal.vector_dimensions, annals_internal.to_stored_vector, annals_internal.vector_model,
    annals_internal.believed_facts_of, annals.when_known, annals_internal.moment_name, annals_internal.whitespace_characters;
DELETE FROM annals.migrations WHERE version = 9;
