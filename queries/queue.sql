-- Lists groups whose communities are due to be built again: because of the share of entities added
-- since the last build, or because some are hidden until then.
-- name: CommunitiesDue :many
SELECT b.group_id
FROM annals_internal.community_builds b
WHERE b.built_at IS NOT NULL AND b.arrived > 0 AND b.arrived >= b.entities * @drift::float8
UNION
SELECT c.group_id FROM annals.communities c WHERE c.stale
ORDER BY 1;

-- Deletes the finished jobs of a group, which may quote what is erased.
-- name: JobsForget :exec
SELECT annals_internal.remove_ended_jobs(@group_id);

-- Deletes the waiting job of a group that has nothing to read.
-- name: QueueForget :exec
DELETE FROM annals_internal.river_job
WHERE unique_key = annals_internal.drain_key(@group_id) AND state = 'available';

-- Postpones a group's waiting episodes, to be read by any worker. Of two times the later wins after
-- a failure, the earlier otherwise; who only found the group busy changes no job that waits. It
-- waits for a running erasure of the group, and then finds no group.
-- name: QueueHandOn :exec
WITH held AS MATERIALIZED (
    SELECT h.group_id FROM annals.groups h WHERE h.group_id = @group_id FOR KEY SHARE OF h
)
INSERT INTO annals_internal.river_job AS j (args, kind, max_attempts, queue, scheduled_at, metadata, unique_key, unique_states)
SELECT jsonb_build_object('group_id', g.group_id), 'drain', 25, 'episodes', clock_timestamp() + make_interval(secs => @wait_seconds::float8),
    jsonb_build_object('failures', @failures::int), annals_internal.drain_key(g.group_id), B'00000001'
FROM held g
ON CONFLICT (unique_key) WHERE unique_key IS NOT NULL AND unique_states IS NOT NULL
    AND annals_internal.river_job_state_in_bitmask(unique_states, state)
DO UPDATE SET metadata = excluded.metadata,
    scheduled_at = CASE WHEN @failures::int > 0 THEN greatest(j.scheduled_at, excluded.scheduled_at)
        ELSE least(j.scheduled_at, excluded.scheduled_at) END
WHERE @failures::int > 0 OR @wait_seconds::float8 = 0;

-- Reports whether nobody is adding to a group, and keeps it so until the transaction ends.
-- name: QueueQuiet :one
SELECT pg_try_advisory_xact_lock(annals_internal.adding_key(@group_id));

-- Counts the waiting episodes, since when they wait, and the outcomes of the jobs.
-- name: QueueState :one
SELECT w.episodes, coalesce(extract(epoch FROM now() - w.oldest), 0)::float8 AS oldest_seconds,
    w.groups, j.waiting, j.running, j.retrying
FROM (
    SELECT count(*) AS episodes, min(e.created_at) AS oldest, count(DISTINCT e.group_id) AS groups
    FROM annals.episodes e
    WHERE e.state IN ('pending', 'processing') AND NOT e.deferred
) w, (
    SELECT count(*) FILTER (WHERE r.state = 'available') AS waiting, count(*) FILTER (WHERE r.state = 'running') AS running,
        count(*) FILTER (WHERE r.state = 'retryable') AS retrying
    FROM annals_internal.river_job r
    WHERE r.state IN ('available', 'running', 'retryable')
) j;

-- Lists groups with waiting episodes but without a waiting job: the transaction that added them was
-- too late for a job that ended, or the process with the job died. It reads one index entry for
-- each waiting group, not for each episode.
-- name: QueueStranded :many
SELECT w.group_id::text AS group_id
FROM annals_internal.waiting_groups() AS w(group_id)
WHERE NOT EXISTS (
    SELECT FROM annals_internal.river_job j
    WHERE j.unique_key = annals_internal.drain_key(w.group_id) AND j.unique_states IS NOT NULL AND j.state = 'available');

-- Lists groups whose policy has not been applied for some time.
-- name: RetentionDue :many
SELECT group_id
FROM annals.retention
WHERE applied_at IS NULL OR applied_at < now() - make_interval(secs => @every_seconds::float8)
ORDER BY applied_at NULLS FIRST, group_id;
