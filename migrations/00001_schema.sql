-- The foundation: the table of migrations, the extensions, and the types,
-- functions and settings that all later migrations use.
--
-- +goose Up
-- +goose StatementBegin

CREATE SCHEMA IF NOT EXISTS annals;
COMMENT ON SCHEMA annals IS 'Long-term memory for AI agents: episodes, the entities and facts read from them, and every version of these.';
CREATE SCHEMA IF NOT EXISTS annals_internal;
COMMENT ON SCHEMA annals_internal IS
    'Helper functions, triggers, indexes of words and vectors, former versions, and the queue of River. It serves the schema annals and may change with every version.';

-- Records the migrations that have run. Each one adds itself, so 'annals
-- migrate status' is right whichever tool ran it.
CREATE TABLE annals.migrations (
    version bigint PRIMARY KEY CHECK (version > 0),
    name text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE annals.migrations IS 'The migrations of this schema that have run.';
COMMENT ON COLUMN annals.migrations.version IS 'Number of the migration.';
COMMENT ON COLUMN annals.migrations.name IS 'Name of the migration, after what it creates.';
COMMENT ON COLUMN annals.migrations.applied_at IS 'Time it ran.';
GRANT SELECT ON annals.migrations TO PUBLIC; -- USAGE of the schema is granted separately

-- Creates the missing extensions. An extension that exists stays in its schema,
-- and no rights are needed for it.
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

-- Refuses a migration unless it directly follows the newest one that has run.
CREATE FUNCTION annals_internal.check_migration(version bigint) RETURNS void
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
COMMENT ON FUNCTION annals_internal.check_migration(bigint) IS 'Refuses a migration unless it directly follows the newest one that has run.';

-- Begins a migration: puts the schemas of the extensions into the search path.
-- PostgreSQL resolves a name when it creates the object that uses it. The search
-- path of a caller never matters.
CREATE PROCEDURE annals_internal.begin_migration(version bigint)
LANGUAGE sql
BEGIN ATOMIC
    SELECT annals_internal.check_migration(version);
    SELECT set_config('annals.search_path', current_setting('search_path'), true);
    SELECT set_config('search_path', string_agg(DISTINCT quote_ident(n.nspname), ', '), true)
    FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname IN ('vector', 'btree_gist', 'pg_trgm', 'unaccent');
END;
COMMENT ON PROCEDURE annals_internal.begin_migration(bigint) IS
    'Begins a migration: checks that it is the next one, and puts the schemas of the extensions into the search path.';

-- Ends a migration: records that it ran, and restores the search path.
CREATE PROCEDURE annals_internal.end_migration(version bigint, name text)
LANGUAGE sql
BEGIN ATOMIC
    INSERT INTO annals.migrations (version, name) VALUES (end_migration.version, end_migration.name);
    SELECT set_config('search_path', current_setting('annals.search_path'), true);
END;
COMMENT ON PROCEDURE annals_internal.end_migration(bigint, text) IS 'Ends a migration: records that it ran, and restores the search path.';

CALL annals_internal.begin_migration(1);

CREATE TYPE annals.group_kind AS ENUM ('graph', 'user');
COMMENT ON TYPE annals.group_kind IS 'Kind of memory: a user''s, or any other graph.';
CREATE TYPE annals.episode_source AS ENUM ('message', 'text', 'json', 'run');
COMMENT ON TYPE annals.episode_source IS 'The form in which an episode arrived.';
CREATE TYPE annals.episode_state AS ENUM ('pending', 'processing', 'done', 'failed');
COMMENT ON TYPE annals.episode_state IS 'State of an episode on its way into the graph.';
CREATE TYPE annals.episode_role AS ENUM ('states', 'ends', 'corrected');
COMMENT ON TYPE annals.episode_role IS
    'The effect of an episode on a fact: it states the fact, ends it, or stated it in other words before a person corrected it.';
CREATE TYPE annals.kind AS ENUM ('episode', 'entity', 'fact', 'community', 'skill');
CREATE TYPE annals.fact_kind AS ENUM ('state', 'event');
COMMENT ON TYPE annals.fact_kind IS 'state: goes on and may end; event: happens once.';
CREATE TYPE annals.basis AS ENUM ('unknown', 'said', 'stated', 'planned', 'inferred');
COMMENT ON TYPE annals.basis IS
    'How a start or an end is known. unknown: nobody told it; said: it held, or was over, when it was said; stated: the text states it; planned: the text announces it, and nobody confirmed it; inferred: a contradicting fact bounds it.';
CREATE TYPE annals.exactness AS ENUM ('unknown', 'instant', 'day', 'week', 'month', 'season', 'year', 'decade');
COMMENT ON TYPE annals.exactness IS 'Precision of a start or an end.';
COMMENT ON TYPE annals.kind IS 'The kinds of rows that can be searched or marked.';
CREATE TYPE annals.authority AS ENUM ('assistant', 'document', 'user', 'person');
COMMENT ON TYPE annals.authority IS
    'Whose word something is, lowest first. assistant: a model; document: a document or tool; user: the user in a message; person: whoever told or changed it by hand.';

CREATE TYPE annals.trust AS ENUM ('candidate', 'disputed', 'believed');
COMMENT ON TYPE annals.trust IS
    'Whether a fact is believed. candidate: the group withholds it until it is confirmed; disputed: a higher authority contradicts it; believed: neither.';

-- Configurations that strip accents and endings, for English and the languages
-- whose stop words PostgreSQL has: annals_internal.language_of tells languages
-- apart by them.
CREATE TEXT SEARCH CONFIGURATION annals.english (COPY = pg_catalog.english);
ALTER TEXT SEARCH CONFIGURATION annals.english
    ALTER MAPPING FOR hword, hword_part, word WITH unaccent, english_stem;
COMMENT ON TEXT SEARCH CONFIGURATION annals.english IS
    'English words without accents and endings; the text search configuration of groups until their language is known.';
DO $$
DECLARE
    language text;
BEGIN
    FOREACH language IN ARRAY '{danish,dutch,finnish,french,german,hungarian,italian,norwegian,portuguese,russian,spanish,swedish,turkish}'::text[] LOOP
        EXECUTE format('CREATE TEXT SEARCH CONFIGURATION annals.%1$I (COPY = pg_catalog.%1$I)', language);
        EXECUTE format('ALTER TEXT SEARCH CONFIGURATION annals.%1$I ALTER MAPPING FOR hword, hword_part, word WITH unaccent, %1$s_stem', language);
        EXECUTE format('COMMENT ON TEXT SEARCH CONFIGURATION annals.%I IS %L', language, initcap(language) || ' words without accents and endings.');
    END LOOP;
END
$$;

-- Returns the time of the transaction on the recorded axis. The engine sets it
-- after it has taken the group's lock, so that later commits have later times.
CREATE FUNCTION annals_internal.recorded_now() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(nullif(current_setting('annals.clock', true), '')::timestamptz, now());
COMMENT ON FUNCTION annals_internal.recorded_now() IS 'Returns the time of this transaction on the recorded axis: the one that the engine set, else now().';

-- Changes a setting for the rest of the transaction, on every server that the
-- transaction reaches. In a cluster, only SET LOCAL reaches the other servers.
CREATE FUNCTION annals_internal.set_local(name text, value text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF current_setting('annals.distributed', true) = 'on' THEN
        EXECUTE format('SET LOCAL %I = %L', name, value);
        RETURN value;
    END IF;
    RETURN set_config(name, value, true);
END
$$;
COMMENT ON FUNCTION annals_internal.set_local(text, text) IS 'Changes a setting for the rest of the transaction, on every server of a cluster that it reaches.';

-- Hides a constant from the planner, which would drop the branches of a view that the
-- constant excludes. A cluster would then ask every server, not only the group's.
CREATE FUNCTION annals_internal.hide_from_planner(value anyelement) RETURNS anyelement
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN value;
END
$$;
COMMENT ON FUNCTION annals_internal.hide_from_planner(anyelement) IS 'Returns its argument, but hides its value from the planner until execution. Used by views of a cluster.';

-- Names of tables and views are unique across both schemas, so a name alone
-- identifies a table.
CREATE FUNCTION annals_internal.qualified_name(relation name) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN format(CASE WHEN to_regclass(format('annals.%I', relation)) IS NULL THEN 'annals_internal.%I' ELSE 'annals.%I' END, relation);
COMMENT ON FUNCTION annals_internal.qualified_name(name) IS 'Returns the name of a table or view with its schema, annals or annals_internal.';

-- Adds seconds to a time. Unlike adding an interval, this never depends on the
-- time zone: a cluster refuses updates that do.
CREATE FUNCTION annals_internal.seconds_after(at timestamptz, seconds double precision) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN at + make_interval(secs => seconds);
COMMENT ON FUNCTION annals_internal.seconds_after(timestamptz, double precision) IS 'Adds seconds to a time.';

-- Returns the episodes whose processing this transaction writes to the graph. The
-- engine sets them; an edit by hand has none.
CREATE FUNCTION annals_internal.causing_episodes() RETURNS uuid[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN string_to_array(coalesce(current_setting('annals.episodes', true), ''), ',')::uuid[];
COMMENT ON FUNCTION annals_internal.causing_episodes() IS
    'Returns the episodes whose processing the current transaction writes to the graph. The engine sets them; empty for an edit by hand.';

-- Returns who writes in this transaction. Doors set it: the door, the key or
-- person, the authority, and the kind of edit.
CREATE FUNCTION annals_internal.write_origin() RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE
RETURN jsonb_build_object('door', 'sql', 'written_by', session_user, 'authority', 'person')
    || coalesce(nullif(current_setting('annals.origin', true), ''), '{}')::jsonb;
COMMENT ON FUNCTION annals_internal.write_origin() IS
    'Returns who writes in the current transaction: door, written_by, authority and, for an edit, action. Bare SQL counts as the session''s user.';

-- Returns the authority of an episode from its source and the role of its
-- speaker.
CREATE FUNCTION annals_internal.authority_of(source annals.episode_source, role text) RETURNS annals.authority
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN source = 'run' OR lower(btrim(role)) IN ('assistant', 'ai', 'agent', 'bot', 'model') THEN 'assistant'
    WHEN source <> 'message' OR lower(btrim(role)) IN ('tool', 'function', 'system') THEN 'document'
    ELSE 'user'
    END::annals.authority;
COMMENT ON FUNCTION annals_internal.authority_of(annals.episode_source, text) IS
    'Returns the authority of an episode from its source and the role of its speaker.';

-- Folds a name so that case, accents, width and spacing do not matter.
CREATE FUNCTION annals_internal.name_key(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "und-x-icu"),
    '\s+', ' ', 'g'));
COMMENT ON FUNCTION annals_internal.name_key(text) IS 'Folds a name so that case, accents, width and spacing do not matter.';

-- Folds a sentence, so that a change of spelling does not get past what was erased
-- or withdrawn. Beyond what name_key folds, it ignores invisible characters
-- (zero-width, soft hyphens, direction marks, variation selectors), Arabic and
-- Hebrew vowel signs, and punctuation. It maps Cyrillic and Greek letters to the
-- Latin letters they look like. Other letters stay, so that other scripts keep
-- their words apart. ASCII needs none of this and takes a faster path.
CREATE FUNCTION annals_internal.fold_text(said text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length(said) = length(said)
    THEN btrim(regexp_replace(lower(said COLLATE "C"), '[^a-z0-9$+\x01-\x08\x0e-\x1b\x7f]+' COLLATE "C", ' ', 'g')) COLLATE "und-x-icu"
    ELSE btrim(regexp_replace(
        translate(lower(regexp_replace(normalize(said, NFKD),
                '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u061c\u0640\u064b-\u0652\u06dd\u070f\u08e2\u115f\u1160'
                '\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\u2800\u3164'
                '\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
                '', 'g') COLLATE "und-x-icu"),
            'авеһнікморстухѕјԁԛԝӏүαβεικνορτυχηϳıłøđħŧɡɑ',
            'abehhikmopctyxsjdqwlyabeikvoptuxnjilodhtga'),
        '[[:punct:][:space:]^`|~=<>]+' COLLATE "und-x-icu", ' ', 'g')) END;
COMMENT ON FUNCTION annals_internal.fold_text(text) IS
    'Folds a sentence so that case, accents, width, spacing, punctuation, invisible characters and letters that look alike do not matter.';

-- Wrap operators of extensions in functions that need no search path: an
-- application may keep the extensions in a schema outside its own search path.
-- The planner inlines these functions and so uses the same indexes as for the
-- operators. For that they must be written in SQL, without SET, not STRICT, no
-- less volatile than what they call, and use each argument once.
CREATE FUNCTION annals_internal.spelling_similarity(a text, b text) RETURNS real
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN similarity(a, b);
COMMENT ON FUNCTION annals_internal.spelling_similarity(text, text) IS
    'Returns how similar the spelling of two texts is, from 0 to 1: similarity() of pg_trgm.';

CREATE FUNCTION annals_internal.spelled_alike(name text, other text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN name COLLATE ucs_basic % other;
COMMENT ON FUNCTION annals_internal.spelled_alike(text, text) IS 'Tells whether two names are spelled alike: the operator % of pg_trgm.';

CREATE FUNCTION annals_internal.word_spelled_alike(name text, word text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN name COLLATE ucs_basic %> word;
COMMENT ON FUNCTION annals_internal.word_spelled_alike(text, text) IS
    'Tells whether a name contains a word that is spelled like the given one: the operator %> of pg_trgm.';

-- Settings of the whole database have the group_id ''.
CREATE TABLE annals_internal.settings (
    group_id text NOT NULL,
    name text NOT NULL CHECK (name <> ''),
    value jsonb NOT NULL,
    PRIMARY KEY (group_id, name)
);
COMMENT ON TABLE annals_internal.settings IS 'Settings of the whole database, such as the dimension of vectors. Each has the group_id ''''.';
COMMENT ON COLUMN annals_internal.settings.group_id IS 'Always empty: a setting applies to the whole database.';
COMMENT ON COLUMN annals_internal.settings.name IS 'Name of the setting.';
COMMENT ON COLUMN annals_internal.settings.value IS 'Value of the setting.';

CALL annals_internal.end_migration(1, 'schema');

-- +goose StatementEnd
-- +goose Down

DROP TABLE annals_internal.settings;
DROP FUNCTION annals_internal.word_spelled_alike, annals_internal.spelled_alike, annals_internal.spelling_similarity, annals_internal.fold_text, annals_internal.name_key, annals_internal.authority_of, annals_internal.write_origin, annals_internal.causing_episodes, annals_internal.seconds_after, annals_internal.qualified_name, annals_internal.hide_from_planner, annals_internal.set_local, annals_internal.recorded_now;
DROP TYPE annals.trust, annals.authority, annals.exactness, annals.basis, annals.fact_kind, annals.kind, annals.episode_role, annals.episode_state, annals.episode_source, annals.group_kind;
DROP TEXT SEARCH CONFIGURATION annals.danish;
DROP TEXT SEARCH CONFIGURATION annals.dutch;
DROP TEXT SEARCH CONFIGURATION annals.english;
DROP TEXT SEARCH CONFIGURATION annals.finnish;
DROP TEXT SEARCH CONFIGURATION annals.french;
DROP TEXT SEARCH CONFIGURATION annals.german;
DROP TEXT SEARCH CONFIGURATION annals.hungarian;
DROP TEXT SEARCH CONFIGURATION annals.italian;
DROP TEXT SEARCH CONFIGURATION annals.norwegian;
DROP TEXT SEARCH CONFIGURATION annals.portuguese;
DROP TEXT SEARCH CONFIGURATION annals.russian;
DROP TEXT SEARCH CONFIGURATION annals.spanish;
DROP TEXT SEARCH CONFIGURATION annals.swedish;
DROP TEXT SEARCH CONFIGURATION annals.turkish;
DROP PROCEDURE annals_internal.end_migration, annals_internal.begin_migration;
DROP FUNCTION annals_internal.check_migration;
DROP TABLE annals.migrations;
DROP SCHEMA annals_internal;
DROP SCHEMA annals;
