-- Trust: what a group withholds until somebody confirms or releases it.

-- name: TrustPolicyGet :one
SELECT g.hold_assistants, g.hold_documents, g.hold_threads, g.records_succeed, g.hold_doors, g.hold_roles, g.hold_sources, g.hold_relations, g.proof_of_skills
FROM annals.groups g
WHERE g.group_id = @group_id;

-- Sets what a group withholds, and whether records succeed. A trigger records who decided it.
-- name: TrustPolicySet :exec
UPDATE annals.groups
SET hold_assistants = @hold_assistants, hold_documents = @hold_documents, hold_threads = @hold_threads::text[], records_succeed = @records_succeed, proof_of_skills = @proof_of_skills,
    hold_doors = @hold_doors::text[], hold_roles = @hold_roles::text[], hold_sources = @hold_sources::text[], hold_relations = @hold_relations::text[]
WHERE group_id = @group_id;

-- Returns which episodes the group withholds, by their places in the lists, and the relations of
-- which it withholds facts. With by_hand these are statements made by hand at a door, which are no
-- episodes yet.
-- name: Withheld :one
SELECT ARRAY(
    SELECT e.place
    FROM (
        SELECT unnest(@ids::uuid[]) AS id, unnest(@authorities::text[]) AS authority, unnest(@threads::text[]) AS thread_id,
            generate_series(1, cardinality(@ids::uuid[])) AS place
    ) e
    WHERE annals_internal.episode_held(@group_id, e.id, e.authority::annals.authority, e.thread_id)
        OR @by_hand::boolean AND annals_internal.edit_held(@group_id, e.authority::annals.authority, @door::text, 'add')
)::int[] AS places, ARRAY(SELECT unnest(g.hold_relations) FROM annals.groups g WHERE g.group_id = @group_id)::text[] AS relations;

-- Lists the episodes that are held, or that were released, among those that the policy holds: given
-- ones, those of a conversation, or all.
-- name: EpisodesToRelease :many
SELECT e.id
FROM annals.episodes e
WHERE e.group_id = @group_id
    AND (sqlc.narg('ids')::uuid[] IS NULL OR e.id = ANY(sqlc.narg('ids')::uuid[]))
    AND (sqlc.narg('thread_id')::text IS NULL OR e.thread_id = sqlc.narg('thread_id')::text)
    AND (sqlc.narg('ids')::uuid[] IS NOT NULL AND annals_internal.withholds_authority(@group_id, e.authority, e.thread_id)
        OR e.authority = 'document' AND annals_internal.withholds_authority(@group_id, e.authority, e.thread_id) OR annals_internal.origin_held(@group_id, e.id))
    AND annals_internal.episode_held(@group_id, e.id, e.authority, e.thread_id) <> @hold::boolean
ORDER BY e.id;

-- Lists those of some episodes that are not in quarantine.
-- name: EpisodesUnquarantined :many
SELECT e.id FROM annals.episodes e
WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[]) AND annals_internal.episode_shown(@group_id, e.id, e.authority, e.thread_id, 'believed')
ORDER BY e.id;

-- Counts the given episodes that exist.
-- name: EpisodesThere :many
SELECT e.id FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[]);

-- Records decisions by hand on facts or episodes.
-- name: DecisionsNote :exec
INSERT INTO annals.edits (group_id, door, written_by, authority, action, kind, subject_id)
SELECT @group_id::text, o.origin->>'door', o.origin->>'written_by', (o.origin->>'authority')::annals.authority, @action::text, @kind::annals.kind, s.id
FROM unnest(@ids::uuid[]) AS s(id)
CROSS JOIN (SELECT annals_internal.write_origin() AS origin) o;

-- Confirms a fact with an authority, in a rehearsal that is rolled back.
-- name: ApprovalRehearse :exec
INSERT INTO annals.edits (group_id, edited_at, door, written_by, authority, action, kind, subject_id)
VALUES (@group_id, @at, '', '', @authority, 'confirm', 'fact', @id::uuid);

