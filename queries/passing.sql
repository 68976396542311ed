-- Which of some rows a filter lets pass: as the functions annals.*_matching say it
-- of all rows of a group, which in a large one takes a hundred times longer.

-- Labels are those of both ends; conditions on episodes hold for a fact that one
-- of those episodes states.
-- name: FactsPassing :many
WITH p AS MATERIALIZED (
    SELECT * FROM annals.filter_parts(@filter::jsonb) AS p(labels, excluded_labels, predicates, excluded_predicates, sources, threads, actors, roles, attributes,
        attribute_values, metadata, metadata_values, valid, valid_none, invalid, invalid_none, created, expired, expired_none, occurred, episodes)
)
SELECT f.id
FROM p
CROSS JOIN unnest(@ids::uuid[]) AS i(id)
JOIN annals.facts f ON f.group_id = @group_id AND f.id = i.id
WHERE CASE
        WHEN sqlc.narg('valid_at')::timestamptz IS NOT NULL THEN f.valid @> sqlc.narg('valid_at')::timestamptz
        ELSE @include_ended::boolean OR upper_inf(f.valid) OR upper(f.valid) > now()
    END
    AND (p.predicates IS NULL OR f.predicate = ANY (p.predicates))
    AND (p.excluded_predicates IS NULL OR NOT f.predicate = ANY (p.excluded_predicates))
    AND (p.attributes IS NULL OR coalesce(jsonb_path_match(f.attributes, p.attributes, p.attribute_values, true), false))
    AND (p.valid IS NULL OR lower(f.valid) <@ p.valid OR lower(f.valid) IS NULL AND p.valid_none)
    AND (p.invalid IS NULL OR upper(f.valid) <@ p.invalid OR upper(f.valid) IS NULL AND p.invalid_none)
    AND (p.created IS NULL OR f.created_at <@ p.created)
    AND (p.expired IS NULL OR f.expired_at <@ p.expired OR f.expired_at IS NULL AND p.expired_none)
    AND (p.labels IS NULL AND p.excluded_labels IS NULL OR NOT EXISTS (
        SELECT FROM unnest(ARRAY[f.source_id, f.target_id]) AS n(id)
        JOIN annals.entities e ON e.group_id = @group_id AND e.id = n.id
        WHERE NOT e.labels && p.labels OR e.labels && p.excluded_labels
    ))
    AND (NOT p.episodes OR EXISTS (
        SELECT FROM annals.fact_episodes s
        JOIN annals.episodes e ON e.group_id = @group_id AND e.id = s.episode_id
        WHERE s.group_id = @group_id AND s.fact_id = f.id AND s.role = 'states'
        AND (p.sources IS NULL OR e.source::text = ANY (p.sources))
        AND (p.threads IS NULL OR e.thread_id = ANY (p.threads))
        AND (p.actors IS NULL OR e.actor = ANY (p.actors))
        AND (p.roles IS NULL OR e.role = ANY (p.roles))
        AND (p.occurred IS NULL OR e.occurred_at <@ p.occurred)
        AND (p.metadata IS NULL OR coalesce(jsonb_path_match(e.metadata, p.metadata, p.metadata_values, true), false))
    ));

-- Conditions on episodes hold for an entity that one of those episodes mentions.
-- name: EntitiesPassing :many
WITH p AS MATERIALIZED (
    SELECT * FROM annals.filter_parts(@filter::jsonb) AS p(labels, excluded_labels, predicates, excluded_predicates, sources, threads, actors, roles, attributes,
        attribute_values, metadata, metadata_values, valid, valid_none, invalid, invalid_none, created, expired, expired_none, occurred, episodes)
)
SELECT n.id
FROM p
CROSS JOIN unnest(@ids::uuid[]) AS i(id)
JOIN annals.entities n ON n.group_id = @group_id AND n.id = i.id
WHERE (p.labels IS NULL OR n.labels && p.labels)
    AND (p.excluded_labels IS NULL OR NOT n.labels && p.excluded_labels)
    AND (p.attributes IS NULL OR coalesce(jsonb_path_match(n.attributes, p.attributes, p.attribute_values, true), false))
    AND (p.created IS NULL OR n.created_at <@ p.created)
    AND (NOT p.episodes OR EXISTS (
        SELECT FROM annals.mentions m
        JOIN annals.episodes e ON e.group_id = @group_id AND e.id = m.episode_id
        WHERE m.group_id = @group_id AND m.entity_id = n.id
        AND (p.sources IS NULL OR e.source::text = ANY (p.sources))
        AND (p.threads IS NULL OR e.thread_id = ANY (p.threads))
        AND (p.actors IS NULL OR e.actor = ANY (p.actors))
        AND (p.roles IS NULL OR e.role = ANY (p.roles))
        AND (p.occurred IS NULL OR e.occurred_at <@ p.occurred)
        AND (p.metadata IS NULL OR coalesce(jsonb_path_match(e.metadata, p.metadata, p.metadata_values, true), false))
    ));

-- name: EpisodesPassing :many
WITH p AS MATERIALIZED (
    SELECT * FROM annals.filter_parts(@filter::jsonb) AS p(labels, excluded_labels, predicates, excluded_predicates, sources, threads, actors, roles, attributes,
        attribute_values, metadata, metadata_values, valid, valid_none, invalid, invalid_none, created, expired, expired_none, occurred, episodes)
)
SELECT e.id
FROM p
CROSS JOIN unnest(@ids::uuid[]) AS i(id)
JOIN annals.episodes e ON e.group_id = @group_id AND e.id = i.id
WHERE (p.sources IS NULL OR e.source::text = ANY (p.sources))
        AND (p.threads IS NULL OR e.thread_id = ANY (p.threads))
        AND (p.actors IS NULL OR e.actor = ANY (p.actors))
        AND (p.roles IS NULL OR e.role = ANY (p.roles))
        AND (p.occurred IS NULL OR e.occurred_at <@ p.occurred)
        AND (p.metadata IS NULL OR coalesce(jsonb_path_match(e.metadata, p.metadata, p.metadata_values, true), false));
