-- Locks the spans of a group for one transaction at a time.
-- name: RunSpansLock :exec
SELECT pg_advisory_xact_lock(hashtextextended('annals.spans:' || @group_id::text, 0));

-- Stores spans, given as a JSON list, until their run is recorded.
-- name: RunSpansInsert :exec
INSERT INTO annals_internal.run_spans (group_id, trace_id, span_id, span)
SELECT @group_id::text, s.span->>'trace', s.span->>'id', s.span
FROM jsonb_array_elements(@spans::jsonb) AS s(span)
ON CONFLICT DO NOTHING;

-- Lists the waiting spans of given traces, and of all traces that got no span for an hour.
-- name: RunSpansWaiting :many
SELECT r.span, t.stale::boolean AS stale
FROM annals_internal.run_spans r
JOIN (
    SELECT o.trace_id, max(o.received_at) < now() - interval '1 hour' AS stale
    FROM annals_internal.run_spans o
    WHERE o.group_id = @group_id::text
    GROUP BY o.trace_id
) t ON t.trace_id = r.trace_id
WHERE r.group_id = @group_id::text AND (t.stale OR r.trace_id = ANY (@traces::text[]))
ORDER BY r.trace_id, r.span_id;

-- name: RunSpansDelete :exec
DELETE FROM annals_internal.run_spans r
WHERE r.group_id = @group_id::text AND (r.trace_id, r.span_id) IN (SELECT unnest(@traces::text[]), unnest(@spans::text[]));

-- name: RunSpansCount :one
SELECT count(*)::int FROM annals_internal.run_spans r WHERE r.group_id = @group_id::text;

-- name: RunSpansErase :execrows
DELETE FROM annals_internal.run_spans r WHERE r.group_id = @group_id::text;
