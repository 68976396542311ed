package migrations_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/migrations"
)

// unprotected lists the tables and views of which a tenant could see too much.
const unprotected = `
	SELECT c.relname || ': ' || w.wrong
	FROM pg_class c
	CROSS JOIN LATERAL (
		SELECT 'row-level security is not forced' WHERE c.relkind <> 'v' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
		UNION ALL
		SELECT 'has no group_id' WHERE NOT EXISTS (
			SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'group_id' AND a.attnotnull OR c.relkind = 'v')
		UNION ALL
		SELECT 'policies are ' || coalesce(string_agg(p.polname || ' to ' || array_to_string(p.polroles::regrole[], ','), '; ' ORDER BY p.polname), 'none')
		FROM pg_policy p WHERE c.relkind <> 'v' AND p.polrelid = c.oid
		HAVING coalesce(array_agg(p.polname || ' ' || p.polpermissive::text || ' ' || p.polcmd::text || ' ' || array_to_string(p.polroles, ',') ORDER BY p.polname), '{}')
			<> ARRAY['owner true * ' || c.relowner, 'tenant true * ' || 'annals_tenant'::regrole::oid] AND c.relkind <> 'v'
		UNION ALL
		SELECT 'the policy lets ' || pg_get_expr(p.polqual, c.oid) || coalesce(' and lets in ' || pg_get_expr(p.polwithcheck, c.oid), '')
		FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant' AND (p.polwithcheck IS NOT NULL OR pg_get_expr(p.polqual, c.oid)
			<> CASE WHEN c.relname = 'settings' THEN '(((group_id = ''''::text) AND (name <> ''tombstone_key''::text)) OR (group_id = NULLIF(current_setting(''annals.group_id''::text, true), ''''::text)))'
			ELSE '(group_id = NULLIF(current_setting(''annals.group_id''::text, true), ''''::text))' END)
		UNION ALL
		SELECT 'sees with the eyes of its owner' WHERE c.relkind = 'v' AND NOT coalesce('security_invoker=true' = ANY (c.reloptions), false)
		UNION ALL
		SELECT 'may ' || x.privilege_type FROM aclexplode(c.relacl) x
		WHERE x.grantee = 'annals_tenant'::regrole AND (x.privilege_type <> ALL (SELECT unnest(r.tenant_may) FROM annals_internal.relations() r WHERE r.name = c.relname))
		UNION ALL
		SELECT 'may not SELECT' WHERE c.relname NOT IN ('erased_groups', 'tombstones') AND NOT has_table_privilege('annals_tenant', c.oid, 'SELECT')
	) w(wrong)
	WHERE c.relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
		AND c.relname <> 'migrations' AND c.relname !~ '^river_'
	ORDER BY 1`

