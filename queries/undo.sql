-- Undoing episodes: the graph is rewound to the state before the first of them, later episodes are
-- placed again without them, and the difference is written. Rows are looked up one by one (OFFSET
-- 0): where the transaction wrote most of a group, joins would read all of it for each row.

-- Reads the episodes to undo, and whether what was read in them is kept. If it is not, an import
-- brought them with what another program made of them.
-- name: UndoneEpisodes :many
SELECT e.id, e.thread_id, e.source, e.occurred_at, e.created_at, e.state, e.processed_at, e.authority, (r.episode_id IS NOT NULL)::boolean AS read
FROM annals.episodes e
LEFT JOIN LATERAL (SELECT x.episode_id FROM annals_internal.readings x WHERE x.group_id = @group_id AND x.episode_id = e.id OFFSET 0) r ON true
WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[])
ORDER BY e.id;

-- Lists the runs that agents recorded of turns that began with the episodes: they copy their words.
-- name: RunsOf :many
SELECT e.id
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.external_id = ANY(ARRAY(SELECT 'run:' || i FROM unnest(@ids::uuid[]) AS i))
    AND e.source = 'run' AND e.thread_id LIKE 'agent/%/runs' AND e.id <> ALL(@ids::uuid[])
ORDER BY e.id;

-- Lists the messages for which a message may have served as context.
-- name: EpisodesShown :many
SELECT e.id, e.processed_at, e.previous, (r.episode_id IS NOT NULL)::boolean AS read
FROM annals.episodes e
LEFT JOIN annals_internal.readings r ON r.group_id = e.group_id AND r.episode_id = e.id
WHERE e.group_id = @group_id AND e.thread_id = @thread_id AND (e.occurred_at, e.id) > (@occurred_at::timestamptz, @id::uuid)
    AND e.source = 'message'
ORDER BY e.occurred_at, e.id
LIMIT @max_rows::int;

-- Lists the periods in which beliefs rested on episodes that are gone, or lacked decisions that
-- came later. Such a period begins when the episodes were processed. It ends when a decision made
-- their facts believed, let them end others or undid that, or restored facts to which they had left
-- no time.
-- name: UndoneList :many
SELECT u.since, u.undone_at
FROM annals_internal.undone u
WHERE u.group_id = @group_id
UNION
SELECT e.processed_at, h.decided_at
FROM (
    SELECT DISTINCT upper(f.recorded) AS decided_at, unnest(f.ended_by || CASE WHEN n.same OR f.ended_by <> '{}' AND f.trust <> 'candidate' THEN '{}' ELSE f.evidence END) AS episode_id
    FROM annals_internal.facts_history f
    CROSS JOIN LATERAL (
        SELECT EXISTS (SELECT FROM annals.facts c WHERE c.group_id = @group_id AND c.id = f.id AND lower(c.recorded) = upper(f.recorded) AND c.valid = f.valid)
            OR EXISTS (SELECT FROM annals_internal.facts_history c
                WHERE c.group_id = @group_id AND c.id = f.id AND lower(c.recorded) = upper(f.recorded) AND c.valid = f.valid) AS same
    ) n
    WHERE f.group_id = @group_id AND (upper(f.recorded) IN ( -- checked for each version, not joined: without statistics a join compares all with all
        SELECT d.edited_at FROM annals.edits d WHERE d.group_id = @group_id AND d.action IN ('confirm', 'unconfirm', 'release', 'hold', 'policy', 'restore'))) IS TRUE
) h
JOIN annals.episodes e ON e.group_id = @group_id AND e.id = h.episode_id AND e.processed_at IS NOT NULL
UNION
SELECT e.processed_at, b.back_at
FROM (
    SELECT v.id, lower(v.recorded) AS back_at
    FROM (
        SELECT f.id, f.recorded FROM annals.facts f WHERE f.group_id = @group_id
        UNION ALL
        SELECT h.id, h.recorded FROM annals_internal.facts_history h WHERE h.group_id = @group_id
    ) v
    WHERE (lower(v.recorded) IN (
        SELECT d.edited_at FROM annals.edits d WHERE d.group_id = @group_id AND d.action IN ('withdraw', 'unconfirm', 'hold', 'policy'))) IS TRUE
) b
CROSS JOIN LATERAL (
    SELECT upper(h.recorded) AS ended_at, h.ended_by
    FROM annals_internal.facts_history h
    WHERE h.group_id = @group_id AND h.id = b.id AND upper(h.recorded) <= b.back_at
    ORDER BY upper(h.recorded) DESC
    LIMIT 1
) h
JOIN annals.episodes e ON e.group_id = @group_id AND e.id = ANY (h.ended_by) AND e.processed_at < b.back_at AND h.ended_at < b.back_at
ORDER BY 2;

