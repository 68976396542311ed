-- Returns, for each given name, its folded form and the entities that have it, as their name or as
-- an alias; the zero id if none has. A list in a subquery hides its length from the planner, here and
-- in other statements that every episode runs: for a list of known length it would plan each call
-- anew, which takes longer.
-- name: EntitiesByNames :many
SELECT asked.place::int AS place, asked.name_key::text AS name_key,
    coalesce(n.entity_id, '00000000-0000-0000-0000-000000000000')::uuid AS entity_id, coalesce(n.is_alias, false)::boolean AS is_alias
FROM (SELECT a.place, annals_internal.name_key(a.name) AS name_key FROM unnest((SELECT @names::text[])) WITH ORDINALITY AS a(name, place) OFFSET 0) asked
LEFT JOIN LATERAL (
    SELECT x.entity_id, annals_internal.name_key(e.name) <> x.name_key AS is_alias
    FROM annals_internal.entity_names x JOIN annals.entities e ON e.group_id = @group_id AND e.id = x.entity_id
    WHERE x.group_id = @group_id AND x.name_key = asked.name_key OFFSET 0
) n ON true
ORDER BY asked.place, n.entity_id;

-- Lists the entities that have a role as their name, such as User, and whether each was the last to
-- speak in that role in a conversation. In the memory of a user, all conversations are the user's.
-- name: SpeakersCalled :many
WITH called AS MATERIALIZED (
    SELECT n.id, n.name FROM annals_internal.entity_names x
    JOIN annals.entities n ON n.group_id = @group_id AND n.id = x.entity_id
    WHERE x.group_id = @group_id AND x.name_key = annals_internal.name_key(@role::text)
), last AS MATERIALIZED (
    SELECT e.id FROM annals.episodes e
    WHERE e.group_id = @group_id AND e.thread_id = @thread_id AND e.source = 'message' AND e.state = 'done'
        AND lower(CASE WHEN e.actor = '' THEN e.role ELSE e.actor END) = lower(@role::text)
        AND EXISTS (SELECT FROM annals.mentions m WHERE m.group_id = @group_id AND m.episode_id = e.id AND m.entity_id IN (SELECT c.id FROM called c))
    ORDER BY e.occurred_at DESC, e.id DESC
    LIMIT 1
)
SELECT c.id, c.name, (g.kind = 'user' OR EXISTS (
    SELECT FROM annals.mentions m WHERE m.group_id = @group_id AND m.entity_id = c.id AND m.episode_id IN (SELECT l.id FROM last l)))::boolean AS speaks
FROM called c
JOIN annals.groups g ON g.group_id = @group_id
ORDER BY c.id;

-- Reports whether an entity that has a role as its name spoke in that role in another conversation.
-- In the memory of a user it is false, as all conversations are the user's.
-- name: SpeaksElsewhere :one
SELECT EXISTS (
    SELECT FROM annals.groups g
    JOIN annals.mentions m ON m.group_id = @group_id AND m.entity_id = @id
    JOIN annals.episodes e ON e.group_id = @group_id AND e.id = m.episode_id
    WHERE g.group_id = @group_id AND g.kind <> 'user' AND e.thread_id <> @thread_id AND e.source = 'message'
        AND lower(CASE WHEN e.actor = '' THEN e.role ELSE e.actor END) = lower(@role::text));

-- Finds the entities that a name may mean: with a similar spelling, with a name that contains it or
-- is contained in it, or with the nearest vector of a name.
-- name: EntityCandidates :batchmany
WITH spelled AS (
    SELECT n.entity_id, max(annals_internal.spelling_similarity(n.name_key, annals_internal.name_key(@name))) AS nearness
    FROM annals_internal.entity_names n
    WHERE n.group_id = @group_id
        AND (annals_internal.spelled_alike(n.name_key, annals_internal.name_key(@name)) OR annals_internal.word_spelled_alike(n.name_key, annals_internal.name_key(@name)))
    GROUP BY n.entity_id
    ORDER BY 2 DESC, 1
    LIMIT @max_rows::int
), part AS (
    SELECT n.entity_id, 0.5::real AS nearness
    FROM annals_internal.entity_names n
    WHERE n.group_id = @group_id AND n.name_key IN (SELECT annals_internal.name_key(p) FROM unnest((SELECT @parts::text[])) AS p)
    LIMIT @max_rows::int
), near AS (
    SELECT v.entity_id, (1 - annals_internal.distance(v.embedding, @embedding))::real AS nearness
    FROM annals_internal.entity_embeddings v
    WHERE v.group_id = @group_id AND v.model = @model AND 1 - annals_internal.distance(v.embedding, @embedding) >= @min_similarity::float8
    ORDER BY annals_internal.distance(v.embedding, @embedding) + 0
    LIMIT @max_rows::int
)
SELECT c.entity_id
FROM (SELECT * FROM spelled UNION ALL SELECT * FROM part UNION ALL SELECT * FROM near) c
GROUP BY c.entity_id
ORDER BY max(c.nearness) DESC, c.entity_id
LIMIT @max_rows::int;

