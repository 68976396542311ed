-- Rejections: facts that were withdrawn by hand or taken back by an episode.

-- Stores that an episode took a fact back, with the episodes that had stated it.
-- name: RejectionInsert :batchexec
INSERT INTO annals.rejections (group_id, source_id, predicate, target_id, source_keys, target_keys, fact, sentence_key, fact_id, episode_id,
    valid, said_at, told, authority, door, written_by)
SELECT e.group_id, @source_id, @predicate, @target_id, annals_internal.fold_names(s.aliases || s.name), annals_internal.fold_names(t.aliases || t.name), @fact, annals_internal.fold_text(@fact), @fact_id, e.id,
    tstzrange(sqlc.narg('valid_start')::timestamptz, sqlc.narg('valid_end')::timestamptz), e.occurred_at,
    ARRAY(SELECT annals_internal.rejection_key(told.t) FROM unnest(@told::text[]) AS told(t)), e.authority, e.door, e.written_by
FROM annals.episodes e
JOIN annals.entities s ON s.group_id = e.group_id AND s.id = @source_id
JOIN annals.entities t ON t.group_id = e.group_id AND t.id = @target_id
WHERE e.group_id = @group_id AND e.id = @episode_id;

-- Adds to a rejection the episodes that state the fact, while it exists.
-- name: RejectionsTold :exec
UPDATE annals.rejections r
SET told = r.told || ARRAY(SELECT e.said_key
    FROM annals.fact_episodes c
    JOIN annals.episodes e ON e.group_id = @group_id AND e.id = c.episode_id
    WHERE c.group_id = @group_id AND c.fact_id = r.fact_id AND c.role = 'states')
WHERE r.group_id = @group_id AND r.fact_id = ANY(@fact_ids::uuid[]) AND r.lifted_at IS NULL;

-- Stores that a current fact is withdrawn by hand. The transaction says with which authority.
-- name: RejectionOfFact :exec
INSERT INTO annals.rejections (group_id, source_id, predicate, target_id, source_keys, target_keys, fact, sentence_key, fact_id, valid)
SELECT f.group_id, f.source_id, f.predicate, f.target_id, annals_internal.fold_names(s.aliases || s.name), annals_internal.fold_names(t.aliases || t.name), f.fact, annals_internal.fold_text(f.fact), f.id, f.valid
FROM annals.facts f
JOIN annals.entities s ON s.group_id = f.group_id AND s.id = f.source_id
JOIN annals.entities t ON t.group_id = f.group_id AND t.id = f.target_id
WHERE f.group_id = @group_id AND f.id = @fact_id;

-- Finds the rejections that claims match, and whether they refuse the claim.
-- name: Refusals :many
SELECT f.place::int AS place, f.same::boolean AS same, f.refused::boolean AS refused, f.readmitted::boolean AS readmitted,
    r.id, r.fact, r.fact_id, r.authority, r.door, r.written_by, r.rejected_at
FROM annals_internal.matching_rejections(@group_id::text, @claims::jsonb, @told::text[]) WITH ORDINALITY AS f(place, id, same, refused, readmitted, nth)
JOIN annals.rejections r ON r.group_id = @group_id AND r.id = f.id
ORDER BY f.nth;

-- Lets the transaction write facts that were already checked against rejections.
-- name: FactsJudged :exec
SELECT annals_internal.set_local('annals.judged', 'on');

-- Lists rejections, the latest first; or one, by its own id or that of its fact.
-- name: RejectionList :many
SELECT r.id, r.predicate, r.fact, coalesce((
        SELECT h.told FROM annals_internal.facts_history h
        WHERE h.group_id = @group_id AND h.id = r.fact_id AND h.fact = r.fact
        ORDER BY lower(h.recorded) DESC LIMIT 1), r.fact)::text AS told, r.fact_id, r.episode_id, r.authority, r.door, r.written_by,
    r.rejected_at, r.lifted_at, coalesce(r.lifted_by, '') AS lifted_by
