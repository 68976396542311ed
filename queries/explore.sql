-- The explorer: a memory as a graph on both axes of time, its contents, and why a fact is what it
-- is.

-- Lists the episodes of a fact, and their roles.
-- name: ExploreCitations :many
SELECT c.episode_id, c.role
FROM annals.fact_episodes c
WHERE c.group_id = @group_id AND c.fact_id = @fact_id
ORDER BY c.episode_id, c.role
LIMIT @max_rows::int;

-- Lists the decisions about an entity in the latest episodes that mention it.
-- name: ExploreDecisionsOfEntity :many
SELECT t.*
FROM (
    SELECT m.episode_id
    FROM annals.mentions m
    WHERE m.group_id = @group_id AND m.entity_id = @entity_id
    ORDER BY m.episode_id DESC
    LIMIT @max_episodes::int
) e
JOIN annals.traces t ON t.group_id = @group_id AND t.episode_id = e.episode_id
WHERE t.entity_id = @entity_id
ORDER BY t.episode_id, t.place
LIMIT @max_rows::int;

-- Lists the decisions about a fact in some episodes: those that name it, and those about one of its
-- sentences before it became a fact.
-- name: ExploreDecisionsOfFact :many
SELECT t.*
FROM annals.traces t
WHERE t.group_id = @group_id AND t.episode_id = ANY(@episode_ids::uuid[])
    AND (t.fact_id = @fact_id OR t.fact_id IS NULL AND t.subject = ANY(@sentences::text[]))
ORDER BY t.episode_id, t.place
LIMIT @max_rows::int;

-- Lists who changed an entity or a fact by hand.
-- name: ExploreEdits :many
SELECT d.*
FROM annals.edits d
WHERE d.group_id = @group_id AND d.subject_id = @subject_id::uuid
ORDER BY d.edited_at
LIMIT @max_rows::int;

-- Reports whether a row has a vector of a model.
-- name: ExploreEmbedded :one
SELECT (count(*) > 0)::bool AS embedded
FROM annals.vectors v
WHERE v.group_id = @group_id AND v.kind = @kind AND v.model = @model AND v.id = @id;

-- Reads entities with the number of visible episodes that mention them, and their salience: from
-- the latest mentions of each, as of the last episode.
-- name: ExploreEntities :many
SELECT e.id, e.name, e.labels, e.created_at, (coalesce(c.mentions, 0) - CASE WHEN (SELECT annals_internal.hides_mentions(@group_id::text)) THEN annals_internal.hidden_mentions(@group_id::text, e.id) ELSE 0 END)::int AS mentions, coalesce(s.salience, 0)::float8 AS salience
FROM annals.entities e
LEFT JOIN annals_internal.entity_mentions c ON c.group_id = @group_id AND c.entity_id = e.id
LEFT JOIN LATERAL (
    SELECT sum(annals_internal.decayed(p.occurred_at, interval '30 days', @at::timestamptz)) AS salience
    FROM (
        SELECT m.episode_id FROM annals.mentions m
        WHERE m.group_id = @group_id AND m.entity_id = e.id
        ORDER BY m.episode_id DESC LIMIT @latest::int
    ) l
    JOIN annals.episodes p ON p.group_id = @group_id AND p.id = l.episode_id
        AND p.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'episode', now()))
        AND NOT ((SELECT annals_internal.withholds(@group_id::text)) AND annals_internal.quarantined(@group_id::text, p.id, p.authority, p.thread_id))
) s ON true
WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[]) AND e.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'entity', now()))
    AND annals_internal.entity_shown(@group_id::text, e.id, 'believed')
ORDER BY salience DESC, e.name, e.id;

-- Reads the last version of entities that no longer exist.
-- name: ExploreEntitiesGone :many
SELECT DISTINCT ON (h.id) h.id, h.name, h.labels, h.created_at, upper(h.recorded)::timestamptz AS until
FROM annals_internal.entities_history h
WHERE h.group_id = @group_id AND h.id = ANY(@ids::uuid[])
    AND NOT EXISTS (SELECT FROM annals.entities e WHERE e.group_id = @group_id AND e.id = h.id)
ORDER BY h.id, lower(h.recorded) DESC;

-- Lists the biggest community of each entity.
-- name: ExploreEntityCommunities :many
SELECT DISTINCT ON (m.entity_id) m.entity_id, c.id, c.name, c.size
FROM annals.community_members m
JOIN annals.communities c ON c.group_id = @group_id AND c.id = m.community_id AND NOT c.stale
WHERE m.group_id = @group_id AND m.entity_id = ANY(@ids::uuid[])
ORDER BY m.entity_id, c.size DESC, c.id;

