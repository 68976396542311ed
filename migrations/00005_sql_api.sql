-- SQL for programs in any language: taking an episode in, and what a group
-- attends to. What was known when stands in the migration history.
--
-- +goose Up
-- +goose StatementBegin

CALL annals.begin_migration(5);

-- Every mention of an entity by an episode.
CREATE VIEW annals.memory_stream WITH (security_invoker = true) AS
SELECT m.group_id, p.occurred_at, p.created_at, m.episode_id, p.source, p.thread_id, p.actor, p.role, m.entity_id,
    e.name AS entity, e.labels, p.content
FROM annals.mentions m
JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
JOIN annals.entities e ON e.group_id = m.group_id AND e.id = m.entity_id;
COMMENT ON VIEW annals.memory_stream IS 'Every mention of an entity by an episode, with what was said.';
COMMENT ON COLUMN annals.memory_stream.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.memory_stream.occurred_at IS 'When it was said.';
COMMENT ON COLUMN annals.memory_stream.created_at IS 'When it was taken in.';
COMMENT ON COLUMN annals.memory_stream.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.memory_stream.source IS 'The form it came in: message, text or json.';
COMMENT ON COLUMN annals.memory_stream.thread_id IS 'The conversation it belongs to; may be empty.';
COMMENT ON COLUMN annals.memory_stream.actor IS 'Who said it; may be empty.';
COMMENT ON COLUMN annals.memory_stream.role IS 'user, assistant …; may be empty.';
COMMENT ON COLUMN annals.memory_stream.entity_id IS 'The entity.';
COMMENT ON COLUMN annals.memory_stream.entity IS 'What the entity is called.';
COMMENT ON COLUMN annals.memory_stream.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.memory_stream.content IS 'What was said.';

