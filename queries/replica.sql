-- Returns the position that a replica must have replayed to show all that is committed on the
-- primary. It writes a message to the log after that, which does nothing. Its commit flushes to the
-- disk, and so sends to the replicas, what was committed asynchronously.
-- name: LogMark :one
SELECT pg_logical_emit_message(true, 'annals', '')::text AS lsn;

-- Returns the position of this server in the log: how far a replica has replayed, or a primary has
-- written.
-- name: LogReplayed :one
SELECT pg_is_in_recovery() AS following,
    coalesce(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END, '0/0')::text AS lsn;
