-- What search reads: the words of rows as postings for Okapi BM25 and their
-- statistics, filters, and walks along the graph.
--
-- +goose Up
-- +goose StatementBegin

CALL annals.begin_migration(3);

-- A text as it is taken apart into words. Of a run of letters of such scripts
-- every two neighbours become a word, in their order, so that phrases hold; a
-- letter that stands alone is one by itself. With singles, each letter is put
-- behind as well: what is searched for may be a single one, what is found
-- seldom is. Korean has spaces, and stays.
--
-- Letters with their accents beside them become one, for dictionaries that
-- take accents off. A tsvector holds 1 MiB at the most: a text is read up to
-- 100,000 characters, with such scripts up to 40,000.
CREATE FUNCTION annals.segmented(document text, singles boolean DEFAULT false) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    letters CONSTANT text := '\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f'
        '\u1780-\u17d3\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f'
        '\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff';
BEGIN
    IF octet_length(document) = length(document) OR document !~ ('[\u0300-\u036f' || letters || ']') THEN -- most are ASCII
        RETURN left(document, 100000);
    END IF;
    document := normalize(document, NFKC);
    IF document !~ ('[' || letters || ']') THEN
        RETURN left(document, 100000);
    END IF;
    RETURN (
        WITH letter AS MATERIALIZED (
            SELECT l.letter, l.place, l.letter ~ ('[' || letters || ']') AS unspaced
            FROM string_to_table(left(document, 40000), NULL) WITH ORDINALITY AS l(letter, place)
        ), neighbour AS (
            SELECT l.*, lead(l.letter) OVER w AS next, coalesce(lead(l.unspaced) OVER w, false) AS goes_on,
                coalesce(lag(l.unspaced) OVER w, false) AS began
            FROM letter l
            WINDOW w AS (ORDER BY l.place)
        )
        SELECT string_agg(CASE
                WHEN NOT n.unspaced THEN n.letter
                WHEN n.goes_on THEN ' ' || n.letter || n.next
                WHEN n.began THEN ' '
                ELSE ' ' || n.letter || ' '
            END, '' ORDER BY n.place)
            || coalesce(' ' || string_agg(DISTINCT n.letter, ' ') FILTER (WHERE singles AND n.unspaced AND (n.began OR n.goes_on)), '')
        FROM neighbour n
    );
END
$$;
COMMENT ON FUNCTION annals.segmented(text, boolean) IS
    'A text as it is taken apart into words: of scripts without spaces, every two neighbouring letters.';

-- A version that comes without its terms, from an import, gets them.
CREATE FUNCTION annals.set_terms() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    config regconfig;
    document text;
BEGIN
    CASE TG_ARGV[0]
        WHEN 'episode' THEN document := concat_ws(' ', NEW.actor, NEW.name, NEW.content);
        WHEN 'entity' THEN document := concat_ws(' ', NEW.name, array_to_string(NEW.aliases, ' '), NEW.summary);
        WHEN 'fact' THEN document := concat_ws(' ', NEW.fact, translate(lower(NEW.predicate), '_', ' '));
        WHEN 'community' THEN document := concat_ws(' ', NEW.name, NEW.summary);
    END CASE;
    SELECT text_search INTO config FROM annals.groups WHERE group_id = NEW.group_id;
    NEW.terms := to_tsvector(coalesce(config, 'annals.english'), annals.segmented(document, true));
    NEW.length := coalesce((SELECT sum(cardinality(t.positions)) FROM unnest(NEW.terms) AS t), 0);
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals.set_terms() IS 'Trigger: reads the words of a row.';

CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF actor, name, content ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals.set_terms('episode');
CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF name, aliases, summary ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals.set_terms('entity');
CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF fact, predicate ON annals.facts
    FOR EACH ROW EXECUTE FUNCTION annals.set_terms('fact');
CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF name, summary ON annals.communities
    FOR EACH ROW EXECUTE FUNCTION annals.set_terms('community');
CREATE TRIGGER terms BEFORE INSERT ON annals.entities_history
    FOR EACH ROW WHEN (NEW.terms = '') EXECUTE FUNCTION annals.set_terms('entity');
CREATE TRIGGER terms BEFORE INSERT ON annals.facts_history
    FOR EACH ROW WHEN (NEW.terms = '') EXECUTE FUNCTION annals.set_terms('fact');