-- Lists those of some facts that are confirmed by hand.
-- name: FactsConfirmed :many
SELECT i.id::uuid AS id
FROM unnest(@ids::uuid[]) AS i(id)
WHERE annals_internal.fact_confirmed(@group_id, i.id);

-- Returns when facts were last confirmed by hand.
-- name: FactsConfirmedAt :many
SELECT d.subject_id::uuid AS id, max(d.edited_at)::timestamptz AS confirmed_at
FROM annals.edits d
WHERE d.group_id = @group_id AND d.subject_id = ANY(@ids::uuid[]) AND d.action = 'confirm'
GROUP BY d.subject_id;

-- Returns when the episodes that state facts were last released by hand.
-- name: FactsReleasedAt :many
SELECT DISTINCT c.fact_id, x.released_at::timestamptz AS released_at
FROM annals.fact_episodes c
CROSS JOIN LATERAL (
    SELECT max(d.edited_at) AS released_at FROM annals.edits d
    WHERE d.group_id = @group_id AND d.subject_id = c.episode_id AND d.action = 'release'
) x
WHERE c.group_id = @group_id AND c.episode_id = ANY(@episode_ids::uuid[]) AND c.role = 'states' AND x.released_at IS NOT NULL;

-- Returns the trust of the version of a fact that ended at a time.
-- name: FactTrustBefore :one
SELECT h.trust
FROM annals_internal.facts_history h
WHERE h.group_id = @group_id AND h.id = @id::uuid AND upper(h.recorded) = @at::timestamptz
LIMIT 1;

-- Lists the waiting facts whose episodes left other facts no time: when they were read, or when a
-- decision or a policy changed trust.
-- name: WaitingEndedWhole :many
SELECT DISTINCT f.id
FROM annals_internal.facts_history h
JOIN annals.fact_episodes c ON c.group_id = @group_id AND c.episode_id = ANY (h.ended_by) AND c.role = 'states'
JOIN annals.facts f ON f.group_id = @group_id AND f.id = c.fact_id AND f.trust = 'candidate'
JOIN annals.episodes e ON e.group_id = @group_id AND e.id = c.episode_id
WHERE h.group_id = @group_id AND (upper(h.recorded) = e.processed_at OR upper(h.recorded) IN (
        SELECT d.edited_at FROM annals.edits d WHERE d.group_id = @group_id AND d.action IN ('policy', 'confirm', 'release')))
    AND NOT EXISTS (SELECT FROM annals.facts n WHERE n.group_id = @group_id AND n.id = h.id)
ORDER BY f.id;

-- Lists the facts to which a fact left no time, at a given time or at any. They share an entity
-- with it, began when it did or were only said to hold, were ended by its episodes then, and were
-- not changed since. A fact is left out if another fact of these episodes is about the same
-- relation and ended it.
-- name: FactsEndedWhole :many
SELECT h.id
FROM annals.facts f
JOIN annals_internal.facts_history h ON h.group_id = @group_id AND upper(h.recorded) = coalesce(sqlc.narg('at')::timestamptz, upper(h.recorded))
    AND (h.source_id IN (f.source_id, f.target_id) OR h.target_id IN (f.source_id, f.target_id))
CROSS JOIN LATERAL (
    SELECT array_agg(c.episode_id) AS ids FROM annals.fact_episodes c WHERE c.group_id = @group_id AND c.fact_id = f.id AND c.role <> 'ends'
) e
WHERE f.group_id = @group_id AND f.id = @id::uuid AND h.id <> f.id
    AND h.ended_by && e.ids AND NOT h.evidence && e.ids
    AND (lower(h.valid) IS NOT DISTINCT FROM lower(f.valid) OR h.from_basis = 'said' OR f.kind = 'event' AND h.valid && f.valid)
    AND NOT EXISTS (SELECT FROM annals.facts n WHERE n.group_id = @group_id AND n.id = h.id)
    AND NOT EXISTS (
        SELECT FROM annals_internal.facts_history l WHERE l.group_id = @group_id AND l.id = h.id AND lower(l.recorded) >= upper(h.recorded))
    AND NOT EXISTS (SELECT FROM annals.rejections r WHERE r.group_id = @group_id AND r.fact_id = h.id AND r.lifted_at IS NULL)
    AND NOT (f.predicate <> h.predicate AND EXISTS (
        SELECT FROM annals.fact_episodes c
        JOIN annals.facts o ON o.group_id = @group_id AND o.id = c.fact_id AND o.predicate = h.predicate AND o.source_id = h.source_id
        WHERE c.group_id = @group_id AND c.episode_id = ANY (h.ended_by) AND c.role = 'states'))
