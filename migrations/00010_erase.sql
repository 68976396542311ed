-- Undoing and erasing: what an episode was read as, what was erased and must
-- not come back, and the functions that remove every trace.
--
-- +goose Up
-- +goose StatementBegin

CALL annals.begin_migration(10);

-- What a reader found in an episode, before it was compared with the graph:
-- enough to work out its place in the graph again without reading it again.
CREATE TABLE annals.readings (
    group_id text NOT NULL,
    episode_id uuid NOT NULL,
    reader text NOT NULL, -- who read it, as provider:model
    reading jsonb NOT NULL,
    PRIMARY KEY (group_id, episode_id),
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
);
COMMENT ON TABLE annals.readings IS 'What was found in an episode before it was compared with the graph: it is placed anew from it when an earlier one is taken back.';
COMMENT ON COLUMN annals.readings.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.readings.episode_id IS 'The episode that was read.';
COMMENT ON COLUMN annals.readings.reader IS 'Who read it, as provider:model.';
COMMENT ON COLUMN annals.readings.reading IS 'The entities and facts that were found, as JSON.';

-- Episodes were taken back at a time. What was believed from since until then
-- rested on them; removed holds when each of them had come into the graph.
CREATE TABLE annals.undone (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    undone_at timestamptz NOT NULL,
    since timestamptz NOT NULL,
    removed timestamptz[] NOT NULL,
    PRIMARY KEY (group_id, undone_at)
);
COMMENT ON TABLE annals.undone IS 'Times at which episodes were taken back.';
COMMENT ON COLUMN annals.undone.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.undone.undone_at IS 'When they were taken back, on the recorded axis.';
COMMENT ON COLUMN annals.undone.since IS 'Since when the graph had rested on them.';
COMMENT ON COLUMN annals.undone.removed IS 'When each of them had come into the graph.';

-- How long a group keeps its episodes. NULL: without end.
CREATE TABLE annals.retention (
    group_id text PRIMARY KEY REFERENCES annals.groups ON DELETE CASCADE,
    max_age interval CHECK (max_age > '0'),
    max_episodes integer CHECK (max_episodes > 0),
    applied_at timestamptz
);
COMMENT ON TABLE annals.retention IS 'How long a group keeps its episodes. Workers apply it once a day, annals retention apply at once.';
COMMENT ON COLUMN annals.retention.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.retention.max_age IS 'The age that no episode may exceed; NULL: any.';
COMMENT ON COLUMN annals.retention.max_episodes IS 'How many episodes it keeps at most, the newest; NULL: all.';
COMMENT ON COLUMN annals.retention.applied_at IS 'When that was last enforced; NULL: never.';

-- Keyed hashes of what was erased and must not come back unasked: of an
-- episode's content and external id under its group, of a group under ''. The
-- key is the database's own, so that nobody can try out guesses on a copy of
-- this table.
CREATE TABLE annals.tombstones (
    group_id text NOT NULL,
    digest bytea NOT NULL,
    erased_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, digest)
);
COMMENT ON TABLE annals.tombstones IS 'Keyed hashes of what was erased, which is refused when it comes again.';
COMMENT ON COLUMN annals.tombstones.group_id IS 'The group the erased belonged to; empty: it was a whole group.';
COMMENT ON COLUMN annals.tombstones.digest IS 'HMAC-SHA-256 of it under the database''s own key.';
COMMENT ON COLUMN annals.tombstones.erased_at IS 'When it was erased.';

-- The key of HMAC-SHA-256 (RFC 2104), as its two padded halves.
DO $$
DECLARE
    secret bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
    inner_pad bytea := '';
    outer_pad bytea := '';
    part integer;
