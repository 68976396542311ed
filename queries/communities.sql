-- Lists the pairs of entities that the group's current facts connect, with the number of facts:
-- all, or only those among given entities. A fact that only says that something stopped connects no
-- entities; nor does a fact that will expire, as a community would outlive it.
-- name: FactEdges :many
SELECT least(f.source_id, f.target_id)::uuid AS a, greatest(f.source_id, f.target_id)::uuid AS b, count(*)::int AS facts
FROM annals.facts f
WHERE f.group_id = @group_id AND NOT f.ends AND f.trust <> 'candidate' AND (f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > now())
    AND f.id NOT IN (SELECT annals_internal.expiring(@group_id::text, 'fact', 'infinity'))
    AND (sqlc.narg('among')::uuid[] IS NULL OR f.source_id = ANY(sqlc.narg('among')::uuid[]) AND f.target_id = ANY(sqlc.narg('among')::uuid[]))
GROUP BY 1, 2;

-- Reads the stored communities of the group: all, or given ones.
-- name: CommunitiesStored :many
SELECT c.id, c.digest, c.stale,
    EXISTS (SELECT FROM annals_internal.community_embeddings v
        WHERE v.group_id = @group_id AND v.model = @model AND v.community_id = c.id) AS embedded,
    c.name,
    ARRAY(SELECT m.entity_id FROM annals.community_members m
        WHERE m.group_id = @group_id AND m.community_id = c.id ORDER BY m.entity_id)::uuid[] AS members
FROM annals.communities c
WHERE c.group_id = @group_id AND (sqlc.narg('ids')::uuid[] IS NULL OR c.id = ANY(sqlc.narg('ids')::uuid[]))
ORDER BY c.id;

-- Lists the communities that changed since they were summarised.
-- name: CommunitiesOutOfDate :many
SELECT id
FROM annals.communities
WHERE group_id = @group_id AND digest = ''
ORDER BY id;

-- Lists a page of the communities, the biggest first: now, or at known_at with the names that the
-- members had then. Current ones are read from the index, after the last row of the page before.
-- For the past, all versions of the group are read. Members that were erased since are missing.
-- name: CommunityList :many
WITH present AS MATERIALIZED (
    SELECT c.id, c.name, c.summary, c.created_at, c.size, ARRAY(SELECT m.entity_id FROM annals.community_members m
        WHERE m.group_id = @group_id AND m.community_id = c.id) AS members
    FROM annals.communities c
    WHERE sqlc.narg('known_at')::timestamptz IS NULL AND c.group_id = @group_id AND NOT c.stale
        AND (-c.size, c.name, c.id) > (coalesce(-sqlc.narg('after_size')::int, -2147483648),
            coalesce(sqlc.narg('after_name')::text, ''), coalesce(sqlc.narg('after_id')::uuid, '00000000-0000-0000-0000-000000000000'))
    ORDER BY -c.size, c.name, c.id
    LIMIT @max_rows::int
), sized AS MATERIALIZED (
    SELECT c.id, c.name, c.summary, c.created_at, (SELECT count(*) FROM annals_internal.entity_rows e
        WHERE e.group_id = @group_id AND e.id = ANY(c.members) AND e.recorded @> sqlc.narg('known_at')::timestamptz)::int AS size, c.members
    FROM annals.communities_at(@group_id, sqlc.narg('known_at')::timestamptz) c
    WHERE sqlc.narg('known_at')::timestamptz IS NOT NULL
), past AS MATERIALIZED (
    SELECT s.id, s.name, s.summary, s.created_at, s.size, s.members
    FROM sized s
    WHERE sqlc.narg('after_id')::uuid IS NULL OR (-s.size, s.name, s.id)
        > (-sqlc.narg('after_size')::int, sqlc.narg('after_name')::text, sqlc.narg('after_id')::uuid)
    ORDER BY s.size DESC, s.name, s.id
    LIMIT @max_rows::int
)
SELECT p.id, p.name, p.summary, p.created_at, m.ids::uuid[] AS member_ids, m.names::text[] AS member_names
FROM (SELECT * FROM present UNION ALL SELECT * FROM past) p
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(e.id ORDER BY e.name, e.id), '{}') AS ids,
        coalesce(array_agg(e.name ORDER BY e.name, e.id), '{}') AS names
    FROM unnest(p.members) AS i(id)
    CROSS JOIN LATERAL (SELECT r.id, r.name, r.is_current, r.recorded FROM annals_internal.entity_rows r WHERE r.group_id = @group_id AND r.id = i.id OFFSET 0) e
    WHERE CASE WHEN sqlc.narg('known_at')::timestamptz IS NULL THEN e.is_current ELSE e.recorded @> sqlc.narg('known_at')::timestamptz END
) m
ORDER BY p.size DESC, p.name, p.id;

-- Reads entities with their summaries, from which a community's summary is made.
-- name: EntitySummaries :many
SELECT id, name, summary
FROM annals.entities
WHERE group_id = @group_id AND id = ANY(@ids::uuid[]);

-- name: CommunityUpsert :batchexec
INSERT INTO annals.communities (group_id, id, name, summary, digest)
VALUES (@group_id, @id, @name, @summary, @digest)
ON CONFLICT (group_id, id) DO UPDATE SET name = excluded.name, summary = excluded.summary, digest = excluded.digest, stale = false;

