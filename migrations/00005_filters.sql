-- Filters of searches, and walks along the graph.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(5);

-- Converts a JSON list to an array of texts; NULL: no list.
CREATE FUNCTION annals_internal.json_texts(list jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE
RETURN CASE WHEN list IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(list)) END;
COMMENT ON FUNCTION annals_internal.json_texts(jsonb) IS 'Converts a JSON list to an array of texts; NULL: no list.';

-- Returns the times that satisfy a condition; NULL: no condition. It is a list of
-- alternatives, each a list of tests that must all hold, such as {"op": "gt",
-- "at": "2024-01-01T00:00:00Z"}.
CREATE FUNCTION annals_internal.times_matching(condition jsonb) RETURNS tstzmultirange
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
COMMENT ON FUNCTION annals_internal.times_matching(jsonb) IS 'Returns the times that satisfy a condition of a filter.';

-- Tells whether a condition accepts rows without the time that it tests.
CREATE FUNCTION annals_internal.passes_when_missing(condition jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN condition IS NULL OR EXISTS (
    SELECT FROM jsonb_array_elements(condition) AS alternative
    WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(alternative) AS test WHERE test->>'op' <> 'null'));
COMMENT ON FUNCTION annals_internal.passes_when_missing(jsonb) IS 'Tells whether a condition of a filter accepts rows without the time that it tests.';

-- A filter with unexpired rejects expired rows. Callers omit it if they know that
-- there are none.
--
-- Splits a filter into its conditions; NULL: no such condition. Callers
-- materialise the result, so that a filter is split once and not per row.
CREATE FUNCTION annals_internal.filter_parts(filter jsonb) RETURNS TABLE (
    labels text[], excluded_labels text[], predicates text[], excluded_predicates text[], sources text[], threads text[],
    actors text[], roles text[], attributes jsonpath, attribute_values jsonb, metadata jsonpath, metadata_values jsonb,
    valid tstzmultirange, valid_none boolean, invalid tstzmultirange, invalid_none boolean, created tstzmultirange,
    expired tstzmultirange, expired_none boolean, occurred tstzmultirange, told_by text[], trust text, episodes boolean
)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT CASE WHEN filter ? 'labels' THEN annals_internal.json_texts(filter->'labels') END,
        CASE WHEN filter ? 'excluded_labels' THEN annals_internal.json_texts(filter->'excluded_labels') END,
        CASE WHEN filter ? 'predicates' THEN annals_internal.json_texts(filter->'predicates') END,
        CASE WHEN filter ? 'excluded_predicates' THEN annals_internal.json_texts(filter->'excluded_predicates') END,
        CASE WHEN filter ? 'sources' THEN annals_internal.json_texts(filter->'sources') END,
        CASE WHEN filter ? 'threads' THEN annals_internal.json_texts(filter->'threads') END,
        CASE WHEN filter ? 'actors' THEN annals_internal.json_texts(filter->'actors') END,
        CASE WHEN filter ? 'roles' THEN annals_internal.json_texts(filter->'roles') END,
        (filter->'attributes'->>'path')::jsonpath, filter->'attributes'->'values',
        (filter->'metadata'->>'path')::jsonpath, filter->'metadata'->'values',
        CASE WHEN filter ? 'valid' THEN annals_internal.times_matching(filter->'valid') END,
        CASE WHEN filter ? 'valid' THEN annals_internal.passes_when_missing(filter->'valid') ELSE true END,
        CASE WHEN filter ? 'invalid' THEN annals_internal.times_matching(filter->'invalid') END,
        CASE WHEN filter ? 'invalid' THEN annals_internal.passes_when_missing(filter->'invalid') ELSE true END,
        CASE WHEN filter ? 'created' THEN annals_internal.times_matching(filter->'created') END,
        CASE WHEN filter ? 'expired' THEN annals_internal.times_matching(filter->'expired') END,
        CASE WHEN filter ? 'expired' THEN annals_internal.passes_when_missing(filter->'expired') ELSE true END,
        CASE WHEN filter ? 'occurred' THEN annals_internal.times_matching(filter->'occurred') END,
        CASE WHEN filter ? 'told_by' THEN annals_internal.json_texts(filter->'told_by') END,
        filter->>'trust',
        coalesce((filter->>'episodes')::boolean, false);
