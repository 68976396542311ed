-- What became of statements: a context shows nothing that no longer holds without its end.

-- Reads the facts that explain what became of episodes and facts. These are the facts that the
-- episodes state, or that share a sentence with the given facts, if they have ended or are
-- disputed; the facts on the other side of their disputes; the facts that hold in their place; and
-- the facts stated in place of what was taken back.
-- name: FactsBehind :many
WITH shown AS MATERIALIZED (
    SELECT c.fact_id AS id FROM annals.fact_episodes c WHERE c.group_id = @group_id AND c.episode_id = ANY(@episode_ids::uuid[]) AND c.role = 'states'
    UNION
    SELECT o.id
    FROM annals.facts g
    JOIN annals.facts o ON o.group_id = @group_id AND o.statement_id = g.statement_id
    WHERE g.group_id = @group_id AND g.id = ANY(@fact_ids::uuid[])
), stale AS MATERIALIZED (
    SELECT f.id, f.source_id, f.predicate, f.bounded_by
    FROM shown i
    JOIN annals.facts f ON f.group_id = @group_id AND f.id = i.id
    WHERE f.trust = 'disputed' OR f.kind = 'state' AND upper(f.valid) <= @reading::timestamptz
), back AS MATERIALIZED (
    SELECT DISTINCT w.source_id::uuid AS source_id, w.target_id::uuid AS target_id, w.predicate::text AS predicate, w.taken_back_by::uuid AS episode_id
    FROM annals.withdrawn_statements(@group_id, @episode_ids::uuid[]) w
)
SELECT v.* FROM (SELECT ARRAY(
    SELECT s.id FROM stale s
    UNION
    SELECT s.bounded_by FROM stale s WHERE s.bounded_by IS NOT NULL
    UNION
    SELECT d.disputed_by FROM stale s JOIN annals.disputes d ON d.group_id = @group_id AND d.fact_id = s.id
    UNION
    SELECT unnest(ARRAY[d.fact_id, d.disputed_by]) FROM shown i
    JOIN annals.disputes d ON d.group_id = @group_id AND d.disputed_by = i.id
    JOIN annals.facts f ON f.group_id = @group_id AND f.id = d.fact_id AND f.trust = 'disputed'
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
) AS ids OFFSET 0) a
CROSS JOIN LATERAL annals_internal.current_facts_of(@group_id, a.ids) v; -- a call with a subquery as argument would be planned each time

-- Reads these facts as believed at a time, with all versions of those that may have ended by then.
-- name: FactsBehindKnown :many
WITH stated AS MATERIALIZED (
    SELECT i.id, f.source_id, f.predicate
    FROM (
        SELECT c.fact_id AS id FROM annals.fact_episodes c WHERE c.group_id = @group_id AND c.episode_id = ANY(@episode_ids::uuid[]) AND c.role = 'states'
        UNION
        SELECT o.id
        FROM annals.facts g
        JOIN annals.facts o ON o.group_id = @group_id AND o.statement_id = g.statement_id
        WHERE g.group_id = @group_id AND g.id = ANY(@fact_ids::uuid[])
    ) i
    JOIN annals.facts f ON f.group_id = @group_id AND f.id = i.id
)
SELECT v.* FROM annals_internal.fact_versions_of(@group_id, ARRAY(
    SELECT s.id FROM stated s
    UNION
    SELECT d.disputed_by FROM stated s JOIN annals.disputes d ON d.group_id = @group_id AND d.fact_id = s.id
    UNION
    SELECT f.id FROM stated s JOIN annals.facts f ON f.group_id = @group_id AND f.source_id = s.source_id AND f.predicate = s.predicate
), @known_at::timestamptz) v;

-- Lists who tells the contradicting facts of some episodes and facts, on both sides.
-- name: TellersOf :many
WITH shown AS MATERIALIZED (
    SELECT c.fact_id AS id FROM annals.fact_episodes c WHERE c.group_id = @group_id AND c.episode_id = ANY(@episode_ids::uuid[]) AND c.role = 'states'
    UNION
    SELECT unnest(@fact_ids::uuid[])
)
SELECT t.id::uuid AS id, t.who::text AS who, t.own::boolean AS own, t.authority::annals.authority AS authority, coalesce(t.said_at, '0001-01-01')::timestamptz AS said_at
FROM annals_internal.fact_sources(@group_id, ARRAY(
    SELECT unnest(ARRAY[d.fact_id, d.disputed_by]) FROM shown s JOIN annals.disputes d ON d.group_id = @group_id AND d.fact_id = s.id
    UNION
    SELECT unnest(ARRAY[d.fact_id, d.disputed_by]) FROM shown s JOIN annals.disputes d ON d.group_id = @group_id AND d.disputed_by = s.id
), sqlc.narg('known_at')::timestamptz) t;

-- Lists the statements of episodes that are no longer believed.
-- name: WithdrawnOf :many
SELECT w.episode_id::uuid AS episode_id, w.fact::text AS fact, coalesce(t.name, '')::text AS target, coalesce(w.source_id, '00000000-0000-0000-0000-000000000000')::uuid AS source_id,
    coalesce(w.target_id, '00000000-0000-0000-0000-000000000000')::uuid AS target_id, w.predicate::text AS predicate, w.valid::tstzrange AS valid, coalesce(w.said_at, '0001-01-01')::timestamptz AS said_at, w.taken_back::boolean AS taken_back,
    coalesce(w.taken_back_by, '00000000-0000-0000-0000-000000000000')::uuid AS taken_back_by
FROM annals.withdrawn_statements(@group_id, @episode_ids::uuid[], sqlc.narg('known_at')::timestamptz) w
LEFT JOIN annals.entities t ON t.group_id = @group_id AND t.id = w.target_id
ORDER BY w.episode_id, w.said_at NULLS FIRST, w.fact;

-- Lists what entities are not at a time, as the names and sentences that their summaries may hold.
-- name: EndedOf :many
SELECT n.entity_id::uuid AS entity_id, n.words::text AS words FROM annals.statements_not_valid(@group_id, @ids::uuid[], @reading::timestamptz) n;