-- name: UndoneInsert :exec
INSERT INTO annals_internal.undone (group_id, undone_at, since, outlived, removed)
SELECT @group_id, annals_internal.recorded_now(), @since, @outlived,
    ARRAY(SELECT e.processed_at FROM annals.episodes e
        WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[]) AND e.processed_at IS NOT NULL)
ON CONFLICT DO NOTHING;

-- Removes episodes whose part in the graph is already undone: see
-- annals_internal.remove_unsupported.
-- name: EpisodesDelete :exec
SELECT annals_internal.remove_rows(@group_id, CASE WHEN annals_internal.set_local('annals.undoing', 'on') = 'on' THEN 'episode' END, @ids::uuid[]);

-- Lists the episodes that were processed since a time, in that order. Those of one time were read
-- together.
-- name: EpisodesProcessedSince :many
SELECT e.id, e.source, e.content, e.actor, e.role, e.name, e.source_description, e.thread_id, e.occurred_at, e.previous, e.authority,
    e.processed_at::timestamptz AS processed_at, r.reader, r.reading, coalesce(m.expires_at, '0001-01-01 UTC')::timestamptz AS expires_at
FROM annals.episodes e
CROSS JOIN LATERAL (SELECT x.reader, x.reading FROM annals_internal.readings x WHERE x.group_id = @group_id AND x.episode_id = e.id OFFSET 0) r
LEFT JOIN annals.marks m ON m.group_id = @group_id AND m.subject_id = e.id AND m.mark = 'expires' AND m.until IS NULL
WHERE e.group_id = @group_id AND e.processed_at >= @since::timestamptz AND e.state = 'done'
ORDER BY e.processed_at, e.id;

-- Returns when the first episode with a stored reading was processed since a time. An import came
-- before all such episodes.
-- name: ReadSince :one
SELECT e.processed_at::timestamptz AS processed_at
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.processed_at >= @since::timestamptz AND e.state = 'done'
    AND EXISTS (SELECT FROM annals_internal.readings r WHERE r.group_id = e.group_id AND r.episode_id = e.id)
ORDER BY e.processed_at
LIMIT 1;

-- name: EpisodesTakeAgain :exec
UPDATE annals.episodes
SET state = 'processing'
WHERE group_id = @group_id AND id = ANY(@ids::uuid[]);

-- name: ReadingUpsert :batchexec
INSERT INTO annals_internal.readings (group_id, episode_id, reader, reading)
VALUES (@group_id, @episode_id, @reader, @reading)
ON CONFLICT (group_id, episode_id) DO UPDATE SET reader = excluded.reader, reading = excluded.reading;

-- name: ReadingList :many
SELECT episode_id, reader, reading
FROM annals_internal.readings
WHERE group_id = @group_id AND episode_id = ANY(@episode_ids::uuid[]);

-- Rewinding: rows that are new are listed and removed, rows that changed are restored.

-- Removes the ties to an episode, and returns the entities and facts that lose it.
-- name: RewindProvenance :many
WITH mentioned AS (
    DELETE FROM annals.mentions m WHERE m.group_id = @group_id AND m.episode_id = ANY(@episode_ids::uuid[])
    RETURNING m.entity_id
), cited AS (
    DELETE FROM annals.fact_episodes f WHERE f.group_id = @group_id AND f.episode_id = ANY(@episode_ids::uuid[])
    RETURNING f.fact_id
)
SELECT m.entity_id AS id FROM mentioned m
UNION
SELECT c.fact_id FROM cited c;

