-- Which of some rows a filter lets pass: to know that of every row of a large group takes a hundred times longer.
--
-- +goose Up

-- Whether an episode meets the parts of a filter that are about episodes.
-- +goose StatementBegin
CREATE FUNCTION annals.episode_passes(
    episode annals.episodes, sources text[], threads text[], actors text[], roles text[], occurred tstzmultirange, metadata jsonpath,
    metadata_values jsonb
) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT (sources IS NULL OR episode.source::text = ANY (sources))
        AND (threads IS NULL OR episode.thread_id = ANY (threads))
        AND (actors IS NULL OR episode.actor = ANY (actors))
        AND (roles IS NULL OR episode.role = ANY (roles))
        AND (occurred IS NULL OR episode.occurred_at <@ occurred)
        AND ($7 IS NULL OR coalesce(jsonb_path_match(episode.metadata, $7, metadata_values, true), false))
$$;

-- The episodes that a filter lets pass, those of threads by their index. With a
-- known_at in it, those that had been taken in by then.
CREATE OR REPLACE FUNCTION annals.episodes_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter))
    SELECT e.id
    FROM p
    JOIN annals.episodes e ON e.group_id = $1
    WHERE p.threads IS NULL
        AND annals.episode_passes(e, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        AND (filter->>'known_at' IS NULL OR e.created_at <= (filter->>'known_at')::timestamptz)
    UNION ALL
    SELECT e.id
    FROM p
    CROSS JOIN LATERAL (SELECT DISTINCT u.id FROM unnest(p.threads) AS u(id)) t
    JOIN annals.episodes e ON e.group_id = $1 AND e.thread_id = t.id
    WHERE annals.episode_passes(e, p.sources, NULL, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        AND (filter->>'known_at' IS NULL OR e.created_at <= (filter->>'known_at')::timestamptz)
$$;

-- The entities that a filter lets pass, those that some episodes mention by their
-- index; with a known_at in it, in the version believed then. Conditions on episodes
-- hold for an entity that one of those episodes mentions.
CREATE OR REPLACE FUNCTION annals.entities_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter)), told AS MATERIALIZED (
        SELECT s.id FROM annals.episodes_matching($1, filter) AS s(id) WHERE coalesce((filter->>'episodes')::boolean, false)
    ), said AS MATERIALIZED (
        SELECT DISTINCT m.entity_id FROM told s JOIN annals.mentions m ON m.group_id = $1 AND m.episode_id = s.id
    )
    SELECT e.id
    FROM p
    CROSS JOIN (
        SELECT c.id, c.labels, c.attributes, c.created_at FROM annals.entities c
        WHERE c.group_id = $1 AND NOT (SELECT episodes FROM p)
            AND (filter->>'known_at' IS NULL OR c.recorded @> (filter->>'known_at')::timestamptz)
        UNION ALL
        SELECT c.id, c.labels, c.attributes, c.created_at FROM said s JOIN annals.entities c ON c.group_id = $1 AND c.id = s.entity_id
        WHERE filter->>'known_at' IS NULL OR c.recorded @> (filter->>'known_at')::timestamptz
        UNION ALL
        SELECT h.id, h.labels, h.attributes, h.created_at FROM annals.entities_history h
        WHERE filter->>'known_at' IS NOT NULL AND h.group_id = $1 AND h.recorded @> (filter->>'known_at')::timestamptz
            AND (NOT (SELECT episodes FROM p) OR h.id IN (SELECT entity_id FROM said) OR h.evidence && ARRAY(SELECT id FROM told))
    ) e
    WHERE (p.labels IS NULL OR e.labels && p.labels)
        AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(e.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.created IS NULL OR e.created_at <@ p.created)
$$;

