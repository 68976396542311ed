-- Lists the changes of facts between two times.
-- name: FactChanges :many
SELECT c.change::text AS change, c.id::uuid AS id, c.changed_at::timestamptz AS changed_at, c.caused_by::uuid[] AS caused_by
FROM annals.fact_changes(@group_id, @from_at::timestamptz, @to_at::timestamptz) c
LIMIT @max_rows::int;

-- Lists a page of the facts believed now, of all times or those that held or were planned at
-- valid_at, by the time at which they began. Both lists are read from an index, after the last row
-- of the page before.
-- name: FactList :many
WITH listed AS MATERIALIZED (
    SELECT l.id FROM (
        (SELECT f.id, coalesce(lower(f.valid), '-infinity') AS since
        FROM annals.facts f
        WHERE f.group_id = @group_id AND f.trust <> 'candidate' AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
            AND (sqlc.narg('valid_at')::timestamptz IS NULL OR f.valid @> sqlc.narg('valid_at')::timestamptz AND (f.kind = 'state' OR NOT lower_inf(f.valid)))
            AND coalesce(lower(f.valid), '-infinity') <= coalesce(sqlc.narg('valid_at')::timestamptz, 'infinity')
            AND (coalesce(lower(f.valid), '-infinity'), f.id)
                > (coalesce(sqlc.narg('after_valid')::timestamptz, '-infinity'), coalesce(sqlc.narg('after_id')::uuid, '00000000-0000-0000-0000-000000000000'))
        ORDER BY coalesce(lower(f.valid), '-infinity'), f.id
        LIMIT @max_rows::int)
        UNION ALL
        (SELECT f.id, coalesce(lower(f.valid), '-infinity') AS since
        FROM annals.facts f
        WHERE f.group_id = @group_id AND f.trust <> 'candidate' AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
            AND (lower(f.valid) > f.said_at OR f.from_basis = 'planned') AND NOT f.valid @> sqlc.narg('valid_at')::timestamptz
            AND annals_internal.shown_at(f.kind, f.valid, f.from_basis, f.said_at, sqlc.narg('valid_at')::timestamptz)
            AND (coalesce(lower(f.valid), '-infinity'), f.id)
                > (coalesce(sqlc.narg('after_valid')::timestamptz, '-infinity'), coalesce(sqlc.narg('after_id')::uuid, '00000000-0000-0000-0000-000000000000'))
        ORDER BY coalesce(lower(f.valid), '-infinity'), f.id
        LIMIT @max_rows::int)
    ) l
    ORDER BY l.since, l.id
    LIMIT @max_rows::int
)
SELECT v.*
FROM annals_internal.current_facts_of(@group_id, ARRAY(SELECT l.id FROM listed l)) v
ORDER BY coalesce(lower(v.valid), '-infinity'), v.id;

-- Lists the facts of an entity.
-- name: FactListOf :many
WITH listed AS MATERIALIZED (
    SELECT f.id
    FROM annals.facts f
    WHERE f.group_id = @group_id AND f.trust <> 'candidate' AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
        AND (f.source_id = @entity_id OR f.target_id = @entity_id)
        AND (sqlc.narg('valid_at')::timestamptz IS NULL OR annals_internal.shown_at(f.kind, f.valid, f.from_basis, f.said_at, sqlc.narg('valid_at')::timestamptz))
        AND (coalesce(lower(f.valid), '-infinity'), f.id)
            > (coalesce(sqlc.narg('after_valid')::timestamptz, '-infinity'), coalesce(sqlc.narg('after_id')::uuid, '00000000-0000-0000-0000-000000000000'))
    ORDER BY coalesce(lower(f.valid), '-infinity'), f.id
    LIMIT @max_rows::int
)
SELECT v.*
FROM annals_internal.current_facts_of(@group_id, ARRAY(SELECT l.id FROM listed l)) v
ORDER BY coalesce(lower(v.valid), '-infinity'), v.id;