END;
COMMENT ON FUNCTION annals_internal.filter_parts(jsonb) IS 'Splits a filter into its conditions.';

-- Tells whether an episode meets the filter conditions that apply to episodes.
CREATE FUNCTION annals_internal.episode_passes(
    source annals.episode_source, thread_id text, actor text, role text, occurred_at timestamptz, said jsonb, sources text[], threads text[], actors text[], roles text[], occurred tstzmultirange, metadata jsonpath,
    metadata_values jsonb
) RETURNS boolean
LANGUAGE sql STABLE
RETURN (sources IS NULL OR source::text = ANY (sources))
    AND (threads IS NULL OR thread_id = ANY (threads))
    AND (actors IS NULL OR actor = ANY (actors))
    AND (roles IS NULL OR role = ANY (roles))
    AND (occurred IS NULL OR occurred_at <@ occurred)
    AND (metadata IS NULL OR coalesce(jsonb_path_match(said, metadata, metadata_values, true), false));
COMMENT ON FUNCTION annals_internal.episode_passes(annals.episode_source, text, text, text, timestamptz, jsonb, text[], text[], text[], text[], tstzmultirange, jsonpath, jsonb) IS
    'Tells whether an episode meets the filter conditions that apply to episodes.';

-- Tells whether the trust of a fact matches a filter: believed (with disputed),
-- candidate, disputed alone, or all.
CREATE FUNCTION annals_internal.trust_passes(trust annals.trust, asked text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE asked WHEN 'believed' THEN trust <> 'candidate' WHEN 'candidate' THEN trust = 'candidate' WHEN 'disputed' THEN trust = 'disputed' ELSE true END;
COMMENT ON FUNCTION annals_internal.trust_passes(annals.trust, text) IS 'Tells whether the trust of a fact matches a filter.';

-- Tells whether a group is of a namespace, the part of its name before a colon ('': any), and in a
-- list of groups and namespaces (NULL: all). acme:* in the list also means the group acme.
CREATE FUNCTION annals_internal.is_among(group_id text, namespace text, among text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (namespace = '' OR starts_with(group_id, namespace || ':'))
    AND (among IS NULL OR group_id = ANY (among) OR split_part(group_id, ':', 1) || ':*' = ANY (among));
COMMENT ON FUNCTION annals_internal.is_among(text, text, text[]) IS 'Tells whether a group is of a namespace and in a list of groups and namespaces.';

-- Returns the speakers that names refer to: the names themselves, and all names of
-- the entities that have one of them, in any case.
CREATE FUNCTION annals_internal.speakers_named(group_id text, names text[]) RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE WHEN names IS NOT NULL THEN ARRAY(
        SELECT n.name FROM unnest(names) AS n(name)
        UNION
        SELECT unnest(e.aliases || e.name)
        FROM unnest(names) AS n(name)
        JOIN annals_internal.entity_names k ON k.group_id = speakers_named.group_id AND k.name_key = annals_internal.name_key(n.name)
        JOIN annals.entities e ON e.group_id = speakers_named.group_id AND e.id = k.entity_id
    ) END;
END;
COMMENT ON FUNCTION annals_internal.speakers_named(text, text[]) IS 'Returns the speakers that names refer to, under all their names; NULL: no names.';

-- Returns the episodes that pass a filter. Conditions on threads, or else on runs,
-- users, agents or tellers, use an index. known_at in the filter restricts the result to
-- episodes taken in by then.
CREATE FUNCTION annals_internal.episodes_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (
        SELECT p.*, CASE WHEN p.threads IS NOT NULL THEN 'threads' WHEN filter ? 'runs' THEN 'runs' WHEN filter ? 'users' THEN 'users' WHEN filter ? 'agents' THEN 'agents' WHEN p.told_by IS NOT NULL THEN 'told_by' END AS found_by,
            annals_internal.speakers_named(episodes_matching.group_id, p.told_by) AS tellers
        FROM annals_internal.filter_parts(filter) p
    ), named AS MATERIALIZED (
        SELECT DISTINCT p.found_by, n.name FROM p
        CROSS JOIN LATERAL unnest(CASE p.found_by WHEN 'told_by' THEN p.tellers ELSE annals_internal.json_texts(filter->p.found_by) END) AS n(name)
    )
    SELECT e.id
    FROM p
    CROSS JOIN LATERAL (
        SELECT a.id, a.source, a.thread_id, a.actor, a.role, a.occurred_at, a.metadata, a.created_at, a.authority
        FROM annals.episodes a WHERE a.group_id = episodes_matching.group_id AND p.found_by IS NULL
        UNION ALL
        SELECT t.id, t.source, t.thread_id, t.actor, t.role, t.occurred_at, t.metadata, t.created_at, t.authority
        FROM named n JOIN annals.episodes t ON t.group_id = episodes_matching.group_id AND t.thread_id = n.name
        WHERE n.found_by = 'threads'
        UNION ALL
        SELECT r.id, r.source, r.thread_id, r.actor, r.role, r.occurred_at, r.metadata, r.created_at, r.authority
        FROM named n JOIN annals.episodes r ON r.group_id = episodes_matching.group_id AND r.metadata->>'run_id' = n.name
        WHERE n.found_by = 'runs'
        UNION ALL
        SELECT u.id, u.source, u.thread_id, u.actor, u.role, u.occurred_at, u.metadata, u.created_at, u.authority
        FROM named n JOIN annals.episodes u ON u.group_id = episodes_matching.group_id AND u.metadata->>'user_id' = n.name
        WHERE n.found_by = 'users'
        UNION ALL
        SELECT g.id, g.source, g.thread_id, g.actor, g.role, g.occurred_at, g.metadata, g.created_at, g.authority
        FROM named n JOIN annals.episodes g ON g.group_id = episodes_matching.group_id AND g.metadata->>'agent_id' = n.name
        WHERE n.found_by = 'agents'
        UNION ALL
        SELECT s.id, s.source, s.thread_id, s.actor, s.role, s.occurred_at, s.metadata, s.created_at, s.authority
        FROM named n JOIN annals.episodes s ON s.group_id = episodes_matching.group_id AND s.actor = n.name
        WHERE n.found_by = 'told_by'
    ) e
    WHERE annals_internal.episode_passes(e.source, e.thread_id, e.actor, e.role, e.occurred_at, e.metadata, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        AND (p.tellers IS NULL OR e.actor = ANY (p.tellers))
        AND (p.trust IS NULL OR annals_internal.episode_shown(episodes_matching.group_id, e.id, e.authority, e.thread_id, p.trust))
        AND (filter->>'known_at' IS NULL OR e.created_at <= (filter->>'known_at')::timestamptz)
        AND (filter->>'unexpired' IS NULL OR e.id NOT IN (SELECT annals_internal.expired(episodes_matching.group_id, 'episode', coalesce((filter->>'known_at')::timestamptz, now()))));
END;
COMMENT ON FUNCTION annals_internal.episodes_matching(text, jsonb) IS 'Returns the episodes of a group that pass a filter.';

-- Returns the entities that pass a filter. Conditions on episodes hold if one of
-- the matching episodes mentions the entity; these entities are found by index.
-- With known_at in the filter, it tests the versions believed then.
CREATE FUNCTION annals_internal.entities_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (
        SELECT f.*, f.episodes OR f.told_by IS NOT NULL AS by_episodes FROM annals_internal.filter_parts(filter) f
    ), told AS MATERIALIZED (
        SELECT s.id FROM annals_internal.episodes_matching(entities_matching.group_id, filter) AS s(id) WHERE (SELECT by_episodes FROM p)
    ), said AS MATERIALIZED (
        SELECT DISTINCT m.entity_id FROM told s JOIN annals.mentions m ON m.group_id = entities_matching.group_id AND m.episode_id = s.id
    )
    SELECT e.id
    FROM p
    CROSS JOIN (
        SELECT c.id, c.labels, c.attributes, c.created_at FROM annals.entities c
        WHERE c.group_id = entities_matching.group_id AND NOT (SELECT by_episodes FROM p)
            AND (filter->>'known_at' IS NULL OR c.recorded @> (filter->>'known_at')::timestamptz)
        UNION ALL
        SELECT c.id, c.labels, c.attributes, c.created_at FROM said s JOIN annals.entities c ON c.group_id = entities_matching.group_id AND c.id = s.entity_id
        WHERE filter->>'known_at' IS NULL OR c.recorded @> (filter->>'known_at')::timestamptz
        UNION ALL
        SELECT h.id, h.labels, h.attributes, h.created_at FROM annals_internal.entities_history h
        WHERE filter->>'known_at' IS NOT NULL AND h.group_id = entities_matching.group_id AND h.recorded @> (filter->>'known_at')::timestamptz
            AND (NOT (SELECT by_episodes FROM p) OR h.id IN (SELECT entity_id FROM said) OR h.evidence && ARRAY(SELECT id FROM told))
    ) e
    WHERE (p.labels IS NULL OR e.labels && p.labels)
        AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(e.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.created IS NULL OR e.created_at <@ p.created)
        AND (p.trust IS NULL OR annals_internal.entity_shown(entities_matching.group_id, e.id, p.trust))
        AND (filter->>'unexpired' IS NULL OR e.id NOT IN (SELECT annals_internal.expired(entities_matching.group_id, 'entity', coalesce((filter->>'known_at')::timestamptz, now()))));
END;
COMMENT ON FUNCTION annals_internal.entities_matching(text, jsonb) IS 'Returns the entities of a group that pass a filter.';

-- Returns the facts that pass a filter, in the version believed at known_at
-- (NULL: now). Label conditions apply to both entities of a fact at that time.
-- Episode conditions apply to the episodes that state it; these facts are found
-- by index. Tellers are the speakers of episodes that state the fact and were in
-- the graph at known_at.
CREATE FUNCTION annals_internal.facts_matching(
    group_id text, filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean
) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (SELECT * FROM annals_internal.filter_parts(filter)), told AS MATERIALIZED (
        SELECT s.id FROM annals_internal.episodes_matching(facts_matching.group_id, filter) AS s(id) WHERE coalesce((filter->>'episodes')::boolean, false)
    ), said AS MATERIALIZED (
        SELECT DISTINCT s.fact_id FROM told e
        JOIN annals.fact_episodes s ON s.group_id = facts_matching.group_id AND s.episode_id = e.id AND s.role <> 'ends'
        WHERE s.role = 'states' OR (SELECT told_by IS NULL FROM p)
    ), spoken AS MATERIALIZED (
        SELECT e.id FROM p
        CROSS JOIN LATERAL unnest(annals_internal.speakers_named(facts_matching.group_id, p.told_by)) AS t(actor)
        JOIN annals.episodes e ON e.group_id = facts_matching.group_id AND e.actor = t.actor
        WHERE known_at IS NULL OR e.processed_at <= known_at
    ), told_facts AS MATERIALIZED (
        SELECT DISTINCT s.fact_id FROM spoken e
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
        SELECT c.id, c.source_id, c.target_id, c.predicate, c.attributes, c.kind, c.valid, c.from_basis, c.said_at, c.created_at, c.expired_at, c.trust
        FROM annals.facts c
        WHERE c.group_id = facts_matching.group_id AND NOT (SELECT episodes OR told_by IS NOT NULL FROM p) AND (known_at IS NULL OR c.recorded @> known_at)
        UNION ALL
        SELECT c.id, c.source_id, c.target_id, c.predicate, c.attributes, c.kind, c.valid, c.from_basis, c.said_at, c.created_at, c.expired_at, c.trust
        FROM told_facts s JOIN annals.facts c ON c.group_id = facts_matching.group_id AND c.id = s.fact_id
        WHERE NOT (SELECT episodes FROM p) AND (known_at IS NULL OR c.recorded @> known_at)
        UNION ALL
        SELECT c.id, c.source_id, c.target_id, c.predicate, c.attributes, c.kind, c.valid, c.from_basis, c.said_at, c.created_at, c.expired_at, c.trust
        FROM said s JOIN annals.facts c ON c.group_id = facts_matching.group_id AND c.id = s.fact_id
        WHERE (known_at IS NULL OR c.recorded @> known_at)
            AND ((SELECT told_by IS NULL FROM p) OR c.id IN (SELECT fact_id FROM told_facts))
        UNION ALL
        SELECT h.id, h.source_id, h.target_id, h.predicate, h.attributes, h.kind, h.valid, h.from_basis, h.said_at, h.created_at, h.expired_at, h.trust
        FROM annals_internal.facts_history h
        WHERE h.group_id = facts_matching.group_id AND known_at IS NOT NULL AND h.recorded @> known_at
            AND (NOT (SELECT episodes FROM p) OR h.id IN (SELECT fact_id FROM said) OR h.evidence && ARRAY(SELECT id FROM told))
            AND ((SELECT told_by IS NULL FROM p) OR h.evidence && ARRAY(SELECT id FROM spoken))
    ) f
    WHERE CASE
            WHEN valid_at IS NOT NULL THEN annals_internal.shown_at(f.kind, f.valid, f.from_basis, f.said_at, valid_at)
            ELSE include_ended OR f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > coalesce(known_at, now())
        END
        AND (p.trust IS NULL OR annals_internal.trust_passes(f.trust, p.trust))
        AND (p.predicates IS NULL OR f.predicate = ANY (p.predicates))
        AND (p.excluded_predicates IS NULL OR NOT f.predicate = ANY (p.excluded_predicates))
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(f.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.valid IS NULL OR lower(f.valid) <@ p.valid OR lower(f.valid) IS NULL AND p.valid_none)
        AND (p.invalid IS NULL OR upper(f.valid) <@ p.invalid OR upper(f.valid) IS NULL AND p.invalid_none)
        AND (p.created IS NULL OR f.created_at <@ p.created)
        AND (p.expired IS NULL OR f.expired_at <@ p.expired OR f.expired_at IS NULL AND p.expired_none)
        AND (p.labels IS NULL AND p.excluded_labels IS NULL
            OR f.source_id IN (SELECT id FROM labelled) AND f.target_id IN (SELECT id FROM labelled))
        AND (filter->>'unexpired' IS NULL OR f.id NOT IN (SELECT annals_internal.expired(facts_matching.group_id, 'fact', coalesce(known_at, now()))));
END;
COMMENT ON FUNCTION annals_internal.facts_matching(text, jsonb, timestamptz, timestamptz, boolean) IS
    'Returns the facts of a group that pass a filter, as believed at known_at.';

-- Returns the rows of one kind that were believed at a time and pass a filter.
CREATE FUNCTION annals_internal.matching_known(
    group_id text, kind annals.kind, filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean
) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    CASE kind
        WHEN 'fact' THEN
            RETURN QUERY SELECT m.id FROM annals_internal.facts_matching($1, $3, $4, $5, $6) AS m(id);
        WHEN 'entity' THEN
            RETURN QUERY SELECT m.id FROM annals_internal.entities_matching($1, $3) AS m(id);
        WHEN 'episode' THEN
            RETURN QUERY SELECT m.id FROM annals_internal.episodes_matching($1, $3) AS m(id);
        WHEN 'community' THEN
            RETURN QUERY SELECT m.id FROM annals.communities_at($1, $5) AS m;
    END CASE;
END
$$;
COMMENT ON FUNCTION annals_internal.matching_known(text, annals.kind, jsonb, timestamptz, timestamptz, boolean) IS
    'Returns the rows of one kind that were believed at a time and pass a filter.';

-- Returns the given rows that pass a filter, as they are now. The *_matching
-- functions test all rows of a group instead.
CREATE FUNCTION annals_internal.episodes_passing(group_id text, filter jsonb, ids uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (SELECT f.*, annals_internal.speakers_named(episodes_passing.group_id, f.told_by) AS tellers FROM annals_internal.filter_parts(filter) f)
    SELECT e.id
    FROM p
    CROSS JOIN unnest(ids) AS i(id)
    JOIN annals.episodes e ON e.group_id = episodes_passing.group_id AND e.id = i.id
    WHERE annals_internal.episode_passes(e.source, e.thread_id, e.actor, e.role, e.occurred_at, e.metadata, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        AND (p.tellers IS NULL OR e.actor = ANY (p.tellers))
        AND (p.trust IS NULL OR annals_internal.episode_shown(episodes_passing.group_id, e.id, e.authority, e.thread_id, p.trust))
        AND (filter->>'known_at' IS NULL OR e.created_at <= (filter->>'known_at')::timestamptz)
        AND (filter->>'unexpired' IS NULL OR e.id NOT IN (SELECT annals_internal.expired(episodes_passing.group_id, 'episode', coalesce((filter->>'known_at')::timestamptz, now()))));
END;
COMMENT ON FUNCTION annals_internal.episodes_passing(text, jsonb, uuid[]) IS 'Returns the given episodes that pass a filter.';

-- Tests entities. Episode conditions hold if one of the matching episodes
-- mentions the entity.
CREATE FUNCTION annals_internal.entities_passing(group_id text, filter jsonb, ids uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (SELECT f.*, annals_internal.speakers_named(entities_passing.group_id, f.told_by) AS tellers FROM annals_internal.filter_parts(filter) f)
    SELECT e.id
    FROM p
    CROSS JOIN unnest(ids) AS i(id)
    JOIN annals.entities e ON e.group_id = entities_passing.group_id AND e.id = i.id
    WHERE (p.labels IS NULL OR e.labels && p.labels)
        AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(e.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.created IS NULL OR e.created_at <@ p.created)
        AND (p.trust IS NULL OR annals_internal.entity_shown(entities_passing.group_id, e.id, p.trust))
        AND (NOT p.episodes AND p.tellers IS NULL OR EXISTS (
            SELECT FROM annals.mentions m
            JOIN annals.episodes s ON s.group_id = entities_passing.group_id AND s.id = m.episode_id
            WHERE m.group_id = entities_passing.group_id AND m.entity_id = e.id
                AND annals_internal.episode_passes(s.source, s.thread_id, s.actor, s.role, s.occurred_at, s.metadata, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
                AND (p.tellers IS NULL OR s.actor = ANY (p.tellers))
        ))
        AND (filter->>'unexpired' IS NULL OR i.id NOT IN (SELECT annals_internal.expired(entities_passing.group_id, 'entity', now())));
END;
COMMENT ON FUNCTION annals_internal.entities_passing(text, jsonb, uuid[]) IS 'Returns the given entities that pass a filter.';

-- Tests facts. Label conditions apply to both entities of a fact, episode
-- conditions to the episodes that state it.
CREATE FUNCTION annals_internal.facts_passing(
    group_id text, filter jsonb, valid_at timestamptz, include_ended boolean, ids uuid[]
) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH p AS MATERIALIZED (SELECT f.*, annals_internal.speakers_named(facts_passing.group_id, f.told_by) AS tellers FROM annals_internal.filter_parts(filter) f)
    SELECT f.id
    FROM p
    CROSS JOIN unnest(ids) AS i(id)
    JOIN annals.facts f ON f.group_id = facts_passing.group_id AND f.id = i.id
    WHERE CASE WHEN valid_at IS NOT NULL THEN annals_internal.shown_at(f.kind, f.valid, f.from_basis, f.said_at, valid_at) ELSE include_ended OR f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > now() END
        AND (p.trust IS NULL OR annals_internal.trust_passes(f.trust, p.trust))
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
        AND (NOT p.episodes AND p.tellers IS NULL OR EXISTS (
            SELECT FROM annals.fact_episodes o
            JOIN annals.episodes s ON s.group_id = facts_passing.group_id AND s.id = o.episode_id
            WHERE o.group_id = facts_passing.group_id AND o.fact_id = f.id AND o.role <> 'ends'
                AND annals_internal.episode_passes(s.source, s.thread_id, s.actor, s.role, s.occurred_at, s.metadata, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
                AND (p.tellers IS NULL OR o.role = 'states' AND s.actor = ANY (p.tellers))
        ))
        AND (filter->>'unexpired' IS NULL OR f.id NOT IN (SELECT annals_internal.expired(facts_passing.group_id, 'fact', now())));
END;
COMMENT ON FUNCTION annals_internal.facts_passing(text, jsonb, timestamptz, boolean, uuid[]) IS
    'Returns the given facts that pass a filter: those true at valid_at, those not ended, or all.';

-- Returns the neighbours of entities: for each, along the 50 newest facts in each
-- direction that are true at a time and not hidden.
CREATE FUNCTION annals_internal.connected_entities(group_id text, ids uuid[], at timestamptz, hidden uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT f.node
    FROM unnest(ids) AS o(id)
    CROSS JOIN LATERAL (
        (SELECT s.target_id AS node FROM annals.facts s
            WHERE s.group_id = connected_entities.group_id AND s.source_id = o.id AND s.valid @> at AND s.trust <> 'candidate'
                AND (hidden IS NULL OR s.id <> ALL (hidden)) ORDER BY s.id DESC LIMIT 50)
        UNION
        (SELECT t.source_id FROM annals.facts t
            WHERE t.group_id = connected_entities.group_id AND t.target_id = o.id AND t.valid @> at AND t.trust <> 'candidate'
                AND (hidden IS NULL OR t.id <> ALL (hidden)) ORDER BY t.id DESC LIMIT 50)
    ) f;
END;
COMMENT ON FUNCTION annals_internal.connected_entities(text, uuid[], timestamptz, uuid[]) IS
    'Returns the neighbours of entities, along the 50 newest facts in each direction that are true at a time.';

-- Returns the entities within a number of hops of the seeds, with their distance,
-- along facts in either direction. It follows facts true at valid_at (NULL: now)
-- as believed at known_at (NULL: now). Without known_at it follows the 50 newest
-- facts of an entity in each direction, so that a hub costs no more than others.
-- It returns at most max_rows entities (NULL: all), nearest first, and reads the
-- last level only as far as needed.
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
    hidden uuid[]; -- expired facts; NULL: none
    gone uuid[] := '{}'; -- and entities
BEGIN
    IF known_at IS NULL THEN
        IF EXISTS (SELECT FROM annals_internal.expired_marks m WHERE m.group_id = $1) THEN
            hidden := ARRAY(SELECT annals_internal.expired($1, 'fact', now()));
            gone := ARRAY(SELECT annals_internal.expired($1, 'entity', now()));
        END IF;
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
                    SELECT f.node FROM annals_internal.connected_entities($1, l.met, at, hidden) AS f(node)
                    WHERE NOT EXISTS (SELECT FROM unnest(l.reached) AS r(id) WHERE r.id = f.node)
                    LIMIT 4 * (most - cardinality(l.reached))
                ) m
            ) few
            CROSS JOIN LATERAL (
                SELECT CASE WHEN few.ends < 4 * (most - cardinality(l.reached)) OR cardinality(few.met) >= most - cardinality(l.reached)
                    THEN few.met
                    ELSE ARRAY( -- read all: the few were mostly duplicates
                        SELECT DISTINCT f.node FROM annals_internal.connected_entities($1, l.met, at, hidden) AS f(node)
                        WHERE NOT EXISTS (SELECT FROM unnest(l.reached) AS r(id) WHERE r.id = f.node))
                    END AS met
                OFFSET 0
            ) n
            WHERE l.hop < hops AND cardinality(l.reached) < most AND few.met IS NOT NULL
        )
        SELECT m.id, l.hop FROM level l CROSS JOIN LATERAL unnest(l.met) AS m(id)
        WHERE m.id <> ALL (gone)
        ORDER BY 2, 1 LIMIT most;
    ELSE
        RETURN QUERY
        WITH RECURSIVE believed AS MATERIALIZED (
            SELECT f.source_id, f.target_id FROM annals.facts f
            WHERE f.group_id = $1 AND f.recorded @> known_at AND f.valid @> at AND f.trust <> 'candidate' AND f.id NOT IN (SELECT annals_internal.expired($1, 'fact', known_at))
            UNION
            SELECT h.source_id, h.target_id FROM annals_internal.facts_history h
            WHERE h.group_id = $1 AND h.recorded @> known_at AND h.valid @> at AND h.trust <> 'candidate' AND h.id NOT IN (SELECT annals_internal.expired($1, 'fact', known_at))
        ), walk AS (
            SELECT e.id AS node, 0 AS hop FROM annals.entities e WHERE e.group_id = $1 AND e.id = ANY (seed_ids) AND e.recorded @> known_at
            UNION
            SELECT h.id, 0 FROM annals_internal.entities_history h WHERE h.group_id = $1 AND h.id = ANY (seed_ids) AND h.recorded @> known_at
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
    'Returns the entities within a number of hops of the seeds, with their distance, along facts true at valid_at as believed at known_at.';

CALL annals_internal.end_migration(5, 'filters');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals.neighborhood, annals_internal.connected_entities, annals_internal.facts_passing, annals_internal.entities_passing, annals_internal.episodes_passing,
    annals_internal.matching_known, annals_internal.facts_matching, annals_internal.entities_matching, annals_internal.episodes_matching, annals_internal.speakers_named,
    annals_internal.is_among, annals_internal.trust_passes, annals_internal.episode_passes,
    annals_internal.filter_parts, annals_internal.passes_when_missing, annals_internal.times_matching, annals_internal.json_texts;
DELETE FROM annals.migrations WHERE version = 5;
