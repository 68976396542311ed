-- Run as an administrator, in the database, before the first migration.
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;
-- The owner migrates. Without a password nobody logs in by one: set it, as by \password {owner}.
CREATE ROLE {owner} LOGIN;
GRANT CREATE ON DATABASE {database} TO {owner};
-- Tenants: ForTenant and keys of one group act as this role.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'annals_tenant') THEN -- another database of the server may have it
        CREATE ROLE annals_tenant NOLOGIN NOINHERIT;
    END IF;
END $$;
GRANT annals_tenant TO {owner};
-- The application: servers, workers and programs, without DDL. It needs a password, too.
CREATE ROLE {app} LOGIN BYPASSRLS;
GRANT annals_tenant TO {app};