-- name: EntitiesByIDs :many
SELECT e.* FROM annals_internal.entity_rows e
WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[]) AND e.is_current
    AND (NOT EXISTS (SELECT FROM annals_internal.expired_marks m WHERE m.group_id = @group_id)
        OR e.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'entity', now())));

-- Lists the changes of entities between two times.
-- name: EntityChanges :many
SELECT c.change::text AS change, c.id::uuid AS id,
    coalesce(c.merged_into, '00000000-0000-0000-0000-000000000000')::uuid AS merged_into,
    c.changed_at::timestamptz AS changed_at, c.caused_by::uuid[] AS caused_by
FROM annals.entity_changes(@group_id, @from_at::timestamptz, @to_at::timestamptz) c
LIMIT @max_rows::int;

-- Finds the entities that had a name, or an id, at a time. An entity that was merged by then is
-- replaced by the one it was merged into.
-- name: EntityFindKnown :many
SELECT v.*
FROM annals_internal.entity_rows v
WHERE v.group_id = @group_id AND v.recorded @> @known_at::timestamptz
    AND v.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'entity', @known_at::timestamptz)) AND CASE WHEN sqlc.narg('id')::uuid IS NOT NULL
    THEN v.id = coalesce((SELECT m.merged_into FROM annals_internal.entity_merges m
        WHERE m.group_id = @group_id AND m.id = sqlc.narg('id')::uuid AND m.merged_at <= @known_at::timestamptz), sqlc.narg('id')::uuid)
    ELSE EXISTS (SELECT FROM unnest(v.aliases || v.name) AS n(name) WHERE annals_internal.name_key(n.name) = annals_internal.name_key(@name::text))
    END
ORDER BY v.id
LIMIT 10;

-- name: EntityInsert :batchexec
INSERT INTO annals.entities (group_id, id, name, aliases, labels, summary, written, attributes)
VALUES (@group_id, @id, @name, @aliases, @labels, @summary, @written, @attributes);

