package migrations_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/migrations"
)

// Other tools produce the same schema and status as 'annals migrate up'.
func TestAnyToolMigrates(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	want := schema(t, pgtest.New(t))
	for name, migrate := range map[string]func(t *testing.T, url string){
		"psql in one go": func(t *testing.T, url string) { psql(t, url, script(t, 0, 0), "--single-transaction") },
		"psql file by file": func(t *testing.T, url string) {
			for version := range migrations.Newest() {
				psql(t, url, script(t, version+1, version+1), "--single-transaction")
			}
		},
		"psql and then annals": func(t *testing.T, url string) {
			psql(t, url, script(t, 0, 4), "--single-transaction")
		},
		"goose on the directory": func(t *testing.T, url string) { runGoose(t, url, ".") },
		"goose on the script": func(t *testing.T, url string) {
			file := script(t, 0, 0)
			if err := os.Rename(file, filepath.Join(filepath.Dir(file), "00001_annals.sql")); err != nil {
				t.Fatal(err)
			}
			runGoose(t, url, filepath.Dir(file))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := pgtest.Empty(t)
			migrate(t, url)
			pending, err := migrations.Pending(t.Context(), url)
			if err != nil || len(pending) > 0 && name != "psql and then annals" {
				t.Errorf("still pending: %v (%v)", pending, err)
			}
			applied, err := migrations.Up(t.Context(), url, migrations.Options{})
			if err != nil || !slices.EqualFunc(applied, pending, func(a, b migrations.Step) bool { return a.Version == b.Version }) {
				t.Errorf("Up applied %v, %v; want %v", applied, err, pending)
			}
			if got := schema(t, url); got != want {
				t.Errorf("the schema is another one:\n%s", differences(got, want))
			}
		})
	}
}

// script writes migrations into a file for other tools.
func script(t *testing.T, from, to int64) string {
	t.Helper()
	text, err := migrations.SQL(from, to, 0)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), fmt.Sprintf("%d-%d.sql", from, to))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// psql runs a file, which must succeed without output.
func psql(t *testing.T, url, file string, flags ...string) {
	t.Helper()
	if out, err := tryPsql(t, url, file, flags...); err != nil || out != "" {
		t.Fatalf("psql: %v\n%s", err, out)
	}
}

func tryPsql(t *testing.T, url, file string, flags ...string) (string, error) {
	t.Helper()
	args := append([]string{url, "--quiet", "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-f", file}, flags...)
	out, err := exec.CommandContext(t.Context(), "psql", args...).CombinedOutput()
	return string(out), err
}

// runGoose runs goose's own program.
func runGoose(t *testing.T, url, dir string) {
	t.Helper()
	program := os.Getenv("ANNALS_TEST_GOOSE")
	if program == "" {
		pgtest.Lacks(t, errors.New("there is no goose: name one in ANNALS_TEST_GOOSE, as scripts/goose prints it"))
	}
	out, err := exec.CommandContext(t.Context(), program, "-dir", dir, "postgres", url, "up").CombinedOutput()
	if err != nil {
		t.Fatalf("goose: %v\n%s", err, out)
	}
	if _, err := connect(t, url).Exec(t.Context(), "DROP TABLE public.goose_db_version"); err != nil { // which is goose's own
		t.Fatal(err)
	}
}

// schema returns pg_dump's description of a database's schema.
func schema(t *testing.T, url string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), pgtest.Dumper(t), "--schema-only", "--no-owner", url).CombinedOutput()
	if err != nil {
		t.Fatalf("pg_dump: %v\n%s", err, out)
	}
	lines := slices.DeleteFunc(strings.Split(string(out), "\n"), func(line string) bool {
		return strings.HasPrefix(line, `\restrict`) || strings.HasPrefix(line, `\unrestrict`) // with a key made anew each time
	})
	return strings.Join(lines, "\n")
}

func differences(got, want string) string {
	lines := strings.Split(want, "\n")
	var out strings.Builder
	for line := range strings.SplitSeq(got, "\n") {
		if !slices.Contains(lines, line) {
			out.WriteString("+ " + line + "\n")
		}
	}
	return out.String()
}

