-- The queue from which workers take groups with waiting episodes. Its tables
-- are River's (https://riverqueue.com), in the schema annals_queue, as the
-- release of River that Annals is built with makes them: a test compares. They
-- stand apart from the memory: their keys are River's own, no tenant sees them,
-- no export has them, and nothing is lost with them: the episodes themselves
-- say what waits.
--
-- +goose Up
-- +goose StatementBegin

CALL annals.begin_migration(6);

CREATE SCHEMA annals_queue;
COMMENT ON SCHEMA annals_queue IS 'What workers have to do: the tables of River, and how groups come into them.';

CREATE TYPE annals_queue.river_job_state AS ENUM (
    'available', 'cancelled', 'completed', 'discarded', 'pending', 'retryable', 'running', 'scheduled'
);
COMMENT ON TYPE annals_queue.river_job_state IS 'How far a job has come.';

-- Which of River's own migrations this stands for: its tools ask.
CREATE TABLE annals_queue.river_migration (
    line text NOT NULL CONSTRAINT line_length CHECK (char_length(line) > 0 AND char_length(line) < 128),
    version bigint NOT NULL CONSTRAINT version_gte_1 CHECK (version >= 1),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT river_migration_pkey1 PRIMARY KEY (line, version)
);
COMMENT ON TABLE annals_queue.river_migration IS 'Which of River''s migrations these tables stand for.';
INSERT INTO annals_queue.river_migration (line, version) SELECT 'main', v FROM generate_series(1, 8) AS v;

-- In River's words, as its index and its client name it.
CREATE FUNCTION annals_queue.river_job_state_in_bitmask(bitmask bit(8), state annals_queue.river_job_state) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN CASE state
    WHEN 'available' THEN get_bit(bitmask, 7)
    WHEN 'cancelled' THEN get_bit(bitmask, 6)
    WHEN 'completed' THEN get_bit(bitmask, 5)
    WHEN 'discarded' THEN get_bit(bitmask, 4)
    WHEN 'pending' THEN get_bit(bitmask, 3)
    WHEN 'retryable' THEN get_bit(bitmask, 2)
    WHEN 'running' THEN get_bit(bitmask, 1)
    WHEN 'scheduled' THEN get_bit(bitmask, 0)
    ELSE 0
END = 1;
COMMENT ON FUNCTION annals_queue.river_job_state_in_bitmask(bit, annals_queue.river_job_state) IS
    'Whether a job counts as one of its kind in this state.';

CREATE TABLE annals_queue.river_job (
    id bigserial PRIMARY KEY,
    state annals_queue.river_job_state NOT NULL DEFAULT 'available',
    attempt smallint NOT NULL DEFAULT 0,
    max_attempts smallint NOT NULL DEFAULT 25 CONSTRAINT max_attempts_is_positive CHECK (max_attempts > 0),
    attempted_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    finalized_at timestamptz,
    scheduled_at timestamptz NOT NULL DEFAULT now(),
    priority smallint NOT NULL DEFAULT 1 CONSTRAINT priority_in_range CHECK (priority >= 1 AND priority <= 4),
    args jsonb NOT NULL,
    attempted_by text[],
    errors jsonb[],
    kind text NOT NULL CONSTRAINT kind_length CHECK (char_length(kind) > 0 AND char_length(kind) < 128),
    metadata jsonb NOT NULL DEFAULT '{}',
    queue text NOT NULL DEFAULT 'default' CONSTRAINT queue_length CHECK (char_length(queue) > 0 AND char_length(queue) < 128),
    tags varchar(255)[] NOT NULL DEFAULT '{}',
    unique_key bytea,
    unique_states bit(8),
    CONSTRAINT finalized_or_finalized_at_null CHECK (
        (finalized_at IS NULL AND state NOT IN ('cancelled', 'completed', 'discarded'))
        OR (finalized_at IS NOT NULL AND state IN ('cancelled', 'completed', 'discarded'))
    )
);
CREATE INDEX river_job_args_index ON annals_queue.river_job USING gin (args);
CREATE INDEX river_job_kind ON annals_queue.river_job (kind);
CREATE INDEX river_job_metadata_index ON annals_queue.river_job USING gin (metadata);
CREATE INDEX river_job_prioritized_fetching_index ON annals_queue.river_job (state, queue, priority, scheduled_at, id);
CREATE INDEX river_job_state_and_finalized_at_index ON annals_queue.river_job (state, finalized_at) WHERE finalized_at IS NOT NULL;
CREATE UNIQUE INDEX river_job_unique_idx ON annals_queue.river_job (unique_key)
    WHERE unique_key IS NOT NULL AND unique_states IS NOT NULL
        AND annals_queue.river_job_state_in_bitmask(unique_states, state);