-- The facts that a filter lets pass, those that some episodes state by their index,
-- in the version believed at known_at, or now where that is NULL. Labels are those
-- of both ends, at that time; conditions on episodes hold for a fact that one of
-- those episodes states.
CREATE OR REPLACE FUNCTION annals.facts_matching(
    group_id text, filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean
) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter)), told AS MATERIALIZED (
        SELECT s.id FROM annals.episodes_matching($1, filter) AS s(id) WHERE coalesce((filter->>'episodes')::boolean, false)
    ), said AS MATERIALIZED (
        SELECT DISTINCT s.fact_id FROM told e
        JOIN annals.fact_episodes s ON s.group_id = $1 AND s.episode_id = e.id AND s.role = 'states'
    ), labelled AS MATERIALIZED (
        SELECT e.id FROM p
        JOIN annals.entity_versions e ON e.group_id = $1 AND e.recorded @> coalesce(known_at, 'infinity')
        WHERE (p.labels IS NOT NULL OR p.excluded_labels IS NOT NULL)
            AND (p.labels IS NULL OR e.labels && p.labels)
            AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
    )
    SELECT f.id
    FROM p
    CROSS JOIN (
        SELECT c.id, c.source_id, c.target_id, c.predicate, c.attributes, c.valid, c.created_at, c.expired_at
        FROM annals.facts c
        WHERE c.group_id = $1 AND NOT (SELECT episodes FROM p) AND (known_at IS NULL OR c.recorded @> known_at)
        UNION ALL
        SELECT c.id, c.source_id, c.target_id, c.predicate, c.attributes, c.valid, c.created_at, c.expired_at
        FROM said s JOIN annals.facts c ON c.group_id = $1 AND c.id = s.fact_id
        WHERE known_at IS NULL OR c.recorded @> known_at
        UNION ALL
        SELECT h.id, h.source_id, h.target_id, h.predicate, h.attributes, h.valid, h.created_at, h.expired_at
        FROM annals.facts_history h
        WHERE h.group_id = $1 AND known_at IS NOT NULL AND h.recorded @> known_at
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
            OR f.source_id IN (SELECT id FROM labelled) AND f.target_id IN (SELECT id FROM labelled))
$$;

-- What the functions annals.*_matching tell of all rows of a group, these tell of
-- those with the given ids: of entities and facts as they are now.
CREATE FUNCTION annals.episodes_passing(group_id text, filter jsonb, ids uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter))
    SELECT e.id
    FROM p
    CROSS JOIN unnest(ids) AS i(id)
    JOIN annals.episodes e ON e.group_id = $1 AND e.id = i.id
    WHERE annals.episode_passes(e, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        AND (filter->>'known_at' IS NULL OR e.created_at <= (filter->>'known_at')::timestamptz)
$$;

-- Conditions on episodes hold for an entity that one of those episodes mentions.
CREATE FUNCTION annals.entities_passing(group_id text, filter jsonb, ids uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter))
    SELECT e.id
    FROM p
    CROSS JOIN unnest(ids) AS i(id)
    JOIN annals.entities e ON e.group_id = $1 AND e.id = i.id
    WHERE (p.labels IS NULL OR e.labels && p.labels)
        AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(e.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.created IS NULL OR e.created_at <@ p.created)
        AND (NOT p.episodes OR EXISTS (
            SELECT FROM annals.mentions m
            JOIN annals.episodes s ON s.group_id = $1 AND s.id = m.episode_id
            WHERE m.group_id = $1 AND m.entity_id = e.id
                AND annals.episode_passes(s, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        ))
$$;

-- Labels are those of both ends; conditions on episodes hold for a fact that one
-- of those episodes states.
CREATE FUNCTION annals.facts_passing(
    group_id text, filter jsonb, valid_at timestamptz, include_ended boolean, ids uuid[]
) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH p AS MATERIALIZED (SELECT * FROM annals.filter_parts(filter))
    SELECT f.id
    FROM p
    CROSS JOIN unnest(ids) AS i(id)
    JOIN annals.facts f ON f.group_id = $1 AND f.id = i.id
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
            JOIN annals.entities e ON e.group_id = $1 AND e.id = n.id
            WHERE NOT e.labels && p.labels OR e.labels && p.excluded_labels
        ))
        AND (NOT p.episodes OR EXISTS (
            SELECT FROM annals.fact_episodes o
            JOIN annals.episodes s ON s.group_id = $1 AND s.id = o.episode_id
            WHERE o.group_id = $1 AND o.fact_id = f.id AND o.role = 'states'
                AND annals.episode_passes(s, p.sources, p.threads, p.actors, p.roles, p.occurred, p.metadata, p.metadata_values)
        ))
$$;
-- +goose StatementEnd

