-- Returns what a replica must have replayed to show all that is committed on the
-- primary. The message is written to the log behind it and does nothing; its
-- commit sends to the disk, and so to the replicas, what was committed without
-- waiting for that.
-- name: LogMark :one
SELECT pg_logical_emit_message(true, 'annals', '')::text AS lsn;

-- Returns how far the server that is asked has come: what a replica has
-- replayed, or what a primary has written.
-- name: LogReplayed :one
SELECT pg_is_in_recovery() AS following,
    coalesce(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END, '0/0')::text AS lsn;
