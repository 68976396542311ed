-- Lists the functions in SQL that read tables or settings. Citus cannot plan a query that inlines
-- them, so on a cluster they are in PL/pgSQL, which is not inlined. On one server they stay in SQL,
-- which the planner inlines. Functions that implement an operator, so that an index is found, are
-- left out if they read nothing. The texts are resolved for an empty search path.
-- name: DistributionFunctions :many
WITH RECURSIVE reads AS (
    SELECT DISTINCT d.objid AS oid
    FROM pg_catalog.pg_depend d
    JOIN pg_catalog.pg_class c ON c.oid = d.refobjid AND c.relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace)
    WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass
    UNION
    SELECT d.objid
    FROM reads r
    JOIN pg_catalog.pg_depend d ON d.refobjid = r.oid AND d.refclassid = 'pg_catalog.pg_proc'::regclass AND d.classid = 'pg_catalog.pg_proc'::regclass
)
SELECT p.oid::regprocedure::text AS name, pg_get_functiondef(p.oid)::text AS definition, pg_get_function_sqlbody(p.oid)::text AS body,
    p.proretset::boolean AS many
FROM pg_catalog.pg_proc p
JOIN pg_catalog.pg_language l ON l.oid = p.prolang AND l.lanname = 'sql'
WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND p.prokind = 'f' AND p.prosqlbody IS NOT NULL AND p.provolatile <> 'i'
    AND (p.oid = ANY (ARRAY(SELECT r.oid FROM reads r)) OR NOT EXISTS (
        SELECT FROM pg_catalog.pg_depend d WHERE d.objid = p.oid AND d.refclassid = 'pg_catalog.pg_operator'::regclass))
ORDER BY p.oid;

-- Lists the definitions that two kinds of views need on a cluster. In views with a constant for the
-- kind of a row, the constant is hidden from the planner. In views that check whether a group has
-- any rows before they call a function, the check is removed, and the function is always called:
-- with ORDER BY and OFFSET, the check sends a statement about one group to every shard.
-- name: DistributionViews :many
SELECT format('CREATE OR REPLACE VIEW %s WITH (%s) AS %s', r.qualified, array_to_string(c.reloptions, ', '), v.definition)::text AS definition
FROM annals_internal.relations() r
JOIN pg_catalog.pg_class c ON c.oid = to_regclass(r.qualified)
CROSS JOIN LATERAL (
    SELECT regexp_replace(regexp_replace(pg_get_viewdef(c.oid), $$(\n\s+)(true|false|'\w+'::(?:annals\.)?kind)( AS )$$, '\1annals_internal.hide_from_planner(\2)\3', 'g'),
        $$\(EXISTS \( SELECT\s+FROM [\w.]+ \w+\s+WHERE \([^()]*\)\s+ORDER BY \w+\.\w+\s+OFFSET 0\)\)$$, 'true', 'g') AS definition
) v
WHERE r.is_view AND v.definition <> pg_get_viewdef(c.oid)
ORDER BY c.relname;

-- Reports whether the server can distribute tables.
-- name: DistributionPossible :one
SELECT EXISTS (SELECT FROM pg_catalog.pg_proc WHERE proname = 'create_distributed_table') AS possible;

-- Lists the tables, referenced ones first, and whether every server of a cluster needs the whole
-- table.
-- name: DistributionTables :many
WITH RECURSIVE placed AS (
    SELECT c.oid, 0 AS depth
    FROM annals_internal.relations() r
    JOIN pg_catalog.pg_class c ON c.oid = to_regclass(r.qualified)
    WHERE NOT r.is_view
    UNION
    SELECT k.conrelid, p.depth + 1
    FROM placed p
    JOIN pg_catalog.pg_constraint k ON k.confrelid = p.oid AND k.contype = 'f' AND k.conrelid <> k.confrelid
)
SELECT format('%I.%I', n.nspname, c.relname)::text AS name, (c.relname IN ('erased_groups', 'settings'))::boolean AS everywhere
FROM placed p
JOIN pg_catalog.pg_class c ON c.oid = p.oid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
GROUP BY n.nspname, c.relname
ORDER BY c.relname <> 'settings', max(p.depth), c.relname <> 'groups', c.relname;
