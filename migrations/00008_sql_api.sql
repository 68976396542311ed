-- SQL for programs in any language: adding episodes, and the entities that a
-- group mentions most. The history migration has the functions that read the
-- past.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(8);

CREATE VIEW annals.memory_stream WITH (security_invoker = true) AS
SELECT m.group_id, p.occurred_at, p.created_at, m.episode_id, p.source, p.thread_id, p.actor, p.role, m.entity_id,
    e.name AS entity, e.labels, p.content
FROM annals.mentions m
JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
JOIN annals.entities e ON e.group_id = m.group_id AND e.id = m.entity_id
WHERE NOT annals_internal.has_expired(p.group_id, 'episode', p.id) AND NOT annals_internal.quarantined(p.group_id, p.id, p.authority, p.thread_id);
COMMENT ON VIEW annals.memory_stream IS 'Every mention of an entity by a visible episode, with the text of the episode.';
COMMENT ON COLUMN annals.memory_stream.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.memory_stream.occurred_at IS 'Time it was said.';
COMMENT ON COLUMN annals.memory_stream.created_at IS 'Time it was taken in.';
COMMENT ON COLUMN annals.memory_stream.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.memory_stream.source IS 'Form in which it arrived: message, text, json or run.';
COMMENT ON COLUMN annals.memory_stream.thread_id IS 'The conversation it belongs to; may be empty.';
COMMENT ON COLUMN annals.memory_stream.actor IS 'Name of the speaker; may be empty.';
COMMENT ON COLUMN annals.memory_stream.role IS 'Role of the speaker, such as user or assistant; may be empty.';
COMMENT ON COLUMN annals.memory_stream.entity_id IS 'The entity.';
COMMENT ON COLUMN annals.memory_stream.entity IS 'Name of the entity.';
COMMENT ON COLUMN annals.memory_stream.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.memory_stream.content IS 'The text of the episode.';

