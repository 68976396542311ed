-- What was believed at any time, of everything: the versions of facts,
-- entities and communities with the episodes that caused them, the world as it
-- was known, what search needs to find it again, and a door for programs in
-- any language.
--
-- +goose Up

-- The episodes whose processing is being written, which the engine sets for
-- its transaction. None: an edit by hand.
-- +goose StatementBegin
CREATE FUNCTION annals.causes() RETURNS uuid[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT string_to_array(coalesce(current_setting('annals.episodes', true), ''), ',')::uuid[]
$$;
-- +goose StatementEnd

ALTER TABLE annals.facts ADD caused_by uuid[] NOT NULL DEFAULT annals.causes();
ALTER TABLE annals.entities ADD caused_by uuid[] NOT NULL DEFAULT annals.causes();

-- The terms of a version are kept with it, so that search finds what was said
-- of it then.
ALTER TABLE annals.facts_history
    ADD terms tsvector NOT NULL DEFAULT '', ADD length integer NOT NULL DEFAULT 0,
    ADD caused_by uuid[] NOT NULL DEFAULT '{}', ADD ended_by uuid[] NOT NULL DEFAULT annals.causes();
ALTER TABLE annals.entities_history
    ADD terms tsvector NOT NULL DEFAULT '', ADD length integer NOT NULL DEFAULT 0,
    ADD caused_by uuid[] NOT NULL DEFAULT '{}', ADD ended_by uuid[] NOT NULL DEFAULT annals.causes();
ALTER TABLE annals.communities_history
    ADD terms tsvector NOT NULL DEFAULT '', ADD length integer NOT NULL DEFAULT 0;

UPDATE annals.facts_history h
SET terms = to_tsvector(g.text_search, annals.segmented(concat_ws(' ', h.fact, translate(lower(h.predicate), '_', ' ')), true))
FROM annals.groups g WHERE g.group_id = h.group_id;
UPDATE annals.entities_history h
SET terms = to_tsvector(g.text_search, annals.segmented(concat_ws(' ', h.name, array_to_string(h.aliases, ' '), h.summary), true))
FROM annals.groups g WHERE g.group_id = h.group_id;
UPDATE annals.communities_history h
SET terms = to_tsvector(g.text_search, annals.segmented(concat_ws(' ', h.name, h.summary), true))
FROM annals.groups g WHERE g.group_id = h.group_id;
UPDATE annals.facts_history SET length = coalesce((SELECT sum(cardinality(t.positions)) FROM unnest(terms) AS t), 0);
UPDATE annals.entities_history SET length = coalesce((SELECT sum(cardinality(t.positions)) FROM unnest(terms) AS t), 0);
UPDATE annals.communities_history SET length = coalesce((SELECT sum(cardinality(t.positions)) FROM unnest(terms) AS t), 0);

-- A version that comes without its terms, from an import, gets them.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.set_terms() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    config regconfig;
    document text;
BEGIN
    CASE replace(TG_TABLE_NAME, '_history', '')
        WHEN 'episodes' THEN document := concat_ws(' ', NEW.actor, NEW.name, NEW.content);
        WHEN 'entities' THEN document := concat_ws(' ', NEW.name, array_to_string(NEW.aliases, ' '), NEW.summary);
        WHEN 'facts' THEN document := concat_ws(' ', NEW.fact, translate(lower(NEW.predicate), '_', ' '));
        WHEN 'communities' THEN document := concat_ws(' ', NEW.name, NEW.summary);
    END CASE;
    SELECT text_search INTO config FROM annals.groups WHERE group_id = NEW.group_id;
    NEW.terms := to_tsvector(coalesce(config, 'annals.english'), annals.segmented(document, true));
    NEW.length := coalesce((SELECT sum(cardinality(t.positions)) FROM unnest(NEW.terms) AS t), 0);
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER terms BEFORE INSERT ON annals.facts_history
    FOR EACH ROW WHEN (NEW.terms = '') EXECUTE FUNCTION annals.set_terms();
CREATE TRIGGER terms BEFORE INSERT ON annals.entities_history
    FOR EACH ROW WHEN (NEW.terms = '') EXECUTE FUNCTION annals.set_terms();
CREATE TRIGGER terms BEFORE INSERT ON annals.communities_history
    FOR EACH ROW WHEN (NEW.terms = '') EXECUTE FUNCTION annals.set_terms();

-- Vectors that would be lost: of a row that left the graph, and of a text that
-- was replaced by another. A version whose text is that of the row as it
-- stands has none here. A vector stood for its row until the time it names.
CREATE TABLE annals.embeddings_history (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    kind annals.kind NOT NULL,
    model text NOT NULL,
    id uuid NOT NULL,
    until timestamptz NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (group_id, kind, model, id, until)
);

-- As in 00002, with the causes, the terms and, of a row that is removed, the
-- vectors.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.keep_history() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    ended timestamptz := annals.version_end(lower(OLD.recorded));
    believed tstzrange := tstzrange(lower(OLD.recorded), ended);
BEGIN
    IF ended IS NOT NULL AND EXISTS (SELECT FROM annals.groups WHERE group_id = OLD.group_id) THEN
        CASE TG_TABLE_NAME
            WHEN 'entities' THEN
                INSERT INTO annals.entities_history (group_id, id, name, aliases, labels, summary, attributes, created_at,
                    recorded, evidence, terms, length, caused_by)
                VALUES (OLD.group_id, OLD.id, OLD.name, OLD.aliases, OLD.labels, OLD.summary, OLD.attributes, OLD.created_at,
                    believed, annals.entity_evidence(OLD.group_id, OLD.id), OLD.terms, OLD.length, OLD.caused_by);
            WHEN 'facts' THEN
                INSERT INTO annals.facts_history (group_id, id, source_id, target_id, predicate, fact, ends, attributes, valid,
                    recorded, created_at, expired_at, statement_id, evidence, terms, length, caused_by)
                VALUES (OLD.group_id, OLD.id, OLD.source_id, OLD.target_id, OLD.predicate, OLD.fact, OLD.ends, OLD.attributes,
                    OLD.valid, believed, OLD.created_at, OLD.expired_at, OLD.statement_id,
                    annals.fact_evidence(OLD.group_id, OLD.id), OLD.terms, OLD.length, OLD.caused_by);
            WHEN 'communities' THEN
                INSERT INTO annals.communities_history (group_id, id, name, summary, created_at, recorded, evidence, terms, length)
                VALUES (OLD.group_id, OLD.id, OLD.name, OLD.summary, OLD.created_at, believed,
                    annals.community_evidence(OLD.group_id, OLD.id), OLD.terms, OLD.length);
        END CASE;
    END IF;
    IF TG_OP = 'DELETE' THEN
        IF ended IS NOT NULL THEN
            PERFORM annals.keep_embeddings(TG_TABLE_NAME, OLD.group_id, OLD.id, ended);
        END IF;
        RETURN OLD;
    END IF;
    NEW.recorded := tstzrange(coalesce(ended, lower(OLD.recorded)), NULL);
    IF TG_TABLE_NAME <> 'communities' THEN
        NEW.caused_by := annals.causes();
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION annals.keep_embeddings(owner text, group_id text, id uuid, until timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = $2) THEN
        RETURN;
    END IF;
    CASE owner
        WHEN 'entities' THEN
            INSERT INTO annals.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT v.group_id, 'entity', v.model, v.entity_id, $4, v.embedding
            FROM annals.entity_embeddings v WHERE v.group_id = $2 AND v.entity_id = $3
            ON CONFLICT DO NOTHING;
        WHEN 'facts' THEN
            INSERT INTO annals.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT v.group_id, 'fact', v.model, v.fact_id, $4, v.embedding
            FROM annals.fact_embeddings v WHERE v.group_id = $2 AND v.fact_id = $3
            ON CONFLICT DO NOTHING;
        WHEN 'communities' THEN
            INSERT INTO annals.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT v.group_id, 'community', v.model, v.community_id, $4, v.embedding
            FROM annals.community_embeddings v WHERE v.group_id = $2 AND v.community_id = $3
            ON CONFLICT DO NOTHING;
    END CASE;
END
$$;

-- A vector that gives way to that of another text stood for the versions
-- before the one that stands. The first version of a row has none before it.
-- The trigger names no column, so that the dimension of vectors can be changed.
CREATE FUNCTION annals.keep_replaced_embedding() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.embedding = NEW.embedding THEN
        RETURN NULL;
    END IF;
    CASE TG_TABLE_NAME
        WHEN 'entity_embeddings' THEN
            INSERT INTO annals.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT o.group_id, 'entity', OLD.model, o.id, lower(o.recorded), OLD.embedding
            FROM annals.entities o
            WHERE o.group_id = OLD.group_id AND o.id = OLD.entity_id AND lower(o.recorded) > o.created_at
            ON CONFLICT DO NOTHING;
        WHEN 'fact_embeddings' THEN
            INSERT INTO annals.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT o.group_id, 'fact', OLD.model, o.id, lower(o.recorded), OLD.embedding
            FROM annals.facts o
            WHERE o.group_id = OLD.group_id AND o.id = OLD.fact_id AND lower(o.recorded) > o.created_at
            ON CONFLICT DO NOTHING;
        WHEN 'community_embeddings' THEN
            INSERT INTO annals.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT o.group_id, 'community', OLD.model, o.id, lower(o.recorded), OLD.embedding
            FROM annals.communities o
            WHERE o.group_id = OLD.group_id AND o.id = OLD.community_id AND lower(o.recorded) > o.created_at
            ON CONFLICT DO NOTHING;
    END CASE;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER history_update AFTER UPDATE ON annals.entity_embeddings
    FOR EACH ROW EXECUTE FUNCTION annals.keep_replaced_embedding();
CREATE TRIGGER history_update AFTER UPDATE ON annals.fact_embeddings
    FOR EACH ROW EXECUTE FUNCTION annals.keep_replaced_embedding();
CREATE TRIGGER history_update AFTER UPDATE ON annals.community_embeddings
    FOR EACH ROW EXECUTE FUNCTION annals.keep_replaced_embedding();

-- What an entity was called at a time. One that was not known then goes by
-- the name it has now, or had last.
-- +goose StatementBegin
CREATE FUNCTION annals.name_at(group_id text, id uuid, known_at timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(
        (SELECT e.name FROM annals.entities e WHERE e.group_id = $1 AND e.id = $2 AND e.recorded @> $3),
        (SELECT h.name FROM annals.entities_history h WHERE h.group_id = $1 AND h.id = $2 AND h.recorded @> $3),
        (SELECT e.name FROM annals.entities e WHERE e.group_id = $1 AND e.id = $2),
        annals.former_name($1, $2))
$$;
-- +goose StatementEnd

ALTER FUNCTION annals.former_name(text, uuid) PARALLEL SAFE;
ALTER FUNCTION annals.entity_evidence(text, uuid) PARALLEL SAFE;
ALTER FUNCTION annals.fact_evidence(text, uuid) PARALLEL SAFE;
ALTER FUNCTION annals.community_evidence(text, uuid) PARALLEL SAFE;
ALTER FUNCTION annals.clock() PARALLEL SAFE;

CREATE VIEW annals.entity_versions WITH (security_invoker = true) AS
SELECT e.group_id, e.id, e.name, e.aliases, e.labels, e.summary, e.attributes, e.recorded, e.created_at,
    ARRAY(SELECT m.episode_id FROM annals.mentions m WHERE m.group_id = e.group_id AND m.entity_id = e.id
        ORDER BY m.episode_id DESC LIMIT 100) AS episodes,
    e.caused_by, NULL::uuid[] AS ended_by
FROM annals.entities e
UNION ALL
SELECT h.group_id, h.id, h.name, h.aliases, h.labels, h.summary, h.attributes, h.recorded, h.created_at, h.evidence,
    h.caused_by, h.ended_by
FROM annals.entities_history h;

CREATE VIEW annals.fact_versions WITH (security_invoker = true) AS
SELECT f.group_id, f.id, f.source_id, annals.name_at(f.group_id, f.source_id, lower(f.recorded)) AS source, f.predicate,
    f.target_id, annals.name_at(f.group_id, f.target_id, lower(f.recorded)) AS target, f.fact, f.ends, f.attributes, f.valid,
    f.recorded, f.created_at, f.expired_at, f.statement_id,
    ARRAY(SELECT c.episode_id FROM annals.fact_episodes c
        WHERE c.group_id = f.group_id AND c.fact_id = f.id AND c.role = 'states' ORDER BY c.episode_id) AS episodes,
    f.caused_by, NULL::uuid[] AS ended_by
FROM annals.facts f
UNION ALL
SELECT h.group_id, h.id, h.source_id, annals.name_at(h.group_id, h.source_id, lower(h.recorded)), h.predicate,
    h.target_id, annals.name_at(h.group_id, h.target_id, lower(h.recorded)), h.fact, h.ends, h.attributes, h.valid,
    h.recorded, h.created_at, h.expired_at, h.statement_id, h.evidence, h.caused_by, h.ended_by
FROM annals.facts_history h;

CREATE VIEW annals.community_versions WITH (security_invoker = true) AS
SELECT c.group_id, c.id, c.name, c.summary, c.recorded, c.created_at,
    ARRAY(SELECT m.entity_id FROM annals.community_members m WHERE m.group_id = c.group_id AND m.community_id = c.id
        ORDER BY m.entity_id) AS members
FROM annals.communities c
UNION ALL
SELECT h.group_id, h.id, h.name, h.summary, h.recorded, h.created_at, h.evidence
FROM annals.communities_history h;

-- The world as it was known. A version that still stands has no end and holds
-- at infinity, which stands for a known_at that is not given.
-- +goose StatementBegin
CREATE FUNCTION annals.entities_at(group_id text, known_at timestamptz DEFAULT NULL) RETURNS SETOF annals.entity_versions
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT v.group_id, v.id, v.name, v.aliases, v.labels, v.summary, v.attributes, v.recorded, v.created_at, v.episodes,
        v.caused_by, v.ended_by
    FROM annals.entity_versions v
    WHERE v.group_id = $1 AND v.recorded @> coalesce($2, 'infinity')
$$;

CREATE FUNCTION annals.communities_at(group_id text, known_at timestamptz DEFAULT NULL) RETURNS SETOF annals.community_versions
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT v.group_id, v.id, v.name, v.summary, v.recorded, v.created_at, v.members
    FROM annals.community_versions v
    WHERE v.group_id = $1 AND v.recorded @> coalesce($2, 'infinity')
$$;

CREATE FUNCTION annals.facts_known(group_id text, known_at timestamptz DEFAULT NULL) RETURNS SETOF annals.fact_versions
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT v.group_id, v.id, v.source_id, coalesce(s.name, annals.name_at(v.group_id, v.source_id, $2)), v.predicate, v.target_id,
        coalesce(t.name, annals.name_at(v.group_id, v.target_id, $2)), v.fact, v.ends, v.attributes, v.valid, v.recorded,
        v.created_at, v.expired_at, v.statement_id, v.episodes, v.caused_by, v.ended_by
    FROM annals.fact_versions v
    LEFT JOIN annals.entity_versions s
        ON s.group_id = $1 AND s.id = v.source_id AND s.recorded @> coalesce($2, 'infinity')
    LEFT JOIN annals.entity_versions t
        ON t.group_id = $1 AND t.id = v.target_id AND t.recorded @> coalesce($2, 'infinity')
    WHERE v.group_id = $1 AND v.recorded @> coalesce($2, 'infinity')
$$;

CREATE FUNCTION annals.facts_at(group_id text, valid_at timestamptz DEFAULT now(), known_at timestamptz DEFAULT NULL)
RETURNS SETOF annals.fact_versions
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT k.group_id, k.id, k.source_id, k.source, k.predicate, k.target_id, k.target, k.fact, k.ends, k.attributes, k.valid,
        k.recorded, k.created_at, k.expired_at, k.statement_id, k.episodes, k.caused_by, k.ended_by
    FROM annals.facts_known($1, $3) k
    WHERE k.valid @> coalesce($2, now())
$$;

CREATE FUNCTION annals.fact_history(group_id text, fact_id uuid) RETURNS SETOF annals.fact_versions
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT v.group_id, v.id, v.source_id, v.source, v.predicate, v.target_id, v.target, v.fact, v.ends, v.attributes, v.valid,
        v.recorded, v.created_at, v.expired_at, v.statement_id, v.episodes, v.caused_by, v.ended_by
    FROM annals.fact_versions v
    WHERE v.group_id = $1 AND v.id = $2
    ORDER BY lower(v.recorded)
$$;

CREATE FUNCTION annals.entity_history(group_id text, entity_id uuid) RETURNS SETOF annals.entity_versions
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT v.group_id, v.id, v.name, v.aliases, v.labels, v.summary, v.attributes, v.recorded, v.created_at, v.episodes,
        v.caused_by, v.ended_by
    FROM annals.entity_versions v
    WHERE v.group_id = $1 AND v.id = $2
    ORDER BY lower(v.recorded)
$$;

-- The timeline as it was believed at a time.
CREATE FUNCTION annals.timeline_at(group_id text, known_at timestamptz DEFAULT NULL) RETURNS SETOF annals.timeline
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT DISTINCT ON (change.at, change.event, change.statement_id)
        $1, change.at, change.event, change.fact_id, change.words, change.recorded_at, change.statement_id
    FROM (
        SELECT lower(f.valid) AS at, 'began' AS event, f.id AS fact_id, f.fact AS words, f.created_at AS recorded_at, f.statement_id
        FROM annals.fact_versions f
        WHERE f.group_id = $1 AND f.recorded @> coalesce($2, 'infinity') AND NOT lower_inf(f.valid)
        UNION ALL
        SELECT upper(f.valid), 'ended', f.id, 'No longer: ' || f.fact, coalesce(f.expired_at, f.created_at), f.statement_id
        FROM annals.fact_versions f
        WHERE f.group_id = $1 AND f.recorded @> coalesce($2, 'infinity') AND NOT upper_inf(f.valid) AND NOT f.ends
    ) change
    ORDER BY change.at, change.event, change.statement_id, change.fact_id
$$;

-- What was believed of facts at one time and no longer, or otherwise, at another.
CREATE FUNCTION annals.fact_changes(group_id text, from_at timestamptz, to_at timestamptz DEFAULT NULL) RETURNS TABLE (
    change text, id uuid, predicate text, source text, target text, fact text, valid tstzrange,
    fact_before text, valid_before tstzrange, changed_at timestamptz, caused_by uuid[]
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    WITH before AS (
        SELECT * FROM annals.facts_known($1, $2) k WHERE NOT k.recorded @> coalesce($3, 'infinity')
    ), after AS (
        SELECT * FROM annals.facts_known($1, $3) k WHERE NOT k.recorded @> $2
    ), paired AS (
        SELECT CASE
                WHEN b.id IS NULL THEN 'added'
                WHEN a.id IS NULL THEN 'withdrawn'
                WHEN (b.source_id, b.predicate, b.target_id, b.fact, b.attributes, lower(b.valid))
                    IS NOT DISTINCT FROM (a.source_id, a.predicate, a.target_id, a.fact, a.attributes, lower(a.valid))
                    AND upper(a.valid) < coalesce(upper(b.valid), 'infinity') THEN 'ended'
                WHEN (b.source_id, b.predicate, b.target_id, b.fact, b.attributes, b.valid)
                    IS DISTINCT FROM (a.source_id, a.predicate, a.target_id, a.fact, a.attributes, a.valid) THEN 'changed'
            END AS change,
            coalesce(a.id, b.id) AS id, coalesce(a.predicate, b.predicate) AS predicate, coalesce(a.source, b.source) AS source,
            coalesce(a.target, b.target) AS target, a.fact, a.valid, b.fact AS fact_before, b.valid AS valid_before,
            coalesce(lower(a.recorded), upper(b.recorded)) AS changed_at,
            CASE WHEN a.id IS NULL THEN b.ended_by ELSE a.caused_by END AS caused_by
        FROM before b FULL JOIN after a ON a.id = b.id
    )
    SELECT p.change, p.id, p.predicate, p.source, p.target, p.fact, p.valid, p.fact_before, p.valid_before, p.changed_at, p.caused_by
    FROM paired p
    WHERE p.change IS NOT NULL
    ORDER BY p.changed_at, p.id
$$;

-- Likewise of entities.
CREATE FUNCTION annals.entity_changes(group_id text, from_at timestamptz, to_at timestamptz DEFAULT NULL) RETURNS TABLE (
    change text, id uuid, name text, summary text, name_before text, summary_before text, merged_into uuid,
    changed_at timestamptz, caused_by uuid[]
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    WITH before AS (
        SELECT * FROM annals.entities_at($1, $2) k WHERE NOT k.recorded @> coalesce($3, 'infinity')
    ), after AS (
        SELECT * FROM annals.entities_at($1, $3) k WHERE NOT k.recorded @> $2
    ), paired AS (
        SELECT CASE
                WHEN b.id IS NULL THEN 'added'
                WHEN a.id IS NULL AND m.merged_into IS NOT NULL THEN 'merged'
                WHEN a.id IS NULL THEN 'removed'
                WHEN a.name <> b.name THEN 'renamed'
                WHEN a.summary <> b.summary THEN 'summary'
                WHEN (a.aliases, a.labels, a.attributes) IS DISTINCT FROM (b.aliases, b.labels, b.attributes) THEN 'changed'
            END AS change,
            coalesce(a.id, b.id) AS id, a.name, a.summary, b.name AS name_before, b.summary AS summary_before,
            CASE WHEN a.id IS NULL THEN m.merged_into END AS merged_into,
            coalesce(lower(a.recorded), upper(b.recorded)) AS changed_at,
            CASE WHEN a.id IS NULL THEN b.ended_by ELSE a.caused_by END AS caused_by
        FROM before b
        FULL JOIN after a ON a.id = b.id
        LEFT JOIN annals.entity_merges m ON m.group_id = $1 AND m.id = b.id
    )
    SELECT p.change, p.id, p.name, p.summary, p.name_before, p.summary_before, p.merged_into, p.changed_at, p.caused_by
    FROM paired p
    WHERE p.change IS NOT NULL
    ORDER BY p.changed_at, p.id
$$;
-- +goose StatementEnd

-- The episodes that a filter lets pass. With a known_at in it, those that had
-- been taken in by then.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.episodes_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    SELECT e.id
    FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
    JOIN annals.episodes e ON e.group_id = $1
    WHERE (p.sources IS NULL OR e.source::text = ANY (p.sources))
        AND (p.threads IS NULL OR e.thread_id = ANY (p.threads))
        AND (p.actors IS NULL OR e.actor = ANY (p.actors))
        AND (p.roles IS NULL OR e.role = ANY (p.roles))
        AND (p.occurred IS NULL OR e.occurred_at <@ p.occurred)
        AND (p.metadata IS NULL OR coalesce(jsonb_path_match(e.metadata, p.metadata, p.metadata_values, true), false))
        AND (filter->>'known_at' IS NULL OR e.created_at <= (filter->>'known_at')::timestamptz)
$$;

-- The entities that a filter lets pass; with a known_at in it, in the version
-- believed then. Conditions on episodes hold for an entity that one of those
-- episodes mentions.
CREATE OR REPLACE FUNCTION annals.entities_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH told AS MATERIALIZED (
        SELECT s.id FROM annals.episodes_matching($1, filter) AS s(id) WHERE coalesce((filter->>'episodes')::boolean, false)
    ), said AS MATERIALIZED (
        SELECT m.entity_id FROM told s JOIN annals.mentions m ON m.group_id = $1 AND m.episode_id = s.id
    )
    SELECT e.id
    FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
    CROSS JOIN (
        SELECT c.id, c.labels, c.attributes, c.created_at, NULL::uuid[] AS evidence FROM annals.entities c
        WHERE c.group_id = $1 AND (filter->>'known_at' IS NULL OR c.recorded @> (filter->>'known_at')::timestamptz)
        UNION ALL
        SELECT h.id, h.labels, h.attributes, h.created_at, h.evidence FROM annals.entities_history h
        WHERE h.group_id = $1 AND h.recorded @> (filter->>'known_at')::timestamptz
    ) e
    WHERE (p.labels IS NULL OR e.labels && p.labels)
        AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(e.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.created IS NULL OR e.created_at <@ p.created)
        AND (NOT p.episodes OR e.id IN (SELECT entity_id FROM said) OR e.evidence && ARRAY(SELECT id FROM told))
$$;

-- The facts that a filter lets pass, in the version believed at known_at, or
-- now where that is NULL. Labels are those of both ends, at that time;
-- conditions on episodes hold for a fact that one of those episodes states.
CREATE OR REPLACE FUNCTION annals.facts_matching(
    group_id text, filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean
) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH told AS MATERIALIZED (
        SELECT s.id FROM annals.episodes_matching($1, filter) AS s(id) WHERE coalesce((filter->>'episodes')::boolean, false)
    ), said AS MATERIALIZED (
        SELECT s.fact_id FROM told e
        JOIN annals.fact_episodes s ON s.group_id = $1 AND s.episode_id = e.id AND s.role = 'states'
    ), labelled AS MATERIALIZED (
        SELECT e.id FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
        JOIN annals.entity_versions e ON e.group_id = $1 AND e.recorded @> coalesce(known_at, 'infinity')
        WHERE (p.labels IS NOT NULL OR p.excluded_labels IS NOT NULL)
            AND (p.labels IS NULL OR e.labels && p.labels)
            AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
    )
    SELECT f.id
    FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
    CROSS JOIN (
        SELECT c.id, c.source_id, c.target_id, c.predicate, c.attributes, c.valid, c.created_at, c.expired_at, NULL::uuid[] AS evidence
        FROM annals.facts c
        WHERE c.group_id = $1 AND (known_at IS NULL OR c.recorded @> known_at)
        UNION ALL
        SELECT h.id, h.source_id, h.target_id, h.predicate, h.attributes, h.valid, h.created_at, h.expired_at, h.evidence
        FROM annals.facts_history h
        WHERE h.group_id = $1 AND known_at IS NOT NULL AND h.recorded @> known_at
    ) f
    WHERE CASE
            WHEN valid_at IS NOT NULL THEN f.valid @> valid_at
            ELSE include_ended OR upper_inf(f.valid) OR upper(f.valid) > coalesce(known_at, now())
        END
        AND (p.predicates IS NULL OR f.predicate = ANY (p.predicates))
        AND (p.excluded_predicates IS NULL OR NOT f.predicate = ANY (p.excluded_predicates))
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(f.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.valid IS NULL OR lower(f.valid) <@ p.valid OR lower(f.valid) IS NULL AND p.valid_none)
        AND (p.invalid IS NULL OR upper(f.valid) <@ p.invalid OR upper(f.valid) IS NULL AND p.invalid_none)
        AND (p.created IS NULL OR f.created_at <@ p.created)
        AND (p.expired IS NULL OR f.expired_at <@ p.expired OR f.expired_at IS NULL AND p.expired_none)
        AND (p.labels IS NULL AND p.excluded_labels IS NULL
            OR f.source_id IN (SELECT id FROM labelled) AND f.target_id IN (SELECT id FROM labelled))
        AND (NOT p.episodes OR f.id IN (SELECT fact_id FROM said) OR f.evidence && ARRAY(SELECT id FROM told))
$$;

-- The rows of one kind that were believed at a time and that a filter lets pass.
CREATE FUNCTION annals.matching_known(
    group_id text, kind annals.kind, filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean
) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE AS $$
BEGIN
    CASE kind
        WHEN 'fact' THEN
            RETURN QUERY SELECT m.id FROM annals.facts_matching($1, $3, $4, $5, $6) AS m(id);
        WHEN 'entity' THEN
            RETURN QUERY SELECT m.id FROM annals.entities_matching($1, $3) AS m(id);
        WHEN 'episode' THEN
            RETURN QUERY SELECT m.id FROM annals.episodes_matching($1, $3) AS m(id);
        WHEN 'community' THEN
            RETURN QUERY SELECT m.id FROM annals.communities_at($1, $5) AS m;
    END CASE;
END
$$;
-- +goose StatementEnd

-- +goose Down

DROP FUNCTION annals.matching_known(text, annals.kind, jsonb, timestamptz, timestamptz, boolean);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.episodes_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    SELECT e.id
    FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
    JOIN annals.episodes e ON e.group_id = $1
    WHERE (p.sources IS NULL OR e.source::text = ANY (p.sources))
        AND (p.threads IS NULL OR e.thread_id = ANY (p.threads))
        AND (p.actors IS NULL OR e.actor = ANY (p.actors))
        AND (p.roles IS NULL OR e.role = ANY (p.roles))
        AND (p.occurred IS NULL OR e.occurred_at <@ p.occurred)
        AND (p.metadata IS NULL OR coalesce(jsonb_path_match(e.metadata, p.metadata, p.metadata_values, true), false))
$$;

CREATE OR REPLACE FUNCTION annals.entities_matching(group_id text, filter jsonb) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH said AS MATERIALIZED (
        SELECT m.entity_id FROM annals.episodes_matching($1, filter) AS s(id)
        JOIN annals.mentions m ON m.group_id = $1 AND m.episode_id = s.id
        WHERE coalesce((filter->>'episodes')::boolean, false)
    )
    SELECT e.id
    FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
    JOIN annals.entities e ON e.group_id = $1
    WHERE (p.labels IS NULL OR e.labels && p.labels)
        AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(e.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.created IS NULL OR e.created_at <@ p.created)
        AND (NOT p.episodes OR e.id IN (SELECT entity_id FROM said))
$$;

CREATE OR REPLACE FUNCTION annals.facts_matching(
    group_id text, filter jsonb, valid_at timestamptz, known_at timestamptz, include_ended boolean
) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    WITH said AS MATERIALIZED (
        SELECT s.fact_id FROM annals.episodes_matching($1, filter) AS e(id)
        JOIN annals.fact_episodes s ON s.group_id = $1 AND s.episode_id = e.id AND s.role = 'states'
        WHERE coalesce((filter->>'episodes')::boolean, false)
    ), labelled AS MATERIALIZED (
        SELECT e.id FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p JOIN annals.entities e ON e.group_id = $1
        WHERE (p.labels IS NOT NULL OR p.excluded_labels IS NOT NULL)
            AND (p.labels IS NULL OR e.labels && p.labels)
            AND (p.excluded_labels IS NULL OR NOT e.labels && p.excluded_labels)
    )
    SELECT f.id
    FROM (SELECT * FROM annals.filter_parts(filter) OFFSET 0) p
    CROSS JOIN (
        SELECT c.id, c.source_id, c.target_id, c.predicate, c.attributes, c.valid, c.created_at, c.expired_at
        FROM annals.facts c
        WHERE c.group_id = $1 AND (known_at IS NULL OR c.recorded @> known_at)
        UNION ALL
        SELECT h.id, h.source_id, h.target_id, h.predicate, h.attributes, h.valid, h.created_at, h.expired_at
        FROM annals.facts_history h
        WHERE h.group_id = $1 AND known_at IS NOT NULL AND h.recorded @> known_at
    ) f
    WHERE CASE
            WHEN valid_at IS NOT NULL THEN f.valid @> valid_at
            ELSE include_ended OR upper_inf(f.valid) OR upper(f.valid) > coalesce(known_at, now())
        END
        AND (p.predicates IS NULL OR f.predicate = ANY (p.predicates))
        AND (p.excluded_predicates IS NULL OR NOT f.predicate = ANY (p.excluded_predicates))
        AND (p.attributes IS NULL OR coalesce(jsonb_path_match(f.attributes, p.attributes, p.attribute_values, true), false))
        AND (p.valid IS NULL OR lower(f.valid) <@ p.valid OR lower(f.valid) IS NULL AND p.valid_none)
        AND (p.invalid IS NULL OR upper(f.valid) <@ p.invalid OR upper(f.valid) IS NULL AND p.invalid_none)
        AND (p.created IS NULL OR f.created_at <@ p.created)
        AND (p.expired IS NULL OR f.expired_at <@ p.expired OR f.expired_at IS NULL AND p.expired_none)
        AND (p.labels IS NULL AND p.excluded_labels IS NULL
            OR f.source_id IN (SELECT id FROM labelled) AND f.target_id IN (SELECT id FROM labelled))
        AND (NOT p.episodes OR f.id IN (SELECT fact_id FROM said))
$$;

CREATE OR REPLACE FUNCTION annals.keep_history() RETURNS trigger
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
DROP FUNCTION annals.entity_changes(text, timestamptz, timestamptz), annals.fact_changes(text, timestamptz, timestamptz),
    annals.timeline_at(text, timestamptz), annals.entity_history(text, uuid), annals.fact_history(text, uuid),
    annals.facts_at(text, timestamptz, timestamptz), annals.facts_known(text, timestamptz),
    annals.communities_at(text, timestamptz), annals.entities_at(text, timestamptz);
DROP VIEW annals.community_versions, annals.fact_versions, annals.entity_versions;
DROP FUNCTION annals.name_at(text, uuid, timestamptz);
DROP TRIGGER history_update ON annals.community_embeddings;
DROP TRIGGER history_update ON annals.fact_embeddings;
DROP TRIGGER history_update ON annals.entity_embeddings;
DROP FUNCTION annals.keep_replaced_embedding(), annals.keep_embeddings(text, text, uuid, timestamptz);
DROP TABLE annals.embeddings_history;
DROP TRIGGER terms ON annals.communities_history;
DROP TRIGGER terms ON annals.entities_history;
DROP TRIGGER terms ON annals.facts_history;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.set_terms() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    config regconfig;
    document text;
BEGIN
    CASE TG_TABLE_NAME
        WHEN 'episodes' THEN document := concat_ws(' ', NEW.actor, NEW.name, NEW.content);
        WHEN 'entities' THEN document := concat_ws(' ', NEW.name, array_to_string(NEW.aliases, ' '), NEW.summary);
        WHEN 'facts' THEN document := concat_ws(' ', NEW.fact, translate(lower(NEW.predicate), '_', ' '));
        WHEN 'communities' THEN document := concat_ws(' ', NEW.name, NEW.summary);
    END CASE;
    SELECT text_search INTO config FROM annals.groups WHERE group_id = NEW.group_id;
    NEW.terms := to_tsvector(coalesce(config, 'annals.english'), annals.segmented(document, true));
    NEW.length := coalesce((SELECT sum(cardinality(t.positions)) FROM unnest(NEW.terms) AS t), 0);
    RETURN NEW;
END
$$;
-- +goose StatementEnd
ALTER TABLE annals.communities_history DROP terms, DROP length;
ALTER TABLE annals.entities_history DROP terms, DROP length, DROP caused_by, DROP ended_by;
ALTER TABLE annals.facts_history DROP terms, DROP length, DROP caused_by, DROP ended_by;
ALTER TABLE annals.entities DROP caused_by;
ALTER TABLE annals.facts DROP caused_by;
DROP FUNCTION annals.causes();
