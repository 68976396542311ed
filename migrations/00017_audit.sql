-- The audit: one entry for each change by hand, undoing and erasure. Each holds
-- the hash of the one before it, so that none can be changed or taken out unseen.
--
-- +goose Up
-- +goose StatementBegin

CALL annals.begin_migration(17);

-- The digest is of the row in edits, erasures or undone. Their ids are random, so
-- that nobody can find out by guessing what a row said that was erased since.
CREATE TABLE annals.audit (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    position bigint NOT NULL CHECK (position > 0),
    noted_at timestamptz NOT NULL,
    door text NOT NULL,
    written_by text NOT NULL,
    authority annals.authority NOT NULL,
    action text NOT NULL,
    digest bytea NOT NULL,
    previous bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (group_id, position)
);
COMMENT ON TABLE annals.audit IS 'Who edited, undid and erased, as a chain of hashes for each group. Written by triggers; rows are only added.';
COMMENT ON COLUMN annals.audit.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.audit.position IS 'Its place in the chain of the group, from 1.';
COMMENT ON COLUMN annals.audit.noted_at IS 'Time it was noted.';
COMMENT ON COLUMN annals.audit.door IS 'The way it came in: library, cli, rest, mcp, zep, graphiti, agent or sql.';
COMMENT ON COLUMN annals.audit.written_by IS 'The API key, or the user of the database, that did it; may be empty.';
COMMENT ON COLUMN annals.audit.authority IS 'The authority it was done with.';
COMMENT ON COLUMN annals.audit.action IS 'What was done: the action of an edit, undo, or erase.';
COMMENT ON COLUMN annals.audit.digest IS 'SHA-256 of the row in edits, undone or erasures that says more. It stays when that row is erased.';
COMMENT ON COLUMN annals.audit.previous IS 'The hash of the entry before it; empty: it is the first.';
COMMENT ON COLUMN annals.audit.hash IS 'SHA-256 of all else in it.';

-- It names the time by its seconds, which no session's zone changes.
CREATE FUNCTION annals.audit_hash(group_id text, "position" bigint, noted_at timestamptz, door text, written_by text, authority annals.authority,
    action text, digest bytea, previous bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(convert_to(jsonb_build_array(group_id, "position", extract(epoch FROM noted_at), door, written_by,
    authority, action, encode(digest, 'hex'), encode(previous, 'hex'))::text, 'UTF8'));
COMMENT ON FUNCTION annals.audit_hash(text, bigint, timestamptz, text, text, annals.authority, text, bytea, bytea) IS
    'Returns the hash that an entry of the audit must have.';

-- Returns a row as its digest is of it: with times in UTC, whatever the zone of the
-- session, so that whoever knows the row finds the same digest.
CREATE FUNCTION annals.as_noted(noted anyelement) RETURNS jsonb
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
BEGIN
    RETURN to_jsonb(noted) - 'to_vacuum';
END
$$;
COMMENT ON FUNCTION annals.as_noted(anyelement) IS 'Returns a row as the audit has the digest of it: with times in UTC.';

-- Writers of one group wait here for one another, so that its chain never forks.
-- They do so when they commit: they hold all other locks by then, and nobody who
-- waits for one of those holds this one.
-- It runs as the owner, because nobody else may write the audit. What is copied
-- in by an import was done elsewhere: the chain of the group begins anew.
CREATE FUNCTION annals.note_audit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    origin jsonb := annals.origin();
    noted jsonb := annals.as_noted(NEW);
    last_position bigint;
    last_hash bytea;
    noted_now timestamptz;
    by_door text := coalesce(noted->>'door', origin->>'door');
    by_whom text := coalesce(noted->>'written_by', origin->>'written_by');
    by_right annals.authority := coalesce(noted->>'authority', origin->>'authority');
    did text := coalesce(noted->>'action', TG_ARGV[0]);
    of_row bytea := sha256(convert_to(noted::text, 'UTF8'));
BEGIN
    PERFORM annals.check_tenant(NEW.group_id);
    IF origin->>'action' = 'import' OR NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = NEW.group_id) THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('annals.audit:' || NEW.group_id, 0));
    SELECT a.position, a.hash INTO last_position, last_hash
    FROM annals.audit a WHERE a.group_id = NEW.group_id ORDER BY a.position DESC LIMIT 1;
    last_position := coalesce(last_position, 0) + 1;
    last_hash := coalesce(last_hash, '');
    noted_now := clock_timestamp();
    INSERT INTO annals.audit (group_id, position, noted_at, door, written_by, authority, action, digest, previous, hash)
    VALUES (NEW.group_id, last_position, noted_now, by_door, by_whom, by_right, did, of_row, last_hash,
        annals.audit_hash(NEW.group_id, last_position, noted_now, by_door, by_whom, by_right, did, of_row, last_hash));
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals.note_audit() IS 'Trigger: adds an entry to the audit of the group.';
REVOKE EXECUTE ON FUNCTION annals.note_audit() FROM PUBLIC;

CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON annals.edits DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION annals.note_audit('edit');
COMMENT ON TRIGGER audit ON annals.edits IS 'Adds the edit to the audit of its group.';
CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON annals.undone DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION annals.note_audit('undo');
COMMENT ON TRIGGER audit ON annals.undone IS 'Adds the undoing to the audit of its group.';
CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON annals.erasures DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.group_id <> '') EXECUTE FUNCTION annals.note_audit('erase');
COMMENT ON TRIGGER audit ON annals.erasures IS 'Adds the erasure to the audit of its group.';

CREATE TRIGGER only_added BEFORE UPDATE OR DELETE ON annals.audit
    FOR EACH ROW EXECUTE FUNCTION annals.refuse_rewriting();
COMMENT ON TRIGGER only_added ON annals.audit IS 'Keeps the audit as it was written.';
CREATE TRIGGER only_added_whole BEFORE TRUNCATE ON annals.audit
    FOR EACH STATEMENT EXECUTE FUNCTION annals.refuse_rewriting();
COMMENT ON TRIGGER only_added_whole ON annals.audit IS 'Keeps the audit from being emptied.';

DO $$
BEGIN
    PERFORM annals.protect_tenants();
END
$$;

CALL annals.end_migration(17, 'audit');

-- +goose StatementEnd
-- +goose Down

DROP TRIGGER audit ON annals.erasures;
DROP TRIGGER audit ON annals.undone;
DROP TRIGGER audit ON annals.edits;
DROP FUNCTION annals.note_audit, annals.as_noted, annals.audit_hash;
DROP TABLE annals.audit;
DELETE FROM annals.migrations WHERE version = 17;