-- name: RewindFactsNew :many
SELECT f.id FROM annals.facts f
WHERE f.group_id = @group_id AND lower(f.recorded) >= @since::timestamptz AND NOT EXISTS (
    SELECT FROM annals_internal.facts_history h
    WHERE h.group_id = f.group_id AND h.id = f.id AND lower(h.recorded) < @since::timestamptz AND upper(h.recorded) >= @since::timestamptz);

-- name: RewindEntitiesNew :many
SELECT e.id FROM annals.entities e
WHERE e.group_id = @group_id AND lower(e.recorded) >= @since::timestamptz AND NOT EXISTS (
    SELECT FROM annals_internal.entities_history h
    WHERE h.group_id = e.group_id AND h.id = e.id AND lower(h.recorded) < @since::timestamptz AND upper(h.recorded) >= @since::timestamptz);

-- Restores entities. Returns those whose name changed, or that are back.
-- name: RewindEntities :many
WITH before AS (
    SELECT h.group_id, h.id, h.name, h.aliases, h.labels, h.summary, h.attributes, h.created_at, e.name AS late_name
    FROM annals_internal.entities_history h
    LEFT JOIN annals.entities e ON e.group_id = h.group_id AND e.id = h.id
    WHERE h.group_id = @group_id AND lower(h.recorded) < @since::timestamptz AND upper(h.recorded) >= @since::timestamptz
        AND (e.id IS NULL OR lower(e.recorded) >= @since::timestamptz)
), changed AS (
    UPDATE annals.entities e
    SET name = b.name, aliases = b.aliases, labels = b.labels, summary = b.summary, attributes = b.attributes
    FROM before b
    WHERE e.group_id = @group_id AND e.id = b.id
), gone AS (
    INSERT INTO annals.entities (group_id, id, name, aliases, labels, summary, attributes, created_at)
    SELECT b.group_id, b.id, b.name, b.aliases, b.labels, b.summary, b.attributes, b.created_at
    FROM before b
    WHERE b.late_name IS NULL
)
SELECT b.id, b.name FROM before b WHERE b.late_name IS DISTINCT FROM b.name ORDER BY b.id;

-- name: RewindFactsChanged :exec
UPDATE annals.facts f
SET source_id = h.source_id, target_id = h.target_id, predicate = h.predicate, fact = h.fact, told = h.told, ends = h.ends,
    attributes = h.attributes, valid = h.valid, expired_at = h.expired_at, statement_id = h.statement_id,
    kind = h.kind, from_basis = h.from_basis, from_precision = h.from_precision, until_basis = h.until_basis, until_precision = h.until_precision, said_at = h.said_at, bounded_by = h.bounded_by
FROM annals_internal.facts_history h
WHERE f.group_id = @group_id AND lower(f.recorded) >= @since::timestamptz AND h.group_id = f.group_id AND h.id = f.id
    AND lower(h.recorded) < @since::timestamptz AND upper(h.recorded) >= @since::timestamptz;

-- name: RewindFactsGone :many
INSERT INTO annals.facts AS made (group_id, id, source_id, target_id, predicate, fact, told, ends, attributes, valid, created_at, expired_at, statement_id,
    kind, from_basis, from_precision, until_basis, until_precision, said_at, bounded_by)
SELECT h.group_id, h.id, h.source_id, h.target_id, h.predicate, h.fact, h.told, h.ends, h.attributes, h.valid, h.created_at, h.expired_at,
    h.statement_id, h.kind, h.from_basis, h.from_precision, h.until_basis, h.until_precision, h.said_at, h.bounded_by
FROM annals_internal.facts_history h
WHERE h.group_id = @group_id AND lower(h.recorded) < @since::timestamptz AND upper(h.recorded) >= @since::timestamptz
    AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = h.group_id AND f.id = h.id)
