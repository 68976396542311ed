-- What a search may be narrowed to, and how far one entity is from another.
--
-- +goose Up

-- Calls to rerankers are calls too.
ALTER TABLE annals.model_calls DROP CONSTRAINT model_calls_kind_check,
    ADD CHECK (kind IN ('chat', 'embedding', 'rerank'));

-- The texts of a JSON list; NULL where there is none.
-- +goose StatementBegin
CREATE FUNCTION annals.texts(list jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN list IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(list)) END
$$;

-- The times that pass a condition: a list of alternatives, each a list of tests
-- that must all hold, {"op": "gt", "at": "2024-01-01T00:00:00Z"}. NULL: any.
CREATE FUNCTION annals.times_passing(condition jsonb) RETURNS tstzmultirange
LANGUAGE sql STABLE AS $$
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
    ) AS passing
$$;

-- Whether a condition lets pass what has no such time.
CREATE FUNCTION annals.none_passes(condition jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT condition IS NULL OR EXISTS (
        SELECT FROM jsonb_array_elements(condition) AS alternative
        WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(alternative) AS test WHERE test->>'op' <> 'null'))
$$;

-- A filter, taken apart. What is NULL narrows nothing. OFFSET 0 behind a call
-- has it taken apart once, and not for every row.
CREATE FUNCTION annals.filter_parts(filter jsonb) RETURNS TABLE (
    labels text[], excluded_labels text[], predicates text[], excluded_predicates text[], sources text[], threads text[],
    actors text[], roles text[], attributes jsonpath, attribute_values jsonb, metadata jsonpath, metadata_values jsonb,
    valid tstzmultirange, valid_none boolean, invalid tstzmultirange, invalid_none boolean, created tstzmultirange,
    expired tstzmultirange, expired_none boolean, occurred tstzmultirange, episodes boolean
)
LANGUAGE sql STABLE AS $$
    SELECT annals.texts(filter->'labels'), annals.texts(filter->'excluded_labels'), annals.texts(filter->'predicates'),
        annals.texts(filter->'excluded_predicates'), annals.texts(filter->'sources'), annals.texts(filter->'threads'),
        annals.texts(filter->'actors'), annals.texts(filter->'roles'), (filter->'attributes'->>'path')::jsonpath,
        filter->'attributes'->'values', (filter->'metadata'->>'path')::jsonpath, filter->'metadata'->'values',
        annals.times_passing(filter->'valid'), annals.none_passes(filter->'valid'), annals.times_passing(filter->'invalid'),
        annals.none_passes(filter->'invalid'), annals.times_passing(filter->'created'), annals.times_passing(filter->'expired'),
        annals.none_passes(filter->'expired'), annals.times_passing(filter->'occurred'),
        coalesce((filter->>'episodes')::boolean, false)
$$;

-- The episodes that a filter lets pass.
CREATE FUNCTION annals.episodes_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    SELECT e.id
    FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
    JOIN annals.episodes e ON e.group_id = $1
    WHERE (p.sources IS NULL OR e.source::text = ANY (p.sources))
        AND (p.threads IS NULL OR e.thread_id = ANY (p.threads))
        AND (p.actors IS NULL OR e.actor = ANY (p.actors))
        AND (p.roles IS NULL OR e.role = ANY (p.roles))
        AND (p.occurred IS NULL OR e.occurred_at <@ p.occurred)
        AND (p.metadata IS NULL OR coalesce(jsonb_path_match(e.metadata, p.metadata, p.metadata_values, true), false))
$$;

-- The entities that a filter lets pass. Conditions on episodes hold for an
-- entity that one of those episodes mentions.
CREATE FUNCTION annals.entities_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH said AS MATERIALIZED (
        SELECT m.entity_id FROM annals.episodes_matching($1, filter) AS s(id)
        JOIN annals.mentions m ON m.group_id = $1 AND m.episode_id = s.id
        WHERE coalesce((filter->>'episodes')::boolean, false)
    )
    SELECT e.id
    FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
    JOIN annals.entities e ON e.group_id = $1
    WHERE (p.labels IS NULL OR e.labels && p.labels)
        AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(e.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.created IS NULL OR e.created_at <@ p.created)
        AND (NOT p.episodes OR e.id IN (SELECT entity_id FROM said))
$$;

