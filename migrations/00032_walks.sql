-- A walk goes from level to level, over each entity once, and no further than it may tell.
--
-- +goose Up

-- The entities at the other ends of what some entities are told to be, of each by
-- its 50 newest facts in either direction that hold at a time.
-- +goose StatementBegin
CREATE FUNCTION annals.facing(group_id text, ids uuid[], at timestamptz) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
    SELECT f.node
    FROM unnest(ids) AS o(id)
    CROSS JOIN LATERAL (
        (SELECT s.target_id AS node FROM annals.facts s
            WHERE s.group_id = $1 AND s.source_id = o.id AND s.valid @> at ORDER BY s.id DESC LIMIT 50)
        UNION
        (SELECT t.source_id FROM annals.facts t
            WHERE t.group_id = $1 AND t.target_id = o.id AND t.valid @> at ORDER BY t.id DESC LIMIT 50)
    ) f
$$;

-- The entities within so many hops of the seeds, along facts in either
-- direction, with their distance. Facts are those that hold at valid_at (NULL:
-- now) as believed at known_at (NULL: now). Of a node's facts the 50 newest in
-- either direction are followed, and no more than max_rows entities are returned
-- (NULL: all), the nearest first, so that a hub costs no more than anybody else. The
-- last level is gone through only as far as it is to be told.
CREATE OR REPLACE FUNCTION annals.neighborhood(
    group_id text, seed_ids uuid[], hops integer DEFAULT 2, valid_at timestamptz DEFAULT NULL, known_at timestamptz DEFAULT NULL,
    max_rows integer DEFAULT 1000
) RETURNS TABLE (entity_id uuid, distance integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    at timestamptz := coalesce(valid_at, now());
    most bigint := coalesce(max_rows, 2147483647);
    rows_walked bigint := most * (hops + 1);
BEGIN
    IF known_at IS NULL THEN
        RETURN QUERY
        WITH RECURSIVE level AS (
            SELECT 0 AS hop, s.ids AS met, s.ids AS reached
            FROM (
                SELECT ARRAY(SELECT e.id FROM annals.entities e WHERE e.group_id = $1 AND e.id IN (SELECT unnest(seed_ids))) AS ids
                OFFSET 0
            ) s
            UNION ALL
            SELECT l.hop + 1, n.met, l.reached || n.met
            FROM level l
            CROSS JOIN LATERAL (
                SELECT array_agg(DISTINCT m.node) AS met, count(*) AS ends
                FROM (
                    SELECT f.node FROM annals.facing($1, l.met, at) AS f(node)
                    WHERE NOT EXISTS (SELECT FROM unnest(l.reached) AS r(id) WHERE r.id = f.node)
                    LIMIT 4 * (most - cardinality(l.reached))
                ) m
            ) few
            CROSS JOIN LATERAL (
                SELECT CASE WHEN few.ends < 4 * (most - cardinality(l.reached)) OR cardinality(few.met) >= most - cardinality(l.reached)
                    THEN few.met
                    ELSE ARRAY( -- of all: the same were met again and again
                        SELECT DISTINCT f.node FROM annals.facing($1, l.met, at) AS f(node)
                        WHERE NOT EXISTS (SELECT FROM unnest(l.reached) AS r(id) WHERE r.id = f.node))
                    END AS met
                OFFSET 0
            ) n
            WHERE l.hop < hops AND cardinality(l.reached) < most AND few.met IS NOT NULL
        )
        SELECT m.id, l.hop FROM level l CROSS JOIN LATERAL unnest(l.met) AS m(id) ORDER BY 2, 1 LIMIT most;
    ELSE
        RETURN QUERY
        WITH RECURSIVE believed AS MATERIALIZED (
            SELECT f.source_id, f.target_id FROM annals.facts f
            WHERE f.group_id = $1 AND f.recorded @> known_at AND f.valid @> at
            UNION
            SELECT h.source_id, h.target_id FROM annals.facts_history h
            WHERE h.group_id = $1 AND h.recorded @> known_at AND h.valid @> at
        ), walk AS (
            SELECT DISTINCT s.id AS node, 0 AS hop FROM unnest(seed_ids) AS s(id)
            UNION
            SELECT CASE WHEN b.source_id = w.node THEN b.target_id ELSE b.source_id END, w.hop + 1
            FROM walk w JOIN believed b ON w.node IN (b.source_id, b.target_id)
            WHERE w.hop < hops
        ), seen AS (
            SELECT node, hop FROM walk LIMIT rows_walked
        )
        SELECT s.node, min(s.hop) FROM seen s GROUP BY s.node ORDER BY 2, 1 LIMIT most;
    END IF;
END
$$;
-- +goose StatementEnd


COMMENT ON FUNCTION annals.facing(text, uuid[], timestamptz) IS 'The entities at the other ends of the facts of some.';
SELECT annals.protect_tenants();

-- +goose Down

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.neighborhood(
    group_id text, seed_ids uuid[], hops integer DEFAULT 2, valid_at timestamptz DEFAULT NULL, known_at timestamptz DEFAULT NULL,
    max_rows integer DEFAULT 1000
) RETURNS TABLE (entity_id uuid, distance integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    at timestamptz := coalesce(valid_at, now());
    rows_walked integer := max_rows * (hops + 1);
BEGIN
    IF known_at IS NULL THEN
        RETURN QUERY
        WITH RECURSIVE walk AS (
            SELECT DISTINCT s.id AS node, 0 AS hop FROM unnest(seed_ids) AS s(id)
            UNION
            SELECT n.node, w.hop + 1
            FROM walk w
            CROSS JOIN LATERAL (
                (SELECT f.target_id AS node FROM annals.facts f
                    WHERE f.group_id = $1 AND f.source_id = w.node AND f.valid @> at ORDER BY f.id DESC LIMIT 50)
                UNION ALL
                (SELECT f.source_id FROM annals.facts f
                    WHERE f.group_id = $1 AND f.target_id = w.node AND f.valid @> at ORDER BY f.id DESC LIMIT 50)
            ) n
            WHERE w.hop < hops
        ), seen AS (
            SELECT node, hop FROM walk LIMIT rows_walked
        )
        SELECT e.id, min(s.hop)
        FROM seen s JOIN annals.entities e ON e.group_id = $1 AND e.id = s.node
        GROUP BY e.id
        ORDER BY 2, 1
        LIMIT max_rows;
    ELSE
        RETURN QUERY
        WITH RECURSIVE believed AS MATERIALIZED (
            SELECT f.source_id, f.target_id FROM annals.facts f
            WHERE f.group_id = $1 AND f.recorded @> known_at AND f.valid @> at
            UNION
            SELECT h.source_id, h.target_id FROM annals.facts_history h
            WHERE h.group_id = $1 AND h.recorded @> known_at AND h.valid @> at
        ), walk AS (
            SELECT DISTINCT s.id AS node, 0 AS hop FROM unnest(seed_ids) AS s(id)
            UNION
            SELECT CASE WHEN b.source_id = w.node THEN b.target_id ELSE b.source_id END, w.hop + 1
            FROM walk w JOIN believed b ON w.node IN (b.source_id, b.target_id)
            WHERE w.hop < hops
        ), seen AS (
            SELECT node, hop FROM walk LIMIT rows_walked
        )
        SELECT s.node, min(s.hop) FROM seen s GROUP BY s.node ORDER BY 2, 1 LIMIT max_rows;
    END IF;
END
$$;
-- +goose StatementEnd
DROP FUNCTION annals.facing(text, uuid[], timestamptz);