RETURNING made.id, made.fact, made.predicate;

-- Lists those of the facts that an edit removed last: they were rejected, no longer kept, or
-- removed with an entity.
-- name: FactsTakenOut :many
SELECT l.id
FROM (
    SELECT h.id, max(upper(h.recorded)) AS gone_at
    FROM annals_internal.facts_history h
    WHERE h.group_id = @group_id AND h.id = ANY(@ids::uuid[])
    GROUP BY h.id
) l
WHERE EXISTS (SELECT FROM annals.edits d WHERE d.group_id = @group_id AND d.kind = 'fact' AND d.subject_id = l.id AND d.edited_at = l.gone_at
    AND d.action NOT IN ('confirm', 'unconfirm'))
ORDER BY l.id;

-- Lists the last versions of the facts that are gone since, with the episodes that ended them.
-- Facts that an edit removed are left out.
-- name: FactsGoneSince :many
SELECT h.id, h.predicate, h.fact, h.evidence, h.ended_by
FROM annals_internal.facts_history h
WHERE h.group_id = @group_id AND upper(h.recorded) >= @since::timestamptz
    AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = h.id)
    AND NOT EXISTS (
        SELECT FROM annals_internal.facts_history l WHERE l.group_id = @group_id AND l.id = h.id AND lower(l.recorded) >= upper(h.recorded))
    AND NOT EXISTS (SELECT FROM annals.edits d WHERE d.group_id = @group_id AND d.subject_id = h.id AND d.edited_at = upper(h.recorded)
        AND d.action NOT IN ('confirm', 'unconfirm'))
ORDER BY h.id;

-- Records which episodes ended a fact that is gone.
-- name: FactEndedBy :batchexec
SELECT annals_internal.note_end(@group_id, @id, @episodes::uuid[]);

-- Ties restored facts to the episodes that stated them, except to those that are placed again.
-- name: CitationsRestore :exec
INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role)
SELECT f.group_id, f.id, p.id, 'states'
FROM annals.facts f
CROSS JOIN LATERAL (
    SELECT x.evidence FROM annals_internal.facts_history x
    WHERE x.group_id = @group_id AND x.id = f.id
    ORDER BY lower(x.recorded) DESC LIMIT 1
) h
JOIN annals.episodes p ON p.group_id = @group_id AND p.id = ANY(h.evidence)
WHERE f.group_id = @group_id AND f.id = ANY(@ids::uuid[]) AND NOT p.id = ANY(@except_ids::uuid[])
ON CONFLICT DO NOTHING;

-- Lists those of the facts that no episode states any more, and that nobody told or corrected by
-- hand.
-- name: FactsUnsupported :many
SELECT v.*
FROM annals_internal.current_facts_of(@group_id, @ids::uuid[]) v
WHERE NOT EXISTS (SELECT FROM annals.fact_episodes c WHERE c.group_id = @group_id AND c.fact_id = v.id AND c.role <> 'ends')
    AND NOT EXISTS (SELECT FROM annals.edits d WHERE d.group_id = @group_id AND d.subject_id = v.id AND d.action NOT IN ('confirm', 'unconfirm', 'sweep'))
ORDER BY v.id;

-- Lists those of the entities that no episode mentions and no fact has any more, and that nobody
-- made or changed by hand. It does not count as a change that they were removed or restored with
-- one of their facts.
-- name: EntitiesUnsupported :many
SELECT n.id FROM annals.entities n
WHERE n.group_id = @group_id AND n.id = ANY(@ids::uuid[])
    AND NOT EXISTS (SELECT FROM annals.mentions m WHERE m.group_id = @group_id AND m.entity_id = n.id OFFSET 0)
    AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.source_id = n.id OFFSET 0)
    AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.target_id = n.id OFFSET 0)
    AND NOT EXISTS (SELECT FROM annals.edits d WHERE d.group_id = @group_id AND d.subject_id = n.id AND (d.action NOT IN ('edit', 'withdraw', 'restore') OR NOT EXISTS (
        SELECT FROM annals.edits f WHERE f.group_id = @group_id AND f.kind = 'fact' AND f.edited_at = d.edited_at AND f.action = d.action OFFSET 0)) OFFSET 0)
    AND NOT EXISTS (SELECT FROM annals_internal.entity_merges g WHERE g.group_id = @group_id AND n.id IN (g.id, g.merged_into));