-- Returns the weight of a mention at a time. A later mention has weight 1.
CREATE FUNCTION annals_internal.decayed(said_at timestamptz, half_life interval, at timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN at <= said_at THEN 1
    ELSE 0.5::double precision ^ least(date_part('epoch', at - said_at) / date_part('epoch', half_life), 1000) END;
COMMENT ON FUNCTION annals_internal.decayed(timestamptz, interval, timestamptz) IS
    'Returns the weight of a mention at a time. It halves with every half-life.';

CREATE VIEW annals.entity_knowledge WITH (security_invoker = true) AS
SELECT e.group_id, e.id AS entity_id, e.name, e.labels, coalesce(s.mentions, 0) AS mentions, s.first_mentioned_at, s.last_mentioned_at,
    coalesce(f.facts, 0) AS facts, coalesce(f.holding, 0) AS facts_holding, lower(e.recorded) AS changed_at, e.summary,
    coalesce(s.salience, 0) AS salience
FROM annals.entities e
LEFT JOIN (
    SELECT m.group_id, m.entity_id, count(*) AS mentions, min(p.occurred_at) AS first_mentioned_at,
        max(p.occurred_at) AS last_mentioned_at,
        sum(annals_internal.decayed(p.occurred_at, interval '30 days', now())) AS salience
    FROM annals.mentions m
    JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
    JOIN annals.groups g ON g.group_id = m.group_id
    LEFT JOIN (SELECT DISTINCT x.group_id FROM annals_internal.expired_marks x) past
        ON past.group_id = m.group_id -- most groups have no expired rows: they skip the check per row
    WHERE (past.group_id IS NULL OR NOT annals_internal.has_expired(p.group_id, 'episode', p.id))
        AND (NOT g.holds_episodes OR NOT annals_internal.quarantined(p.group_id, p.id, p.authority, p.thread_id))
    GROUP BY m.group_id, m.entity_id
) s ON s.group_id = e.group_id AND s.entity_id = e.id
LEFT JOIN (
    SELECT o.group_id, o.entity_id, count(*) AS facts, count(*) FILTER (WHERE o.valid @> now()) AS holding
    FROM (
        SELECT a.group_id, a.id, a.source_id AS entity_id, a.valid FROM annals.facts a WHERE a.trust <> 'candidate'
        UNION ALL
        SELECT a.group_id, a.id, a.target_id, a.valid FROM annals.facts a WHERE a.trust <> 'candidate'
    ) o
    LEFT JOIN (SELECT DISTINCT x.group_id FROM annals_internal.expired_marks x) past
        ON past.group_id = o.group_id
    WHERE past.group_id IS NULL OR NOT annals_internal.has_expired(o.group_id, 'fact', o.id)
    GROUP BY o.group_id, o.entity_id
) f ON f.group_id = e.group_id AND f.entity_id = e.id
WHERE NOT annals_internal.has_expired(e.group_id, 'entity', e.id) AND annals_internal.entity_shown(e.group_id, e.id, 'believed');
COMMENT ON VIEW annals.entity_knowledge IS 'Counts and times of what is known about each visible entity, from visible rows.';
COMMENT ON COLUMN annals.entity_knowledge.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.entity_knowledge.entity_id IS 'The entity.';
COMMENT ON COLUMN annals.entity_knowledge.name IS 'Name of the entity.';
COMMENT ON COLUMN annals.entity_knowledge.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.entity_knowledge.mentions IS 'Number of episodes that mention it.';
COMMENT ON COLUMN annals.entity_knowledge.first_mentioned_at IS 'Time of the earliest mention.';
COMMENT ON COLUMN annals.entity_knowledge.last_mentioned_at IS 'Time of the latest mention.';
COMMENT ON COLUMN annals.entity_knowledge.facts IS 'Number of facts it has, of all times.';
COMMENT ON COLUMN annals.entity_knowledge.facts_holding IS 'Number of these that are true now.';
COMMENT ON COLUMN annals.entity_knowledge.changed_at IS 'Time of its last change.';
COMMENT ON COLUMN annals.entity_knowledge.summary IS 'Summary of what is known about it, in a few sentences.';
COMMENT ON COLUMN annals.entity_knowledge.salience IS 'Sum of the weights of its mentions; each weight halves every 30 days.';

CREATE FUNCTION annals_internal.check_salience(half_life interval, at timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.check_time('at', at);
    IF NOT date_part('epoch', half_life) > 0 THEN
        PERFORM annals_internal.raise_invalid('half_life', format('is %s; it must be longer than nothing', half_life));
    END IF;
    RETURN true;
END
$$;
COMMENT ON FUNCTION annals_internal.check_salience(interval, timestamptz) IS 'Is true, or refuses the arguments that no salience can be computed with.';

-- Returns the most mentioned entities of a group up to a time, highest salience
-- first.
CREATE FUNCTION annals.salient_entities(group_id text, half_life interval DEFAULT '30 days', at timestamptz DEFAULT NULL, max_rows integer DEFAULT 20)
RETURNS TABLE (entity_id uuid, name text, mentions bigint, last_mentioned_at timestamptz, salience double precision)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT e.id, e.name, count(*), max(p.occurred_at),
        sum(annals_internal.decayed(p.occurred_at, coalesce(half_life, interval '30 days'), coalesce(at, now()))) AS salience
    FROM annals.mentions m
    JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
    JOIN annals.entities e ON e.group_id = m.group_id AND e.id = m.entity_id
    WHERE annals_internal.check_salience(half_life, at) AND m.group_id = salient_entities.group_id AND p.occurred_at <= coalesce(at, now())
        AND p.id NOT IN (SELECT annals_internal.expired(salient_entities.group_id, 'episode', now()))
        AND e.id NOT IN (SELECT annals_internal.expired(salient_entities.group_id, 'entity', now()))
        AND (NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = salient_entities.group_id AND g.holds_episodes)
            OR NOT annals_internal.quarantined(salient_entities.group_id, p.id, p.authority, p.thread_id))
    GROUP BY e.id, e.name
    ORDER BY salience DESC, e.name, e.id
    LIMIT max_rows;
END;
COMMENT ON FUNCTION annals.salient_entities(text, interval, timestamptz, integer) IS
    'Returns the most mentioned entities up to a time, from rows visible now. The weight of a mention halves with every half-life.';

-- Makes a UUIDv7 (RFC 9562), so that ids sort by time. The bits after the
-- milliseconds are set as the engine sets them, so that ids from both sort
-- together.
CREATE FUNCTION annals_internal.new_id() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
BEGIN ATOMIC
    SELECT (lpad(to_hex(t.micros / 1000), 12, '0') || '7' || lpad(to_hex(((t.micros % 1000) * 1000) >> 8), 3, '0')
        || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros) t;
END;
COMMENT ON FUNCTION annals_internal.new_id() IS 'Makes a UUIDv7. Ids sort by time.';

-- The checks below refuse what the library refuses, in the same words.
CREATE FUNCTION annals_internal.raise_invalid(field text, message text) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION '%: %', field, message USING ERRCODE = 'invalid_parameter_value', COLUMN = field;
END
$$;
COMMENT ON FUNCTION annals_internal.raise_invalid(text, text) IS 'Raises an error about an unusable argument.';

CREATE FUNCTION annals_internal.check_text(field text, value text, max_bytes integer) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF octet_length(value) > max_bytes THEN
        PERFORM annals_internal.raise_invalid(field, format('is %s bytes long; the limit is %s', octet_length(value), max_bytes));
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.check_text(text, text, integer) IS 'Refuses a text that is too long.';

CREATE FUNCTION annals_internal.check_path_name(field text, name text) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF name IN ('.', '..') THEN
        PERFORM annals_internal.raise_invalid(field, format('is "%s", which is a place in a path and no name; give it another name', name));
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.check_path_name(text, text) IS 'Refuses the names "." and "..", which cannot stand in the path of a URL.';

CREATE FUNCTION annals_internal.check_group(group_id text) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    outside text;
BEGIN
    PERFORM annals_internal.check_text('group', group_id, 200);
    IF coalesce(group_id, '') = '' THEN
        PERFORM annals_internal.raise_invalid('group', 'is empty; name the group the memory belongs to');
    ELSIF group_id COLLATE "und-x-icu" !~ '^[[:alnum:]_.:@+-]+$' THEN
        outside := substring(group_id COLLATE "und-x-icu" FROM '[^[:alnum:]_.:@+-]');
        PERFORM annals_internal.raise_invalid('group', format('"%s" may hold only letters, digits and _ - . : @ +%s', group_id,
            CASE WHEN outside ~ '[\u0300-\u036f]' THEN format('; it holds U+%s, an accent apart from its letter: write both as one character (Unicode NFC)',
                upper(lpad(to_hex(ascii(outside)), 4, '0'))) ELSE '' END));
    END IF;
    PERFORM annals_internal.check_path_name('group', group_id);
END
$$;
COMMENT ON FUNCTION annals_internal.check_group(text) IS 'Refuses an invalid name of a group.';

CREATE FUNCTION annals_internal.check_time(field text, at timestamptz) RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT (at >= '0001-01-01 UTC' AND at < '10000-01-01 UTC') THEN
        PERFORM annals_internal.raise_invalid(field, format('is %s; years 1 to 9999 can be stored', at));
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.check_time(text, timestamptz) IS 'Refuses a time that cannot be stored.';

CREATE FUNCTION annals_internal.check_episode(
    group_id text, content text, occurred_at timestamptz, source text, metadata jsonb, previous integer
) RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.check_group(group_id), annals_internal.check_text('content', content, 1048576),
        annals_internal.check_text('metadata', metadata::text, 65536), annals_internal.check_time('occurred_at', occurred_at);
    IF NOT source IN ('message', 'text', 'json', 'run') THEN
        PERFORM annals_internal.raise_invalid('source', format('"%s" is not one of message, text, json, run', source));
    ELSIF source = 'run' AND NOT annals_internal.is_run(content) THEN
        PERFORM annals_internal.raise_invalid('content', 'is not the record of a run: a JSON object with "task", a list "steps", and an "outcome" that is success, failure or unknown');
    ELSIF coalesce(content, '') COLLATE "und-x-icu" !~ '\S' THEN
        PERFORM annals_internal.raise_invalid('content', 'is empty');
    ELSIF jsonb_typeof(metadata) <> 'object' THEN
        PERFORM annals_internal.raise_invalid('metadata', 'is not a JSON object');
    ELSIF NOT previous BETWEEN 0 AND 100 THEN
        PERFORM annals_internal.raise_invalid('previous', format('is %s; it must be 0 to 100', previous));
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.check_episode(text, text, timestamptz, text, jsonb, integer) IS
    'Refuses an episode that the library would refuse.';

CREATE FUNCTION annals.add_episode(
    group_id text, content text, occurred_at timestamptz DEFAULT now(), source text DEFAULT 'message', actor text DEFAULT '',
    role text DEFAULT '', thread_id text DEFAULT '', external_id text DEFAULT NULL, name text DEFAULT '',
    source_description text DEFAULT '', metadata jsonb DEFAULT '{}', previous integer DEFAULT NULL, deferred boolean DEFAULT false,
    expires_at timestamptz DEFAULT NULL
) RETURNS uuid
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    episode uuid;
    kind text := coalesce(source, 'message');
BEGIN
    PERFORM annals_internal.check_episode(group_id, content, occurred_at, kind, metadata, previous),
        annals_internal.check_text('actor', actor, 512), annals_internal.check_text('role', role, 512), annals_internal.check_text('name', name, 512),
        annals_internal.check_text('source_description', source_description, 512), annals_internal.check_text('thread_id', thread_id, 512),
        annals_internal.check_text('external_id', external_id, 512), annals_internal.check_path_name('thread_id', thread_id),
        annals_internal.check_time('expires_at', expires_at);
    IF expires_at <= now() THEN
        PERFORM annals_internal.raise_invalid('expires_at', format('is %s, which has passed', expires_at));
    END IF;
    IF kind = 'json' THEN
        BEGIN
            PERFORM content::json;
        EXCEPTION WHEN data_exception THEN
            RAISE EXCEPTION 'content: is not valid JSON although source is json'
                USING ERRCODE = 'invalid_parameter_value', COLUMN = 'content';
        END;
    END IF;
    IF NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = add_episode.group_id) THEN -- ON CONFLICT would wait for a writer of the group
        INSERT INTO annals.groups AS g (group_id) VALUES (group_id) ON CONFLICT DO NOTHING;
    END IF;
    LOOP
        INSERT INTO annals.episodes AS e (group_id, id, source, content, actor, role, name, source_description, thread_id,
            occurred_at, metadata, external_id, previous, deferred)
        VALUES (group_id, annals_internal.new_id(), kind::annals.episode_source, content, coalesce(actor, ''), coalesce(role, ''),
            coalesce(name, ''), coalesce(source_description, ''), coalesce(thread_id, ''), coalesce(occurred_at, now()),
            coalesce(metadata, '{}'), nullif(external_id, ''), previous, coalesce(deferred, false))
        ON CONFLICT ON CONSTRAINT episodes_external_id DO NOTHING
        RETURNING e.id INTO episode;
        IF FOUND AND expires_at IS NOT NULL THEN
            INSERT INTO annals.marks AS m (group_id, kind, subject_id, mark, expires_at) VALUES (group_id, 'episode', episode, 'expires', expires_at);
            RETURN episode;
        END IF;
        EXIT WHEN FOUND;
        SELECT e.id INTO episode FROM annals.episodes e
        WHERE e.group_id = add_episode.group_id AND e.external_id = add_episode.external_id;
        EXIT WHEN FOUND; -- else it was removed just now
    END LOOP;
    RETURN episode;