-- The facts that a filter lets pass, in the version believed at known_at, or
-- now where that is NULL. Labels are those of both ends; conditions on
-- episodes hold for a fact that one of those episodes states.
CREATE FUNCTION annals.facts_matching(
    group_id text, filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean
) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH said AS MATERIALIZED (
        SELECT s.fact_id FROM annals.episodes_matching($1, filter) AS e(id)
        JOIN annals.fact_episodes s ON s.group_id = $1 AND s.episode_id = e.id AND s.role = 'states'
        WHERE coalesce((filter->>'episodes')::boolean, false)
    ), labelled AS MATERIALIZED (
        SELECT e.id FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p JOIN annals.entities e ON e.group_id = $1
        WHERE (p.labels IS NOT NULL OR p.excluded_labels IS NOT NULL)
            AND (p.labels IS NULL OR e.labels && p.labels)
            AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
    )
    SELECT f.id
    FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
    CROSS JOIN (
        SELECT c.id, c.source_id, c.target_id, c.predicate, c.attributes, c.valid, c.created_at, c.expired_at
        FROM annals.facts c
        WHERE c.group_id = $1 AND (known_at IS NULL OR c.recorded @> known_at)
        UNION ALL
        SELECT h.id, h.source_id, h.target_id, h.predicate, h.attributes, h.valid, h.created_at, h.expired_at
        FROM annals.facts_history h
        WHERE h.group_id = $1 AND known_at IS NOT NULL AND h.recorded @> known_at
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
            OR f.source_id IN (SELECT id FROM labelled) AND f.target_id IN (SELECT id FROM labelled))
        AND (NOT p.episodes OR f.id IN (SELECT fact_id FROM said))
$$;

-- The entities within so many hops of the seeds, along facts in either
-- direction, with their distance. Facts are those that hold at valid_at (NULL:
-- now) as believed at known_at (NULL: now). Of a node's facts the 50 newest are
-- followed, and no more than max_rows entities are returned, so that a hub
-- costs no more than anybody else.
CREATE FUNCTION annals.neighborhood(
    group_id text, seed_ids uuid[], hops integer DEFAULT 2, valid_at timestamptz DEFAULT NULL, known_at timestamptz DEFAULT NULL,
    max_rows integer DEFAULT 1000
) RETURNS TABLE (entity_id uuid, distance integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    at timestamptz := coalesce(valid_at, now());
    rows_walked integer := max_rows * (hops + 1);
BEGIN
    IF known_at IS NULL THEN
        RETURN QUERY
        WITH RECURSIVE walk AS (
            SELECT DISTINCT s.id AS node, 0 AS hop FROM unnest(seed_ids) AS s(id)
            UNION
            SELECT n.node, w.hop + 1
            FROM walk w
            CROSS JOIN LATERAL (
                (SELECT f.target_id AS node FROM annals.facts f
                    WHERE f.group_id = $1 AND f.source_id = w.node AND f.valid @> at ORDER BY f.id DESC LIMIT 50)
                UNION ALL
                (SELECT f.source_id FROM annals.facts f
                    WHERE f.group_id = $1 AND f.target_id = w.node AND f.valid @> at ORDER BY f.id DESC LIMIT 50)
            ) n
            WHERE w.hop < hops
        ), seen AS (
            SELECT node, hop FROM walk LIMIT rows_walked
        )
        SELECT e.id, min(s.hop)
        FROM seen s JOIN annals.entities e ON e.group_id = $1 AND e.id = s.node
        GROUP BY e.id
        ORDER BY 2, 1
        LIMIT max_rows;
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
        SELECT s.node, min(s.hop) FROM seen s GROUP BY s.node ORDER BY 2, 1 LIMIT max_rows;
    END IF;
END
$$;
-- +goose StatementEnd

-- How many documents hold a term, for terms so frequent that counting them at
-- every search would cost more than they tell. Refreshed with the statistics.
CREATE TABLE annals.frequent_terms (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    kind annals.kind NOT NULL,
    term text COLLATE "C" NOT NULL,
    documents bigint NOT NULL,
    PRIMARY KEY (group_id, kind, term)
);

-- Who speaks in a group, found by hopping from one to the next.
CREATE INDEX episodes_actor ON annals.episodes (group_id, actor);

-- How many documents there were when the frequent terms were counted.
ALTER TABLE annals.search_statistics ADD counted bigint NOT NULL DEFAULT 0;

-- +goose Down

ALTER TABLE annals.search_statistics DROP counted;
DROP INDEX annals.episodes_actor;
DROP TABLE annals.frequent_terms;
DROP FUNCTION annals.neighborhood(text, uuid[], integer, timestamptz, timestamptz, integer),
    annals.facts_matching(text, jsonb, timestamptz, timestamptz, boolean), annals.entities_matching(text, jsonb),
    annals.episodes_matching(text, jsonb), annals.filter_parts(jsonb), annals.none_passes(jsonb), annals.times_passing(jsonb),
    annals.texts(jsonb);
DELETE FROM annals.model_calls WHERE kind = 'rerank';
ALTER TABLE annals.model_calls DROP CONSTRAINT model_calls_kind_check, ADD CHECK (kind IN ('chat', 'embedding'));