COMMENT ON TABLE annals_queue.river_job IS 'The jobs that wait, run and ended.';

CREATE UNLOGGED TABLE annals_queue.river_leader (
    elected_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    leader_id text NOT NULL CONSTRAINT leader_id_length CHECK (char_length(leader_id) > 0 AND char_length(leader_id) < 128),
    name text NOT NULL DEFAULT 'default' PRIMARY KEY CONSTRAINT name_length CHECK (name = 'default')
);
COMMENT ON TABLE annals_queue.river_leader IS 'Which worker looks after the queue itself.';

CREATE TABLE annals_queue.river_notification (
    id bigserial PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    payload text NOT NULL,
    topic text NOT NULL CONSTRAINT topic_length CHECK (length(topic) > 0 AND length(topic) < 128)
);
CREATE INDEX river_notification_created_at_idx ON annals_queue.river_notification (created_at);
CREATE INDEX river_notification_topic_id_idx ON annals_queue.river_notification (topic, id);
COMMENT ON TABLE annals_queue.river_notification IS 'What workers tell each other where LISTEN is not to be had.';

CREATE TABLE annals_queue.river_queue (
    name text PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    metadata jsonb NOT NULL DEFAULT '{}',
    paused_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP
);
COMMENT ON TABLE annals_queue.river_queue IS 'The queues that were seen, and those that are paused.';

-- The job that reads what waits in a group. There is at most one that waits:
-- River's unique key, in the state available alone. A job that runs is not
-- counted, as it may have looked for the last time already.
CREATE FUNCTION annals_queue.drain_key(group_id text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.textcat('drain:', group_id), 'UTF8'));
COMMENT ON FUNCTION annals_queue.drain_key(text) IS 'River''s unique key of the job that reads a group.';