-- Lists the facts believed at known_at. All versions of the group are read.
-- name: FactListKnown :many
WITH listed AS MATERIALIZED (
    SELECT v.id
    FROM (
        SELECT f.id, f.source_id, f.target_id, f.kind, f.valid, f.from_basis, f.said_at, f.recorded, f.trust FROM annals.facts f WHERE f.group_id = @group_id
        UNION ALL
        SELECT h.id, h.source_id, h.target_id, h.kind, h.valid, h.from_basis, h.said_at, h.recorded, h.trust FROM annals_internal.facts_history h WHERE h.group_id = @group_id
    ) v
    WHERE v.recorded @> @known_at::timestamptz AND v.trust <> 'candidate' AND v.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', @known_at::timestamptz))
        AND (sqlc.narg('valid_at')::timestamptz IS NULL OR annals_internal.shown_at(v.kind, v.valid, v.from_basis, v.said_at, sqlc.narg('valid_at')::timestamptz))
        AND (sqlc.narg('entity_id')::uuid IS NULL OR sqlc.narg('entity_id')::uuid IN (v.source_id, v.target_id))
        AND (coalesce(lower(v.valid), '-infinity'), v.id)
            > (coalesce(sqlc.narg('after_valid')::timestamptz, '-infinity'), coalesce(sqlc.narg('after_id')::uuid, '00000000-0000-0000-0000-000000000000'))
    ORDER BY coalesce(lower(v.valid), '-infinity'), v.id
    LIMIT @max_rows::int
)
SELECT v.*
FROM annals_internal.fact_versions_of(@group_id, ARRAY(SELECT l.id FROM listed l), @known_at::timestamptz) v
ORDER BY coalesce(lower(v.valid), '-infinity'), v.id;

-- Lists the facts that a filter lets pass, such as those that somebody told.
-- name: FactListChosen :many
SELECT v.*
FROM annals_internal.current_facts_of(@group_id, ARRAY(
    SELECT m.id FROM annals_internal.facts_matching(@group_id, @filter::jsonb, sqlc.narg('valid_at')::timestamptz, NULL, true) AS m(id))) v
WHERE (sqlc.narg('entity_id')::uuid IS NULL OR sqlc.narg('entity_id')::uuid IN (v.source_id, v.target_id))
    AND (coalesce(lower(v.valid), '-infinity'), v.id)
        > (coalesce(sqlc.narg('after_valid')::timestamptz, '-infinity'), coalesce(sqlc.narg('after_id')::uuid, '00000000-0000-0000-0000-000000000000'))
ORDER BY coalesce(lower(v.valid), '-infinity'), v.id
LIMIT @max_rows::int;

-- Lists the facts that a filter let pass as believed at known_at.
-- name: FactListChosenKnown :many
SELECT v.*
FROM annals_internal.fact_versions_of(@group_id, ARRAY(
    SELECT m.id FROM annals_internal.facts_matching(@group_id, @filter::jsonb, sqlc.narg('valid_at')::timestamptz, @known_at::timestamptz, true) AS m(id)),
    @known_at::timestamptz) v
WHERE (sqlc.narg('entity_id')::uuid IS NULL OR sqlc.narg('entity_id')::uuid IN (v.source_id, v.target_id))
    AND (coalesce(lower(v.valid), '-infinity'), v.id)
        > (coalesce(sqlc.narg('after_valid')::timestamptz, '-infinity'), coalesce(sqlc.narg('after_id')::uuid, '00000000-0000-0000-0000-000000000000'))
ORDER BY coalesce(lower(v.valid), '-infinity'), v.id
LIMIT @max_rows::int;

-- name: FactsByIDs :many
SELECT v.* FROM annals_internal.current_facts_of(@group_id, @ids::uuid[]) v;

-- Sets the time of a fact after a contradiction, an end or a better date. The trigger keeps the
-- former row.
-- name: FactDate :batchexec
UPDATE annals.facts
SET valid = tstzrange(sqlc.narg('valid_start')::timestamptz, sqlc.narg('valid_end')::timestamptz),
    from_basis = @from_basis, from_precision = @from_precision, until_basis = @until_basis, until_precision = @until_precision,
    said_at = sqlc.narg('said_at'), bounded_by = sqlc.narg('bounded_by'),
    expired_at = CASE
        WHEN sqlc.narg('valid_end')::timestamptz IS NULL THEN NULL
        WHEN upper(valid) = sqlc.narg('valid_end')::timestamptz THEN expired_at
        ELSE n.at END
FROM (SELECT annals_internal.recorded_now() AS at) n
WHERE group_id = @group_id AND id = @id;

