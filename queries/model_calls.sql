-- name: ModelAnswer :one
SELECT answer::text AS answer
FROM annals.model_calls
WHERE group_id = @group_id AND key = @key AND answer IS NOT NULL AND NOT from_cache
ORDER BY id DESC
LIMIT 1;

-- name: ModelCallInsert :exec
INSERT INTO annals.model_calls (
    group_id, id, episode_id, kind, prompt, version, model, key, input_tokens, cached_tokens, output_tokens, latency, cost,
    from_cache, repair, answer, error
) VALUES (
    @group_id, @id, sqlc.narg('episode_id'), @kind, @prompt, @version, @model, @key, @input_tokens, @cached_tokens, @output_tokens,
    make_interval(secs => @latency_seconds::float8), sqlc.narg('cost')::float8, @from_cache, @repair, sqlc.narg('answer'), sqlc.narg('error')
);

-- name: ModelUsage :many
SELECT prompt, model, kind, sum(calls)::bigint AS calls, sum(cached)::bigint AS cached, sum(repairs)::bigint AS repairs,
    sum(failed)::bigint AS failed, sum(input_tokens)::bigint AS input_tokens, sum(output_tokens)::bigint AS output_tokens,
    coalesce(sum(cost), 0)::float8 AS cost, sum(unpriced)::bigint AS unpriced
FROM annals.model_usage
WHERE group_id = @group_id
GROUP BY prompt, model, kind
ORDER BY prompt, model, kind;
