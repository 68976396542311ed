-- Takes the key of a request, unless it was taken within the last day. A key that was taken a while
-- ago, but is neither done nor answered, was left by a crash.
-- name: ReplyClaim :execrows
INSERT INTO annals_internal.replies AS r (group_id, caller, key, request_hash, created_at)
VALUES (@group_id, @caller, @key, @request_hash, now())
ON CONFLICT (group_id, caller, key) DO UPDATE
SET request_hash = excluded.request_hash, status = NULL, header = '{}', body = '', done = false, created_at = excluded.created_at
WHERE annals_internal.seconds_after(r.created_at, 24 * 3600) < excluded.created_at
    OR (r.status IS NULL AND NOT r.done AND annals_internal.seconds_after(r.created_at, 600) < excluded.created_at);

-- name: ReplyForget :exec
DELETE FROM annals_internal.replies
WHERE group_id = @group_id AND caller = @caller AND key = @key AND status IS NULL AND NOT done;

-- Records that a request is done, in the transaction that does it.
-- name: ReplyDone :exec
UPDATE annals_internal.replies
SET done = true
WHERE group_id = @group_id AND caller = @caller AND key = @key;

-- name: ReplyGet :one
SELECT request_hash, status, header, body, done
FROM annals_internal.replies
WHERE group_id = @group_id AND caller = @caller AND key = @key;

-- name: ReplyKeep :exec
UPDATE annals_internal.replies
SET status = @status::int, header = @header, body = @body, done = true
WHERE group_id = @group_id AND caller = @caller AND key = @key;

-- name: RepliesDelete :execrows
DELETE FROM annals_internal.replies
WHERE group_id = @group_id;

-- name: RepliesExpire :execrows
DELETE FROM annals_internal.replies
WHERE created_at < now() - interval '24 hours';
