-- Isolation of tenants: a session with the role annals_tenant sees only the rows
-- of the group that its transaction names.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(13);

-- Lists the tables and views of both schemas, with the rights of annals_tenant.
-- Histories can be added to and erased, not rewritten. Settings and the list of vector
-- indexes are read-only. Only functions that run as the owner reach tombstones.
-- Functions that protect, erase or count tables use this list, so they leave foreign
-- tables and the queue alone. They skip tables that do not exist yet: the list includes
-- those of later migrations.
CREATE FUNCTION annals_internal.relations() RETURNS TABLE (qualified text, name name, is_view boolean, tenant_may text[])
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT concat_ws('.', l.schema, n.name), n.name::name, l.is_view, l.tenant_may::text[]
    FROM (VALUES
        ('annals', false, '{SELECT,INSERT,UPDATE,DELETE}', '
            agent_blocks agent_files agent_messages agent_steps agents answers blocks communities community_members disputes
            entities episodes fact_episodes facts groups marks mentions model_calls observations rejections
            retention skills threads traces users webhook_deliveries webhooks'),
        ('annals_internal', false, '{SELECT,INSERT,UPDATE,DELETE}', '
            answer_rows api_keys batch_items batches community_builds community_embeddings entity_embeddings entity_mentions
            entity_merges entity_names episode_embeddings fact_embeddings frequent_terms instructions observation_episodes observation_facts
            observation_runs posting_blocks postings readings replies run_spans search_statistics skill_decisions skill_runs templates undone webhook_batches'),
        ('annals_internal', false, '{SELECT,INSERT,DELETE}', '
            answers_history blocks_history communities_history embeddings_history entities_history facts_history
            observations_history skills_history'),
        ('annals', false, '{SELECT,INSERT}', 'changes edits'),
        ('annals', false, '{SELECT}', 'audit erasures'),
        ('annals_internal', false, '{SELECT}', 'settings vector_indexes'),
        ('annals_internal', false, '{}', 'erased_groups tombstones'),
        ('annals', true, '{SELECT}', '
            answer_versions block_versions community_versions entity_knowledge entity_versions episode_rows fact_versions
            memory_stream model_usage observation_versions skill_versions timeline vectors'),
        ('annals_internal', true, '{SELECT}', '
            all_postings community_rows entity_rows erased expired_marks group_rows ranked timeline_began timeline_ended user_rows')
    ) AS l (schema, is_view, tenant_may, names)
    CROSS JOIN LATERAL regexp_split_to_table(btrim(l.names, E' \n'), '\s+') AS n (name);
END;
COMMENT ON FUNCTION annals_internal.relations() IS 'Lists the tables and views of both schemas, with the rights of the role annals_tenant.';

-- Checks the caller of a function that runs as the owner; such functions call it
-- first. It accepts the owner, members of that role, roles that bypass row-level
-- security, and the tenant whose group the transaction is bound to.
CREATE FUNCTION annals_internal.check_tenant(asked text) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    caller name := coalesce(nullif(current_setting('role'), 'none'), session_user);
BEGIN
    IF asked IS DISTINCT FROM nullif(current_setting('annals.group_id', true), '')
        AND NOT pg_catalog.pg_has_role(caller, current_user, 'USAGE')
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = caller AND rolbypassrls) THEN
        RAISE insufficient_privilege USING MESSAGE = 'the transaction is not bound to this group';
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.check_tenant(text) IS 'Raises an error unless the caller of a function that runs as the owner may see the group.';

-- Creates the role annals_tenant if it is missing, and grants it to this user.
-- Without the right to do so, it prints what an administrator must do. Roles
-- belong to the whole server, so another database may have created it, even at
-- this moment.
CREATE FUNCTION annals_internal.make_tenant_role() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'annals_tenant') THEN
        BEGIN
            CREATE ROLE annals_tenant NOLOGIN NOINHERIT;
        EXCEPTION
            WHEN duplicate_object OR unique_violation THEN NULL;
            WHEN insufficient_privilege THEN
                RAISE NOTICE 'tenants cannot be told apart by the database yet: % may not create roles. As an administrator run '
                    'CREATE ROLE annals_tenant NOLOGIN; GRANT annals_tenant TO %; and then ''annals migrate up'' again.',
                    quote_ident(current_user), quote_ident(current_user);
                RETURN;
        END;
    END IF;
    IF NOT pg_catalog.pg_has_role(current_user, 'annals_tenant', 'MEMBER')
        OR current_setting('server_version_num')::int >= 160000 AND NOT pg_catalog.pg_has_role(current_user, 'annals_tenant', 'SET') THEN
        BEGIN
            EXECUTE format('GRANT annals_tenant TO %I', current_user)
                || CASE WHEN current_setting('server_version_num')::int >= 160000 THEN ' WITH INHERIT FALSE, SET TRUE' ELSE '' END;
        EXCEPTION
            WHEN unique_violation THEN NULL;
            WHEN insufficient_privilege OR invalid_grant_operation THEN
                RAISE NOTICE 'tenants cannot be told apart by the database yet: % may not act as annals_tenant. As an administrator run '
                    'GRANT annals_tenant TO %;', quote_ident(current_user), quote_ident(current_user);
        END;
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.make_tenant_role() IS
    'Creates the role annals_tenant and grants it to this user, or prints what an administrator must do.';

-- Enables row-level security on every table that lacks it, with two policies. The
-- owner of a table and members of that role see all rows; annals_tenant sees the
-- group in annals.group_id. Others see nothing, whatever was granted. 'annals
-- migrate up' calls it at its end, in case the role was created since. Without
-- changes it locks no table. Only the owner of the tables can call it.
CREATE FUNCTION annals_internal.protect_tenants() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    -- After its transaction a setting reads as '', which is no group.
    theirs constant text := 'group_id = nullif(current_setting(''annals.group_id'', true), '''')';
    tenant constant boolean := EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'annals_tenant');
    t record;
BEGIN
    FOR t IN
        SELECT c.oid, c.oid::regclass AS tab, c.relname, r.tenant_may, o.rolname AS owner,
            c.relrowsecurity AND c.relforcerowsecurity AS secured,
            EXISTS (SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'owner') AS owned,
            EXISTS (SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'owner'
                AND p.polroles = ARRAY[c.relowner]) AS owned_rightly,
            EXISTS (SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant') AS let,
            EXISTS (SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant'
                AND p.polroles::regrole[]::text[] = '{annals_tenant}') AS let_rightly
        FROM annals_internal.relations() r
        JOIN pg_catalog.pg_class c ON c.oid = to_regclass(r.qualified)
        JOIN pg_catalog.pg_roles o ON o.oid = c.relowner
        WHERE NOT r.is_view
        ORDER BY c.relname
    LOOP
        IF NOT t.secured THEN
            EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', t.tab);
        END IF;
        IF t.owned AND NOT t.owned_rightly THEN
            EXECUTE format('ALTER POLICY owner ON %s TO %I', t.tab, t.owner);
        ELSIF NOT t.owned THEN
            EXECUTE format('CREATE POLICY owner ON %s TO %I USING (true)', t.tab, t.owner);
        END IF;
        IF tenant AND t.let AND NOT t.let_rightly THEN
            EXECUTE format('ALTER POLICY tenant ON %s TO annals_tenant', t.tab);
        ELSIF tenant AND NOT t.let THEN
            EXECUTE format('CREATE POLICY tenant ON %s TO annals_tenant USING (%s)', t.tab,
                CASE WHEN t.relname = 'settings' THEN 'group_id = '''' AND name <> ''tombstone_key'' OR ' ELSE '' END || theirs);
        END IF;
    END LOOP;
    IF NOT tenant THEN
        RETURN;
    END IF;
    IF NOT pg_catalog.has_schema_privilege('annals_tenant', 'annals', 'USAGE')
        OR NOT pg_catalog.has_schema_privilege('annals_tenant', 'annals_internal', 'USAGE') THEN
        GRANT USAGE ON SCHEMA annals, annals_internal TO annals_tenant;
    END IF;
    FOR t IN
        SELECT c.oid::regclass AS tab, m.privilege
        FROM annals_internal.relations() r
        JOIN pg_catalog.pg_class c ON c.oid = to_regclass(r.qualified)
        CROSS JOIN LATERAL unnest(r.tenant_may) AS m(privilege)
        WHERE NOT pg_catalog.has_table_privilege('annals_tenant', c.oid, m.privilege)
        ORDER BY c.relname
    LOOP
        EXECUTE format('GRANT %s ON %s TO annals_tenant', t.privilege, t.tab);
    END LOOP;
    GRANT EXECUTE ON FUNCTION annals_internal.add_tombstone(text, text, text), annals_internal.redact_erased(text, text), annals_internal.erased_episodes(text, bytea[]), annals_internal.copy_tombstones(text, text, boolean),
        annals_internal.tombstone_key(), annals_internal.restore_tombstones(text, text[], bytea[], bytea[], integer[]),
        annals_internal.erase_group(text), annals_internal.note_erasure(text, text, jsonb, text[]), annals_internal.remove_ended_jobs(text),
        annals_internal.complete_webhook_batches(text) TO annals_tenant;
END
$$;
COMMENT ON FUNCTION annals_internal.protect_tenants() IS 'Enables row-level security on every table that lacks it. ''annals migrate up'' calls it.';

CALL annals_internal.end_migration(13, 'tenancy');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals_internal.protect_tenants, annals_internal.make_tenant_role, annals_internal.check_tenant, annals_internal.relations;
DELETE FROM annals.migrations WHERE version = 13;