-- name: CommunityEmbeddingUpsert :batchexec
INSERT INTO annals_internal.community_embeddings (group_id, model, community_id, embedding)
VALUES (@group_id, @model, @community_id, @embedding)
ON CONFLICT (group_id, model, community_id) DO UPDATE SET embedding = excluded.embedding;

-- Removes the vectors of communities whose names no longer hold.
-- name: CommunityEmbeddingsForget :exec
DELETE FROM annals_internal.community_embeddings
WHERE group_id = @group_id AND community_id = ANY(@ids::uuid[]);

-- name: CommunitiesDelete :exec
SELECT annals_internal.remove_rows(@group_id, 'community', @ids::uuid[]);

-- name: CommunityMembersDelete :exec
DELETE FROM annals.community_members
WHERE group_id = @group_id AND community_id = ANY(@community_ids::uuid[]);

-- Stores pairs of a community and an entity. Entities that no longer exist are left out.
-- name: CommunityMembersInsert :exec
INSERT INTO annals.community_members (group_id, community_id, entity_id)
SELECT e.group_id, pair.community_id, e.id
FROM (SELECT unnest(@community_ids::uuid[]) AS community_id, unnest(@entity_ids::uuid[]) AS entity_id) pair
JOIN annals.entities e ON e.group_id = @group_id AND e.id = pair.entity_id
ON CONFLICT DO NOTHING;

-- Finds a community for each given entity that has none: the one to which most of the current facts
-- about the entity lead (Zep, section 2.3). Ties go to the older community.
-- name: CommunityVotes :many
WITH neighbour AS (
    SELECT f.source_id AS entity_id, f.target_id AS other
    FROM annals.facts f
    WHERE f.group_id = @group_id AND f.source_id = ANY(@ids::uuid[]) AND f.id NOT IN (SELECT annals_internal.expiring(@group_id::text, 'fact', 'infinity'))
        AND NOT f.ends AND f.trust <> 'candidate' AND (f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > now())
    UNION ALL
    SELECT f.target_id, f.source_id
    FROM annals.facts f
    WHERE f.group_id = @group_id AND f.target_id = ANY(@ids::uuid[]) AND f.id NOT IN (SELECT annals_internal.expiring(@group_id::text, 'fact', 'infinity'))
        AND NOT f.ends AND f.trust <> 'candidate' AND (f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > now())
), vote AS (
    SELECT n.entity_id, m.community_id, count(*) AS facts
    FROM neighbour n
    JOIN annals.community_members m ON m.group_id = @group_id AND m.entity_id = n.other
    WHERE NOT EXISTS (
        SELECT FROM annals.community_members own WHERE own.group_id = @group_id AND own.entity_id = n.entity_id)
    GROUP BY n.entity_id, m.community_id
)
SELECT DISTINCT ON (v.entity_id) v.entity_id::uuid AS entity_id, v.community_id
FROM vote v
ORDER BY v.entity_id, v.facts DESC, v.community_id;

-- Ends the last version in which the members and the summary agree.
-- name: CommunitiesOutdate :exec
UPDATE annals.communities
SET digest = ''
WHERE group_id = @group_id AND id = ANY(@ids::uuid[]) AND digest <> '';

-- Marks the communities of some entities to be summarised again.
-- name: CommunitiesOfOutdate :exec
UPDATE annals.communities c
SET digest = ''
WHERE c.group_id = @group_id AND c.digest <> '' AND c.id IN (
    SELECT m.community_id FROM annals.community_members m WHERE m.group_id = @group_id AND m.entity_id = ANY(@entity_ids::uuid[]));

-- Empties and hides the communities of some entities until they are summarised again, as they may
-- repeat what was withdrawn or undone.
-- name: CommunitiesOfHide :exec
UPDATE annals.communities c
SET name = '', summary = '', digest = '', stale = true
WHERE c.group_id = @group_id AND NOT c.stale AND c.id IN (
    SELECT m.community_id FROM annals.community_members m WHERE m.group_id = @group_id AND m.entity_id = ANY(@entity_ids::uuid[]));

-- name: CommunityBuildArrived :exec
INSERT INTO annals_internal.community_builds (group_id, arrived)
VALUES (@group_id, @arrived)
ON CONFLICT (group_id) DO UPDATE SET arrived = community_builds.arrived + excluded.arrived;

-- Records that the communities were built. A build that left some out is unfinished: another one is
-- due.
-- name: CommunityBuildDone :exec
INSERT INTO annals_internal.community_builds (group_id, built_at, entities, arrived)
SELECT g.group_id, annals_internal.recorded_now(),
    CASE WHEN @unfinished::boolean THEN 0 ELSE (SELECT count(*) FROM annals.entities e WHERE e.group_id = g.group_id) END,
    CASE WHEN @unfinished::boolean THEN 1 ELSE 0 END
FROM annals.groups g
WHERE g.group_id = @group_id
ON CONFLICT (group_id) DO UPDATE SET built_at = excluded.built_at, entities = excluded.entities, arrived = excluded.arrived;

-- name: CommunityBuildState :one
SELECT entities, arrived
FROM annals_internal.community_builds
WHERE group_id = @group_id;
