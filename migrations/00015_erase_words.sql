-- Erasing by words: removes repetitions and names of erased content from texts
-- about something else.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(15);

-- Tells whether a text contains any of the names. Each is folded and between two
-- spaces, so that only whole words match. Names of one letter are ignored: every
-- text has them.
CREATE FUNCTION annals_internal.contains_any_name(said text, words text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN EXISTS (
    SELECT FROM (SELECT ' ' || regexp_replace(annals_internal.name_key(said), '[^[:alnum:]]+', ' ', 'g') || ' ') f(folded), unnest(words) AS n(word)
    WHERE length(n.word) > 3 AND strpos(f.folded, n.word) > 0);
COMMENT ON FUNCTION annals_internal.contains_any_name(text, text[]) IS 'Tells whether a text contains any of the names, as whole words.';

-- Joins texts like concat_ws, but immutably. concat_ws takes any type, and not all
-- values have the same text on each server, so a cluster refuses it in updates.
CREATE FUNCTION annals_internal.join_texts(separator text, VARIADIC parts text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_string(parts, separator);
COMMENT ON FUNCTION annals_internal.join_texts(text, text[]) IS 'Joins texts; NULLs are skipped.';

-- Formats JSON so that words can be found in it: without escapes, and with spaces
-- for line breaks. Returns other text unchanged.
CREATE FUNCTION annals_internal.json_text(said text) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN regexp_replace(said::jsonb::text, '\\[bfnrt]', ' ', 'g');
EXCEPTION WHEN data_exception THEN
    RETURN said;
END
$$;
COMMENT ON FUNCTION annals_internal.json_text(text) IS 'Formats JSON without escapes and line breaks, so that words can be found in it.';

-- Returns the text of a run without the names of tools and arguments, which every run
-- has. The arguments of a call form one line.
CREATE FUNCTION annals_internal.run_text(run jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN annals_internal.join_texts(E'\n', run->>'task', run->>'error', (
    SELECT string_agg(annals_internal.join_texts(E'\n', s.step->>'action', (
            SELECT string_agg(replace(v.leaf #>> '{}', E'\n', ' '), ' ' ORDER BY v.place)
            FROM jsonb_path_query(s.step->'arguments', 'strict $.** ? (@.type() != "object" && @.type() != "array")') WITH ORDINALITY AS v(leaf, place)),
        s.step->>'result', s.step->>'error'), E'\n' ORDER BY s.place)
    FROM jsonb_array_elements(CASE jsonb_typeof(run->'steps') WHEN 'array' THEN run->'steps' END) WITH ORDINALITY AS s(step, place)));
COMMENT ON FUNCTION annals_internal.run_text(jsonb) IS 'Returns the text of a run, without the names of tools and arguments.';

-- Removes the lines of a text that repeat erased content: those with any of the
-- names, or with two of the terms (listing a term twice makes it suffice alone).
-- Lines that were in the earlier text `stood` are kept. If the rest still
-- contains a name, across lines, nothing is kept.
CREATE FUNCTION annals_internal.remove_repeating_lines(said text, stood text, words text[], terms text[], config regconfig) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE WHEN annals_internal.contains_any_name(k.kept, words) AND NOT annals_internal.contains_any_name(stood, words) THEN '' ELSE k.kept END
    FROM (
        SELECT coalesce(string_agg(l.line, E'\n' ORDER BY l.place), '')
        FROM string_to_table(said, E'\n') WITH ORDINALITY AS l(line, place)
        WHERE l.line = ANY (string_to_array(stood, E'\n')) OR NOT annals_internal.contains_any_name(l.line, words) AND (cardinality(terms) = 0 OR (
            SELECT count(*) FROM unnest(terms) AS t(term)
            WHERE t.term = ANY (tsvector_to_array(to_tsvector(config, annals_internal.segmented(l.line))))) < 2)
    ) k(kept);
END;
COMMENT ON FUNCTION annals_internal.remove_repeating_lines(text, text, text[], text[], regconfig) IS 'Removes the lines of a text that repeat erased content.';

CREATE FUNCTION annals_internal.remove_lines_naming(said text, words text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN annals_internal.remove_repeating_lines(said, '', words, '{}', 'pg_catalog.simple');
COMMENT ON FUNCTION annals_internal.remove_lines_naming(text, text[]) IS 'Removes the lines of a text that contain any of the names.';

-- Returns the text of a block before a time.
CREATE FUNCTION annals_internal.block_value_before(group_id text, block_id uuid, before timestamptz) RETURNS text
LANGUAGE sql STABLE
RETURN coalesce((SELECT h.value FROM annals_internal.blocks_history h
    WHERE h.group_id = block_value_before.group_id AND h.id = block_value_before.block_id AND lower(h.recorded) < block_value_before.before ORDER BY h.version DESC LIMIT 1), '');
COMMENT ON FUNCTION annals_internal.block_value_before(text, uuid, timestamptz) IS 'Returns the text of a block before a time.';

CREATE FUNCTION annals_internal.message_arguments(said text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN jsonb_build_object('message', said)::text;
COMMENT ON FUNCTION annals_internal.message_arguments(text) IS 'Formats the arguments of the call by which an agent sends a message to a user.';

-- Removes the messages of an agent that repeat erased content, each with its call
-- or result. A message to a user stays with its episode, but loses its thought
-- and arguments.
CREATE FUNCTION annals_internal.erase_agent_messages(
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
        CROSS JOIN LATERAL (SELECT concat_ws(E'\n', m.actor, m.content, m.thought, m.function, annals_internal.json_text(m.arguments), m.external_id)) t(said)
        LEFT JOIN annals.agent_steps s ON s.group_id = m.group_id AND s.agent_id = m.agent_id AND s.step = m.step
        WHERE m.group_id = erased AND m.agent_id = agent AND coalesce(s.finished_at, m.occurred_at) >= since
            AND annals_internal.remove_repeating_lines(t.said, '', words, terms, config) <> t.said);
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
    SET thought = annals_internal.remove_repeating_lines(m.thought, '', words, terms, config),
        content = CASE WHEN m.episode_id IS NULL THEN annals_internal.remove_repeating_lines(m.content, '', words, terms, config) ELSE m.content END,
        arguments = CASE WHEN m.arguments = '' THEN '' ELSE annals_internal.message_arguments(m.content) END,
        external_id = CASE WHEN annals_internal.contains_any_name(m.external_id, words) THEN NULL ELSE m.external_id END
    WHERE m.group_id = erased AND m.agent_id = agent AND m.seq = ANY (spoken);
    GET DIAGNOSTICS edited = ROW_COUNT;
    DELETE FROM annals.agent_messages m
    WHERE m.group_id = erased AND m.agent_id = agent AND m.seq = ANY (whole) AND m.seq <> ALL (spoken);
    GET DIAGNOSTICS removed = ROW_COUNT;
END
$$;
COMMENT ON FUNCTION annals_internal.erase_agent_messages(text, uuid, text[], text[], timestamptz, regconfig) IS
    'Removes the messages of an agent that repeat erased content.';

-- Removes repetitions of erased content from the thoughts, actions and texts of a
-- group's agents since a time; with -infinity, from their names and instructions
-- too. Messages by or to a user are episodes, and are erased with these. Each
-- agent counts a step, which discards any step under way that may have seen the
-- content. Returns the number of rows removed and edited by table.
CREATE FUNCTION annals_internal.erase_from_agents(erased text, words text[], terms text[], since timestamptz)
RETURNS TABLE (source text, removed bigint, edited bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    config regconfig := (SELECT g.text_search::regconfig FROM annals.groups g WHERE g.group_id = erased);
    ever boolean := since = '-infinity';
    block record;
BEGIN
    UPDATE annals.agents a SET steps = a.steps + 1 WHERE a.group_id = erased;
    UPDATE annals.agents a SET name = n.name, instructions = n.instructions, summary = n.summary
    FROM (
        SELECT b.id, CASE WHEN ever AND annals_internal.contains_any_name(b.name, words) THEN b.id::text ELSE b.name END AS name,
            CASE WHEN ever THEN annals_internal.remove_repeating_lines(b.instructions, '', words, terms, config) ELSE b.instructions END AS instructions,
            CASE WHEN (ever OR EXISTS (SELECT FROM annals.agent_steps s
                    WHERE s.group_id = b.group_id AND s.agent_id = b.id AND s.kind = 'eviction' AND s.finished_at >= since))
                AND annals_internal.remove_repeating_lines(b.summary, '', words, terms, config) <> b.summary THEN '' ELSE b.summary END AS summary
        FROM annals.agents b WHERE b.group_id = erased
    ) n
    WHERE a.group_id = erased AND a.id = n.id AND (a.name, a.instructions, a.summary) <> (n.name, n.instructions, n.summary);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'agents'; removed := 0; RETURN NEXT;
    UPDATE annals.agent_steps s SET note = ''
    WHERE s.group_id = erased AND s.finished_at >= since AND annals_internal.remove_repeating_lines(s.note, '', words, terms, config) <> s.note;
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'agent_steps'; RETURN NEXT;
    SELECT coalesce(sum(m.removed), 0), coalesce(sum(m.edited), 0) INTO removed, edited
    FROM annals.agents a
    CROSS JOIN LATERAL annals_internal.erase_agent_messages(erased, a.id, words, terms, since, config) m
    WHERE a.group_id = erased;
    source := 'agent_messages'; RETURN NEXT;

    edited := 0;
    FOR block IN
        SELECT c.id, CASE WHEN ever AND annals_internal.contains_any_name(c.label, words) THEN c.id::text ELSE c.label END AS label,
            CASE WHEN ever THEN annals_internal.remove_repeating_lines(c.description, '', words, terms, config) ELSE c.description END AS description,
            annals_internal.remove_repeating_lines(c.value, annals_internal.block_value_before(c.group_id, c.id, since), words, terms, config) AS value,
            CASE WHEN annals_internal.contains_any_name(c.edited_by, words) THEN '' ELSE c.edited_by END AS edited_by
        FROM annals.blocks c WHERE c.group_id = erased AND lower(c.recorded) >= since
    LOOP
        UPDATE annals.blocks b SET label = block.label, description = block.description, value = block.value, edited_by = block.edited_by
        WHERE b.group_id = erased AND b.id = block.id
            AND (b.label, b.description, b.value, b.edited_by) <> (block.label, block.description, block.value, block.edited_by);
        edited := edited + FOUND::integer;
    END LOOP;
    source := 'blocks'; removed := 0; RETURN NEXT;
    removed := 0;
    FOR block IN
        SELECT h.id, h.version FROM annals_internal.blocks_history h
        WHERE h.group_id = erased AND lower(h.recorded) >= since
            AND (annals_internal.remove_repeating_lines(h.value, annals_internal.block_value_before(h.group_id, h.id, since), words, terms, config) <> h.value
                OR annals_internal.contains_any_name(h.edited_by, words)
                OR ever AND annals_internal.contains_any_name(annals_internal.join_texts(' . ', h.label, h.description), words))
    LOOP
        DELETE FROM annals_internal.blocks_history h WHERE h.group_id = erased AND h.id = block.id AND h.version = block.version;
        removed := removed + 1;
    END LOOP;
    source := 'blocks_history'; edited := 0; RETURN NEXT;
END
$$;
COMMENT ON FUNCTION annals_internal.erase_from_agents(text, text[], text[], timestamptz) IS
    'Removes repetitions of erased content from the agents of a group, and returns the number of rows removed and edited by table.';

-- Removes the lines of instructions and the descriptions of types that contain
-- any of the names from an ontology. The types stay.
CREATE FUNCTION annals_internal.remove_from_ontology(ontology jsonb, words text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
    SELECT coalesce(jsonb_object_agg(p.key, p.kept) FILTER (WHERE p.kept <> '""'), '{}')
    FROM (
        SELECT e.key, CASE
            WHEN e.key = 'instructions' THEN to_jsonb(annals_internal.remove_lines_naming(e.value #>> '{}', words))
            WHEN e.key IN ('entity_types', 'fact_types') AND jsonb_typeof(e.value) = 'array' THEN (
                SELECT coalesce(jsonb_agg(CASE WHEN annals_internal.contains_any_name(t.type->>'description', words) THEN t.type - 'description' ELSE t.type END
                    ORDER BY t.place), '[]')
                FROM jsonb_array_elements(e.value) WITH ORDINALITY AS t(type, place))
            ELSE e.value
        END AS kept
        FROM jsonb_each(ontology) e
    ) p;
END;
COMMENT ON FUNCTION annals_internal.remove_from_ontology(jsonb, text[]) IS
    'Removes the lines of instructions and the descriptions of types that contain any of the names from an ontology.';

-- Removes the names of an erased entity from the application's texts about the
-- group: instructions, templates, batches, the user, and the group's own
-- description.
CREATE FUNCTION annals_internal.erase_name_from_settings(erased text, called text[]) RETURNS TABLE (source text, removed bigint, edited bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM annals_internal.instructions i
    WHERE i.group_id = erased AND (annals_internal.contains_any_name(i.name, called) OR annals_internal.remove_lines_naming(i.words, called) = '');
    GET DIAGNOSTICS removed = ROW_COUNT;
    UPDATE annals_internal.instructions i SET words = annals_internal.remove_lines_naming(i.words, called)
    WHERE i.group_id = erased AND annals_internal.contains_any_name(i.words, called);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'instructions'; RETURN NEXT;
    DELETE FROM annals_internal.templates t
    WHERE t.group_id = erased AND (annals_internal.contains_any_name(t.id, called) OR annals_internal.remove_lines_naming(t.template, called) = '');
    GET DIAGNOSTICS removed = ROW_COUNT;
    UPDATE annals_internal.templates t SET template = annals_internal.remove_lines_naming(t.template, called)
    WHERE t.group_id = erased AND annals_internal.contains_any_name(t.template, called);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'templates'; RETURN NEXT;
    -- An agent's open trace is a batch; without its metadata nobody would find its events.
    WITH traces AS (
        DELETE FROM annals_internal.batches b
        WHERE b.group_id = erased AND b.processed_at IS NULL AND b.metadata ? 'zep_trace' AND annals_internal.contains_any_name(annals_internal.json_text(b.metadata::text), called)
        RETURNING b.id
    ), events AS (
        DELETE FROM annals_internal.batch_items i USING traces t WHERE i.group_id = erased AND i.batch_id = t.id
    )
    SELECT count(*) INTO removed FROM traces;
    UPDATE annals_internal.batches b SET metadata = '{}'
    WHERE b.group_id = erased AND annals_internal.contains_any_name(annals_internal.json_text(b.metadata::text), called);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'batches'; RETURN NEXT;
    UPDATE annals.users u SET first_name = n.first_name, last_name = n.last_name, email = n.email, metadata = n.metadata
    FROM (
        SELECT p.group_id, CASE WHEN p.named THEN '' ELSE p.first_name END AS first_name, CASE WHEN p.named THEN '' ELSE p.last_name END AS last_name,
            CASE WHEN annals_internal.contains_any_name(p.email, called) THEN '' ELSE p.email END AS email,
            CASE WHEN annals_internal.contains_any_name(annals_internal.json_text(p.metadata::text), called) THEN '{}' ELSE p.metadata END AS metadata
        FROM (SELECT a.*, annals_internal.contains_any_name(annals_internal.join_texts(' ', a.first_name, a.last_name), called) AS named FROM annals.users a WHERE a.group_id = erased) p
    ) n
    WHERE u.group_id = erased AND n.group_id = u.group_id
        AND (u.first_name, u.last_name, u.email, u.metadata) <> (n.first_name, n.last_name, n.email, n.metadata);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'users'; RETURN NEXT;
    UPDATE annals.groups g
    SET name = CASE WHEN annals_internal.contains_any_name(g.name, called) THEN '' ELSE g.name END,
        description = annals_internal.remove_lines_naming(g.description, called), ontology = annals_internal.remove_from_ontology(g.ontology, called),
        hold_threads = ARRAY(SELECT h.thread FROM unnest(g.hold_threads) AS h(thread) WHERE NOT annals_internal.contains_any_name(h.thread, called)),
        hold_sources = ARRAY(SELECT h.source FROM unnest(g.hold_sources) AS h(source) WHERE NOT annals_internal.contains_any_name(h.source, called)),
        hold_relations = ARRAY(SELECT h.relation FROM unnest(g.hold_relations) AS h(relation) WHERE NOT annals_internal.contains_any_name(replace(h.relation, '_', ' '), called)),
        hold_roles = ARRAY(SELECT h.role FROM unnest(g.hold_roles) AS h(role) WHERE NOT annals_internal.contains_any_name(h.role, called)),
        hold_doors = ARRAY(SELECT h.door FROM unnest(g.hold_doors) AS h(door) WHERE NOT annals_internal.contains_any_name(h.door, called))
    WHERE g.group_id = erased AND (annals_internal.contains_any_name(annals_internal.join_texts(' . ', g.name, g.description, annals_internal.join_texts(' . ', VARIADIC g.hold_threads || g.hold_sources || g.hold_roles || g.hold_doors),
            replace(annals_internal.join_texts(' . ', VARIADIC g.hold_relations), '_', ' ')), called)
        OR annals_internal.remove_from_ontology(g.ontology, called) <> g.ontology);
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'groups'; RETURN NEXT;
END
$$;
COMMENT ON FUNCTION annals_internal.erase_name_from_settings(text, text[]) IS
    'Removes the names of an erased entity from the application''s texts about the group, and returns the number of rows removed and edited by table.';

-- Removes the names of an erased entity from the rest of its group. These are facts
-- and other entities, former versions, items of batches, threads, deliveries, and
-- the application's texts about the group. Rows about something else stay, without
-- the lines or fields that contain a name.
CREATE FUNCTION annals_internal.erase_name_from_group(erased text, called text[]) RETURNS TABLE (source text, removed bigint, edited bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    naming uuid[];
BEGIN
    edited := 0;
    DELETE FROM annals.rejections r
    WHERE r.group_id = erased AND annals_internal.contains_any_name(annals_internal.join_texts(' . ', VARIADIC r.fact || r.source_keys || r.target_keys), called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'rejections'; edited := 0; RETURN NEXT;
    SELECT array_agg(f.id) INTO naming FROM annals.facts f
    WHERE f.group_id = erased AND annals_internal.contains_any_name(annals_internal.join_texts(' . ', f.fact, f.told, annals_internal.json_text(f.attributes::text)), called);
    SELECT count(*) INTO removed FROM annals_internal.remove_rows(erased, 'fact', naming);
    source := 'facts'; RETURN NEXT;
    SELECT array_agg(e.id) INTO naming FROM annals.entities e
    WHERE e.group_id = erased AND annals_internal.contains_any_name(annals_internal.join_texts(' . ', VARIADIC e.aliases || e.name), called);
    SELECT count(*) INTO removed FROM annals_internal.remove_rows(erased, 'entity', naming);
    UPDATE annals.entities e
    SET summary = annals_internal.remove_lines_naming(e.summary, called), written = annals_internal.remove_lines_naming(e.written, called),
        attributes = CASE WHEN annals_internal.contains_any_name(annals_internal.json_text(e.attributes::text), called) THEN '{}' ELSE e.attributes END
    WHERE e.group_id = erased AND (annals_internal.contains_any_name(annals_internal.join_texts(' . ', e.summary, e.written), called) OR annals_internal.contains_any_name(annals_internal.json_text(e.attributes::text), called));
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'entities'; RETURN NEXT;
    edited := 0;
    DELETE FROM annals_internal.facts_history f
    WHERE f.group_id = erased AND annals_internal.contains_any_name(annals_internal.join_texts(' . ', f.fact, f.told, annals_internal.json_text(f.attributes::text)), called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'facts_history'; RETURN NEXT;
    DELETE FROM annals_internal.entities_history e
    WHERE e.group_id = erased AND annals_internal.contains_any_name(
        annals_internal.join_texts(' . ', annals_internal.join_texts(' . ', VARIADIC e.aliases || e.name), e.summary, annals_internal.json_text(e.attributes::text)), called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'entities_history'; RETURN NEXT;

    DELETE FROM annals_internal.batch_items i WHERE i.group_id = erased AND annals_internal.contains_any_name(annals_internal.json_text(i.item::text), called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'batch_items'; RETURN NEXT;
    DELETE FROM annals.threads t WHERE t.group_id = erased AND annals_internal.contains_any_name(t.id, called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    UPDATE annals.threads t
    SET metadata = CASE WHEN annals_internal.contains_any_name(annals_internal.json_text(t.metadata::text), called) THEN '{}' ELSE t.metadata END,
        summary = '', through_at = NULL, through_id = NULL
    WHERE t.group_id = erased AND (annals_internal.contains_any_name(t.summary, called) OR annals_internal.contains_any_name(annals_internal.json_text(t.metadata::text), called));
    GET DIAGNOSTICS edited = ROW_COUNT;
    source := 'threads'; RETURN NEXT;
    edited := 0;
    DELETE FROM annals.webhook_deliveries d
    WHERE d.group_id = erased AND annals_internal.contains_any_name(annals_internal.join_texts(' . ', annals_internal.json_text(d.payload), d.error), called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'webhook_deliveries'; RETURN NEXT;
    DELETE FROM annals.webhooks w WHERE w.group_id = erased AND annals_internal.contains_any_name(w.url, called);
    GET DIAGNOSTICS removed = ROW_COUNT;
    source := 'webhooks'; RETURN NEXT;
    RETURN QUERY SELECT * FROM annals_internal.erase_name_from_settings(erased, called);
END
$$;
COMMENT ON FUNCTION annals_internal.erase_name_from_group(text, text[]) IS
    'Removes the names of an erased entity from the rest of the group, and returns the number of rows removed and edited by table.';

CALL annals_internal.end_migration(15, 'erase_words');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals_internal.erase_name_from_group, annals_internal.erase_name_from_settings, annals_internal.remove_from_ontology, annals_internal.erase_from_agents, annals_internal.run_text,
    annals_internal.erase_agent_messages, annals_internal.message_arguments, annals_internal.block_value_before, annals_internal.remove_lines_naming, annals_internal.remove_repeating_lines, annals_internal.json_text, annals_internal.join_texts, annals_internal.contains_any_name;
DELETE FROM annals.migrations WHERE version = 15;
