-- The queue from which workers take groups with waiting episodes. Its tables are
-- those of River (https://riverqueue.com), in the release that Annals is built
-- with; a test compares them. They stand apart from the memory: they have River's
-- own keys, no tenant sees them, and exports leave them out. Losing them loses
-- nothing, because the state of each episode records whether it waits.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(10);

-- The tables of River begin here.
CREATE TYPE annals_internal.river_job_state AS ENUM (
    'available', 'cancelled', 'completed', 'discarded', 'pending', 'retryable', 'running', 'scheduled'
);
COMMENT ON TYPE annals_internal.river_job_state IS 'State of a job.';

-- Records the migrations of River that these tables match, for River's tools.
CREATE TABLE annals_internal.river_migration (
    line text NOT NULL CONSTRAINT line_length CHECK (char_length(line) > 0 AND char_length(line) < 128),
    version bigint NOT NULL CONSTRAINT version_gte_1 CHECK (version >= 1),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT river_migration_pkey1 PRIMARY KEY (line, version)
);
COMMENT ON TABLE annals_internal.river_migration IS 'The migrations of River that these tables match.';
COMMENT ON COLUMN annals_internal.river_migration.line IS 'Line of migrations; main for these tables.';
COMMENT ON COLUMN annals_internal.river_migration.version IS 'Number of the migration.';
COMMENT ON COLUMN annals_internal.river_migration.created_at IS 'Time it ran.';
INSERT INTO annals_internal.river_migration (line, version) SELECT 'main', v FROM generate_series(1, 8) AS v;

-- A function of River, called by its index and its client.
CREATE FUNCTION annals_internal.river_job_state_in_bitmask(bitmask bit(8), state annals_internal.river_job_state) RETURNS boolean
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
COMMENT ON FUNCTION annals_internal.river_job_state_in_bitmask(bit, annals_internal.river_job_state) IS
    'Tells whether the bit mask of unique states includes a state.';

CREATE TABLE annals_internal.river_job (
    id bigserial PRIMARY KEY,
    state annals_internal.river_job_state NOT NULL DEFAULT 'available',
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
CREATE INDEX river_job_args_index ON annals_internal.river_job USING gin (args);
COMMENT ON INDEX annals_internal.river_job_args_index IS 'Finds jobs by their arguments, such as the group.';
CREATE INDEX river_job_kind ON annals_internal.river_job (kind);
COMMENT ON INDEX annals_internal.river_job_kind IS 'Finds jobs by their kind.';
CREATE INDEX river_job_metadata_index ON annals_internal.river_job USING gin (metadata);
COMMENT ON INDEX annals_internal.river_job_metadata_index IS 'Finds jobs by their metadata.';
CREATE INDEX river_job_prioritized_fetching_index ON annals_internal.river_job (state, queue, priority, scheduled_at, id);
COMMENT ON INDEX annals_internal.river_job_prioritized_fetching_index IS 'Finds the next job of a queue.';
CREATE INDEX river_job_state_and_finalized_at_index ON annals_internal.river_job (state, finalized_at) WHERE finalized_at IS NOT NULL;
COMMENT ON INDEX annals_internal.river_job_state_and_finalized_at_index IS 'Finds jobs that ended long ago, to remove them.';
CREATE UNIQUE INDEX river_job_unique_idx ON annals_internal.river_job (unique_key)
    WHERE unique_key IS NOT NULL AND unique_states IS NOT NULL
        AND annals_internal.river_job_state_in_bitmask(unique_states, state);
COMMENT ON INDEX annals_internal.river_job_unique_idx IS 'Allows one job per unique key among jobs in the unique states.';
COMMENT ON TABLE annals_internal.river_job IS 'Jobs that wait, run or have ended.';
COMMENT ON COLUMN annals_internal.river_job.id IS 'Its id, in the order of insertion.';
COMMENT ON COLUMN annals_internal.river_job.state IS 'State of the job.';
COMMENT ON COLUMN annals_internal.river_job.attempt IS 'Number of the current or last attempt; 0: none yet.';
COMMENT ON COLUMN annals_internal.river_job.max_attempts IS 'Number of attempts after which it is discarded.';
COMMENT ON COLUMN annals_internal.river_job.attempted_at IS 'Time of the last attempt; NULL: none yet.';
COMMENT ON COLUMN annals_internal.river_job.created_at IS 'Time it was queued.';
COMMENT ON COLUMN annals_internal.river_job.finalized_at IS 'Time it ended: completed, cancelled or discarded; NULL: it has not.';
COMMENT ON COLUMN annals_internal.river_job.scheduled_at IS 'Time from which it may run.';
COMMENT ON COLUMN annals_internal.river_job.priority IS 'Priority from 1, the most urgent, to 4.';
COMMENT ON COLUMN annals_internal.river_job.args IS 'Arguments as JSON: the group, and any others of the kind.';
COMMENT ON COLUMN annals_internal.river_job.attempted_by IS 'The workers that attempted it.';
COMMENT ON COLUMN annals_internal.river_job.errors IS 'The errors of failed attempts.';
COMMENT ON COLUMN annals_internal.river_job.kind IS 'Kind of job, such as drain (reads a group) or webhook (sends a delivery).';
COMMENT ON COLUMN annals_internal.river_job.metadata IS 'JSON object for River and its extensions.';
COMMENT ON COLUMN annals_internal.river_job.queue IS 'Name of the queue.';
COMMENT ON COLUMN annals_internal.river_job.tags IS 'Tags; Annals uses none.';
COMMENT ON COLUMN annals_internal.river_job.unique_key IS 'Only one job with this key may be in unique_states; NULL: any number.';
COMMENT ON COLUMN annals_internal.river_job.unique_states IS 'States in which the job must be unique, as a bit mask; NULL: the job is not unique.';
COMMENT ON SEQUENCE annals_internal.river_job_id_seq IS 'Numbers the jobs.';

CREATE UNLOGGED TABLE annals_internal.river_leader (
    elected_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    leader_id text NOT NULL CONSTRAINT leader_id_length CHECK (char_length(leader_id) > 0 AND char_length(leader_id) < 128),
    name text NOT NULL DEFAULT 'default' PRIMARY KEY CONSTRAINT name_length CHECK (name = 'default')
);
COMMENT ON TABLE annals_internal.river_leader IS 'The elected worker that maintains the queue.';
COMMENT ON COLUMN annals_internal.river_leader.elected_at IS 'Time of the election.';
COMMENT ON COLUMN annals_internal.river_leader.expires_at IS 'Time until which it leads, unless re-elected.';
COMMENT ON COLUMN annals_internal.river_leader.leader_id IS 'Id of the worker.';
COMMENT ON COLUMN annals_internal.river_leader.name IS 'Always default: there is one leader.';

CREATE TABLE annals_internal.river_notification (
    id bigserial PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    payload text NOT NULL,
    topic text NOT NULL CONSTRAINT topic_length CHECK (length(topic) > 0 AND length(topic) < 128)
);
CREATE INDEX river_notification_created_at_idx ON annals_internal.river_notification (created_at);
COMMENT ON INDEX annals_internal.river_notification_created_at_idx IS 'Finds old notifications, to remove them.';
CREATE INDEX river_notification_topic_id_idx ON annals_internal.river_notification (topic, id);
COMMENT ON INDEX annals_internal.river_notification_topic_id_idx IS 'Finds the new notifications of a topic.';
COMMENT ON TABLE annals_internal.river_notification IS 'Notifications between workers where LISTEN is not available.';
COMMENT ON COLUMN annals_internal.river_notification.id IS 'Its id, in the order of insertion.';
COMMENT ON COLUMN annals_internal.river_notification.created_at IS 'Time it was sent.';
COMMENT ON COLUMN annals_internal.river_notification.payload IS 'Content of the notification.';
COMMENT ON COLUMN annals_internal.river_notification.topic IS 'Topic that workers listen to.';
COMMENT ON SEQUENCE annals_internal.river_notification_id_seq IS 'Numbers the notifications.';

CREATE TABLE annals_internal.river_queue (
    name text PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    metadata jsonb NOT NULL DEFAULT '{}',
    paused_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP
);
COMMENT ON TABLE annals_internal.river_queue IS 'The queues that exist, and those that are paused.';
COMMENT ON COLUMN annals_internal.river_queue.name IS 'Name of the queue.';
COMMENT ON COLUMN annals_internal.river_queue.created_at IS 'Time it was first used.';
COMMENT ON COLUMN annals_internal.river_queue.metadata IS 'JSON object for River and its extensions.';
COMMENT ON COLUMN annals_internal.river_queue.paused_at IS 'Time it was paused; NULL: it is not.';
COMMENT ON COLUMN annals_internal.river_queue.updated_at IS 'Time a worker last reported that it uses the queue.';

-- The tables of River end here.

-- Returns the unique key of the job that reads the waiting episodes of a group.
-- Only the state available counts for uniqueness, so at most one such job waits.
-- A running job does not count: it may already have made its last check.
CREATE FUNCTION annals_internal.drain_key(group_id text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.textcat('drain:', group_id), 'UTF8'));
COMMENT ON FUNCTION annals_internal.drain_key(text) IS 'Returns River''s unique key for the job that reads a group.';

-- Returns the key of the advisory lock that a transaction holds in shared mode
-- after it added episodes to a group. A job ends only while no transaction holds
-- it. Otherwise it would miss episodes about to be committed.
CREATE FUNCTION annals_internal.adding_key(group_id text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN pg_catalog.hashtextextended(pg_catalog.textcat('annals.adding:', group_id), 0);
COMMENT ON FUNCTION annals_internal.adding_key(text) IS 'Returns the key of the advisory lock that transactions hold while they add episodes to a group.';

-- Queues the job that reads the waiting episodes of a group, in the transaction
-- that adds them. More episodes of the same transaction and group cost nothing:
-- no job ends meanwhile without leaving another.
CREATE FUNCTION annals_internal.enqueue_group(group_id text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    key bytea;
BEGIN
    IF current_setting('annals.enqueued', true) = group_id
        OR to_regclass('annals_internal.river_job') IS NULL THEN -- servers of a cluster without the queue
        RETURN;
    END IF;
    key := annals_internal.drain_key(group_id);
    PERFORM pg_advisory_xact_lock_shared(annals_internal.adding_key(group_id)), annals_internal.set_local('annals.enqueued', group_id);
    IF EXISTS (SELECT FROM annals_internal.river_job j WHERE j.unique_key = key AND j.unique_states IS NOT NULL
        AND annals_internal.river_job_state_in_bitmask(j.unique_states, j.state)) THEN
        RETURN;
    END IF;
    INSERT INTO annals_internal.river_job AS j (args, kind, max_attempts, queue, scheduled_at, unique_key, unique_states)
    VALUES (jsonb_build_object('group_id', group_id), 'drain', 25, 'episodes', clock_timestamp(),
        key, B'00000001') -- the state available
    ON CONFLICT (unique_key) WHERE unique_key IS NOT NULL AND unique_states IS NOT NULL
        AND annals_internal.river_job_state_in_bitmask(unique_states, state)
    DO NOTHING;
    IF FOUND THEN
        PERFORM pg_notify('annals_internal.river_insert', '{"queue":"episodes"}');
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.enqueue_group(text) IS 'Queues the job that reads the waiting episodes of a group.';

-- Queues the reading of added episodes. The queue's triggers run as the owner, because
-- writers of episodes have no rights on its tables; the rows have passed row-level
-- security. Nobody else may execute the functions, so nobody can attach them to another
-- table.
CREATE FUNCTION annals_internal.enqueue_added() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.enqueue_group(n.group_id)
    FROM (SELECT DISTINCT r.group_id FROM new_rows r WHERE r.state = 'pending' ORDER BY r.group_id) n;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.enqueue_added() IS 'Trigger: queues the reading of added episodes.';

CREATE TRIGGER enqueue_added AFTER INSERT ON annals.episodes
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.enqueue_added();
COMMENT ON TRIGGER enqueue_added ON annals.episodes IS 'Queues the reading of new episodes.';

CREATE FUNCTION annals_internal.enqueue_again() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.enqueue_group(NEW.group_id);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.enqueue_again() IS 'Trigger: queues the reading of an episode that waits again.';

-- An episode that is put back unread needs no job: the job of its group decides when to go on, and
-- ends only when nothing waits.
CREATE TRIGGER enqueue_again AFTER UPDATE OF state, deferred ON annals.episodes
    FOR EACH ROW WHEN (NEW.state = 'pending' AND (OLD.state NOT IN ('pending', 'processing') OR OLD.deferred AND NOT NEW.deferred))
    EXECUTE FUNCTION annals_internal.enqueue_again();
COMMENT ON TRIGGER enqueue_again ON annals.episodes IS 'Queues the reading of an episode that is retried or no longer deferred.';

-- Lists the groups with waiting episodes. On one server it skips from group to
-- group in an index, past all waiting episodes of a group. A cluster runs one
-- query, because each skip would go to all servers.
CREATE FUNCTION annals_internal.waiting_groups() RETURNS SETOF text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    place text := '';
BEGIN
    IF current_setting('annals.distributed', true) = 'on' THEN
        RETURN QUERY SELECT DISTINCT e.group_id FROM annals.episodes e WHERE e.state IN ('pending', 'processing') AND NOT e.deferred;
        RETURN;
    END IF;
    LOOP
        SELECT e.group_id INTO place FROM annals.episodes e
        WHERE e.state IN ('pending', 'processing') AND NOT e.deferred AND e.group_id > place ORDER BY e.group_id LIMIT 1;
        EXIT WHEN NOT FOUND;
        RETURN NEXT place;
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals_internal.waiting_groups() IS 'Lists the groups with waiting episodes.';

-- Removes the jobs of a deleted group.
CREATE FUNCTION annals_internal.remove_jobs_of_group() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF to_regclass('annals_internal.river_job') IS NOT NULL THEN
        DELETE FROM annals_internal.river_job j USING old_rows o WHERE j.args @> jsonb_build_object('group_id', o.group_id);
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.remove_jobs_of_group() IS 'Trigger: removes the jobs of a deleted group from the queue.';

CREATE TRIGGER forget_group AFTER DELETE ON annals.groups
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.remove_jobs_of_group();
COMMENT ON TRIGGER forget_group ON annals.groups IS 'Removes the jobs of a deleted group from the queue.';

-- Removes the ended jobs of a group. The other jobs are still needed, and lose
-- only their error messages, which may quote erased text.
CREATE FUNCTION annals_internal.remove_ended_jobs(erased text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    removed bigint;
BEGIN
    PERFORM annals_internal.check_tenant(erased);
    DELETE FROM annals_internal.river_job j
    WHERE j.args @> jsonb_build_object('group_id', erased) AND j.finalized_at IS NOT NULL;
    GET DIAGNOSTICS removed = ROW_COUNT;
    UPDATE annals_internal.river_job j SET errors = NULL
    WHERE j.args @> jsonb_build_object('group_id', erased) AND j.errors IS NOT NULL;
    RETURN removed;
END
$$;
COMMENT ON FUNCTION annals_internal.remove_ended_jobs(text) IS 'Removes the ended jobs of a group from the queue, and the error messages of the others.';

REVOKE EXECUTE ON FUNCTION annals_internal.enqueue_group(text), annals_internal.enqueue_added(), annals_internal.enqueue_again(), annals_internal.remove_jobs_of_group(),
    annals_internal.remove_ended_jobs(text) FROM PUBLIC;

CALL annals_internal.end_migration(10, 'queue');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals_internal.remove_ended_jobs;
DROP FUNCTION annals_internal.waiting_groups;
DROP TRIGGER forget_group ON annals.groups;
DROP FUNCTION annals_internal.remove_jobs_of_group;
DROP TRIGGER enqueue_again ON annals.episodes;
DROP FUNCTION annals_internal.enqueue_again;
DROP TRIGGER enqueue_added ON annals.episodes;
DROP FUNCTION annals_internal.enqueue_added, annals_internal.enqueue_group, annals_internal.adding_key, annals_internal.drain_key;
DROP TABLE annals_internal.river_queue, annals_internal.river_notification, annals_internal.river_leader, annals_internal.river_job;
DROP FUNCTION annals_internal.river_job_state_in_bitmask;
DROP TABLE annals_internal.river_migration;
DROP TYPE annals_internal.river_job_state;
DELETE FROM annals.migrations WHERE version = 10;
