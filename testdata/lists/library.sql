INSERT INTO annals.episodes (group_id, id, content, thread_id, occurred_at, state)
SELECT 't', annals_internal.new_id(), 'Message ' || i, 'thread ' || lpad((i % 37)::text, 2, '0'), '2024-01-01 UTC'::timestamptz + i % 5 * interval '1 day', 'done'
FROM generate_series(1, 200) i;
INSERT INTO annals.entities (group_id, id, name) SELECT 't', annals_internal.new_id(), 'Name ' || i % 11 FROM generate_series(1, 60) i;
INSERT INTO annals.mentions (group_id, episode_id, entity_id)
SELECT 't', e.id, n.id
FROM (SELECT id, row_number() OVER (ORDER BY id) AS i FROM annals.episodes WHERE group_id = 't') e
JOIN (SELECT id, row_number() OVER (ORDER BY id) AS i FROM annals.entities WHERE group_id = 't') n ON e.i <= n.i % 4;
INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
SELECT 't', n.fact, n.id, n.next, 'KNOWS', 'Fact ' || n.i, tstzrange('2024-01-01 UTC'::timestamptz + n.i % 7 * interval '1 day',
    CASE WHEN n.i % 2 = 0 THEN '2024-01-05 UTC'::timestamptz + n.i % 7 * interval '1 day' END), n.fact
FROM (SELECT id, lead(id) OVER (ORDER BY id) AS next, row_number() OVER (ORDER BY id) AS i, annals_internal.new_id() AS fact
    FROM annals.entities WHERE group_id = 't') n
WHERE n.next IS NOT NULL;
INSERT INTO annals.communities (group_id, id, name) SELECT 't', annals_internal.new_id(), 'Community ' || i % 3 FROM generate_series(1, 20) i;
INSERT INTO annals.community_members (group_id, community_id, entity_id)
SELECT 't', c.id, n.id
FROM (SELECT id, row_number() OVER (ORDER BY id) AS i FROM annals.communities WHERE group_id = 't') c
JOIN (SELECT id, row_number() OVER (ORDER BY id) AS i FROM annals.entities WHERE group_id = 't') n ON n.i % 20 = c.i % 20 AND n.i <= 40 + c.i;