CREATE TRIGGER terms BEFORE INSERT ON annals.communities_history
    FOR EACH ROW WHEN (NEW.terms = '') EXECUTE FUNCTION annals.set_terms('community');

-- One row per term of a document. tf is how often the term occurs in it,
-- length how many terms the document has. Kept by trigger, without a foreign
-- key: a second index would double the cost of writing.
-- The kind is a text: under row-level security an index serves only conditions
-- whose operators give nothing away about the rows they look at. Equality of
-- texts is such an operator, equality of enumerations is not.
CREATE TABLE annals.postings (
    group_id text NOT NULL,
    kind text COLLATE "C" NOT NULL CONSTRAINT postings_kind CHECK (kind IN ('episode', 'entity', 'fact', 'community')),
    term text COLLATE "C" NOT NULL,
    document_id uuid NOT NULL,
    tf integer NOT NULL,
    length integer NOT NULL,
    PRIMARY KEY (group_id, kind, term, document_id) INCLUDE (tf, length)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
COMMENT ON TABLE annals.postings IS 'One row per term of a document, from which Okapi BM25 ranks. Kept by trigger.';
COMMENT ON COLUMN annals.postings.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.postings.kind IS 'What sort of row it is of: episode, entity, fact or community.';
COMMENT ON COLUMN annals.postings.term IS 'The word, stemmed.';
COMMENT ON COLUMN annals.postings.document_id IS 'The row that holds the term.';
COMMENT ON COLUMN annals.postings.tf IS 'How often it holds the term.';
COMMENT ON COLUMN annals.postings.length IS 'How many terms the row has.';

CREATE FUNCTION annals.add_postings() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO annals.postings (group_id, kind, term, document_id, tf, length)
    SELECT n.group_id, TG_ARGV[0], t.lexeme, n.id, cardinality(t.positions), n.length
    FROM new_rows n, unnest(n.terms) AS t;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals.add_postings() IS 'Trigger: writes the postings of new rows.';

-- Row by row: the planner knows nothing of how many rows a transition table
-- has, and would read all postings to find a few.
CREATE FUNCTION annals.replace_postings() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM annals.postings
    WHERE group_id = OLD.group_id AND kind = TG_ARGV[0] AND term = ANY (tsvector_to_array(OLD.terms))
        AND document_id = OLD.id;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO annals.postings (group_id, kind, term, document_id, tf, length)
        SELECT NEW.group_id, TG_ARGV[0], t.lexeme, NEW.id, cardinality(t.positions), NEW.length
        FROM unnest(NEW.terms) AS t;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals.replace_postings() IS 'Trigger: replaces the postings of a row that is changed or removed.';

CREATE TRIGGER postings_insert AFTER INSERT ON annals.episodes
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.add_postings('episode');
CREATE TRIGGER postings_update AFTER UPDATE ON annals.episodes
    FOR EACH ROW WHEN (OLD.terms IS DISTINCT FROM NEW.terms) EXECUTE FUNCTION annals.replace_postings('episode');
CREATE TRIGGER postings_delete AFTER DELETE ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals.replace_postings('episode');
CREATE TRIGGER postings_insert AFTER INSERT ON annals.entities
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.add_postings('entity');
CREATE TRIGGER postings_update AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN (OLD.terms IS DISTINCT FROM NEW.terms) EXECUTE FUNCTION annals.replace_postings('entity');
CREATE TRIGGER postings_delete AFTER DELETE ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals.replace_postings('entity');
CREATE TRIGGER postings_insert AFTER INSERT ON annals.facts
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.add_postings('fact');
CREATE TRIGGER postings_update AFTER UPDATE ON annals.facts
    FOR EACH ROW WHEN (OLD.terms IS DISTINCT FROM NEW.terms) EXECUTE FUNCTION annals.replace_postings('fact');
CREATE TRIGGER postings_delete AFTER DELETE ON annals.facts
    FOR EACH ROW EXECUTE FUNCTION annals.replace_postings('fact');
CREATE TRIGGER postings_insert AFTER INSERT ON annals.communities
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.add_postings('community');
CREATE TRIGGER postings_update AFTER UPDATE ON annals.communities
    FOR EACH ROW WHEN (OLD.terms IS DISTINCT FROM NEW.terms) EXECUTE FUNCTION annals.replace_postings('community');
CREATE TRIGGER postings_delete AFTER DELETE ON annals.communities
    FOR EACH ROW EXECUTE FUNCTION annals.replace_postings('community');

-- How many documents a group has of each kind, and their terms in all.
-- Refreshed as episodes are processed; ranking bears it being a little old.
CREATE TABLE annals.search_statistics (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    kind annals.kind NOT NULL,
    documents bigint NOT NULL,
    terms bigint NOT NULL,
    refreshed_at timestamptz NOT NULL DEFAULT now(),
    counted bigint NOT NULL DEFAULT 0, -- documents there were when the frequent terms were counted
    PRIMARY KEY (group_id, kind)
);
COMMENT ON TABLE annals.search_statistics IS 'How many documents a group has of each kind, and their terms in all. Refreshed as episodes are processed.';
COMMENT ON COLUMN annals.search_statistics.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.search_statistics.kind IS 'What sort of row it is of: episode, entity, fact or community.';
COMMENT ON COLUMN annals.search_statistics.documents IS 'How many rows.';
COMMENT ON COLUMN annals.search_statistics.terms IS 'Their terms, added up.';
COMMENT ON COLUMN annals.search_statistics.refreshed_at IS 'When they were counted.';
COMMENT ON COLUMN annals.search_statistics.counted IS 'How many rows there were when frequent terms were counted.';

-- How many documents hold a term, for terms so frequent that counting them at
-- every search would cost more than they tell. Refreshed with the statistics.
CREATE TABLE annals.frequent_terms (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL CONSTRAINT frequent_terms_kind CHECK (kind IN ('episode', 'entity', 'fact', 'community')),
    term text COLLATE "C" NOT NULL,
    documents bigint NOT NULL,
    PRIMARY KEY (group_id, kind, term)
);
COMMENT ON TABLE annals.frequent_terms IS 'Terms that thousands of documents of a group hold.';
COMMENT ON COLUMN annals.frequent_terms.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.frequent_terms.kind IS 'What sort of row it is of: episode, entity, fact or community.';
COMMENT ON COLUMN annals.frequent_terms.term IS 'The word, stemmed.';
COMMENT ON COLUMN annals.frequent_terms.documents IS 'How many hold it.';

-- The texts of a JSON list; NULL where there is none.
CREATE FUNCTION annals.texts(list jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE
RETURN CASE WHEN list IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(list)) END;
COMMENT ON FUNCTION annals.texts(jsonb) IS 'The texts of a JSON list.';

-- The times that pass a condition: a list of alternatives, each a list of tests
-- that must all hold, {"op": "gt", "at": "2024-01-01T00:00:00Z"}. NULL: any.
CREATE FUNCTION annals.times_passing(condition jsonb) RETURNS tstzmultirange
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT CASE WHEN condition IS NOT NULL THEN coalesce(range_agg(passing.ranges), '{}') END
    FROM (
        SELECT (
            SELECT range_intersect_agg(CASE test->>'op'
                WHEN 'null' THEN '{}'
                WHEN 'not_null' THEN '{(,)}'
                WHEN 'eq' THEN tstzmultirange(tstzrange(moment.at, moment.at, '[]'))
                WHEN 'ne' THEN tstzmultirange(tstzrange(NULL, moment.at, '()'), tstzrange(moment.at, NULL, '()'))
                WHEN 'gt' THEN tstzmultirange(tstzrange(moment.at, NULL, '()'))
                WHEN 'gte' THEN tstzmultirange(tstzrange(moment.at, NULL, '[)'))
                WHEN 'lt' THEN tstzmultirange(tstzrange(NULL, moment.at, '()'))
                WHEN 'lte' THEN tstzmultirange(tstzrange(NULL, moment.at, '(]'))
            END)
            FROM jsonb_array_elements(alternative) AS test
            CROSS JOIN LATERAL (SELECT (test->>'at')::timestamptz AS at) AS moment
        ) AS ranges
        FROM jsonb_array_elements(condition) AS alternative
    ) AS passing;
END;
COMMENT ON FUNCTION annals.times_passing(jsonb) IS 'The times that pass a condition.';

-- Whether a condition lets pass what has no such time.
CREATE FUNCTION annals.none_passes(condition jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN condition IS NULL OR EXISTS (
    SELECT FROM jsonb_array_elements(condition) AS alternative
    WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(alternative) AS test WHERE test->>'op' <> 'null'));
COMMENT ON FUNCTION annals.none_passes(jsonb) IS 'Whether a condition lets pass what has no such time.';

-- A filter, taken apart. What is NULL narrows nothing. OFFSET 0 behind a call
-- has it taken apart once, and not for every row.
CREATE FUNCTION annals.filter_parts(filter jsonb) RETURNS TABLE (
    labels text[], excluded_labels text[], predicates text[], excluded_predicates text[], sources text[], threads text[],
    actors text[], roles text[], attributes jsonpath, attribute_values jsonb, metadata jsonpath, metadata_values jsonb,
    valid tstzmultirange, valid_none boolean, invalid tstzmultirange, invalid_none boolean, created tstzmultirange,
    expired tstzmultirange, expired_none boolean, occurred tstzmultirange, episodes boolean
)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT CASE WHEN filter ? 'labels' THEN annals.texts(filter->'labels') END,
        CASE WHEN filter ? 'excluded_labels' THEN annals.texts(filter->'excluded_labels') END,
        CASE WHEN filter ? 'predicates' THEN annals.texts(filter->'predicates') END,
        CASE WHEN filter ? 'excluded_predicates' THEN annals.texts(filter->'excluded_predicates') END,
        CASE WHEN filter ? 'sources' THEN annals.texts(filter->'sources') END,
        CASE WHEN filter ? 'threads' THEN annals.texts(filter->'threads') END,
        CASE WHEN filter ? 'actors' THEN annals.texts(filter->'actors') END,
        CASE WHEN filter ? 'roles' THEN annals.texts(filter->'roles') END,
        (filter->'attributes'->>'path')::jsonpath, filter->'attributes'->'values',
        (filter->'metadata'->>'path')::jsonpath, filter->'metadata'->'values',
        CASE WHEN filter ? 'valid' THEN annals.times_passing(filter->'valid') END,
        CASE WHEN filter ? 'valid' THEN annals.none_passes(filter->'valid') ELSE true END,
        CASE WHEN filter ? 'invalid' THEN annals.times_passing(filter->'invalid') END,
        CASE WHEN filter ? 'invalid' THEN annals.none_passes(filter->'invalid') ELSE true END,
        CASE WHEN filter ? 'created' THEN annals.times_passing(filter->'created') END,
        CASE WHEN filter ? 'expired' THEN annals.times_passing(filter->'expired') END,
        CASE WHEN filter ? 'expired' THEN annals.none_passes(filter->'expired') ELSE true END,
        CASE WHEN filter ? 'occurred' THEN annals.times_passing(filter->'occurred') END,
        coalesce((filter->>'episodes')::boolean, false);
END;
COMMENT ON FUNCTION annals.filter_parts(jsonb) IS 'A filter of a search, taken apart.';

-- Whether an episode meets the parts of a filter that are about episodes.
CREATE FUNCTION annals.episode_passes(
    episode annals.episodes, sources text[], threads text[], actors text[], roles text[], occurred tstzmultirange, metadata jsonpath,
    metadata_values jsonb
) RETURNS boolean
LANGUAGE sql STABLE
RETURN (sources IS NULL OR episode.source::text = ANY (sources))
    AND (threads IS NULL OR episode.thread_id = ANY (threads))
    AND (actors IS NULL OR episode.actor = ANY (actors))
    AND (roles IS NULL OR episode.role = ANY (roles))
    AND (occurred IS NULL OR episode.occurred_at <@ occurred)
    AND (episode_passes.metadata IS NULL OR coalesce(jsonb_path_match(episode.metadata, episode_passes.metadata, metadata_values, true), false));
COMMENT ON FUNCTION annals.episode_passes(annals.episodes, text[], text[], text[], text[], tstzmultirange, jsonpath, jsonb) IS
    'Whether an episode meets the parts of a filter that are about episodes.';

-- The episodes that a filter lets pass, those of threads by their index. With a
-- known_at in it, those that had been taken in by then.
CREATE FUNCTION annals.episodes_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter))
    SELECT e.id
    FROM p
    JOIN annals.episodes e ON e.group_id = episodes_matching.group_id
    WHERE p.threads IS NULL
        AND annals.episode_passes(e, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        AND (filter->>'known_at' IS NULL OR e.created_at <= (filter->>'known_at')::timestamptz)
    UNION ALL
    SELECT e.id
    FROM p
    CROSS JOIN LATERAL (SELECT DISTINCT u.id FROM unnest(p.threads) AS u(id)) t
    JOIN annals.episodes e ON e.group_id = episodes_matching.group_id AND e.thread_id = t.id
    WHERE annals.episode_passes(e, p.sources, NULL, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        AND (filter->>'known_at' IS NULL OR e.created_at <= (filter->>'known_at')::timestamptz);
END;
COMMENT ON FUNCTION annals.episodes_matching(text, jsonb) IS 'The episodes that a filter of a search lets pass.';

-- The entities that a filter lets pass, those that some episodes mention by their
-- index; with a known_at in it, in the version believed then. Conditions on episodes
-- hold for an entity that one of those episodes mentions.
CREATE FUNCTION annals.entities_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter)), told AS MATERIALIZED (
        SELECT s.id FROM annals.episodes_matching(entities_matching.group_id, filter) AS s(id) WHERE coalesce((filter->>'episodes')::boolean, false)
    ), said AS MATERIALIZED (
        SELECT DISTINCT m.entity_id FROM told s JOIN annals.mentions m ON m.group_id = entities_matching.group_id AND m.episode_id = s.id
    )
    SELECT e.id
    FROM p
    CROSS JOIN (
        SELECT c.id, c.labels, c.attributes, c.created_at FROM annals.entities c
        WHERE c.group_id = entities_matching.group_id AND NOT (SELECT episodes FROM p)
            AND (filter->>'known_at' IS NULL OR c.recorded @> (filter->>'known_at')::timestamptz)
        UNION ALL
        SELECT c.id, c.labels, c.attributes, c.created_at FROM said s JOIN annals.entities c ON c.group_id = entities_matching.group_id AND c.id = s.entity_id
        WHERE filter->>'known_at' IS NULL OR c.recorded @> (filter->>'known_at')::timestamptz
        UNION ALL
        SELECT h.id, h.labels, h.attributes, h.created_at FROM annals.entities_history h
        WHERE filter->>'known_at' IS NOT NULL AND h.group_id = entities_matching.group_id AND h.recorded @> (filter->>'known_at')::timestamptz
            AND (NOT (SELECT episodes FROM p) OR h.id IN (SELECT entity_id FROM said) OR h.evidence && ARRAY(SELECT id FROM told))
    ) e
    WHERE (p.labels IS NULL OR e.labels && p.labels)
        AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(e.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.created IS NULL OR e.created_at <@ p.created);
