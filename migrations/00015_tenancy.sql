-- Tenants that cannot see each other: whoever acts as annals_tenant sees the
-- rows of the one group that its transaction names, and no others, whatever it
-- asks. docs/tenancy.md says how to use it.
--
-- +goose Up

-- Under row-level security an index serves only conditions whose operators
-- give nothing away about the rows they look at. Equality of texts is such an
-- operator, equality of enumerations is not: terms would be looked up by
-- reading all postings of a group. This writes the tables anew.
ALTER TABLE annals.postings ALTER kind TYPE text COLLATE "C" USING kind::text,
    ADD CONSTRAINT postings_kind CHECK (kind IN ('episode', 'entity', 'fact', 'community'));
ALTER TABLE annals.frequent_terms ALTER kind TYPE text COLLATE "C" USING kind::text,
    ADD CONSTRAINT frequent_terms_kind CHECK (kind IN ('episode', 'entity', 'fact', 'community'));

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.add_postings() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annals.postings (group_id, kind, term, document_id, tf, length)
    SELECT n.group_id, TG_ARGV[0], t.lexeme, n.id, cardinality(t.positions), n.length
    FROM new_rows n, unnest(n.terms) AS t;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION annals.replace_postings() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM annals.postings
    WHERE group_id = OLD.group_id AND kind = TG_ARGV[0] AND term = ANY (tsvector_to_array(OLD.terms))
        AND document_id = OLD.id;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO annals.postings (group_id, kind, term, document_id, tf, length)
        SELECT NEW.group_id, TG_ARGV[0], t.lexeme, NEW.id, cardinality(t.positions), NEW.length
        FROM unnest(NEW.terms) AS t;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- What annals_tenant may do with a table: histories are added to and erased,
-- never rewritten; settings and the catalogue of indexes are read; hashes of
-- what was erased are the business of functions that run as the owner.
-- +goose StatementBegin
CREATE FUNCTION annals.tenant_privileges(tab name) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN tab = 'tombstones' THEN '{}'
        WHEN tab IN ('settings', 'vector_indexes') THEN '{SELECT}'::text[]
        WHEN tab LIKE '%\_history' THEN '{SELECT,INSERT,DELETE}'
        ELSE '{SELECT,INSERT,UPDATE,DELETE}'
    END
$$;

-- Makes the role annals_tenant where it is missing, and lets this user act as
-- it. Where this user may not, it says what an administrator has to do. Roles
-- belong to the whole server: another database may have made it already, even
-- at this moment.
CREATE FUNCTION annals.make_tenant_role() RETURNS void
LANGUAGE plpgsql AS $$
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

-- Puts every table of the schema that is not protected yet, or no longer as it
-- should be, under row-level security. Two policies: the owner of a table, and
-- whoever is a member of that role, sees all of it; annals_tenant sees the
-- group that annals.group_id names. Anybody else sees nothing, whatever was
-- granted. 'annals migrate up' calls it at its end, so that no table that a
-- later migration makes is forgotten; where nothing is to be done it locks
-- nothing. Only the owner of the tables can do it.
CREATE FUNCTION annals.protect_tenants() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    -- A setting that ended with its transaction leaves '' behind, which is no group.
    theirs constant text := 'group_id = nullif(current_setting(''annals.group_id'', true), '''')';
    tenant constant boolean := EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'annals_tenant');
    t record;
    privilege text;
BEGIN
    FOR t IN
        SELECT c.oid, c.oid::regclass AS tab, c.relname, c.relowner, o.rolname AS owner, c.relrowsecurity AND c.relforcerowsecurity AS secured,
            EXISTS (SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'owner') AS owned,
            EXISTS (SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'owner'
                AND p.polroles = ARRAY[c.relowner]) AS owned_rightly,
            EXISTS (SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant') AS let
        FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_roles o ON o.oid = c.relowner
        WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind IN ('r', 'p')
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
        IF tenant AND NOT t.let THEN
            EXECUTE format('CREATE POLICY tenant ON %s TO annals_tenant USING (%s)', t.tab,
                CASE WHEN t.relname = 'settings' THEN 'group_id = '''' AND name <> ''tombstone_key'' OR ' ELSE '' END || theirs);
        END IF;
        IF tenant THEN
            FOREACH privilege IN ARRAY annals.tenant_privileges(t.relname) LOOP
                IF NOT pg_catalog.has_table_privilege('annals_tenant', t.oid, privilege) THEN
                    EXECUTE format('GRANT %s ON %s TO annals_tenant', privilege, t.tab);
                END IF;
            END LOOP;
        END IF;
    END LOOP;
    FOR t IN
        SELECT c.oid, c.oid::regclass AS tab, coalesce('security_invoker=true' = ANY (c.reloptions), false) AS invoked
        FROM pg_catalog.pg_class c
        WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind = 'v'
        ORDER BY c.relname
    LOOP
        IF NOT t.invoked THEN
            EXECUTE format('ALTER VIEW %s SET (security_invoker = true)', t.tab);
        END IF;
        IF tenant AND NOT pg_catalog.has_table_privilege('annals_tenant', t.oid, 'SELECT') THEN
            EXECUTE format('GRANT SELECT ON %s TO annals_tenant', t.tab);
        END IF;
    END LOOP;
    FOR t IN
        SELECT p.oid, p.oid::regprocedure AS fun FROM pg_catalog.pg_proc p
        WHERE p.pronamespace = 'annals'::regnamespace AND p.prosecdef AND p.prorettype <> 'trigger'::regtype
        ORDER BY p.proname
    LOOP
        IF tenant AND NOT pg_catalog.has_function_privilege('annals_tenant', t.oid, 'EXECUTE') THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO annals_tenant', t.fun);
        END IF;
    END LOOP;
    IF tenant AND NOT pg_catalog.has_schema_privilege('annals_tenant', 'annals', 'USAGE') THEN
        GRANT USAGE ON SCHEMA annals TO annals_tenant;
    END IF;
