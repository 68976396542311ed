-- Agents that manage a memory of their own (MemGPT): their messages, blocks,
-- files and steps.
--
-- +goose Up
-- +goose StatementBegin

CALL annals.begin_migration(8);

-- The context is the instructions, the blocks, the summary of what was evicted
-- and the messages from queue_start on. A step changes all of it in one
-- transaction and counts itself, so that a crash leaves whole steps only.
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
COMMENT ON TABLE annals.agents IS 'Agents that manage a memory of their own: what is in their context, and how far they have come.';
COMMENT ON COLUMN annals.agents.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.agents.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.agents.name IS 'What it is called; no two of a group are called alike.';
COMMENT ON COLUMN annals.agents.instructions IS 'What the operator tells it beside how its memory works; it cannot change them.';
COMMENT ON COLUMN annals.agents.settings IS 'How large its context is and what it may do; what is missing has its default.';
COMMENT ON COLUMN annals.agents.summary IS 'What was said before the messages in its context, in short.';
COMMENT ON COLUMN annals.agents.queue_start IS 'The number of the first message in its context; those before were evicted.';
COMMENT ON COLUMN annals.agents.last_seq IS 'The number of its last message.';
COMMENT ON COLUMN annals.agents.passages IS 'How many passages its archive has.';
COMMENT ON COLUMN annals.agents.steps IS 'How many steps it has taken: answers of its model, and evictions.';
COMMENT ON COLUMN annals.agents.turn_steps IS 'How many answers of its model the turn under way has had.';
COMMENT ON COLUMN annals.agents.awaiting IS 'Whether its model is to be asked: it was told something, or asked to go on.';
COMMENT ON COLUMN annals.agents.warned IS 'Whether it was told that its context fills up, since the last eviction.';
COMMENT ON COLUMN annals.agents.heartbeat_seconds IS 'After how many seconds it is woken, again and again. NULL: never.';
COMMENT ON COLUMN annals.agents.heartbeat_at IS 'When it is to be woken next. NULL: never.';
COMMENT ON COLUMN annals.agents.paused_until IS 'Until when it asked not to be woken. NULL: it did not.';
COMMENT ON COLUMN annals.agents.consolidated_seq IS 'The number of the last message that its blocks were consolidated with.';
COMMENT ON COLUMN annals.agents.created_at IS 'When it was made.';

CREATE INDEX agents_heartbeat ON annals.agents (group_id, heartbeat_at) WHERE heartbeat_at IS NOT NULL;

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
COMMENT ON TABLE annals.agent_messages IS 'Recall storage: every message that an agent ever got, said or was answered, in order.';
COMMENT ON COLUMN annals.agent_messages.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.agent_messages.agent_id IS 'The agent.';
COMMENT ON COLUMN annals.agent_messages.seq IS 'Its number, from 1, without gaps unless it was erased.';
COMMENT ON COLUMN annals.agent_messages.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.agent_messages.step IS 'The step it comes from; 0: from outside.';
COMMENT ON COLUMN annals.agent_messages.role IS 'user, assistant, system or tool.';
COMMENT ON COLUMN annals.agent_messages.kind IS 'message, login, upload, alert, heartbeat, pressure, call, thought or result.';
COMMENT ON COLUMN annals.agent_messages.actor IS 'Who said it; may be empty.';
COMMENT ON COLUMN annals.agent_messages.content IS 'What was said, or what a function gave back.';
COMMENT ON COLUMN annals.agent_messages.thought IS 'The inner monologue that came with a call.';
COMMENT ON COLUMN annals.agent_messages.function IS 'The function that was called; empty: none.';
COMMENT ON COLUMN annals.agent_messages.arguments IS 'What it was called with, JSON as the model wrote it.';
COMMENT ON COLUMN annals.agent_messages.call_id IS 'What ties a call to its result.';
COMMENT ON COLUMN annals.agent_messages.failed IS 'Whether the function failed.';
COMMENT ON COLUMN annals.agent_messages.tokens IS 'How many tokens it takes in the context.';
COMMENT ON COLUMN annals.agent_messages.occurred_at IS 'When it was said.';
COMMENT ON COLUMN annals.agent_messages.episode_id IS 'The episode that has its text, for what was said by or to the user. NULL: none.';
COMMENT ON COLUMN annals.agent_messages.external_id IS 'The sender''s own name for it, unique to the agent. NULL: none.';