END;
COMMENT ON FUNCTION annals.entities_matching(text, jsonb) IS 'The entities that a filter of a search lets pass.';

-- The facts that a filter lets pass, those that some episodes state by their index,
-- in the version believed at known_at, or now where that is NULL. Labels are those
-- of both ends, at that time; conditions on episodes hold for a fact that one of
-- those episodes states.
CREATE FUNCTION annals.facts_matching(
    group_id text, filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean
) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter)), told AS MATERIALIZED (
        SELECT s.id FROM annals.episodes_matching(facts_matching.group_id, filter) AS s(id) WHERE coalesce((filter->>'episodes')::boolean, false)
    ), said AS MATERIALIZED (
        SELECT DISTINCT s.fact_id FROM told e
        JOIN annals.fact_episodes s ON s.group_id = facts_matching.group_id AND s.episode_id = e.id AND s.role = 'states'
    ), labelled AS MATERIALIZED (
        SELECT e.id FROM p
        JOIN annals.entity_versions e ON e.group_id = facts_matching.group_id AND e.recorded @> coalesce(known_at, 'infinity')
        WHERE (p.labels IS NOT NULL OR p.excluded_labels IS NOT NULL)
            AND (p.labels IS NULL OR e.labels && p.labels)
            AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
    )
    SELECT f.id
    FROM p
    CROSS JOIN (
        SELECT c.id, c.source_id, c.target_id, c.predicate, c.attributes, c.valid, c.created_at, c.expired_at
        FROM annals.facts c
        WHERE c.group_id = facts_matching.group_id AND NOT (SELECT episodes FROM p) AND (known_at IS NULL OR c.recorded @> known_at)
        UNION ALL
        SELECT c.id, c.source_id, c.target_id, c.predicate, c.attributes, c.valid, c.created_at, c.expired_at
        FROM said s JOIN annals.facts c ON c.group_id = facts_matching.group_id AND c.id = s.fact_id
        WHERE known_at IS NULL OR c.recorded @> known_at
        UNION ALL
        SELECT h.id, h.source_id, h.target_id, h.predicate, h.attributes, h.valid, h.created_at, h.expired_at
        FROM annals.facts_history h
        WHERE h.group_id = facts_matching.group_id AND known_at IS NOT NULL AND h.recorded @> known_at
            AND (NOT (SELECT episodes FROM p) OR h.id IN (SELECT fact_id FROM said) OR h.evidence && ARRAY(SELECT id FROM told))
    ) f
    WHERE CASE
            WHEN valid_at IS NOT NULL THEN f.valid @> valid_at
            ELSE include_ended OR upper_inf(f.valid) OR upper(f.valid) > coalesce(known_at, now())
        END
        AND (p.predicates IS NULL OR f.predicate = ANY (p.predicates))
        AND (p.excluded_predicates IS NULL OR NOT f.predicate = ANY (p.excluded_predicates))
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(f.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.valid IS NULL OR lower(f.valid) <@ p.valid OR lower(f.valid) IS NULL AND p.valid_none)
        AND (p.invalid IS NULL OR upper(f.valid) <@ p.invalid OR upper(f.valid) IS NULL AND p.invalid_none)
        AND (p.created IS NULL OR f.created_at <@ p.created)
        AND (p.expired IS NULL OR f.expired_at <@ p.expired OR f.expired_at IS NULL AND p.expired_none)
        AND (p.labels IS NULL AND p.excluded_labels IS NULL
            OR f.source_id IN (SELECT id FROM labelled) AND f.target_id IN (SELECT id FROM labelled));
