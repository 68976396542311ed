-- What we believed before. A row that is changed or removed, by the engine or
-- by hand in psql, leaves its old version here with the time it was believed.
--
-- +goose Up

-- The exclusion constraints prove that no two versions of one row were
-- believed at once, and their indexes serve as-of reads. evidence holds the
-- episodes an entity or a fact rested on, or the members of a community.
CREATE TABLE annals.entities_history (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    aliases text[] NOT NULL,
    labels text[] NOT NULL,
    summary text NOT NULL,
    attributes jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    recorded tstzrange NOT NULL CHECK (NOT isempty(recorded) AND NOT upper_inf(recorded)),
    evidence uuid[] NOT NULL,
    EXCLUDE USING gist (group_id WITH =, id WITH =, recorded WITH &&)
);

CREATE TABLE annals.facts_history (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    source_id uuid NOT NULL,
    target_id uuid NOT NULL,
    predicate text NOT NULL,
    fact text NOT NULL,
    ends boolean NOT NULL,
    attributes jsonb NOT NULL,
    valid tstzrange NOT NULL,
    recorded tstzrange NOT NULL CHECK (NOT isempty(recorded) AND NOT upper_inf(recorded)),
    created_at timestamptz NOT NULL,
    expired_at timestamptz,
    statement_id uuid NOT NULL,
    evidence uuid[] NOT NULL,
    EXCLUDE USING gist (group_id WITH =, id WITH =, recorded WITH &&)
);

CREATE TABLE annals.communities_history (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    summary text NOT NULL,
    created_at timestamptz NOT NULL,
    recorded tstzrange NOT NULL CHECK (NOT isempty(recorded) AND NOT upper_inf(recorded)),
    evidence uuid[] NOT NULL,
    EXCLUDE USING gist (group_id WITH =, id WITH =, recorded WITH &&)
);

-- +goose StatementBegin
CREATE FUNCTION annals.entity_evidence(text, uuid) RETURNS uuid[]
LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT episode_id FROM annals.mentions WHERE group_id = $1 AND entity_id = $2
        ORDER BY episode_id DESC LIMIT 100)
$$;

CREATE FUNCTION annals.fact_evidence(text, uuid) RETURNS uuid[]
LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT episode_id FROM annals.fact_episodes WHERE group_id = $1 AND fact_id = $2 AND role = 'states'
        ORDER BY episode_id)
$$;

CREATE FUNCTION annals.community_evidence(text, uuid) RETURNS uuid[]
LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT entity_id FROM annals.community_members WHERE group_id = $1 AND community_id = $2
        ORDER BY entity_id)
$$;
-- +goose StatementEnd

-- When a version that began at `since` ends. NULL: in the very transaction
-- that made it, so that nobody ever saw it. A hand edit whose transaction
-- began before the version did still ends it after its beginning.
-- +goose StatementBegin
CREATE FUNCTION annals.version_end(since timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN since < annals.clock() THEN annals.clock()
        WHEN since > annals.clock() THEN greatest(clock_timestamp(), since + interval '1 microsecond')
    END
$$;
-- +goose StatementEnd

-- Versions the rows of any table that has a history: TG_ARGV[0] is the
-- function that names a row's evidence. What search derives from a row is not
-- part of its version. Nothing is kept of a group that is itself being removed.
-- +goose StatementBegin
CREATE FUNCTION annals.keep_history() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    derived CONSTANT text[] := '{recorded,terms,length}';
    ended timestamptz := annals.version_end(lower(OLD.recorded));
    evidence uuid[];
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF to_jsonb(NEW) - derived = to_jsonb(OLD) - derived THEN
            NEW.recorded := OLD.recorded;
            RETURN NEW;
        END IF;
        NEW.recorded := tstzrange(coalesce(ended, lower(OLD.recorded)), NULL);
    END IF;
    IF ended IS NOT NULL AND EXISTS (SELECT FROM annals.groups WHERE group_id = OLD.group_id) THEN
        EXECUTE format('SELECT annals.%I($1, $2)', TG_ARGV[0]) INTO evidence USING OLD.group_id, OLD.id;
        EXECUTE format('INSERT INTO annals.%1$I SELECT * FROM jsonb_populate_record(NULL::annals.%1$I, $1)',
            TG_TABLE_NAME || '_history')
        USING to_jsonb(OLD) || jsonb_build_object('recorded', tstzrange(lower(OLD.recorded), ended), 'evidence', evidence);
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER history BEFORE UPDATE OR DELETE ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals.keep_history('entity_evidence');
CREATE TRIGGER history BEFORE UPDATE OR DELETE ON annals.facts
    FOR EACH ROW EXECUTE FUNCTION annals.keep_history('fact_evidence');
CREATE TRIGGER history BEFORE UPDATE OR DELETE ON annals.communities
    FOR EACH ROW EXECUTE FUNCTION annals.keep_history('community_evidence');

-- +goose Down

DROP TRIGGER history ON annals.communities;
DROP TRIGGER history ON annals.facts;
DROP TRIGGER history ON annals.entities;
DROP FUNCTION annals.keep_history(), annals.version_end(timestamptz), annals.community_evidence(text, uuid),
    annals.fact_evidence(text, uuid), annals.entity_evidence(text, uuid);
DROP TABLE annals.communities_history, annals.facts_history, annals.entities_history;