CREATE INDEX agent_messages_occurred ON annals.agent_messages (group_id, agent_id, occurred_at, seq);
CREATE INDEX agent_messages_episode ON annals.agent_messages (group_id, episode_id) WHERE episode_id IS NOT NULL;

-- Edits count in version. cursor is the version whose content is shown, parent
-- the one it was edited from, redo what can be had again after undoing.
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
    created_at timestamptz NOT NULL DEFAULT annals.clock(),
    recorded tstzrange NOT NULL DEFAULT tstzrange(annals.clock(), NULL)
        CHECK (NOT isempty(recorded) AND upper_inf(recorded)),
    PRIMARY KEY (group_id, id),
    CONSTRAINT blocks_within_limit CHECK (char_length(value) <= char_limit)
);
COMMENT ON TABLE annals.blocks IS 'Working context: texts of bounded length that agents see whole and edit, each shared by one or several.';
COMMENT ON COLUMN annals.blocks.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.blocks.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.blocks.label IS 'What agents call it: persona, human …';
COMMENT ON COLUMN annals.blocks.description IS 'What it is for, which agents are told.';
COMMENT ON COLUMN annals.blocks.value IS 'What it says.';
COMMENT ON COLUMN annals.blocks.char_limit IS 'How many characters it may have.';
COMMENT ON COLUMN annals.blocks.read_only IS 'Whether agents may not edit it.';
COMMENT ON COLUMN annals.blocks.edited_by IS 'Who wrote this version: the name of an agent or of whoever edited it.';
COMMENT ON COLUMN annals.blocks.version IS 'Counts its versions.';
COMMENT ON COLUMN annals.blocks.cursor IS 'The version whose content this is, by edit: an older one after an undo.';
COMMENT ON COLUMN annals.blocks.parent IS 'The version that the edit at the cursor was made on; 0: none.';
COMMENT ON COLUMN annals.blocks.redo IS 'The versions that were undone, the last first.';
COMMENT ON COLUMN annals.blocks.created_at IS 'When it was made.';
COMMENT ON COLUMN annals.blocks.recorded IS 'Since when it says this.';