END
$$;
COMMENT ON FUNCTION annals.add_episode(text, text, timestamptz, text, text, text, text, text, text, text, jsonb, integer, boolean, timestamptz) IS
    'Adds an episode in the caller''s transaction and returns its id. After the commit, a worker reads it into the graph. For an external id that exists, returns the episode that has it.';

-- Removes facts that will expire, were removed, or are no longer believed from texts that would
-- outlive them. If an entity's summary may mention one, the latest remaining sentences about the
-- entity replace it. The entity's communities are hidden until they get new summaries. What was
-- changed or removed by hand may stay, with other words, and hides only the communities of entities
-- whose summary mentioned it.
CREATE FUNCTION annals_internal.remove_from_summaries(of_group text, gone uuid[], by_hand boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    passing uuid[];
    told record;
    anew text;
    ends uuid[] := '{}';
BEGIN
    IF cardinality(gone) = 0 THEN
        RETURN;
    END IF;
    passing := ARRAY(SELECT annals_internal.expiring(of_group, 'fact', 'infinity')) || CASE WHEN by_hand THEN '{}' ELSE gone END;
    FOR told IN
        SELECT e.id, e.summary, bool_or(position(lower(rtrim(v.told, '. ')) IN lower(e.summary)) > 0
            OR coalesce(position(lower(o.name) IN lower(replace(e.summary, e.name, ''))) > 0, false)) AS tells -- the other end may be gone, too
        FROM (
            SELECT f.source_id AS id, f.target_id AS other, f.told FROM annals.facts f WHERE f.group_id = of_group AND f.id = ANY (gone)
            UNION ALL
            SELECT f.target_id, f.source_id, f.told FROM annals.facts f WHERE f.group_id = of_group AND f.id = ANY (gone)
            UNION ALL
            SELECT h.source_id, h.target_id, h.told FROM annals_internal.facts_history h WHERE h.group_id = of_group AND h.id = ANY (gone)
            UNION ALL
            SELECT h.target_id, h.source_id, h.told FROM annals_internal.facts_history h WHERE h.group_id = of_group AND h.id = ANY (gone)
        ) v
        JOIN annals.entities e ON e.group_id = of_group AND e.id = v.id
        LEFT JOIN annals.entities o ON o.group_id = of_group AND o.id = v.other
        GROUP BY e.group_id, e.id
        ORDER BY e.id
    LOOP
        IF told.tells OR NOT by_hand THEN
            ends := ends || told.id;
        END IF;
        CONTINUE WHEN NOT told.tells;
        SELECT coalesce(string_agg(s.sentence, ' ' ORDER BY s.id), '') INTO anew
        FROM (
            (SELECT f.id, rtrim(f.told, '. ') || '.' AS sentence
            FROM annals.facts f
            WHERE f.group_id = of_group AND f.source_id = told.id AND NOT f.id = ANY (passing)
                AND f.trust = 'believed' AND NOT f.ends AND (f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > now())
            ORDER BY f.id DESC
            LIMIT 10)
            UNION ALL
            (SELECT f.id, rtrim(f.told, '. ') || '.'
            FROM annals.facts f
            WHERE f.group_id = of_group AND f.target_id = told.id AND NOT f.id = ANY (passing)
                AND f.trust = 'believed' AND NOT f.ends AND (f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > now())
            ORDER BY f.id DESC
            LIMIT 10)
            ORDER BY id DESC
            LIMIT 10
        ) s;
        IF told.summary <> anew THEN
            UPDATE annals.entities e SET summary = anew, written = '' WHERE e.group_id = of_group AND e.id = told.id;
        END IF;
    END LOOP;
    UPDATE annals.communities c SET name = '', summary = '', digest = '', stale = true
    WHERE c.group_id = of_group AND NOT c.stale AND c.id IN (
        SELECT m.community_id FROM annals.community_members m WHERE m.group_id = of_group AND m.entity_id = ANY (ends));
END
$$;
COMMENT ON FUNCTION annals_internal.remove_from_summaries(text, uuid[], boolean) IS
    'Removes facts that will expire, did expire, or are no longer believed from the summaries of their entities, or the former words of those that were changed by hand, and hides the communities that may mention them.';

CREATE FUNCTION annals_internal.retell_summaries() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    before text := coalesce(current_setting('annals.weighing', true), '');
BEGIN
    IF EXISTS (SELECT FROM annals.groups g WHERE g.group_id = OLD.group_id) THEN -- else the fact goes with its group
        PERFORM annals_internal.set_local('annals.weighing', 'on'); -- changes of summaries are no edits
        PERFORM annals_internal.remove_from_summaries(OLD.group_id, ARRAY[OLD.id], true);
        PERFORM annals_internal.set_local('annals.weighing', before);
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.retell_summaries() IS 'Trigger: takes what a fact said out of the summaries of its entities. The engine updates summaries itself.';
CREATE TRIGGER retell_update AFTER UPDATE ON annals.facts
    FOR EACH ROW WHEN ((OLD.source_id, OLD.target_id, OLD.told, OLD.valid, OLD.kind, OLD.ends)
            IS DISTINCT FROM (NEW.source_id, NEW.target_id, NEW.told, NEW.valid, NEW.kind, NEW.ends)
        AND annals_internal.causing_episodes() = '{}' AND annals_internal.write_origin()->>'door' = 'sql')
    EXECUTE FUNCTION annals_internal.retell_summaries();
COMMENT ON TRIGGER retell_update ON annals.facts IS 'Takes the former sentence out of summaries when SQL changes or ends a fact.';
CREATE TRIGGER retell_delete AFTER DELETE ON annals.facts
    FOR EACH ROW WHEN (annals_internal.causing_episodes() = '{}' AND annals_internal.write_origin()->>'door' = 'sql'
        AND annals_internal.write_origin()->>'action' IS DISTINCT FROM 'undo') -- which removes the sentence itself
    EXECUTE FUNCTION annals_internal.retell_summaries();
COMMENT ON TRIGGER retell_delete ON annals.facts IS 'Takes the sentence out of summaries when SQL removes a fact.';

-- Ends marks that a new mark replaces. A mark set in this transaction is deleted:
-- nobody saw it. If the clock was set back, a mark from a later time ends right after
-- its start.
CREATE FUNCTION annals_internal.end_marks(of_group text, of_subjects uuid[], marks text[], by_whom text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    at CONSTANT timestamptz := annals_internal.recorded_now();
BEGIN
    DELETE FROM annals.marks m
    WHERE m.group_id = of_group AND m.subject_id = ANY (of_subjects) AND m.mark = ANY (marks) AND m.until IS NULL AND m.since = at
        AND (by_whom IS NULL OR m.written_by = by_whom);
    UPDATE annals.marks m SET until = greatest(at, annals_internal.seconds_after(m.since, 0.000001)), ended_door = annals_internal.write_origin()->>'door', ended_by = annals_internal.write_origin()->>'written_by'
    WHERE m.group_id = of_group AND m.subject_id = ANY (of_subjects) AND m.mark = ANY (marks) AND m.until IS NULL
        AND (by_whom IS NULL OR m.written_by = by_whom);
END
$$;
COMMENT ON FUNCTION annals_internal.end_marks(text, uuid[], text[], text) IS 'Ends marks of some subjects: all, or those of one writer.';

-- Marks facts, episodes, entities and skills, all or none:
--   expires   hides facts and episodes from expires_at on
--   keeps     ends expires
--   pinned    puts them first in contexts; unpinned ends it
--   useful, wrong, outdated   shifts the ranks of facts, episodes and skills a little;
--             each writer has one verdict on each; unjudged ends it
-- Expired rows cannot be marked.
CREATE FUNCTION annals.mark(group_id text, ids uuid[], mark text, expires_at timestamptz DEFAULT NULL) RETURNS TABLE (id uuid, kind annals.kind)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    verdicts CONSTANT text[] := '{useful,wrong,outdated}';
    me CONSTANT text := annals_internal.write_origin()->>'written_by';
    before CONSTANT text := coalesce(current_setting('annals.origin', true), '');
    subject record;
    found_kinds annals.kind[] := '{}';
    found_ids uuid[] := '{}';
    new_kinds annals.kind[] := '{}';
    new_ids uuid[] := '{}';
    threads text[];
BEGIN
    PERFORM annals_internal.check_group($1), annals_internal.check_time('expires_at', $4);
    IF $3 IS NULL OR $3 NOT IN ('expires', 'keeps', 'pinned', 'unpinned', 'useful', 'wrong', 'outdated', 'unjudged') THEN
        PERFORM annals_internal.raise_invalid('mark', format('"%s" is not one of expires, keeps, pinned, unpinned, useful, wrong, outdated, unjudged', $3));
    ELSIF ($3 = 'expires') <> ($4 IS NOT NULL) THEN
        PERFORM annals_internal.raise_invalid('expires_at', CASE WHEN $4 IS NULL THEN 'is missing; say when it expires' ELSE 'goes with expires alone' END);
    ELSIF coalesce(cardinality($2), 0) NOT BETWEEN 1 AND 1000 THEN
        PERFORM annals_internal.raise_invalid('ids', format('has %s ids; it must be 1 to 1000', coalesce(cardinality($2), 0)));
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('annals.write:' || $1, 0));
    PERFORM annals_internal.begin_write($1, (annals_internal.write_origin() || '{"action": "mark"}')::text, false);
    IF $4 <= annals_internal.recorded_now() THEN
        PERFORM annals_internal.raise_invalid('expires_at', format('is %s, which has passed', $4));
    END IF;
    FOR subject IN
        SELECT DISTINCT i.id, k.kind, k.id IN (SELECT annals_internal.expiring($1, k.kind, now())) AS expired
        FROM unnest($2) AS i(id)
        LEFT JOIN (
            SELECT f.id, 'fact'::annals.kind AS kind FROM annals.facts f WHERE f.group_id = $1 AND f.id = ANY ($2)
            UNION ALL
            SELECT e.id, 'episode' FROM annals.episodes e WHERE e.group_id = $1 AND e.id = ANY ($2)
            UNION ALL
            SELECT n.id, 'entity' FROM annals.entities n WHERE n.group_id = $1 AND n.id = ANY ($2)
            UNION ALL
            SELECT s.id, 'skill' FROM annals.skills s WHERE s.group_id = $1 AND s.id = ANY ($2)
        ) k ON k.id = i.id
        ORDER BY 1
    LOOP
        IF subject.kind IS NULL THEN
            RAISE EXCEPTION 'ids: there is no fact, episode, entity or skill %', subject.id USING ERRCODE = 'no_data_found', COLUMN = 'ids';
        ELSIF subject.expired THEN
            PERFORM annals_internal.raise_invalid('ids', format('%s has expired; add what it said again', subject.id));
        ELSIF subject.kind = 'entity' AND $3 NOT IN ('pinned', 'unpinned') THEN
            PERFORM annals_internal.raise_invalid('ids', format('%s is an entity, which can be pinned alone; mark its facts', subject.id));
        ELSIF subject.kind = 'skill' AND $3 NOT IN ('useful', 'wrong', 'outdated', 'unjudged') THEN
            PERFORM annals_internal.raise_invalid('ids', format('%s is a skill, which can be judged alone: useful, wrong, outdated or unjudged', subject.id));
        END IF;
        found_ids := found_ids || subject.id;
        found_kinds := found_kinds || subject.kind;
        IF EXISTS (SELECT FROM annals.marks m WHERE m.group_id = $1 AND m.subject_id = subject.id AND m.until IS NULL AND m.mark = $3
            AND m.expires_at IS NOT DISTINCT FROM $4 AND (NOT $3 = ANY (verdicts) OR m.written_by = me)) THEN
            CONTINUE; -- already set
        END IF;
        new_ids := new_ids || subject.id;
        new_kinds := new_kinds || subject.kind;
    END LOOP;
    PERFORM annals_internal.end_marks($1, new_ids, -- all at once, so that triggers run once
        CASE WHEN $3 IN ('expires', 'keeps') THEN '{expires}' WHEN $3 IN ('pinned', 'unpinned') THEN '{pinned}' ELSE verdicts END,
        CASE WHEN $3 NOT IN ('expires', 'keeps', 'pinned', 'unpinned') THEN me END);
    IF $3 NOT IN ('keeps', 'unpinned', 'unjudged') THEN
        INSERT INTO annals.marks AS m (group_id, kind, subject_id, mark, expires_at)
        SELECT $1, n.kind, n.id, $3, $4 FROM unnest(new_ids, new_kinds) AS n(id, kind);
    END IF;
    IF $3 = 'expires' THEN
        PERFORM annals_internal.remove_from_summaries($1, ARRAY(
            SELECT p.id FROM annals_internal.expiring($1, 'fact', 'infinity') AS p(id)
            WHERE p.id = ANY (found_ids) OR p.id IN (
                SELECT c.fact_id FROM annals.fact_episodes c WHERE c.group_id = $1 AND c.episode_id = ANY (found_ids))));
        threads := ARRAY(SELECT DISTINCT e.thread_id FROM annals.episodes e
            WHERE e.group_id = $1 AND e.thread_id <> '' AND (e.id = ANY (found_ids) OR e.id IN (
                SELECT c.episode_id FROM annals.fact_episodes c WHERE c.group_id = $1 AND c.fact_id = ANY (found_ids))));
        UPDATE annals.threads t SET summary = '', through_at = NULL, through_id = NULL WHERE t.group_id = $1 AND t.id = ANY (threads);
    END IF;
    IF $3 IN ('expires', 'keeps') THEN
        PERFORM annals_internal.count_observations($1, true);
    END IF;
    PERFORM annals_internal.set_local('annals.origin', before);
    RETURN QUERY SELECT unnest(found_ids), unnest(found_kinds);
END
$$;
COMMENT ON FUNCTION annals.mark(text, uuid[], text, timestamptz) IS
    'Marks facts, episodes, entities and skills: expires, keeps, pinned, unpinned, useful, wrong, outdated or unjudged. Returns their ids and kinds.';

CREATE FUNCTION annals_internal.check_search(
    group_id text, kinds text[], valid_at timestamptz, known_at timestamptz, max_rows integer
) RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    unknown CONSTANT text[] := ARRAY(SELECT k.kind FROM unnest(kinds) AS k(kind)
        WHERE k.kind IS NULL OR k.kind NOT IN ('fact', 'entity', 'episode', 'community'));
BEGIN
    PERFORM annals_internal.check_group(group_id), annals_internal.check_time('valid_at', valid_at), annals_internal.check_time('known_at', known_at);
    IF max_rows NOT BETWEEN 1 AND 1000 THEN
        PERFORM annals_internal.raise_invalid('max_rows', format('is %s; it must be 1 to 1000', max_rows));
    ELSIF cardinality(unknown) > 0 THEN
        PERFORM annals_internal.raise_invalid('kinds', format('"%s" is not one of fact, entity, episode, community', unknown[1]));
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.check_search(text, text[], timestamptz, timestamptz, integer)
    IS 'Refuses a search that the library would refuse.';

-- Translates a condition of a filter on a JSON document to PostgreSQL's jsonpath.
-- Keys and values are written as JSON, which jsonpath accepts.
CREATE FUNCTION annals_internal.condition_path(field text, condition jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    op CONSTANT text := condition->>'op';
    value CONSTANT jsonb := condition->'value';
    at text;
BEGIN
    IF jsonb_typeof(condition) IS DISTINCT FROM 'object'
        OR (SELECT count(*) FROM jsonb_object_keys(condition) AS k(key) WHERE k.key IN ('and', 'or', 'not', 'path')) <> 1
        OR jsonb_typeof(coalesce(condition->'and', condition->'or', condition->'path', '[0]')) <> 'array'
        OR coalesce(condition->'and', condition->'or', condition->'path', '[0]') = '[]' THEN
        PERFORM annals_internal.raise_invalid(field, 'a condition has exactly one of and, or, not and path');
    ELSIF condition->'path' @? '$[*] ? (@.type() != "string")' THEN
        PERFORM annals_internal.raise_invalid(field, 'a path lists something other than texts');
    ELSIF condition ? 'and' THEN
        RETURN (SELECT string_agg('(' || annals_internal.condition_path(field, p.part) || ')', ' && ')
            FROM jsonb_array_elements(condition->'and') AS p(part));
    ELSIF condition ? 'or' THEN
        RETURN (SELECT string_agg('(' || annals_internal.condition_path(field, p.part) || ')', ' || ')
            FROM jsonb_array_elements(condition->'or') AS p(part));
    ELSIF condition ? 'not' THEN
        RETURN '!(' || annals_internal.condition_path(field, condition->'not') || ')';
    END IF;
    at := (SELECT '$' || string_agg('.' || to_json(k.key)::text, '' ORDER BY k.place)
        FROM jsonb_array_elements_text(condition->'path') WITH ORDINALITY AS k(key, place));
    IF op = 'exists' THEN
        RETURN 'exists(' || at || ')';
    ELSIF op = 'in' AND jsonb_typeof(value) = 'array' AND value <> '[]' THEN
        RETURN (SELECT string_agg('(' || annals_internal.condition_path(field, condition || jsonb_build_object('op', 'eq', 'value', v.value)) || ')', ' || ')
            FROM jsonb_array_elements(value) AS v(value));
    ELSIF op = 'in' THEN
        PERFORM annals_internal.raise_invalid(field, 'in compares with a list of values');
    ELSIF op IS NULL OR op NOT IN ('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'icontains', 'wildcard') THEN
        PERFORM annals_internal.raise_invalid(field, format('"%s" is not one of eq, ne, gt, gte, lt, lte, in, contains, icontains, wildcard, exists', op));
    ELSIF op IN ('icontains', 'wildcard') AND jsonb_typeof(value) IS DISTINCT FROM 'string' THEN
        PERFORM annals_internal.raise_invalid(field, op || ' compares with a text');
    ELSIF coalesce(jsonb_typeof(value), 'null') NOT IN ('string', 'number', 'boolean') THEN
        PERFORM annals_internal.raise_invalid(field, format('%s is neither a text, a number nor true or false', value));
    ELSIF op = 'ne' THEN
        RETURN '!(' || annals_internal.condition_path(field, condition || '{"op": "eq"}') || ')';
    ELSIF op = 'contains' AND jsonb_typeof(value) = 'string' THEN
        RETURN format('(exists(%1$s ? (@ == %2$s)) || exists(%1$s ? (@ like_regex %2$s flag "q")))', at, value);
    ELSIF op = 'icontains' THEN
        RETURN format('exists(%s ? (@ like_regex %s flag "iq"))', at, value);
    ELSIF op = 'wildcard' THEN
        RETURN format('exists(%s ? (@ like_regex %s flag "s"))', at, to_jsonb('^' || replace(replace(
            regexp_replace(condition->>'value', '[\\.+^$()[\]{}|]', '\\\&', 'g'), '*', '.*'), '?', '.') || '$'));
    END IF;
    RETURN format('exists(%s ? (@ %s %s))', at,
        CASE op WHEN 'gt' THEN '>' WHEN 'gte' THEN '>=' WHEN 'lt' THEN '<' WHEN 'lte' THEN '<=' ELSE '==' END, value);
END
$$;
COMMENT ON FUNCTION annals_internal.condition_path(text, jsonb) IS 'Translates a condition of a filter to PostgreSQL''s jsonpath language.';

-- Converts a filter as users write it (docs/search.md) to the form that
-- filter_parts reads. A condition on attributes or metadata may already be a
-- jsonpath: {"attributes": {"path": "$.salary > 1000"}}.
CREATE FUNCTION annals_internal.read_filter(filter jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    known CONSTANT text[] := '{labels,excluded_labels,predicates,excluded_predicates,trust,told_by,sources,threads,actors,roles,attributes,metadata,'
        'valid,invalid,created,expired,occurred,users,agents,runs,episodes}';
    read jsonb := '{}';
    part record;
BEGIN
    IF jsonb_typeof(filter) <> 'object' THEN
        PERFORM annals_internal.raise_invalid('filter', 'is not a JSON object');
    END IF;
    FOR part IN SELECT p.key, p.value, 'filter.' || p.key AS field FROM jsonb_each(coalesce(filter, '{}')) AS p LOOP
        CASE
            WHEN NOT part.key = ANY (known) THEN
                PERFORM annals_internal.raise_invalid('filter', format('"%s" is not one of %s', part.key, array_to_string(known[:20], ', ')));
            WHEN part.value IN ('null', '[]') OR part.key = 'episodes' THEN
                CONTINUE;
            WHEN part.key = 'trust' THEN
                IF part.value NOT IN ('"believed"', '"candidate"', '"disputed"', '"all"') THEN
                    PERFORM annals_internal.raise_invalid('filter.trust', format('%s is not one of believed, candidate, disputed, all', part.value));
                END IF;
                read := read || jsonb_build_object(part.key, part.value);
            WHEN part.key NOT IN ('attributes', 'metadata') AND jsonb_typeof(part.value) <> 'array' THEN
                PERFORM annals_internal.raise_invalid(part.field, 'is not a list');
            WHEN part.key IN ('attributes', 'metadata') AND jsonb_typeof(part.value->'path') = 'string' THEN
                read := read || jsonb_build_object(part.key, '{"values": {}}' || part.value);
            WHEN part.key IN ('attributes', 'metadata')
                AND (SELECT count(*) FROM jsonb_path_query(part.value, 'strict $.** ? (exists(@.and) || exists(@.or) || exists(@.not) || exists(@.path))'))
                    + (SELECT count(*) FROM jsonb_path_query(part.value, 'strict $.**.value[*]')) > 100 THEN
                PERFORM annals_internal.raise_invalid(part.field, 'has more than 100 conditions');
            WHEN part.key IN ('attributes', 'metadata') THEN
                read := read || jsonb_build_object(part.key,
                    jsonb_build_object('path', annals_internal.condition_path(part.field, part.value), 'values', '{}'::jsonb));
            WHEN part.key IN ('valid', 'invalid', 'created', 'expired', 'occurred') THEN
                PERFORM annals_internal.check_times(part.field, part.value);
                read := read || jsonb_build_object(part.key, part.value);
            WHEN jsonb_array_length(part.value) > 1000 THEN
                PERFORM annals_internal.raise_invalid(part.field, format('lists %s values; the limit is 1000', jsonb_array_length(part.value)));
            WHEN part.value @? '$[*] ? (@.type() != "string")' THEN
                PERFORM annals_internal.raise_invalid(part.field, 'lists something other than texts');
            ELSE
                read := read || jsonb_build_object(part.key, part.value);
        END CASE;
    END LOOP;
    FOR part IN SELECT s.list, s.key FROM (VALUES ('users', 'user_id'), ('agents', 'agent_id'), ('runs', 'run_id')) AS s(list, key) WHERE read ? s.list LOOP
        read := read || jsonb_build_object('metadata', jsonb_build_object(
            'path', concat_ws(' && ', '(' || (read->'metadata'->>'path') || ')', format('$."%s".type() == "string" && (%s)', part.key,
                annals_internal.condition_path('filter.' || part.list, jsonb_build_object('path', jsonb_build_array(part.key), 'op', 'in', 'value', read->part.list)))),
            'values', coalesce(read->'metadata'->'values', '{}')));
    END LOOP;
    IF read ?| '{sources,threads,actors,roles,occurred,metadata}' THEN
        read := read || '{"episodes": true}';
    END IF;
    RETURN read;
END
$$;
COMMENT ON FUNCTION annals_internal.read_filter(jsonb) IS 'Converts a filter as users write it to the form that filter_parts reads.';

-- Refuses a condition on a time that times_matching would ignore.
CREATE FUNCTION annals_internal.check_times(field text, condition jsonb) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    test jsonb;
BEGIN
    IF condition @? 'strict $[*] ? (@.type() != "array")' THEN
        PERFORM annals_internal.raise_invalid(field, 'is not a list of lists of tests');
    ELSIF condition @? 'strict $[*] ? (@.size() == 0)' THEN
        PERFORM annals_internal.raise_invalid(field, 'has a list without tests; leave it out');
    ELSIF (SELECT count(*) FROM jsonb_path_query(condition, 'strict $[*][*]')) > 100 THEN
        PERFORM annals_internal.raise_invalid(field, 'has more than 100 tests');
    END IF;
    FOR test IN SELECT * FROM jsonb_path_query(condition, 'strict $[*][*]') LOOP
        IF coalesce(test->>'op', '') NOT IN ('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'null', 'not_null') THEN
            PERFORM annals_internal.raise_invalid(field, format('"%s" is not one of eq, ne, gt, gte, lt, lte, null, not_null', test->>'op'));
        ELSIF test->>'op' NOT IN ('null', 'not_null') AND test->>'at' IS NULL THEN
            PERFORM annals_internal.raise_invalid(field, (test->>'op') || ' needs the time to compare with, at');
        END IF;
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals_internal.check_times(text, jsonb) IS 'Refuses a malformed condition on a time.';

-- The statements that move rows between databases are built from the catalogue,
-- so that new columns move too. They leave out the group, which a file names
-- once, and columns that triggers derive.
CREATE FUNCTION annals_internal.exported_columns(relation name) RETURNS TABLE (place smallint, name name, is_key boolean, sorted_by text, read_as text)
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT a.attnum, a.attname, a.attnum = ANY (k.columns),
        format('r.%I', a.attname) || CASE a.atttypid WHEN 'text'::regtype THEN ' COLLATE "C"' ELSE '' END,
        CASE WHEN a.attname = 'authority' -- capped by the authority of the importer; NULL: not given
            THEN format('CASE WHEN r.%1$I > %2$s THEN %2$s ELSE %3$s END', a.attname, '(annals_internal.write_origin()->>''authority'')::annals.authority',
                concat_ws(', ', 'coalesce(r.authority', pg_get_expr(d.adbin, d.adrelid)) || ')')
        WHEN a.attnotnull AND a.atthasdef -- older files lack the column
            THEN format('coalesce(r.%I, %s%s)', a.attname, CASE a.attname WHEN 'updated_at' THEN 'r.created_at, ' END,
                pg_get_expr(d.adbin, d.adrelid))
            ELSE format('r.%I', a.attname) END
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    CROSS JOIN LATERAL (
        SELECT i.indkey[:i.indnkeyatts - 1]::smallint[] AS columns FROM pg_index i
        WHERE i.indrelid = c.oid AND (i.indisprimary OR i.indisexclusion)
        ORDER BY i.indisprimary DESC LIMIT 1
    ) k
    WHERE c.oid = to_regclass(annals_internal.qualified_name(relation)) AND c.relkind IN ('r', 'p')
        AND a.attname <> ALL ('{group_id,content_hash,said_key,asks,says_when,left_out,length,size,terms,trace_context,written_at,copy_of}')
        AND a.attgenerated = '';
END;
COMMENT ON FUNCTION annals_internal.exported_columns(name) IS
    'Lists the exported columns of a table, and how statements sort by them and read them.';

CREATE FUNCTION annals_internal.export_statement(relation name, of_model boolean) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT format('SELECT row_to_json(r)::text AS line FROM (SELECT %s FROM %s WHERE group_id = $1',
            string_agg(quote_ident(m.name), ', ' ORDER BY m.place), annals_internal.qualified_name(relation))
        || CASE WHEN of_model THEN ' AND model = $2' ELSE '' END || ') r'
        || coalesce(' ORDER BY ' || string_agg(m.sorted_by, ', ' ORDER BY m.place) FILTER (WHERE m.is_key AND NOT (of_model AND m.name = 'model')), '')
    FROM annals_internal.exported_columns(relation) m;
END;
COMMENT ON FUNCTION annals_internal.export_statement(name, boolean) IS
    'Returns the statement that reads a group''s rows of a table as JSON, in key order. $1 is the group, $2 the model of vectors.';

CREATE FUNCTION annals_internal.import_statement(relation name, replaces boolean) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT format('INSERT INTO %1$s (group_id, %2$s) SELECT $1::text, %3$s FROM json_populate_recordset(NULL::%1$s, $2::json) AS r',
            annals_internal.qualified_name(relation), string_agg(quote_ident(m.name), ', ' ORDER BY m.place), string_agg(m.read_as, ', ' ORDER BY m.place))
        || CASE WHEN replaces THEN
            format(' ON CONFLICT (%s) DO UPDATE SET %s', concat_ws(', ', 'group_id', string_agg(quote_ident(m.name), ', ') FILTER (WHERE m.is_key)),
                string_agg(format('%1$I = excluded.%1$I', m.name), ', ') FILTER (WHERE NOT m.is_key))
            ELSE '' END
    FROM annals_internal.exported_columns(relation) m;
END;
COMMENT ON FUNCTION annals_internal.import_statement(name, boolean) IS
    'Returns the statement that inserts rows of a table from a JSON list. $1 is the group, $2 the list. With replaces, it overwrites existing rows.';

CALL annals_internal.end_migration(8, 'sql_api');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals_internal.import_statement, annals_internal.export_statement, annals_internal.exported_columns;
DROP FUNCTION annals_internal.check_times, annals_internal.read_filter, annals_internal.condition_path, annals_internal.check_search;
DROP TRIGGER retell_delete ON annals.facts;
DROP TRIGGER retell_update ON annals.facts;
DROP FUNCTION annals.mark, annals_internal.end_marks, annals_internal.retell_summaries, annals_internal.remove_from_summaries;
DROP FUNCTION annals.add_episode, annals_internal.check_episode, annals_internal.check_time, annals_internal.check_group, annals_internal.check_path_name, annals_internal.check_text, annals_internal.raise_invalid, annals_internal.new_id,
    annals.salient_entities, annals_internal.check_salience;
DROP VIEW annals.entity_knowledge;
DROP FUNCTION annals_internal.decayed;
DROP VIEW annals.memory_stream;
DELETE FROM annals.migrations WHERE version = 8;