-- Lists the visible entities, the most mentioned first.
-- name: ExploreEntityIDs :many
SELECT m.entity_id
FROM annals_internal.entity_mentions m
WHERE m.group_id = @group_id AND m.entity_id NOT IN (SELECT annals_internal.expired(@group_id::text, 'entity', now()))
    AND annals_internal.entity_shown(@group_id::text, m.entity_id, 'believed')
ORDER BY -m.mentions, m.name, m.entity_id
LIMIT @max_rows::int;

-- Lists the names that entities had, each until it was replaced.
-- name: ExploreEntityNames :many
SELECT v.id, v.until::timestamptz AS until, v.before::text AS name
FROM (
    SELECT r.id, lower(r.recorded) AS until, r.name, lag(r.name) OVER (PARTITION BY r.id ORDER BY lower(r.recorded)) AS before
    FROM annals_internal.entity_rows r
    WHERE r.group_id = @group_id AND r.id = ANY(@ids::uuid[])
) v
WHERE v.before <> v.name
ORDER BY v.id, v.until
LIMIT @max_rows::int;

-- Lists all facts, also those no longer believed.
-- name: ExploreFactIDs :many
SELECT f.id FROM annals.facts f WHERE f.group_id = @group_id
UNION
SELECT h.id FROM annals_internal.facts_history h WHERE h.group_id = @group_id;

-- Reads the believed versions of facts. Of past versions it reads the latest ones of each fact.
-- name: ExploreFacts :many
SELECT f.id, f.source_id, f.target_id, f.predicate, f.told, f.kind, f.valid, f.recorded, f.from_basis, f.from_precision,
    f.until_basis, f.until_precision, f.said_at,
    EXISTS (SELECT FROM annals.disputes d WHERE d.group_id = @group_id AND d.fact_id = f.id) AS disputed
FROM annals.facts f
WHERE f.group_id = @group_id AND f.id = ANY(@ids::uuid[]) AND f.trust <> 'candidate'
    AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
UNION ALL
SELECT h.id, h.source_id, h.target_id, h.predicate, h.told, h.kind, h.valid, h.recorded, h.from_basis, h.from_precision,
    h.until_basis, h.until_precision, h.said_at, false
FROM (
    SELECT v.*, row_number() OVER (PARTITION BY v.id ORDER BY lower(v.recorded) DESC) AS back
    FROM annals_internal.facts_history v
    WHERE v.group_id = @group_id AND v.id = ANY(@ids::uuid[]) AND v.trust <> 'candidate'
) h
WHERE h.back <= @max_versions::int;

-- Lists the newest facts of entities, up to a number in each direction, with the entities at their
-- other ends.
-- name: ExploreFactsAround :many
SELECT a.id, a.other
FROM unnest(@entity_ids::uuid[]) WITH ORDINALITY AS n(id, place)
CROSS JOIN LATERAL (
    (SELECT f.id, f.target_id AS other FROM annals.facts f WHERE f.group_id = @group_id AND f.source_id = n.id ORDER BY f.id DESC LIMIT @each::int)
    UNION ALL
    (SELECT g.id, g.source_id FROM annals.facts g WHERE g.group_id = @group_id AND g.target_id = n.id ORDER BY g.id DESC LIMIT @each::int)
) a
ORDER BY n.place
LIMIT @max_rows::int;

-- Reads the last version of facts, also of those no longer believed.
-- name: ExploreFactsLast :many
SELECT DISTINCT ON (v.id) v.*
FROM annals_internal.fact_versions_of(@group_id, @ids::uuid[]) v
ORDER BY v.id, lower(v.recorded) DESC;

-- Counts the facts and entities of a group, up to a bound.
-- name: ExploreGraphSize :one
SELECT (SELECT count(*) FROM (SELECT FROM annals.facts f WHERE f.group_id = @group_id LIMIT @bound::int) a) AS facts,
    (SELECT count(*) FROM (
        SELECT DISTINCT h.id FROM annals_internal.facts_history h
        WHERE h.group_id = @group_id AND NOT EXISTS (SELECT FROM annals.facts g WHERE g.group_id = @group_id AND g.id = h.id)
        LIMIT @bound::int) b) AS gone,
    (SELECT count(*) FROM (SELECT FROM annals.entities e WHERE e.group_id = @group_id LIMIT @bound::int) c) AS entities,
    coalesce((SELECT max(p.occurred_at) FROM annals.episodes p WHERE p.group_id = @group_id), now())::timestamptz AS last_said;

