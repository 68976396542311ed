-- name: TraceDelete :exec
DELETE FROM annals.traces
WHERE group_id = @group_id AND episode_id = ANY(@episode_ids::uuid[]);

-- Records on an episode that a fact that it states is no longer believed.
-- name: TraceExpired :batchexec
INSERT INTO annals.traces (group_id, episode_id, place, step, decision, subject, reason, fact_id)
SELECT @group_id::text, e.id, (SELECT coalesce(max(t.place), 0) + 1 FROM annals.traces t WHERE t.group_id = @group_id AND t.episode_id = e.id),
    @step::text, @decision::text, @subject::text, @reason::text, @fact_id::uuid
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.id = @episode_id;

-- name: TraceInsert :batchexec
INSERT INTO annals.traces (group_id, episode_id, place, step, decision, subject, reason, entity_id, fact_id)
VALUES (@group_id, @episode_id, @place, @step, @decision, @subject, @reason, sqlc.narg('entity_id'), sqlc.narg('fact_id'));

-- name: TraceList :many
SELECT place, step, decision, subject, reason, entity_id, fact_id
FROM annals.traces
WHERE group_id = @group_id AND episode_id = @episode_id
ORDER BY place;

-- Counts the words of an episode that are not indexed.
-- name: EpisodeLeftOut :one
SELECT coalesce((SELECT e.left_out FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = @id), 0)::integer AS words;
