-- Reports whether the rows behind an answer are as they were when it was asked, and locks them
-- until the transaction ends.
-- name: AnswerHold :one
SELECT annals_internal.lock_answer_rows(@group_id::text, @id::uuid, @asked_at::timestamptz) AS held;

-- Keeps a question answered, unless the group keeps too many already. A question that it keeps is
-- asked again if it is to be answered in another form.
-- name: AnswerKeep :many
INSERT INTO annals.answers AS a (group_id, id, question, schema, tokens)
SELECT @group_id, @id, @question, @schema, @tokens
WHERE EXISTS (SELECT FROM annals.answers k WHERE k.group_id = @group_id AND k.question = @question)
    OR (SELECT count(*) FROM annals.answers k WHERE k.group_id = @group_id) < @most::int
ON CONFLICT (group_id, question) DO UPDATE SET schema = excluded.schema, tokens = excluded.tokens,
    stale = a.stale OR (a.schema, a.tokens) <> (excluded.schema, excluded.tokens),
    body = CASE WHEN (a.schema, a.tokens) = (excluded.schema, excluded.tokens) THEN a.body ELSE '{}' END,
    good_until = CASE WHEN (a.schema, a.tokens) = (excluded.schema, excluded.tokens) THEN a.good_until END,
    retry_at = NULL
RETURNING a.id;

-- Lists standing answers, now or as believed at known_at, in the order in which they were made.
-- name: AnswerList :many
SELECT a.id, a.question, a.schema, a.tokens, a.stale, a.body, a.answered_at, a.good_until, a.recorded, a.created_at
FROM annals.answer_versions a
WHERE a.group_id = @group_id
    AND (@every_version::boolean OR a.recorded @> coalesce(sqlc.narg('known_at')::timestamptz, 'infinity'))
    AND (sqlc.narg('id')::uuid IS NULL OR a.id = sqlc.narg('id')::uuid)
ORDER BY a.created_at, a.id, a.recorded;

-- Stores the rows that an answer was made from.
-- name: AnswerRowsInsert :exec
INSERT INTO annals_internal.answer_rows (group_id, answer_id, kind, row_id)
SELECT DISTINCT @group_id::text, @answer_id::uuid, unnest(@kinds::text[]), unnest(@ids::uuid[]);

-- name: AnswerRowsDelete :exec
DELETE FROM annals_internal.answer_rows
WHERE group_id = @group_id AND answer_id = @answer_id;

-- name: AnswerDrop :execrows
DELETE FROM annals.answers
WHERE group_id = @group_id AND id = @id;

-- Postpones a question after its model failed.
-- name: AnswerPutOff :exec
UPDATE annals.answers
SET retry_at = now() + make_interval(secs => @seconds::float8)
WHERE group_id = @group_id AND id = @id;

-- Stores an answer, if the question is still asked in the same form. The answer is good until the
-- first of its rows expires.
-- name: AnswerSettle :execrows
UPDATE annals.answers a
SET stale = false, body = @body, answered_at = @asked_at, checked_at = sqlc.narg('checked_at'), retry_at = NULL,
    good_until = least(sqlc.narg('good_until')::timestamptz, (
        SELECT min(m.expires_at) FROM annals.marks m
        WHERE m.group_id = @group_id AND m.mark = 'expires' AND m.until IS NULL AND m.expires_at > @asked_at
            AND (m.subject_id = ANY(@made_from::uuid[]) OR m.subject_id IN (
                SELECT c.episode_id FROM annals.fact_episodes c WHERE c.group_id = @group_id AND c.fact_id = ANY(@made_from::uuid[])))))
WHERE a.group_id = @group_id AND a.id = @id AND (a.schema, a.tokens) = (@schema::text, @tokens::int);

-- Records that nothing written until then affects an answer.
-- name: AnswerChecked :exec
UPDATE annals.answers
SET checked_at = sqlc.narg('checked_at')
WHERE group_id = @group_id AND id = @id AND checked_at IS DISTINCT FROM sqlc.narg('checked_at');

-- Lists groups with a question to ask again: it has no answer, a fact begins or ends, or the group
-- was written to since the question was last checked.
-- name: AnswersDue :many
SELECT DISTINCT a.group_id
FROM annals.answers a
JOIN annals.groups g ON g.group_id = a.group_id
WHERE (a.stale OR a.good_until <= now() OR g.written_at IS DISTINCT FROM a.checked_at) AND (a.retry_at IS NULL OR a.retry_at <= now())
ORDER BY a.group_id;

-- Removes former versions that may repeat what is erased: versions with one of the names and, of
-- those believed since, versions made from the erased rows or from rows that combine several.
-- name: AnswerVersionsDelete :execrows
DELETE FROM annals_internal.answers_history h
WHERE h.group_id = @group_id AND (annals_internal.contains_any_name(annals_internal.join_texts(' . ', h.question, annals_internal.json_text(h.schema), annals_internal.json_text(h.body::text)), @words::text[])
    OR upper(h.recorded) >= @since::timestamptz AND (
        EXISTS (SELECT FROM unnest(@ids::uuid[]) AS gone(id) WHERE strpos(h.body::text, gone.id::text) > 0)
        OR h.body @? '$.**.cites[*] ? (@.kind == "entity" || @.kind == "community" || @.kind == "observation")'));

-- Hides standing answers that have one of the names.
-- name: AnswersNamingHide :exec
SELECT annals_internal.hide_answers(@group_id::text, ARRAY(
    SELECT a.id FROM annals.answers a
    WHERE a.group_id = @group_id AND NOT a.stale AND annals_internal.contains_any_name(annals_internal.json_text(a.body::text), @words::text[])));

-- Removes standing answers whose question has one of the names.
-- name: AnswersNamingDelete :execrows
DELETE FROM annals.answers
WHERE group_id = @group_id AND annals_internal.contains_any_name(annals_internal.join_texts(' . ', question, annals_internal.json_text(schema)), @words::text[]);

-- Lists the standing answers of a group to look at, or one of them. asked_at is the time of the
-- look, later than every write.
-- name: AnswersToRenew :many
SELECT a.id, a.question, a.schema, a.tokens, (a.stale OR coalesce(a.good_until <= now(), false))::boolean AS stale, a.body, a.answered_at, a.checked_at, g.written_at,
    greatest(clock_timestamp(), g.written_at)::timestamptz AS asked_at
FROM annals.answers a
JOIN annals.groups g ON g.group_id = a.group_id
WHERE a.group_id = @group_id AND (sqlc.narg('id')::uuid IS NULL OR a.id = sqlc.narg('id')::uuid)
    AND (a.retry_at IS NULL OR a.retry_at <= now())
ORDER BY a.created_at, a.id;
