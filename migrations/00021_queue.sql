-- The queue from which workers take groups with waiting episodes. Its tables
-- are River's (https://riverqueue.com), in the schema annals_queue, where
-- 'annals migrate up' makes them before this. They stand apart from the memory:
-- their keys are River's own, no tenant sees them, no export has them, and
-- nothing is lost with them: the episodes themselves say what waits.
--
-- +goose Up

COMMENT ON SCHEMA annals_queue IS 'What workers have to do: the tables of River, and how groups come into them.';

-- The job that reads what waits in a group. There is at most one that waits:
-- River's unique key, in the state available alone. A job that runs is not
-- counted, as it may have looked for the last time already.
-- +goose StatementBegin
CREATE FUNCTION annals_queue.drain_key(group_id text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ -- no search_path: it is inlined
    SELECT pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.textcat('drain:', group_id), 'UTF8'))
$$;

-- What an adder holds, shared, until its transaction ends: a job may end only
-- while nobody does, or it would miss what is about to come.
CREATE FUNCTION annals_queue.adding_key(group_id text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT pg_catalog.hashtextextended(pg_catalog.textcat('annals.adding:', group_id), 0)
$$;

-- Has a group's waiting episodes be read, in the transaction that adds them.
-- The next episode of the same transaction and group costs nothing: no job ends
-- meanwhile without leaving another.
CREATE FUNCTION annals_queue.enqueue(group_id text) RETURNS void
LANGUAGE plpgsql SET search_path = '' AS $$
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

-- These run as the owner, for whoever adds an episode: the rows that they see
-- were let through by row-level security. Nobody may attach them elsewhere.
CREATE FUNCTION annals_queue.enqueue_added() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    PERFORM annals_queue.enqueue(n.group_id)
    FROM (SELECT DISTINCT r.group_id FROM new_rows r WHERE r.state = 'pending' ORDER BY r.group_id) n;
    RETURN NULL;
END
$$;

CREATE FUNCTION annals_queue.enqueue_again() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    PERFORM annals_queue.enqueue(NEW.group_id);
    RETURN NULL;
END
$$;

-- Leaves nothing of a group that goes.
CREATE FUNCTION annals_queue.forget_group() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    IF to_regclass('annals_queue.river_job') IS NOT NULL THEN
        DELETE FROM annals_queue.river_job j USING old_rows o WHERE j.args @> jsonb_build_object('group_id', o.group_id);
    END IF;
    RETURN NULL;
END
$$;

-- Removes what the queue keeps of a group's jobs that ended: an error may quote
-- what is erased.
CREATE FUNCTION annals.forget_jobs(erased text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    removed bigint;
BEGIN
    PERFORM annals.check_tenant(erased);
    DELETE FROM annals_queue.river_job j WHERE j.args @> jsonb_build_object('group_id', erased) AND j.state <> 'available';
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
$$;
-- +goose StatementEnd

REVOKE EXECUTE ON FUNCTION annals_queue.enqueue(text), annals_queue.enqueue_added(), annals_queue.enqueue_again(),
    annals_queue.forget_group(), annals.forget_jobs(text) FROM PUBLIC;

COMMENT ON FUNCTION annals_queue.drain_key(text) IS 'River''s unique key of the job that reads a group.';
COMMENT ON FUNCTION annals_queue.adding_key(text) IS 'The advisory lock that whoever adds to a group holds.';
COMMENT ON FUNCTION annals_queue.enqueue(text) IS 'Has a group''s waiting episodes be read.';
COMMENT ON FUNCTION annals_queue.enqueue_added() IS 'Trigger: has added episodes be read.';
COMMENT ON FUNCTION annals_queue.enqueue_again() IS 'Trigger: has an episode be read again.';
COMMENT ON FUNCTION annals_queue.forget_group() IS 'Trigger: takes a group that goes out of the queue.';
COMMENT ON FUNCTION annals.forget_jobs(text) IS 'Removes what the queue keeps of a group''s jobs that ended.';

CREATE TRIGGER enqueue_added AFTER INSERT ON annals.episodes
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_queue.enqueue_added();
CREATE TRIGGER enqueue_again AFTER UPDATE OF state, deferred ON annals.episodes
    FOR EACH ROW WHEN (NEW.state = 'pending' AND (OLD.state <> 'pending' OR OLD.deferred AND NOT NEW.deferred))
    EXECUTE FUNCTION annals_queue.enqueue_again();
CREATE TRIGGER forget_group AFTER DELETE ON annals.groups
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_queue.forget_group();

COMMENT ON TABLE annals.retention IS 'How long a group keeps its episodes. Workers apply it once a day, annals retention apply at once.';

-- What waits already.
SELECT annals_queue.enqueue(w.group_id)
FROM (SELECT DISTINCT e.group_id FROM annals.episodes e WHERE e.state IN ('pending', 'processing') AND NOT e.deferred) w;

-- +goose Down

COMMENT ON TABLE annals.retention IS 'How long a group keeps its episodes. Nothing is applied by itself: annals retention apply does.';
DROP TRIGGER forget_group ON annals.groups;
DROP TRIGGER enqueue_again ON annals.episodes;
DROP TRIGGER enqueue_added ON annals.episodes;
DROP FUNCTION annals.forget_jobs(text);
DROP SCHEMA annals_queue CASCADE;