-- Lists a page of the visible entities, the most mentioned first: now, or at known_at; all, or
-- those that some fact at valid_at is about. Current ones are read from the index, after the last
-- row of the page before; if a mention may be hidden, all are counted. For the past, all versions
-- of the group are read, but only the columns of the order.
-- name: EntityList :many
WITH counted AS MATERIALIZED (
    SELECT c.entity_id, c.name, c.mentions - annals_internal.hidden_mentions(@group_id::text, c.entity_id)::int AS mentions
    FROM annals_internal.entity_mentions c
    WHERE sqlc.narg('known_at')::timestamptz IS NULL AND c.group_id = @group_id AND (SELECT annals_internal.hides_mentions(@group_id::text))
), present AS MATERIALIZED (
    (SELECT c.entity_id AS id, c.name, c.mentions::bigint AS mentions
    FROM annals_internal.entity_mentions c
    WHERE sqlc.narg('known_at')::timestamptz IS NULL AND c.group_id = @group_id AND NOT (SELECT annals_internal.hides_mentions(@group_id::text))
        AND c.entity_id NOT IN (SELECT annals_internal.expired(@group_id::text, 'entity', now()))
        AND annals_internal.entity_shown(@group_id::text, c.entity_id, 'believed')
        AND (-c.mentions, c.name, c.entity_id) > (coalesce(-sqlc.narg('after_mentions')::int, -2147483648),
            coalesce(sqlc.narg('after_name')::text, ''), coalesce(sqlc.narg('after_id')::uuid, '00000000-0000-0000-0000-000000000000'))
        AND (sqlc.narg('valid_at')::timestamptz IS NULL
            OR (SELECT true FROM annals.facts f -- EXISTS would first read the facts of all
                WHERE f.group_id = @group_id AND f.source_id = c.entity_id AND f.valid @> sqlc.narg('valid_at')::timestamptz LIMIT 1)
            OR (SELECT true FROM annals.facts f
                WHERE f.group_id = @group_id AND f.target_id = c.entity_id AND f.valid @> sqlc.narg('valid_at')::timestamptz LIMIT 1))
    ORDER BY -c.mentions, c.name, c.entity_id
    LIMIT @max_rows::int)
    UNION ALL
    (SELECT c.entity_id, c.name, c.mentions::bigint
    FROM counted c
    WHERE c.entity_id NOT IN (SELECT annals_internal.expired(@group_id::text, 'entity', now()))
        AND annals_internal.entity_shown(@group_id::text, c.entity_id, 'believed')
        AND (-c.mentions, c.name, c.entity_id) > (coalesce(-sqlc.narg('after_mentions')::int, -2147483648),
            coalesce(sqlc.narg('after_name')::text, ''), coalesce(sqlc.narg('after_id')::uuid, '00000000-0000-0000-0000-000000000000'))
        AND (sqlc.narg('valid_at')::timestamptz IS NULL
            OR (SELECT true FROM annals.facts f -- EXISTS would first read the facts of all
                WHERE f.group_id = @group_id AND f.source_id = c.entity_id AND f.valid @> sqlc.narg('valid_at')::timestamptz LIMIT 1)
            OR (SELECT true FROM annals.facts f
                WHERE f.group_id = @group_id AND f.target_id = c.entity_id AND f.valid @> sqlc.narg('valid_at')::timestamptz LIMIT 1))
    ORDER BY -c.mentions, c.name, c.entity_id
    LIMIT @max_rows::int)
), past AS MATERIALIZED (
    SELECT v.id, v.name, v.mentions
    FROM (
        SELECT e.id, e.name, e.recorded, c.mentions
        FROM annals.entities e
        JOIN annals_internal.entity_mentions c ON c.group_id = @group_id AND c.entity_id = e.id
        WHERE e.group_id = @group_id
        UNION ALL
        SELECT h.id, h.name, h.recorded, cardinality(h.evidence)
        FROM annals_internal.entities_history h
        WHERE h.group_id = @group_id
    ) v
    WHERE sqlc.narg('known_at')::timestamptz IS NOT NULL AND v.recorded @> sqlc.narg('known_at')::timestamptz
        AND v.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'entity', sqlc.narg('known_at')::timestamptz))
        AND annals_internal.entity_shown(@group_id::text, v.id, 'believed')
        AND (sqlc.narg('after_id')::uuid IS NULL OR (-v.mentions, v.name, v.id)
            > (-sqlc.narg('after_mentions')::int, sqlc.narg('after_name')::text, sqlc.narg('after_id')::uuid))
        AND (sqlc.narg('valid_at')::timestamptz IS NULL OR v.id IN (
            SELECT unnest(ARRAY[f.source_id, f.target_id]) FROM annals.facts f
            WHERE f.group_id = @group_id AND f.valid @> sqlc.narg('valid_at')::timestamptz
                AND f.recorded @> sqlc.narg('known_at')::timestamptz
            UNION ALL
            SELECT unnest(ARRAY[f.source_id, f.target_id]) FROM annals_internal.facts_history f
            WHERE f.group_id = @group_id AND f.valid @> sqlc.narg('valid_at')::timestamptz
                AND f.recorded @> sqlc.narg('known_at')::timestamptz))
    ORDER BY v.mentions DESC, v.name, v.id
    LIMIT @max_rows::int
)
SELECT sqlc.embed(r), p.mentions::bigint AS mentions
FROM (SELECT * FROM present UNION ALL SELECT * FROM past) p
JOIN annals_internal.entity_rows r ON r.group_id = @group_id AND r.id = p.id
    AND CASE WHEN sqlc.narg('known_at')::timestamptz IS NULL THEN r.is_current ELSE r.recorded @> sqlc.narg('known_at')::timestamptz END
ORDER BY p.mentions DESC, p.name, p.id;

-- name: EntityUpdate :batchexec
UPDATE annals.entities
SET name = @name, aliases = @aliases, labels = @labels, summary = @summary, written = @written, attributes = @attributes
WHERE group_id = @group_id AND id = @id;

-- Lists every version of an entity, the oldest first.
-- name: EntityVersions :many
SELECT v.* FROM annals_internal.entity_rows v
WHERE v.group_id = @group_id AND v.id = @id
ORDER BY lower(v.recorded);

-- name: MentionsInsert :exec
INSERT INTO annals.mentions (group_id, episode_id, entity_id)
SELECT @group_id, unnest(@episode_ids::uuid[]), unnest(@entity_ids::uuid[])
ON CONFLICT DO NOTHING;
