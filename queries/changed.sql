-- What became of what was said: a context shows nothing that no longer holds without its end.

-- Reads the facts that tell what became of what episodes and facts say: those of the
-- facts that have ended or are disputed, what disputes them, what holds in their place,
-- and what was said in place of what was taken back.
-- name: FactsBehind :many
WITH stale AS MATERIALIZED (
    SELECT f.id, f.source_id, f.predicate, f.bounded_by
    FROM (
        SELECT c.fact_id AS id FROM annals.fact_episodes c WHERE c.group_id = @group_id AND c.episode_id = ANY(@episode_ids::uuid[]) AND c.role = 'states'
        UNION
        SELECT unnest(@fact_ids::uuid[])
    ) i
    JOIN annals.facts f ON f.group_id = @group_id AND f.id = i.id
    WHERE f.trust = 'disputed' OR f.kind = 'state' AND upper(f.valid) <= @reading::timestamptz
), back AS MATERIALIZED (
    SELECT DISTINCT r.source_id, r.target_id, r.predicate, r.episode_id
    FROM annals.episodes e
    JOIN annals.rejections r ON r.group_id = @group_id AND r.lifted_at IS NULL AND annals.told_key(e.actor || ' ' || e.content) = ANY (r.told)
    WHERE e.group_id = @group_id AND e.id = ANY(@episode_ids::uuid[])
        AND EXISTS (SELECT FROM annals.rejections o WHERE o.group_id = @group_id AND o.lifted_at IS NULL)
)
SELECT v.* FROM annals.facts_of(@group_id, ARRAY(
    SELECT s.id FROM stale s
    UNION
    SELECT s.bounded_by FROM stale s WHERE s.bounded_by IS NOT NULL
    UNION
    SELECT d.disputed_by FROM stale s JOIN annals.disputes d ON d.group_id = @group_id AND d.fact_id = s.id
    UNION
    SELECT x.id
    FROM (SELECT s.source_id, s.predicate FROM stale s UNION SELECT b.source_id, b.predicate FROM back b) p
    CROSS JOIN LATERAL (
        SELECT f.id FROM annals.facts f
        WHERE f.group_id = @group_id AND f.source_id = p.source_id AND f.predicate = p.predicate AND f.trust = 'believed' AND f.kind = 'state'
            AND f.valid @> @reading::timestamptz
        ORDER BY f.id DESC
        LIMIT 3
    ) x
    UNION
    SELECT f.id
    FROM back b
    JOIN annals.fact_episodes c ON c.group_id = @group_id AND c.episode_id = b.episode_id AND c.role = 'states'
    JOIN annals.facts f ON f.group_id = @group_id AND f.id = c.fact_id AND f.predicate = b.predicate AND (f.source_id = b.source_id OR f.target_id = b.target_id)
)) v;

-- The same, as it was believed at a time: all versions of what may have ended by then.
-- name: FactsBehindKnown :many
WITH stated AS MATERIALIZED (
    SELECT i.id, f.source_id, f.predicate
    FROM (
        SELECT c.fact_id AS id FROM annals.fact_episodes c WHERE c.group_id = @group_id AND c.episode_id = ANY(@episode_ids::uuid[]) AND c.role = 'states'
        UNION
        SELECT unnest(@fact_ids::uuid[])
    ) i
    JOIN annals.facts f ON f.group_id = @group_id AND f.id = i.id
)
SELECT v.* FROM annals.versions_of(@group_id, ARRAY(
    SELECT s.id FROM stated s
    UNION
    SELECT d.disputed_by FROM stated s JOIN annals.disputes d ON d.group_id = @group_id AND d.fact_id = s.id
    UNION
    SELECT f.id FROM stated s JOIN annals.facts f ON f.group_id = @group_id AND f.source_id = s.source_id AND f.predicate = s.predicate
), @known_at::timestamptz) v;

-- Lists what of some episodes was taken back, and by which episode; NULL: by hand.
-- name: RejectionsOf :many
SELECT e.id AS episode_id, r.fact, r.source_id, r.target_id, r.predicate, r.valid, r.said_at, r.episode_id AS taken_back_by
FROM annals.episodes e
JOIN annals.rejections r ON r.group_id = @group_id AND annals.told_key(e.actor || ' ' || e.content) = ANY (r.told)
    AND r.rejected_at <= coalesce(sqlc.narg('known_at')::timestamptz, 'infinity')
    AND (r.lifted_at IS NULL OR r.lifted_at > sqlc.narg('known_at')::timestamptz)
WHERE e.group_id = @group_id AND e.id = ANY(@episode_ids::uuid[])
    AND EXISTS (SELECT FROM annals.rejections o WHERE o.group_id = @group_id)
ORDER BY e.id, r.said_at, r.id;

-- Lists what entities were until some time and are not any more: the sentences, and
-- the other ends of those facts.
-- name: EndedOf :many
SELECT n.id::uuid AS entity_id, f.fact::text AS fact, o.name::text AS other
FROM unnest(@ids::uuid[]) AS n(id)
CROSS JOIN LATERAL (
    SELECT x.id, x.fact, x.predicate, x.source_id, x.target_id
    FROM annals.facts x
    WHERE x.group_id = @group_id AND x.source_id = n.id AND x.kind = 'state' AND upper(x.valid) <= @reading::timestamptz
    ORDER BY x.id DESC
    LIMIT 50
) f
JOIN annals.entities o ON o.group_id = @group_id AND o.id = f.target_id
WHERE NOT EXISTS (
    SELECT FROM annals.facts a
    WHERE a.group_id = @group_id AND a.source_id = f.source_id AND a.target_id = f.target_id AND a.predicate = f.predicate AND a.kind = 'state'
        AND (upper_inf(a.valid) OR upper(a.valid) > @reading::timestamptz)
);
