-- Agents that manage a memory of their own (MemGPT): their messages, blocks,
-- files and steps.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(12);

-- The context consists of the instructions, the blocks, the summary of evicted
-- messages, and the messages from queue_start on. A step changes all of it in one
-- transaction and increments steps, so that a crash leaves whole steps only.
CREATE TABLE annals.agents (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL CHECK (name <> '' AND octet_length(name) <= 512),
    instructions text NOT NULL DEFAULT '',
    settings jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object'),
    summary text NOT NULL DEFAULT '',
    queue_start bigint NOT NULL DEFAULT 1 CHECK (queue_start > 0),
    last_seq bigint NOT NULL DEFAULT 0 CHECK (last_seq >= 0),
    passages bigint NOT NULL DEFAULT 0 CHECK (passages >= 0),
    steps bigint NOT NULL DEFAULT 0 CHECK (steps >= 0),
    turn_steps integer NOT NULL DEFAULT 0 CHECK (turn_steps >= 0),
    awaiting boolean NOT NULL DEFAULT false,
    warned boolean NOT NULL DEFAULT false,
    heartbeat_seconds integer CHECK (heartbeat_seconds > 0),
    heartbeat_at timestamptz,
    paused_until timestamptz,
    consolidated_seq bigint NOT NULL DEFAULT 0 CHECK (consolidated_seq >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, id),
    CONSTRAINT agents_name UNIQUE (group_id, name)
);
COMMENT ON TABLE annals.agents IS 'Agents that manage a memory of their own: their context and progress.';
COMMENT ON COLUMN annals.agents.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.agents.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.agents.name IS 'Its name, unique in the group.';
COMMENT ON COLUMN annals.agents.instructions IS 'Instructions of the operator; the agent cannot change them.';
COMMENT ON COLUMN annals.agents.settings IS 'Size of its context and its permissions, as JSON. Missing settings have their defaults.';
COMMENT ON COLUMN annals.agents.summary IS 'Summary of the conversation before the messages in its context.';
COMMENT ON COLUMN annals.agents.queue_start IS 'Number of the first message in its context; earlier ones were evicted.';
COMMENT ON COLUMN annals.agents.last_seq IS 'Number of its last message.';
COMMENT ON COLUMN annals.agents.passages IS 'Number of passages in its archive.';
COMMENT ON COLUMN annals.agents.steps IS 'Number of steps it has taken: answers of its model, and evictions.';
COMMENT ON COLUMN annals.agents.turn_steps IS 'Number of answers of its model in the current turn.';
COMMENT ON COLUMN annals.agents.awaiting IS 'True if the model is asked next: a message arrived, or the agent asked to continue.';
COMMENT ON COLUMN annals.agents.warned IS 'True if it was warned about a full context since the last eviction.';
COMMENT ON COLUMN annals.agents.heartbeat_seconds IS 'Interval in seconds at which it is woken; NULL: never.';
COMMENT ON COLUMN annals.agents.heartbeat_at IS 'Time it is woken next; NULL: never.';
COMMENT ON COLUMN annals.agents.paused_until IS 'Time until which it asked not to be woken; NULL: not paused.';
COMMENT ON COLUMN annals.agents.consolidated_seq IS 'Number of the last message consolidated into its blocks.';
COMMENT ON COLUMN annals.agents.created_at IS 'Time it was created.';

CREATE INDEX agents_heartbeat ON annals.agents (group_id, heartbeat_at) WHERE heartbeat_at IS NOT NULL;
COMMENT ON INDEX annals.agents_heartbeat IS 'Finds the agents due to be woken.';

