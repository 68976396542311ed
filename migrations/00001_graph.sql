-- The memory graph in plain tables: episodes, the entities and facts read from
-- them, communities, and what ties these together. Every key begins with
-- group_id: the rows of a group live together, and the schema can be
-- distributed by it.
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
CREATE PROCEDURE annals.begin_migration(version bigint)
LANGUAGE sql
BEGIN ATOMIC
    SELECT annals.check_migration(version);
    SELECT set_config('annals.search_path', current_setting('search_path'), true);
    SELECT set_config('search_path', string_agg(DISTINCT quote_ident(n.nspname), ', '), true)
    FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname IN ('vector', 'btree_gist', 'pg_trgm', 'unaccent');
END;
COMMENT ON PROCEDURE annals.begin_migration(bigint) IS 'Begins a migration: lets the names of extensions be found.';

-- Ends a migration: notes that it ran, and leaves the search path as it was.
CREATE PROCEDURE annals.end_migration(version bigint, name text)
LANGUAGE sql
BEGIN ATOMIC
    INSERT INTO annals.migrations (version, name) VALUES (end_migration.version, end_migration.name);
    SELECT set_config('search_path', current_setting('annals.search_path'), true);
END;
COMMENT ON PROCEDURE annals.end_migration(bigint, text) IS 'Ends a migration: notes that it ran.';

CALL annals.begin_migration(1);

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

CREATE TABLE annals.groups (
    group_id text PRIMARY KEY CHECK (group_id <> ''),
    kind annals.group_kind NOT NULL DEFAULT 'graph',
    text_search regconfig NOT NULL DEFAULT 'annals.english',
    created_at timestamptz NOT NULL DEFAULT now(),
    ontology jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(ontology) = 'object'),
    name text NOT NULL DEFAULT '',
    description text NOT NULL DEFAULT '',
    time_zone text NOT NULL DEFAULT '',
    updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE annals.groups IS 'One row per memory: of a user, a team, an agent. Made by the first episode that names it.';
COMMENT ON COLUMN annals.groups.group_id IS 'What the memory is called.';
COMMENT ON COLUMN annals.groups.kind IS 'Whether it is of a user or any other graph.';
COMMENT ON COLUMN annals.groups.text_search IS 'How its texts are read into words.';
COMMENT ON COLUMN annals.groups.created_at IS 'When it was made.';
COMMENT ON COLUMN annals.groups.ontology IS 'Which kinds of entities and facts it looks for.';
COMMENT ON COLUMN annals.groups.name IS 'A title; may be empty.';
COMMENT ON COLUMN annals.groups.description IS 'What it is for, in words; may be empty.';
COMMENT ON COLUMN annals.groups.time_zone IS 'The IANA time zone of whom it is about; may be empty.';
COMMENT ON COLUMN annals.groups.updated_at IS 'When one of the three was last changed.';

CREATE INDEX groups_namespace ON annals.groups (split_part(group_id, ':', 1), group_id);