END;
COMMENT ON FUNCTION annals.facts_matching(text, jsonb, timestamptz, timestamptz, boolean) IS
    'The facts that a filter of a search lets pass.';

-- The rows of one kind that were believed at a time and that a filter lets pass.
CREATE FUNCTION annals.matching_known(
    group_id text, kind annals.kind, filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean
) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    CASE kind
        WHEN 'fact' THEN
            RETURN QUERY SELECT m.id FROM annals.facts_matching($1, $3, $4, $5, $6) AS m(id);
        WHEN 'entity' THEN
            RETURN QUERY SELECT m.id FROM annals.entities_matching($1, $3) AS m(id);
        WHEN 'episode' THEN
            RETURN QUERY SELECT m.id FROM annals.episodes_matching($1, $3) AS m(id);
        WHEN 'community' THEN
            RETURN QUERY SELECT m.id FROM annals.communities_at($1, $5) AS m;
    END CASE;
END
$$;
COMMENT ON FUNCTION annals.matching_known(text, annals.kind, jsonb, timestamptz, timestamptz, boolean) IS
    'The rows of one kind that were believed at a time and that a filter of a search lets pass.';

-- What the functions annals.*_matching tell of all rows of a group, these tell of
-- those with the given ids: of entities and facts as they are now.
CREATE FUNCTION annals.episodes_passing(group_id text, filter jsonb, ids uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter))
    SELECT e.id
    FROM p
    CROSS JOIN unnest(ids) AS i(id)
    JOIN annals.episodes e ON e.group_id = episodes_passing.group_id AND e.id = i.id
    WHERE annals.episode_passes(e, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        AND (filter->>'known_at' IS NULL OR e.created_at <= (filter->>'known_at')::timestamptz);
END;
COMMENT ON FUNCTION annals.episodes_passing(text, jsonb, uuid[]) IS
    'Those of some episodes that a filter of a search lets pass.';

-- Conditions on episodes hold for an entity that one of those episodes mentions.
CREATE FUNCTION annals.entities_passing(group_id text, filter jsonb, ids uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter))
    SELECT e.id
    FROM p
    CROSS JOIN unnest(ids) AS i(id)
    JOIN annals.entities e ON e.group_id = entities_passing.group_id AND e.id = i.id
    WHERE (p.labels IS NULL OR e.labels && p.labels)
        AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(e.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.created IS NULL OR e.created_at <@ p.created)
        AND (NOT p.episodes OR EXISTS (
            SELECT FROM annals.mentions m
            JOIN annals.episodes s ON s.group_id = entities_passing.group_id AND s.id = m.episode_id
            WHERE m.group_id = entities_passing.group_id AND m.entity_id = e.id
                AND annals.episode_passes(s, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        ));
END;
COMMENT ON FUNCTION annals.entities_passing(text, jsonb, uuid[]) IS
    'Those of some entities that a filter of a search lets pass.';

-- Labels are those of both ends; conditions on episodes hold for a fact that one
-- of those episodes states.
CREATE FUNCTION annals.facts_passing(
    group_id text, filter jsonb, valid_at timestamptz, include_ended boolean, ids uuid[]
) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter))
    SELECT f.id
    FROM p
    CROSS JOIN unnest(ids) AS i(id)
    JOIN annals.facts f ON f.group_id = facts_passing.group_id AND f.id = i.id
    WHERE CASE WHEN valid_at IS NOT NULL THEN f.valid @> valid_at ELSE include_ended OR upper_inf(f.valid) OR upper(f.valid) > now() END
        AND (p.predicates IS NULL OR f.predicate = ANY (p.predicates))
        AND (p.excluded_predicates IS NULL OR NOT f.predicate = ANY (p.excluded_predicates))
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(f.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.valid IS NULL OR lower(f.valid) <@ p.valid OR lower(f.valid) IS NULL AND p.valid_none)
        AND (p.invalid IS NULL OR upper(f.valid) <@ p.invalid OR upper(f.valid) IS NULL AND p.invalid_none)
        AND (p.created IS NULL OR f.created_at <@ p.created)
        AND (p.expired IS NULL OR f.expired_at <@ p.expired OR f.expired_at IS NULL AND p.expired_none)
        AND (p.labels IS NULL AND p.excluded_labels IS NULL OR NOT EXISTS (
            SELECT FROM unnest(ARRAY[f.source_id, f.target_id]) AS n(id)
            JOIN annals.entities e ON e.group_id = facts_passing.group_id AND e.id = n.id
            WHERE NOT e.labels && p.labels OR e.labels && p.excluded_labels
        ))
        AND (NOT p.episodes OR EXISTS (
            SELECT FROM annals.fact_episodes o
            JOIN annals.episodes s ON s.group_id = facts_passing.group_id AND s.id = o.episode_id
            WHERE o.group_id = facts_passing.group_id AND o.fact_id = f.id AND o.role = 'states'
                AND annals.episode_passes(s, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        ));
END;
COMMENT ON FUNCTION annals.facts_passing(text, jsonb, timestamptz, boolean, uuid[]) IS
    'Those of some facts that a filter of a search lets pass: of those that hold at a time, or have not ended, or all.';

-- The entities at the other ends of what some entities are told to be, of each by
-- its 50 newest facts in either direction that hold at a time.
CREATE FUNCTION annals.facing(group_id text, ids uuid[], at timestamptz) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT f.node
    FROM unnest(ids) AS o(id)
    CROSS JOIN LATERAL (
        (SELECT s.target_id AS node FROM annals.facts s
            WHERE s.group_id = facing.group_id AND s.source_id = o.id AND s.valid @> at ORDER BY s.id DESC LIMIT 50)
        UNION
        (SELECT t.source_id FROM annals.facts t
            WHERE t.group_id = facing.group_id AND t.target_id = o.id AND t.valid @> at ORDER BY t.id DESC LIMIT 50)
    ) f;
END;
COMMENT ON FUNCTION annals.facing(text, uuid[], timestamptz) IS 'The entities at the other ends of the facts of some.';

-- The entities within so many hops of the seeds, along facts in either
-- direction, with their distance. Facts are those that hold at valid_at (NULL:
-- now) as believed at known_at (NULL: now). Of a node's facts the 50 newest in
-- either direction are followed, and no more than max_rows entities are returned
-- (NULL: all), the nearest first, so that a hub costs no more than anybody else. The
-- last level is gone through only as far as it is to be told.
CREATE FUNCTION annals.neighborhood(
    group_id text, seed_ids uuid[], hops integer DEFAULT 2, valid_at timestamptz DEFAULT NULL, known_at timestamptz DEFAULT NULL,
    max_rows integer DEFAULT 1000
) RETURNS TABLE (entity_id uuid, distance integer)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    at timestamptz := coalesce(valid_at, now());
    most bigint := coalesce(max_rows, 2147483647);
    rows_walked bigint := most * (hops + 1);
BEGIN
    IF known_at IS NULL THEN
        RETURN QUERY
        WITH RECURSIVE level AS (
            SELECT 0 AS hop, s.ids AS met, s.ids AS reached
            FROM (
                SELECT ARRAY(SELECT e.id FROM annals.entities e WHERE e.group_id = $1 AND e.id IN (SELECT unnest(seed_ids))) AS ids
                OFFSET 0
            ) s
            UNION ALL
            SELECT l.hop + 1, n.met, l.reached || n.met
            FROM level l
            CROSS JOIN LATERAL (
                SELECT array_agg(DISTINCT m.node) AS met, count(*) AS ends
                FROM (
                    SELECT f.node FROM annals.facing($1, l.met, at) AS f(node)
                    WHERE NOT EXISTS (SELECT FROM unnest(l.reached) AS r(id) WHERE r.id = f.node)
                    LIMIT 4 * (most - cardinality(l.reached))
                ) m
            ) few
            CROSS JOIN LATERAL (
                SELECT CASE WHEN few.ends < 4 * (most - cardinality(l.reached)) OR cardinality(few.met) >= most - cardinality(l.reached)
                    THEN few.met
                    ELSE ARRAY( -- of all: the same were met again and again
                        SELECT DISTINCT f.node FROM annals.facing($1, l.met, at) AS f(node)
                        WHERE NOT EXISTS (SELECT FROM unnest(l.reached) AS r(id) WHERE r.id = f.node))
                    END AS met
                OFFSET 0
            ) n
            WHERE l.hop < hops AND cardinality(l.reached) < most AND few.met IS NOT NULL
        )
        SELECT m.id, l.hop FROM level l CROSS JOIN LATERAL unnest(l.met) AS m(id) ORDER BY 2, 1 LIMIT most;
    ELSE
        RETURN QUERY
        WITH RECURSIVE believed AS MATERIALIZED (
            SELECT f.source_id, f.target_id FROM annals.facts f
            WHERE f.group_id = $1 AND f.recorded @> known_at AND f.valid @> at
            UNION
            SELECT h.source_id, h.target_id FROM annals.facts_history h
            WHERE h.group_id = $1 AND h.recorded @> known_at AND h.valid @> at
        ), walk AS (
            SELECT DISTINCT s.id AS node, 0 AS hop FROM unnest(seed_ids) AS s(id)
            UNION
            SELECT CASE WHEN b.source_id = w.node THEN b.target_id ELSE b.source_id END, w.hop + 1
            FROM walk w JOIN believed b ON w.node IN (b.source_id, b.target_id)
            WHERE w.hop < hops
        ), seen AS (
            SELECT node, hop FROM walk LIMIT rows_walked
        )
        SELECT s.node, min(s.hop) FROM seen s GROUP BY s.node ORDER BY 2, 1 LIMIT most;
    END IF;
END
$$;
COMMENT ON FUNCTION annals.neighborhood(text, uuid[], integer, timestamptz, timestamptz, integer) IS
    'The entities within so many hops of the seeds, along the facts that hold at valid_at as believed at known_at, with their distance.';

CALL annals.end_migration(3, 'search');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals.neighborhood, annals.facing, annals.facts_passing, annals.entities_passing, annals.episodes_passing,
    annals.matching_known, annals.facts_matching, annals.entities_matching, annals.episodes_matching, annals.episode_passes,
    annals.filter_parts, annals.none_passes, annals.times_passing, annals.texts;
DROP TABLE annals.frequent_terms, annals.search_statistics;
DROP TRIGGER postings_delete ON annals.communities;
DROP TRIGGER postings_update ON annals.communities;
DROP TRIGGER postings_insert ON annals.communities;
DROP TRIGGER postings_delete ON annals.facts;
DROP TRIGGER postings_update ON annals.facts;
DROP TRIGGER postings_insert ON annals.facts;
DROP TRIGGER postings_delete ON annals.entities;
DROP TRIGGER postings_update ON annals.entities;
DROP TRIGGER postings_insert ON annals.entities;
DROP TRIGGER postings_delete ON annals.episodes;
DROP TRIGGER postings_update ON annals.episodes;
DROP TRIGGER postings_insert ON annals.episodes;
DROP FUNCTION annals.replace_postings, annals.add_postings;
DROP TABLE annals.postings;
DROP TRIGGER terms ON annals.communities_history;
DROP TRIGGER terms ON annals.facts_history;
DROP TRIGGER terms ON annals.entities_history;
DROP TRIGGER terms ON annals.communities;
DROP TRIGGER terms ON annals.facts;
DROP TRIGGER terms ON annals.entities;
DROP TRIGGER terms ON annals.episodes;
DROP FUNCTION annals.set_terms, annals.segmented;
DELETE FROM annals.migrations WHERE version = 3;
