-- The audit: one entry per change by hand, undo, erasure and change of settings.
-- Each entry holds the hash of the previous one, so that none can be changed or
-- removed unnoticed. The service has its own chain under the group_id ''.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(17);

-- Changes beyond entities and facts. detail holds no text that anybody said. Keys
-- belong to no group and have the group_id ''.
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
COMMENT ON TABLE annals.changes IS 'Log of changes to settings, retention, keys, agents and blocks, and of facts added by hand, sweeps, mends and imports. Rows are only added.';
COMMENT ON COLUMN annals.changes.group_id IS 'The group that the row belongs to; empty: the service.';
COMMENT ON COLUMN annals.changes.id IS 'Its id, random.';
COMMENT ON COLUMN annals.changes.changed_at IS 'Time of the change.';
COMMENT ON COLUMN annals.changes.door IS 'Door it came in by: library, cli, rest, otlp, mcp, zep, graphiti, agent, worker or sql.';
COMMENT ON COLUMN annals.changes.written_by IS 'The API key or database user that made it; may be empty.';
COMMENT ON COLUMN annals.changes.authority IS 'Authority of the writer.';
COMMENT ON COLUMN annals.changes.action IS 'What was changed: settings, retention, instructions, template, webhook, key, agent, block, user, answer, mark or skill. Or what was done: triple, sweep, mend, import or readmit.';
COMMENT ON COLUMN annals.changes.detail IS 'Details as JSON: insert, update or delete, columns, ids and numbers. Never text that anybody said.';

-- digest covers the row in changes, edits, erasures or undone. Ids are random, so that
-- nobody can find the text of an erased row by guessing.
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
COMMENT ON TABLE annals.audit IS 'Log of changes, undos and erasures, as a chain of hashes per group, and one for the service. Written by triggers; rows are only added.';
COMMENT ON COLUMN annals.audit.group_id IS 'The group that the row belongs to; empty: the service.';
COMMENT ON COLUMN annals.audit.position IS 'Position in the group''s chain, from 1.';
COMMENT ON COLUMN annals.audit.noted_at IS 'Time it was recorded.';
COMMENT ON COLUMN annals.audit.door IS 'Door it came in by: library, cli, rest, otlp, mcp, zep, graphiti, agent, worker or sql.';
COMMENT ON COLUMN annals.audit.written_by IS 'The API key or database user that did it; may be empty.';
COMMENT ON COLUMN annals.audit.authority IS 'Authority of the writer.';
COMMENT ON COLUMN annals.audit.action IS 'What was done: the action of an edit or a change, undo, or erase.';
COMMENT ON COLUMN annals.audit.row_id IS 'Id of the row in changes, edits, erasures or undone that has the details.';
COMMENT ON COLUMN annals.audit.digest IS 'SHA-256 of that row.';
COMMENT ON COLUMN annals.audit.previous IS 'Hash of the previous entry; empty for the first.';
COMMENT ON COLUMN annals.audit.hash IS 'SHA-256 of all other columns.';
CREATE INDEX audit_row ON annals.audit (group_id, row_id);
COMMENT ON INDEX annals.audit_row IS 'Finds the audit entry of a row.';

