INSERT INTO annals.episodes (group_id, id, content, thread_id, occurred_at, state)
SELECT 't', annals_internal.new_id(), 'Later ' || i, 'thread ' || lpad((i * 7 % 45)::text, 2, '0'), '2024-02-01 UTC'::timestamptz + i * interval '1 minute', 'done'
FROM generate_series(1, 20) i;
INSERT INTO annals.entities (group_id, id, name) SELECT 't', annals_internal.new_id(), 'Name ' || i FROM generate_series(1, 11) i;
INSERT INTO annals.mentions (group_id, episode_id, entity_id)
SELECT 't', (SELECT id FROM annals.episodes WHERE group_id = 't' ORDER BY id DESC LIMIT 1), id FROM annals.entities WHERE group_id = 't' AND get_byte(uuid_send(id), 15) % 3 = 0;
INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
SELECT 't', f.id, f.source_id, f.target_id, 'MET', 'Met then', tstzrange('2024-01-04 UTC', '2024-01-06 UTC'), f.id
FROM (SELECT annals_internal.new_id() AS id, source_id, target_id FROM annals.facts WHERE group_id = 't' LIMIT 10) f;
INSERT INTO annals.communities (group_id, id, name) SELECT 't', annals_internal.new_id(), 'Community ' || i FROM generate_series(1, 3) i;
INSERT INTO annals.community_members (group_id, community_id, entity_id)
SELECT 't', c.id, (SELECT id FROM annals.entities WHERE group_id = 't' ORDER BY id DESC LIMIT 1) FROM annals.communities c WHERE c.group_id = 't';