// The tables of the queue equal those of the River release that this program is
// built with.
func TestTheQueueIsRivers(t *testing.T) {
	t.Parallel()
	rivers := pgtest.Empty(t)
	pool, err := pgxpool.New(t.Context(), rivers)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: migrations.QueueSchema})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), "CREATE SCHEMA "+migrations.QueueSchema); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Migrate(t.Context(), rivermigrate.DirectionUp, nil); err != nil {
		t.Fatal(err)
	}
	const described = `
		SELECT format('%s.%s %s not null %s default %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid))
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
		WHERE c.relnamespace = 'annals_internal'::regnamespace AND c.relkind IN ('r', 'S') AND c.relname ~ '^river_'
		UNION ALL SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 'annals_internal'::regnamespace AND c.relname ~ '^river_'
		UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'annals_internal'::regnamespace AND conrelid::regclass::text ~ '\.river_'
		UNION ALL SELECT format('%s %s', relname, relpersistence) FROM pg_class WHERE relnamespace = 'annals_internal'::regnamespace AND relkind = 'r' AND relname ~ '^river_'
		UNION ALL SELECT format('%s %s', enumtypid::regtype, enumlabel) FROM pg_enum JOIN pg_type t ON t.oid = enumtypid WHERE t.typnamespace = 'annals_internal'::regnamespace
		UNION ALL SELECT format('migration %s %s', line, version) FROM annals_internal.river_migration
		UNION ALL SELECT format('%s in %s: %s', state, bits, annals_internal.river_job_state_in_bitmask(bits, state))
			FROM unnest(enum_range(NULL::annals_internal.river_job_state)) AS state, unnest(ARRAY[B'00000001', B'10110110', B'01111111']) AS bits
		ORDER BY 1`
	describe := func(url string) []string {
		t.Helper()
		rows, err := connect(t, url).Query(t.Context(), described)
		if err != nil {
			t.Fatal(err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	ours, theirs := describe(pgtest.New(t)), describe(rivers)
	if len(theirs) < 60 || !slices.Equal(ours, theirs) {
		t.Errorf("the tables of the queue are not River's:\n%s\nmissing:\n%s",
			differences(strings.Join(ours, "\n"), strings.Join(theirs, "\n")), differences(strings.Join(theirs, "\n"), strings.Join(ours, "\n")))
	}
}

// plainOwner creates a role that may only migrate an empty database. It is no
// superuser, has no rights in the schema public, and the extensions are
// installed in a schema of their own. It returns the database's URL for that
// role, a connection of the administrator, and the role.
func plainOwner(t *testing.T) (owners string, admin *pgx.Conn, role string) {
	t.Helper()
	address := pgtest.Empty(t)
	admin = connect(t, address)
	var database string
	if err := admin.QueryRow(t.Context(), "SELECT current_database()").Scan(&database); err != nil {
		t.Fatal(err)
	}
	name := "annals_plain_" + database[len(database)-8:]
	role = pgx.Identifier{name}.Sanitize()
	for _, statement := range []string{
		"CREATE ROLE " + role + " LOGIN PASSWORD 'plain'",
		"GRANT CREATE ON DATABASE " + pgx.Identifier{database}.Sanitize() + " TO " + role,
		"REVOKE ALL ON SCHEMA public FROM PUBLIC",
		"CREATE SCHEMA extensions", "GRANT USAGE ON SCHEMA extensions TO PUBLIC",
		"CREATE EXTENSION vector SCHEMA extensions", "CREATE EXTENSION btree_gist SCHEMA extensions",
		"CREATE EXTENSION pg_trgm SCHEMA extensions", "CREATE EXTENSION unaccent SCHEMA extensions",
	} {
		if _, err := admin.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	t.Cleanup(func() {
		if _, err := admin.Exec(context.Background(), "DROP OWNED BY "+role+" CASCADE; DROP ROLE "+role); err != nil {
			t.Error(err)
		}
	})
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(name, "plain")
	return u.String(), admin, role
}

// The owner of a database needs only the right to create schemas in it.
func TestAnOwnerWithoutRights(t *testing.T) {
	t.Parallel()
	address, _, _ := plainOwner(t)
	var said []string
	options := migrations.Options{Notice: func(severity, message string) { said = append(said, severity+": "+message) }}
	if _, err := migrations.Up(t.Context(), address, options); err != nil {
		t.Fatal(err)
	}
	if len(said) != 1 || !strings.Contains(said[0], "GRANT annals_tenant TO") {
		t.Errorf("of the role of tenants it is not said once what to do: %q", said)
	}
	own := connect(t, address)
	if _, err := own.Exec(t.Context(), `INSERT INTO annals.groups (group_id) VALUES ('g');
		INSERT INTO annals.entities (group_id, id, name) VALUES ('g', gen_random_uuid(), 'Zoë Café')`); err != nil {
		t.Fatal(err)
	}
	if n := count(t, address, "SELECT count(*) FROM annals_internal.postings WHERE term = 'cafe'"); n != 1 {
		t.Errorf("%d postings, want 1", n)
	}
	if n := count(t, address, "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"); n != 0 {
		t.Errorf("%d things were made in public", n)
	}
}

// If the owner may not act as the role of tenants, an administrator can grant
// that, and the next migration adds the missing parts.
func TestATenantRoleOfAnAdministrator(t *testing.T) {
	t.Parallel()
	pgtest.New(t) // roles belong to the server: an administrator migrated another database
	address, admin, role := plainOwner(t)
	said := 0
	options := migrations.Options{Notice: func(string, string) { said++ }}
	asTenant := func() error {
		return pgx.BeginFunc(t.Context(), connect(t, address), func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), "SELECT set_config('role', 'annals_tenant', true), set_config('annals.group_id', 'g', true)")
			if err == nil {
				_, err = tx.Exec(t.Context(), "INSERT INTO annals.groups (group_id) VALUES ('g'); SELECT annals.add_episode('g', 'Hi')")
			}
			return err
		})
	}
	if _, err := migrations.Up(t.Context(), address, options); err != nil || said != 1 {
		t.Fatalf("Up said %d things (%v); want one", said, err)
	}
	if err := asTenant(); sqlState(err) != "42501" {
		t.Errorf("acting as a tenant: %v; want that it is not permitted", err)
	}
	if _, err := admin.Exec(t.Context(), "GRANT annals_tenant TO "+role); err != nil {
		t.Fatal(err)
	}
	if _, err := migrations.Up(t.Context(), address, options); err != nil || said != 1 {
		t.Errorf("after the grant Up said %d further things (%v)", said-1, err)
	}
	if err := asTenant(); err != nil {
		t.Errorf("acting as a tenant: %v", err)
	}
	if found := wrongs(t, connect(t, address)); len(found) != 0 {
		t.Errorf("unprotected: %q", found)
	}
}