func wrongs(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), unprotected)
	if err != nil {
		t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestEveryTableIsProtected(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	conn := connect(t, url)
	if found := wrongs(t, conn); len(found) != 0 {
		t.Errorf("unprotected: %q", found)
	}
	// Lost protection is restored, and other users' objects are left alone.
	const changed = `CREATE ROLE annals_other_owner; GRANT CREATE ON SCHEMA annals TO annals_other_owner; ALTER TABLE annals.traces OWNER TO annals_other_owner;
		DROP POLICY tenant ON annals.facts; ALTER TABLE annals.episodes NO FORCE ROW LEVEL SECURITY; REVOKE SELECT ON annals.users FROM annals_tenant;
		CREATE TABLE annals.orders (id int)`
	defer func() {
		_, err := conn.Exec(t.Context(), `REASSIGN OWNED BY annals_other_owner TO CURRENT_USER; DROP OWNED BY annals_other_owner; DROP ROLE annals_other_owner`)
		if err != nil {
			t.Error(err)
		}
	}()
	if _, err := conn.Exec(t.Context(), changed); err != nil {
		t.Fatal(err)
	}
	orders := func(wrong string) bool { return strings.HasPrefix(wrong, "orders: ") }
	found := wrongs(t, conn)
	before := slices.DeleteFunc(slices.Clone(found), func(wrong string) bool { return !orders(wrong) })
	if len(found)-len(before) < 4 || len(before) == 0 {
		t.Errorf("of what is wrong only this is found: %q", found)
	}
	if _, err := migrations.Up(t.Context(), url, migrations.Options{}); err != nil {
		t.Fatal(err)
	}
	if found := wrongs(t, conn); !slices.Equal(found, before) {
		t.Errorf("after migrating %q is wrong, want %q", found, before)
	}
}

// Functions that protect, erase and count go by a list of relations, which must
// name every table and view of the migrations.
func TestRelationsAreComplete(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	const differ = `SELECT coalesce(c.relname, r.name)::text
		FROM annals_internal.relations() r
		FULL JOIN (SELECT oid, relname, relkind FROM pg_class WHERE relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND relkind NOT IN ('i', 'c', 't')
			AND relname <> 'migrations' AND relname !~ '^river_') c ON c.oid = to_regclass(r.qualified) AND c.relname = r.name AND (c.relkind = 'v') = r.is_view
		WHERE c.relname IS NULL OR r.name IS NULL`
	rows, err := conn.Query(t.Context(), differ)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := pgx.CollectRows(rows, pgx.RowTo[string]); err != nil || len(found) != 0 {
		t.Errorf("annals_internal.relations() and the schema differ in %q (%v)", found, err)
	}
}

// Names in a function do not depend on the caller's search path. PL/pgSQL
// functions set their own; names in the body of an SQL function are resolved
// when it is created.
func TestEveryFunctionPinsItsNames(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	const loose = `SELECT p.oid::regprocedure::text FROM pg_proc p
		WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND p.prosqlbody IS NULL
			AND 'search_path=pg_catalog, pg_temp' <> ALL (coalesce(p.proconfig, '{}'))`
	rows, err := conn.Query(t.Context(), loose)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := pgx.CollectRows(rows, pgx.RowTo[string]); err != nil || len(found) != 0 {
		t.Errorf("%q look names up where their callers do (%v)", found, err)
	}
}

// A function that everybody may call runs with the rights of its owner only if
// it first checks that the transaction is bound to its group. Nobody may attach
// such a trigger function to a table of their own. The functions of the queue
// are all triggers, on tables whose rows passed row-level security. The
// functions that they call, and triggers that run as the owner and move rows
// with others, also have a fixed search path.
func TestNoFunctionLendsRights(t *testing.T) {
	t.Parallel()
	const lending = `SELECT coalesce(array_agg(p.oid::regprocedure::text ORDER BY 1), '{}') FROM pg_proc p
		WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND (p.prosecdef AND (
			has_function_privilege('public', p.oid, 'EXECUTE') OR 'search_path=pg_catalog, pg_temp' <> ALL (coalesce(p.proconfig, '{}'))
			OR CASE WHEN p.proname IN ('enqueue_added', 'enqueue_again', 'remove_jobs_of_group') THEN p.prorettype <> 'trigger'::regtype
				ELSE p.prosrc !~ '\mBEGIN\s+(IF NEW\.group_id <> '''' THEN\s+)?PERFORM annals_internal\.check_tenant\((\w+\.group_id|erased|told_group|in_group|to_group|original)\);'
					AND p.proname <> 'tombstone_key' END) -- which knows of no group
			OR 'search_path=""' = ANY (p.proconfig))`
	var found []string
	conn := connect(t, pgtest.New(t))
	if err := conn.QueryRow(t.Context(), lending).Scan(&found); err != nil {
		t.Fatal(err)
	}
	if len(found) != 0 {
		t.Errorf("%q run as their owner, and anybody may call them, or they do not begin with annals_internal.check_tenant, or have no search_path that ends with pg_temp", found)
	}
	const queue = `SELECT has_schema_privilege('annals_tenant', 'annals', 'CREATE') OR has_schema_privilege('annals_tenant', 'annals_internal', 'CREATE')
		OR EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'annals_internal'::regnamespace AND c.relname ~ '^river_' AND c.relkind IN ('r', 'p', 'v')
			AND has_table_privilege('annals_tenant', c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'))
		OR EXISTS (SELECT FROM pg_proc p WHERE p.pronamespace = 'annals_internal'::regnamespace AND p.prosecdef AND p.proname ~ '(enqueue|jobs_of_group)'
			AND has_function_privilege('annals_tenant', p.oid, 'EXECUTE'))`
	var open bool
	if err := conn.QueryRow(t.Context(), queue).Scan(&open); err != nil || open {
		t.Errorf("the queue is open to tenants: %v (%v)", open, err)
	}
}

// Functions that run as the owner do not take a tenant's temporary types for
// PostgreSQL's own. The check of such a domain would run with the owner's
// rights.
func TestTemporaryTypesAreNotTrusted(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	if _, err := conn.Exec(t.Context(), "INSERT INTO annals.groups (group_id) VALUES ('g')"); err != nil {
		t.Fatal(err)
	}
	var owner string
	if err := conn.QueryRow(t.Context(), "SELECT current_user").Scan(&owner); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"SELECT set_config('role', 'annals_tenant', false), set_config('annals.group_id', 'g', false)",
		"CREATE TEMPORARY TABLE caught (who name)",
		"GRANT ALL ON caught TO PUBLIC",
		`CREATE FUNCTION pg_temp.spy() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN INSERT INTO pg_temp.caught VALUES (current_user); RETURN true; END $$`,
		"CREATE DOMAIN pg_temp.bytea AS pg_catalog.bytea CHECK (pg_temp.spy())",
		"CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (pg_temp.spy())",
		"CREATE DOMAIN pg_temp.name AS pg_catalog.name CHECK (pg_temp.spy())",
		"CREATE DOMAIN pg_temp.timestamptz AS pg_catalog.timestamptz CHECK (pg_temp.spy())",
		"CREATE DOMAIN pg_temp.tstzrange AS pg_catalog.tstzrange CHECK (pg_temp.spy())",
		"INSERT INTO annals.entities (group_id, id, name) VALUES ('g', gen_random_uuid(), 'Alice')",
		"INSERT INTO annals.blocks (group_id, id, label, char_limit) VALUES ('g', gen_random_uuid(), 'human', 9)",
		"SELECT annals_internal.add_tombstone('g', 'content', 'x'), annals_internal.remove_ended_jobs('g'), annals_internal.complete_webhook_batches('g')",
		"INSERT INTO annals.episodes (group_id, id, content) VALUES ('g', gen_random_uuid(), 'I live in Paris.')",
		"DELETE FROM annals.groups",
		"SELECT pg_temp.spy()",
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	var caught []string
	if err := conn.QueryRow(t.Context(), "SELECT array_agg(DISTINCT who::pg_catalog.text) FROM caught").Scan(&caught); err != nil {
		t.Fatal(err)
	}
	if len(caught) != 1 || caught[0] == owner {
		t.Errorf("a tenant's code ran as %q", caught)
	}
}
