package db

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// ourSchemas are the schemas that the schema of a shard merges into one: names are unique across
// both.
const ourSchemas = `'annals'::regnamespace, 'annals_internal'::regnamespace`

// shownNames selects the names that each shard's schema has: the tables and views, and the
// functions that read them.
const shownNames = `SELECT c.relname::text AS name FROM pg_catalog.pg_class c
    WHERE c.relnamespace IN (` + ourSchemas + `) AND c.relkind IN ('r', 'v') AND c.relname <> 'migrations' AND c.relname !~ '^river_'
    UNION ALL
    SELECT p.proname::text FROM pg_catalog.pg_proc p
    WHERE p.pronamespace IN (` + ourSchemas + `) AND p.prokind = 'f' AND p.proname NOT IN ('hide_from_planner', 'river_job_state_in_bitmask')
    GROUP BY p.proname HAVING bool_and(p.provolatile = 's' AND NOT p.prosecdef)`

// shardsHere selects the shards of a server. The shards of annals.groups stand for those of all
// tables.
const shardsHere = `SELECT s.shardid, s.shardminvalue FROM pg_catalog.pg_dist_shard s
    JOIN pg_catalog.pg_dist_placement p ON p.shardid = s.shardid
    JOIN pg_catalog.pg_dist_local_group l ON l.groupid = p.groupid
    WHERE s.logicalrelid = 'annals.groups'::regclass`

// showShards creates, on the server that runs it, a schema for each of its shards. The schema shows
// that shard as the schema annals shows all rows on one server: a view for each table, the views
// over those, and the functions that read them, in the form of one server. PostgreSQL alone plans
// what is asked there. The comment on a schema holds a hash of what was made; a schema that is up
// to date is left.
var showShards = `DO $show$
DECLARE
    names text;
    common text[];
    one record;
    place text;
    made text[];
    views bigint;
BEGIN
    PERFORM set_config('citus.enable_ddl_propagation', 'off', true), set_config('search_path', '', true),
        set_config('check_function_bodies', 'off', true), set_config('client_min_messages', 'warning', true);
    FOR place IN SELECT n.nspname FROM pg_catalog.pg_namespace n
        WHERE n.nspname ~ '^` + shardSchema + `[0-9]+$' AND substring(n.nspname from '[0-9]+$')::bigint NOT IN (SELECT h.shardid FROM (` + shardsHere + `) h)
    LOOP
        EXECUTE format('DROP SCHEMA %I CASCADE', place);
    END LOOP;
    FOR place IN SELECT c.oid::regclass FROM pg_catalog.pg_class c
        WHERE c.relnamespace IN (` + ourSchemas + `) AND c.relkind = 'v' AND (SELECT l.groupid FROM pg_catalog.pg_dist_local_group l) <> 0
    LOOP
        EXECUTE format('GRANT SELECT ON %s TO PUBLIC', place); -- which Citus does not pass on; the tables decide who sees rows
    END LOOP;
    names := (SELECT string_agg(n.name, '|') FROM (` + shownNames + `) n);
    common := ARRAY( -- what a function returns stays the type that it is
        SELECT d.head || regexp_replace(d.body, '(?<!'')\mannals(?:_internal)?\.(' || names || ')\M', '@shard@.\1', 'g')
        FROM (
            SELECT 1 AS step, f.oid, replace(regexp_replace(split_part(f.definition, 'AS $function$', 1), '\mannals(?:_internal)?\.', '@shard@.'),
                    'SET plan_cache_mode TO ''auto''', 'SET plan_cache_mode TO ''force_generic_plan''') AS head,
                substr(f.definition, length(split_part(f.definition, 'AS $function$', 1)) + 1) AS body
            FROM (
                SELECT p.oid, CASE WHEN strpos(p.prosrc, 'BEGIN` + inSQL + `') = 0 THEN pg_get_functiondef(p.oid)
                    ELSE replace(split_part(pg_get_functiondef(p.oid), 'AS $function$', 1), E'\n LANGUAGE plpgsql\n', E'\n LANGUAGE sql\n') || 'AS $function$ '
                        || CASE WHEN p.proretset THEN '' ELSE 'SELECT ' END
                        || regexp_replace(regexp_replace(substr(p.prosrc, strpos(p.prosrc, '` + inSQL + `') + ` + strconv.Itoa(len(inSQL)) + `), '^\nRETURN (?:QUERY )?', ''), ';\nEND\n$', '') || ' $function$'
                    END AS definition
                FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language g ON g.oid = p.prolang AND g.lanname IN ('sql', 'plpgsql')
                WHERE p.pronamespace IN (` + ourSchemas + `) AND p.prokind = 'f' AND p.proname::text = ANY (string_to_array(names, '|'))
            ) f
            UNION ALL
            SELECT 2, c.oid, format('CREATE VIEW @shard@.%I WITH (security_invoker = true) AS ', c.relname),
                regexp_replace(pg_get_viewdef(c.oid), '\mannals_internal\.hide_from_planner\(((?:true|false|''\w+''::(?:annals\.)?kind))\)', '\1', 'g')
            FROM pg_catalog.pg_class c WHERE c.relnamespace IN (` + ourSchemas + `) AND c.relkind = 'v'
        ) d
        ORDER BY d.step, d.oid
    );
    FOR one IN SELECT h.shardid, h.shardminvalue FROM (` + shardsHere + `) h
    LOOP
        place := '` + shardSchema + `' || one.shardid;
        made := ARRAY(
            SELECT format('CREATE VIEW %s.%I WITH (security_invoker = true) AS SELECT * FROM %s.%I', place, c.relname, c.relnamespace::regnamespace, c.relname || '_' || s.shardid)
            FROM pg_catalog.pg_dist_shard s
            JOIN pg_catalog.pg_class c ON c.oid = s.logicalrelid AND c.relnamespace IN (` + ourSchemas + `)
            WHERE s.shardminvalue IS NULL OR s.shardminvalue = one.shardminvalue
            ORDER BY c.relname
        );
        views := cardinality(made) + (SELECT count(*) FROM unnest(common) AS d(definition) WHERE d.definition LIKE 'CREATE VIEW%');
        made := made || ARRAY(SELECT replace(d.definition, '@shard@', place) FROM unnest(common) WITH ORDINALITY AS d(definition, nr) ORDER BY d.nr)
            || format('GRANT USAGE ON SCHEMA %s TO PUBLIC', place) || format('GRANT SELECT ON ALL TABLES IN SCHEMA %s TO PUBLIC', place); -- the rows decide who sees them
        CONTINUE WHEN EXISTS (
            SELECT FROM pg_catalog.pg_namespace n
            WHERE n.nspname = place AND obj_description(n.oid, 'pg_namespace') = md5(made::text)
                AND views = (SELECT count(*) FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid AND c.relkind = 'v')
        );
        EXECUTE format('DROP SCHEMA IF EXISTS %s CASCADE', place);
        EXECUTE format('CREATE SCHEMA %s', place);
        FOR i IN 1 .. cardinality(made) LOOP
            EXECUTE made[i];
        END LOOP;
        EXECUTE format('COMMENT ON SCHEMA %s IS %L', place, md5(made::text));
    END LOOP;
END
$show$`