CREATE TABLE annals.episodes (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    source annals.episode_source NOT NULL DEFAULT 'message',
    content text NOT NULL CHECK (content <> ''),
    actor text NOT NULL DEFAULT '',
    role text NOT NULL DEFAULT '',
    name text NOT NULL DEFAULT '',
    source_description text NOT NULL DEFAULT '',
    thread_id text NOT NULL DEFAULT '',
    occurred_at timestamptz NOT NULL DEFAULT now()
        CHECK (occurred_at >= '0001-01-01 UTC' AND occurred_at < '10000-01-01 UTC'),
    created_at timestamptz NOT NULL DEFAULT now(),
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    external_id text CHECK (external_id <> ''),
    content_hash bytea NOT NULL,
    state annals.episode_state NOT NULL DEFAULT 'pending',
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    error text CHECK ((error IS NOT NULL) = (state = 'failed')),
    terms tsvector NOT NULL DEFAULT '',
    length integer NOT NULL DEFAULT 0,
    deferred boolean NOT NULL DEFAULT false,
    previous integer CHECK (previous BETWEEN 0 AND 100),
    processed_at timestamptz,
    trace_context jsonb CHECK (jsonb_typeof(trace_context) = 'object'),
    PRIMARY KEY (group_id, id),
    CONSTRAINT episodes_external_id UNIQUE (group_id, external_id)
);
COMMENT ON TABLE annals.episodes IS 'What was taken in, word for word. Everything derived points back to it.';
COMMENT ON COLUMN annals.episodes.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.episodes.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.episodes.source IS 'The form it came in: message, text or json.';
COMMENT ON COLUMN annals.episodes.content IS 'What was said or written.';
COMMENT ON COLUMN annals.episodes.actor IS 'Who said or wrote it; may be empty.';
COMMENT ON COLUMN annals.episodes.role IS 'user, assistant, system, tool …; may be empty.';
COMMENT ON COLUMN annals.episodes.name IS 'A title; may be empty.';
COMMENT ON COLUMN annals.episodes.source_description IS 'Where it comes from, in words; may be empty.';
COMMENT ON COLUMN annals.episodes.thread_id IS 'The conversation it belongs to; may be empty.';
COMMENT ON COLUMN annals.episodes.occurred_at IS 'When it was said: relative dates in it are read against this.';
COMMENT ON COLUMN annals.episodes.created_at IS 'When it was taken in.';
COMMENT ON COLUMN annals.episodes.metadata IS 'The caller''s own JSON object, returned untouched.';
COMMENT ON COLUMN annals.episodes.external_id IS 'The caller''s own name for it, unique in the group: adding it again changes nothing.';
COMMENT ON COLUMN annals.episodes.content_hash IS 'SHA-256 of the content, kept by trigger.';
COMMENT ON COLUMN annals.episodes.state IS 'How far it has come into the graph.';
COMMENT ON COLUMN annals.episodes.attempts IS 'How often its processing was begun since it came, or since it was last retried.';
COMMENT ON COLUMN annals.episodes.error IS 'Why it failed; NULL unless it did.';
COMMENT ON COLUMN annals.episodes.terms IS 'Its words as text search reads them, from which BM25 ranks.';
COMMENT ON COLUMN annals.episodes.length IS 'How many terms it has.';
COMMENT ON COLUMN annals.episodes.deferred IS 'Kept from the model until a retry asks for it; searchable all the same.';
COMMENT ON COLUMN annals.episodes.previous IS 'How many earlier messages of its thread are shown with it; NULL: as many as the engine is set to.';
COMMENT ON COLUMN annals.episodes.processed_at IS 'When it came into the graph, on the recorded axis; NULL: it has not.';
COMMENT ON COLUMN annals.episodes.trace_context IS 'The traceparent, and tracestate, of the request that stored it (W3C Trace Context). NULL: it was not traced.';

CREATE INDEX episodes_waiting ON annals.episodes (group_id, id) WHERE state IN ('pending', 'processing') AND NOT deferred;
CREATE INDEX episodes_unread ON annals.episodes (group_id, state, occurred_at, id) WHERE state <> 'done';
CREATE INDEX episodes_deferred ON annals.episodes (group_id, id) WHERE deferred;
CREATE INDEX episodes_thread ON annals.episodes (group_id, thread_id, occurred_at, id) INCLUDE (length, role);
CREATE INDEX episodes_occurred ON annals.episodes (group_id, occurred_at, id);

-- Who speaks in a group, found by hopping from one to the next.
CREATE INDEX episodes_actor ON annals.episodes (group_id, actor);
CREATE INDEX episodes_processed ON annals.episodes (group_id, processed_at, id) WHERE processed_at IS NOT NULL;

CREATE FUNCTION annals.set_content_hash() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.content_hash := sha256(convert_to(NEW.content, 'UTF8'));
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals.set_content_hash() IS 'Trigger: hashes the content of an episode.';

CREATE TRIGGER content_hash BEFORE INSERT OR UPDATE OF content ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals.set_content_hash();

