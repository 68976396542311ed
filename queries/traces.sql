-- name: TraceDelete :exec
DELETE FROM annals.traces
WHERE group_id = @group_id AND episode_id = ANY(@episode_ids::uuid[]);

-- name: TraceInsert :batchexec
INSERT INTO annals.traces (group_id, episode_id, place, step, decision, subject, reason, entity_id, fact_id)
VALUES (@group_id, @episode_id, @place, @step, @decision, @subject, @reason, sqlc.narg('entity_id'), sqlc.narg('fact_id'));

-- name: TraceList :many
SELECT place, step, decision, subject, reason, entity_id, fact_id
FROM annals.traces
WHERE group_id = @group_id AND episode_id = @episode_id
ORDER BY place;