CREATE TABLE annals.agent_messages (
    group_id text NOT NULL,
    agent_id uuid NOT NULL,
    seq bigint NOT NULL CHECK (seq > 0),
    id uuid NOT NULL,
    step bigint NOT NULL DEFAULT 0,
    role text COLLATE "C" NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    kind text COLLATE "C" NOT NULL CHECK (kind <> ''),
    actor text NOT NULL DEFAULT '',
    content text NOT NULL DEFAULT '',
    thought text NOT NULL DEFAULT '',
    function text NOT NULL DEFAULT '',
    arguments text NOT NULL DEFAULT '',
    call_id text NOT NULL DEFAULT '',
    failed boolean NOT NULL DEFAULT false,
    tokens integer NOT NULL CHECK (tokens >= 0),
    occurred_at timestamptz NOT NULL,
    episode_id uuid,
    external_id text CHECK (external_id <> ''),
    PRIMARY KEY (group_id, agent_id, seq),
    CONSTRAINT agent_messages_id UNIQUE (group_id, id),
    CONSTRAINT agent_messages_external_id UNIQUE (group_id, agent_id, external_id),
    FOREIGN KEY (group_id, agent_id) REFERENCES annals.agents ON DELETE CASCADE,
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
);
COMMENT ON TABLE annals.agent_messages IS 'Recall storage: every message that an agent received, sent or got as a result, in order.';
COMMENT ON COLUMN annals.agent_messages.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.agent_messages.agent_id IS 'The agent.';
COMMENT ON COLUMN annals.agent_messages.seq IS 'Number of the message, from 1, without gaps unless messages were erased.';
COMMENT ON COLUMN annals.agent_messages.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.agent_messages.step IS 'The step that produced it; 0: it came from outside.';
COMMENT ON COLUMN annals.agent_messages.role IS 'Role of the sender: user, assistant, system or tool.';
COMMENT ON COLUMN annals.agent_messages.kind IS
    'Kind of message: message, login, upload, alert, heartbeat, pressure, call, thought or result.';
COMMENT ON COLUMN annals.agent_messages.actor IS 'Name of the speaker; may be empty.';
COMMENT ON COLUMN annals.agent_messages.content IS 'The text, or the result of a function.';
COMMENT ON COLUMN annals.agent_messages.thought IS 'The inner monologue that came with a call.';
COMMENT ON COLUMN annals.agent_messages.function IS 'The function that was called; empty: none.';
COMMENT ON COLUMN annals.agent_messages.arguments IS 'Arguments of the call, JSON as the model wrote it.';
COMMENT ON COLUMN annals.agent_messages.call_id IS 'Id that a call and its result share.';
COMMENT ON COLUMN annals.agent_messages.failed IS 'True if the function failed.';
COMMENT ON COLUMN annals.agent_messages.tokens IS 'Number of tokens it takes in the context.';
COMMENT ON COLUMN annals.agent_messages.occurred_at IS 'Time it was said.';
COMMENT ON COLUMN annals.agent_messages.episode_id IS 'The episode with its text, for messages by or to the user; NULL: none.';
COMMENT ON COLUMN annals.agent_messages.external_id IS 'Id that the sender gave it, unique for the agent; NULL: none.';

CREATE INDEX agent_messages_occurred ON annals.agent_messages (group_id, agent_id, occurred_at, seq);
COMMENT ON INDEX annals.agent_messages_occurred IS 'Finds the messages of an agent by time.';
CREATE INDEX agent_messages_episode ON annals.agent_messages (group_id, episode_id) WHERE episode_id IS NOT NULL;
COMMENT ON INDEX annals.agent_messages_episode IS 'Finds the messages with an episode, to erase both together.';

