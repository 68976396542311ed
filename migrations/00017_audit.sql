-- The audit: one entry for each change by hand, undoing, erasure and change of what
-- governs a memory. Each holds the hash of the one before it, so that none can be
-- changed or taken out unseen. The service itself has a chain under the group ''.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(17);

-- What is changed beside entities and facts. The detail holds nothing that was
-- said. Under '' are keys, which belong to no group.
CREATE TABLE annals.changes (
    group_id text NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    door text NOT NULL,
    written_by text NOT NULL,
    authority annals.authority NOT NULL,
    action text NOT NULL CHECK (action <> ''),
    detail jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(detail) = 'object'),
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals.changes IS 'Who changed what governs a memory: settings, retention, keys, agents, blocks; who added facts by hand, swept, mended, imported. Rows are only added.';
COMMENT ON COLUMN annals.changes.group_id IS 'The group that the row belongs to; empty: the service.';
COMMENT ON COLUMN annals.changes.id IS 'Its id, which is random.';
COMMENT ON COLUMN annals.changes.changed_at IS 'Time of the change.';
COMMENT ON COLUMN annals.changes.door IS 'The way it came in: library, cli, rest, otlp, mcp, zep, graphiti, agent, worker or sql.';
COMMENT ON COLUMN annals.changes.written_by IS 'The API key, or the user of the database, that made it; may be empty.';
COMMENT ON COLUMN annals.changes.authority IS 'The authority it was made with.';
COMMENT ON COLUMN annals.changes.action IS 'What was changed: settings, retention, instructions, template, webhook, key, agent, block, user, answer; mark; skill; or done: triple, sweep, mend, import, readmit.';
COMMENT ON COLUMN annals.changes.detail IS 'More of it as JSON: insert, update or delete, the columns, ids and numbers. No text that anybody said.';

-- The digest is of the row in changes, edits, erasures or undone. Their ids are random,
-- so that nobody can find out by guessing what a row said that was erased since.
CREATE TABLE annals.audit (
    group_id text NOT NULL,
    position bigint NOT NULL CHECK (position > 0),
    noted_at timestamptz NOT NULL,
    door text NOT NULL,
    written_by text NOT NULL,
    authority annals.authority NOT NULL,
    action text NOT NULL,
    row_id uuid NOT NULL,
    digest bytea NOT NULL,
    previous bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (group_id, position)
);
COMMENT ON TABLE annals.audit IS 'Who changed, undid and erased, as a chain of hashes for each group, and one for the service. Written by triggers; rows are only added.';
COMMENT ON COLUMN annals.audit.group_id IS 'The group that the row belongs to; empty: the service.';
COMMENT ON COLUMN annals.audit.position IS 'Its place in the chain of the group, from 1.';
COMMENT ON COLUMN annals.audit.noted_at IS 'Time it was noted.';
COMMENT ON COLUMN annals.audit.door IS 'The way it came in: library, cli, rest, otlp, mcp, zep, graphiti, agent, worker or sql.';
COMMENT ON COLUMN annals.audit.written_by IS 'The API key, or the user of the database, that did it; may be empty.';
COMMENT ON COLUMN annals.audit.authority IS 'The authority it was done with.';
COMMENT ON COLUMN annals.audit.action IS 'What was done: the action of an edit or a change, undo, or erase.';
COMMENT ON COLUMN annals.audit.row_id IS 'The id of the row in changes, edits, erasures or undone that says more.';
COMMENT ON COLUMN annals.audit.digest IS 'SHA-256 of that row.';
COMMENT ON COLUMN annals.audit.previous IS 'The hash of the entry before it; empty: it is the first.';
COMMENT ON COLUMN annals.audit.hash IS 'SHA-256 of all else in it.';
CREATE INDEX audit_row ON annals.audit (group_id, row_id);
COMMENT ON INDEX annals.audit_row IS 'Finds the entry of a row.';

