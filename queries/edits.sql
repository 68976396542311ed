-- Edits of the graph by hand: merging, splitting and renaming entities.

-- Begins an edit: its time on the recorded axis is taken after the group's lock. The origin says
-- who makes it and what it does. A judged edit may write facts although they were withdrawn. An
-- edit sees expired rows that still exist.
-- name: EditBegin :one
SELECT annals_internal.begin_write(CASE WHEN annals_internal.set_local('annals.writing', 'on') = 'on' THEN @group_id::text END, @origin::text, @judged::boolean)::timestamptz AS recorded_at;

-- Sets who writes in this transaction, and what they do.
-- name: OriginSet :exec
SELECT annals_internal.set_local('annals.origin', @origin::text);

-- Sets the episodes that cause what the transaction writes. Writes before that are recorded as done
-- by hand.
-- name: CausesSet :exec
SELECT annals_internal.set_local('annals.episodes', array_to_string(@episodes::uuid[], ','));

-- Locks entities and facts until the transaction ends, and returns their versions.
-- name: VersionsLock :many
WITH entity AS MATERIALIZED (
    SELECT e.id, e.recorded FROM annals.entities e
    WHERE e.group_id = @group_id AND e.id = ANY(@entity_ids::uuid[])
    ORDER BY e.id
    FOR UPDATE
), fact AS MATERIALIZED (
    SELECT f.id, f.recorded FROM annals.facts f
    WHERE f.group_id = @group_id AND f.id = ANY(@fact_ids::uuid[])
    ORDER BY f.id
    FOR UPDATE
)
SELECT id, recorded FROM entity
UNION ALL
SELECT id, recorded FROM fact;

-- Finds the entity that another one was merged into: now, or at known_at.
-- name: EntityMergedInto :one
SELECT coalesce((SELECT m.merged_into FROM annals_internal.entity_merges m WHERE m.group_id = @group_id AND m.id = @id
    AND m.merged_at <= coalesce(sqlc.narg('known_at')::timestamptz, 'infinity')), @id)::uuid AS id;

-- Records that an entity was merged into another, with the entities that were merged into it
-- before.
-- name: EntityMergeInsert :exec
WITH earlier AS (
    UPDATE annals_internal.entity_merges SET merged_into = @merged_into
    WHERE group_id = @group_id AND merged_into = @id
)
INSERT INTO annals_internal.entity_merges (group_id, id, merged_into, merged_at)
VALUES (@group_id, @id, @merged_into, annals_internal.recorded_now())
ON CONFLICT (group_id, id) DO UPDATE SET merged_into = excluded.merged_into, merged_at = excluded.merged_at;

-- Corrects a fact. A new end counts as learned now.
-- name: FactEdit :exec
UPDATE annals.facts
SET predicate = @predicate, fact = @fact, told = @told, attributes = @attributes,
    valid = tstzrange(sqlc.narg('valid_start')::timestamptz, sqlc.narg('valid_end')::timestamptz),
    from_basis = @from_basis, from_precision = @from_precision, until_basis = @until_basis, until_precision = @until_precision,
    bounded_by = sqlc.narg('bounded_by'),
    expired_at = CASE
        WHEN sqlc.narg('valid_end')::timestamptz IS NULL THEN NULL
        WHEN upper(valid) = sqlc.narg('valid_end')::timestamptz THEN expired_at
        ELSE n.at END
FROM (SELECT annals_internal.recorded_now() AS at) n
WHERE group_id = @group_id AND id = @id;