-- Sets the attributes of a fact, as saying it again may add some.
-- name: FactSetAttributes :batchexec
UPDATE annals.facts
SET attributes = @attributes
WHERE group_id = @group_id AND id = @id;


-- Removes facts that are no longer believed from the current rows. The trigger keeps them.
-- name: FactsExpire :exec
SELECT annals_internal.remove_rows(@group_id, 'fact', @ids::uuid[]);

-- name: FactInsert :batchexec
INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, told, ends, attributes, valid, expired_at, statement_id,
    kind, from_basis, from_precision, until_basis, until_precision, said_at, bounded_by)
VALUES (@group_id, @id, @source_id, @target_id, @predicate, @fact, @told, @ends, @attributes,
    tstzrange(sqlc.narg('valid_start')::timestamptz, sqlc.narg('valid_end')::timestamptz),
    CASE WHEN sqlc.narg('valid_end')::timestamptz IS NULL THEN NULL ELSE annals_internal.recorded_now() END,
    @statement_id, @kind, @from_basis, @from_precision, @until_basis, @until_precision, sqlc.narg('said_at'), sqlc.narg('bounded_by'));

-- Stores a fact that was superseded before anybody could believe it, in the history alone.
-- name: FactInsertExpired :batchexec
INSERT INTO annals_internal.facts_history (
    group_id, id, source_id, target_id, predicate, fact, told, ends, attributes, valid, recorded, created_at, expired_at,
    statement_id, kind, from_basis, from_precision, until_basis, until_precision, said_at, bounded_by, evidence, ended_by
) VALUES (
    @group_id, @id, @source_id, @target_id, @predicate, @fact, @told, @ends, @attributes,
    tstzrange(sqlc.narg('valid_start')::timestamptz, sqlc.narg('valid_end')::timestamptz),
    tstzrange(annals_internal.recorded_now(), annals_internal.recorded_now() + interval '1 microsecond'), annals_internal.recorded_now(), annals_internal.recorded_now(), @statement_id,
    @kind, @from_basis, @from_precision, @until_basis, @until_precision, sqlc.narg('said_at'), sqlc.narg('bounded_by'),
    ARRAY[@episode_id::uuid], @ended_by::uuid[]
);

-- Ties an episode to a fact. An episode that stated the fact in other words, before a person
-- corrected it, does not count as stating it.
-- name: FactEpisodeInsert :batchexec
INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role)
SELECT @group_id::text, @fact_id::uuid, @episode_id::uuid, @role::annals.episode_role
WHERE NOT EXISTS (
    SELECT FROM annals.fact_episodes c
    WHERE c.group_id = @group_id AND c.fact_id = @fact_id AND c.episode_id = @episode_id AND c.role = 'corrected')
ON CONFLICT DO NOTHING;

