-- When communities are out of date: one whose members, or what is known of
-- them, changed since it was summarised; and all of a group's, once enough
-- entities came since they were last worked out.
--
-- +goose Up

-- Hash of what the summary was made from; empty: of something that has
-- changed since. A new one is a new version, so that the history has the
-- members of each time.
ALTER TABLE annals.communities ADD digest bytea NOT NULL DEFAULT '';

DROP TRIGGER history_update ON annals.communities;
CREATE TRIGGER history_update BEFORE UPDATE ON annals.communities
    FOR EACH ROW WHEN ((OLD.name, OLD.summary, OLD.digest) IS DISTINCT FROM (NEW.name, NEW.summary, NEW.digest))
    EXECUTE FUNCTION annals.keep_history();

CREATE TABLE annals.community_builds (
    group_id text PRIMARY KEY REFERENCES annals.groups ON DELETE CASCADE,
    built_at timestamptz, -- NULL: never
    entities integer NOT NULL DEFAULT 0 CHECK (entities >= 0), -- that the group had then
    arrived integer NOT NULL DEFAULT 0 CHECK (arrived >= 0) -- entities that came since
);

-- +goose Down

DROP TABLE annals.community_builds;
DROP TRIGGER history_update ON annals.communities;
ALTER TABLE annals.communities DROP digest;
CREATE TRIGGER history_update BEFORE UPDATE ON annals.communities
    FOR EACH ROW WHEN ((OLD.name, OLD.summary) IS DISTINCT FROM (NEW.name, NEW.summary))
    EXECUTE FUNCTION annals.keep_history();