-- Comparing the two states.

-- name: EntitiesSince :many
SELECT e.* FROM annals_internal.entity_rows e
WHERE e.group_id = @group_id AND e.is_current AND (lower(e.recorded) >= @since::timestamptz OR e.id = ANY(@ids::uuid[]))
ORDER BY e.id;

-- name: FactsSince :many
SELECT f.*
FROM annals_internal.current_facts_of(@group_id, ARRAY(
    SELECT c.id FROM annals.facts c WHERE c.group_id = @group_id AND (lower(c.recorded) >= @since::timestamptz OR c.id = ANY(@ids::uuid[])))) f
ORDER BY f.id;

-- name: MentionsOf :many
SELECT episode_id, entity_id
FROM annals.mentions
WHERE group_id = @group_id AND episode_id = ANY(@episode_ids::uuid[])
ORDER BY episode_id, entity_id;

-- name: CitationsOf :many
SELECT fact_id, episode_id, role
FROM annals.fact_episodes
WHERE group_id = @group_id AND episode_id = ANY(@episode_ids::uuid[])
ORDER BY episode_id, fact_id, role;

-- name: DisputesOf :many
SELECT fact_id, disputed_by, episode_id, told_by
FROM annals.disputes
WHERE group_id = @group_id AND (episode_id = ANY(@episode_ids::uuid[]) OR disputed_by = ANY(@fact_ids::uuid[]))
ORDER BY episode_id, fact_id, disputed_by;

-- name: TracesOf :many
SELECT episode_id, place, step, decision, subject, reason, entity_id, fact_id
FROM annals.traces
WHERE group_id = @group_id AND episode_id = ANY(@episode_ids::uuid[])
ORDER BY episode_id, place;

-- Lists entities that were made, changed or removed by hand since, and whether they were only
-- removed or restored with one of their facts.
-- name: EntitiesEditedSince :many
SELECT d.subject_id::uuid AS id, bool_and(EXISTS (
    SELECT FROM annals.edits f
    WHERE f.group_id = @group_id AND f.kind = 'fact' AND f.edited_at = d.edited_at AND f.action = d.action AND d.action IN ('edit', 'withdraw', 'restore')
))::boolean AS by_fact
FROM annals.edits d
WHERE d.group_id = @group_id AND d.kind = 'entity' AND d.edited_at >= @since::timestamptz
GROUP BY d.subject_id
ORDER BY d.subject_id;

-- Lists facts that were made, changed or removed by hand since.
-- name: FactsEditedSince :many
SELECT DISTINCT d.subject_id::uuid AS id
FROM annals.edits d
WHERE d.group_id = @group_id AND d.kind = 'fact' AND d.edited_at >= @since::timestamptz AND d.action NOT IN ('confirm', 'unconfirm', 'rename')
ORDER BY id;

-- name: EntityMergesOf :many
SELECT id, merged_into
FROM annals_internal.entity_merges
WHERE group_id = @group_id;

-- Writing the difference.

-- name: FactRewrite :batchexec
UPDATE annals.facts
SET source_id = @source_id, target_id = @target_id, predicate = @predicate, fact = @fact, told = @told, ends = @ends, attributes = @attributes,
    valid = tstzrange(sqlc.narg('valid_start')::timestamptz, sqlc.narg('valid_end')::timestamptz), statement_id = @statement_id,
    kind = @kind, from_basis = @from_basis, from_precision = @from_precision, until_basis = @until_basis, until_precision = @until_precision,
    said_at = sqlc.narg('said_at'), bounded_by = sqlc.narg('bounded_by'),
    expired_at = CASE
        WHEN sqlc.narg('valid_end')::timestamptz IS NULL THEN NULL
        WHEN valid = tstzrange(sqlc.narg('valid_start')::timestamptz, sqlc.narg('valid_end')::timestamptz) THEN expired_at
        ELSE n.at END
