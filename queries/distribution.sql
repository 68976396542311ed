-- Lists the tables of the schema, those that others refer to before the others,
-- and whether each server of a cluster has to have all of one.
-- name: DistributionTables :many
WITH RECURSIVE placed AS (
    SELECT c.oid, 0 AS depth
    FROM annals.relations() r
    JOIN pg_catalog.pg_class c ON c.relnamespace = 'annals'::regnamespace AND c.relname = r.name
    WHERE NOT r.is_view
    UNION
    SELECT k.conrelid, p.depth + 1
    FROM placed p
    JOIN pg_catalog.pg_constraint k ON k.confrelid = p.oid AND k.contype = 'f' AND k.conrelid <> k.confrelid
)
SELECT ('annals.' || c.relname)::text AS name, (c.relname = 'settings')::boolean AS everywhere
FROM placed p
JOIN pg_catalog.pg_class c ON c.oid = p.oid
GROUP BY c.relname
ORDER BY c.relname <> 'settings', max(p.depth), c.relname <> 'groups', c.relname;

-- Reports whether this is a server that can distribute tables.
-- name: DistributionPossible :one
SELECT EXISTS (SELECT FROM pg_catalog.pg_proc WHERE proname = 'create_distributed_table') AS possible;