-- Lists the facts of entities that were ever believed, also those that no longer are, the newest
-- first: of all predicates, of given ones, or of events. All former versions of the group are read.
-- name: ExploreLaneFacts :many
SELECT a.id
FROM (
    SELECT f.id, f.predicate, f.kind FROM annals.facts f
    WHERE f.group_id = @group_id AND f.source_id = ANY(@entity_ids::uuid[]) AND f.trust <> 'candidate'
    UNION ALL
    SELECT g.id, g.predicate, g.kind FROM annals.facts g
    WHERE @both_ways::bool AND g.group_id = @group_id AND g.target_id = ANY(@entity_ids::uuid[]) AND g.trust <> 'candidate'
    UNION ALL
    SELECT h.id, h.predicate, h.kind FROM annals_internal.facts_history h
    WHERE h.group_id = @group_id AND (h.source_id = ANY(@entity_ids::uuid[]) OR @both_ways::bool AND h.target_id = ANY(@entity_ids::uuid[]))
        AND h.trust <> 'candidate'
) a
WHERE (NOT @filtered::bool OR a.predicate = ANY(@predicates::text[]) OR @events::bool AND a.kind = 'event' AND NOT starts_with(a.predicate, 'NO_LONGER_'))
    AND a.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
GROUP BY a.id
ORDER BY a.id DESC
LIMIT @max_rows::int;

-- Lists every version of facts, also those in which they waited for confirmation, the oldest first.
-- name: ExploreLaneVersions :many
SELECT v.*
FROM annals_internal.fact_versions_of(@group_id, @ids::uuid[]) v
ORDER BY v.id, lower(v.recorded);

-- Lists how the belief in facts ended: they were withdrawn or undone, one of their entities was
-- merged or removed, or they expired. A fact that a person changed does not expire with its
-- episodes.
-- name: ExploreLaneEnds :many
SELECT e.subject_id::uuid AS fact_id, e.edited_at::timestamptz AS at, (CASE WHEN e.action IN ('merge', 'remove') THEN 'let go' ELSE 'taken back' END)::text AS how
FROM annals.edits e
WHERE e.group_id = @group_id AND e.kind = 'fact' AND e.subject_id = ANY(@ids::uuid[]) AND e.action IN ('merge', 'remove', 'withdraw', 'delete')
UNION
SELECT r.fact_id, r.rejected_at, 'taken back'
FROM annals.rejections r
WHERE r.group_id = @group_id AND r.fact_id = ANY(@ids::uuid[])
UNION
SELECT h.id, u.undone_at, CASE WHEN u.outlived THEN 'expired' ELSE 'taken back' END
FROM annals_internal.facts_history h
JOIN annals_internal.undone u ON u.group_id = @group_id AND u.undone_at = upper(h.recorded)
WHERE h.group_id = @group_id AND h.id = ANY(@ids::uuid[])
UNION
SELECT v.id, x.at, 'expired'
FROM annals_internal.facts_history v
CROSS JOIN LATERAL (
    SELECT least(
        (SELECT m.expires_at FROM annals.marks m
            WHERE m.group_id = @group_id AND m.subject_id = v.id AND m.mark = 'expires' AND m.until IS NULL),
        (SELECT max(m.expires_at) FROM annals.marks m
            WHERE m.group_id = @group_id AND m.subject_id = ANY (v.evidence) AND m.mark = 'expires' AND m.until IS NULL
                AND NOT EXISTS (SELECT FROM annals.edits d
                    WHERE d.group_id = @group_id AND d.subject_id = v.id AND d.action NOT IN ('sweep', 'confirm', 'unconfirm'))
            HAVING count(*) = cardinality(v.evidence))) AS at
) x
WHERE v.group_id = @group_id AND v.id = ANY(@ids::uuid[]) AND x.at <= upper(v.recorded)
    AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = v.id);

-- Lists the edits by hand at times when the belief in facts changed.
-- name: ExploreLaneEdits :many
SELECT DISTINCT ON (d.edited_at, d.action, d.door, d.written_by) d.*
FROM annals.edits d
WHERE d.group_id = @group_id AND d.edited_at = ANY(@times::timestamptz[])
ORDER BY d.edited_at, d.action, d.door, d.written_by
LIMIT @max_rows::int;

