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

-- Keeps the old version of a row, and begins the new one where the old ended.
-- Nothing is kept of a group that is itself being removed.
-- +goose StatementBegin
CREATE FUNCTION annals.keep_history() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    ended timestamptz := annals.version_end(lower(OLD.recorded));
    believed tstzrange := tstzrange(lower(OLD.recorded), ended);
BEGIN
    IF ended IS NOT NULL AND EXISTS (SELECT FROM annals.groups WHERE group_id = OLD.group_id) THEN
        CASE TG_TABLE_NAME
            WHEN 'entities' THEN
                INSERT INTO annals.entities_history
                VALUES (OLD.group_id, OLD.id, OLD.name, OLD.aliases, OLD.labels, OLD.summary, OLD.attributes,
                    OLD.created_at, believed, annals.entity_evidence(OLD.group_id, OLD.id));
            WHEN 'facts' THEN
                INSERT INTO annals.facts_history
                VALUES (OLD.group_id, OLD.id, OLD.source_id, OLD.target_id, OLD.predicate, OLD.fact, OLD.ends,
                    OLD.attributes, OLD.valid, believed, OLD.created_at, OLD.expired_at, OLD.statement_id,
                    annals.fact_evidence(OLD.group_id, OLD.id));
            WHEN 'communities' THEN
                INSERT INTO annals.communities_history
                VALUES (OLD.group_id, OLD.id, OLD.name, OLD.summary, OLD.created_at, believed,
                    annals.community_evidence(OLD.group_id, OLD.id));
        END CASE;
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    NEW.recorded := tstzrange(coalesce(ended, lower(OLD.recorded)), NULL);
    RETURN NEW;
END
$$;
-- +goose StatementEnd

-- What search derives from a row is no part of its version.
CREATE TRIGGER history_update BEFORE UPDATE ON annals.entities
    FOR EACH ROW WHEN ((OLD.name, OLD.aliases, OLD.labels, OLD.summary, OLD.attributes)
        IS DISTINCT FROM (NEW.name, NEW.aliases, NEW.labels, NEW.summary, NEW.attributes))
    EXECUTE FUNCTION annals.keep_history();
CREATE TRIGGER history_delete BEFORE DELETE ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals.keep_history();
CREATE TRIGGER history_update BEFORE UPDATE ON annals.facts
    FOR EACH ROW WHEN (
        (OLD.source_id, OLD.target_id, OLD.predicate, OLD.fact, OLD.ends, OLD.attributes, OLD.valid, OLD.expired_at, OLD.statement_id)
        IS DISTINCT FROM
        (NEW.source_id, NEW.target_id, NEW.predicate, NEW.fact, NEW.ends, NEW.attributes, NEW.valid, NEW.expired_at, NEW.statement_id))
    EXECUTE FUNCTION annals.keep_history();
CREATE TRIGGER history_delete BEFORE DELETE ON annals.facts
    FOR EACH ROW EXECUTE FUNCTION annals.keep_history();
CREATE TRIGGER history_update BEFORE UPDATE ON annals.communities
    FOR EACH ROW WHEN ((OLD.name, OLD.summary) IS DISTINCT FROM (NEW.name, NEW.summary))
    EXECUTE FUNCTION annals.keep_history();
CREATE TRIGGER history_delete BEFORE DELETE ON annals.communities
    FOR EACH ROW EXECUTE FUNCTION annals.keep_history();

-- +goose Down

DROP TRIGGER history_update ON annals.communities;
DROP TRIGGER history_delete ON annals.communities;
DROP TRIGGER history_update ON annals.facts;
DROP TRIGGER history_delete ON annals.facts;
DROP TRIGGER history_update ON annals.entities;
DROP TRIGGER history_delete ON annals.entities;
DROP FUNCTION annals.keep_history(), annals.version_end(timestamptz), annals.community_evidence(text, uuid),
    annals.fact_evidence(text, uuid), annals.entity_evidence(text, uuid);
DROP TABLE annals.communities_history, annals.facts_history, annals.entities_history;
