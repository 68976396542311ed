-- Users, and look-ups across groups. The groups are those of a namespace, as in acme:alice, or all
-- if it is empty; a list narrows them further, if it has any.

-- name: UserGet :one
SELECT * FROM annals_internal.user_rows
WHERE group_id = @group_id;

-- Stores a user. An existing one stays as they are.
-- name: UserInsert :execrows
INSERT INTO annals.users (group_id, email, first_name, last_name, metadata, plain)
VALUES (@group_id, @email, @first_name, @last_name, @metadata, @plain)
ON CONFLICT (group_id) DO NOTHING;

-- name: UserUpdate :execrows
UPDATE annals.users
SET email = coalesce(sqlc.narg('email')::text, email), first_name = coalesce(sqlc.narg('first_name')::text, first_name),
    last_name = coalesce(sqlc.narg('last_name')::text, last_name), metadata = coalesce(sqlc.narg('metadata')::jsonb, metadata),
    plain = coalesce(sqlc.narg('plain')::boolean, plain), updated_at = now()
WHERE group_id = @group_id;

-- name: UsersWithin :many
SELECT sqlc.embed(u), count(*) OVER () AS total
FROM annals_internal.user_rows u
WHERE annals_internal.is_among(u.group_id, @namespace::text, sqlc.narg('among')::text[])
    AND (@search::text = '' OR strpos(lower(concat_ws(' ', substr(u.group_id, sqlc.arg('skip_prefix')::int + 1), u.email, u.first_name, u.last_name)), lower(@search::text)) > 0)
ORDER BY
    CASE WHEN @ascending::boolean THEN CASE @order_by::text WHEN 'user_id' THEN u.group_id WHEN 'email' THEN u.email END END,
    CASE WHEN NOT @ascending::boolean THEN CASE @order_by::text WHEN 'user_id' THEN u.group_id WHEN 'email' THEN u.email END END DESC,
    CASE WHEN @ascending::boolean THEN u.created_at END, CASE WHEN NOT @ascending::boolean THEN u.created_at END DESC, u.group_id
OFFSET @skip::int
LIMIT @max_rows::int;

-- name: GraphsWithin :many
SELECT sqlc.embed(g), count(*) OVER () AS total
FROM annals_internal.group_rows g
WHERE annals_internal.is_among(g.group_id, @namespace::text, sqlc.narg('among')::text[]) AND g.kind = 'graph'
    AND (@search::text = '' OR strpos(lower(concat_ws(' ', substr(g.group_id, sqlc.arg('skip_prefix')::int + 1), g.name, g.description)), lower(@search::text)) > 0)
ORDER BY
    CASE WHEN @ascending::boolean THEN CASE @order_by::text WHEN 'graph_id' THEN g.group_id WHEN 'name' THEN g.name END END,
    CASE WHEN NOT @ascending::boolean THEN CASE @order_by::text WHEN 'graph_id' THEN g.group_id WHEN 'name' THEN g.name END END DESC,
    CASE WHEN @ascending::boolean THEN g.created_at END, CASE WHEN NOT @ascending::boolean THEN g.created_at END DESC, g.group_id
OFFSET @skip::int
LIMIT @max_rows::int;

-- name: ThreadsWithin :many
SELECT t.group_id, t.id, t.created_at::timestamptz AS created_at, t.updated_at, count(*) OVER () AS total
FROM annals.groups g
JOIN annals.threads t ON t.group_id = g.group_id
WHERE annals_internal.is_among(g.group_id, @namespace::text, sqlc.narg('among')::text[]) AND t.created_at IS NOT NULL
ORDER BY
    CASE WHEN @ascending::boolean THEN CASE @order_by::text WHEN 'thread_id' THEN t.id WHEN 'user_id' THEN t.group_id END END,
    CASE WHEN NOT @ascending::boolean THEN CASE @order_by::text WHEN 'thread_id' THEN t.id WHEN 'user_id' THEN t.group_id END END DESC,
    CASE WHEN @ascending::boolean THEN CASE @order_by::text WHEN 'updated_at' THEN t.updated_at ELSE t.created_at END END,
    CASE WHEN NOT @ascending::boolean THEN CASE @order_by::text WHEN 'updated_at' THEN t.updated_at ELSE t.created_at END END DESC,
    t.group_id, t.id
OFFSET @skip::int
LIMIT @max_rows::int;

-- Finds the groups that have a thread with a name.
-- name: GroupsOfThread :many
SELECT t.group_id
FROM annals.threads t
WHERE t.id = @id AND t.created_at IS NOT NULL
    AND annals_internal.is_among(t.group_id, @namespace::text, sqlc.narg('among')::text[])
ORDER BY t.group_id
LIMIT 2;

-- Finds the groups with a UUID: two only if one is named by the UUID of the other.
-- name: GroupsOfUUID :many
SELECT g.group_id
FROM annals.groups g
WHERE annals_internal.named_uuid(g.group_id) = @id::uuid
    AND annals_internal.is_among(g.group_id, @namespace::text, sqlc.narg('among')::text[])
ORDER BY g.group_id
LIMIT 2;

-- Finds the conversations with a UUID.
-- name: ThreadsOfUUID :many
SELECT t.group_id, t.id, t.created_at::timestamptz AS created_at, t.updated_at
FROM annals.threads t
WHERE annals_internal.named_uuid(t.group_id || '/' || t.id) = @id::uuid AND t.created_at IS NOT NULL
    AND annals_internal.is_among(t.group_id, @namespace::text, sqlc.narg('among')::text[])
ORDER BY t.group_id
LIMIT 2;

-- Finds the groups that have an episode, an entity or a fact with an id: one probe of a primary key
-- for each group. Merged entities are found too.
-- name: GroupsOfRow :many
SELECT g.group_id
FROM annals.groups g
WHERE annals_internal.is_among(g.group_id, @namespace::text, sqlc.narg('among')::text[])
    AND CASE @kind::annals.kind
        WHEN 'episode' THEN EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = g.group_id AND e.id = @id::uuid)
        WHEN 'entity' THEN EXISTS (SELECT FROM annals.entities n WHERE n.group_id = g.group_id AND n.id = @id::uuid)
            OR EXISTS (SELECT FROM annals_internal.entity_merges m WHERE m.group_id = g.group_id AND m.id = @id::uuid)
        WHEN 'fact' THEN EXISTS (SELECT FROM annals.facts f WHERE f.group_id = g.group_id AND f.id = @id::uuid)
        ELSE false
    END
ORDER BY g.group_id
LIMIT 2;