-- version counts edits. cursor is the version whose content is shown. parent is
-- the version that it was edited from. redo lists the versions that can be
-- restored after an undo.
CREATE TABLE annals.blocks (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    label text COLLATE "C" NOT NULL CHECK (label <> '' AND octet_length(label) <= 512),
    description text NOT NULL DEFAULT '',
    value text NOT NULL DEFAULT '',
    char_limit integer NOT NULL CHECK (char_limit > 0),
    read_only boolean NOT NULL DEFAULT false,
    edited_by text NOT NULL DEFAULT '',
    version bigint NOT NULL DEFAULT 1 CHECK (version > 0),
    cursor bigint NOT NULL DEFAULT 1,
    parent bigint NOT NULL DEFAULT 0,
    redo bigint[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    recorded tstzrange NOT NULL DEFAULT tstzrange(annals_internal.recorded_now(), NULL)
        CHECK (NOT isempty(recorded) AND upper_inf(recorded)),
    PRIMARY KEY (group_id, id),
    CONSTRAINT blocks_within_limit CHECK (char_length(value) <= char_limit)
);
COMMENT ON TABLE annals.blocks IS
    'Working context: texts of limited length that agents always see and may edit. Several agents may share one.';
COMMENT ON COLUMN annals.blocks.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.blocks.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.blocks.label IS 'Name that agents use for it, such as persona or human.';
COMMENT ON COLUMN annals.blocks.description IS 'Its purpose; agents see it.';
COMMENT ON COLUMN annals.blocks.value IS 'The text.';
COMMENT ON COLUMN annals.blocks.char_limit IS 'Number of characters it may have.';
COMMENT ON COLUMN annals.blocks.read_only IS 'True if agents cannot edit it.';
COMMENT ON COLUMN annals.blocks.edited_by IS 'Name of the agent or person that wrote this version.';
COMMENT ON COLUMN annals.blocks.version IS 'Number of the version, from 1.';
COMMENT ON COLUMN annals.blocks.cursor IS 'The version whose content this is; an older one after an undo.';
COMMENT ON COLUMN annals.blocks.parent IS 'The version that the edit at the cursor was based on; 0: none.';
COMMENT ON COLUMN annals.blocks.redo IS 'The undone versions, latest first.';
COMMENT ON COLUMN annals.blocks.created_at IS 'Time it was created.';
COMMENT ON COLUMN annals.blocks.recorded IS 'Time range in which this version was current, half-open; no upper bound while it still is.';

CREATE TABLE annals_internal.blocks_history (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    label text COLLATE "C" NOT NULL,
    description text NOT NULL,
    value text NOT NULL,
    char_limit integer NOT NULL,
    read_only boolean NOT NULL,
    edited_by text NOT NULL,
    version bigint NOT NULL,
    cursor bigint NOT NULL,
    parent bigint NOT NULL,
    redo bigint[] NOT NULL,
    created_at timestamptz NOT NULL,
    recorded tstzrange NOT NULL CHECK (NOT isempty(recorded) AND NOT upper_inf(recorded)),
    PRIMARY KEY (group_id, id, version),
    EXCLUDE USING gist (group_id WITH =, id WITH =, recorded WITH &&)
);
COMMENT ON TABLE annals_internal.blocks_history IS 'Former versions of blocks, written by triggers.';
COMMENT ON COLUMN annals_internal.blocks_history.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.blocks_history.id IS 'The block.';
COMMENT ON COLUMN annals_internal.blocks_history.label IS 'Name that agents used for it.';
COMMENT ON COLUMN annals_internal.blocks_history.description IS 'Its purpose.';
COMMENT ON COLUMN annals_internal.blocks_history.value IS 'The text.';
COMMENT ON COLUMN annals_internal.blocks_history.char_limit IS 'Number of characters it could have.';
COMMENT ON COLUMN annals_internal.blocks_history.read_only IS 'True if agents could not edit it.';
COMMENT ON COLUMN annals_internal.blocks_history.edited_by IS 'Name of the agent or person that wrote this version.';
COMMENT ON COLUMN annals_internal.blocks_history.version IS 'Number of the version.';
COMMENT ON COLUMN annals_internal.blocks_history.cursor IS 'The version whose content it had.';
COMMENT ON COLUMN annals_internal.blocks_history.parent IS 'The version that the edit at the cursor was based on; 0: none.';
COMMENT ON COLUMN annals_internal.blocks_history.redo IS 'The undone versions at that time, latest first.';
COMMENT ON COLUMN annals_internal.blocks_history.created_at IS 'Time the block was created.';
COMMENT ON COLUMN annals_internal.blocks_history.recorded IS 'Time range in which this version was current, half-open.';

CREATE VIEW annals.block_versions WITH (security_invoker = true) AS
SELECT b.*, true AS is_current
FROM annals.blocks b
UNION ALL
SELECT h.*, false
FROM annals_internal.blocks_history h;
COMMENT ON VIEW annals.block_versions IS 'Every version of every block, former and current.';
COMMENT ON COLUMN annals.block_versions.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.block_versions.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.block_versions.label IS 'Name that agents use for it, such as persona or human.';
COMMENT ON COLUMN annals.block_versions.description IS 'Its purpose; agents see it.';
COMMENT ON COLUMN annals.block_versions.value IS 'The text.';
COMMENT ON COLUMN annals.block_versions.char_limit IS 'Number of characters it may have.';
COMMENT ON COLUMN annals.block_versions.read_only IS 'True if agents cannot edit it.';
COMMENT ON COLUMN annals.block_versions.edited_by IS 'Name of the agent or person that wrote this version.';
COMMENT ON COLUMN annals.block_versions.version IS 'Number of the version, from 1.';
COMMENT ON COLUMN annals.block_versions.cursor IS 'The version whose content this is; an older one after an undo.';
COMMENT ON COLUMN annals.block_versions.parent IS 'The version that the edit at the cursor was based on; 0: none.';
COMMENT ON COLUMN annals.block_versions.redo IS 'The undone versions, latest first.';
COMMENT ON COLUMN annals.block_versions.created_at IS 'Time it was created.';
COMMENT ON COLUMN annals.block_versions.recorded IS 'Time range in which this version was current, half-open; no upper bound while it still is.';
COMMENT ON COLUMN annals.block_versions.is_current IS 'True for the version that agents see now.';

-- Stores the old version of a block, and numbers the new one. A version that ends
-- in its own transaction gets a range of one microsecond: an agent may edit a
-- block twice in one step, and undo needs both versions.
CREATE FUNCTION annals_internal.keep_block_history() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ended timestamptz := coalesce(annals_internal.version_end(lower(OLD.recorded)), lower(OLD.recorded) + interval '1 microsecond');
BEGIN
    IF EXISTS (SELECT FROM annals.groups WHERE group_id = OLD.group_id) THEN
        INSERT INTO annals_internal.blocks_history
        VALUES (OLD.group_id, OLD.id, OLD.label, OLD.description, OLD.value, OLD.char_limit, OLD.read_only, OLD.edited_by,
            OLD.version, OLD.cursor, OLD.parent, OLD.redo, OLD.created_at, tstzrange(lower(OLD.recorded), ended));
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    NEW.recorded := tstzrange(ended, NULL);
    NEW.version := OLD.version + 1;
    IF NEW.cursor = OLD.cursor THEN -- an edit, and not an undo or redo
        NEW.cursor := NEW.version;
        NEW.parent := OLD.cursor;
        NEW.redo := '{}';
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.keep_block_history() IS 'Trigger: stores the old version of a block and numbers the new one.';

CREATE TRIGGER history_update BEFORE UPDATE ON annals.blocks
    FOR EACH ROW WHEN ((OLD.label, OLD.description, OLD.value, OLD.char_limit, OLD.read_only, OLD.cursor)
        IS DISTINCT FROM (NEW.label, NEW.description, NEW.value, NEW.char_limit, NEW.read_only, NEW.cursor))
    EXECUTE FUNCTION annals_internal.keep_block_history();
COMMENT ON TRIGGER history_update ON annals.blocks IS 'Stores the old version of a changed block in blocks_history.';
CREATE TRIGGER history_delete BEFORE DELETE ON annals.blocks
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_block_history();
COMMENT ON TRIGGER history_delete ON annals.blocks IS 'Stores the last version of a removed block in blocks_history.';

CREATE TABLE annals.agent_blocks (
    group_id text NOT NULL,
    agent_id uuid NOT NULL,
    block_id uuid NOT NULL,
    place integer NOT NULL DEFAULT 0,
    PRIMARY KEY (group_id, agent_id, block_id),
    FOREIGN KEY (group_id, agent_id) REFERENCES annals.agents ON DELETE CASCADE,
    FOREIGN KEY (group_id, block_id) REFERENCES annals.blocks ON DELETE CASCADE
);
COMMENT ON TABLE annals.agent_blocks IS 'Links each agent to the blocks it sees.';
COMMENT ON COLUMN annals.agent_blocks.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.agent_blocks.agent_id IS 'The agent.';
COMMENT ON COLUMN annals.agent_blocks.block_id IS 'The block.';
COMMENT ON COLUMN annals.agent_blocks.place IS 'Position among the blocks of the agent.';

CREATE INDEX agent_blocks_block ON annals.agent_blocks (group_id, block_id);
COMMENT ON INDEX annals.agent_blocks_block IS 'Finds the agents that see a block.';

-- The parts of a file are episodes, like passages. The whole text is stored here,
-- for reading by lines.
CREATE TABLE annals.agent_files (
    group_id text NOT NULL,
    agent_id uuid NOT NULL,
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL CHECK (name <> '' AND octet_length(name) <= 512),
    content text NOT NULL,
    lines integer NOT NULL CHECK (lines >= 0),
    chunks integer NOT NULL CHECK (chunks >= 0),
    open_from integer,
    open_to integer,
    opened_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, agent_id, id),
    CONSTRAINT agent_files_name UNIQUE (group_id, agent_id, name),
    CONSTRAINT agent_files_open CHECK ((open_from IS NULL) = (open_to IS NULL) AND (open_from IS NULL) = (opened_at IS NULL)),
    FOREIGN KEY (group_id, agent_id) REFERENCES annals.agents ON DELETE CASCADE
);
COMMENT ON TABLE annals.agent_files IS 'Documents attached to an agent, word for word.';
COMMENT ON COLUMN annals.agent_files.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.agent_files.agent_id IS 'The agent.';
COMMENT ON COLUMN annals.agent_files.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.agent_files.name IS 'Its name, unique for the agent.';
COMMENT ON COLUMN annals.agent_files.content IS 'The text.';
COMMENT ON COLUMN annals.agent_files.lines IS 'Number of lines.';
COMMENT ON COLUMN annals.agent_files.chunks IS 'Number of episodes that hold its parts.';
COMMENT ON COLUMN annals.agent_files.open_from IS 'First line in the context of the agent; NULL: closed.';
COMMENT ON COLUMN annals.agent_files.open_to IS 'Last line in the context of the agent; NULL: closed.';
COMMENT ON COLUMN annals.agent_files.opened_at IS 'Time it was opened; NULL: closed.';
COMMENT ON COLUMN annals.agent_files.created_at IS 'Time it was attached.';

