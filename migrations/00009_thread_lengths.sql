-- How long a conversation is, read from the index alone.
--
-- +goose Up

DROP INDEX annals.episodes_thread;
CREATE INDEX episodes_thread ON annals.episodes (group_id, thread_id, occurred_at, id) INCLUDE (length, role);

-- +goose Down

DROP INDEX annals.episodes_thread;
CREATE INDEX episodes_thread ON annals.episodes (group_id, thread_id, occurred_at, id);
