-- Former versions. A change or removal of a row, by the engine or by hand in
-- psql, keeps the old version with the time range in which it was believed. Views
-- and functions show the graph as known at any time.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(3);

-- The exclusion constraints guarantee that no two versions of a row were believed
-- at the same time. Their indexes also serve reads of the past. evidence lists
-- the episodes that supported an entity or a fact, or the members of a community.
CREATE TABLE annals_internal.entities_history (
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
    terms tsvector NOT NULL DEFAULT '',
    length integer NOT NULL DEFAULT 0,
    caused_by uuid[] NOT NULL DEFAULT '{}',
    ended_by uuid[] NOT NULL DEFAULT annals_internal.causing_episodes(),
    EXCLUDE USING gist (group_id WITH =, id WITH =, recorded WITH &&)
);
COMMENT ON TABLE annals_internal.entities_history IS 'Former versions of entities, written by triggers.';
COMMENT ON COLUMN annals_internal.entities_history.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.entities_history.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals_internal.entities_history.name IS 'The most complete name known at the time.';
COMMENT ON COLUMN annals_internal.entities_history.aliases IS 'Other names it goes by.';
COMMENT ON COLUMN annals_internal.entities_history.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals_internal.entities_history.summary IS 'Summary of what is known about it, in a few sentences.';
COMMENT ON COLUMN annals_internal.entities_history.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals_internal.entities_history.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals_internal.entities_history.recorded IS 'Time range in which this version was believed, half-open.';
COMMENT ON COLUMN annals_internal.entities_history.evidence IS 'The episodes that supported this version when it ended. The ids of episodes undone since no longer exist.';
COMMENT ON COLUMN annals_internal.entities_history.terms IS 'Its words as text search splits them, for ranking by BM25. Kept by a trigger.';
COMMENT ON COLUMN annals_internal.entities_history.length IS 'Number of terms in it. Kept by a trigger.';
COMMENT ON COLUMN annals_internal.entities_history.caused_by IS
    'The episodes whose processing made this version. Empty for edits by hand, or if not recorded.';
COMMENT ON COLUMN annals_internal.entities_history.ended_by IS
    'The episodes whose processing ended this version. Empty for edits by hand, or if not recorded.';

CREATE TABLE annals_internal.facts_history (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    source_id uuid NOT NULL,
    target_id uuid NOT NULL,
    predicate text NOT NULL,
    fact text NOT NULL,
    told text NOT NULL DEFAULT '' CHECK (told <> ''),
    ends boolean NOT NULL,
    attributes jsonb NOT NULL,
    valid tstzrange NOT NULL,
    recorded tstzrange NOT NULL CHECK (NOT isempty(recorded) AND NOT upper_inf(recorded)),
    created_at timestamptz NOT NULL,
    expired_at timestamptz,
    statement_id uuid NOT NULL,
    kind annals.fact_kind NOT NULL DEFAULT 'state',
    from_basis annals.basis NOT NULL DEFAULT 'unknown',
    from_precision annals.exactness NOT NULL DEFAULT 'unknown',
    until_basis annals.basis NOT NULL DEFAULT 'unknown',
    until_precision annals.exactness NOT NULL DEFAULT 'unknown',
    said_at timestamptz,
    bounded_by uuid,
    trust annals.trust NOT NULL DEFAULT 'believed',
    evidence uuid[] NOT NULL,
    terms tsvector NOT NULL DEFAULT '',
    length integer NOT NULL DEFAULT 0,
    caused_by uuid[] NOT NULL DEFAULT '{}',
    ended_by uuid[] NOT NULL DEFAULT annals_internal.causing_episodes(),
    EXCLUDE USING gist (group_id WITH =, id WITH =, recorded WITH &&)
);
COMMENT ON TABLE annals_internal.facts_history IS 'Former versions of facts, written by triggers.';
COMMENT ON COLUMN annals_internal.facts_history.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.facts_history.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals_internal.facts_history.source_id IS 'The entity that the fact is about.';
COMMENT ON COLUMN annals_internal.facts_history.target_id IS 'The entity that the fact relates the source to.';
COMMENT ON COLUMN annals_internal.facts_history.predicate IS 'The relation, in capitals, such as LIVES_IN.';
COMMENT ON COLUMN annals_internal.facts_history.fact IS 'The fact as one sentence that can be understood on its own.';
COMMENT ON COLUMN annals_internal.facts_history.told IS 'The sentence with dates for words such as "last week".';
COMMENT ON COLUMN annals_internal.facts_history.ends IS 'True if the sentence says that something stopped.';
COMMENT ON COLUMN annals_internal.facts_history.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals_internal.facts_history.valid IS
    'Time range in which it was true in the world, half-open; an open side is unknown or ongoing.';
COMMENT ON COLUMN annals_internal.facts_history.recorded IS 'Time range in which this version was believed, half-open.';
COMMENT ON COLUMN annals_internal.facts_history.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals_internal.facts_history.expired_at IS 'Time its end was recorded; NULL: it has not ended.';
COMMENT ON COLUMN annals_internal.facts_history.statement_id IS 'Id of the statement, which its facts about several pairs of entities share.';
COMMENT ON COLUMN annals_internal.facts_history.kind IS 'state: goes on; event: happens once. A sentence that something stopped is an event.';
COMMENT ON COLUMN annals_internal.facts_history.from_basis IS 'How the start of valid is known.';
COMMENT ON COLUMN annals_internal.facts_history.from_precision IS 'Precision of the start of valid.';
COMMENT ON COLUMN annals_internal.facts_history.until_basis IS 'How the end of valid is known.';
COMMENT ON COLUMN annals_internal.facts_history.until_precision IS 'Precision of the end of valid.';
COMMENT ON COLUMN annals_internal.facts_history.said_at IS 'Time it was first said; NULL: it was made by hand.';
COMMENT ON COLUMN annals_internal.facts_history.bounded_by IS 'The fact that an inferred start or end of valid comes from.';
COMMENT ON COLUMN annals_internal.facts_history.trust IS 'Whether it was believed: candidate, disputed or believed.';
COMMENT ON COLUMN annals_internal.facts_history.evidence IS 'The episodes that supported this version when it ended. The ids of episodes undone since no longer exist.';
COMMENT ON COLUMN annals_internal.facts_history.terms IS 'Its words as text search splits them, for ranking by BM25. Kept by a trigger.';
COMMENT ON COLUMN annals_internal.facts_history.length IS 'Number of terms in it. Kept by a trigger.';
COMMENT ON COLUMN annals_internal.facts_history.caused_by IS
    'The episodes whose processing made this version. Empty for edits by hand, or if not recorded.';
COMMENT ON COLUMN annals_internal.facts_history.ended_by IS
    'The episodes whose processing ended this version. Empty for edits by hand, or if not recorded.';

CREATE TRIGGER told_insert BEFORE INSERT ON annals_internal.facts_history
    FOR EACH ROW WHEN (NEW.told = '') EXECUTE FUNCTION annals_internal.tell_as_written();
COMMENT ON TRIGGER told_insert ON annals_internal.facts_history IS 'Copies fact to told if told is missing.';

CREATE TABLE annals_internal.communities_history (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    summary text NOT NULL,
    created_at timestamptz NOT NULL,
    recorded tstzrange NOT NULL CHECK (NOT isempty(recorded) AND NOT upper_inf(recorded)),
    evidence uuid[] NOT NULL,
    terms tsvector NOT NULL DEFAULT '',
    length integer NOT NULL DEFAULT 0,
    EXCLUDE USING gist (group_id WITH =, id WITH =, recorded WITH &&)
);
COMMENT ON TABLE annals_internal.communities_history IS 'Former versions of communities, written by triggers.';
COMMENT ON COLUMN annals_internal.communities_history.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.communities_history.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals_internal.communities_history.name IS 'Title made from its key terms and topics.';
COMMENT ON COLUMN annals_internal.communities_history.summary IS 'Summary of what its members had in common.';
COMMENT ON COLUMN annals_internal.communities_history.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals_internal.communities_history.recorded IS 'Time range in which this version was believed, half-open.';
COMMENT ON COLUMN annals_internal.communities_history.evidence IS 'The entities that belonged to it.';
COMMENT ON COLUMN annals_internal.communities_history.terms IS 'Its words as text search splits them, for ranking by BM25. Kept by a trigger.';
COMMENT ON COLUMN annals_internal.communities_history.length IS 'Number of terms in it. Kept by a trigger.';