-- Finds the known statements to compare with a new fact: first those between the same two entities,
-- in either direction, then those that share an entity in either role and have the nearest relation
-- or wording. Each statement comes with the facts of all its pairs. The number of facts that are
-- read does not grow with an entity's facts: it reads those of the same relation and the latest.
-- name: FactRivals :batchmany
WITH candidate AS (
    (SELECT a.id FROM annals.facts a WHERE a.group_id = @group_id AND a.source_id = @source_id AND a.target_id = @target_id
        ORDER BY a.id DESC LIMIT 50)
    UNION
    (SELECT a.id FROM annals.facts a WHERE a.group_id = @group_id AND a.source_id = @target_id AND a.target_id = @source_id
        ORDER BY a.id DESC LIMIT 50)
    UNION
    (SELECT a.id FROM annals.facts a WHERE a.group_id = @group_id AND a.source_id = @source_id AND a.predicate = @predicate::text
        ORDER BY a.id DESC LIMIT 50)
    UNION
    (SELECT a.id FROM annals.facts a WHERE a.group_id = @group_id AND a.target_id = @target_id AND a.predicate = @predicate::text
        ORDER BY a.id DESC LIMIT 50)
    UNION
    (SELECT a.id FROM annals.facts a WHERE a.group_id = @group_id AND a.source_id = @source_id ORDER BY a.id DESC LIMIT 50)
    UNION
    (SELECT a.id FROM annals.facts a WHERE a.group_id = @group_id AND a.source_id = @target_id ORDER BY a.id DESC LIMIT 50)
    UNION
    (SELECT a.id FROM annals.facts a WHERE a.group_id = @group_id AND a.target_id = @source_id ORDER BY a.id DESC LIMIT 50)
    UNION
    (SELECT a.id FROM annals.facts a WHERE a.group_id = @group_id AND a.target_id = @target_id ORDER BY a.id DESC LIMIT 50)
), near AS (
    SELECT f.id, f.statement_id,
        ((f.source_id = @source_id AND f.target_id = @target_id)
            OR (f.source_id = @target_id AND f.target_id = @source_id))::boolean AS same_pair,
        annals_internal.spelling_similarity(f.predicate, @predicate) - coalesce((
            SELECT annals_internal.distance(v.embedding, @embedding) FROM annals_internal.fact_embeddings v
            WHERE v.group_id = @group_id AND v.model = @model AND v.fact_id = f.id), 1) AS nearness
    FROM candidate c
    CROSS JOIN LATERAL (SELECT x.id, x.source_id, x.target_id, x.predicate, x.statement_id
        FROM annals.facts x WHERE x.group_id = @group_id AND x.id = c.id OFFSET 0) f
), placed AS (
    SELECT n.statement_id, n.same_pair,
        row_number() OVER (PARTITION BY n.same_pair ORDER BY n.nearness DESC, n.id) AS place
    FROM near n
), chosen AS (
    SELECT p.statement_id, bool_or(p.same_pair) AS same_pair, min(p.place) AS place
    FROM placed p
    WHERE p.place <= @max_rows::int
    GROUP BY p.statement_id
    LIMIT 2 * @max_rows::int -- there are no more of both sorts; this tells the planner so
)
SELECT v.*
FROM chosen c
JOIN annals_internal.current_facts_of(@group_id, ARRAY(
    SELECT m.id FROM annals.facts m WHERE m.group_id = @group_id AND m.statement_id IN (SELECT x.statement_id FROM chosen x))) v ON v.statement_id = c.statement_id
ORDER BY c.same_pair DESC, c.place, v.id;

-- Lists the latest facts about some entities, with all facts of each statement. Those of each
-- entity are read from the index, the latest first.
-- name: FactsLatestOf :many
WITH latest AS (
    SELECT f.id, f.statement_id
    FROM unnest(@entity_ids::uuid[]) AS e(id)
    CROSS JOIN LATERAL (
        (SELECT a.id, a.statement_id FROM annals.facts a WHERE a.group_id = @group_id AND a.source_id = e.id
            ORDER BY a.id DESC LIMIT @max_rows::int)
        UNION ALL
        (SELECT a.id, a.statement_id FROM annals.facts a WHERE a.group_id = @group_id AND a.target_id = e.id
            ORDER BY a.id DESC LIMIT @max_rows::int)
    ) f
    GROUP BY f.id, f.statement_id
    ORDER BY f.id DESC
    LIMIT @max_rows::int
)
SELECT v.*
FROM annals_internal.current_facts_of(@group_id, ARRAY(
    SELECT m.id FROM annals.facts m WHERE m.group_id = @group_id AND m.statement_id IN (SELECT l.statement_id FROM latest l))) v
ORDER BY v.id DESC;