-- Lists the facts that episodes state or end now.
-- name: ExploreLearned :many
SELECT c.episode_id, c.fact_id, c.role
FROM annals.fact_episodes c
WHERE c.group_id = @group_id AND c.episode_id = ANY(@episode_ids::uuid[])
ORDER BY c.episode_id, c.fact_id, c.role
LIMIT @max_rows::int;

-- Lists the facts that episodes stated or ended, and that are no longer believed.
-- name: ExploreLearnedGone :many
SELECT DISTINCT t.episode_id, t.fact_id::uuid AS fact_id
FROM annals.traces t
WHERE t.group_id = @group_id AND t.episode_id = ANY(@episode_ids::uuid[]) AND t.fact_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = t.fact_id)
ORDER BY 1, 2
LIMIT @max_rows::int;

-- Lists the entities that episodes mention.
-- name: ExploreMentioned :many
SELECT m.episode_id, e.id, e.name
FROM annals.mentions m
JOIN annals.entities e ON e.group_id = @group_id AND e.id = m.entity_id
WHERE m.group_id = @group_id AND m.episode_id = ANY(@episode_ids::uuid[])
ORDER BY m.episode_id, e.name, e.id
LIMIT @max_rows::int;

-- Counts what a group shows, by the rules of its lists, with the first and the last time. Each
-- count stops at a bound. Waiting episodes are counted as the queue counts them.
-- name: ExploreOverview :one
WITH shown AS NOT MATERIALIZED (
    SELECT e.* FROM annals.episodes e
    WHERE e.group_id = @group_id AND e.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'episode', now()))
        AND NOT ((SELECT annals_internal.withholds(@group_id::text)) AND annals_internal.quarantined(@group_id::text, e.id, e.authority, e.thread_id))
), fact AS NOT MATERIALIZED (
    SELECT f.* FROM annals.facts f
    WHERE f.group_id = @group_id AND f.trust <> 'candidate' AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
)
SELECT (SELECT count(*) FROM (SELECT FROM shown LIMIT @bound::int) a) AS episodes,
    (SELECT count(*) FROM annals.episodes e WHERE e.group_id = @group_id AND e.state IN ('pending', 'processing')) AS waiting,
    (SELECT count(*) FROM shown e WHERE e.state = 'failed') AS failed,
    (SELECT count(*) FROM (SELECT FROM annals.entities n
        WHERE n.group_id = @group_id AND n.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'entity', now()))
            AND (NOT (SELECT annals_internal.withholds(@group_id::text)) OR annals_internal.entity_shown(@group_id::text, n.id, 'believed'))
        LIMIT @bound::int) b) AS entities,
    (SELECT count(*) FROM (SELECT FROM fact LIMIT @bound::int) c) AS facts,
    (SELECT count(*) FROM (SELECT FROM fact f WHERE f.kind = 'state' AND NOT upper_inf(f.valid) AND upper(f.valid) <= now() LIMIT @bound::int) d) AS facts_ended,
    (SELECT count(*) FROM (SELECT FROM fact f WHERE f.kind = 'event' LIMIT @bound::int) g) AS events,
    (SELECT count(*) FROM (SELECT FROM annals_internal.facts_history h WHERE h.group_id = @group_id AND h.trust <> 'candidate' LIMIT @bound::int) i) AS former_versions,
    (SELECT count(*) FROM annals.communities c WHERE c.group_id = @group_id AND NOT c.stale) AS communities,
    (SELECT count(DISTINCT j.thread_id) FROM (SELECT t.thread_id FROM annals.episodes t WHERE t.group_id = @group_id AND t.thread_id <> '' LIMIT @bound::int) j) AS threads,
    (SELECT count(*) FROM (SELECT FROM annals.agents s WHERE s.group_id = @group_id LIMIT @bound::int) k) AS agents,
    (SELECT count(*) FROM (SELECT FROM annals.rejections r WHERE r.group_id = @group_id AND r.lifted_at IS NULL LIMIT @bound::int) l) AS rejections,
    coalesce((SELECT min(e.occurred_at) FROM shown e), '0001-01-01 UTC')::timestamptz AS first_said,
    coalesce((SELECT max(e.occurred_at) FROM shown e), '0001-01-01 UTC')::timestamptz AS last_said,
    coalesce((SELECT min(f.created_at) FROM fact f), '0001-01-01 UTC')::timestamptz AS first_known,
    coalesce((SELECT g.written_at FROM annals.groups g WHERE g.group_id = @group_id), '0001-01-01 UTC')::timestamptz AS last_known;

