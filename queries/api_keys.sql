-- name: APIKeyByPrefix :one
SELECT * FROM annals_internal.api_keys
WHERE group_id = '' AND prefix = @prefix;

-- name: APIKeyInsert :one
INSERT INTO annals_internal.api_keys (id, name, prefix, hash, admin, groups, rights, authority, expires_at)
VALUES (@id, @name, @prefix, @hash, @admin, @groups, @rights, @authority, sqlc.narg('expires_at'))
RETURNING *;

-- Lists all keys, the newest first.
-- name: APIKeyList :many
SELECT * FROM annals_internal.api_keys
WHERE group_id = ''
ORDER BY created_at DESC, id DESC;

-- Revokes a key. A key that was revoked before keeps that time.
-- name: APIKeyRevoke :one
UPDATE annals_internal.api_keys
SET revoked_at = least(revoked_at, now())
WHERE group_id = '' AND (id::text = @id_or_prefix::text OR prefix = @id_or_prefix)
RETURNING *;

-- Sets when a key expires, such as when its successor takes over. An earlier expiry stays.
-- name: APIKeySetExpiry :one
UPDATE annals_internal.api_keys
SET expires_at = least(expires_at, @expires_at::timestamptz)
WHERE group_id = '' AND (id::text = @id_or_prefix::text OR prefix = @id_or_prefix) AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > now())
RETURNING *;

-- Records that a key was used, but not for every request: that would be a write for each.
-- name: APIKeyUsed :exec
UPDATE annals_internal.api_keys
SET last_used_at = now()
WHERE group_id = '' AND id = @id AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute');
