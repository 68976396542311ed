-- name: ModelAnswer :one
SELECT answer::text AS answer
FROM annals.model_calls
WHERE group_id = @group_id AND key = @key AND answer IS NOT NULL AND NOT from_cache
ORDER BY id DESC
LIMIT 1;

-- Prevents answers of models from being stored, from before an erasure of the group begins to empty
-- them until it commits.
-- name: AnswersHold :exec
SELECT pg_advisory_xact_lock(hashtextextended('annals.answers:' || @group_id::text, 0));

-- Reports whether no such erasure is running, and blocks the next one until the current write
-- commits.
-- name: AnswersTry :one
SELECT pg_try_advisory_xact_lock_shared(hashtextextended('annals.answers:' || @group_id::text, 0));

-- Stores a call. If something is being erased, or was erased since a minute before the call was
-- asked, the call may repeat it: then only its cost is stored. The same holds if the group did not
-- exist when the call was asked, or exists no more.
-- name: ModelCallInsert :exec
INSERT INTO annals.model_calls (
    group_id, id, episode_id, kind, prompt, version, model, key, input_tokens, cached_tokens, output_tokens, latency, cost,
    from_cache, repair, answer, error
)
SELECT @group_id::text, @id::uuid, sqlc.narg('episode_id')::uuid, @kind::text, @prompt::text, @version::int, @model::text,
    CASE WHEN w.erased THEN '' ELSE @key::bytea END, @input_tokens::int, @cached_tokens::int, @output_tokens::int,
    make_interval(secs => @latency_seconds::float8), sqlc.narg('cost')::float8, @from_cache::boolean, @repair::boolean,
    CASE WHEN NOT w.erased THEN sqlc.narg('answer')::text END, CASE WHEN NOT w.erased THEN sqlc.narg('error')::text END
FROM (
    SELECT @being_erased::boolean OR @group_id::text <> '' AND NOT EXISTS (SELECT FROM annals.groups g
            WHERE g.group_id = @group_id::text AND g.created_at <= clock_timestamp() - make_interval(secs => @asked_for_seconds::float8))
        OR EXISTS (SELECT FROM annals.erasures e
            WHERE e.group_id = @group_id::text AND e.erased_at > clock_timestamp() - make_interval(mins => 1, secs => @asked_for_seconds::float8)) AS erased
) w;

-- name: ModelUsage :many
SELECT prompt, model, kind, sum(calls)::bigint AS calls, sum(cached)::bigint AS cached, sum(repairs)::bigint AS repairs,
    sum(failed)::bigint AS failed, sum(input_tokens)::bigint AS input_tokens, sum(output_tokens)::bigint AS output_tokens,
    coalesce(sum(cost), 0)::float8 AS cost, sum(unpriced)::bigint AS unpriced
FROM annals.model_usage
WHERE group_id = @group_id
GROUP BY prompt, model, kind
ORDER BY prompt, model, kind;