ORDER BY h.id;

-- Lists the statements of episodes that were confirmed by hand: in all wordings that they had, with
-- the time and the authority.
-- name: ApprovedOf :many
WITH stated AS (
    SELECT c.episode_id, c.fact_id AS id
    FROM annals.fact_episodes c
    WHERE c.group_id = @group_id AND c.episode_id = ANY(@episode_ids::uuid[]) AND c.role <> 'ends'
    UNION
    SELECT e.id, h.id -- another fact has left it no time since
    FROM annals_internal.facts_history h
    CROSS JOIN LATERAL unnest(h.evidence) AS e(id)
    WHERE h.group_id = @group_id AND e.id = ANY(@episode_ids)
        AND h.id IN (SELECT d.subject_id FROM annals.edits d WHERE d.group_id = @group_id AND d.kind = 'fact' AND d.action = 'confirm')
        AND NOT EXISTS (SELECT FROM annals.facts n WHERE n.group_id = @group_id AND n.id = h.id)
        AND NOT EXISTS (SELECT FROM annals.rejections r WHERE r.group_id = @group_id AND r.fact_id = h.id AND r.lifted_at IS NULL)
), confirmed AS MATERIALIZED (
    SELECT s.episode_id, s.id, x.authority, x.at
    FROM stated s
    CROSS JOIN LATERAL (
        SELECT max(d.authority)::annals.authority AS authority, max(d.edited_at)::timestamptz AS at FROM annals.edits d
        WHERE d.group_id = @group_id AND d.subject_id = s.id AND d.action = 'confirm'
    ) x
    WHERE x.authority IS NOT NULL AND annals_internal.fact_confirmed(@group_id, s.id)
)
SELECT x.episode_id, f.predicate, f.fact, x.authority, x.at
FROM confirmed x
JOIN annals.facts f ON f.group_id = @group_id AND f.id = x.id
UNION
SELECT x.episode_id, h.predicate, h.fact, x.authority, x.at
FROM confirmed x
JOIN annals_internal.facts_history h ON h.group_id = @group_id AND h.id = x.id;

-- name: FactsStatedBy :many
SELECT DISTINCT c.fact_id
FROM annals.fact_episodes c
WHERE c.group_id = @group_id AND c.episode_id = ANY(@episode_ids::uuid[]) AND c.role = 'states';

-- Updates the trust of facts; NULL: of the whole group. Lists those whose trust changed.
-- name: FactsWeigh :many
SELECT w.id::uuid AS id FROM annals_internal.update_trust(@group_id::text, sqlc.narg('ids')::uuid[]) AS w(id);

-- Sets whether facts are weighed later, all together, or as they change.
-- name: WeighLater :exec
SELECT annals_internal.set_local('annals.weighed_later', CASE WHEN @later::boolean THEN 'on' ELSE '' END);

-- name: Weighing :exec
SELECT annals_internal.set_local('annals.weighing', CASE WHEN @weighed::boolean THEN 'on' ELSE '' END);

-- Lists the conversations of some messages.
-- name: ThreadsOfMessages :many
SELECT DISTINCT e.thread_id
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.thread_id <> '' AND e.source = 'message' AND e.id = ANY(@ids::uuid[]);

-- Updates the observations about the entities of facts whose trust changed, in a group that keeps
-- observations.
-- name: ObservationsOfWeighed :exec
SELECT annals_internal.count_observations_of(r.group_id, @ids::uuid[])
FROM annals_internal.observation_runs r
WHERE r.group_id = @group_id::text;