-- Finds the entities that are named after another one, such as "Ana's mother".
-- name: EntitiesNamedAfter :many
SELECT n.id FROM annals.entities n
WHERE n.group_id = @group_id AND starts_with(n.name, @name::text || '''s ')
ORDER BY n.id;

-- Finds the facts whose sentences name given entities by a name, also facts about other entities
-- from the same sentence.
-- name: FactsTelling :many
WITH own AS MATERIALIZED (
    SELECT f.id, f.statement_id FROM annals.facts f WHERE f.group_id = @group_id AND f.source_id = ANY(@entity_ids::uuid[])
    UNION
    SELECT f.id, f.statement_id FROM annals.facts f WHERE f.group_id = @group_id AND f.target_id = ANY(@entity_ids::uuid[])
)
SELECT f.id FROM annals.facts f
WHERE f.group_id = @group_id AND f.statement_id IN (SELECT o.statement_id FROM own o) AND strpos(f.fact, @name::text) > 0
UNION
SELECT f.id FROM annals.facts n -- about others, named by way of the entity: Ana's sister Eva
JOIN annals.facts f ON f.group_id = @group_id AND f.source_id IN (n.source_id, n.target_id) AND strpos(f.fact, @name::text || '''s ') > 0
WHERE n.group_id = @group_id AND n.id IN (SELECT o.id FROM own o)
ORDER BY 1;

-- Finds the facts of an entity that were stated in one conversation alone.
-- name: FactsOfThread :many
SELECT c.fact_id
FROM annals.facts f
JOIN annals.fact_episodes c ON c.group_id = @group_id AND c.fact_id = f.id AND c.role = 'states'
JOIN annals.episodes e ON e.group_id = @group_id AND e.id = c.episode_id
WHERE f.group_id = @group_id AND (f.source_id = @entity_id::uuid OR f.target_id = @entity_id::uuid)
GROUP BY c.fact_id
HAVING bool_and(e.thread_id = @thread_id)
ORDER BY c.fact_id;

-- Adds mentions of an entity to the episodes that facts rest on.
-- name: MentionsOfFacts :exec
INSERT INTO annals.mentions (group_id, episode_id, entity_id)
SELECT DISTINCT c.group_id, c.episode_id, @entity_id::uuid
FROM annals.fact_episodes c
WHERE c.group_id = @group_id AND c.fact_id = ANY(@fact_ids::uuid[])
ON CONFLICT DO NOTHING;

-- Sets other words for facts that say the same.
-- name: FactReword :batchexec
UPDATE annals.facts SET fact = @fact, told = @told
WHERE group_id = @group_id AND id = @id;

-- Lists the facts between two entities, which become meaningless when these are merged.
-- name: FactsBetween :many
SELECT f.id FROM annals.facts f
WHERE f.group_id = @group_id
    AND ((f.source_id = @one::uuid AND f.target_id = @other::uuid) OR (f.source_id = @other::uuid AND f.target_id = @one::uuid));

-- Moves facts from one entity to another: all, or given ones.
-- name: FactsMove :execrows
UPDATE annals.facts f
SET source_id = CASE WHEN f.source_id = @from_id::uuid THEN @to_id::uuid ELSE f.source_id END,
    target_id = CASE WHEN f.target_id = @from_id::uuid THEN @to_id::uuid ELSE f.target_id END
WHERE f.group_id = @group_id AND (f.source_id = @from_id::uuid OR f.target_id = @from_id::uuid)
    AND (@every_fact::boolean OR f.id = ANY(@ids::uuid[]));

-- Merges facts of an entity that say the same in the same words about the same time: the first
-- stays and takes over the episodes of the others. Lists the others.
-- name: FactsFold :many
WITH alike AS (
    SELECT f.id, first_value(f.id) OVER (
        PARTITION BY f.source_id, f.target_id, f.predicate, lower(f.fact), f.valid, f.ends ORDER BY f.id) AS kept
    FROM annals.facts f
    WHERE f.group_id = @group_id AND (f.source_id = @entity_id OR f.target_id = @entity_id)
), cited AS (
    INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role)
    SELECT c.group_id, a.kept, c.episode_id, c.role
    FROM alike a
    JOIN annals.fact_episodes c ON c.group_id = @group_id AND c.fact_id = a.id
    WHERE a.id <> a.kept
    ON CONFLICT DO NOTHING
)
SELECT a.id FROM alike a WHERE a.id <> a.kept;

-- name: FactsOfEntity :many
SELECT f.id
FROM annals.facts f
WHERE f.group_id = @group_id AND f.id = ANY(@ids::uuid[]) AND (f.source_id = @entity_id::uuid OR f.target_id = @entity_id::uuid)
ORDER BY f.id;

-- name: MentionsCopy :exec
INSERT INTO annals.mentions (group_id, episode_id, entity_id)
SELECT m.group_id, m.episode_id, @to_id::uuid
FROM annals.mentions m
WHERE m.group_id = @group_id AND m.entity_id = @from_id::uuid
ON CONFLICT DO NOTHING;

-- Moves mentions with facts: the episodes that state the given facts now mention the entity that
-- these were moved to. They stop mentioning the former one, unless another fact of it rests on
-- them.
-- name: MentionsMove :exec
WITH stating AS (
    SELECT DISTINCT c.episode_id FROM annals.fact_episodes c
    WHERE c.group_id = @group_id AND c.fact_id = ANY(@fact_ids::uuid[])
), added AS (
    INSERT INTO annals.mentions (group_id, episode_id, entity_id)
    SELECT @group_id, s.episode_id, @to_id::uuid FROM stating s
    ON CONFLICT DO NOTHING
)
DELETE FROM annals.mentions m
USING stating s
WHERE m.group_id = @group_id AND m.entity_id = @from_id::uuid AND m.episode_id = s.episode_id
    AND NOT EXISTS (
        SELECT FROM annals.facts f
        JOIN annals.fact_episodes c ON c.group_id = f.group_id AND c.fact_id = f.id
        WHERE f.group_id = @group_id AND c.episode_id = s.episode_id AND NOT f.id = ANY(@fact_ids::uuid[])
            AND @from_id::uuid IN (f.source_id, f.target_id));

-- name: EpisodeSetMetadata :execrows
UPDATE annals.episodes
SET metadata = @metadata
WHERE group_id = @group_id AND id = @id;