CREATE TABLE annals.agent_steps (
    group_id text NOT NULL,
    agent_id uuid NOT NULL,
    step bigint NOT NULL CHECK (step > 0),
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('answer', 'eviction', 'pressure')),
    model text NOT NULL DEFAULT '',
    prompt_tokens integer NOT NULL DEFAULT 0,
    evicted integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    note text NOT NULL DEFAULT '',
    finished_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, agent_id, step),
    FOREIGN KEY (group_id, agent_id) REFERENCES annals.agents ON DELETE CASCADE
);
COMMENT ON TABLE annals.agent_steps IS 'The steps of an agent, one transaction each.';
COMMENT ON COLUMN annals.agent_steps.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.agent_steps.agent_id IS 'The agent.';
COMMENT ON COLUMN annals.agent_steps.step IS 'Number of the step, from 1.';
COMMENT ON COLUMN annals.agent_steps.kind IS
    'Kind of step: answer (the model replied), eviction (messages left the context), pressure (the model was warned of an eviction, or its documents were closed).';
COMMENT ON COLUMN annals.agent_steps.model IS 'The model that was asked, as provider:model; empty: none.';
COMMENT ON COLUMN annals.agent_steps.prompt_tokens IS 'Number of tokens in the context.';
COMMENT ON COLUMN annals.agent_steps.evicted IS 'Number of messages that left the context.';
COMMENT ON COLUMN annals.agent_steps.failures IS 'Number of functions that failed.';
COMMENT ON COLUMN annals.agent_steps.note IS 'Remarks for the operator, such as why a turn ended.';
COMMENT ON COLUMN annals.agent_steps.finished_at IS 'Time it was finished.';

CALL annals_internal.end_migration(12, 'agents');

-- +goose StatementEnd
-- +goose Down

DROP TABLE annals.agent_steps, annals.agent_files, annals.agent_blocks;
DROP TRIGGER history_delete ON annals.blocks;
DROP TRIGGER history_update ON annals.blocks;
DROP FUNCTION annals_internal.keep_block_history;
DROP VIEW annals.block_versions;
DROP TABLE annals_internal.blocks_history, annals.blocks, annals.agent_messages, annals.agents;
DELETE FROM annals.migrations WHERE version = 12;