FROM annals.rejections r
WHERE r.group_id = @group_id AND (@lifted::boolean OR r.lifted_at IS NULL)
    AND (sqlc.narg('id')::uuid IS NULL OR sqlc.narg('id') IN (r.id, r.fact_id))
    AND (r.rejected_at, r.id) < (coalesce(sqlc.narg('before_at')::timestamptz, 'infinity'), coalesce(sqlc.narg('before_id')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
ORDER BY r.rejected_at DESC, r.id DESC
LIMIT @max_rows::int;

-- name: RejectionsLift :exec
UPDATE annals.rejections r
SET lifted_at = annals_internal.recorded_now(), lifted_by = @lifted_by::text
WHERE r.group_id = @group_id AND r.id = ANY(@ids::uuid[]) AND r.lifted_at IS NULL;

-- Restores the entities of a fact that were removed when it was withdrawn. Those that were removed
-- with an episode since are not restored.
-- name: EntitiesBringBack :many
INSERT INTO annals.entities AS made (group_id, id, name, aliases, labels, summary, attributes, created_at)
SELECT e.group_id, e.id, e.name, e.aliases, e.labels, e.summary, e.attributes, e.created_at
FROM annals_internal.facts_history h
JOIN annals_internal.entities_history e ON e.group_id = h.group_id AND e.id IN (h.source_id, h.target_id) AND upper(e.recorded) = upper(h.recorded)
WHERE h.group_id = @group_id AND h.id = @id::uuid
    AND upper(h.recorded) = (SELECT max(upper(l.recorded)) FROM annals_internal.facts_history l WHERE l.group_id = @group_id AND l.id = @id)
    AND NOT EXISTS (SELECT FROM annals.entities n WHERE n.group_id = h.group_id AND n.id = e.id)
    AND NOT EXISTS (SELECT FROM annals_internal.entities_history l WHERE l.group_id = h.group_id AND l.id = e.id AND upper(l.recorded) > upper(h.recorded))
RETURNING made.id;

-- Restores a fact as it was when it was withdrawn. Its entities may have become others since. It is
-- not restored if one of them, or every episode that stated it, is gone.
-- name: FactBringBack :many
INSERT INTO annals.facts AS made (group_id, id, source_id, target_id, predicate, fact, told, ends, attributes, valid, created_at, expired_at, statement_id,
    kind, from_basis, from_precision, until_basis, until_precision, said_at, bounded_by)
SELECT h.group_id, h.id, s.id, t.id, h.predicate, h.fact, h.told, h.ends, h.attributes, h.valid, h.created_at, h.expired_at,
    h.statement_id, h.kind, h.from_basis, h.from_precision, h.until_basis, h.until_precision, h.said_at, h.bounded_by
FROM annals_internal.facts_history h
LEFT JOIN annals_internal.entity_merges ms ON ms.group_id = h.group_id AND ms.id = h.source_id
LEFT JOIN annals_internal.entity_merges mt ON mt.group_id = h.group_id AND mt.id = h.target_id
JOIN annals.entities s ON s.group_id = h.group_id AND s.id = coalesce(ms.merged_into, h.source_id)
JOIN annals.entities t ON t.group_id = h.group_id AND t.id = coalesce(mt.merged_into, h.target_id) AND t.id <> s.id
WHERE h.group_id = @group_id AND h.id = @id::uuid
    AND upper(h.recorded) = (SELECT max(upper(l.recorded)) FROM annals_internal.facts_history l WHERE l.group_id = @group_id AND l.id = @id)
    AND (h.evidence = '{}' OR EXISTS (SELECT FROM annals.episodes p WHERE p.group_id = @group_id AND p.id = ANY(h.evidence)))
ON CONFLICT DO NOTHING
RETURNING made.id, made.fact, made.told, made.predicate, made.source_id, made.target_id;

-- Ends again the facts that a restored fact had ended, if nothing changed them since.
-- name: FactsBoundAgain :exec
UPDATE annals.facts f
SET valid = h.valid, from_basis = h.from_basis, from_precision = h.from_precision, until_basis = h.until_basis,
    until_precision = h.until_precision, bounded_by = h.bounded_by, expired_at = h.expired_at
FROM annals_internal.facts_history h
WHERE f.group_id = @group_id AND h.group_id = f.group_id AND h.id = f.id AND h.bounded_by = @id::uuid AND upper(h.recorded) = lower(f.recorded)
    AND upper(h.recorded) = (SELECT max(upper(l.recorded)) FROM annals_internal.facts_history l WHERE l.group_id = @group_id AND l.id = @id);

-- Lists the facts that compete with a restored fact for time: those that came back when it was
-- withdrawn, after it had left them no time, those that it had ended, and those that end these now.
-- name: FactsMet :many
SELECT DISTINCT x.id::uuid AS id
FROM (
    SELECT n.id, n.bounded_by
    FROM (SELECT max(upper(l.recorded)) AS at FROM annals_internal.facts_history l WHERE l.group_id = @group_id AND l.id = @id::uuid) gone
    JOIN annals.facts n ON n.group_id = @group_id AND n.id <> @id AND n.created_at < gone.at AND (lower(n.recorded) = gone.at OR EXISTS (
        SELECT FROM annals_internal.facts_history h WHERE h.group_id = @group_id AND h.id = n.id AND lower(h.recorded) = gone.at))
    WHERE NOT EXISTS (
            SELECT FROM annals_internal.facts_history h WHERE h.group_id = @group_id AND h.id = n.id AND upper(h.recorded) = gone.at)
        AND EXISTS (
            SELECT FROM annals_internal.facts_history h
            JOIN annals.fact_episodes c ON c.group_id = @group_id AND c.fact_id = @id AND c.episode_id = ANY (h.ended_by)
            WHERE h.group_id = @group_id AND h.id = n.id)
    UNION
    SELECT f.id, f.bounded_by
    FROM annals_internal.facts_history h
    JOIN annals.facts f ON f.group_id = @group_id AND f.id = h.id
    WHERE h.group_id = @group_id AND h.bounded_by = @id
) met
CROSS JOIN LATERAL unnest(ARRAY[met.id, met.bounded_by]) AS x(id)
WHERE x.id <> @id
ORDER BY 1;

-- name: RewindRejections :exec
WITH lifted AS (
    UPDATE annals.rejections l SET lifted_at = NULL, lifted_by = NULL
    WHERE l.group_id = @group_id AND l.lifted_by = ANY(ARRAY(SELECT 'episode ' || u.id FROM unnest(@episode_ids::uuid[]) AS u(id)))
        AND (l.episode_id IS NULL OR NOT l.episode_id = ANY(@episode_ids::uuid[]))
)
DELETE FROM annals.rejections r
WHERE r.group_id = @group_id AND r.episode_id = ANY(@episode_ids::uuid[]);

-- Keeps the rejections about an entity that is merged or renamed.
-- name: RejectionsMove :exec
WITH named AS (
    SELECT n.id, annals_internal.fold_names(n.aliases || n.name) AS keys FROM annals.entities n WHERE n.group_id = @group_id AND n.id = @into_id::uuid
)
UPDATE annals.rejections r
SET source_id = CASE WHEN r.source_id = @from_id::uuid THEN n.id ELSE r.source_id END,
    target_id = CASE WHEN r.target_id = @from_id::uuid THEN n.id ELSE r.target_id END,
    source_keys = CASE WHEN r.source_id = @from_id::uuid OR r.source_keys && n.keys THEN annals_internal.fold_names(r.source_keys || n.keys) ELSE r.source_keys END,
    target_keys = CASE WHEN r.target_id = @from_id::uuid OR r.target_keys && n.keys THEN annals_internal.fold_names(r.target_keys || n.keys) ELSE r.target_keys END
FROM named n
WHERE r.group_id = @group_id AND (@from_id::uuid IN (r.source_id, r.target_id) OR r.source_keys && n.keys OR r.target_keys && n.keys);

-- Removes the rejections that repeat what is erased: of its facts, or with its sentences.
-- name: RejectionsErase :execrows
DELETE FROM annals.rejections r
WHERE r.group_id = @group_id AND (r.fact_id = ANY(@fact_ids::uuid[]) OR r.episode_id = ANY(@episode_ids::uuid[])
    OR r.source_id = ANY(@entity_ids::uuid[]) OR r.target_id = ANY(@entity_ids::uuid[])
    OR r.told && ARRAY(SELECT e.said_key
        FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = ANY(@episode_ids::uuid[])));

-- Clears the summaries of the conversations in which a fact was stated, so that they are written
-- again without it.
-- name: ThreadsOfFactsForget :exec
WITH told AS MATERIALIZED (
    SELECT DISTINCT e.thread_id
    FROM annals.fact_episodes c
    JOIN annals.episodes e ON e.group_id = c.group_id AND e.id = c.episode_id
    WHERE c.group_id = @group_id AND c.fact_id = ANY(@fact_ids::uuid[]) AND e.thread_id <> ''
), known AS (
    UPDATE annals.threads m SET summary = '', through_at = NULL, through_id = NULL
    WHERE m.group_id = @group_id AND m.id IN (SELECT t.thread_id FROM told t) AND m.created_at IS NOT NULL
)
DELETE FROM annals.threads d
WHERE d.group_id = @group_id AND d.id IN (SELECT t.thread_id FROM told t) AND d.created_at IS NULL;

-- Removes the lines of agents' notes that repeat what was withdrawn.
-- name: WithdrawnUnsay :exec
SELECT annals_internal.remove_withdrawn_from_agents(@group_id::text);

-- Copies the rejections by a person from the group that this one is a copy of, if the caller may
-- know it.
-- name: RejectionsCopy :many
WITH there AS MATERIALIZED (
    SELECT o.sentence_key, o.rejected_at FROM annals.rejections o WHERE o.group_id = @group_id
)
INSERT INTO annals.rejections AS n (group_id, id, source_id, predicate, target_id, source_keys, target_keys, fact, sentence_key, fact_id,
    valid, said_at, told, authority, door, written_by, rejected_at)
SELECT @group_id::text, r.id, r.source_id, r.predicate, r.target_id, r.source_keys, r.target_keys, r.fact, r.sentence_key, r.fact_id,
    r.valid, r.said_at, r.told, r.authority, r.door, r.written_by, r.rejected_at
FROM annals.rejections r
WHERE @known::boolean AND r.group_id = @from_group::text AND r.lifted_at IS NULL AND r.authority = 'person' AND @from_group <> @group_id
    AND NOT EXISTS (SELECT FROM there o WHERE (o.sentence_key, o.rejected_at) = (r.sentence_key, r.rejected_at))
RETURNING n.id;

-- Lists the facts that given rejections by a person refuse.
-- name: FactsRejected :many
WITH fact AS MATERIALIZED (
    SELECT f.id, f.predicate, f.source_id, f.target_id, f.from_basis, f.valid, annals_internal.fold_text(f.fact) AS sentence_key
    FROM annals.facts f WHERE f.group_id = @group_id AND cardinality(@rejections::uuid[]) > 0
), standing AS MATERIALIZED (
    SELECT r.* FROM annals.rejections r
    WHERE r.group_id = @group_id AND r.id = ANY(@rejections::uuid[]) AND r.lifted_at IS NULL AND r.authority = 'person'
), met AS (
    SELECT f.id, f.from_basis, f.valid, r.rejected_at
    FROM fact f
    JOIN standing r ON r.sentence_key = f.sentence_key
    UNION ALL
    SELECT f.id, f.from_basis, f.valid, r.rejected_at
    FROM fact f
    JOIN standing r ON r.predicate = f.predicate
    JOIN annals.entities s ON s.group_id = @group_id AND s.id = f.source_id
    JOIN annals.entities t ON t.group_id = @group_id AND t.id = f.target_id
    WHERE (f.source_id = r.source_id OR annals_internal.fold_names(s.aliases || s.name) && r.source_keys)
        AND (f.target_id = r.target_id OR annals_internal.fold_names(t.aliases || t.name) && r.target_keys)
)
SELECT DISTINCT m.id FROM met m
WHERE NOT (m.from_basis IN ('stated', 'planned') AND lower(m.valid) > m.rejected_at);

-- Removes facts from the graph, with what was made of them.
-- name: FactsLetGo :one
SELECT annals_internal.remove_unsupported_facts(@group_id, @ids::uuid[])::bigint AS removed;

-- name: RejectionIDs :many
SELECT r.id FROM annals.rejections r WHERE r.group_id = @group_id AND r.lifted_at IS NULL;