-- What an adder holds, shared, until its transaction ends: a job may end only
-- while nobody does, or it would miss what is about to come.
CREATE FUNCTION annals_queue.adding_key(group_id text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN pg_catalog.hashtextextended(pg_catalog.textcat('annals.adding:', group_id), 0);
COMMENT ON FUNCTION annals_queue.adding_key(text) IS 'The advisory lock that whoever adds to a group holds.';

-- Has a group's waiting episodes be read, in the transaction that adds them.
-- The next episode of the same transaction and group costs nothing: no job ends
-- meanwhile without leaving another.
CREATE FUNCTION annals_queue.enqueue(group_id text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    key bytea;
BEGIN
    IF current_setting('annals.enqueued', true) = group_id
        OR to_regclass('annals_queue.river_job') IS NULL THEN -- a server of a cluster, not the one that has the queue
        RETURN;
    END IF;
    key := annals_queue.drain_key(group_id);
    PERFORM pg_advisory_xact_lock_shared(annals_queue.adding_key(group_id)), set_config('annals.enqueued', group_id, true);
    IF EXISTS (SELECT FROM annals_queue.river_job j WHERE j.unique_key = key AND j.unique_states IS NOT NULL
        AND annals_queue.river_job_state_in_bitmask(j.unique_states, j.state)) THEN
        RETURN;
    END IF;
    INSERT INTO annals_queue.river_job AS j (args, kind, max_attempts, queue, scheduled_at, unique_key, unique_states)
    VALUES (jsonb_build_object('group_id', group_id), 'drain', 25, 'episodes', clock_timestamp(),
        key, B'00000001') -- the state available
    ON CONFLICT (unique_key) WHERE unique_key IS NOT NULL AND unique_states IS NOT NULL
        AND annals_queue.river_job_state_in_bitmask(unique_states, state)
    DO NOTHING;
    IF FOUND THEN
        PERFORM pg_notify('annals_queue.river_insert', '{"queue":"episodes"}');
    END IF;
END
$$;
COMMENT ON FUNCTION annals_queue.enqueue(text) IS 'Has a group''s waiting episodes be read.';

-- These run as the owner, for whoever adds an episode: the rows that they see
-- were let through by row-level security. Nobody may attach them elsewhere.
CREATE FUNCTION annals_queue.enqueue_added() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_queue.enqueue(n.group_id)
    FROM (SELECT DISTINCT r.group_id FROM new_rows r WHERE r.state = 'pending' ORDER BY r.group_id) n;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_queue.enqueue_added() IS 'Trigger: has added episodes be read.';

CREATE TRIGGER enqueue_added AFTER INSERT ON annals.episodes
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_queue.enqueue_added();

CREATE FUNCTION annals_queue.enqueue_again() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_queue.enqueue(NEW.group_id);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_queue.enqueue_again() IS 'Trigger: has an episode be read again.';

CREATE TRIGGER enqueue_again AFTER UPDATE OF state, deferred ON annals.episodes
    FOR EACH ROW WHEN (NEW.state = 'pending' AND (OLD.state <> 'pending' OR OLD.deferred AND NOT NEW.deferred))
    EXECUTE FUNCTION annals_queue.enqueue_again();

-- Leaves nothing of a group that goes.
CREATE FUNCTION annals_queue.forget_group() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF to_regclass('annals_queue.river_job') IS NOT NULL THEN
        DELETE FROM annals_queue.river_job j USING old_rows o WHERE j.args @> jsonb_build_object('group_id', o.group_id);
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_queue.forget_group() IS 'Trigger: takes a group that goes out of the queue.';

CREATE TRIGGER forget_group AFTER DELETE ON annals.groups
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_queue.forget_group();

-- What the queue has still to do it does: only jobs that ended go whole, of the
-- others why they failed before, which may quote what is erased.
CREATE FUNCTION annals.forget_jobs(erased text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    removed bigint;
BEGIN
    PERFORM annals.check_tenant(erased);
    DELETE FROM annals_queue.river_job j
    WHERE j.args @> jsonb_build_object('group_id', erased) AND j.finalized_at IS NOT NULL;
    GET DIAGNOSTICS removed = ROW_COUNT;
    UPDATE annals_queue.river_job j SET errors = NULL
    WHERE j.args @> jsonb_build_object('group_id', erased) AND j.errors IS NOT NULL;
    RETURN removed;
END
$$;
COMMENT ON FUNCTION annals.forget_jobs(text) IS 'Removes what the queue keeps of a group''s jobs that ended.';

REVOKE EXECUTE ON FUNCTION annals_queue.enqueue(text), annals_queue.enqueue_added(), annals_queue.enqueue_again(), annals_queue.forget_group(),
    annals.forget_jobs(text) FROM PUBLIC;

CALL annals.end_migration(6, 'queue');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals.forget_jobs;
DROP TRIGGER forget_group ON annals.groups;
DROP FUNCTION annals_queue.forget_group;
DROP TRIGGER enqueue_again ON annals.episodes;
DROP FUNCTION annals_queue.enqueue_again;
DROP TRIGGER enqueue_added ON annals.episodes;
DROP FUNCTION annals_queue.enqueue_added, annals_queue.enqueue, annals_queue.adding_key, annals_queue.drain_key;
DROP TABLE annals_queue.river_queue, annals_queue.river_notification, annals_queue.river_leader, annals_queue.river_job;
DROP FUNCTION annals_queue.river_job_state_in_bitmask;
DROP TABLE annals_queue.river_migration;
DROP TYPE annals_queue.river_job_state;
DROP SCHEMA annals_queue;
DELETE FROM annals.migrations WHERE version = 6;