CREATE TABLE annals.blocks_history (
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
COMMENT ON TABLE annals.blocks_history IS 'What blocks said before, written by trigger.';
COMMENT ON COLUMN annals.blocks_history.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.blocks_history.id IS 'The block.';
COMMENT ON COLUMN annals.blocks_history.label IS 'What agents called it.';
COMMENT ON COLUMN annals.blocks_history.description IS 'What it was for.';
COMMENT ON COLUMN annals.blocks_history.value IS 'What it said.';
COMMENT ON COLUMN annals.blocks_history.char_limit IS 'How many characters it could have.';
COMMENT ON COLUMN annals.blocks_history.read_only IS 'Whether agents could not edit it.';
COMMENT ON COLUMN annals.blocks_history.edited_by IS 'Who wrote this version.';
COMMENT ON COLUMN annals.blocks_history.version IS 'Its number.';
COMMENT ON COLUMN annals.blocks_history.cursor IS 'The version whose content it had.';
COMMENT ON COLUMN annals.blocks_history.parent IS 'The version that the edit at the cursor was made on; 0: none.';
COMMENT ON COLUMN annals.blocks_history.redo IS 'The versions that were undone at that time, the last first.';
COMMENT ON COLUMN annals.blocks_history.created_at IS 'When the block was made.';
COMMENT ON COLUMN annals.blocks_history.recorded IS 'From when until when it said this.';

-- Keeps what a block said, whoever changes it, and counts the version. A
-- version that ends in the very transaction that made it keeps a moment of its
-- own: an agent may edit a block twice in one step, and undo needs both.
CREATE FUNCTION annals.keep_block_history() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ended timestamptz := coalesce(annals.version_end(lower(OLD.recorded)), lower(OLD.recorded) + interval '1 microsecond');
BEGIN
    IF EXISTS (SELECT FROM annals.groups WHERE group_id = OLD.group_id) THEN
        INSERT INTO annals.blocks_history
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
COMMENT ON FUNCTION annals.keep_block_history() IS 'Trigger: keeps what a block said and counts its versions.';

CREATE TRIGGER history_update BEFORE UPDATE ON annals.blocks
    FOR EACH ROW WHEN ((OLD.label, OLD.description, OLD.value, OLD.char_limit, OLD.read_only, OLD.cursor)
        IS DISTINCT FROM (NEW.label, NEW.description, NEW.value, NEW.char_limit, NEW.read_only, NEW.cursor))
    EXECUTE FUNCTION annals.keep_block_history();
CREATE TRIGGER history_delete BEFORE DELETE ON annals.blocks
    FOR EACH ROW EXECUTE FUNCTION annals.keep_block_history();

CREATE TABLE annals.agent_blocks (
    group_id text NOT NULL,
    agent_id uuid NOT NULL,
    block_id uuid NOT NULL,
    place integer NOT NULL DEFAULT 0,
    PRIMARY KEY (group_id, agent_id, block_id),
    FOREIGN KEY (group_id, agent_id) REFERENCES annals.agents ON DELETE CASCADE,
    FOREIGN KEY (group_id, block_id) REFERENCES annals.blocks ON DELETE CASCADE
);
COMMENT ON TABLE annals.agent_blocks IS 'Which agent sees which block.';
COMMENT ON COLUMN annals.agent_blocks.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.agent_blocks.agent_id IS 'The agent.';
COMMENT ON COLUMN annals.agent_blocks.block_id IS 'The block.';
COMMENT ON COLUMN annals.agent_blocks.place IS 'The order in which it sees them.';

CREATE INDEX agent_blocks_block ON annals.agent_blocks (group_id, block_id);

-- The chunks of a file are episodes, as passages are; the whole text is here
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
COMMENT ON COLUMN annals.agent_files.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.agent_files.agent_id IS 'The agent.';
COMMENT ON COLUMN annals.agent_files.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.agent_files.name IS 'What it is called; no two of an agent are called alike.';
COMMENT ON COLUMN annals.agent_files.content IS 'The text.';
COMMENT ON COLUMN annals.agent_files.lines IS 'How many lines it has.';
COMMENT ON COLUMN annals.agent_files.chunks IS 'How many episodes have its parts.';
COMMENT ON COLUMN annals.agent_files.open_from IS 'The first line that is in the agent''s context. NULL: it is closed.';
COMMENT ON COLUMN annals.agent_files.open_to IS 'The last line that is in the agent''s context. NULL: it is closed.';
COMMENT ON COLUMN annals.agent_files.opened_at IS 'When it was opened. NULL: it is closed.';
COMMENT ON COLUMN annals.agent_files.created_at IS 'When it was attached.';

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
COMMENT ON TABLE annals.agent_steps IS 'What an agent did, step by step; each was one transaction.';
COMMENT ON COLUMN annals.agent_steps.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.agent_steps.agent_id IS 'The agent.';
COMMENT ON COLUMN annals.agent_steps.step IS 'Its number, from 1.';
COMMENT ON COLUMN annals.agent_steps.kind IS 'answer: the model said something; eviction: messages left the context; pressure: the model was warned of that.';
COMMENT ON COLUMN annals.agent_steps.model IS 'Who was asked, as provider:model; empty: nobody.';
COMMENT ON COLUMN annals.agent_steps.prompt_tokens IS 'How many tokens the context had.';
COMMENT ON COLUMN annals.agent_steps.evicted IS 'How many messages left the context.';
COMMENT ON COLUMN annals.agent_steps.failures IS 'How many functions failed.';
COMMENT ON COLUMN annals.agent_steps.note IS 'What an operator may want to know: why a summary was made by rule, why a turn was ended.';
COMMENT ON COLUMN annals.agent_steps.finished_at IS 'When it was done.';

CALL annals.end_migration(8, 'agents');

-- +goose StatementEnd
-- +goose Down

DROP TABLE annals.agent_steps, annals.agent_files, annals.agent_blocks;
DROP TRIGGER history_delete ON annals.blocks;
DROP TRIGGER history_update ON annals.blocks;
DROP FUNCTION annals.keep_block_history;
DROP TABLE annals.blocks_history, annals.blocks, annals.agent_messages, annals.agents;
DELETE FROM annals.migrations WHERE version = 8;
