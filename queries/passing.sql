-- Which of some rows a filter lets pass, in the version of now.

-- name: FactsPassing :many
SELECT p.id::uuid AS id
FROM annals.facts_passing(@group_id, @filter::jsonb, sqlc.narg('valid_at')::timestamptz, @include_ended::boolean, @ids::uuid[]) AS p(id);

-- name: EntitiesPassing :many
SELECT p.id::uuid AS id FROM annals.entities_passing(@group_id, @filter::jsonb, @ids::uuid[]) AS p(id);

-- name: EpisodesPassing :many
SELECT p.id::uuid AS id FROM annals.episodes_passing(@group_id, @filter::jsonb, @ids::uuid[]) AS p(id);