-- What is hashed is a list in JSON, as 'annals audit export' has its members: whoever
-- has an export can tell without us.
CREATE FUNCTION annals_internal.audit_hash(group_id text, "position" bigint, noted_at timestamptz, door text, written_by text, authority annals.authority,
    action text, row_id uuid, digest bytea, previous bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(convert_to(jsonb_build_array(group_id, "position", to_char(noted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), door,
    written_by, authority, action, row_id, encode(digest, 'hex'), encode(previous, 'hex'))::text, 'UTF8'));
COMMENT ON FUNCTION annals_internal.audit_hash(text, bigint, timestamptz, text, text, annals.authority, text, uuid, bytea, bytea) IS
    'Returns the hash that an entry of the audit must have.';

-- Returns a row as its digest is of it: with times in UTC, whatever the zone of the
-- session, so that whoever knows the row finds the same digest.
CREATE FUNCTION annals_internal.audit_form(noted anyelement) RETURNS jsonb
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
BEGIN
    RETURN to_jsonb(noted) - 'to_vacuum';
END
$$;
COMMENT ON FUNCTION annals_internal.audit_form(anyelement) IS 'Returns a row as the audit has the digest of it: with times in UTC.';

-- Writers of one group wait here for one another, so that its chain never forks.
-- They do so when they commit: they hold all other locks by then, and nobody who
-- waits for one of those holds this one.
-- It runs as the owner, because nobody else may write the audit. What is copied
-- in by an import was done elsewhere: one entry stands for all of it.
CREATE FUNCTION annals_internal.note_audit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    origin jsonb := annals_internal.write_origin();
    noted jsonb := annals_internal.audit_form(NEW);
    last_position bigint;
    last_hash bytea;
    noted_now timestamptz;
    by_door text := coalesce(noted->>'door', origin->>'door');
    by_whom text := coalesce(noted->>'written_by', origin->>'written_by');
    by_right annals.authority := coalesce(noted->>'authority', origin->>'authority');
    did text := coalesce(noted->>'action', TG_ARGV[0]);
    of_row bytea := sha256(convert_to(noted::text, 'UTF8'));
BEGIN
    IF NEW.group_id <> '' THEN
        PERFORM annals_internal.check_tenant(NEW.group_id);
        IF origin->>'action' = 'import' AND TG_ARGV[0] <> 'change'
            OR NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = NEW.group_id) THEN
            RETURN NULL;
        END IF;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('annals.audit:' || NEW.group_id, 0));
    SELECT a.position, a.hash INTO last_position, last_hash
    FROM annals.audit a WHERE a.group_id = NEW.group_id ORDER BY a.position DESC LIMIT 1;
    last_position := coalesce(last_position, 0) + 1;
    last_hash := coalesce(last_hash, '');
    noted_now := clock_timestamp();
    INSERT INTO annals.audit (group_id, position, noted_at, door, written_by, authority, action, row_id, digest, previous, hash)
    VALUES (NEW.group_id, last_position, noted_now, by_door, by_whom, by_right, did, NEW.id, of_row, last_hash,
        annals_internal.audit_hash(NEW.group_id, last_position, noted_now, by_door, by_whom, by_right, did, NEW.id, of_row, last_hash));
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.note_audit() IS 'Trigger: adds an entry to the audit of the group, or of the service.';
REVOKE EXECUTE ON FUNCTION annals_internal.note_audit() FROM PUBLIC;

CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON annals.edits DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_audit('edit');
COMMENT ON TRIGGER audit ON annals.edits IS 'Adds the edit to the audit of its group.';
CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON annals_internal.undone DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_audit('undo');
COMMENT ON TRIGGER audit ON annals_internal.undone IS 'Adds the undoing to the audit of its group.';
CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON annals.erasures DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_audit('erase');
COMMENT ON TRIGGER audit ON annals.erasures IS 'Adds the erasure to the audit of its group, or of the service where the group is gone.';
CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON annals.changes DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_audit('change');
COMMENT ON TRIGGER audit ON annals.changes IS 'Adds the change to the audit of its group, or of the service.';

-- Records a change of a table, as a trigger on it: what it is called, and which columns
-- are kept of it.
CREATE FUNCTION annals_internal.note_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    origin jsonb := annals_internal.write_origin();
    was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
    is_now jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
    kept jsonb := jsonb_build_object('did', lower(TG_OP));
    of_group text := coalesce(is_now, was)->>'group_id';
BEGIN
    IF origin->>'action' = 'import' OR of_group <> '' AND NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = of_group) THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        kept := kept || jsonb_build_object('columns', to_jsonb(ARRAY(
            SELECT n.key FROM jsonb_each(is_now) n WHERE n.value IS DISTINCT FROM was->n.key AND n.key NOT IN ('updated_at', 'recorded') ORDER BY n.key)));
    END IF;
    INSERT INTO annals.changes (group_id, door, written_by, authority, action, detail)
    SELECT of_group, origin->>'door', origin->>'written_by', (origin->>'authority')::annals.authority, TG_ARGV[0],
        kept || coalesce(jsonb_object_agg(k.name, coalesce(is_now, was)->k.name) FILTER (WHERE k.name IS NOT NULL), '{}')
    FROM unnest(TG_ARGV[1]::text[]) AS k(name);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.note_change() IS 'Trigger: records a change in changes. It is told what that is, and which columns to keep of it.';

CREATE TRIGGER noted AFTER UPDATE OF name, description, time_zone, ontology ON annals.groups
    FOR EACH ROW WHEN ((OLD.name, OLD.description, OLD.time_zone, OLD.ontology) IS DISTINCT FROM (NEW.name, NEW.description, NEW.time_zone, NEW.ontology))
    EXECUTE FUNCTION annals_internal.note_change('settings', '{}');