// A table of the application with the same name as one of ours is neither used
// nor in the way, before and after migrating. Everything in the schema annals
// belongs to Annals.
func TestTheSchemaIsOursAlone(t *testing.T) {
	t.Parallel()
	url := pgtest.Empty(t)
	conn := connect(t, url)
	if _, err := conn.Exec(t.Context(), "CREATE TABLE orders (id int); CREATE TABLE facts (id int); CREATE TABLE groups (id int)"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := migrations.Up(t.Context(), url, migrations.Options{}); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(t.Context(), "CREATE TABLE IF NOT EXISTS customers (id int)"); err != nil {
			t.Fatal(err)
		}
	}
	for what, sql := range map[string]string{
		"functions of extensions": `SELECT count(*) FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.deptype = 'e' WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace)`,
		"extensions":              `SELECT count(*) FROM pg_extension WHERE extnamespace <> 'public'::regnamespace AND extname <> 'plpgsql'`,
		"tables in public":        `SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL ('{orders,facts,groups,customers}')`,
	} {
		if n := count(t, url, sql); n != 0 {
			t.Errorf("%d %s where they should not be", n, what)
		}
	}
}

func TestTheFormerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	url := pgtest.Empty(t)
	if _, err := connect(t, url).Exec(t.Context(), "CREATE SCHEMA annals; CREATE TABLE annals.episodes (id int); CREATE TABLE annals_migrations (id int)"); err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func() error{
		"Up":     func() error { _, err := migrations.Up(t.Context(), url, migrations.Options{}); return err },
		"Status": func() error { _, err := migrations.Status(t.Context(), url); return err },
	} {
		err := try()
		if graph.CodeOf(err) != graph.CodeConflict || !strings.Contains(err.Error(), "annals export") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s = %v; want to be told how to move", name, err)
		}
	}
}

func TestSQLOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	for _, bounds := range [][2]int64{{-1, 2}, {3, 2}, {1, migrations.Newest() + 1}} {
		if text, err := migrations.SQL(bounds[0], bounds[1], 0); graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("SQL(%d, %d) = %d bytes, %v; want to be told that there is none", bounds[0], bounds[1], len(text), err)
		}
	}
}
