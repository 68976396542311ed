-- Whose request an episode was stored in, as OpenTelemetry names it, so that
-- reading it stands in the same trace, whichever process does it; and what
-- lists need to read no more than their page.
--
-- +goose Up

ALTER TABLE annals.episodes ADD trace_context jsonb CHECK (jsonb_typeof(trace_context) = 'object');
COMMENT ON COLUMN annals.episodes.trace_context IS
    'The traceparent, and tracestate, of the request that stored it (W3C Trace Context). NULL: it was not traced.';

CREATE INDEX episodes_occurred ON annals.episodes (group_id, occurred_at, id);
CREATE INDEX episodes_unread ON annals.episodes (group_id, state, occurred_at, id) WHERE state <> 'done';
CREATE INDEX facts_began ON annals.facts (group_id, coalesce(lower(valid), '-infinity'), id);
CREATE INDEX facts_ended ON annals.facts (group_id, upper(valid), id) WHERE NOT ends AND NOT upper_inf(valid);
CREATE INDEX threads_created ON annals.threads (group_id, created_at, id) WHERE created_at IS NOT NULL;

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
CREATE INDEX entity_mentions_most ON annals.entity_mentions (group_id, (-mentions), name, entity_id);

COMMENT ON TABLE annals.entity_mentions IS 'How many episodes mention each entity. Kept by triggers.';
COMMENT ON COLUMN annals.entity_mentions.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entity_mentions.entity_id IS 'The entity.';
COMMENT ON COLUMN annals.entity_mentions.name IS 'Its name, as in entities.';
COMMENT ON COLUMN annals.entity_mentions.mentions IS 'How many episodes mention it.';

-- +goose StatementBegin
CREATE FUNCTION annals.keep_entity_mentions() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO annals.entity_mentions AS m (group_id, entity_id, name)
    VALUES (NEW.group_id, NEW.id, NEW.name)
    ON CONFLICT (group_id, entity_id) DO UPDATE SET name = excluded.name;
    RETURN NULL;
END
$$;

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
-- +goose StatementEnd
-- How many members a community has, which communities are listed by.
ALTER TABLE annals.communities ADD size integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN annals.communities.size IS 'How many members it has. Kept by triggers.';
CREATE INDEX communities_biggest ON annals.communities (group_id, (-size), name, id);

-- +goose StatementBegin
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
-- +goose StatementEnd
COMMENT ON FUNCTION annals.count_members() IS 'Trigger: keeps the sizes of communities.';

UPDATE annals.communities c
SET size = (SELECT count(*) FROM annals.community_members m WHERE m.group_id = c.group_id AND m.community_id = c.id);

CREATE TRIGGER count_added AFTER INSERT ON annals.community_members
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.count_members();
CREATE TRIGGER count_removed AFTER DELETE ON annals.community_members
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.count_members();

COMMENT ON FUNCTION annals.keep_entity_mentions() IS 'Trigger: keeps the names in entity_mentions.';
COMMENT ON FUNCTION annals.count_mentions() IS 'Trigger: keeps the counts in entity_mentions.';

INSERT INTO annals.entity_mentions (group_id, entity_id, name, mentions)
SELECT e.group_id, e.id, e.name, (SELECT count(*) FROM annals.mentions m WHERE m.group_id = e.group_id AND m.entity_id = e.id)
FROM annals.entities e;

CREATE TRIGGER mentions_insert AFTER INSERT ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals.keep_entity_mentions();
CREATE TRIGGER mentions_update AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION annals.keep_entity_mentions();
CREATE TRIGGER count_added AFTER INSERT ON annals.mentions
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.count_mentions();
CREATE TRIGGER count_removed AFTER DELETE ON annals.mentions
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.count_mentions();

SELECT annals.protect_tenants();

-- +goose Down

DROP TRIGGER count_removed ON annals.community_members;
DROP TRIGGER count_added ON annals.community_members;
DROP FUNCTION annals.count_members();
ALTER TABLE annals.communities DROP size;
DROP TRIGGER count_removed ON annals.mentions;
DROP TRIGGER count_added ON annals.mentions;
DROP TRIGGER mentions_update ON annals.entities;
DROP TRIGGER mentions_insert ON annals.entities;
DROP FUNCTION annals.keep_entity_mentions(), annals.count_mentions();
DROP TABLE annals.entity_mentions;
DROP INDEX annals.threads_created, annals.facts_ended, annals.facts_began, annals.episodes_unread, annals.episodes_occurred;
ALTER TABLE annals.episodes DROP trace_context;
