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

CREATE FUNCTION annals.audit_hash(entry annals.audit) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(convert_to(jsonb_build_array(entry.group_id, entry.position, extract(epoch FROM entry.noted_at), entry.door, entry.written_by,
    entry.authority, entry.action, encode(entry.digest, 'hex'), encode(entry.previous, 'hex'))::text, 'UTF8'));
COMMENT ON FUNCTION annals.audit_hash(annals.audit) IS 'Returns the hash that an entry of the audit must have.';

-- Writers of one group wait here for one another, so that its chain never forks.
-- They do so when they commit: they hold all other locks by then, and nobody who
-- waits for one of those holds this one.
-- It runs as the owner, because nobody else may write the audit. What is copied
-- in by an import was done elsewhere: the chain of the group begins anew.
CREATE FUNCTION annals.note_audit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    origin jsonb := annals.origin();
    noted jsonb := to_jsonb(NEW);
    last annals.audit;
    entry annals.audit;
BEGIN
    PERFORM annals.check_tenant(NEW.group_id);
    IF origin->>'action' = 'import' OR NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = NEW.group_id) THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('annals.audit:' || NEW.group_id, 0));
    SELECT a.* INTO last FROM annals.audit a WHERE a.group_id = NEW.group_id ORDER BY a.position DESC LIMIT 1;
    entry.group_id := NEW.group_id;
    entry.position := coalesce(last.position, 0) + 1;
    entry.noted_at := clock_timestamp();
    entry.door := coalesce(noted->>'door', origin->>'door');
    entry.written_by := coalesce(noted->>'written_by', origin->>'written_by');
    entry.authority := coalesce(noted->>'authority', origin->>'authority');
    entry.action := coalesce(noted->>'action', TG_ARGV[0]);
    entry.digest := sha256(convert_to((noted - 'to_vacuum')::text, 'UTF8'));
    entry.previous := coalesce(last.hash, '');
    entry.hash := annals.audit_hash(entry);
    INSERT INTO annals.audit (group_id, position, noted_at, door, written_by, authority, action, digest, previous, hash)
    VALUES (entry.group_id, entry.position, entry.noted_at, entry.door, entry.written_by, entry.authority, entry.action,
        entry.digest, entry.previous, entry.hash);
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

CREATE FUNCTION annals.keep_audit() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = OLD.group_id) THEN
        RETURN OLD;
    END IF;
    RAISE insufficient_privilege USING MESSAGE = 'the audit is only added to; it goes with its group';
END
$$;
COMMENT ON FUNCTION annals.keep_audit() IS 'Trigger: refuses to change the audit, or to delete from it before its group is gone.';
CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON annals.audit FOR EACH ROW EXECUTE FUNCTION annals.keep_audit();
COMMENT ON TRIGGER keep ON annals.audit IS 'Refuses changes: the audit is only added to, and goes with its group.';

CREATE OR REPLACE FUNCTION annals.relations() RETURNS TABLE (name name, is_view boolean, tenant_may text[])
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT unnest(ARRAY[
        'agent_blocks', 'agent_files', 'agent_messages', 'agent_steps', 'agents', 'api_keys', 'batch_items', 'batches', 'blocks',
        'communities', 'community_builds', 'community_embeddings', 'community_members', 'disputes', 'entities', 'entity_embeddings',
        'entity_mentions', 'entity_merges', 'entity_names', 'episode_embeddings', 'episodes', 'fact_embeddings', 'fact_episodes',
        'facts', 'frequent_terms', 'groups', 'instructions', 'mentions', 'model_calls', 'observation_episodes', 'observation_facts',
        'observation_runs', 'observations', 'posting_blocks', 'postings', 'readings', 'rejections',
        'replies', 'retention', 'search_statistics', 'templates', 'threads', 'traces', 'undone', 'users', 'webhook_batches',
        'webhook_deliveries', 'webhooks'
    ])::name, false, '{SELECT,INSERT,UPDATE,DELETE}'::text[]
    UNION ALL
    SELECT unnest(ARRAY['blocks_history', 'communities_history', 'embeddings_history', 'entities_history', 'facts_history',
        'observations_history'])::name, false, '{SELECT,INSERT,DELETE}'
    UNION ALL
    SELECT 'edits'::name, false, '{SELECT,INSERT}'
    UNION ALL
    SELECT unnest(ARRAY['audit', 'erasures', 'settings', 'vector_indexes'])::name, false, '{SELECT}'
    UNION ALL
    SELECT 'tombstones'::name, false, '{}'
    UNION ALL
    SELECT unnest(ARRAY[
        'all_postings', 'block_rows', 'community_rows', 'community_versions', 'entity_knowledge', 'entity_rows', 'entity_versions', 'episode_rows', 'erased', 'fact_versions',
        'group_rows', 'memory_stream', 'model_usage', 'observation_versions', 'ranked', 'timeline', 'user_rows', 'vectors'
    ])::name, true, '{SELECT}';
END;

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
DROP FUNCTION annals.note_audit, annals.audit_hash;
DROP TABLE annals.audit;
DROP FUNCTION annals.keep_audit;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.relations() RETURNS TABLE (name name, is_view boolean, tenant_may text[])
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT unnest(ARRAY[
        'agent_blocks', 'agent_files', 'agent_messages', 'agent_steps', 'agents', 'api_keys', 'batch_items', 'batches', 'blocks',
        'communities', 'community_builds', 'community_embeddings', 'community_members', 'disputes', 'entities', 'entity_embeddings',
        'entity_mentions', 'entity_merges', 'entity_names', 'episode_embeddings', 'episodes', 'fact_embeddings', 'fact_episodes',
        'facts', 'frequent_terms', 'groups', 'instructions', 'mentions', 'model_calls', 'observation_episodes', 'observation_facts',
        'observation_runs', 'observations', 'posting_blocks', 'postings', 'readings', 'rejections',
        'replies', 'retention', 'search_statistics', 'templates', 'threads', 'traces', 'undone', 'users', 'webhook_batches',
        'webhook_deliveries', 'webhooks'
    ])::name, false, '{SELECT,INSERT,UPDATE,DELETE}'::text[]
    UNION ALL
    SELECT unnest(ARRAY['blocks_history', 'communities_history', 'embeddings_history', 'entities_history', 'facts_history',
        'observations_history'])::name, false, '{SELECT,INSERT,DELETE}'
    UNION ALL
    SELECT 'edits'::name, false, '{SELECT,INSERT}'
    UNION ALL
    SELECT unnest(ARRAY['erasures', 'settings', 'vector_indexes'])::name, false, '{SELECT}'
    UNION ALL
    SELECT 'tombstones'::name, false, '{}'
    UNION ALL
    SELECT unnest(ARRAY[
        'all_postings', 'block_rows', 'community_rows', 'community_versions', 'entity_knowledge', 'entity_rows', 'entity_versions', 'episode_rows', 'erased', 'fact_versions',
        'group_rows', 'memory_stream', 'model_usage', 'observation_versions', 'ranked', 'timeline', 'user_rows', 'vectors'
    ])::name, true, '{SELECT}';
END;
-- +goose StatementEnd
DELETE FROM annals.migrations WHERE version = 17;
