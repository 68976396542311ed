-- For each name asked for, how it is folded and which entities go by it.
-- name: EntitiesByNames :many
SELECT asked.place::int AS place, annals.name_key(asked.name) AS name_key, n.entity_id
FROM unnest(@names::text[]) WITH ORDINALITY AS asked(name, place)
LEFT JOIN annals.entity_names n ON n.group_id = @group_id AND n.name_key = annals.name_key(asked.name)
ORDER BY asked.place, n.entity_id;

-- Holds the rows still until the transaction ends and says which version they are in.
-- name: EntitiesLock :many
SELECT id, recorded
FROM annals.entities
WHERE group_id = @group_id AND id = ANY(@ids::uuid[])
ORDER BY id
FOR UPDATE;

-- The entities a name may mean: those spelled alike, those whose name holds it
-- or is a part of it, and those whose name lies nearest as a vector.
-- name: EntityCandidates :batchmany
WITH spelled AS (
    SELECT n.entity_id, max(similarity(n.name_key, annals.name_key(@name))) AS nearness
    FROM annals.entity_names n
    WHERE n.group_id = @group_id
        AND (n.name_key % annals.name_key(@name) OR n.name_key %> annals.name_key(@name))
    GROUP BY n.entity_id
    ORDER BY 2 DESC, 1
    LIMIT @max_rows::int
), part AS (
    SELECT n.entity_id, 0.5::real AS nearness
    FROM annals.entity_names n
    WHERE n.group_id = @group_id AND n.name_key IN (SELECT annals.name_key(p) FROM unnest(@parts::text[]) AS p)
    LIMIT @max_rows::int
), near AS (
    SELECT v.entity_id, (1 - (v.embedding <=> @embedding))::real AS nearness
    FROM annals.entity_embeddings v
    WHERE v.group_id = @group_id AND v.model = @model AND 1 - (v.embedding <=> @embedding) >= @min_similarity::float8
    ORDER BY (v.embedding <=> @embedding) + 0
    LIMIT @max_rows::int
)
SELECT c.entity_id
FROM (SELECT * FROM spelled UNION ALL SELECT * FROM part UNION ALL SELECT * FROM near) c
GROUP BY c.entity_id
ORDER BY max(c.nearness) DESC, c.entity_id
LIMIT @max_rows::int;

-- name: EntitiesByIDs :many
SELECT id, name, aliases, labels, summary, attributes, created_at, recorded
FROM annals.entities
WHERE group_id = @group_id AND id = ANY(@ids::uuid[]);

-- name: EntityInsert :batchexec
INSERT INTO annals.entities (group_id, id, name, aliases, labels, summary, attributes)
VALUES (@group_id, @id, @name, @aliases, @labels, @summary, @attributes);

-- name: EntityList :many
SELECT e.id, e.name, e.aliases, e.labels, e.summary, e.attributes, e.created_at, e.recorded,
    (SELECT count(*) FROM annals.mentions m WHERE m.group_id = e.group_id AND m.entity_id = e.id) AS mentions
FROM annals.entities e
WHERE e.group_id = @group_id
ORDER BY mentions DESC, e.name, e.id
LIMIT @max_rows::int;

-- name: EntityUpdate :batchexec
UPDATE annals.entities
SET name = @name, aliases = @aliases, labels = @labels, summary = @summary, attributes = @attributes
WHERE group_id = @group_id AND id = @id;

-- name: MentionsInsert :batchexec
INSERT INTO annals.mentions (group_id, episode_id, entity_id)
VALUES (@group_id, @episode_id, @entity_id)
ON CONFLICT DO NOTHING;