FROM (SELECT annals_internal.recorded_now() AS at) n
WHERE group_id = @group_id AND id = @id;

-- Removes entities with their facts. The history keeps them.
-- name: EntitiesDelete :one
SELECT count(*) FROM annals_internal.remove_rows(@group_id, 'entity', @ids::uuid[]);

-- name: MentionsDelete :exec
DELETE FROM annals.mentions
WHERE group_id = @group_id AND episode_id = ANY(@episode_ids::uuid[]) AND NOT entity_id = ANY(@kept::uuid[]);

-- name: CitationsDelete :exec
DELETE FROM annals.fact_episodes
WHERE group_id = @group_id AND episode_id = ANY(@episode_ids::uuid[]) AND NOT fact_id = ANY(@kept::uuid[]);

-- name: DisputesDelete :exec
DELETE FROM annals.disputes d
WHERE d.group_id = @group_id AND d.episode_id = ANY(@episode_ids::uuid[]) AND NOT d.fact_id = ANY(@kept::uuid[])
    AND EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = d.fact_id);

-- Lists facts that other episodes than these still state.
-- name: FactsStatedElsewhere :many
SELECT DISTINCT fact_id
FROM annals.fact_episodes
WHERE group_id = @group_id AND fact_id = ANY(@ids::uuid[]) AND role = 'states' AND NOT episode_id = ANY(@episode_ids::uuid[]);

-- Clears the summaries of conversations that lost a message, so that they are summarised from the
-- start. A conversation that was created by itself stays, without its summary.
-- name: ThreadsForget :execrows
WITH known AS (
    UPDATE annals.threads m SET summary = '', through_at = NULL, through_id = NULL
    WHERE m.group_id = @group_id AND m.id = ANY(@ids::text[]) AND m.created_at IS NOT NULL
)
DELETE FROM annals.threads t
WHERE t.group_id = @group_id AND t.id = ANY(@ids::text[]) AND t.created_at IS NULL;

-- Reads the versions of entities before they were changed by hand.
-- name: EntityVersionsOf :many
SELECT v.* FROM annals_internal.entity_rows v
WHERE v.group_id = @group_id AND v.id = ANY(@ids::uuid[]) AND NOT v.is_current
ORDER BY v.id;

-- Reads the versions of facts before they were changed by hand.
-- name: FactVersionsOf :many
SELECT DISTINCT id, source_id, target_id, predicate, fact, ends
FROM annals_internal.facts_history
WHERE group_id = @group_id AND id = ANY(@ids::uuid[])
ORDER BY id;

-- Ends the disputes in which the other fact no longer has the higher authority, and lists them. The
-- dispute of a fact told at second hand ends only if the other authority is lower. That of a
-- candidate stays, as a candidate counts less than anything believed.
-- name: DisputesSettle :many
WITH settled AS MATERIALIZED (
    SELECT d.fact_id, d.disputed_by FROM annals.disputes d
    CROSS JOIN LATERAL (
        SELECT annals_internal.fact_authority(d.group_id, d.fact_id) AS own, annals_internal.fact_authority(d.group_id, d.disputed_by, 'user') AS other
    ) a
    WHERE d.group_id = @group_id AND a.other <= a.own AND (d.told_by = '' OR a.other < a.own)
        AND EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = d.fact_id)
        AND annals_internal.fact_trust(d.group_id, d.fact_id) <> 'candidate'
)
DELETE FROM annals.disputes x
USING settled s
WHERE x.group_id = @group_id AND (x.fact_id, x.disputed_by) = (s.fact_id, s.disputed_by)
RETURNING x.*;