-- What a mention weighs at a time. What is said later than that weighs 1.
CREATE FUNCTION annals.decayed(said_at timestamptz, half_life interval, at timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN at <= said_at THEN 1
    ELSE 0.5::double precision ^ least(date_part('epoch', at - said_at) / date_part('epoch', half_life), 1000) END;
COMMENT ON FUNCTION annals.decayed(timestamptz, interval, timestamptz) IS
    'What a mention weighs at a time: half as much a half-life later.';

-- How much is known of each entity, and since when.
CREATE VIEW annals.entity_knowledge WITH (security_invoker = true) AS
SELECT e.group_id, e.id AS entity_id, e.name, e.labels, coalesce(s.mentions, 0) AS mentions, s.first_mentioned_at, s.last_mentioned_at,
    coalesce(f.facts, 0) AS facts, coalesce(f.holding, 0) AS facts_holding, lower(e.recorded) AS changed_at, e.summary,
    coalesce(s.salience, 0) AS salience
FROM annals.entities e
LEFT JOIN (
    SELECT m.group_id, m.entity_id, count(*) AS mentions, min(p.occurred_at) AS first_mentioned_at,
        max(p.occurred_at) AS last_mentioned_at,
        sum(annals.decayed(p.occurred_at, interval '30 days', now())) AS salience
    FROM annals.mentions m
    JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
    GROUP BY m.group_id, m.entity_id
) s ON s.group_id = e.group_id AND s.entity_id = e.id
LEFT JOIN (
    SELECT o.group_id, o.entity_id, count(*) AS facts, count(*) FILTER (WHERE o.valid @> now()) AS holding
    FROM (
        SELECT a.group_id, a.source_id AS entity_id, a.valid FROM annals.facts a
        UNION ALL
        SELECT a.group_id, a.target_id, a.valid FROM annals.facts a
    ) o
    GROUP BY o.group_id, o.entity_id
) f ON f.group_id = e.group_id AND f.entity_id = e.id;
COMMENT ON VIEW annals.entity_knowledge IS 'How much is known of each entity, and since when.';
COMMENT ON COLUMN annals.entity_knowledge.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entity_knowledge.entity_id IS 'The entity.';
COMMENT ON COLUMN annals.entity_knowledge.name IS 'What it is called.';
COMMENT ON COLUMN annals.entity_knowledge.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.entity_knowledge.mentions IS 'How many episodes mention it.';
COMMENT ON COLUMN annals.entity_knowledge.first_mentioned_at IS 'When the earliest of these was said.';
COMMENT ON COLUMN annals.entity_knowledge.last_mentioned_at IS 'When the latest of these was said.';
COMMENT ON COLUMN annals.entity_knowledge.facts IS 'How many facts it has, of all times.';
COMMENT ON COLUMN annals.entity_knowledge.facts_holding IS 'How many of these hold now.';
COMMENT ON COLUMN annals.entity_knowledge.changed_at IS 'Since when it has been known as it is.';
COMMENT ON COLUMN annals.entity_knowledge.summary IS 'What is known of it, in a few sentences.';
COMMENT ON COLUMN annals.entity_knowledge.salience IS 'How much it is spoken of: its mentions, each of which weighs half as much every 30 days.';

-- The entities of a group by how much they were spoken of until a time, the
-- most first.
CREATE FUNCTION annals.salient_entities(group_id text, half_life interval DEFAULT '30 days', at timestamptz DEFAULT NULL, max_rows integer DEFAULT 20)
RETURNS TABLE (entity_id uuid, name text, mentions bigint, last_mentioned_at timestamptz, salience double precision)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT e.id, e.name, count(*), max(p.occurred_at), sum(annals.decayed(p.occurred_at, half_life, coalesce(at, now()))) AS salience
    FROM annals.mentions m
    JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
    JOIN annals.entities e ON e.group_id = m.group_id AND e.id = m.entity_id
    WHERE m.group_id = salient_entities.group_id AND p.occurred_at <= coalesce(at, now())
    GROUP BY e.id, e.name
    ORDER BY salience DESC, e.name, e.id
    LIMIT max_rows;
END;
COMMENT ON FUNCTION annals.salient_entities(text, interval, timestamptz, integer) IS
    'The entities by how much they were spoken of until a time, the most first: mentions weigh half as much a half-life later.';

-- An id in the order of time (RFC 9562, UUIDv7). The bits after the
-- milliseconds are those of the engine's ids, so that both sort together.
CREATE FUNCTION annals.new_id() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
BEGIN ATOMIC
    SELECT (lpad(to_hex(t.micros / 1000), 12, '0') || '7' || lpad(to_hex(((t.micros % 1000) * 1000) >> 8), 3, '0')
        || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros) t;
END;
COMMENT ON FUNCTION annals.new_id() IS 'A UUIDv7, in the order of time.';

-- Refuses what the library refuses, in the same words.
CREATE FUNCTION annals.check_text(field text, value text, max_bytes integer) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF octet_length(value) > max_bytes THEN
        RAISE EXCEPTION '%: is % bytes long; the limit is %', field, octet_length(value), max_bytes
            USING ERRCODE = 'invalid_parameter_value', COLUMN = field;
    END IF;
END
$$;
COMMENT ON FUNCTION annals.check_text(text, text, integer) IS 'Refuses a text that is too long.';

CREATE FUNCTION annals.check_episode(
    group_id text, content text, occurred_at timestamptz, source text, metadata jsonb, previous integer
) RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    field text;
    message text;
BEGIN
    PERFORM annals.check_text('group', group_id, 200), annals.check_text('content', content, 1048576),
        annals.check_text('metadata', metadata::text, 65536);
    CASE
        WHEN coalesce(group_id, '') = '' THEN
            field := 'group'; message := 'is empty; name the group the memory belongs to';
        WHEN group_id COLLATE "und-x-icu" !~ '^[[:alnum:]_.:@+-]+$' THEN
            field := 'group'; message := format('"%s" may hold only letters, digits and _ - . : @ +', group_id);
        WHEN NOT source IN ('message', 'text', 'json') THEN
            field := 'source'; message := format('"%s" is not one of message, text, json', source);
        WHEN coalesce(content, '') COLLATE "und-x-icu" !~ '\S' THEN
            field := 'content'; message := 'is empty';
        WHEN jsonb_typeof(metadata) <> 'object' THEN
            field := 'metadata'; message := 'is not a JSON object';
        WHEN NOT previous BETWEEN 0 AND 100 THEN
            field := 'previous'; message := format('is %s; it must be 0 to 100', previous);
        WHEN NOT (occurred_at >= '0001-01-01 UTC' AND occurred_at < '10000-01-01 UTC') THEN
            field := 'occurred_at'; message := format('is %s; years 1 to 9999 can be stored', occurred_at);
        ELSE
            RETURN;
    END CASE;
    RAISE EXCEPTION '%: %', field, message USING ERRCODE = 'invalid_parameter_value', COLUMN = field;
END
$$;
COMMENT ON FUNCTION annals.check_episode(text, text, timestamptz, text, jsonb, integer) IS
    'Refuses an episode that the library would refuse.';

CREATE FUNCTION annals.add_episode(
    group_id text, content text, occurred_at timestamptz DEFAULT now(), source text DEFAULT 'message', actor text DEFAULT '',
    role text DEFAULT '', thread_id text DEFAULT '', external_id text DEFAULT NULL, name text DEFAULT '',
    source_description text DEFAULT '', metadata jsonb DEFAULT '{}', previous integer DEFAULT NULL, deferred boolean DEFAULT false
) RETURNS uuid
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    episode uuid;
    kind text := coalesce(source, 'message');
BEGIN
    PERFORM annals.check_episode(group_id, content, occurred_at, kind, metadata, previous),
        annals.check_text('actor', actor, 512), annals.check_text('role', role, 512), annals.check_text('name', name, 512),
        annals.check_text('source_description', source_description, 512), annals.check_text('thread_id', thread_id, 512),
        annals.check_text('external_id', external_id, 512);
    IF kind = 'json' THEN
        BEGIN
            PERFORM content::json;
        EXCEPTION WHEN data_exception THEN
            RAISE EXCEPTION 'content: is not valid JSON although source is json'
                USING ERRCODE = 'invalid_parameter_value', COLUMN = 'content';
        END;
    END IF;
    INSERT INTO annals.groups AS g (group_id) VALUES (group_id) ON CONFLICT DO NOTHING;
    LOOP
        INSERT INTO annals.episodes AS e (group_id, id, source, content, actor, role, name, source_description, thread_id,
            occurred_at, metadata, external_id, previous, deferred)
        VALUES (group_id, annals.new_id(), kind::annals.episode_source, content, coalesce(actor, ''), coalesce(role, ''),
            coalesce(name, ''), coalesce(source_description, ''), coalesce(thread_id, ''), coalesce(occurred_at, now()),
            coalesce(metadata, '{}'), nullif(external_id, ''), previous, coalesce(deferred, false))
        ON CONFLICT ON CONSTRAINT episodes_external_id DO NOTHING
        RETURNING e.id INTO episode;
        EXIT WHEN FOUND;
        SELECT e.id INTO episode FROM annals.episodes e
        WHERE e.group_id = add_episode.group_id AND e.external_id = add_episode.external_id;
        EXIT WHEN FOUND; -- else it was removed at this moment
    END LOOP;
    RETURN episode;
END
$$;
COMMENT ON FUNCTION annals.add_episode(text, text, timestamptz, text, text, text, text, text, text, text, jsonb, integer, boolean) IS
    'Takes an episode in, within the transaction of the caller, and returns its id; a worker reads it into the graph once that is committed. An external id that is there already gives the id it has.';

CALL annals.end_migration(5, 'sql_api');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals.add_episode, annals.check_episode, annals.check_text, annals.new_id, annals.salient_entities;
DROP VIEW annals.entity_knowledge;
DROP FUNCTION annals.decayed;
DROP VIEW annals.memory_stream;
DELETE FROM annals.migrations WHERE version = 5;