-- Counts the episodes of a group that wait or failed.
-- name: ExploreQueue :one
SELECT count(*) FILTER (WHERE e.state = 'pending' AND NOT e.deferred) AS pending, count(*) FILTER (WHERE e.state = 'processing') AS processing,
    count(*) FILTER (WHERE e.state = 'failed') AS failed, count(*) FILTER (WHERE e.deferred) AS deferred,
    coalesce(min(e.created_at) FILTER (WHERE e.state IN ('pending', 'processing') AND NOT e.deferred), '0001-01-01 UTC')::timestamptz AS oldest
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.state <> 'done';

-- Lists the groups with waiting or failed episodes, the longest waiting first.
-- name: ExploreQueues :many
SELECT e.group_id, count(*) FILTER (WHERE e.state = 'pending' AND NOT e.deferred) AS pending, count(*) FILTER (WHERE e.state = 'processing') AS processing,
    count(*) FILTER (WHERE e.state = 'failed') AS failed, count(*) FILTER (WHERE e.deferred) AS deferred,
    coalesce(min(e.created_at) FILTER (WHERE e.state IN ('pending', 'processing') AND NOT e.deferred), '0001-01-01 UTC')::timestamptz AS oldest
FROM annals.episodes e
WHERE e.state <> 'done'
GROUP BY e.group_id
ORDER BY (min(e.created_at) FILTER (WHERE e.state IN ('pending', 'processing') AND NOT e.deferred)), e.group_id
LIMIT @max_rows::int;

-- Lists the speakers of the visible episodes, the most frequent first.
-- name: ExploreSpeakers :many
SELECT e.actor, e.role, count(*) AS episodes, min(e.occurred_at)::timestamptz AS first_at, max(e.occurred_at)::timestamptz AS last_at
FROM annals.episodes e
WHERE e.group_id = @group_id AND e.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'episode', now()))
    AND NOT ((SELECT annals_internal.withholds(@group_id::text)) AND annals_internal.quarantined(@group_id::text, e.id, e.authority, e.thread_id))
GROUP BY e.actor, e.role
ORDER BY count(*) DESC, e.actor, e.role
LIMIT @max_rows::int;

-- Lists the times at which something changed. Axis 'known': when beliefs changed. Axis 'valid':
-- when the facts believed now begin, end or happen. If there are more than the limit, neighbouring
-- times are merged, about as many into each.
-- name: ExploreTimes :many
WITH fact AS MATERIALIZED (
    SELECT f.id, lower(f.recorded) AS known, f.valid FROM annals.facts f WHERE f.group_id = @group_id
), former AS MATERIALIZED (
    SELECT h.id, lower(h.recorded) AS known, upper(h.recorded) AS over FROM annals_internal.facts_history h WHERE h.group_id = @group_id
), mark AS (
    SELECT true AS known, c.at, sum(c.facts) AS facts, row_number() OVER (ORDER BY c.at) AS place, count(*) OVER () AS times
    FROM (
        SELECT f.known AS at, count(*) AS facts FROM fact f GROUP BY 1
        UNION ALL
        SELECT v.at, count(DISTINCT v.id) FROM (
            SELECT h.known AS at, h.id FROM former h
            UNION ALL
            SELECT h.over, h.id FROM former h WHERE NOT EXISTS (SELECT FROM fact f WHERE f.id = h.id AND f.known = h.over)
        ) v GROUP BY 1
    ) c
    GROUP BY c.at
    UNION ALL
    SELECT false, c.at, count(*), row_number() OVER (ORDER BY c.at), count(*) OVER ()
    FROM (
        SELECT lower(f.valid) AS at FROM fact f
        UNION ALL
        SELECT upper(f.valid) FROM fact f
    ) c
    WHERE c.at IS NOT NULL
    GROUP BY c.at
), numbered AS (
    SELECT m.known, m.at, m.facts, (m.place - 1) * l.most / greatest(m.times, l.most) AS place
    FROM mark m
    CROSS JOIN (SELECT @max_rows::bigint AS most) l
)
SELECT (CASE WHEN n.known THEN 'known' ELSE 'valid' END)::text AS axis, min(n.at)::timestamptz AS at, max(n.at)::timestamptz AS last, sum(n.facts)::bigint AS facts, count(*) AS times
FROM numbered n
GROUP BY n.known, n.place
ORDER BY n.known DESC, 2;
