-- Erasing by words: what repeats or names something erased, in texts that are of
-- something else.
--
-- +goose Up
-- +goose StatementBegin

SELECT annals.begin_migration(13);

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
    WHERE h.group_id = $1 AND h.id = $2 AND lower(h.recorded) < $3 ORDER BY h.version DESC LIMIT 1), '');
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

SELECT annals.end_migration(13, 'erase_words');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals.erase_naming, annals.erase_told, annals.ontology_unsaid, annals.erase_from_agents,
    annals.erase_agent_messages, annals.block_stood, annals.without_lines, annals.unsaid, annals.json_said, annals.names_any;
DELETE FROM annals.migrations WHERE version = 13;