-- Lists the facts for summaries of entities: the newest facts of each that are believed and hold at
-- a time, states before events, and those that change with the current write. Facts that only say
-- that something stopped are left out. So are facts that will expire, as a summary would outlive
-- them. Firm facts are included: the current write states them again for good, while before they
-- may have been withheld or due to expire. The number of facts that are read does not grow with an
-- entity's facts.
-- name: FactsToTell :many
WITH near AS MATERIALIZED (
    SELECT l.id
    FROM unnest((SELECT @entity_ids::uuid[])) AS e(id)
    CROSS JOIN LATERAL (
        SELECT a.id
        FROM (
            (SELECT s.id, s.kind, s.valid, s.trust, s.ends FROM annals.facts s WHERE s.group_id = @group_id AND s.source_id = e.id
                ORDER BY s.id DESC LIMIT 5 * @max_rows::int)
            UNION ALL
            (SELECT t.id, t.kind, t.valid, t.trust, t.ends FROM annals.facts t WHERE t.group_id = @group_id AND t.target_id = e.id
                ORDER BY t.id DESC LIMIT 5 * @max_rows::int)
        ) a
        WHERE a.trust = 'believed' AND NOT a.ends AND (a.kind = 'event' OR upper_inf(a.valid) OR upper(a.valid) > @at::timestamptz)
        ORDER BY a.kind, a.id DESC
        LIMIT @max_rows::int
    ) l
    UNION
    SELECT c.id FROM annals.facts c
    WHERE c.group_id = @group_id AND c.id = ANY(@changed_ids::uuid[] || @firm_ids::uuid[]) AND NOT c.ends
        AND (c.trust = 'believed' OR c.trust = 'candidate' AND c.id = ANY(@firm_ids::uuid[]))
)
SELECT v.*
FROM annals_internal.current_facts_of(@group_id, ARRAY(
    SELECT n.id FROM near n
    WHERE NOT EXISTS (SELECT FROM annals.marks a WHERE a.group_id = @group_id AND a.mark = 'expires' AND a.until IS NULL)
        OR NOT EXISTS (SELECT FROM annals.marks m WHERE m.group_id = @group_id AND m.subject_id = n.id AND m.mark = 'expires' AND m.until IS NULL)
            AND (n.id = ANY(@firm_ids::uuid[])
                OR n.id NOT IN (SELECT annals_internal.expiring(@group_id::text, 'fact', 'infinity')) AND annals_internal.believed_without_expiring(@group_id::text, n.id)))) v
ORDER BY v.id;

-- Lists the facts whose ends other facts gave.
-- name: FactsBoundedBy :many
SELECT v.*
FROM annals_internal.current_facts_of(@group_id, ARRAY(SELECT f.id FROM annals.facts f WHERE f.group_id = @group_id AND f.bounded_by = ANY(@ids::uuid[]))) v
ORDER BY v.id;

-- Lists the last versions of those facts before that end. An end from a fact that no longer exists,
-- or that waits now, counts as none.
-- name: FactsBeforeBound :many
WITH bounded AS MATERIALIZED (
    SELECT f.id, f.bounded_by, f.trust
    FROM annals.facts f
    WHERE f.group_id = @group_id AND f.bounded_by = ANY(@ids::uuid[])
)
SELECT DISTINCT ON (v.id) v.*
FROM bounded b
JOIN annals_internal.fact_versions_of(@group_id, ARRAY(SELECT x.id FROM bounded x)) v ON v.id = b.id
WHERE NOT upper_inf(v.recorded) AND v.bounded_by IS DISTINCT FROM b.bounded_by
    AND (v.bounded_by IS NULL OR EXISTS (
        SELECT FROM annals.facts c WHERE c.group_id = @group_id AND c.id = v.bounded_by AND (c.trust <> 'candidate' OR b.trust = 'candidate')))
ORDER BY v.id, lower(v.recorded) DESC;

-- Lists the facts that do not wait, but whose end was given by a fact that waits.
-- name: FactsBoundByWaiting :many
SELECT v.*
FROM annals_internal.current_facts_of(@group_id, ARRAY(
    SELECT f.id
    FROM annals.facts c
    JOIN annals.facts f ON f.group_id = @group_id AND f.bounded_by = c.id AND f.trust <> 'candidate'
    WHERE c.group_id = @group_id AND c.trust = 'candidate')) v
ORDER BY v.id;

-- Reads the last version of facts before their current end was given: without an end, or with one
-- from another fact that is believed.
-- name: FactsUnbounded :many
SELECT DISTINCT ON (v.id) v.*
FROM annals.facts f
JOIN annals_internal.fact_versions_of(@group_id, @ids::uuid[]) v ON v.id = f.id
WHERE f.group_id = @group_id AND f.id = ANY(@ids::uuid[]) AND (v.bounded_by IS NULL OR v.bounded_by <> f.bounded_by AND EXISTS (
    SELECT FROM annals.facts c WHERE c.group_id = @group_id AND c.id = v.bounded_by AND c.trust <> 'candidate'))
ORDER BY v.id, lower(v.recorded) DESC;

-- Finds the fact that the episode with an external id states, with its entities.
-- name: FactByExternalID :one
SELECT e.id AS episode_id, f.id AS fact_id, f.source_id, f.target_id
FROM annals.episodes e
JOIN annals.fact_episodes c ON c.group_id = e.group_id AND c.episode_id = e.id AND c.role <> 'ends'
JOIN annals.facts f ON f.group_id = c.group_id AND f.id = c.fact_id
WHERE e.group_id = @group_id AND e.external_id = @external_id::text
ORDER BY f.id
LIMIT 1;

