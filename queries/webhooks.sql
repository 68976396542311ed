-- Records episodes that were added together, if a webhook wants to know when they are read.
-- name: WebhookBatchInsert :execrows
INSERT INTO annals_internal.webhook_batches (group_id, id, first_id, last_id, episodes)
SELECT @group_id, @id, @first_id, @last_id, @episodes
WHERE EXISTS (SELECT FROM annals.webhooks w WHERE w.group_id = @group_id AND 'batch.completed' = ANY(w.events));

-- name: WebhookBatchesComplete :one
SELECT annals_internal.complete_webhook_batches(@group_id);

-- Lists groups with batches that no webhook was told about yet.
-- name: WebhookBatchesOpen :many
SELECT DISTINCT group_id
FROM annals_internal.webhook_batches
ORDER BY group_id;

-- name: DeliveriesExpire :execrows
DELETE FROM annals.webhook_deliveries
WHERE state <> 'waiting' AND created_at < now() - interval '7 days';

-- name: DeliveryAttempted :exec
UPDATE annals.webhook_deliveries
SET state = @state, attempts = attempts + 1, status = sqlc.narg('status'), error = sqlc.narg('error'), attempted_at = now()
WHERE group_id = @group_id AND id = @id;

-- name: DeliveryGet :one
SELECT d.event, d.payload, w.url, w.secret
FROM annals.webhook_deliveries d
JOIN annals.webhooks w ON w.group_id = d.group_id AND w.id = d.webhook_id
WHERE d.group_id = @group_id AND d.id = @id AND d.state = 'waiting';

-- name: DeliveryList :many
SELECT id, event, episode_id, state, attempts, status, error, created_at, attempted_at
FROM annals.webhook_deliveries
WHERE group_id = @group_id AND webhook_id = @webhook_id
ORDER BY id DESC
LIMIT @max_rows::int;

-- name: WebhookDelete :execrows
DELETE FROM annals.webhooks
WHERE group_id = @group_id AND id = @id;

-- name: WebhookGet :one
SELECT * FROM annals.webhooks
WHERE group_id = @group_id AND id = @id;

-- name: WebhookInsert :one
INSERT INTO annals.webhooks (group_id, id, url, events, secret)
VALUES (@group_id, @id, @url, @events, @secret)
RETURNING created_at;

-- name: WebhookList :many
SELECT * FROM annals.webhooks
WHERE group_id = @group_id
ORDER BY id;

-- name: WebhookUpdate :one
UPDATE annals.webhooks
SET url = @url, events = @events
WHERE group_id = @group_id AND id = @id
RETURNING *;
