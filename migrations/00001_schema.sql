-- The schema itself: which migrations ran, the extensions, and the types,
-- functions and settings that all that follows builds on.
--
-- +goose Up
-- +goose StatementBegin

CREATE SCHEMA annals;
COMMENT ON SCHEMA annals IS 'Long-term memory for AI agents: episodes, the entities and facts read from them, and every version these were in.';

-- Which migrations ran. Each notes itself, so that 'annals migrate status'
-- knows of them whatever tool ran them.
CREATE TABLE annals.migrations (
    version bigint PRIMARY KEY CHECK (version > 0),
    name text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE annals.migrations IS 'The migrations of this schema that ran.';
COMMENT ON COLUMN annals.migrations.version IS 'The number of the migration.';
COMMENT ON COLUMN annals.migrations.name IS 'What it holds.';
COMMENT ON COLUMN annals.migrations.applied_at IS 'When it ran.';
GRANT SELECT ON annals.migrations TO PUBLIC; -- with USAGE of the schema, which comes first

-- An extension that is there already stays where it is, and needs no rights.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['vector', 'btree_gist', 'pg_trgm', 'unaccent'] LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = name) THEN
            EXECUTE format('CREATE EXTENSION %I SCHEMA public', name);
        END IF;
    END LOOP;
END
$$;

-- Refuses a migration that does not follow on the newest that ran.
CREATE FUNCTION annals.check_migration(version bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    newest bigint := coalesce((SELECT max(m.version) FROM annals.migrations m), 0);
BEGIN
    IF check_migration.version <> newest + 1 THEN
        RAISE EXCEPTION 'migration % does not follow on migration %, the newest of this database', check_migration.version, newest
            USING HINT = '''annals migrate status'' shows what ran; what ran already is left out.';
    END IF;
END
$$;
COMMENT ON FUNCTION annals.check_migration(bigint) IS 'Refuses a migration that does not follow on the newest that ran.';

-- Begins a migration: the names of extensions are found, wherever those are. A
-- name is looked up once, when the object that uses it is made, and never by the
-- search path of a caller.
CREATE FUNCTION annals.begin_migration(version bigint) RETURNS void
LANGUAGE sql
BEGIN ATOMIC
    SELECT annals.check_migration(version);
    SELECT set_config('annals.search_path', current_setting('search_path'), false);
    SELECT set_config('search_path', string_agg(DISTINCT quote_ident(n.nspname), ', '), false)
    FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname IN ('vector', 'btree_gist', 'pg_trgm', 'unaccent');
END;
COMMENT ON FUNCTION annals.begin_migration(bigint) IS 'Begins a migration: lets the names of extensions be found.';

-- Ends a migration: notes that it ran, and leaves the search path as it was.
CREATE FUNCTION annals.end_migration(version bigint, name text) RETURNS void
LANGUAGE sql
BEGIN ATOMIC
    INSERT INTO annals.migrations (version, name) VALUES ($1, $2);
    SELECT set_config('search_path', current_setting('annals.search_path'), false);
END;
COMMENT ON FUNCTION annals.end_migration(bigint, text) IS 'Ends a migration: notes that it ran.';

SELECT annals.begin_migration(1);

CREATE TYPE annals.group_kind AS ENUM ('graph', 'user');
COMMENT ON TYPE annals.group_kind IS 'What a memory is of.';
CREATE TYPE annals.episode_source AS ENUM ('message', 'text', 'json');
COMMENT ON TYPE annals.episode_source IS 'The form an episode came in.';
CREATE TYPE annals.episode_state AS ENUM ('pending', 'processing', 'done', 'failed');
COMMENT ON TYPE annals.episode_state IS 'How far an episode has come into the graph.';
CREATE TYPE annals.episode_role AS ENUM ('states', 'ends');
COMMENT ON TYPE annals.episode_role IS 'What an episode does to a fact.';
CREATE TYPE annals.kind AS ENUM ('episode', 'entity', 'fact', 'community');
COMMENT ON TYPE annals.kind IS 'The sorts of rows that are searched.';

-- English words without their accents and endings; a group may name another
-- configuration of its own.
CREATE TEXT SEARCH CONFIGURATION annals.english (COPY = pg_catalog.english);
ALTER TEXT SEARCH CONFIGURATION annals.english
    ALTER MAPPING FOR hword, hword_part, word WITH unaccent, english_stem;
COMMENT ON TEXT SEARCH CONFIGURATION annals.english IS 'English words without their accents and endings.';

-- The transaction's clock on the recorded axis. The engine sets it once it
-- holds the group's lock, so that later commits have later times; else now().
CREATE FUNCTION annals.clock() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(nullif(current_setting('annals.clock', true), '')::timestamptz, now());
COMMENT ON FUNCTION annals.clock() IS 'The time of this transaction on the recorded axis: as the engine set it, else now().';

-- The episodes whose processing is being written, which the engine sets for
-- its transaction. None: an edit by hand.
CREATE FUNCTION annals.causes() RETURNS uuid[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN string_to_array(coalesce(current_setting('annals.episodes', true), ''), ',')::uuid[];
COMMENT ON FUNCTION annals.causes() IS
    'The episodes whose processing is being written, as the engine sets them for its transaction.';

-- A name folded so that case, accents, width and spacing do not matter.
CREATE FUNCTION annals.name_key(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "und-x-icu"),
    '\s+', ' ', 'g'));
COMMENT ON FUNCTION annals.name_key(text) IS 'A name without regard to case, accents, width and spacing.';

-- The operators of extensions under names that need no search path: an
-- application may have the extensions in a schema that its own search path does
-- not name. The planner puts the bodies in place of the calls, so that indexes
-- are used as for the operators themselves: for that they must be SQL, without
-- SET, not STRICT, no less volatile than what they call, and name each argument
-- once.
CREATE FUNCTION annals.likeness(a text, b text) RETURNS real
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN similarity(a, b);
COMMENT ON FUNCTION annals.likeness(text, text) IS 'How alike two texts are spelled: similarity of pg_trgm, 0 to 1.';

CREATE FUNCTION annals.alike(name text, other text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN name % other;
COMMENT ON FUNCTION annals.alike(text, text) IS 'Whether two names are spelled alike: the operator % of pg_trgm.';

CREATE FUNCTION annals.alike_within(name text, word text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN name %> word;
COMMENT ON FUNCTION annals.alike_within(text, text) IS 'Whether a name has a word that is spelled like another: the operator %> of pg_trgm.';

-- What holds for the whole database stands under the group ''.
CREATE TABLE annals.settings (
    group_id text NOT NULL,
    name text NOT NULL CHECK (name <> ''),
    value jsonb NOT NULL,
    PRIMARY KEY (group_id, name)
);
COMMENT ON TABLE annals.settings IS 'What holds for the whole database, under the group '''', such as the dimension of vectors.';
COMMENT ON COLUMN annals.settings.group_id IS 'Empty: the whole database.';
COMMENT ON COLUMN annals.settings.name IS 'Which setting.';
COMMENT ON COLUMN annals.settings.value IS 'Its value.';

SELECT annals.end_migration(1, 'schema');

-- +goose StatementEnd
-- +goose Down

DROP TABLE annals.settings;
DROP FUNCTION annals.alike_within, annals.alike, annals.likeness, annals.name_key, annals.causes, annals.clock;
DROP TYPE annals.kind, annals.episode_role, annals.episode_state, annals.episode_source, annals.group_kind;
DROP TEXT SEARCH CONFIGURATION annals.english;
DROP FUNCTION annals.end_migration, annals.begin_migration, annals.check_migration;
DROP TABLE annals.migrations;
DROP SCHEMA annals;
