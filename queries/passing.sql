-- Which of some rows pass a filter: entities and facts in their current versions.

-- name: FactsPassing :many
SELECT p.id::uuid AS id
FROM annals_internal.facts_passing(@group_id, @filter::jsonb, sqlc.narg('valid_at')::timestamptz, @include_ended::boolean, @ids::uuid[]) AS p(id);

-- name: EntitiesPassing :many
SELECT p.id::uuid AS id FROM annals_internal.entities_passing(@group_id, @filter::jsonb, @ids::uuid[]) AS p(id);

-- name: EpisodesPassing :many
SELECT p.id::uuid AS id FROM annals_internal.episodes_passing(@group_id, @filter::jsonb, @ids::uuid[]) AS p(id);

-- Keeps the entities that pass a filter, in the version that it asks for.
-- name: EntitiesPassingKnown :many
SELECT i.id::uuid AS id
FROM unnest(@ids::uuid[]) AS i(id)
WHERE i.id IN (SELECT annals_internal.entities_matching(@group_id, @filter::jsonb));