// unshown counts the shards of a server that have no schema.
const unshown = `SELECT count(*) FROM (` + shardsHere + `) h
    WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_namespace n WHERE n.nspname = '` + shardSchema + `' || h.shardid)`

// everyServer is a query that runs a statement on every server of a cluster.
func everyServer(statement string) string {
	return `SELECT n.nodename || ':' || n.nodeport, r.success, coalesce(r.result, '') FROM run_command_on_all_nodes(` + QuoteLiteral(statement) + `) r
	JOIN pg_catalog.pg_dist_node n ON n.nodeid = r.nodeid`
}

// ShowShards creates the schemas of the shards on every server of a cluster, so that shards can be
// read where they are. It must run after tables were distributed or shards moved; until then reads
// go through the coordinator.
func ShowShards(ctx context.Context, pool Pool) error {
	_, err := onEach(ctx, pool, showShards)
	return err
}

// ShowMoved runs ShowShards if shards have moved since. On one server it does nothing.
func ShowMoved(ctx context.Context, pool Pool) error {
	if _, ok := pool.(clusterPool); !ok {
		return nil
	}
	left, err := shardsUnshown(ctx, pool)
	if err != nil || left == 0 {
		return err
	}
	return ShowShards(ctx, pool)
}

func shardsUnshown(ctx context.Context, pool Pool) (all int, err error) {
	counts, err := onEach(ctx, pool, unshown)
	for _, count := range counts {
		n, _ := strconv.Atoi(count)
		all += n
	}
	return all, err
}

// onEach runs a statement on every server, and returns their answers. It fails if one of them
// failed.
func onEach(ctx context.Context, pool Pool, statement string) (answers []string, err error) {
	rows, err := pool.Query(ctx, everyServer(statement))
	if err != nil {
		return nil, fmt.Errorf("ask every server: %w", err)
	}
	var server, result string
	var success bool
	var failed []string
	_, err = pgx.ForEachRow(rows, []any{&server, &success, &result}, func() error {
		if !success {
			failed = append(failed, server+": "+result)
		}
		answers = append(answers, result)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("ask every server: %w", err)
	}
	if len(failed) > 0 {
		return nil, fmt.Errorf("ask every server: %s", strings.Join(failed, "; "))
	}
	return answers, nil
}
