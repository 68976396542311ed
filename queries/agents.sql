-- Agents: their settings, and how far each has come.

-- name: AgentDelete :execrows
DELETE FROM annals.agents
WHERE group_id = @group_id AND id = @id;

-- Reads an agent by its name or its id.
-- name: AgentGet :one
SELECT * FROM annals.agents
WHERE group_id = @group_id AND (name = @name::text OR id = sqlc.narg('id')::uuid);

-- name: AgentInsert :exec
INSERT INTO annals.agents (group_id, id, name, instructions, settings, heartbeat_seconds, heartbeat_at)
VALUES (@group_id, @id, @name, @instructions, @settings, sqlc.narg('heartbeat_seconds')::int,
    now() + sqlc.narg('heartbeat_seconds')::int * interval '1 second');

-- name: AgentList :many
SELECT * FROM annals.agents
WHERE group_id = @group_id AND name > @after::text
ORDER BY name
LIMIT @max_rows::int;

-- Locks an agent until the transaction ends: nobody else writes to it meanwhile.
-- name: AgentLock :one
SELECT * FROM annals.agents
WHERE group_id = @group_id AND id = @id
FOR UPDATE;

-- Lists agents that are due to be woken.
-- name: AgentsDue :many
SELECT id
FROM annals.agents
WHERE group_id = @group_id AND heartbeat_at <= @at::timestamptz
ORDER BY heartbeat_at, id
LIMIT @max_rows::int;

-- Moves the next waking of an agent forward by one period. It returns whether to wake the agent
-- now: if it was due and has not asked for quiet.
-- name: AgentBeat :one
UPDATE annals.agents a
SET heartbeat_at = annals_internal.seconds_after(@at::timestamptz, a.heartbeat_seconds)
WHERE a.group_id = @group_id AND a.id = @id AND a.heartbeat_at <= @at::timestamptz
RETURNING coalesce(a.paused_until <= @at::timestamptz, true)::boolean AS wake;

-- Records how far an agent's memory was tidied up, and how many passages that added.
-- name: AgentConsolidated :exec
UPDATE annals.agents
SET consolidated_seq = greatest(consolidated_seq, @seq::bigint), passages = passages + @added::bigint
WHERE group_id = @group_id AND id = @id;

-- Begins a turn, after the agent was told something.
-- name: AgentTold :exec
UPDATE annals.agents
SET last_seq = @last_seq, awaiting = true, turn_steps = 0
WHERE group_id = @group_id AND id = @id;

-- Records a step and its outcome. It changes nothing if another step was taken meanwhile. It leaves
-- the summary empty if that repeats what was withdrawn meanwhile.
-- name: AgentStep :execrows
WITH stepped AS (
    UPDATE annals.agents a
    SET steps = a.steps + 1, last_seq = @last_seq, turn_steps = @turn_steps, awaiting = @awaiting, warned = @warned,
        queue_start = @queue_start, passages = @passages,
        summary = CASE WHEN @summary::text <> a.summary AND EXISTS (SELECT FROM annals_internal.sentences_restating(a.group_id, @summary::text, '', true)) THEN '' ELSE @summary END
    WHERE a.group_id = @group_id AND a.id = @agent_id AND a.steps = @expected_steps
    RETURNING a.group_id, a.id, a.steps
)
INSERT INTO annals.agent_steps (group_id, agent_id, step, kind, model, prompt_tokens, evicted, failures, note)
SELECT s.group_id, s.id, s.steps, @kind, @model, @prompt_tokens, @evicted, @failures, @note
FROM stepped s;

-- name: AgentPause :exec
UPDATE annals.agents
SET paused_until = @until::timestamptz
WHERE group_id = @group_id AND id = @id;

-- name: AgentConfigure :execrows
UPDATE annals.agents
SET instructions = @instructions, settings = @settings,
    heartbeat_seconds = sqlc.narg('heartbeat_seconds')::int,
    heartbeat_at = now() + sqlc.narg('heartbeat_seconds')::int * interval '1 second'
WHERE group_id = @group_id AND id = @id;

-- Lists groups with agents that are due to be woken.
-- name: AgentGroupsDue :many
SELECT DISTINCT group_id
FROM annals.agents
WHERE heartbeat_at <= now()
ORDER BY group_id;

-- Lists groups with agents whose memory is due to be tidied up, by the rule of AgentsRested. Settings
-- that SQL or an import wrote may be any: those of one group must not fail the query for all.
-- name: AgentGroupsRested :many
SELECT DISTINCT a.group_id
FROM annals.agents a
CROSS JOIN LATERAL (
    SELECT l.finished_at FROM annals.agent_steps l
    WHERE l.group_id = a.group_id AND l.agent_id = a.id
    ORDER BY l.step DESC
    LIMIT 1
) s
WHERE NOT a.awaiting AND a.last_seq > a.consolidated_seq AND (a.settings -> 'no_sleep') IS DISTINCT FROM 'true'
    AND annals_internal.seconds_after(s.finished_at, CASE jsonb_typeof(a.settings -> 'sleep_seconds')
        WHEN 'number' THEN least(greatest((a.settings -> 'sleep_seconds')::numeric, 0), 2147483647) ELSE @sleep_seconds::int END) < now()
    AND EXISTS (SELECT FROM annals.agent_blocks b WHERE b.group_id = a.group_id AND b.agent_id = a.id)
ORDER BY a.group_id;

-- Lists agents that were told something since their memory was last tidied up, and whose last step
-- is long enough ago. Erasing counts as a step, though it leaves no row.
-- name: AgentsRested :many
SELECT a.id
FROM annals.agents a
CROSS JOIN LATERAL (
    SELECT l.finished_at FROM annals.agent_steps l
    WHERE l.group_id = @group_id AND l.agent_id = a.id
    ORDER BY l.step DESC
    LIMIT 1
) s
WHERE a.group_id = @group_id AND NOT a.awaiting AND a.last_seq > a.consolidated_seq
    AND (a.settings -> 'no_sleep') IS DISTINCT FROM 'true'
    AND annals_internal.seconds_after(s.finished_at, CASE jsonb_typeof(a.settings -> 'sleep_seconds')
        WHEN 'number' THEN least(greatest((a.settings -> 'sleep_seconds')::numeric, 0), 2147483647) ELSE @sleep_seconds::int END) < @at::timestamptz
    AND EXISTS (SELECT FROM annals.agent_blocks b WHERE b.group_id = @group_id AND b.agent_id = a.id)
ORDER BY s.finished_at, a.id
LIMIT @max_rows::int;