CREATE FUNCTION annals_internal.entity_evidence(of_group text, entity uuid) RETURNS uuid[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN ARRAY(SELECT episode_id FROM annals.mentions WHERE group_id = of_group AND entity_id = entity
    ORDER BY episode_id DESC LIMIT 100);
COMMENT ON FUNCTION annals_internal.entity_evidence(text, uuid) IS 'Returns the latest hundred episodes that mention an entity.';

CREATE FUNCTION annals_internal.fact_evidence(of_group text, fact uuid) RETURNS uuid[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN ARRAY(SELECT episode_id FROM annals.fact_episodes WHERE group_id = of_group AND fact_id = fact AND role = 'states'
    ORDER BY episode_id);
COMMENT ON FUNCTION annals_internal.fact_evidence(text, uuid) IS 'Returns the episodes that state a fact.';

CREATE FUNCTION annals_internal.community_evidence(of_group text, community uuid) RETURNS uuid[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN ARRAY(SELECT entity_id FROM annals.community_members WHERE group_id = of_group AND community_id = community
    ORDER BY entity_id);
COMMENT ON FUNCTION annals_internal.community_evidence(text, uuid) IS 'Returns the entities of a community.';

-- Returns the end of a version that began at `since`. NULL: it begins and ends in
-- the same transaction, so nobody saw it. A transaction of an edit by hand may
-- have begun before the version; its end is still later than `since`.
CREATE FUNCTION annals_internal.version_end(since timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE
RETURN CASE
    WHEN since < annals_internal.recorded_now() THEN annals_internal.recorded_now()
    WHEN since > annals_internal.recorded_now() THEN greatest(clock_timestamp(), annals_internal.seconds_after(since, 0.000001))
    END;
COMMENT ON FUNCTION annals_internal.version_end(timestamptz) IS
    'Returns the end of a version that began at the given time; NULL: it begins and ends in one transaction, so nobody saw it.';

-- Records which episodes ended the last version of a fact. It deletes and inserts
-- the version, because tenants may not update it.
CREATE FUNCTION annals_internal.note_end(of_group text, of_fact uuid, episodes uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    last annals_internal.facts_history;
BEGIN
    DELETE FROM annals_internal.facts_history h
    WHERE h.group_id = of_group AND h.id = of_fact AND h.ended_by <> episodes AND upper(h.recorded) = (
        SELECT max(upper(v.recorded)) FROM annals_internal.facts_history v WHERE v.group_id = of_group AND v.id = of_fact)
    RETURNING h.* INTO last;
    IF FOUND THEN
        last.ended_by := episodes;
        INSERT INTO annals_internal.facts_history VALUES (last.*);
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.note_end(text, uuid, uuid[]) IS 'Records which episodes ended the last version of a fact.';

-- Stores the old version of a row, and begins the new one at its end. Stores
-- nothing while the group itself is being removed.
CREATE FUNCTION annals_internal.keep_history() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ended timestamptz := annals_internal.version_end(lower(OLD.recorded));
    believed tstzrange := tstzrange(lower(OLD.recorded), ended);
BEGIN
    IF ended IS NOT NULL AND EXISTS (SELECT FROM annals.groups WHERE group_id = OLD.group_id) THEN
        CASE TG_ARGV[0]
            WHEN 'entity' THEN
                INSERT INTO annals_internal.entities_history (group_id, id, name, aliases, labels, summary, attributes, created_at,
                    recorded, evidence, terms, length, caused_by)
                VALUES (OLD.group_id, OLD.id, OLD.name, OLD.aliases, OLD.labels, OLD.summary, OLD.attributes, OLD.created_at,
                    believed, annals_internal.entity_evidence(OLD.group_id, OLD.id), OLD.terms, OLD.length, OLD.caused_by);
            WHEN 'fact' THEN
                INSERT INTO annals_internal.facts_history (group_id, id, source_id, target_id, predicate, fact, told, ends, attributes, valid,
                    recorded, created_at, expired_at, statement_id, kind, from_basis, from_precision, until_basis, until_precision, said_at, bounded_by, trust, evidence, terms, length,
                    caused_by)
                VALUES (OLD.group_id, OLD.id, OLD.source_id, OLD.target_id, OLD.predicate, OLD.fact, OLD.told, OLD.ends, OLD.attributes,
                    OLD.valid, believed, OLD.created_at, OLD.expired_at, OLD.statement_id, OLD.kind, OLD.from_basis, OLD.from_precision, OLD.until_basis, 
                    OLD.until_precision, OLD.said_at, OLD.bounded_by, OLD.trust,
                    annals_internal.fact_evidence(OLD.group_id, OLD.id), OLD.terms, OLD.length, OLD.caused_by);
            WHEN 'community' THEN
                INSERT INTO annals_internal.communities_history (group_id, id, name, summary, created_at, recorded, evidence, terms, length)
                SELECT OLD.group_id, OLD.id, OLD.name, OLD.summary, OLD.created_at, believed,
                    annals_internal.community_evidence(OLD.group_id, OLD.id), OLD.terms, OLD.length
                WHERE NOT OLD.stale; -- a stale community has no words
            WHEN 'observation' THEN
                INSERT INTO annals_internal.observations_history (group_id, id, subject_id, predicate, meaning, observation, reader, proof, against,
                    first_seen, last_seen, valid, recorded, created_at, evidence, shown_from, said_at, opposed_from)
                VALUES (OLD.group_id, OLD.id, OLD.subject_id, OLD.predicate, OLD.meaning, OLD.observation, OLD.reader, OLD.proof, OLD.against,
                    OLD.first_seen, OLD.last_seen, OLD.valid, believed, OLD.created_at, OLD.evidence, OLD.shown_from, OLD.said_at, OLD.opposed_from);
            WHEN 'skill' THEN
                INSERT INTO annals_internal.skills_history (group_id, id, skill_id, procedure, name, tasks, steps, pitfalls, preconditions, why, reader,
                    decision, proven_from, worked_at, failed_at, worked, failed, valid, recorded, created_at)
                VALUES (OLD.group_id, OLD.id, OLD.skill_id, OLD.procedure, OLD.name, OLD.tasks, OLD.steps, OLD.pitfalls, OLD.preconditions, OLD.why, OLD.reader,
                    OLD.decision, OLD.proven_from, OLD.worked_at, OLD.failed_at, OLD.worked, OLD.failed, OLD.valid, believed, OLD.created_at);
            WHEN 'answer' THEN
                INSERT INTO annals_internal.answers_history (group_id, id, question, schema, tokens, stale, body, answered_at, good_until,
                    recorded, created_at)
                VALUES (OLD.group_id, OLD.id, OLD.question, OLD.schema, OLD.tokens, OLD.stale, OLD.body, OLD.answered_at, OLD.good_until,
                    believed, OLD.created_at);
        END CASE;
    END IF;
    IF TG_OP = 'DELETE' THEN
        IF ended IS NULL AND TG_ARGV[0] = 'fact' THEN -- its stored version ended in this transaction, by the same episodes
            PERFORM annals_internal.note_end(OLD.group_id, OLD.id, annals_internal.causing_episodes())
            FROM annals_internal.facts_history h
            WHERE h.group_id = OLD.group_id AND h.id = OLD.id AND upper(h.recorded) = lower(OLD.recorded) AND h.ended_by = '{}';
        END IF;
        IF ended IS NOT NULL AND TG_ARGV[0] IN ('entity', 'fact', 'community') THEN
            PERFORM annals_internal.keep_embeddings(TG_ARGV[0], OLD.group_id, OLD.id, ended);
        END IF;
        RETURN OLD;
    END IF;
    NEW.recorded := tstzrange(coalesce(ended, lower(OLD.recorded)), NULL);
    IF TG_ARGV[0] IN ('entity', 'fact') THEN
        NEW.caused_by := annals_internal.causing_episodes();
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.keep_history() IS 'Trigger: stores the old version of a changed or removed row.';

-- Columns that search derives from a row are not part of a version.
CREATE TRIGGER history_update BEFORE UPDATE ON annals.entities
    FOR EACH ROW WHEN ((OLD.name, OLD.aliases, OLD.labels, OLD.summary, OLD.attributes)
        IS DISTINCT FROM (NEW.name, NEW.aliases, NEW.labels, NEW.summary, NEW.attributes))
    EXECUTE FUNCTION annals_internal.keep_history('entity');
COMMENT ON TRIGGER history_update ON annals.entities IS 'Stores the old version of a changed entity in entities_history.';
CREATE TRIGGER history_delete BEFORE DELETE ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_history('entity');
COMMENT ON TRIGGER history_delete ON annals.entities IS 'Stores the last version of a removed entity in entities_history.';
CREATE TRIGGER history_update BEFORE UPDATE ON annals.facts
    FOR EACH ROW WHEN (
        (OLD.source_id, OLD.target_id, OLD.predicate, OLD.fact, OLD.told, OLD.ends, OLD.attributes, OLD.valid, OLD.expired_at, OLD.statement_id,
            OLD.kind, OLD.from_basis, OLD.from_precision, OLD.until_basis, OLD.until_precision, OLD.said_at, OLD.bounded_by, OLD.trust)
        IS DISTINCT FROM
        (NEW.source_id, NEW.target_id, NEW.predicate, NEW.fact, NEW.told, NEW.ends, NEW.attributes, NEW.valid, NEW.expired_at, NEW.statement_id,
            NEW.kind, NEW.from_basis, NEW.from_precision, NEW.until_basis, NEW.until_precision, NEW.said_at, NEW.bounded_by, NEW.trust))
    EXECUTE FUNCTION annals_internal.keep_history('fact');
COMMENT ON TRIGGER history_update ON annals.facts IS 'Stores the old version of a changed fact in facts_history.';
CREATE TRIGGER history_delete BEFORE DELETE ON annals.facts
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_history('fact');
COMMENT ON TRIGGER history_delete ON annals.facts IS 'Stores the last version of a removed fact in facts_history.';
CREATE TRIGGER history_update BEFORE UPDATE ON annals.communities
    FOR EACH ROW WHEN ((OLD.name, OLD.summary, OLD.digest, OLD.stale) IS DISTINCT FROM (NEW.name, NEW.summary, NEW.digest, NEW.stale))
    EXECUTE FUNCTION annals_internal.keep_history('community');
COMMENT ON TRIGGER history_update ON annals.communities IS 'Stores the old version of a changed community in communities_history.';
CREATE TRIGGER history_delete BEFORE DELETE ON annals.communities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_history('community');
COMMENT ON TRIGGER history_delete ON annals.communities IS 'Stores the last version of a removed community in communities_history.';

-- Records every change by hand, through whichever door. The history has the old
-- values. Rows are only added; they go with their group.
CREATE TABLE annals.edits (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    edited_at timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    door text NOT NULL,
    written_by text NOT NULL,
    authority annals.authority NOT NULL,
    action text NOT NULL,
    kind annals.kind,
    subject_id uuid,
    PRIMARY KEY (group_id, id),
    CHECK ((kind IS NULL) = (subject_id IS NULL))
);
COMMENT ON TABLE annals.edits IS 'Log of changes by hand to entities, facts, episodes and policies, and of readmitted groups. Rows are only added.';
COMMENT ON COLUMN annals.edits.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.edits.id IS 'Its id.';
COMMENT ON COLUMN annals.edits.edited_at IS 'Time of the change, on the recorded axis: the start of the version that it made.';
COMMENT ON COLUMN annals.edits.door IS 'Door it came in by: library, cli, rest, otlp, mcp, zep, graphiti, agent or sql.';
COMMENT ON COLUMN annals.edits.written_by IS 'The API key or database user that made it; may be empty.';
COMMENT ON COLUMN annals.edits.authority IS 'Authority of the writer.';
COMMENT ON COLUMN annals.edits.action IS 'What was done: add, edit, withdraw, restore, sweep (removed when expired), merge, split, rename, remove; confirm or unconfirm (a fact); release or hold (an episode); policy (of the group); readmit (an erased group); or insert, update, delete by SQL.';
COMMENT ON COLUMN annals.edits.kind IS 'Kind of its subject: entity, fact or episode; NULL: the group itself.';
COMMENT ON COLUMN annals.edits.subject_id IS 'The entity, fact or episode; NULL: the group itself.';

CREATE INDEX edits_subject ON annals.edits (group_id, subject_id, edited_at);
COMMENT ON INDEX annals.edits_subject IS 'Finds the edits of an entity or a fact.';
CREATE INDEX edits_of_facts ON annals.edits (group_id, edited_at) WHERE kind = 'fact';
COMMENT ON INDEX annals.edits_of_facts IS 'Finds edits of facts by time, to tell whether an entity changed only with its fact.';

CREATE FUNCTION annals_internal.note_edit() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    origin jsonb := annals_internal.write_origin();
    action text := coalesce(origin->>'action', lower(TG_OP));
BEGIN
    IF action IN ('undo', 'import', 'mark') OR action = 'sweep' AND TG_ARGV[0] = 'entity' OR current_setting('annals.weighing', true) = 'on' OR TG_OP = 'UPDATE' AND NEW.recorded = OLD.recorded
        OR TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = OLD.group_id) THEN
        RETURN NULL;
    END IF;
    INSERT INTO annals.edits (group_id, door, written_by, authority, action, kind, subject_id)
    VALUES (coalesce(NEW.group_id, OLD.group_id), origin->>'door', origin->>'written_by', (origin->>'authority')::annals.authority,
        action, TG_ARGV[0]::annals.kind, coalesce(NEW.id, OLD.id));
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.note_edit() IS 'Trigger: records a change that no episode caused. Undo, import and marks keep their own records.';

CREATE TRIGGER edit AFTER INSERT OR UPDATE OR DELETE ON annals.entities
    FOR EACH ROW WHEN (annals_internal.causing_episodes() = '{}') EXECUTE FUNCTION annals_internal.note_edit('entity');
COMMENT ON TRIGGER edit ON annals.entities IS 'Records changes by hand in edits.';
CREATE TRIGGER edit AFTER INSERT OR UPDATE OR DELETE ON annals.facts
    FOR EACH ROW WHEN (annals_internal.causing_episodes() = '{}') EXECUTE FUNCTION annals_internal.note_edit('fact');
COMMENT ON TRIGGER edit ON annals.facts IS 'Records changes by hand in edits.';

-- Keeps a summary that is written by hand. The engine rewrites the summary when facts
-- change, and puts the hand-written text first.
CREATE FUNCTION annals_internal.keep_written() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF coalesce(annals_internal.write_origin()->>'action', 'edit') IN ('edit', 'add') AND coalesce(current_setting('annals.weighing', true), '') <> 'on' THEN
        NEW.written := NEW.summary;
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.keep_written() IS 'Trigger: copies a summary written by hand to written.';

CREATE TRIGGER written_insert BEFORE INSERT ON annals.entities
    FOR EACH ROW WHEN (annals_internal.causing_episodes() = '{}' AND NEW.summary <> '') EXECUTE FUNCTION annals_internal.keep_written();
COMMENT ON TRIGGER written_insert ON annals.entities IS 'Copies the summary of an entity made by hand to written.';
CREATE TRIGGER written_update BEFORE UPDATE OF summary ON annals.entities
    FOR EACH ROW WHEN (annals_internal.causing_episodes() = '{}' AND OLD.summary <> NEW.summary) EXECUTE FUNCTION annals_internal.keep_written();
COMMENT ON TRIGGER written_update ON annals.entities IS 'Copies a summary written by hand to written.';

-- A fact corrected by hand rests on the record of the edit: its episodes say
-- something else. They keep their link, with the role corrected, so that erasing
-- them finds the fact. Renaming an end is no correction.
CREATE FUNCTION annals_internal.note_correction() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF coalesce(annals_internal.write_origin()->>'action', '') NOT IN ('undo', 'import', 'rename') THEN
        UPDATE annals.fact_episodes SET role = 'corrected'
        WHERE group_id = NEW.group_id AND fact_id = NEW.id AND role = 'states';
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.note_correction() IS 'Trigger: gives the episodes of a fact the role corrected when its sentence is corrected by hand.';

CREATE TRIGGER corrected AFTER UPDATE OF fact ON annals.facts
    FOR EACH ROW WHEN (annals_internal.causing_episodes() = '{}' AND OLD.fact <> NEW.fact) EXECUTE FUNCTION annals_internal.note_correction();
COMMENT ON TRIGGER corrected ON annals.facts IS 'Gives the episodes of a fact the role corrected when its sentence is corrected by hand.';

CREATE FUNCTION annals_internal.refuse_rewriting() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.group_id <> '' AND NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = OLD.group_id) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'what was noted is only added to; it goes with its group' USING ERRCODE = 'restrict_violation';
END
$$;
COMMENT ON FUNCTION annals_internal.refuse_rewriting() IS 'Trigger: refuses to change or remove a record, except with its group.';

CREATE TRIGGER only_added BEFORE UPDATE OR DELETE ON annals.edits
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_rewriting();
COMMENT ON TRIGGER only_added ON annals.edits IS 'Refuses to change or remove edits.';

-- Returns the authority of a fact: the highest of the episodes that state it and of the
-- edits that made, changed or confirmed it; person if it has neither. confirmed_as caps the
-- authority of confirmations: against other facts, an approval counts like the word of a
-- user.
CREATE FUNCTION annals_internal.fact_authority(group_id text, fact_id uuid, confirmed_as annals.authority DEFAULT 'person') RETURNS annals.authority
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(greatest(
    (SELECT max(e.authority)
    FROM annals.fact_episodes c
    JOIN annals.episodes e ON e.group_id = c.group_id AND e.id = c.episode_id
    WHERE c.group_id = fact_authority.group_id AND c.fact_id = fact_authority.fact_id AND c.role = 'states'),
    (SELECT max(d.authority)
    FROM annals.edits d
    WHERE d.group_id = fact_authority.group_id AND d.subject_id = fact_authority.fact_id
        AND d.action IN ('add', 'edit', 'restore', 'insert', 'update')),
    (SELECT max(least(d.authority, fact_authority.confirmed_as))
    FROM annals.edits d
    WHERE d.group_id = fact_authority.group_id AND d.subject_id = fact_authority.fact_id AND d.action = 'confirm'
        AND NOT EXISTS (SELECT FROM annals.edits u
            WHERE u.group_id = fact_authority.group_id AND u.subject_id = fact_authority.fact_id AND u.action = 'unconfirm' AND u.edited_at > d.edited_at))), 'person');
COMMENT ON FUNCTION annals_internal.fact_authority(text, uuid, annals.authority) IS
    'Returns the authority of a fact: the highest of the episodes that state it and of the edits that made, changed or confirmed it. confirmed_as caps that of confirmations.';

-- Trust. Whether a fact is believed follows from who says it and from the group's
-- policy, which by default withholds nothing. The column facts.trust stores the
-- result, so that searches need not compute it and the history keeps it.

-- Tells whether a group withholds anything.
CREATE FUNCTION annals_internal.withholds(group_id text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce((SELECT g.holds FROM annals.groups g WHERE g.group_id = withholds.group_id), false);
COMMENT ON FUNCTION annals_internal.withholds(text) IS 'Tells whether a group withholds anything until it is confirmed or released.';

CREATE FUNCTION annals_internal.withholds_authority(group_id text, authority annals.authority, thread_id text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (SELECT FROM annals.groups g WHERE g.group_id = withholds_authority.group_id
    AND CASE authority WHEN 'assistant' THEN g.hold_assistants WHEN 'document' THEN g.hold_documents OR thread_id = ANY (g.hold_threads) ELSE false END);
COMMENT ON FUNCTION annals_internal.withholds_authority(text, annals.authority, text) IS 'Tells whether a group withholds the words of an authority in a thread.';

-- Returns the latest decision by hand about something: the last edit with one of the
-- given actions.
CREATE FUNCTION annals_internal.last_decision(group_id text, subject_id uuid, actions text[]) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT d.action FROM annals.edits d
    WHERE d.group_id = last_decision.group_id AND d.subject_id = last_decision.subject_id AND d.action = ANY (actions)
    ORDER BY d.edited_at DESC, d.id DESC LIMIT 1);
COMMENT ON FUNCTION annals_internal.last_decision(text, uuid, text[]) IS 'Returns the latest decision by hand about a fact or an episode, among the given actions.';

-- Tells whether a group withholds the door, the role or the source description of
-- an episode.
CREATE FUNCTION annals_internal.origin_held(group_id text, episode_id uuid) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (SELECT FROM annals.groups g WHERE g.group_id = origin_held.group_id AND g.holds_origins) AND EXISTS (
    SELECT FROM annals.groups g
    JOIN annals.episodes e ON e.group_id = origin_held.group_id AND e.id = origin_held.episode_id
    WHERE g.group_id = origin_held.group_id
        AND (e.door = ANY (g.hold_doors) OR lower(btrim(e.role)) = ANY (g.hold_roles) OR e.source_description = ANY (g.hold_sources)));
COMMENT ON FUNCTION annals_internal.origin_held(text, uuid) IS 'Tells whether a group withholds the door, the role or the source description of an episode.';

-- Tells whether an edit is withheld, by its authority or its door. A change by a user or
-- a person through a withheld door is a decision, and counts.
CREATE FUNCTION annals_internal.edit_held(group_id text, authority annals.authority, door text, action text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN annals_internal.withholds_authority(group_id, authority, '') OR (action IN ('add', 'insert') OR authority < 'user')
    AND EXISTS (SELECT FROM annals.groups g WHERE g.group_id = edit_held.group_id AND edit_held.door = ANY (g.hold_doors));
COMMENT ON FUNCTION annals_internal.edit_held(text, annals.authority, text, text) IS 'Tells whether an edit is withheld, by its authority or its door.';

CREATE FUNCTION annals_internal.relation_held(group_id text, fact_id uuid) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (SELECT FROM annals.groups g
    JOIN annals.facts f ON f.group_id = relation_held.group_id AND f.id = relation_held.fact_id
        AND regexp_replace(f.predicate, '^NO_LONGER_', '') = ANY (g.hold_relations)
    WHERE g.group_id = relation_held.group_id AND g.hold_relations <> '{}');
COMMENT ON FUNCTION annals_internal.relation_held(text, uuid) IS 'Tells whether a group withholds the predicate of a fact.';

CREATE FUNCTION annals_internal.episode_held(group_id text, episode_id uuid, authority annals.authority, thread_id text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (annals_internal.withholds_authority(group_id, authority, thread_id) OR annals_internal.origin_held(group_id, episode_id))
    AND coalesce(annals_internal.last_decision(group_id, episode_id, '{release,hold}'), '') <> 'release';
COMMENT ON FUNCTION annals_internal.episode_held(text, uuid, annals.authority, text) IS 'Tells whether an episode is withheld: the policy of its group covers it, and nobody released it.';

CREATE FUNCTION annals_internal.quarantined(group_id text, episode_id uuid, authority annals.authority, thread_id text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (authority = 'document' OR annals_internal.origin_held(group_id, episode_id)) AND annals_internal.episode_held(group_id, episode_id, authority, thread_id);
COMMENT ON FUNCTION annals_internal.quarantined(text, uuid, annals.authority, text) IS
    'Tells whether an episode is in quarantine: a withheld document, or an episode from a withheld door, role or source. Readers do not see it either.';

-- Tells whether a reader who asks for a trust sees an episode. Those in quarantine are
-- shown only for candidate or all. Every list of episodes calls this; most groups
-- withhold none, and return early.
CREATE FUNCTION annals_internal.episode_shown(group_id text, episode_id uuid, authority annals.authority, thread_id text, asked text) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF asked = 'all' THEN
        RETURN true;
    END IF;
    RETURN (asked = 'candidate') = (EXISTS (SELECT FROM annals.groups g WHERE g.group_id = $1 AND g.holds_episodes)
        AND annals_internal.quarantined($1, $2, $3, $4));
END
$$;
COMMENT ON FUNCTION annals_internal.episode_shown(text, uuid, annals.authority, text, text) IS
    'Tells whether a reader who asks for a trust sees an episode. Those in quarantine are shown only for candidate or all.';

-- Tells whether an entity is shown: not if all episodes that mention it are in
-- quarantine and all its facts are candidates.
CREATE FUNCTION annals_internal.entity_shown(group_id text, entity_id uuid, asked text) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF asked IN ('candidate', 'all') OR NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = $1 AND g.holds_episodes) THEN
        RETURN true;
    END IF;
    RETURN EXISTS (SELECT FROM annals.mentions m JOIN annals.episodes e ON e.group_id = $1 AND e.id = m.episode_id
            WHERE m.group_id = $1 AND m.entity_id = $2 AND NOT annals_internal.quarantined($1, e.id, e.authority, e.thread_id))
        OR EXISTS (SELECT FROM annals.facts f WHERE f.group_id = $1 AND f.source_id = $2 AND f.trust <> 'candidate')
        OR EXISTS (SELECT FROM annals.facts f WHERE f.group_id = $1 AND f.target_id = $2 AND f.trust <> 'candidate')
        OR NOT EXISTS (SELECT FROM annals.mentions m WHERE m.group_id = $1 AND m.entity_id = $2);
END
$$;
COMMENT ON FUNCTION annals_internal.entity_shown(text, uuid, text) IS
    'Tells whether an entity is shown: not if all episodes that mention it are in quarantine and all its facts are candidates.';

CREATE FUNCTION annals_internal.hides_mentions(group_id text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (SELECT FROM annals_internal.expired_marks x WHERE x.group_id = hides_mentions.group_id)
    OR EXISTS (SELECT FROM annals.groups g WHERE g.group_id = hides_mentions.group_id AND g.holds_episodes);
COMMENT ON FUNCTION annals_internal.hides_mentions(text) IS 'Tells whether a group may have hidden episodes: expired or in quarantine. Most groups have none.';

CREATE FUNCTION annals_internal.hidden_mentions(group_id text, entity_id uuid) RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT count(*)
    FROM annals.mentions m
    JOIN annals.episodes e ON e.group_id = hidden_mentions.group_id AND e.id = m.episode_id
    WHERE m.group_id = hidden_mentions.group_id AND m.entity_id = hidden_mentions.entity_id
        AND (e.id IN (SELECT annals_internal.expired(hidden_mentions.group_id, 'episode', now()))
            OR annals_internal.quarantined(hidden_mentions.group_id, e.id, e.authority, e.thread_id)));
COMMENT ON FUNCTION annals_internal.hidden_mentions(text, uuid) IS 'Counts the hidden episodes that mention an entity.';

CREATE FUNCTION annals_internal.fact_confirmed(group_id text, fact_id uuid) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(annals_internal.last_decision(group_id, fact_id, '{confirm,unconfirm}'), '') = 'confirm';
COMMENT ON FUNCTION annals_internal.fact_confirmed(text, uuid) IS 'Tells whether a fact is confirmed by hand.';

-- A fact is a candidate if every episode and edit behind it is withheld and nobody
-- confirmed it. One without either was made by a person. If the predicate is withheld,
-- episodes never suffice.
CREATE FUNCTION annals_internal.fact_trust(group_id text, fact_id uuid) RETURNS annals.trust
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
    WHEN annals_internal.withholds(group_id) AND (
        EXISTS (SELECT FROM annals.fact_episodes c WHERE c.group_id = fact_trust.group_id AND c.fact_id = fact_trust.fact_id AND c.role = 'states')
        OR EXISTS (SELECT FROM annals.edits d WHERE d.group_id = fact_trust.group_id AND d.subject_id = fact_trust.fact_id
            AND d.action IN ('add', 'edit', 'restore', 'insert', 'update'))
    ) AND (annals_internal.relation_held(group_id, fact_id) OR NOT EXISTS (
        SELECT FROM annals.fact_episodes c
        JOIN annals.episodes e ON e.group_id = fact_trust.group_id AND e.id = c.episode_id
        WHERE c.group_id = fact_trust.group_id AND c.fact_id = fact_trust.fact_id AND c.role = 'states'
            AND NOT annals_internal.episode_held(fact_trust.group_id, e.id, e.authority, e.thread_id)
    )) AND NOT EXISTS (
        SELECT FROM annals.edits d
        WHERE d.group_id = fact_trust.group_id AND d.subject_id = fact_trust.fact_id AND d.action IN ('add', 'edit', 'restore', 'insert', 'update')
            AND NOT annals_internal.edit_held(fact_trust.group_id, d.authority, d.door, d.action)
    ) AND NOT annals_internal.fact_confirmed(group_id, fact_id) THEN 'candidate'
    WHEN EXISTS (SELECT FROM annals.disputes d WHERE d.group_id = fact_trust.group_id AND d.fact_id = fact_trust.fact_id) THEN 'disputed'
    ELSE 'believed' END::annals.trust;
COMMENT ON FUNCTION annals_internal.fact_trust(text, uuid) IS
    'Computes the trust of a fact, from the episodes that state it, the edits that made or confirmed it, and the policy of its group.';

-- Tells whether a believed fact stays believed without its expiring episodes. It does if
-- the group withholds nothing, if it is confirmed, or if an edit or a lasting episode
-- that is not withheld supports it.
CREATE FUNCTION annals_internal.believed_without_expiring(group_id text, fact_id uuid) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN NOT annals_internal.withholds(group_id) OR annals_internal.fact_confirmed(group_id, fact_id) OR EXISTS (
    SELECT FROM annals.edits d
    WHERE d.group_id = believed_without_expiring.group_id AND d.subject_id = believed_without_expiring.fact_id AND d.action IN ('add', 'edit', 'restore', 'insert', 'update')
        AND NOT annals_internal.edit_held(believed_without_expiring.group_id, d.authority, d.door, d.action)
) OR NOT annals_internal.relation_held(group_id, fact_id) AND EXISTS (
    SELECT FROM annals.fact_episodes c
    JOIN annals.episodes e ON e.group_id = believed_without_expiring.group_id AND e.id = c.episode_id
    LEFT JOIN annals.marks m ON m.group_id = believed_without_expiring.group_id AND m.subject_id = c.episode_id AND m.mark = 'expires' AND m.until IS NULL
    WHERE c.group_id = believed_without_expiring.group_id AND c.fact_id = believed_without_expiring.fact_id AND c.role = 'states' AND m.id IS NULL
        AND NOT annals_internal.episode_held(believed_without_expiring.group_id, e.id, e.authority, e.thread_id));
COMMENT ON FUNCTION annals_internal.believed_without_expiring(text, uuid) IS 'Tells whether a believed fact stays believed without its expiring episodes.';

-- Recomputes the trust of all facts of a group, or of some, and returns those that
-- changed. This is no edit, and none is recorded.
CREATE FUNCTION annals_internal.update_trust(of_group text, which uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    before text := coalesce(current_setting('annals.weighing', true), '');
    weighed uuid[] := which;
    changed uuid[];
    trusts annals.trust[];
BEGIN
    IF which IS NULL AND NOT annals_internal.withholds(of_group) THEN -- no fact is a candidate
        weighed := ARRAY(
            SELECT f.id FROM annals.facts f WHERE f.group_id = of_group AND f.trust <> 'believed'
            UNION
            SELECT d.fact_id FROM annals.disputes d WHERE d.group_id = of_group);
    END IF;
    PERFORM annals_internal.set_local('annals.weighing', 'on');
    SELECT array_agg(n.id), array_agg(n.trust) INTO changed, trusts -- read first: Citus refuses an UPDATE that calls functions for its rows
    FROM (
        SELECT c.id, c.trust AS former, annals_internal.fact_trust(of_group, c.id) AS trust FROM annals.facts c
        WHERE c.group_id = of_group AND (weighed IS NULL OR c.id = ANY (weighed))
    ) n
    WHERE n.former <> n.trust;
    RETURN QUERY
    UPDATE annals.facts f SET trust = n.trust
    FROM unnest(changed, trusts) AS n(id, trust)
    WHERE f.group_id = of_group AND f.id = n.id
    RETURNING f.id;
    PERFORM annals_internal.set_local('annals.weighing', before);
END
$$;
COMMENT ON FUNCTION annals_internal.update_trust(text, uuid[]) IS 'Recomputes the trust of the given facts, and returns those that changed; NULL: all facts of the group.';

-- Recomputes the trust of a fact that gains or loses an episode or a dispute. A
-- writer of many rows sets annals.weighed_later and recomputes once at the end.
CREATE FUNCTION annals_internal.keep_trust() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    of_group text := coalesce(NEW.group_id, OLD.group_id);
BEGIN
    IF TG_ARGV[0] = 'episode' AND NOT annals_internal.withholds(of_group) OR current_setting('annals.weighed_later', true) = 'on'
        OR annals_internal.write_origin()->>'action' = 'import' OR NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = of_group) THEN
        RETURN NULL;
    END IF;
    PERFORM annals_internal.update_trust(of_group, ARRAY[coalesce(NEW.fact_id, OLD.fact_id)]);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.keep_trust() IS 'Trigger: recomputes the trust of a fact that gains or loses an episode or a dispute.';

CREATE TRIGGER trust AFTER INSERT OR DELETE OR UPDATE OF role ON annals.fact_episodes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_trust('episode');
COMMENT ON TRIGGER trust ON annals.fact_episodes IS 'Recomputes the trust of the fact.';
CREATE TRIGGER trust AFTER INSERT OR DELETE ON annals.disputes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_trust('dispute');
COMMENT ON TRIGGER trust ON annals.disputes IS 'Recomputes the trust of the fact.';

-- Applies a changed trust policy to a group: recomputes the trust of its facts,
-- removes new candidates from summaries, and records who decided it.
CREATE FUNCTION annals_internal.apply_trust_policy() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    origin jsonb := annals_internal.write_origin();
    before text := coalesce(current_setting('annals.weighing', true), '');
    weighed uuid[];
BEGIN
    IF origin->>'action' = 'import' THEN
        RETURN NULL;
    END IF;
    INSERT INTO annals.edits (group_id, door, written_by, authority, action)
    VALUES (NEW.group_id, origin->>'door', origin->>'written_by', (origin->>'authority')::annals.authority, 'policy');
    IF coalesce(current_setting('annals.weighed_later', true), '') <> 'on' THEN
        weighed := ARRAY(SELECT w.id FROM annals_internal.update_trust(NEW.group_id, NULL) AS w(id));
        PERFORM annals_internal.set_local('annals.weighing', 'on'); -- changes of summaries are no edits
        PERFORM annals_internal.remove_from_summaries(NEW.group_id, ARRAY(
            SELECT f.id FROM annals.facts f WHERE f.group_id = NEW.group_id AND f.id = ANY (weighed) AND f.trust = 'candidate'));
        PERFORM annals_internal.set_local('annals.weighing', before);
    END IF;
    IF (OLD.hold_documents, OLD.hold_threads, OLD.hold_doors, OLD.hold_roles, OLD.hold_sources)
        IS DISTINCT FROM (NEW.hold_documents, NEW.hold_threads, NEW.hold_doors, NEW.hold_roles, NEW.hold_sources) THEN
        UPDATE annals.threads t SET summary = '', through_at = NULL, through_id = NULL -- it is rebuilt from visible episodes
        WHERE t.group_id = NEW.group_id AND t.summary <> '' AND EXISTS (
            SELECT FROM annals.episodes e
            WHERE e.group_id = NEW.group_id AND e.thread_id = t.id AND e.source = 'message' AND (e.authority = 'document' OR e.door = ANY (OLD.hold_doors || NEW.hold_doors)
                OR lower(btrim(e.role)) = ANY (OLD.hold_roles || NEW.hold_roles) OR e.source_description = ANY (OLD.hold_sources || NEW.hold_sources)));
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.apply_trust_policy() IS 'Trigger: after a change of the trust policy, recomputes the trust of the group''s facts and removes new candidates from summaries.';

CREATE TRIGGER trust AFTER UPDATE OF hold_assistants, hold_documents, hold_threads, records_succeed, proof_of_skills, hold_doors, hold_roles, hold_sources, hold_relations ON annals.groups
    FOR EACH ROW WHEN ((OLD.hold_assistants, OLD.hold_documents, OLD.hold_threads, OLD.records_succeed, OLD.proof_of_skills, OLD.hold_doors, OLD.hold_roles, OLD.hold_sources, OLD.hold_relations)
        IS DISTINCT FROM (NEW.hold_assistants, NEW.hold_documents, NEW.hold_threads, NEW.records_succeed, NEW.proof_of_skills, NEW.hold_doors, NEW.hold_roles, NEW.hold_sources, NEW.hold_relations))
    EXECUTE FUNCTION annals_internal.apply_trust_policy();
COMMENT ON TRIGGER trust ON annals.groups IS 'Applies a changed trust policy to the facts of the group.';

-- Returns the last name of an entity that was merged or removed.
CREATE FUNCTION annals_internal.former_name(of_group text, entity uuid) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce((SELECT name FROM annals_internal.entities_history WHERE group_id = of_group AND id = entity
    ORDER BY lower(recorded) DESC LIMIT 1), '');
COMMENT ON FUNCTION annals_internal.former_name(text, uuid) IS 'Returns the last name of an entity that was merged or removed.';

-- Returns the name of an entity at a time. If it was not known then, returns its
-- present or last name.
CREATE FUNCTION annals_internal.name_at(group_id text, id uuid, known_at timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(
    (SELECT e.name FROM annals.entities e WHERE e.group_id = name_at.group_id AND e.id = name_at.id AND e.recorded @> name_at.known_at),
    (SELECT h.name FROM annals_internal.entities_history h WHERE h.group_id = name_at.group_id AND h.id = name_at.id AND h.recorded @> name_at.known_at),
    (SELECT e.name FROM annals.entities e WHERE e.group_id = name_at.group_id AND e.id = name_at.id),
    annals_internal.former_name(name_at.group_id, name_at.id));
COMMENT ON FUNCTION annals_internal.name_at(text, uuid, timestamptz) IS 'Returns the name of an entity at a time.';

CREATE VIEW annals.entity_versions WITH (security_invoker = true) AS
SELECT e.group_id, e.id, e.name, e.aliases, e.labels, e.summary, e.attributes, e.recorded, e.created_at,
    ARRAY(SELECT m.episode_id FROM annals.mentions m WHERE m.group_id = e.group_id AND m.entity_id = e.id
        ORDER BY m.episode_id DESC LIMIT 100) AS episodes,
    e.caused_by, NULL::uuid[] AS ended_by
FROM annals.entities e
UNION ALL
SELECT h.group_id, h.id, h.name, h.aliases, h.labels, h.summary, h.attributes, h.recorded, h.created_at, h.evidence,
    h.caused_by, h.ended_by
FROM annals_internal.entities_history h;
COMMENT ON VIEW annals.entity_versions IS 'Every version of every entity, former and current.';
COMMENT ON COLUMN annals.entity_versions.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.entity_versions.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.entity_versions.name IS 'The most complete name known at the time.';
COMMENT ON COLUMN annals.entity_versions.aliases IS 'Other names it goes by.';
COMMENT ON COLUMN annals.entity_versions.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.entity_versions.summary IS 'Summary of what was known about it, in a few sentences.';
COMMENT ON COLUMN annals.entity_versions.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.entity_versions.recorded IS
    'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.entity_versions.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals.entity_versions.episodes IS 'The episodes that supported the version when it ended, or support it now.';
COMMENT ON COLUMN annals.entity_versions.caused_by IS
    'The episodes whose processing made this version. Empty for edits by hand, or if not recorded.';
COMMENT ON COLUMN annals.entity_versions.ended_by IS
    'The episodes whose processing ended this version. Empty for edits by hand, or if not recorded.';

-- is_current is a constant in each branch, so that the planner drops the history
-- when a query asks for current rows.
CREATE VIEW annals_internal.entity_rows WITH (security_invoker = true) AS
SELECT e.group_id, e.id, e.name, e.aliases, e.labels, e.summary, e.attributes, e.created_at, e.recorded, e.caused_by,
    NULL::uuid[] AS ended_by, true AS is_current, e.written
FROM annals.entities e
UNION ALL
SELECT h.group_id, h.id, h.name, h.aliases, h.labels, h.summary, h.attributes, h.created_at, h.recorded, h.caused_by,
    h.ended_by, false, ''
FROM annals_internal.entities_history h;
COMMENT ON VIEW annals_internal.entity_rows IS 'Every version of every entity, former and current, without the episodes that support it.';
COMMENT ON COLUMN annals_internal.entity_rows.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.entity_rows.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals_internal.entity_rows.name IS 'The most complete name known at the time.';
COMMENT ON COLUMN annals_internal.entity_rows.aliases IS 'Other names it goes by.';
COMMENT ON COLUMN annals_internal.entity_rows.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals_internal.entity_rows.summary IS 'Summary of what was known about it, in a few sentences.';
COMMENT ON COLUMN annals_internal.entity_rows.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals_internal.entity_rows.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals_internal.entity_rows.recorded IS
    'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals_internal.entity_rows.caused_by IS
    'The episodes whose processing made this version. Empty for edits by hand, or if not recorded.';
COMMENT ON COLUMN annals_internal.entity_rows.ended_by IS
    'The episodes whose processing ended this version. Empty for edits by hand, or if not recorded; NULL: it is current.';
COMMENT ON COLUMN annals_internal.entity_rows.is_current IS 'True for the version that is believed now.';
COMMENT ON COLUMN annals_internal.entity_rows.written IS 'Text written about it by hand, with which its summary begins; empty in former versions.';

CREATE VIEW annals.fact_versions WITH (security_invoker = true) AS
SELECT f.group_id, f.id, f.source_id, annals_internal.name_at(f.group_id, f.source_id, lower(f.recorded)) AS source, f.predicate,
    f.target_id, annals_internal.name_at(f.group_id, f.target_id, lower(f.recorded)) AS target, f.fact, f.told, f.ends, f.attributes, f.valid,
    f.recorded, f.created_at, f.expired_at, f.statement_id, f.kind, f.from_basis, f.from_precision, f.until_basis, f.until_precision, f.said_at, f.bounded_by, f.trust,
    ARRAY(SELECT d.disputed_by FROM annals.disputes d WHERE d.group_id = f.group_id AND d.fact_id = f.id ORDER BY d.disputed_by)::uuid[] AS disputed_by,
    ARRAY(SELECT c.episode_id FROM annals.fact_episodes c
        WHERE c.group_id = f.group_id AND c.fact_id = f.id AND c.role = 'states' ORDER BY c.episode_id)::uuid[] AS episodes,
    f.caused_by, NULL::uuid[] AS ended_by
FROM annals.facts f
UNION ALL
SELECT h.group_id, h.id, h.source_id, annals_internal.name_at(h.group_id, h.source_id, lower(h.recorded)), h.predicate,
    h.target_id, annals_internal.name_at(h.group_id, h.target_id, lower(h.recorded)), h.fact, h.told, h.ends, h.attributes, h.valid,
    h.recorded, h.created_at, h.expired_at, h.statement_id, h.kind, h.from_basis, h.from_precision, h.until_basis, h.until_precision, h.said_at, h.bounded_by, h.trust, '{}', h.evidence, h.caused_by, h.ended_by
FROM annals_internal.facts_history h;
COMMENT ON VIEW annals.fact_versions IS
    'Every version of every fact, former and current, with the names that its entities had when the version began.';
COMMENT ON COLUMN annals.fact_versions.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.fact_versions.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.fact_versions.source_id IS 'The entity that the fact is about.';
COMMENT ON COLUMN annals.fact_versions.source IS 'Name of the source entity at that time.';
COMMENT ON COLUMN annals.fact_versions.predicate IS 'The relation, in capitals, such as LIVES_IN.';
COMMENT ON COLUMN annals.fact_versions.target_id IS 'The entity that the fact relates the source to.';
COMMENT ON COLUMN annals.fact_versions.target IS 'Name of the target entity at that time.';
COMMENT ON COLUMN annals.fact_versions.fact IS 'The fact as one sentence that can be understood on its own.';
COMMENT ON COLUMN annals.fact_versions.told IS 'The sentence with dates for words such as "last week".';
COMMENT ON COLUMN annals.fact_versions.ends IS 'True if the sentence says that something stopped.';
COMMENT ON COLUMN annals.fact_versions.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.fact_versions.valid IS
    'Time range in which it was true in the world, half-open; an open side is unknown or ongoing.';
COMMENT ON COLUMN annals.fact_versions.recorded IS
    'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.fact_versions.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals.fact_versions.expired_at IS 'Time its end was recorded; NULL: it has not ended.';
COMMENT ON COLUMN annals.fact_versions.statement_id IS 'Id of the statement, which its facts about several pairs of entities share.';
COMMENT ON COLUMN annals.fact_versions.kind IS 'state: goes on; event: happens once. A sentence that something stopped is an event.';
COMMENT ON COLUMN annals.fact_versions.from_basis IS 'How the start of valid is known.';
COMMENT ON COLUMN annals.fact_versions.from_precision IS 'Precision of the start of valid.';
COMMENT ON COLUMN annals.fact_versions.until_basis IS 'How the end of valid is known.';
COMMENT ON COLUMN annals.fact_versions.until_precision IS 'Precision of the end of valid.';
COMMENT ON COLUMN annals.fact_versions.said_at IS 'Time it was first said; NULL: it was made by hand.';
COMMENT ON COLUMN annals.fact_versions.trust IS 'Whether it was believed: candidate, disputed or believed.';
COMMENT ON COLUMN annals.fact_versions.disputed_by IS 'The contradicting facts of higher authority, or of any authority for a candidate. Always empty in former versions.';
COMMENT ON COLUMN annals.fact_versions.bounded_by IS 'The fact that an inferred start or end of valid comes from.';
COMMENT ON COLUMN annals.fact_versions.episodes IS 'The episodes that supported the version when it ended, or support it now.';
COMMENT ON COLUMN annals.fact_versions.caused_by IS
    'The episodes whose processing made this version. Empty for edits by hand, or if not recorded.';
COMMENT ON COLUMN annals.fact_versions.ended_by IS
    'The episodes whose processing ended this version. Empty for edits by hand, or if not recorded.';

CREATE VIEW annals.community_versions WITH (security_invoker = true) AS
SELECT c.group_id, c.id, c.name, c.summary, c.recorded, c.created_at,
    ARRAY(SELECT m.entity_id FROM annals.community_members m WHERE m.group_id = c.group_id AND m.community_id = c.id
        ORDER BY m.entity_id) AS members
FROM annals.communities c
WHERE NOT c.stale
UNION ALL
SELECT h.group_id, h.id, h.name, h.summary, h.recorded, h.created_at, h.evidence
FROM annals_internal.communities_history h;
COMMENT ON VIEW annals.community_versions IS 'Every version of every community, former and current, except those waiting to be rebuilt.';
COMMENT ON COLUMN annals.community_versions.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.community_versions.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.community_versions.name IS 'Title made from its key terms and topics.';
COMMENT ON COLUMN annals.community_versions.summary IS 'Summary of what its members had in common.';
COMMENT ON COLUMN annals.community_versions.recorded IS
    'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.community_versions.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals.community_versions.members IS 'Ids of its entities.';

CREATE VIEW annals_internal.community_rows WITH (security_invoker = true) AS
SELECT c.group_id, c.id, c.name, c.summary, c.created_at, c.recorded, true AS is_current
FROM annals.communities c
WHERE NOT c.stale
UNION ALL
SELECT h.group_id, h.id, h.name, h.summary, h.created_at, h.recorded, false
FROM annals_internal.communities_history h;
COMMENT ON VIEW annals_internal.community_rows IS 'Every version of every community, former and current, without members, except those waiting to be rebuilt.';
COMMENT ON COLUMN annals_internal.community_rows.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.community_rows.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals_internal.community_rows.name IS 'Title made from its key terms and topics.';
COMMENT ON COLUMN annals_internal.community_rows.summary IS 'Summary of what its members had in common.';
COMMENT ON COLUMN annals_internal.community_rows.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals_internal.community_rows.recorded IS
    'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals_internal.community_rows.is_current IS 'True for the version that is believed now.';

-- Functions that return the graph as known at a time. A current version has no
-- end and so contains infinity, which stands for a known_at of NULL.
CREATE FUNCTION annals.entities_at(group_id text, known_at timestamptz DEFAULT NULL) RETURNS SETOF annals.entity_versions
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT v.*
    FROM annals.entity_versions v
    WHERE v.group_id = entities_at.group_id AND v.recorded @> coalesce(entities_at.known_at, 'infinity')
        AND v.id NOT IN (SELECT annals_internal.expired(entities_at.group_id, 'entity', coalesce(entities_at.known_at, now())))
        AND annals_internal.entity_shown(entities_at.group_id, v.id, 'believed');
END;
COMMENT ON FUNCTION annals.entities_at(text, timestamptz) IS 'Returns the visible entities, as known at known_at; NULL: as known now.';

CREATE FUNCTION annals.communities_at(group_id text, known_at timestamptz DEFAULT NULL) RETURNS SETOF annals.community_versions
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT v.*
    FROM annals.community_versions v
    WHERE v.group_id = communities_at.group_id AND v.recorded @> coalesce(communities_at.known_at, 'infinity');
END;
COMMENT ON FUNCTION annals.communities_at(text, timestamptz) IS 'Returns the communities as they were at known_at; NULL: as they are now.';

CREATE FUNCTION annals.facts_known(group_id text, known_at timestamptz DEFAULT NULL) RETURNS SETOF annals.fact_versions
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT v.group_id, v.id, v.source_id, coalesce(s.name, annals_internal.name_at(v.group_id, v.source_id, facts_known.known_at)), v.predicate, v.target_id,
        coalesce(t.name, annals_internal.name_at(v.group_id, v.target_id, facts_known.known_at)), v.fact, v.told, v.ends, v.attributes, v.valid, v.recorded,
        v.created_at, v.expired_at, v.statement_id, v.kind, v.from_basis, v.from_precision, v.until_basis, v.until_precision, v.said_at, v.bounded_by, v.trust, v.disputed_by, v.episodes, v.caused_by, v.ended_by
    FROM annals.fact_versions v
    LEFT JOIN annals.entity_versions s
        ON s.group_id = facts_known.group_id AND s.id = v.source_id AND s.recorded @> coalesce(facts_known.known_at, 'infinity')
    LEFT JOIN annals.entity_versions t
        ON t.group_id = facts_known.group_id AND t.id = v.target_id AND t.recorded @> coalesce(facts_known.known_at, 'infinity')
    WHERE v.group_id = facts_known.group_id AND v.recorded @> coalesce(facts_known.known_at, 'infinity') AND v.trust <> 'candidate'
        AND v.id NOT IN (SELECT annals_internal.expired(facts_known.group_id, 'fact', coalesce(facts_known.known_at, now())));
END;
COMMENT ON FUNCTION annals.facts_known(text, timestamptz) IS
    'Returns facts of all valid times as believed at known_at, without candidates; NULL: as believed now.';

-- Equals facts_known(group_id), but does not read the history.
CREATE FUNCTION annals.facts_now(group_id text) RETURNS SETOF annals.fact_versions
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT f.group_id, f.id, f.source_id, s.name, f.predicate, f.target_id, t.name, f.fact, f.told, f.ends, f.attributes, f.valid, f.recorded,
        f.created_at, f.expired_at, f.statement_id, f.kind, f.from_basis, f.from_precision, f.until_basis, f.until_precision, f.said_at, f.bounded_by, f.trust,
        ARRAY(SELECT d.disputed_by FROM annals.disputes d WHERE d.group_id = facts_now.group_id AND d.fact_id = f.id ORDER BY d.disputed_by),
        ARRAY(SELECT c.episode_id FROM annals.fact_episodes c
            WHERE c.group_id = facts_now.group_id AND c.fact_id = f.id AND c.role = 'states' ORDER BY c.episode_id),
        f.caused_by, NULL::uuid[]
    FROM annals.facts f
    JOIN annals.entities s ON s.group_id = facts_now.group_id AND s.id = f.source_id
    JOIN annals.entities t ON t.group_id = facts_now.group_id AND t.id = f.target_id
    WHERE f.group_id = facts_now.group_id AND f.trust <> 'candidate' AND f.id NOT IN (SELECT annals_internal.expired(facts_now.group_id, 'fact', now()));
END;
COMMENT ON FUNCTION annals.facts_now(text) IS 'Returns facts of all valid times as believed now, without candidates, with the present names of their entities.';

-- Equals facts_now(group_id) for the given facts, candidates included. A cluster
-- cannot push a filter into a function: without the ids it would read the whole
-- group.
CREATE FUNCTION annals_internal.current_facts_of(group_id text, ids uuid[]) RETURNS SETOF annals.fact_versions
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT f.group_id, f.id, f.source_id, s.name, f.predicate, f.target_id, t.name, f.fact, f.told, f.ends, f.attributes, f.valid, f.recorded,
        f.created_at, f.expired_at, f.statement_id, f.kind, f.from_basis, f.from_precision, f.until_basis, f.until_precision, f.said_at, f.bounded_by, f.trust,
        ARRAY(SELECT d.disputed_by FROM annals.disputes d WHERE d.group_id = current_facts_of.group_id AND d.fact_id = f.id ORDER BY d.disputed_by),
        ARRAY(SELECT c.episode_id FROM annals.fact_episodes c
            WHERE c.group_id = current_facts_of.group_id AND c.fact_id = f.id AND c.role = 'states' ORDER BY c.episode_id),
        f.caused_by, NULL::uuid[]
    FROM (SELECT DISTINCT unnest(current_facts_of.ids) AS id) i
    CROSS JOIN LATERAL (SELECT x.* FROM annals.facts x WHERE x.group_id = current_facts_of.group_id AND x.id = i.id OFFSET 0) f
    CROSS JOIN LATERAL (SELECT x.name FROM annals.entities x WHERE x.group_id = current_facts_of.group_id AND x.id = f.source_id OFFSET 0) s
    CROSS JOIN LATERAL (SELECT x.name FROM annals.entities x WHERE x.group_id = current_facts_of.group_id AND x.id = f.target_id OFFSET 0) t
    WHERE (NOT EXISTS (SELECT FROM annals_internal.expired_marks m WHERE m.group_id = current_facts_of.group_id)
            OR f.id NOT IN (SELECT annals_internal.expired(current_facts_of.group_id, 'fact', now())));
END;
COMMENT ON FUNCTION annals_internal.current_facts_of(text, uuid[]) IS 'Returns the current versions of the given facts, with the present names of their entities.';

-- Equals the view fact_versions, or facts_known(group_id, known_at), for the given
-- facts, candidates included.
CREATE FUNCTION annals_internal.fact_versions_of(group_id text, ids uuid[], known_at timestamptz DEFAULT NULL) RETURNS SETOF annals.fact_versions
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT v.group_id, v.id, v.source_id,
        coalesce(s.name, annals_internal.name_at(fact_versions_of.group_id, v.source_id, coalesce(fact_versions_of.known_at, lower(v.recorded)))), v.predicate, v.target_id,
        coalesce(t.name, annals_internal.name_at(fact_versions_of.group_id, v.target_id, coalesce(fact_versions_of.known_at, lower(v.recorded)))), v.fact, v.told, v.ends,
        v.attributes, v.valid, v.recorded, v.created_at, v.expired_at, v.statement_id, v.kind, v.from_basis, v.from_precision, v.until_basis,
        v.until_precision, v.said_at, v.bounded_by, v.trust, v.disputed_by, v.episodes, v.caused_by, v.ended_by
    FROM (
        SELECT f.group_id, f.id, f.source_id, f.predicate, f.target_id, f.fact, f.told, f.ends, f.attributes, f.valid, f.recorded, f.created_at, f.expired_at,
            f.statement_id, f.kind, f.from_basis, f.from_precision, f.until_basis, f.until_precision, f.said_at, f.bounded_by, f.trust,
            ARRAY(SELECT d.disputed_by FROM annals.disputes d WHERE d.group_id = fact_versions_of.group_id AND d.fact_id = f.id ORDER BY d.disputed_by) AS disputed_by,
            ARRAY(SELECT c.episode_id FROM annals.fact_episodes c
                WHERE c.group_id = fact_versions_of.group_id AND c.fact_id = f.id AND c.role = 'states' ORDER BY c.episode_id) AS episodes,
            f.caused_by, NULL::uuid[] AS ended_by
        FROM annals.facts f
        WHERE f.group_id = fact_versions_of.group_id AND f.id = ANY (fact_versions_of.ids)
        UNION ALL
        SELECT h.group_id, h.id, h.source_id, h.predicate, h.target_id, h.fact, h.told, h.ends, h.attributes, h.valid, h.recorded, h.created_at, h.expired_at,
            h.statement_id, h.kind, h.from_basis, h.from_precision, h.until_basis, h.until_precision, h.said_at, h.bounded_by, h.trust, '{}', h.evidence,
            h.caused_by, h.ended_by
        FROM annals_internal.facts_history h
        WHERE h.group_id = fact_versions_of.group_id AND h.id = ANY (fact_versions_of.ids)
    ) v
    LEFT JOIN annals_internal.entity_rows s
        ON s.group_id = fact_versions_of.group_id AND s.id = v.source_id AND s.recorded @> coalesce(fact_versions_of.known_at, lower(v.recorded))
    LEFT JOIN annals_internal.entity_rows t
        ON t.group_id = fact_versions_of.group_id AND t.id = v.target_id AND t.recorded @> coalesce(fact_versions_of.known_at, lower(v.recorded))
    WHERE fact_versions_of.known_at IS NULL OR v.recorded @> fact_versions_of.known_at
        AND v.id NOT IN (SELECT annals_internal.expired(fact_versions_of.group_id, 'fact', fact_versions_of.known_at));
END;
COMMENT ON FUNCTION annals_internal.fact_versions_of(text, uuid[], timestamptz) IS
    'Returns the versions of the given facts that were believed at known_at, with the entity names of that time; NULL: all versions, each with the names at its start.';

-- Tells whether an episode states a fact that is believed now, or was at a time, with
-- this predicate and sentence; NULL: any.
CREATE FUNCTION annals_internal.states(group_id text, episode_id uuid, predicate text, fact text, known_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (
    SELECT FROM annals.fact_episodes c
    JOIN annals.facts f ON f.group_id = states.group_id AND f.id = c.fact_id
    WHERE c.group_id = states.group_id AND c.episode_id = states.episode_id AND c.role = 'states'
        AND (states.predicate IS NULL OR f.predicate = states.predicate) AND (states.fact IS NULL OR f.fact = states.fact)
        AND (states.known_at IS NULL OR f.recorded @> states.known_at)
) OR states.known_at IS NOT NULL AND EXISTS (
    SELECT FROM annals_internal.facts_history h
    WHERE h.group_id = states.group_id AND h.recorded @> states.known_at AND states.episode_id = ANY (h.evidence)
        AND (states.predicate IS NULL OR h.predicate = states.predicate) AND (states.fact IS NULL OR h.fact = states.fact)
);
COMMENT ON FUNCTION annals_internal.states(text, uuid, text, text, timestamptz) IS 'Tells whether an episode states a fact that is believed now, or was at a time.';

-- Tells whether a list or search as of a time shows a fact: it held or happened then, was
-- planned then, or had been planned as an event that nobody has confirmed. An event
-- without a known start holds at no given time. PostgreSQL inlines this single
-- expression. graph.Fact.ShownAt does the same.
CREATE FUNCTION annals_internal.shown_at(kind annals.fact_kind, valid tstzrange, from_basis annals.basis, said_at timestamptz, at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN valid @> at THEN kind = 'state' OR NOT lower_inf(valid)
    ELSE said_at <= at AND (lower(valid) > at OR kind = 'event' AND from_basis = 'planned') END;
COMMENT ON FUNCTION annals_internal.shown_at(annals.fact_kind, tstzrange, annals.basis, timestamptz, timestamptz)
    IS 'Tells whether a fact held, happened or was planned at a time.';

-- Names the start of a fact in the timeline. A planned fact does not count as begun or
-- happened just because its day has come.
CREATE FUNCTION annals_internal.begun_as(kind annals.fact_kind, valid tstzrange, from_basis annals.basis) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN from_basis = 'planned' OR lower(valid) > now() THEN 'planned' WHEN kind = 'event' THEN 'happened' ELSE 'began' END;
COMMENT ON FUNCTION annals_internal.begun_as(annals.fact_kind, tstzrange, annals.basis)
    IS 'Returns how a fact starts: began, happened or planned.';

CREATE FUNCTION annals.facts_at(group_id text, valid_at timestamptz DEFAULT now(), known_at timestamptz DEFAULT NULL, planned boolean DEFAULT false)
RETURNS SETOF annals.fact_versions
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT k.*
    FROM annals.facts_known(facts_at.group_id, facts_at.known_at) k
    WHERE k.valid @> coalesce(facts_at.valid_at, now()) AND (k.kind = 'state' OR NOT lower_inf(k.valid))
        OR facts_at.planned AND annals_internal.shown_at(k.kind, k.valid, k.from_basis, k.said_at, coalesce(facts_at.valid_at, now()));
END;
COMMENT ON FUNCTION annals.facts_at(text, timestamptz, timestamptz, boolean) IS
    'Returns the facts that were true at valid_at, as believed at known_at; NULL: now. A fact that was to begin by then, unconfirmed, has the from_basis planned. With planned, it adds the facts planned at that time.';

CREATE FUNCTION annals.fact_history(group_id text, fact_id uuid) RETURNS SETOF annals.fact_versions
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT v.*
    FROM annals_internal.fact_versions_of(fact_history.group_id, ARRAY[fact_history.fact_id]) v
    ORDER BY lower(v.recorded);
END;
COMMENT ON FUNCTION annals.fact_history(text, uuid) IS
    'Returns every version of a fact, the oldest first, with the episodes that caused it.';

CREATE FUNCTION annals.entity_history(group_id text, entity_id uuid) RETURNS SETOF annals.entity_versions
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT v.*
    FROM annals.entity_versions v
    WHERE v.group_id = entity_history.group_id AND v.id = entity_history.entity_id
    ORDER BY lower(v.recorded);
END;
COMMENT ON FUNCTION annals.entity_history(text, uuid) IS
    'Returns every version of an entity, the oldest first, with the episodes that caused it.';

-- The starts and ends of the facts that are believed now. Expired facts are included:
-- readers exclude those of a group at once. Of the facts of one statement, the views
-- show the first. Both are read from an index, in order of time.
CREATE VIEW annals_internal.timeline_began WITH (security_invoker = true) AS
SELECT f.group_id, coalesce(lower(f.valid), '-infinity')::timestamptz AS at, annals_internal.begun_as(f.kind, f.valid, f.from_basis) AS event,
    f.id AS fact_id, f.told AS words, f.created_at AS recorded_at, f.statement_id, f.from_basis AS at_basis, f.from_precision AS at_precision
FROM annals.facts f
WHERE f.trust <> 'candidate' AND coalesce(lower(f.valid), '-infinity') > '-infinity'
    AND NOT EXISTS (SELECT FROM annals.facts g
        WHERE g.group_id = f.group_id AND g.statement_id = f.statement_id AND g.trust <> 'candidate' AND lower(g.valid) = lower(f.valid) AND g.id < f.id
            AND NOT annals_internal.has_expired(g.group_id, 'fact', g.id));
COMMENT ON VIEW annals_internal.timeline_began IS 'The starts of the facts that are believed now, including expired ones.';
COMMENT ON COLUMN annals_internal.timeline_began.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.timeline_began.at IS 'Time in the world.';
COMMENT ON COLUMN annals_internal.timeline_began.event IS 'Kind of event: began or happened; planned, if nobody confirmed it.';
COMMENT ON COLUMN annals_internal.timeline_began.fact_id IS 'The fact; the first of several from one statement.';
COMMENT ON COLUMN annals_internal.timeline_began.words IS 'The event in words.';
COMMENT ON COLUMN annals_internal.timeline_began.recorded_at IS 'Time it was recorded.';
COMMENT ON COLUMN annals_internal.timeline_began.statement_id IS 'Id of the statement, which its facts about several pairs of entities share.';
COMMENT ON COLUMN annals_internal.timeline_began.at_basis IS 'How that time is known.';
COMMENT ON COLUMN annals_internal.timeline_began.at_precision IS 'Precision of that time.';

CREATE VIEW annals_internal.timeline_ended WITH (security_invoker = true) AS
SELECT f.group_id, upper(f.valid)::timestamptz AS at, 'ended' AS event, f.id AS fact_id, 'No longer: ' || f.told AS words,
    coalesce(f.expired_at, f.created_at) AS recorded_at, f.statement_id, f.until_basis AS at_basis, f.until_precision AS at_precision
FROM annals.facts f
WHERE f.trust <> 'candidate' AND f.kind = 'state' AND NOT upper_inf(f.valid) AND NOT (f.from_basis = 'planned' AND f.until_basis = 'stated')
    AND NOT EXISTS (SELECT FROM annals.facts g
        WHERE g.group_id = f.group_id AND g.statement_id = f.statement_id AND g.trust <> 'candidate' AND upper(g.valid) = upper(f.valid) AND g.kind = 'state'
            AND g.id < f.id AND NOT annals_internal.has_expired(g.group_id, 'fact', g.id));
COMMENT ON VIEW annals_internal.timeline_ended IS 'The ends of the facts that are believed now, including expired ones.';
COMMENT ON COLUMN annals_internal.timeline_ended.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.timeline_ended.at IS 'Time in the world.';
COMMENT ON COLUMN annals_internal.timeline_ended.event IS 'Kind of event: always ended.';
COMMENT ON COLUMN annals_internal.timeline_ended.fact_id IS 'The fact; the first of several from one statement.';
COMMENT ON COLUMN annals_internal.timeline_ended.words IS 'The event in words.';
COMMENT ON COLUMN annals_internal.timeline_ended.recorded_at IS 'Time it was recorded.';
COMMENT ON COLUMN annals_internal.timeline_ended.statement_id IS 'Id of the statement, which its facts about several pairs of entities share.';
COMMENT ON COLUMN annals_internal.timeline_ended.at_basis IS 'How that time is known.';
COMMENT ON COLUMN annals_internal.timeline_ended.at_precision IS 'Precision of that time.';

CREATE VIEW annals.timeline WITH (security_invoker = true) AS
SELECT c.group_id, c.at::timestamptz AS at, c.event, c.fact_id, c.words, c.recorded_at, c.statement_id, c.at_basis, c.at_precision
FROM (SELECT * FROM annals_internal.timeline_began UNION ALL SELECT * FROM annals_internal.timeline_ended) c
WHERE NOT annals_internal.has_expired(c.group_id, 'fact', c.fact_id);
COMMENT ON VIEW annals.timeline IS 'The starts and ends of facts in order of time, in words, as believed now.';
COMMENT ON COLUMN annals.timeline.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.timeline.at IS 'Time in the world.';
COMMENT ON COLUMN annals.timeline.event IS 'Kind of event: began, ended or happened; planned, if nobody confirmed it.';
COMMENT ON COLUMN annals.timeline.fact_id IS 'The fact; the first of several from one statement.';
COMMENT ON COLUMN annals.timeline.words IS 'The event in words.';
COMMENT ON COLUMN annals.timeline.recorded_at IS 'Time it was recorded.';
COMMENT ON COLUMN annals.timeline.statement_id IS 'Id of the statement, which its facts about several pairs of entities share.';
COMMENT ON COLUMN annals.timeline.at_basis IS 'How that time is known. said: it held, or was over, by then; nobody told since when.';
COMMENT ON COLUMN annals.timeline.at_precision IS 'Precision of that time. week: the time is the first or last moment of that week.';

-- Returns the timeline as it was believed at a time.
CREATE FUNCTION annals.timeline_at(group_id text, known_at timestamptz DEFAULT NULL) RETURNS SETOF annals.timeline
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT DISTINCT ON (change.at, change.event, change.statement_id)
        timeline_at.group_id, change.at, change.event, change.fact_id, change.words, change.recorded_at, change.statement_id,
        change.at_basis, change.at_precision
    FROM (
        SELECT lower(f.valid) AS at, annals_internal.begun_as(f.kind, f.valid, f.from_basis) AS event, f.id AS fact_id, f.told AS words,
            f.created_at AS recorded_at, f.statement_id, f.from_basis AS at_basis, f.from_precision AS at_precision
        FROM annals.fact_versions f
        WHERE f.group_id = timeline_at.group_id AND f.recorded @> coalesce(timeline_at.known_at, 'infinity') AND NOT lower_inf(f.valid) AND f.trust <> 'candidate'
        UNION ALL
        SELECT upper(f.valid), 'ended', f.id, 'No longer: ' || f.told, coalesce(f.expired_at, f.created_at), f.statement_id,
            f.until_basis, f.until_precision
        FROM annals.fact_versions f
        WHERE f.group_id = timeline_at.group_id AND f.recorded @> coalesce(timeline_at.known_at, 'infinity') AND NOT upper_inf(f.valid) AND f.kind = 'state' AND f.trust <> 'candidate'
            AND NOT (f.from_basis = 'planned' AND f.until_basis = 'stated')
    ) change
    WHERE change.fact_id NOT IN (SELECT annals_internal.expired(timeline_at.group_id, 'fact', coalesce(timeline_at.known_at, now())))
    ORDER BY change.at, change.event, change.statement_id, change.fact_id;
END;
COMMENT ON FUNCTION annals.timeline_at(text, timestamptz) IS 'Returns the timeline as believed at known_at; NULL: as believed now.';

-- Tells whether the belief in a fact ended because it was no longer kept: it had expired,
-- or its episodes were past the group's retention.
CREATE FUNCTION annals_internal.fact_outlived(group_id text, fact_id uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN EXISTS (SELECT FROM annals_internal.undone u WHERE u.group_id = $1 AND u.undone_at = at AND u.outlived)
        OR EXISTS (SELECT FROM annals.edits d WHERE d.group_id = $1 AND d.subject_id = $2 AND d.edited_at = at AND d.action = 'sweep');
END
$$;
COMMENT ON FUNCTION annals_internal.fact_outlived(text, uuid, timestamptz) IS 'Tells whether the belief in a fact ended by expiry or retention.';

-- Compares the facts believed at two times.
CREATE FUNCTION annals.fact_changes(group_id text, from_at timestamptz, to_at timestamptz DEFAULT NULL) RETURNS TABLE (
    change text, id uuid, predicate text, source text, target text, fact text, told text, valid tstzrange,
    fact_before text, told_before text, valid_before tstzrange, changed_at timestamptz, caused_by uuid[]
)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH before AS (
        SELECT * FROM annals.facts_known(fact_changes.group_id, fact_changes.from_at) k WHERE NOT k.recorded @> coalesce(fact_changes.to_at, 'infinity')
    ), after AS (
        SELECT * FROM annals.facts_known(fact_changes.group_id, fact_changes.to_at) k WHERE NOT k.recorded @> fact_changes.from_at
    ), paired AS (
        SELECT CASE
                WHEN b.id IS NULL THEN 'added'
                WHEN a.id IS NULL AND annals_internal.fact_outlived(fact_changes.group_id, b.id, upper(b.recorded)) THEN 'expired'
                WHEN a.id IS NULL THEN 'withdrawn'
                WHEN (b.source_id, b.predicate, b.target_id, w.fact, w.told, b.attributes, lower(b.valid))
                    IS NOT DISTINCT FROM (a.source_id, a.predicate, a.target_id, a.fact, a.told, a.attributes, lower(a.valid))
                    AND a.kind = 'state' AND upper(a.valid) < coalesce(upper(b.valid), 'infinity') THEN 'ended'
                WHEN (b.source_id, b.predicate, b.target_id, w.fact, w.told, b.attributes, b.kind, b.valid)
                    IS DISTINCT FROM (a.source_id, a.predicate, a.target_id, a.fact, a.told, a.attributes, a.kind, a.valid) THEN 'changed'
            END AS change,
            coalesce(a.id, b.id) AS id, coalesce(a.predicate, b.predicate) AS predicate, coalesce(a.source, b.source) AS source,
            coalesce(a.target, b.target) AS target, a.fact, a.told, a.valid, b.fact AS fact_before,
            b.told AS told_before, b.valid AS valid_before,
            coalesce(lower(a.recorded), upper(b.recorded)) AS changed_at,
            CASE WHEN a.id IS NULL THEN b.ended_by ELSE a.caused_by END AS caused_by
        FROM before b
        FULL JOIN after a ON a.id = b.id
        CROSS JOIN LATERAL (SELECT -- the former words with the new names: renames are changes of entities
            replace(replace(b.fact, b.source, a.source), b.target, a.target) AS fact,
            replace(replace(b.told, b.source, a.source), b.target, a.target) AS told) w
    )
    SELECT p.change, p.id, p.predicate, p.source, p.target, p.fact, p.told, p.valid, p.fact_before, p.told_before, p.valid_before, p.changed_at, p.caused_by
    FROM paired p
    WHERE p.change IS NOT NULL
    ORDER BY p.changed_at, p.id;
END;
COMMENT ON FUNCTION annals.fact_changes(text, timestamptz, timestamptz) IS
    'Compares the facts believed at two times. Returns what was added, ended, changed, withdrawn, or expired (no longer kept).';

-- Compares the entities known at two times.
CREATE FUNCTION annals.entity_changes(group_id text, from_at timestamptz, to_at timestamptz DEFAULT NULL) RETURNS TABLE (
    change text, id uuid, name text, summary text, name_before text, summary_before text, merged_into uuid,
    changed_at timestamptz, caused_by uuid[]
)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH before AS (
        SELECT * FROM annals.entities_at(entity_changes.group_id, entity_changes.from_at) k WHERE NOT k.recorded @> coalesce(entity_changes.to_at, 'infinity')
    ), after AS (
        SELECT * FROM annals.entities_at(entity_changes.group_id, entity_changes.to_at) k WHERE NOT k.recorded @> entity_changes.from_at
    ), merge AS (
        SELECT m.id, m.merged_into FROM annals_internal.entity_merges m WHERE m.group_id = entity_changes.group_id
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
        LEFT JOIN merge m ON m.id = b.id
    )
    SELECT p.change, p.id, p.name, p.summary, p.name_before, p.summary_before, p.merged_into, p.changed_at, p.caused_by
    FROM paired p
    WHERE p.change IS NOT NULL
    ORDER BY p.changed_at, p.id;
END;
COMMENT ON FUNCTION annals.entity_changes(text, timestamptz, timestamptz) IS
    'Compares the entities known at two times. Returns what was added, renamed, changed, merged, removed, or got a new summary.';

CALL annals_internal.end_migration(3, 'history');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals.entity_changes, annals.fact_changes, annals_internal.fact_outlived, annals.timeline_at;
DROP VIEW annals.timeline, annals_internal.timeline_ended, annals_internal.timeline_began;
DROP FUNCTION annals_internal.begun_as;
DROP FUNCTION annals.entity_history, annals.fact_history, annals.facts_at, annals_internal.shown_at, annals_internal.states, annals_internal.fact_versions_of, annals_internal.current_facts_of, annals.facts_now, annals.facts_known,
    annals.communities_at, annals.entities_at;
DROP VIEW annals_internal.community_rows, annals.community_versions, annals.fact_versions, annals_internal.entity_rows, annals.entity_versions;
DROP FUNCTION annals_internal.name_at, annals_internal.former_name;
DROP TRIGGER trust ON annals.groups;
DROP TRIGGER trust ON annals.disputes;
DROP TRIGGER trust ON annals.fact_episodes;
DROP FUNCTION annals_internal.apply_trust_policy, annals_internal.keep_trust, annals_internal.update_trust, annals_internal.believed_without_expiring, annals_internal.fact_trust, annals_internal.fact_confirmed, annals_internal.hidden_mentions, annals_internal.hides_mentions, annals_internal.entity_shown, annals_internal.episode_shown, annals_internal.quarantined, annals_internal.episode_held, annals_internal.relation_held, annals_internal.edit_held, annals_internal.origin_held,
    annals_internal.last_decision, annals_internal.withholds_authority, annals_internal.withholds, annals_internal.fact_authority;
DROP TRIGGER corrected ON annals.facts;
DROP TRIGGER written_update ON annals.entities;
DROP TRIGGER written_insert ON annals.entities;
DROP TRIGGER edit ON annals.facts;
DROP TRIGGER edit ON annals.entities;
DROP TABLE annals.edits;
DROP FUNCTION annals_internal.refuse_rewriting, annals_internal.note_correction, annals_internal.keep_written, annals_internal.note_edit;
DROP TRIGGER history_delete ON annals.communities;
DROP TRIGGER history_update ON annals.communities;
DROP TRIGGER history_delete ON annals.facts;
DROP TRIGGER history_update ON annals.facts;
DROP TRIGGER history_delete ON annals.entities;
DROP TRIGGER history_update ON annals.entities;
DROP FUNCTION annals_internal.keep_history, annals_internal.note_end, annals_internal.version_end, annals_internal.community_evidence, annals_internal.fact_evidence, annals_internal.entity_evidence;
DROP TABLE annals_internal.communities_history, annals_internal.facts_history, annals_internal.entities_history;
DELETE FROM annals.migrations WHERE version = 3;