COMMENT ON TRIGGER noted ON annals.groups IS 'Records changes of what a group is called and reads.';
CREATE TRIGGER noted AFTER INSERT OR UPDATE OF until ON annals.marks
    FOR EACH ROW WHEN (annals_internal.write_origin()->>'action' = 'mark') EXECUTE FUNCTION annals_internal.note_change('mark', '{id,mark}');
COMMENT ON TRIGGER noted ON annals.marks IS 'Records what is marked, and what is not any more; not that an episode comes with an expiry.';
CREATE TRIGGER noted AFTER INSERT OR DELETE OR UPDATE OF max_age, max_episodes ON annals.retention
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('retention', '{max_age,max_episodes}');
COMMENT ON TRIGGER noted ON annals.retention IS 'Records changes of how long a group keeps its episodes.';
CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON annals_internal.instructions
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('instructions', '{purpose}');
COMMENT ON TRIGGER noted ON annals_internal.instructions IS 'Records changes of instructions.';
CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON annals_internal.templates
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('template', '{}');
COMMENT ON TRIGGER noted ON annals_internal.templates IS 'Records changes of templates.';
CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON annals.webhooks
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('webhook', '{id,events}');
COMMENT ON TRIGGER noted ON annals.webhooks IS 'Records changes of webhooks.';
CREATE TRIGGER noted AFTER INSERT OR DELETE OR UPDATE OF name, prefix, hash, admin, groups, rights, authority, expires_at, revoked_at ON annals_internal.api_keys
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('key', '{id,prefix,admin,groups,rights,authority,expires_at,revoked_at}');
COMMENT ON TRIGGER noted ON annals_internal.api_keys IS 'Records keys that are made, changed and revoked.';
CREATE TRIGGER noted AFTER INSERT OR DELETE OR UPDATE OF name, instructions, settings ON annals.agents
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('agent', '{id}');
COMMENT ON TRIGGER noted ON annals.agents IS 'Records agents that are made, changed and removed.';
CREATE TRIGGER noted AFTER INSERT OR DELETE OR UPDATE OF label, description, value, char_limit, read_only ON annals.blocks
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('block', '{id,version}');
COMMENT ON TRIGGER noted ON annals.blocks IS 'Records blocks that are made, edited and removed.';

