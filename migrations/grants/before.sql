-- Run as an administrator, in the database, before the first migration.
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;
-- The owner migrates.
CREATE ROLE {owner} LOGIN PASSWORD '…';
GRANT CREATE ON DATABASE {database} TO {owner};
-- Tenants: ForTenant and keys of one group act as this role.
CREATE ROLE annals_tenant NOLOGIN NOINHERIT;
GRANT annals_tenant TO {owner};
-- The application: servers, workers and programs, without DDL.
CREATE ROLE {app} LOGIN BYPASSRLS PASSWORD '…';
GRANT annals_tenant TO {app};