-- Hashes a JSON list with the members that 'annals audit export' writes, so that
-- anybody with an export can verify it.
CREATE FUNCTION annals_internal.audit_hash(group_id text, "position" bigint, noted_at timestamptz, door text, written_by text, authority annals.authority,
    action text, row_id uuid, digest bytea, previous bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(convert_to(jsonb_build_array(group_id, "position", to_char(noted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), door,
    written_by, authority, action, row_id, encode(digest, 'hex'), encode(previous, 'hex'))::text, 'UTF8'));
COMMENT ON FUNCTION annals_internal.audit_hash(text, bigint, timestamptz, text, text, annals.authority, text, uuid, bytea, bytea) IS
    'Returns the hash that an audit entry must have.';

-- Returns a row in the form that its digest covers: with times in UTC, whatever the
-- session's time zone. Anybody who knows the row can compute the digest.
CREATE FUNCTION annals_internal.audit_form(noted anyelement) RETURNS jsonb
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
BEGIN
    RETURN to_jsonb(noted) - 'to_vacuum';
END
$$;
COMMENT ON FUNCTION annals_internal.audit_form(anyelement) IS 'Returns a row in the form that the audit hashes: with times in UTC.';

-- Serialises the writers of a group, so that its chain never forks. The lock is
-- taken at commit. By then a writer holds all its other locks, so there is no
-- deadlock. The function runs as the owner, because nobody else may write the
-- audit. Rows that an import copies were changed elsewhere; one entry covers them
-- all. Without sorting, the last entry is looked up by its key. Otherwise a
-- transaction that writes many might sort all for each, as the statistics are from
-- when there were few.
CREATE FUNCTION annals_internal.note_audit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_sort = off SET jit = off AS $$
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
COMMENT ON FUNCTION annals_internal.note_audit() IS 'Trigger: adds an entry to the audit of the group or the service.';
REVOKE EXECUTE ON FUNCTION annals_internal.note_audit() FROM PUBLIC;

CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON annals.edits DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_audit('edit');
COMMENT ON TRIGGER audit ON annals.edits IS 'Adds the edit to the audit of its group.';
CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON annals_internal.undone DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_audit('undo');
COMMENT ON TRIGGER audit ON annals_internal.undone IS 'Adds the undo to the audit of its group.';
CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON annals.erasures DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_audit('erase');
COMMENT ON TRIGGER audit ON annals.erasures IS 'Adds the erasure to the audit of its group, or of the service if the group is gone.';
CREATE CONSTRAINT TRIGGER audit AFTER INSERT ON annals.changes DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_audit('change');
COMMENT ON TRIGGER audit ON annals.changes IS 'Adds the change to the audit of its group or the service.';

-- Records a change of the table that the trigger is on. Its arguments are the action
-- and the columns to keep.
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
COMMENT ON FUNCTION annals_internal.note_change() IS 'Trigger: records a change in changes. Its arguments are the action and the columns to keep.';

CREATE TRIGGER noted AFTER UPDATE OF name, description, time_zone, ontology ON annals.groups
    FOR EACH ROW WHEN ((OLD.name, OLD.description, OLD.time_zone, OLD.ontology) IS DISTINCT FROM (NEW.name, NEW.description, NEW.time_zone, NEW.ontology))
    EXECUTE FUNCTION annals_internal.note_change('settings', '{}');
COMMENT ON TRIGGER noted ON annals.groups IS 'Records changes of a group''s name, description, time zone and ontology.';
CREATE TRIGGER noted AFTER INSERT OR UPDATE OF until ON annals.marks
    FOR EACH ROW WHEN (annals_internal.write_origin()->>'action' = 'mark') EXECUTE FUNCTION annals_internal.note_change('mark', '{id,mark}');
COMMENT ON TRIGGER noted ON annals.marks IS 'Records marks that annals.mark() sets or ends, but not the expiry that an episode is added with.';
CREATE TRIGGER noted AFTER INSERT OR DELETE OR UPDATE OF max_age, max_episodes ON annals.retention
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('retention', '{max_age,max_episodes}');
COMMENT ON TRIGGER noted ON annals.retention IS 'Records changes of a group''s retention.';
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
COMMENT ON TRIGGER noted ON annals_internal.api_keys IS 'Records keys that are created, changed or revoked.';
CREATE TRIGGER noted AFTER INSERT OR DELETE OR UPDATE OF name, instructions, settings ON annals.agents
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('agent', '{id}');
COMMENT ON TRIGGER noted ON annals.agents IS 'Records agents that are created, changed or removed.';
CREATE TRIGGER noted AFTER INSERT OR DELETE OR UPDATE OF label, description, value, char_limit, read_only ON annals.blocks
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('block', '{id,version}');
COMMENT ON TRIGGER noted ON annals.blocks IS 'Records blocks that are created, edited or removed.';

-- Lists the rows covered by the audit of a group, or some of them, with their
-- present digests.
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
COMMENT ON FUNCTION annals_internal.audit_rows(text, uuid[]) IS 'Lists the rows covered by the audit of a group, with their present digests; NULL: all of them.';

-- Returns one digest of all rows without an entry, which come from imports.
CREATE FUNCTION annals_internal.unaudited_rows(of_group text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (SELECT encode(sha256(string_agg(r.digest, ''::bytea ORDER BY r.digest)), 'hex')
        FROM annals_internal.audit_rows(of_group, NULL) r
        WHERE NOT EXISTS (SELECT FROM annals.audit a WHERE a.group_id = of_group AND a.row_id = r.id));
END
$$;
COMMENT ON FUNCTION annals_internal.unaudited_rows(text) IS 'Returns the SHA-256 of the digests of all rows without an audit entry; NULL: none.';

-- Lists the faults in the audit of a group: the first entry that was changed or does
-- not follow the previous one, and rows that differ from their entries.
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
COMMENT ON FUNCTION annals_internal.audit_breaks(text) IS 'Lists the faults in the audit of a group, or for '''' of the service; no rows: it is intact.';

CREATE TRIGGER only_added BEFORE UPDATE OR DELETE ON annals.changes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_rewriting();
COMMENT ON TRIGGER only_added ON annals.changes IS 'Refuses to change or remove rows of changes.';
CREATE TRIGGER only_added BEFORE UPDATE OR DELETE ON annals.audit
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_rewriting();
COMMENT ON TRIGGER only_added ON annals.audit IS 'Refuses to change or remove audit entries.';
CREATE TRIGGER only_added_whole BEFORE TRUNCATE ON annals.audit
    FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.refuse_rewriting();
COMMENT ON TRIGGER only_added_whole ON annals.audit IS 'Refuses TRUNCATE of the audit.';

-- Removes the audit of a deleted group. Runs as the owner, like foreign keys of other
-- tables.
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
COMMENT ON TRIGGER forget_audit ON annals.groups IS 'Removes the audit of a deleted group.';

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
