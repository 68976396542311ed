-- What was changed while lists were first counted, how often an episode is tried
-- once it is retried, and a function that no parallel plan can have.
--
-- +goose Up

-- Recovering from an error takes a subtransaction, which PostgreSQL refuses
-- while processes work in parallel: a group large enough for that could not have
-- an entity erased.
ALTER FUNCTION annals.json_said(text) PARALLEL UNSAFE;

COMMENT ON COLUMN annals.episodes.attempts IS 'How often its processing was begun since it came, or since it was last retried.';

-- Processes of the version before may go on while the schema is brought up to
-- date. What they wrote between the first count and the triggers that keep it
-- was in no list: it is counted again while nobody writes.
LOCK TABLE annals.entities, annals.mentions, annals.communities, annals.community_members IN SHARE ROW EXCLUSIVE MODE;

INSERT INTO annals.entity_mentions AS c (group_id, entity_id, name, mentions)
SELECT e.group_id, e.id, e.name, coalesce(n.mentions, 0)
FROM annals.entities e
LEFT JOIN (
    SELECT m.group_id, m.entity_id, count(*)::integer AS mentions FROM annals.mentions m GROUP BY m.group_id, m.entity_id
) n ON n.group_id = e.group_id AND n.entity_id = e.id
ON CONFLICT (group_id, entity_id) DO UPDATE SET name = excluded.name, mentions = excluded.mentions
WHERE (c.name, c.mentions) <> (excluded.name, excluded.mentions);

UPDATE annals.communities c
SET size = n.size
FROM (
    SELECT k.group_id, k.id, count(m.entity_id)::integer AS size
    FROM annals.communities k
    LEFT JOIN annals.community_members m ON m.group_id = k.group_id AND m.community_id = k.id
    GROUP BY k.group_id, k.id
) n
WHERE c.group_id = n.group_id AND c.id = n.id AND c.size <> n.size;

-- +goose Down

COMMENT ON COLUMN annals.episodes.attempts IS 'How often its processing was begun.';
ALTER FUNCTION annals.json_said(text) PARALLEL SAFE;