BEGIN
    FOR i IN 0..63 LOOP
        part := CASE WHEN i < 32 THEN get_byte(secret, i) ELSE 0 END;
        inner_pad := inner_pad || set_byte('\x00', 0, part # 54);
        outer_pad := outer_pad || set_byte('\x00', 0, part # 92);
    END LOOP;
    INSERT INTO annals.settings (group_id, name, value)
    VALUES ('', 'tombstone_key', jsonb_build_object('inner', encode(inner_pad, 'hex'), 'outer', encode(outer_pad, 'hex')));
END
$$;

-- What a tombstone holds of something erased. Content that differs in case,
-- accents or spacing only is the same.
CREATE FUNCTION annals.tombstone(group_id text, kind text, erased text) RETURNS bytea
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT sha256(decode(s.value->>'outer', 'hex') || sha256(decode(s.value->>'inner', 'hex') || convert_to(
        jsonb_build_array(tombstone.group_id, kind, CASE kind WHEN 'content' THEN annals.name_key(erased) ELSE erased END)::text, 'UTF8')))
    FROM annals.settings s WHERE s.group_id = '' AND s.name = 'tombstone_key';
END;
COMMENT ON FUNCTION annals.tombstone(text, text, text) IS
    'The keyed hash of something erased. Its kind is content, external_id or group.';

-- Refuses what was erased, whoever inserts it. SET LOCAL annals.take_back =
-- 'on' takes it all the same, and then the tombstone goes. It runs as the
-- owner: who may write need not be able to read tombstones or their key.
CREATE FUNCTION annals.refuse_erased() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    place text := CASE TG_ARGV[0] WHEN 'group' THEN '' ELSE NEW.group_id END;
    digests bytea[];
BEGIN
    PERFORM annals.check_tenant(NEW.group_id);
    IF NOT EXISTS (SELECT FROM annals.tombstones t WHERE t.group_id = place) THEN
        RETURN NEW;
    END IF;
    IF TG_ARGV[0] = 'group' THEN
        digests := ARRAY[annals.tombstone(NEW.group_id, 'group', '')];
    ELSE
        digests := ARRAY[annals.tombstone(NEW.group_id, 'content', NEW.content),
            annals.tombstone(NEW.group_id, 'external_id', NEW.external_id)];
    END IF;
    IF current_setting('annals.take_back', true) = 'on' THEN
        DELETE FROM annals.tombstones t WHERE t.group_id = place AND t.digest = ANY (digests);
    ELSIF EXISTS (SELECT FROM annals.tombstones t WHERE t.group_id = place AND t.digest = ANY (digests)) THEN
        RAISE EXCEPTION 'this % was erased and is not taken in again', TG_ARGV[0]
            USING ERRCODE = 'AN001', HINT = 'SET LOCAL annals.take_back = ''on'' in the same transaction takes it in all the same.';
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals.refuse_erased() IS 'Trigger: refuses what was erased, unless SET LOCAL annals.take_back = ''on''.';

CREATE TRIGGER refuse_erased BEFORE INSERT ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals.refuse_erased('episode');
CREATE TRIGGER refuse_erased BEFORE INSERT ON annals.groups
    FOR EACH ROW EXECUTE FUNCTION annals.refuse_erased('group');

-- Leaves a tombstone of something that is erased, and says which.
CREATE FUNCTION annals.bury(group_id text, kind text, erased text) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    made bytea;
BEGIN
    PERFORM annals.check_tenant(bury.group_id);
    made := annals.tombstone(bury.group_id, bury.kind, bury.erased);
    INSERT INTO annals.tombstones (group_id, digest)
    VALUES (CASE bury.kind WHEN 'group' THEN '' ELSE bury.group_id END, made)
    ON CONFLICT (group_id, digest) DO UPDATE SET erased_at = excluded.erased_at;
    RETURN made;
END
$$;
COMMENT ON FUNCTION annals.bury(text, text, text) IS
    'Leaves the tombstone of an erased episode''s content or external id, or of a group, and returns it';

CREATE FUNCTION annals.without(ids uuid[], gone uuid[]) RETURNS uuid[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT u.id FROM unnest(ids) WITH ORDINALITY AS u (id, place) WHERE u.id <> ALL (gone) ORDER BY u.place);
COMMENT ON FUNCTION annals.without(uuid[], uuid[]) IS 'The ids, in their order, that are not gone.';

-- An episode that goes is no cause any more of what stays, in the graph or in
-- its history. Versions are replaced, as tenants may not rewrite them.
CREATE FUNCTION annals.forget_causes() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    gone record;
    fact annals.facts_history;
    entity annals.entities_history;
BEGIN
    FOR gone IN
        SELECT o.group_id, array_agg(o.id) AS ids FROM old_rows o
        WHERE o.processed_at IS NOT NULL AND EXISTS (SELECT FROM annals.groups g WHERE g.group_id = o.group_id)
        GROUP BY o.group_id
    LOOP
        UPDATE annals.facts f SET caused_by = annals.without(f.caused_by, gone.ids)
        WHERE f.group_id = gone.group_id AND f.caused_by && gone.ids;
        UPDATE annals.entities e SET caused_by = annals.without(e.caused_by, gone.ids)
        WHERE e.group_id = gone.group_id AND e.caused_by && gone.ids;
        FOR fact IN
            DELETE FROM annals.facts_history h
            WHERE h.group_id = gone.group_id AND (h.caused_by && gone.ids OR h.ended_by && gone.ids) RETURNING h.*
        LOOP
            fact.caused_by := annals.without(fact.caused_by, gone.ids);
            fact.ended_by := annals.without(fact.ended_by, gone.ids);
            INSERT INTO annals.facts_history VALUES (fact.*);
        END LOOP;
        FOR entity IN
            DELETE FROM annals.entities_history h
            WHERE h.group_id = gone.group_id AND (h.caused_by && gone.ids OR h.ended_by && gone.ids) RETURNING h.*
        LOOP
            entity.caused_by := annals.without(entity.caused_by, gone.ids);
            entity.ended_by := annals.without(entity.ended_by, gone.ids);
            INSERT INTO annals.entities_history VALUES (entity.*);
        END LOOP;
    END LOOP;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals.forget_causes() IS 'Trigger: takes episodes that go out of caused_by and ended_by of what stays.';

CREATE TRIGGER causes_delete AFTER DELETE ON annals.episodes
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.forget_causes();

-- The tables of this schema that have a column.
CREATE FUNCTION annals.tables_with(wanted text) RETURNS SETOF name
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT c.relname
    FROM annals.relations() r
    JOIN pg_catalog.pg_class c ON c.relnamespace = 'annals'::regnamespace AND c.relname = r.name
    JOIN pg_catalog.pg_attribute w ON w.attrelid = c.oid AND w.attname = wanted AND NOT w.attisdropped
    WHERE NOT r.is_view
    ORDER BY c.relname;
END;
COMMENT ON FUNCTION annals.tables_with(text) IS 'The tables that hold rows of groups and have this column.';

-- Removes every row of a group from every table, and its vector indexes, whose
-- definitions name it. Says how many rows each table lost. It runs as the
-- owner, as nobody else may drop an index or write to the settings.
CREATE FUNCTION annals.erase_group(erased text) RETURNS TABLE (source text, removed bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    indexes text[] := ARRAY(SELECT v.index_name FROM annals.vector_indexes v WHERE v.group_id = erased);
BEGIN
    PERFORM annals.check_tenant(erased);
    FOR source IN SELECT annals.tables_with('group_id') LOOP
        EXECUTE format('SELECT count(*) FROM annals.%I WHERE group_id = $1', source) INTO removed USING erased;
        IF removed > 0 THEN
            RETURN NEXT;
        END IF;
    END LOOP;
    DELETE FROM annals.groups g WHERE g.group_id = erased;
    FOR source IN SELECT annals.tables_with('group_id') LOOP
        EXECUTE format('DELETE FROM annals.%I WHERE group_id = $1', source) USING erased;
    END LOOP;
    FOREACH source IN ARRAY indexes LOOP
        EXECUTE format('DROP INDEX IF EXISTS annals.%I', source);
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals.erase_group(text) IS
    'Removes every row and vector index of a group, and says how many rows each table lost. annals erase does more: it leaves a tombstone.';

-- Removes the rows of a group in every table that refer by a column to any of
-- the ids. Says how many rows each table lost.
CREATE FUNCTION annals.erase_references(erased_group text, reference text, ids uuid[]) RETURNS TABLE (source text, removed bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    FOR source IN SELECT annals.tables_with(reference) LOOP
        EXECUTE format('DELETE FROM annals.%I WHERE group_id = $1 AND %I = ANY ($2)', source, reference) USING erased_group, ids;
        GET DIAGNOSTICS removed = ROW_COUNT;
        IF removed > 0 THEN
            RETURN NEXT;
        END IF;
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals.erase_references(text, text, uuid[]) IS
    'Removes the rows of a group that refer by this column to any of the ids, and says how many each table lost.';

-- Whether a text names any of these: words between spaces, as erasing knows an
-- entity by. Names of one letter are in every text.
CREATE FUNCTION annals.names_any(said text, words text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN EXISTS (
    SELECT FROM (SELECT ' ' || regexp_replace(annals.name_key(said), '[^[:alnum:]]+', ' ', 'g') || ' ') f(folded), unnest(words) AS n(word)
    WHERE length(n.word) > 3 AND strpos(f.folded, n.word) > 0);
COMMENT ON FUNCTION annals.names_any(text, text[]) IS 'Whether a text names any of these: names as words between spaces.';

-- JSON as its words are found: characters are written as they are, and ends of
-- lines are spaces. What is no JSON stays.
CREATE FUNCTION annals.json_said(said text) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN regexp_replace(said::jsonb::text, '\\[bfnrt]', ' ', 'g');
EXCEPTION WHEN data_exception THEN
    RETURN said;
END
$$;
COMMENT ON FUNCTION annals.json_said(text) IS
    'JSON with its characters written as they are and without ends of lines, to look for words in.';

-- A text without the lines that repeat what is erased: those that name any of
-- the words, or have two of the terms; a term that stands twice among them
-- suffices. Lines of a text that stood before stay. Where what is left still
-- names it, across lines, nothing is left.
CREATE FUNCTION annals.unsaid(said text, stood text, words text[], terms text[], config regconfig) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE WHEN annals.names_any(k.kept, words) AND NOT annals.names_any(stood, words) THEN '' ELSE k.kept END
    FROM (
        SELECT coalesce(string_agg(l.line, E'\n' ORDER BY l.place), '')
        FROM string_to_table(said, E'\n') WITH ORDINALITY AS l(line, place)
        WHERE l.line = ANY (string_to_array(stood, E'\n')) OR NOT annals.names_any(l.line, words) AND (cardinality(terms) = 0 OR (
            SELECT count(*) FROM unnest(terms) AS t(term)
            WHERE t.term = ANY (tsvector_to_array(to_tsvector(config, annals.segmented(l.line))))) < 2)
    ) k(kept);
END;
COMMENT ON FUNCTION annals.unsaid(text, text, text[], text[], regconfig) IS
    'A text without the lines that repeat what is erased.';

CREATE FUNCTION annals.without_lines(said text, words text[]) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN annals.unsaid(said, '', words, '{}', 'pg_catalog.simple');
COMMENT ON FUNCTION annals.without_lines(text, text[]) IS 'A text without the lines that name any of the words.';

-- What a block said before a time.
CREATE FUNCTION annals.block_stood(group_id text, block_id uuid, before timestamptz) RETURNS text
LANGUAGE sql STABLE
RETURN coalesce((SELECT h.value FROM annals.blocks_history h
    WHERE h.group_id = block_stood.group_id AND h.id = block_stood.block_id AND lower(h.recorded) < block_stood.before ORDER BY h.version DESC LIMIT 1), '');
COMMENT ON FUNCTION annals.block_stood(text, uuid, timestamptz) IS 'What a block said before a time.';

-- Removes an agent's messages that repeat what is erased, each with the call or
-- result that it belongs to. What spoke to a user stays with its episode,
-- without what else was said with it.
CREATE FUNCTION annals.erase_agent_messages(
    erased text, agent uuid, words text[], terms text[], since timestamptz, config regconfig, OUT removed bigint, OUT edited bigint
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    told bigint[];
    whole bigint[];
    spoken bigint[];
BEGIN
    told := ARRAY(
        SELECT m.seq
        FROM annals.agent_messages m
        CROSS JOIN LATERAL (SELECT concat_ws(E'\n', m.actor, m.content, m.thought, m.function, annals.json_said(m.arguments), m.external_id)) t(said)
        LEFT JOIN annals.agent_steps s ON s.group_id = m.group_id AND s.agent_id = m.agent_id AND s.step = m.step
        WHERE m.group_id = erased AND m.agent_id = agent AND coalesce(s.finished_at, m.occurred_at) >= since
            AND annals.unsaid(t.said, '', words, terms, config) <> t.said);
    whole := ARRAY(
        SELECT DISTINCT p.seq
        FROM annals.agent_messages m
        JOIN annals.agent_messages p ON p.group_id = m.group_id AND p.agent_id = m.agent_id
            AND (p.seq = m.seq OR m.call_id <> '' AND (p.step, p.call_id) = (m.step, m.call_id))
        WHERE m.group_id = erased AND m.agent_id = agent AND m.seq = ANY (told));
    spoken := ARRAY(
        SELECT p.seq
        FROM annals.agent_messages p
        WHERE p.group_id = erased AND p.agent_id = agent AND p.seq = ANY (whole) AND (p.episode_id IS NOT NULL
            OR EXISTS (SELECT FROM annals.agent_messages c
                WHERE c.group_id = erased AND c.agent_id = agent AND (c.step, c.call_id) = (p.step, p.call_id)
                    AND p.call_id <> '' AND c.episode_id IS NOT NULL)));
    UPDATE annals.agent_messages m
    SET thought = annals.unsaid(m.thought, '', words, terms, config),
        content = CASE WHEN m.episode_id IS NULL THEN annals.unsaid(m.content, '', words, terms, config) ELSE m.content END,
        arguments = CASE WHEN m.arguments = '' THEN '' ELSE jsonb_build_object('message', m.content)::text END,
        external_id = CASE WHEN annals.names_any(m.external_id, words) THEN NULL ELSE m.external_id END
    WHERE m.group_id = erased AND m.agent_id = agent AND m.seq = ANY (spoken);
    GET DIAGNOSTICS edited = ROW_COUNT;
    DELETE FROM annals.agent_messages m
    WHERE m.group_id = erased AND m.agent_id = agent AND m.seq = ANY (whole) AND m.seq <> ALL (spoken);
    GET DIAGNOSTICS removed = ROW_COUNT;
END
$$;
COMMENT ON FUNCTION annals.erase_agent_messages(text, uuid, text[], text[], timestamptz, regconfig) IS
    'Removes an agent''s messages that repeat what is erased.';

-- Removes from the agents of a group what they said to themselves, did, and
-- wrote down from a time on, where it repeats what is erased; with a time
-- without beginning also what they were told and are called. What was said by
-- or to a user is an episode, and goes with that. Each agent counts a step, so
-- that one that is being taken with the erased in view comes to nothing. Says
-- how many rows each table lost, and how many are left without it.
CREATE FUNCTION annals.erase_from_agents(erased text, words text[], terms text[], since timestamptz)
RETURNS TABLE (source text, removed bigint, edited bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    config regconfig := (SELECT g.text_search FROM annals.groups g WHERE g.group_id = erased);
    ever boolean := since = '-infinity';
BEGIN
    UPDATE annals.agents a SET steps = a.steps + 1 WHERE a.group_id = erased;
    UPDATE annals.agents a SET name = n.name, instructions = n.instructions, summary = n.summary
    FROM (
        SELECT b.id, CASE WHEN ever AND annals.names_any(b.name, words) THEN b.id::text ELSE b.name END AS name,
            CASE WHEN ever THEN annals.unsaid(b.instructions, '', words, terms, config) ELSE b.instructions END AS instructions,
            CASE WHEN (ever OR EXISTS (SELECT FROM annals.agent_steps s
                    WHERE s.group_id = b.group_id AND s.agent_id = b.id AND s.kind = 'eviction' AND s.finished_at >= since))
                AND annals.unsaid(b.summary, '', words, terms, config) <> b.summary THEN '' ELSE b.summary END AS summary
        FROM annals.agents b WHERE b.group_id = erased
    ) n
    WHERE a.group_id = erased AND a.id = n.id AND (a.name, a.instructions, a.summary) <> (n.name, n.instructions, n.summary);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'agents'; removed := 0; RETURN NEXT;
    UPDATE annals.agent_steps s SET note = ''
    WHERE s.group_id = erased AND s.finished_at >= since AND annals.unsaid(s.note, '', words, terms, config) <> s.note;
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'agent_steps'; RETURN NEXT;
    SELECT coalesce(sum(m.removed), 0), coalesce(sum(m.edited), 0) INTO removed, edited
    FROM annals.agents a
    CROSS JOIN LATERAL annals.erase_agent_messages(erased, a.id, words, terms, since, config) m
    WHERE a.group_id = erased;
    source := 'agent_messages'; RETURN NEXT;

    UPDATE annals.blocks b SET label = n.label, description = n.description, value = n.value, edited_by = n.edited_by
    FROM (
        SELECT c.id, CASE WHEN ever AND annals.names_any(c.label, words) THEN c.id::text ELSE c.label END AS label,
            CASE WHEN ever THEN annals.unsaid(c.description, '', words, terms, config) ELSE c.description END AS description,
            annals.unsaid(c.value, annals.block_stood(c.group_id, c.id, since), words, terms, config) AS value,
            CASE WHEN annals.names_any(c.edited_by, words) THEN '' ELSE c.edited_by END AS edited_by
        FROM annals.blocks c WHERE c.group_id = erased AND lower(c.recorded) >= since
    ) n
    WHERE b.group_id = erased AND b.id = n.id
        AND (b.label, b.description, b.value, b.edited_by) <> (n.label, n.description, n.value, n.edited_by);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'blocks'; removed := 0; RETURN NEXT;
    DELETE FROM annals.blocks_history h
    WHERE h.group_id = erased AND lower(h.recorded) >= since
        AND (annals.unsaid(h.value, annals.block_stood(h.group_id, h.id, since), words, terms, config) <> h.value
            OR annals.names_any(h.edited_by, words)
            OR ever AND annals.names_any(concat_ws(' . ', h.label, h.description), words));
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'blocks_history'; edited := 0; RETURN NEXT;
END
$$;
COMMENT ON FUNCTION annals.erase_from_agents(text, text[], text[], timestamptz) IS
    'Removes from the agents of a group what repeats what is erased; says how many rows each table lost, and how many were edited.';

-- An ontology without the lines of its instructions, and without the
-- descriptions of types, that name any of the words. The types stay.
CREATE FUNCTION annals.ontology_unsaid(ontology jsonb, words text[]) RETURNS jsonb
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT coalesce(jsonb_object_agg(p.key, p.kept) FILTER (WHERE p.kept <> '""'), '{}')
    FROM (
        SELECT e.key, CASE
            WHEN e.key = 'instructions' THEN to_jsonb(annals.without_lines(e.value #>> '{}', words))
            WHEN e.key IN ('entity_types', 'fact_types') AND jsonb_typeof(e.value) = 'array' THEN (
                SELECT coalesce(jsonb_agg(CASE WHEN annals.names_any(t.type->>'description', words) THEN t.type - 'description' ELSE t.type END
                    ORDER BY t.place), '[]')
                FROM jsonb_array_elements(e.value) WITH ORDINALITY AS t(type, place))
            ELSE e.value
        END AS kept
        FROM jsonb_each(ontology) e
    ) p;
END;
COMMENT ON FUNCTION annals.ontology_unsaid(jsonb, text[]) IS
    'An ontology without what in its instructions and descriptions names any of the words.';

-- The part of it that an application says of the group itself.
CREATE FUNCTION annals.erase_told(erased text, called text[]) RETURNS TABLE (source text, removed bigint, edited bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM annals.instructions i
    WHERE i.group_id = erased AND (annals.names_any(i.name, called) OR annals.without_lines(i.words, called) = '');
    GET DIAGNOSTICS removed = ROW_COUNT;
    UPDATE annals.instructions i SET words = annals.without_lines(i.words, called)
    WHERE i.group_id = erased AND annals.names_any(i.words, called);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'instructions'; RETURN NEXT;
    DELETE FROM annals.templates t
    WHERE t.group_id = erased AND (annals.names_any(t.id, called) OR annals.without_lines(t.template, called) = '');
    GET DIAGNOSTICS removed = ROW_COUNT;
    UPDATE annals.templates t SET template = annals.without_lines(t.template, called)
    WHERE t.group_id = erased AND annals.names_any(t.template, called);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'templates'; RETURN NEXT;
    UPDATE annals.batches b SET metadata = '{}'
    WHERE b.group_id = erased AND annals.names_any(annals.json_said(b.metadata::text), called);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'batches'; removed := 0; RETURN NEXT;
    UPDATE annals.users u SET first_name = n.first_name, last_name = n.last_name, email = n.email, metadata = n.metadata
    FROM (
        SELECT p.group_id, CASE WHEN p.named THEN '' ELSE p.first_name END AS first_name, CASE WHEN p.named THEN '' ELSE p.last_name END AS last_name,
            CASE WHEN annals.names_any(p.email, called) THEN '' ELSE p.email END AS email,
            CASE WHEN annals.names_any(annals.json_said(p.metadata::text), called) THEN '{}' ELSE p.metadata END AS metadata
        FROM (SELECT a.*, annals.names_any(concat_ws(' ', a.first_name, a.last_name), called) AS named FROM annals.users a WHERE a.group_id = erased) p
    ) n
    WHERE u.group_id = erased AND n.group_id = u.group_id
        AND (u.first_name, u.last_name, u.email, u.metadata) <> (n.first_name, n.last_name, n.email, n.metadata);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'users'; RETURN NEXT;
    UPDATE annals.groups g
    SET name = CASE WHEN annals.names_any(g.name, called) THEN '' ELSE g.name END,
        description = annals.without_lines(g.description, called), ontology = annals.ontology_unsaid(g.ontology, called)
    WHERE g.group_id = erased AND (annals.names_any(concat_ws(' . ', g.name, g.description), called)
        OR annals.ontology_unsaid(g.ontology, called) <> g.ontology);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'groups'; RETURN NEXT;
END
$$;
COMMENT ON FUNCTION annals.erase_told(text, text[]) IS
    'Removes what names an erased entity in what an application says of the group.';

-- Removes what names an entity and is neither it nor an episode: what else of
-- the graph speaks of it, items that wait in batches, conversations that are
-- called so, deliveries, and what the application says of the group. Rows that
-- are of something else stay, without the lines or fields that name it.
CREATE FUNCTION annals.erase_naming(erased text, called text[]) RETURNS TABLE (source text, removed bigint, edited bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    edited := 0;
    DELETE FROM annals.facts f
    WHERE f.group_id = erased AND annals.names_any(concat_ws(' . ', f.fact, annals.json_said(f.attributes::text)), called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'facts'; RETURN NEXT;
    DELETE FROM annals.entities e
    WHERE e.group_id = erased AND annals.names_any(array_to_string(e.aliases || e.name, ' . '), called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    UPDATE annals.entities e
    SET summary = annals.without_lines(e.summary, called),
        attributes = CASE WHEN annals.names_any(annals.json_said(e.attributes::text), called) THEN '{}' ELSE e.attributes END
    WHERE e.group_id = erased AND (annals.names_any(e.summary, called) OR annals.names_any(annals.json_said(e.attributes::text), called));
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'entities'; RETURN NEXT;
    edited := 0;
    DELETE FROM annals.facts_history f
    WHERE f.group_id = erased AND annals.names_any(concat_ws(' . ', f.fact, annals.json_said(f.attributes::text)), called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'facts_history'; RETURN NEXT;
    DELETE FROM annals.entities_history e
    WHERE e.group_id = erased AND annals.names_any(
        concat_ws(' . ', array_to_string(e.aliases || e.name, ' . '), e.summary, annals.json_said(e.attributes::text)), called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'entities_history'; RETURN NEXT;

    DELETE FROM annals.batch_items i WHERE i.group_id = erased AND annals.names_any(annals.json_said(i.item::text), called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'batch_items'; RETURN NEXT;
    DELETE FROM annals.threads t WHERE t.group_id = erased AND annals.names_any(t.id, called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    UPDATE annals.threads t
    SET metadata = CASE WHEN annals.names_any(annals.json_said(t.metadata::text), called) THEN '{}' ELSE t.metadata END,
        summary = '', through_at = NULL, through_id = NULL
    WHERE t.group_id = erased AND (annals.names_any(t.summary, called) OR annals.names_any(annals.json_said(t.metadata::text), called));
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'threads'; RETURN NEXT;
    edited := 0;
    DELETE FROM annals.webhook_deliveries d
    WHERE d.group_id = erased AND annals.names_any(concat_ws(' . ', annals.json_said(d.payload), d.error), called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'webhook_deliveries'; RETURN NEXT;
    DELETE FROM annals.webhooks w WHERE w.group_id = erased AND annals.names_any(w.url, called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'webhooks'; RETURN NEXT;
    RETURN QUERY SELECT * FROM annals.erase_told(erased, called);
END
$$;
COMMENT ON FUNCTION annals.erase_naming(text, text[]) IS
    'Removes what names an erased entity; says how many rows each table lost, and how many were edited.';

REVOKE EXECUTE ON FUNCTION annals.tombstone(text, text, text), annals.refuse_erased(), annals.bury(text, text, text),
    annals.erase_group(text) FROM PUBLIC;

DO $$
BEGIN
    PERFORM annals.make_tenant_role();
    PERFORM annals.protect_tenants();
END
$$;

CALL annals.end_migration(10, 'erase');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals.erase_naming, annals.erase_told, annals.ontology_unsaid, annals.erase_from_agents,
    annals.erase_agent_messages, annals.block_stood, annals.without_lines, annals.unsaid, annals.json_said, annals.names_any,
    annals.erase_references, annals.erase_group, annals.tables_with;
DROP TRIGGER causes_delete ON annals.episodes;
DROP FUNCTION annals.forget_causes, annals.without, annals.bury;
DROP TRIGGER refuse_erased ON annals.groups;
DROP TRIGGER refuse_erased ON annals.episodes;
DROP FUNCTION annals.refuse_erased, annals.tombstone;
DROP TABLE annals.tombstones, annals.retention, annals.undone, annals.readings;
DELETE FROM annals.migrations WHERE version = 10;