-- A conversation, summarised as far as the message that is named.
CREATE TABLE annals.threads (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id text NOT NULL CHECK (id <> ''),
    summary text NOT NULL DEFAULT '',
    through_at timestamptz,
    through_id uuid,
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz,
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    PRIMARY KEY (group_id, id),
    CONSTRAINT threads_through CHECK ((through_at IS NULL) = (through_id IS NULL))
);
COMMENT ON TABLE annals.threads IS 'A conversation and what was said in it, in short.';
COMMENT ON COLUMN annals.threads.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.threads.id IS 'What the conversation is called.';
COMMENT ON COLUMN annals.threads.summary IS 'What was said, as far as the message that is named.';
COMMENT ON COLUMN annals.threads.through_at IS 'When the last message was said that the summary knows. NULL: it knows none.';
COMMENT ON COLUMN annals.threads.through_id IS 'Which message that is. NULL: none.';
COMMENT ON COLUMN annals.threads.updated_at IS 'When it was last summarised.';
COMMENT ON COLUMN annals.threads.created_at IS 'When it was made. NULL: it is known by its messages alone.';
COMMENT ON COLUMN annals.threads.metadata IS 'What the application keeps with it.';

CREATE INDEX threads_id ON annals.threads (id, group_id);
CREATE INDEX threads_created ON annals.threads (group_id, created_at, id) WHERE created_at IS NOT NULL;

