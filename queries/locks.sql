-- Locks that a process holds while it works. A transaction that does nothing else holds each, and
-- is exempt from the timeout of idle transactions. A lock ends with its transaction. db/lock.go has
-- the names.

-- name: LockTry :one
WITH idle AS MATERIALIZED (
    SELECT set_config('idle_in_transaction_session_timeout', '0', true) AS timeout
)
SELECT pg_try_advisory_xact_lock(hashtextextended('annals.' || @name::text || left(i.timeout, 0), 0)) AS locked FROM idle i;

-- name: LockWait :exec
WITH idle AS MATERIALIZED (
    SELECT set_config('idle_in_transaction_session_timeout', '0', true) AS timeout
)
SELECT pg_advisory_xact_lock(hashtextextended('annals.' || @name::text || left(i.timeout, 0), 0)) FROM idle i;
