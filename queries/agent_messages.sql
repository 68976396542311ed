-- Recall storage, and the episodes of agents.

-- name: AgentMessageInsert :batchexec
INSERT INTO annals.agent_messages (group_id, agent_id, seq, id, step, role, kind, actor, content, thought, function, arguments,
    call_id, failed, tokens, occurred_at, episode_id, external_id)
VALUES (@group_id, @agent_id, @seq, @id, @step, @role, @kind, @actor, @content, @thought, @function, @arguments, @call_id,
    @failed, @tokens, @occurred_at, sqlc.narg('episode_id'), sqlc.narg('external_id'));

-- name: AgentMessageExists :one
SELECT EXISTS (
    SELECT FROM annals.agent_messages
    WHERE group_id = @group_id AND agent_id = @agent_id AND external_id = @external_id::text
);

-- Stores how many tokens a message takes, if that has changed.
-- name: AgentMessageRecount :batchexec
UPDATE annals.agent_messages
SET tokens = @tokens
WHERE group_id = @group_id AND agent_id = @agent_id AND seq = @seq;

-- Lists the messages of an agent from a given one on, without expired ones.
-- name: AgentMessagesFrom :many
SELECT * FROM annals.agent_messages
WHERE group_id = @group_id AND agent_id = @agent_id AND seq >= @first::bigint
    AND (episode_id IS NULL OR episode_id NOT IN (SELECT annals_internal.expired(@group_id::text, 'episode', now())))
ORDER BY seq
LIMIT @max_rows::int;

-- Lists the messages in an agent's context, without expired ones. A subquery reads first where it
-- begins, so that no plan starts from all messages of the agent.
-- name: AgentQueue :many
SELECT m.* FROM annals.agent_messages m
WHERE m.group_id = @group_id AND m.agent_id = @agent_id
    AND m.seq >= (SELECT a.queue_start FROM annals.agents a WHERE a.group_id = @group_id AND a.id = @agent_id)
    AND (m.episode_id IS NULL OR m.episode_id NOT IN (SELECT annals_internal.expired(@group_id::text, 'episode', now())))
ORDER BY m.seq
LIMIT @max_rows::int;

-- Reads the event that began the turn of an agent if it has left the context, and has not expired.
-- name: AgentEventBefore :one
SELECT m.* FROM annals.agent_messages m
WHERE m.group_id = @group_id AND m.agent_id = @agent_id
    AND m.seq = (
        SELECT e.seq FROM annals.agent_messages e
        WHERE e.group_id = @group_id AND e.agent_id = @agent_id AND e.seq < @before::bigint AND e.step = 0
        ORDER BY e.seq DESC
        LIMIT 1
    )
    AND (m.episode_id IS NULL OR m.episode_id NOT IN (SELECT annals_internal.expired(@group_id::text, 'episode', now())));

-- Lists the messages by or to the user in a time range, the newest first, with their total count.
-- The end of the range is excluded.
-- name: AgentMessagesBetween :many
SELECT seq, role, actor, content, occurred_at, episode_id, count(*) OVER () AS total
FROM annals.agent_messages
WHERE group_id = @group_id AND agent_id = @agent_id AND role = ANY(@roles::text[])
    AND (kind = 'message' OR kind = 'call' AND function = 'send_message' AND content <> '')
    AND (episode_id IS NULL OR episode_id NOT IN (SELECT annals_internal.expired(@group_id::text, 'episode', now())))
    AND (sqlc.narg('before')::bigint IS NULL OR seq < sqlc.narg('before'))
    AND (sqlc.narg('since')::timestamptz IS NULL OR occurred_at >= sqlc.narg('since'))
    AND (sqlc.narg('until')::timestamptz IS NULL OR occurred_at < sqlc.narg('until'))
ORDER BY occurred_at DESC, seq DESC
LIMIT @max_rows::int OFFSET @skip::int;

-- Lets the graph read the messages by or to the user, up to a given one.
-- name: AgentEpisodesRelease :execrows
UPDATE annals.episodes e
SET deferred = false
FROM annals.agent_messages m
WHERE m.group_id = @group_id AND m.agent_id = @agent_id AND m.seq BETWEEN @first::bigint AND @last::bigint
    AND m.role IN ('user', 'assistant')
    AND e.group_id = m.group_id AND e.id = m.episode_id AND e.deferred;

-- Removes the episodes that an agent kept in its threads.
-- name: AgentEpisodesDelete :execrows
DELETE FROM annals.episodes
WHERE group_id = @group_id AND thread_id = ANY(@threads::text[]);

-- name: AgentFileChunksDelete :execrows
DELETE FROM annals.episodes
WHERE group_id = @group_id AND thread_id = @thread_id AND name = @name;

-- name: AgentFileInsert :exec
INSERT INTO annals.agent_files (group_id, agent_id, id, name, content, lines, chunks)
VALUES (@group_id, @agent_id, @id, @name, @content, @lines, @chunks);

-- name: AgentFileDelete :execrows
DELETE FROM annals.agent_files
WHERE group_id = @group_id AND agent_id = @agent_id AND name = @name;

-- name: AgentFiles :many
SELECT id, name, lines, chunks, open_from, open_to, created_at
FROM annals.agent_files
WHERE group_id = @group_id AND agent_id = @agent_id
ORDER BY name;

-- Reads the open lines of documents. A document may be large, so it does not read all of it.
-- name: AgentFilesOpen :many
SELECT name, array_to_string((string_to_array(content, E'\n'))[open_from + 1:open_to], E'\n')::text AS content,
    open_from::int AS open_from, open_to::int AS open_to
FROM annals.agent_files
WHERE group_id = @group_id AND agent_id = @agent_id AND opened_at IS NOT NULL
ORDER BY name;

-- name: AgentFileGet :one
SELECT id, name, content, lines, chunks
FROM annals.agent_files
WHERE group_id = @group_id AND agent_id = @agent_id AND name = @name;

-- Opens lines of a file.
-- name: AgentFileOpen :exec
UPDATE annals.agent_files
SET open_from = @open_from::int, open_to = @open_to::int, opened_at = statement_timestamp()
WHERE group_id = @group_id AND agent_id = @agent_id AND name = @name;

-- Closes the least recently opened files beyond a number.
-- name: AgentFilesClose :many
WITH open AS (
    SELECT f.id FROM annals.agent_files f
    WHERE f.group_id = @group_id AND f.agent_id = @agent_id AND f.opened_at IS NOT NULL
    ORDER BY f.opened_at DESC, f.id
    OFFSET @keep::int
)
UPDATE annals.agent_files c
SET open_from = NULL, open_to = NULL, opened_at = NULL
WHERE c.group_id = @group_id AND c.agent_id = @agent_id AND c.id IN (SELECT o.id FROM open o)
RETURNING c.name;