END
$$;
-- +goose StatementEnd

COMMENT ON FUNCTION annals.tenant_privileges(name) IS 'What annals_tenant may do with a table.';
COMMENT ON FUNCTION annals.make_tenant_role() IS
    'Makes the role annals_tenant and lets this user act as it, or says what an administrator has to do.';
COMMENT ON FUNCTION annals.protect_tenants() IS
    'Puts every table that is not yet, or no longer, protected under row-level security. ''annals migrate up'' calls it.';

SELECT annals.make_tenant_role();
SELECT annals.protect_tenants();

-- +goose Down

-- The role stays: it belongs to the server, and other databases may use it.
-- +goose StatementBegin
DO $$
DECLARE
    t record;
    tenant constant boolean := EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'annals_tenant');
BEGIN
    FOR t IN
        SELECT c.oid::regclass AS tab, c.relkind FROM pg_catalog.pg_class c
        WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind IN ('r', 'p', 'v')
    LOOP
        IF t.relkind = 'v' THEN
            EXECUTE format('ALTER VIEW %s RESET (security_invoker)', t.tab);
        ELSE
            EXECUTE format('DROP POLICY IF EXISTS owner ON %s', t.tab);
            EXECUTE format('DROP POLICY IF EXISTS tenant ON %s', t.tab);
            EXECUTE format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY', t.tab);
        END IF;
        IF tenant THEN
            EXECUTE format('REVOKE ALL ON %s FROM annals_tenant', t.tab);
        END IF;
    END LOOP;
    IF tenant THEN
        REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA annals FROM annals_tenant;
        REVOKE USAGE ON SCHEMA annals FROM annals_tenant;
    END IF;
END
$$;
-- +goose StatementEnd

DROP FUNCTION annals.protect_tenants(), annals.make_tenant_role(), annals.tenant_privileges(name);

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.add_postings() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annals.postings (group_id, kind, term, document_id, tf, length)
    SELECT n.group_id, TG_ARGV[0]::annals.kind, t.lexeme, n.id, cardinality(t.positions), n.length
    FROM new_rows n, unnest(n.terms) AS t;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION annals.replace_postings() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM annals.postings
    WHERE group_id = OLD.group_id AND kind = TG_ARGV[0]::annals.kind AND term = ANY (tsvector_to_array(OLD.terms))
        AND document_id = OLD.id;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO annals.postings (group_id, kind, term, document_id, tf, length)
        SELECT NEW.group_id, TG_ARGV[0]::annals.kind, t.lexeme, NEW.id, cardinality(t.positions), NEW.length
        FROM unnest(NEW.terms) AS t;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

ALTER TABLE annals.frequent_terms DROP CONSTRAINT frequent_terms_kind, ALTER kind TYPE annals.kind USING kind::annals.kind;
ALTER TABLE annals.postings DROP CONSTRAINT postings_kind, ALTER kind TYPE annals.kind USING kind::annals.kind;
