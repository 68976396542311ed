-- Migration 27 counted mentions and members before it kept the counts: what
-- processes of the version before wrote in between is counted here, while nobody
-- writes. And json_said recovers from errors, for which PostgreSQL begins a
-- subtransaction; it refuses that while processes work in parallel.
--
-- +goose Up

LOCK TABLE annals.entities, annals.mentions, annals.communities, annals.community_members IN SHARE ROW EXCLUSIVE MODE;

INSERT INTO annals.entity_mentions AS m (group_id, entity_id, name, mentions)
SELECT e.group_id, e.id, e.name, (SELECT count(*) FROM annals.mentions n WHERE n.group_id = e.group_id AND n.entity_id = e.id)
FROM annals.entities e
ON CONFLICT (group_id, entity_id) DO UPDATE SET name = excluded.name, mentions = excluded.mentions
WHERE (m.name, m.mentions) IS DISTINCT FROM (excluded.name, excluded.mentions);

UPDATE annals.communities c
SET size = n.members
FROM (
    SELECT k.group_id, k.id, count(m.entity_id)::integer AS members
    FROM annals.communities k
    LEFT JOIN annals.community_members m ON m.group_id = k.group_id AND m.community_id = k.id
    GROUP BY k.group_id, k.id
) n
WHERE c.group_id = n.group_id AND c.id = n.id AND c.size <> n.members;

ALTER FUNCTION annals.json_said(text) PARALLEL UNSAFE;

-- +goose Down

ALTER FUNCTION annals.json_said(text) PARALLEL SAFE;
