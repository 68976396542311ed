-- The memory graph in plain tables. Every key begins with group_id: the rows
-- of a group live together, and the schema can be distributed by it.
--
-- +goose Up

CREATE SCHEMA annals;

CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

CREATE TYPE annals.group_kind AS ENUM ('graph', 'user');
CREATE TYPE annals.episode_source AS ENUM ('message', 'text', 'json');
CREATE TYPE annals.episode_state AS ENUM ('pending', 'processing', 'done', 'failed');
CREATE TYPE annals.episode_role AS ENUM ('states', 'ends');
CREATE TYPE annals.kind AS ENUM ('episode', 'entity', 'fact', 'community');

-- English words without their accents and endings; a group may name another
-- configuration of its own.
CREATE TEXT SEARCH CONFIGURATION annals.english (COPY = pg_catalog.english);
ALTER TEXT SEARCH CONFIGURATION annals.english
    ALTER MAPPING FOR hword, hword_part, word WITH unaccent, english_stem;

-- The transaction's clock on the recorded axis. The engine sets it once it
-- holds the group's lock, so that later commits have later times; else now().
-- +goose StatementBegin
CREATE FUNCTION annals.clock() RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT coalesce(nullif(current_setting('annals.clock', true), '')::timestamptz, now())
$$;
-- +goose StatementEnd

-- A name folded so that case, accents, width and spacing do not matter.
-- +goose StatementBegin
CREATE FUNCTION annals.name_key(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT btrim(regexp_replace(
        lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "und-x-icu"),
        '\s+', ' ', 'g'))
$$;
-- +goose StatementEnd

-- What holds for the whole database stands under the group ''.
CREATE TABLE annals.settings (
    group_id text NOT NULL,
    name text NOT NULL CHECK (name <> ''),
    value jsonb NOT NULL,
    PRIMARY KEY (group_id, name)
);

CREATE TABLE annals.groups (
    group_id text PRIMARY KEY CHECK (group_id <> ''),
    kind annals.group_kind NOT NULL DEFAULT 'graph',
    text_search regconfig NOT NULL DEFAULT 'annals.english',
    created_at timestamptz NOT NULL DEFAULT now()
);

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
    PRIMARY KEY (group_id, id),
    CONSTRAINT episodes_external_id UNIQUE (group_id, external_id)
);

-- +goose StatementBegin
CREATE FUNCTION annals.set_content_hash() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.content_hash := sha256(convert_to(NEW.content, 'UTF8'));
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER content_hash BEFORE INSERT OR UPDATE OF content ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals.set_content_hash();
CREATE INDEX episodes_waiting ON annals.episodes (group_id, id) WHERE state IN ('pending', 'processing');
CREATE INDEX episodes_thread ON annals.episodes (group_id, thread_id, occurred_at, id);

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
    PRIMARY KEY (group_id, id)
);

-- Every name an entity goes by, folded so that case, accents and spacing do
-- not matter. Two entities may share a name. Kept by trigger.
CREATE TABLE annals.entity_names (
    group_id text NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    entity_id uuid NOT NULL,
    PRIMARY KEY (group_id, name_key, entity_id),
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
CREATE INDEX entity_names_entity ON annals.entity_names (group_id, entity_id);
CREATE INDEX entity_names_trigrams ON annals.entity_names USING gist (group_id, name_key gist_trgm_ops);

-- +goose StatementBegin
CREATE FUNCTION annals.keep_entity_names() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM annals.entity_names WHERE group_id = NEW.group_id AND entity_id = NEW.id;
    INSERT INTO annals.entity_names (group_id, name_key, entity_id)
    SELECT DISTINCT NEW.group_id, annals.name_key(n), NEW.id
    FROM unnest(NEW.aliases || NEW.name) AS n
    WHERE annals.name_key(n) <> '';
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER names_insert AFTER INSERT ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals.keep_entity_names();
CREATE TRIGGER names_update AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN ((OLD.name, OLD.aliases) IS DISTINCT FROM (NEW.name, NEW.aliases))
    EXECUTE FUNCTION annals.keep_entity_names();

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
    PRIMARY KEY (group_id, id),
    CONSTRAINT facts_no_self_fact CHECK (source_id <> target_id),
    FOREIGN KEY (group_id, source_id) REFERENCES annals.entities ON DELETE CASCADE,
    FOREIGN KEY (group_id, target_id) REFERENCES annals.entities ON DELETE CASCADE
);
CREATE INDEX facts_pair ON annals.facts (group_id, source_id, target_id, id);
CREATE INDEX facts_source ON annals.facts (group_id, source_id, id);
CREATE INDEX facts_source_predicate ON annals.facts (group_id, source_id, predicate, id);
CREATE INDEX facts_target ON annals.facts (group_id, target_id, id);
CREATE INDEX facts_target_predicate ON annals.facts (group_id, target_id, predicate, id);
CREATE INDEX facts_statement ON annals.facts (group_id, statement_id);

CREATE TABLE annals.mentions (
    group_id text NOT NULL,
    episode_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    PRIMARY KEY (group_id, episode_id, entity_id),
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE,
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
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
CREATE INDEX fact_episodes_episode ON annals.fact_episodes (group_id, episode_id, fact_id);

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
    PRIMARY KEY (group_id, id)
);

CREATE TABLE annals.community_members (
    group_id text NOT NULL,
    community_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    PRIMARY KEY (group_id, community_id, entity_id),
    FOREIGN KEY (group_id, community_id) REFERENCES annals.communities ON DELETE CASCADE,
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
CREATE INDEX community_members_entity ON annals.community_members (group_id, entity_id);

-- +goose Down

DROP TABLE annals.community_members, annals.communities, annals.fact_episodes, annals.mentions, annals.facts,
    annals.entity_names, annals.entities, annals.episodes, annals.groups, annals.settings;
DROP FUNCTION annals.keep_entity_names(), annals.set_content_hash(), annals.name_key(text), annals.clock();
DROP TEXT SEARCH CONFIGURATION annals.english;
DROP TYPE annals.kind, annals.episode_role, annals.episode_state, annals.episode_source, annals.group_kind;
DROP SCHEMA annals;