CREATE TABLE annals.entities (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL CHECK (name <> '' AND octet_length(name) <= 512),
    aliases text[] NOT NULL DEFAULT '{}',
    labels text[] NOT NULL DEFAULT '{}',
    summary text NOT NULL DEFAULT '',
    attributes jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
    created_at timestamptz NOT NULL DEFAULT annals.clock(),
    recorded tstzrange NOT NULL DEFAULT tstzrange(annals.clock(), NULL)
        CHECK (NOT isempty(recorded) AND upper_inf(recorded)),
    terms tsvector NOT NULL DEFAULT '',
    length integer NOT NULL DEFAULT 0,
    caused_by uuid[] NOT NULL DEFAULT annals.causes(),
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals.entities IS 'Who or what the episodes speak of, as known now. An UPDATE or DELETE leaves the old version in entities_history.';
COMMENT ON COLUMN annals.entities.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entities.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.entities.name IS 'The most complete name known.';
COMMENT ON COLUMN annals.entities.aliases IS 'Other names it goes by.';
COMMENT ON COLUMN annals.entities.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.entities.summary IS 'What is known of it, in a few sentences.';
COMMENT ON COLUMN annals.entities.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.entities.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.entities.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.entities.terms IS 'Its words as text search reads them, from which BM25 ranks.';
COMMENT ON COLUMN annals.entities.length IS 'How many terms it has.';
COMMENT ON COLUMN annals.entities.caused_by IS 'The episodes whose processing made this version; none: a hand edit, or not noted.';

-- Every name an entity goes by, folded so that case, accents and spacing do
-- not matter. Two entities may share a name. Kept by trigger.
CREATE TABLE annals.entity_names (
    group_id text NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    entity_id uuid NOT NULL,
    PRIMARY KEY (group_id, name_key, entity_id),
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals.entity_names IS 'Every name an entity goes by, folded. Kept by trigger.';
COMMENT ON COLUMN annals.entity_names.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entity_names.name_key IS 'The name without regard to case, accents, width and spacing.';
COMMENT ON COLUMN annals.entity_names.entity_id IS 'The entity.';

CREATE INDEX entity_names_entity ON annals.entity_names (group_id, entity_id);
CREATE INDEX entity_names_trigrams ON annals.entity_names USING gist (group_id, name_key gist_trgm_ops);

CREATE FUNCTION annals.keep_entity_names() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM annals.entity_names WHERE group_id = NEW.group_id AND entity_id = NEW.id;
    INSERT INTO annals.entity_names (group_id, name_key, entity_id)
    SELECT DISTINCT NEW.group_id, annals.name_key(n), NEW.id
    FROM unnest(NEW.aliases || NEW.name) AS n
    WHERE annals.name_key(n) <> '';
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals.keep_entity_names() IS 'Trigger: keeps entity_names.';

CREATE TRIGGER names_insert AFTER INSERT ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals.keep_entity_names();
CREATE TRIGGER names_update AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN ((OLD.name, OLD.aliases) IS DISTINCT FROM (NEW.name, NEW.aliases))
    EXECUTE FUNCTION annals.keep_entity_names();

-- An id that once stood for an entity, and the entity it was merged into.
CREATE TABLE annals.entity_merges (
    group_id text NOT NULL,
    id uuid NOT NULL,
    merged_into uuid NOT NULL,
    merged_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, id),
    FOREIGN KEY (group_id, merged_into) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals.entity_merges IS 'An id that once stood for an entity, and the entity it was merged into.';
COMMENT ON COLUMN annals.entity_merges.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entity_merges.id IS 'The id that is gone.';
COMMENT ON COLUMN annals.entity_merges.merged_into IS 'The entity it stands for now.';
COMMENT ON COLUMN annals.entity_merges.merged_at IS 'When they were merged.';

CREATE INDEX entity_merges_into ON annals.entity_merges (group_id, merged_into);

CREATE TABLE annals.facts (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    source_id uuid NOT NULL,
    target_id uuid NOT NULL,
    predicate text NOT NULL CHECK (predicate <> ''),
    fact text NOT NULL CHECK (fact <> ''),
    ends boolean NOT NULL DEFAULT false, -- it says that something stopped holding
    attributes jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
    valid tstzrange NOT NULL CHECK (NOT isempty(valid)),
    recorded tstzrange NOT NULL DEFAULT tstzrange(annals.clock(), NULL)
        CHECK (NOT isempty(recorded) AND upper_inf(recorded)),
    created_at timestamptz NOT NULL DEFAULT annals.clock(),
    expired_at timestamptz,
    statement_id uuid NOT NULL,
    terms tsvector NOT NULL DEFAULT '',
    length integer NOT NULL DEFAULT 0,
    caused_by uuid[] NOT NULL DEFAULT annals.causes(),
    PRIMARY KEY (group_id, id),
    CONSTRAINT facts_no_self_fact CHECK (source_id <> target_id),
    FOREIGN KEY (group_id, source_id) REFERENCES annals.entities ON DELETE CASCADE,
    FOREIGN KEY (group_id, target_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals.facts IS 'What holds between two entities, as believed now. An UPDATE or DELETE leaves the old version in facts_history.';
COMMENT ON COLUMN annals.facts.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.facts.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.facts.source_id IS 'The entity it starts from.';
COMMENT ON COLUMN annals.facts.target_id IS 'The entity it leads to.';
COMMENT ON COLUMN annals.facts.predicate IS 'The relation, in capitals: LIVES_IN.';
COMMENT ON COLUMN annals.facts.fact IS 'One sentence that stands on its own.';
COMMENT ON COLUMN annals.facts.ends IS 'It says that something stopped holding.';
COMMENT ON COLUMN annals.facts.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.facts.valid IS 'When it held in the world, half-open; an open side is unknown or ongoing.';
COMMENT ON COLUMN annals.facts.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.facts.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.facts.expired_at IS 'When we learned that it had ended; NULL: never.';
COMMENT ON COLUMN annals.facts.statement_id IS 'Shared by the facts that one statement gave for several pairs of entities.';
COMMENT ON COLUMN annals.facts.terms IS 'Its words as text search reads them, from which BM25 ranks.';
COMMENT ON COLUMN annals.facts.length IS 'How many terms it has.';
COMMENT ON COLUMN annals.facts.caused_by IS 'The episodes whose processing made this version; none: a hand edit, or not noted.';

CREATE INDEX facts_pair ON annals.facts (group_id, source_id, target_id, id);
CREATE INDEX facts_source ON annals.facts (group_id, source_id, id);
CREATE INDEX facts_source_predicate ON annals.facts (group_id, source_id, predicate, id);
CREATE INDEX facts_target ON annals.facts (group_id, target_id, id);
CREATE INDEX facts_target_predicate ON annals.facts (group_id, target_id, predicate, id);
CREATE INDEX facts_statement ON annals.facts (group_id, statement_id);
CREATE INDEX facts_began ON annals.facts (group_id, coalesce(lower(valid), '-infinity'), id);
CREATE INDEX facts_ended ON annals.facts (group_id, upper(valid), id) WHERE NOT ends AND NOT upper_inf(valid);
CREATE INDEX facts_closed ON annals.facts (group_id, id) INCLUDE (valid) WHERE NOT upper_inf(valid);

CREATE TABLE annals.mentions (
    group_id text NOT NULL,
    episode_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    PRIMARY KEY (group_id, episode_id, entity_id),
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE,
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals.mentions IS 'Which episode mentions which entity.';
COMMENT ON COLUMN annals.mentions.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.mentions.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.mentions.entity_id IS 'The entity.';

CREATE INDEX mentions_entity ON annals.mentions (group_id, entity_id, episode_id);

CREATE TABLE annals.fact_episodes (
    group_id text NOT NULL,
    fact_id uuid NOT NULL,
    episode_id uuid NOT NULL,
    role annals.episode_role NOT NULL,
    PRIMARY KEY (group_id, fact_id, episode_id, role),
    FOREIGN KEY (group_id, fact_id) REFERENCES annals.facts ON DELETE CASCADE,
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
);
COMMENT ON TABLE annals.fact_episodes IS 'Which episode states or ends which fact.';
COMMENT ON COLUMN annals.fact_episodes.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.fact_episodes.fact_id IS 'The fact.';
COMMENT ON COLUMN annals.fact_episodes.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.fact_episodes.role IS 'Whether it states the fact or ends it.';

CREATE INDEX fact_episodes_episode ON annals.fact_episodes (group_id, episode_id, fact_id);

-- How many episodes mention each entity, beside its name: what entities are
-- listed by. It stands apart, as each mention would make a new version of the
-- whole row otherwise. Kept by triggers.
CREATE TABLE annals.entity_mentions (
    group_id text NOT NULL,
    entity_id uuid NOT NULL,
    name text NOT NULL,
    mentions integer NOT NULL DEFAULT 0,
    PRIMARY KEY (group_id, entity_id),
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals.entity_mentions IS 'How many episodes mention each entity. Kept by triggers.';
COMMENT ON COLUMN annals.entity_mentions.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entity_mentions.entity_id IS 'The entity.';
COMMENT ON COLUMN annals.entity_mentions.name IS 'Its name, as in entities.';
COMMENT ON COLUMN annals.entity_mentions.mentions IS 'How many episodes mention it.';

CREATE INDEX entity_mentions_most ON annals.entity_mentions (group_id, (-mentions), name, entity_id);

CREATE FUNCTION annals.keep_entity_mentions() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO annals.entity_mentions AS m (group_id, entity_id, name)
    VALUES (NEW.group_id, NEW.id, NEW.name)
    ON CONFLICT (group_id, entity_id) DO UPDATE SET name = excluded.name;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals.keep_entity_mentions() IS 'Trigger: keeps the names in entity_mentions.';

CREATE TRIGGER mentions_insert AFTER INSERT ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals.keep_entity_mentions();
CREATE TRIGGER mentions_update AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION annals.keep_entity_mentions();

CREATE FUNCTION annals.count_mentions() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE annals.entity_mentions m
    SET mentions = m.mentions + CASE TG_OP WHEN 'INSERT' THEN c.episodes ELSE -c.episodes END
    FROM (SELECT r.group_id, r.entity_id, count(*)::integer AS episodes FROM changed_rows r GROUP BY r.group_id, r.entity_id) c
    WHERE m.group_id = c.group_id AND m.entity_id = c.entity_id;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals.count_mentions() IS 'Trigger: keeps the counts in entity_mentions.';

CREATE TRIGGER count_added AFTER INSERT ON annals.mentions
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.count_mentions();
CREATE TRIGGER count_removed AFTER DELETE ON annals.mentions
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.count_mentions();

CREATE TABLE annals.communities (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL CHECK (name <> ''),
    summary text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT annals.clock(),
    recorded tstzrange NOT NULL DEFAULT tstzrange(annals.clock(), NULL)
        CHECK (NOT isempty(recorded) AND upper_inf(recorded)),
    terms tsvector NOT NULL DEFAULT '',
    length integer NOT NULL DEFAULT 0,
    digest bytea NOT NULL DEFAULT '',
    size integer NOT NULL DEFAULT 0,
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals.communities IS 'Clusters of entities that many current facts connect, as they are now.';
COMMENT ON COLUMN annals.communities.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.communities.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.communities.name IS 'Its key terms and topics.';
COMMENT ON COLUMN annals.communities.summary IS 'What its members are about.';
COMMENT ON COLUMN annals.communities.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.communities.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.communities.terms IS 'Its words as text search reads them, from which BM25 ranks.';
COMMENT ON COLUMN annals.communities.length IS 'How many terms it has.';
COMMENT ON COLUMN annals.communities.digest IS 'Hash of what the summary was made from; empty: that has changed since.';
COMMENT ON COLUMN annals.communities.size IS 'How many members it has. Kept by triggers.';

CREATE INDEX communities_biggest ON annals.communities (group_id, (-size), name, id);

CREATE TABLE annals.community_members (
    group_id text NOT NULL,
    community_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    PRIMARY KEY (group_id, community_id, entity_id),
    FOREIGN KEY (group_id, community_id) REFERENCES annals.communities ON DELETE CASCADE,
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals.community_members IS 'Which entity belongs to which community.';
COMMENT ON COLUMN annals.community_members.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.community_members.community_id IS 'The community.';
COMMENT ON COLUMN annals.community_members.entity_id IS 'The entity.';

CREATE INDEX community_members_entity ON annals.community_members (group_id, entity_id);

CREATE FUNCTION annals.count_members() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE annals.communities c
    SET size = c.size + CASE TG_OP WHEN 'INSERT' THEN n.members ELSE -n.members END
    FROM (SELECT r.group_id, r.community_id, count(*)::integer AS members FROM changed_rows r GROUP BY r.group_id, r.community_id) n
    WHERE c.group_id = n.group_id AND c.id = n.community_id;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals.count_members() IS 'Trigger: keeps the sizes of communities.';

CREATE TRIGGER count_added AFTER INSERT ON annals.community_members
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.count_members();
CREATE TRIGGER count_removed AFTER DELETE ON annals.community_members
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.count_members();

CREATE TABLE annals.community_builds (
    group_id text PRIMARY KEY REFERENCES annals.groups ON DELETE CASCADE,
    built_at timestamptz, -- NULL: never
    entities integer NOT NULL DEFAULT 0 CHECK (entities >= 0), -- that the group had then
    arrived integer NOT NULL DEFAULT 0 CHECK (arrived >= 0) -- entities that came since
);
COMMENT ON TABLE annals.community_builds IS 'When a group''s communities were worked out.';
COMMENT ON COLUMN annals.community_builds.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.community_builds.built_at IS 'When; NULL: never.';
COMMENT ON COLUMN annals.community_builds.entities IS 'How many entities the group had then.';
COMMENT ON COLUMN annals.community_builds.arrived IS 'How many came since.';

CALL annals.end_migration(1, 'graph');

-- +goose StatementEnd
-- +goose Down

DROP TABLE annals.community_builds;
DROP TRIGGER count_removed ON annals.community_members;
DROP TRIGGER count_added ON annals.community_members;
DROP FUNCTION annals.count_members;
DROP TABLE annals.community_members, annals.communities;
DROP TRIGGER count_removed ON annals.mentions;
DROP TRIGGER count_added ON annals.mentions;
DROP FUNCTION annals.count_mentions;
DROP TRIGGER mentions_update ON annals.entities;
DROP TRIGGER mentions_insert ON annals.entities;
DROP FUNCTION annals.keep_entity_mentions;
DROP TABLE annals.entity_mentions, annals.fact_episodes, annals.mentions, annals.facts, annals.entity_merges;
DROP TRIGGER names_update ON annals.entities;
DROP TRIGGER names_insert ON annals.entities;
DROP FUNCTION annals.keep_entity_names;
DROP TABLE annals.entity_names, annals.entities, annals.threads;
DROP TRIGGER content_hash ON annals.episodes;
DROP FUNCTION annals.set_content_hash;
DROP TABLE annals.episodes, annals.groups, annals.settings;
DROP FUNCTION annals.alike_within, annals.alike, annals.likeness, annals.name_key, annals.causes, annals.clock;
DROP TYPE annals.kind, annals.episode_role, annals.episode_state, annals.episode_source, annals.group_kind;
DROP TEXT SEARCH CONFIGURATION annals.english;
DROP PROCEDURE annals.end_migration, annals.begin_migration;
DROP FUNCTION annals.check_migration;
DROP TABLE annals.migrations;
DROP SCHEMA annals;