COMMENT ON FUNCTION annals.episode_passes(annals.episodes, text[], text[], text[], text[], tstzmultirange, jsonpath, jsonb)
    IS 'Whether an episode meets the parts of a filter that are about episodes.';
COMMENT ON FUNCTION annals.episodes_passing(text, jsonb, uuid[]) IS 'Those of some episodes that a filter of a search lets pass.';
COMMENT ON FUNCTION annals.entities_passing(text, jsonb, uuid[]) IS 'Those of some entities that a filter of a search lets pass.';
COMMENT ON FUNCTION annals.facts_passing(text, jsonb, timestamptz, boolean, uuid[])
    IS 'Those of some facts that a filter of a search lets pass: of those that hold at a time, or have not ended, or all.';
SELECT annals.protect_tenants();

-- +goose Down

DROP FUNCTION annals.facts_passing(text, jsonb, timestamptz, boolean, uuid[]), annals.entities_passing(text, jsonb, uuid[]),
    annals.episodes_passing(text, jsonb, uuid[]);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.episodes_matching(group_id text, filter jsonb) RETURNS SETOF uuid
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
        AND (filter->>'known_at' IS NULL OR e.created_at <= (filter->>'known_at')::timestamptz)
$$;

CREATE OR REPLACE FUNCTION annals.entities_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH told AS MATERIALIZED (
        SELECT s.id FROM annals.episodes_matching($1, filter) AS s(id) WHERE coalesce((filter->>'episodes')::boolean, false)
    ), said AS MATERIALIZED (
        SELECT m.entity_id FROM told s JOIN annals.mentions m ON m.group_id = $1 AND m.episode_id = s.id
    )
    SELECT e.id
    FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
    CROSS JOIN (
        SELECT c.id, c.labels, c.attributes, c.created_at, NULL::uuid[] AS evidence FROM annals.entities c
        WHERE c.group_id = $1 AND (filter->>'known_at' IS NULL OR c.recorded @> (filter->>'known_at')::timestamptz)
        UNION ALL
        SELECT h.id, h.labels, h.attributes, h.created_at, h.evidence FROM annals.entities_history h
        WHERE h.group_id = $1 AND h.recorded @> (filter->>'known_at')::timestamptz
    ) e
    WHERE (p.labels IS NULL OR e.labels && p.labels)
        AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(e.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.created IS NULL OR e.created_at <@ p.created)
        AND (NOT p.episodes OR e.id IN (SELECT entity_id FROM said) OR e.evidence && ARRAY(SELECT id FROM told))
$$;

CREATE OR REPLACE FUNCTION annals.facts_matching(
    group_id text, filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean
) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH told AS MATERIALIZED (
        SELECT s.id FROM annals.episodes_matching($1, filter) AS s(id) WHERE coalesce((filter->>'episodes')::boolean, false)
    ), said AS MATERIALIZED (
        SELECT s.fact_id FROM told e
        JOIN annals.fact_episodes s ON s.group_id = $1 AND s.episode_id = e.id AND s.role = 'states'
    ), labelled AS MATERIALIZED (
        SELECT e.id FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
        JOIN annals.entity_versions e ON e.group_id = $1 AND e.recorded @> coalesce(known_at, 'infinity')
        WHERE (p.labels IS NOT NULL OR p.excluded_labels IS NOT NULL)
            AND (p.labels IS NULL OR e.labels && p.labels)
            AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
    )
    SELECT f.id
    FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
    CROSS JOIN (
        SELECT c.id, c.source_id, c.target_id, c.predicate, c.attributes, c.valid, c.created_at, c.expired_at, NULL::uuid[] AS evidence
        FROM annals.facts c
        WHERE c.group_id = $1 AND (known_at IS NULL OR c.recorded @> known_at)
        UNION ALL
        SELECT h.id, h.source_id, h.target_id, h.predicate, h.attributes, h.valid, h.created_at, h.expired_at, h.evidence
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
        AND (NOT p.episodes OR f.id IN (SELECT fact_id FROM said) OR f.evidence && ARRAY(SELECT id FROM told))
$$;
-- +goose StatementEnd
DROP FUNCTION annals.episode_passes(annals.episodes, text[], text[], text[], text[], tstzmultirange, jsonpath, jsonb);