-- Lists the rows that the audit has digests of, or some of them, as they are now.
CREATE FUNCTION annals_internal.audit_rows(of_group text, ids uuid[]) RETURNS TABLE (id uuid, digest bytea, noted text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    told record;
BEGIN
    FOR told IN SELECT e.* FROM annals.edits e WHERE e.group_id = of_group AND (ids IS NULL OR e.id = ANY (ids)) LOOP
        id := told.id;
        noted := to_jsonb(told)::text;
        digest := sha256(convert_to(noted, 'UTF8'));
        RETURN NEXT;
    END LOOP;
    FOR told IN SELECT c.* FROM annals.changes c WHERE c.group_id = of_group AND (ids IS NULL OR c.id = ANY (ids)) LOOP
        id := told.id;
        noted := to_jsonb(told)::text;
        digest := sha256(convert_to(noted, 'UTF8'));
        RETURN NEXT;
    END LOOP;
    FOR told IN SELECT u.* FROM annals_internal.undone u WHERE u.group_id = of_group AND (ids IS NULL OR u.id = ANY (ids)) LOOP
        id := told.id;
        noted := to_jsonb(told)::text;
        digest := sha256(convert_to(noted, 'UTF8'));
        RETURN NEXT;
    END LOOP;
    FOR told IN SELECT x.* FROM annals.erasures x WHERE x.group_id = of_group AND (ids IS NULL OR x.id = ANY (ids)) LOOP
        id := told.id;
        noted := (to_jsonb(told) - 'to_vacuum')::text;
        digest := sha256(convert_to(noted, 'UTF8'));
        RETURN NEXT;
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals_internal.audit_rows(text, uuid[]) IS 'Lists the rows that the audit of a group has digests of, as they are now; NULL: all of them.';

-- Returns one digest of all rows that have no entry: what an import brought.
CREATE FUNCTION annals_internal.unaudited_rows(of_group text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (SELECT encode(sha256(string_agg(r.digest, ''::bytea ORDER BY r.digest)), 'hex')
        FROM annals_internal.audit_rows(of_group, NULL) r
        WHERE NOT EXISTS (SELECT FROM annals.audit a WHERE a.group_id = of_group AND a.row_id = r.id));
END
$$;
COMMENT ON FUNCTION annals_internal.unaudited_rows(text) IS 'Returns the SHA-256 of the digests of all rows that have no entry in the audit; NULL: there are none.';

-- Says what is wrong with the audit of a group: the first entry that is not what was
-- noted, or not after the one before it, and rows that are not as they were noted.
CREATE FUNCTION annals_internal.audit_breaks(of_group text) RETURNS TABLE ("position" bigint, row_id uuid, problem text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY
    SELECT c.position, c.row_id, 'entry changed'
    FROM (
        SELECT a.position, a.row_id, a.hash <> annals_internal.audit_hash(a.group_id, a.position, a.noted_at, a.door, a.written_by, a.authority, a.action,
                a.row_id, a.digest, a.previous) OR a.position <> row_number() OVER (ORDER BY a.position)
            OR a.previous <> coalesce(lag(a.hash) OVER (ORDER BY a.position), '') AS broken
        FROM annals.audit a
        WHERE a.group_id = of_group
    ) c
    WHERE c.broken
    ORDER BY c.position
    LIMIT 1;
    RETURN QUERY
    WITH told AS MATERIALIZED (
        SELECT r.id, r.digest FROM annals_internal.audit_rows(of_group, NULL) r
    )
    SELECT a.position, a.row_id, CASE WHEN t.id IS NULL THEN 'row gone' ELSE 'row changed' END
    FROM annals.audit a
    LEFT JOIN told t ON t.id = a.row_id
    WHERE a.group_id = of_group AND t.digest IS DISTINCT FROM a.digest
    UNION ALL
    SELECT NULL, t.id, 'row never noted'
    FROM told t
    WHERE NOT EXISTS (SELECT FROM annals.audit a WHERE a.group_id = of_group AND a.row_id = t.id)
        AND annals_internal.unaudited_rows(of_group) IS DISTINCT FROM (SELECT c.detail->>'sealed' FROM annals.changes c
            WHERE c.group_id = of_group AND c.action = 'import' ORDER BY c.changed_at DESC LIMIT 1)
    ORDER BY 1, 2;
END
$$;
COMMENT ON FUNCTION annals_internal.audit_breaks(text) IS 'Says what is wrong with the audit of a group, or, under '''', of the service: nothing where it is whole.';

CREATE TRIGGER only_added BEFORE UPDATE OR DELETE ON annals.changes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_rewriting();
COMMENT ON TRIGGER only_added ON annals.changes IS 'Keeps the record of changes as it was written.';
CREATE TRIGGER only_added BEFORE UPDATE OR DELETE ON annals.audit
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_rewriting();
COMMENT ON TRIGGER only_added ON annals.audit IS 'Keeps the audit as it was written.';
CREATE TRIGGER only_added_whole BEFORE TRUNCATE ON annals.audit
    FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.refuse_rewriting();
COMMENT ON TRIGGER only_added_whole ON annals.audit IS 'Keeps the audit from being emptied.';

-- The audit of a group goes with it. It runs as the owner, as the keys of other tables do.
CREATE FUNCTION annals_internal.forget_audit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.check_tenant(OLD.group_id);
    DELETE FROM annals.audit a WHERE a.group_id = OLD.group_id;
    DELETE FROM annals.changes c WHERE c.group_id = OLD.group_id;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.forget_audit() IS 'Trigger: removes the audit of a deleted group.';
REVOKE EXECUTE ON FUNCTION annals_internal.forget_audit() FROM PUBLIC;
CREATE TRIGGER forget_audit AFTER DELETE ON annals.groups
    FOR EACH ROW EXECUTE FUNCTION annals_internal.forget_audit();
COMMENT ON TRIGGER forget_audit ON annals.groups IS 'Removes the audit with its group.';

DO $$
BEGIN
    PERFORM annals_internal.protect_tenants();
END
$$;

CALL annals_internal.end_migration(17, 'audit');

-- +goose StatementEnd
-- +goose Down

DROP TRIGGER forget_audit ON annals.groups;
DROP TRIGGER noted ON annals.blocks;
DROP TRIGGER noted ON annals.agents;
DROP TRIGGER noted ON annals_internal.api_keys;
DROP TRIGGER noted ON annals.webhooks;
DROP TRIGGER noted ON annals_internal.templates;
DROP TRIGGER noted ON annals_internal.instructions;
DROP TRIGGER noted ON annals.retention;
DROP TRIGGER noted ON annals.marks;
DROP TRIGGER noted ON annals.groups;
DROP TRIGGER audit ON annals.erasures;
DROP TRIGGER audit ON annals_internal.undone;
DROP TRIGGER audit ON annals.edits;
DROP FUNCTION annals_internal.forget_audit, annals_internal.audit_breaks, annals_internal.unaudited_rows, annals_internal.audit_rows, annals_internal.note_change;
DROP TABLE annals.audit, annals.changes;
DROP FUNCTION annals_internal.note_audit, annals_internal.audit_form, annals_internal.audit_hash;
DELETE FROM annals.migrations WHERE version = 17;