-- Lists the episodes that state a fact, or did before its sentence was corrected by hand.
-- name: EpisodesOfFact :many
SELECT c.episode_id FROM annals.fact_episodes c WHERE c.group_id = @group_id AND c.fact_id = @id AND c.role <> 'ends' ORDER BY c.episode_id;

-- Lists every version of a fact, the oldest first.
-- name: FactVersions :many
SELECT v.* FROM annals.fact_history(@group_id, @id) v;


-- Lists the authority of facts, when they were last said, and when they were confirmed by hand; the
-- year 1: never.
-- name: FactAuthorities :many
SELECT i.id::uuid AS id, annals_internal.fact_authority(@group_id, i.id)::annals.authority AS authority,
    annals_internal.fact_authority(@group_id, i.id, 'user')::annals.authority AS against_others, coalesce((
        SELECT max(e.occurred_at)
        FROM annals.fact_episodes c
        JOIN annals.episodes e ON e.group_id = c.group_id AND e.id = c.episode_id
        WHERE c.group_id = @group_id AND c.fact_id = i.id AND c.role = 'states'
    ), now())::timestamptz AS last_said, coalesce((
        SELECT max(d.edited_at) FROM annals.edits d
        WHERE d.group_id = @group_id AND d.subject_id = i.id AND d.action = 'confirm' AND annals_internal.fact_confirmed(@group_id, i.id)
    ), '0001-01-01 UTC')::timestamptz AS confirmed_at
FROM unnest(@ids::uuid[]) AS i(id);

-- name: DisputeInsert :batchexec
INSERT INTO annals.disputes (group_id, fact_id, disputed_by, episode_id, told_by)
VALUES (@group_id, @fact_id, @disputed_by, @episode_id, @told_by)
ON CONFLICT DO NOTHING;

-- Lets facts dispute what another fact disputes, after they had lost all their time to that fact.
-- name: DisputesInherit :exec
INSERT INTO annals.disputes (group_id, fact_id, disputed_by, episode_id, told_by)
SELECT d.group_id, d.fact_id, k.id, d.episode_id, d.told_by
FROM annals.disputes d
CROSS JOIN unnest(@ids::uuid[]) AS k(id)
WHERE d.group_id = @group_id AND d.disputed_by = @id::uuid AND d.fact_id <> k.id
ON CONFLICT DO NOTHING;

-- Ends the disputes of hearsay facts that somebody now says first-hand.
-- name: DisputesConfirm :exec
DELETE FROM annals.disputes d WHERE d.group_id = @group_id AND d.fact_id = ANY(@fact_ids::uuid[]) AND d.told_by <> '';

-- Returns the authority of entities: the highest of the episodes that mention them and of those who
-- edited them or their facts.
-- name: EntitiesAuthority :one
WITH fact AS (
    SELECT f.id FROM annals.facts f WHERE f.group_id = @group_id AND f.source_id = ANY(@entity_ids::uuid[])
    UNION
    SELECT f.id FROM annals.facts f WHERE f.group_id = @group_id AND f.target_id = ANY(@entity_ids::uuid[])
)
SELECT greatest(
    (SELECT max(annals_internal.fact_authority(@group_id, f.id)) FROM fact f),
    (SELECT max(e.authority) FROM annals.mentions m JOIN annals.episodes e ON e.group_id = m.group_id AND e.id = m.episode_id
        WHERE m.group_id = @group_id AND m.entity_id = ANY(@entity_ids::uuid[])),
    (SELECT max(d.authority) FROM annals.edits d WHERE d.group_id = @group_id AND d.subject_id = ANY(@entity_ids::uuid[]) AND d.action <> 'sweep'),
    'assistant')::annals.authority AS authority;

-- name: FactIDsOfEntities :many
SELECT f.id FROM annals.facts f WHERE f.group_id = @group_id AND f.source_id = ANY(@entity_ids::uuid[])
UNION
SELECT f.id FROM annals.facts f WHERE f.group_id = @group_id AND f.target_id = ANY(@entity_ids::uuid[]);
