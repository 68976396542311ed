-- Repairs by 'annals doctor --fix' of what health.sql finds.

-- Corrects the member counts of communities. Nobody else may write meanwhile; see MendCountsLock.
-- name: MendCommunities :execrows
UPDATE annals.communities c
SET size = n.members
FROM (
    SELECT k.group_id, k.id, count(m.entity_id)::integer AS members
    FROM annals.communities k
    LEFT JOIN annals.community_members m ON m.group_id = k.group_id AND m.community_id = k.id
    GROUP BY k.group_id, k.id
) n
WHERE c.group_id = n.group_id AND c.id = n.id AND c.size <> n.members;

-- name: MendCountsLock :exec
LOCK TABLE annals.entities, annals.mentions, annals.communities, annals.community_members IN SHARE ROW EXCLUSIVE MODE;

-- Lists groups without the counts that searches rank by. Groups that are being read get them once
-- no episode waits.
-- name: MendCountsGroups :many
SELECT g.group_id
FROM annals.groups g
WHERE EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = g.group_id AND e.state = 'done')
    AND NOT EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = g.group_id AND e.state IN ('pending', 'processing') AND NOT e.deferred)
    AND NOT EXISTS (SELECT FROM annals_internal.search_statistics s WHERE s.group_id = g.group_id)
ORDER BY g.group_id;

-- Corrects the mention counts of entities, as MendCommunities does for members.
-- name: MendMentions :execrows
INSERT INTO annals_internal.entity_mentions AS k (group_id, entity_id, name, mentions)
SELECT e.group_id, e.id, e.name, count(m.episode_id)::integer
FROM annals.entities e
LEFT JOIN annals.mentions m ON m.group_id = e.group_id AND m.entity_id = e.id
GROUP BY e.group_id, e.id
ON CONFLICT (group_id, entity_id) DO UPDATE SET name = excluded.name, mentions = excluded.mentions
WHERE (k.name, k.mentions) IS DISTINCT FROM (excluded.name, excluded.mentions);

-- Sets how long a repairing transaction waits for a lock, as later transactions queue behind it.
-- name: MendLockTimeout :exec
SELECT annals_internal.set_local('lock_timeout', '10s');

-- Advances the sequences that lag behind the numbers of rows. It does not touch the others, whose
-- numbers somebody may be taking.
-- name: MendSequences :exec
SELECT setval('annals_internal.river_job_id_seq', m.id)
FROM (SELECT max(j.id) AS id FROM annals_internal.river_job j) m
JOIN pg_catalog.pg_sequences s ON s.schemaname = 'annals_internal' AND s.sequencename = 'river_job_id_seq' AND coalesce(s.last_value, 0) < m.id
UNION ALL
SELECT setval('annals_internal.river_notification_id_seq', m.id)
FROM (SELECT max(n.id) AS id FROM annals_internal.river_notification n) m
JOIN pg_catalog.pg_sequences s ON s.schemaname = 'annals_internal' AND s.sequencename = 'river_notification_id_seq' AND coalesce(s.last_value, 0) < m.id;
