-- What a group attends to (memary): how often entities are mentioned, each
-- mention weighing half as much a half-life later.
--
-- +goose Up

-- What a mention weighs at a time. What is said later than that weighs 1.
-- +goose StatementBegin
CREATE FUNCTION annals.decayed(said_at timestamptz, half_life interval, at timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN at <= said_at THEN 1
        ELSE 0.5 ^ least(extract(epoch FROM at - said_at) / extract(epoch FROM half_life), 1000) END::double precision
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION annals.decayed(timestamptz, interval, timestamptz) IS 'What a mention weighs at a time: half as much a half-life later.';

CREATE OR REPLACE VIEW annals.entity_knowledge WITH (security_invoker = true) AS
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

COMMENT ON COLUMN annals.entity_knowledge.salience IS 'How much it is spoken of: its mentions, each of which weighs half as much every 30 days.';

-- The entities of a group by how much they were spoken of until a time, the
-- most first.
-- +goose StatementBegin
CREATE FUNCTION annals.salient_entities(group_id text, half_life interval DEFAULT '30 days', at timestamptz DEFAULT NULL, max_rows integer DEFAULT 20)
RETURNS TABLE (entity_id uuid, name text, mentions bigint, last_mentioned_at timestamptz, salience double precision)
LANGUAGE sql STABLE AS $$
    SELECT e.id, e.name, count(*), max(p.occurred_at), sum(annals.decayed(p.occurred_at, half_life, coalesce(at, now()))) AS salience
    FROM annals.mentions m
    JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
    JOIN annals.entities e ON e.group_id = m.group_id AND e.id = m.entity_id
    WHERE m.group_id = $1 AND p.occurred_at <= coalesce(at, now())
    GROUP BY e.id, e.name
    ORDER BY salience DESC, e.name, e.id
    LIMIT max_rows
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION annals.salient_entities(text, interval, timestamptz, integer) IS
    'The entities by how much they were spoken of until a time, the most first: mentions weigh half as much a half-life later.';

-- +goose Down

DROP FUNCTION annals.salient_entities(text, interval, timestamptz, integer);
DROP VIEW annals.entity_knowledge;
DROP FUNCTION annals.decayed(timestamptz, interval, timestamptz);
CREATE VIEW annals.entity_knowledge WITH (security_invoker = true) AS
SELECT e.group_id, e.id AS entity_id, e.name, e.labels, coalesce(s.mentions, 0) AS mentions, s.first_mentioned_at, s.last_mentioned_at,
    coalesce(f.facts, 0) AS facts, coalesce(f.holding, 0) AS facts_holding, lower(e.recorded) AS changed_at, e.summary
FROM annals.entities e
LEFT JOIN (
    SELECT m.group_id, m.entity_id, count(*) AS mentions, min(p.occurred_at) AS first_mentioned_at,
        max(p.occurred_at) AS last_mentioned_at
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
SELECT annals.protect_tenants();