-- Lists the disputes of facts that would be settled if the facts were confirmed with an authority.
-- name: DisputesSettledBy :many
SELECT d.fact_id, d.disputed_by
FROM annals.disputes d
CROSS JOIN LATERAL (
    SELECT greatest(@authority::annals.authority, annals_internal.fact_authority(d.group_id, d.fact_id)) AS own, annals_internal.fact_authority(d.group_id, d.disputed_by, 'user') AS other
) a
WHERE d.group_id = @group_id AND d.fact_id = ANY(@ids::uuid[]) AND a.other <= a.own AND (d.told_by = '' OR a.other < a.own);

-- Rebuilding.

-- Lists entities and facts of episodes that came into the graph since, or ever, and in which
-- nothing was read, such as imported ones: there is nothing to make them from again. Those of given
-- episodes are left out.
-- name: RebuildKept :many
WITH unread AS MATERIALIZED (
    SELECT e.id FROM annals.episodes e
    WHERE e.group_id = @group_id AND e.state = 'done' AND (sqlc.narg('since')::timestamptz IS NULL OR e.processed_at >= sqlc.narg('since'))
        AND NOT e.id = ANY(@except_ids::uuid[])
        AND NOT EXISTS (SELECT FROM annals_internal.readings r WHERE r.group_id = e.group_id AND r.episode_id = e.id)
)
SELECT c.fact_id AS id FROM annals.fact_episodes c WHERE c.group_id = @group_id AND c.episode_id IN (SELECT u.id FROM unread u)
UNION
SELECT m.entity_id FROM annals.mentions m WHERE m.group_id = @group_id AND m.episode_id IN (SELECT u.id FROM unread u)
UNION
SELECT f.id FROM annals.facts f
WHERE f.group_id = @group_id AND sqlc.narg('since')::timestamptz IS NULL
    AND NOT EXISTS (SELECT FROM annals.fact_episodes c WHERE c.group_id = f.group_id AND c.fact_id = f.id)
    AND EXISTS (SELECT FROM annals.edits d WHERE d.group_id = f.group_id AND d.subject_id = f.id AND d.action NOT IN ('confirm', 'unconfirm', 'sweep'));

-- Empties the search data of a group, to be built again.
-- name: RebuildEmpty :exec
WITH posting AS (
    DELETE FROM annals_internal.postings p WHERE p.group_id = @group_id
), block AS (
    DELETE FROM annals_internal.posting_blocks b WHERE b.group_id = @group_id
), name AS (
    DELETE FROM annals_internal.entity_names n WHERE n.group_id = @group_id
), counted AS (
    DELETE FROM annals_internal.search_statistics s WHERE s.group_id = @group_id
), frequent AS (
    DELETE FROM annals_internal.frequent_terms t WHERE t.group_id = @group_id
), community AS (
    UPDATE annals.communities c SET digest = '' WHERE c.group_id = @group_id
)
SELECT;

-- Clears the summary of a conversation that is to be summarised again.
-- name: RebuildThread :exec
UPDATE annals.threads t SET summary = '', through_at = NULL, through_id = NULL
WHERE t.group_id = @group_id AND t.id = @id;

-- name: RebuildThreads :many
SELECT t.id FROM annals.threads t
WHERE t.group_id = @group_id AND (t.summary <> '' OR t.through_id IS NOT NULL)
ORDER BY t.id;

-- name: RebuildCommunities :one
SELECT (EXISTS (SELECT FROM annals.communities c WHERE c.group_id = @group_id)
    OR EXISTS (SELECT FROM annals_internal.community_builds b WHERE b.group_id = @group_id AND b.built_at IS NOT NULL))::boolean AS built;

-- name: RebuildRows :many
SELECT 'episode'::text AS kind, e.id FROM annals.episodes e WHERE e.group_id = @group_id
UNION ALL
SELECT 'entity', n.id FROM annals.entities n WHERE n.group_id = @group_id
UNION ALL
SELECT 'fact', f.id FROM annals.facts f WHERE f.group_id = @group_id
UNION ALL
SELECT 'community', c.id FROM annals.communities c WHERE c.group_id = @group_id;
