package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/slow"
)

// recipe returns the commands for backups in docs/deploy.md: those that dump and those that
// restore.
func recipe(t *testing.T) (dump, restore string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Backups\n")
	section, _, _ = strings.Cut(section, "\n## ")
	found := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1)
	if len(found) != 2 {
		t.Fatalf("docs/deploy.md has %d recipes for backups, want how to dump and how to restore", len(found))
	}
	return found[0][1], found[1][1]
}

// shell runs commands like a user with PostgreSQL's programs, in a directory of the test.
type shell struct {
	t       *testing.T
	dir     string
	environ []string
}

func newShell(t *testing.T, from, to string) *shell {
	t.Helper()
	in, err := postgres.Find(t.Context(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	return &shell{t, t.TempDir(), []string{"PATH=" + in.BinDir + ":/usr/bin:/bin", "HOME=" + t.TempDir(), "FROM=" + from, "TO=" + to}}
}

func (s *shell) run(script string) (string, error) {
	cmd := exec.CommandContext(s.t.Context(), "sh", "-eu", "-c", script)
	cmd.Dir, cmd.Env = s.dir, s.environ
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (s *shell) must(script string) string {
	s.t.Helper()
	out, err := s.run(script)
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return out
}

// at opens a memory in an existing database.
func at(t *testing.T, url string) *memory {
	t.Helper()
	return &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": url}}
}

// fill reads a few episodes into one group, and so many into another that its vectors get an index.
func fill(t *testing.T, url string) {
	t.Helper()
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url, IndexedVectors: 20})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for group, n := range map[string]int{"t": 8, "large": 25} {
		var episodes []annals.Episode
		for i := range n {
			episodes = append(episodes, annals.Episode{GroupID: group, Actor: "Alice", Content: fmt.Sprintf("I visited Town%d with my friend Marta%d.", i, i%3)})
		}
		if _, err := client.AddAll(t.Context(), episodes); err != nil {
			t.Fatal(err)
		}
		if err := client.Process(t.Context(), group, func(annals.Processed) {}); err != nil {
			t.Fatal(err)
		}
	}
	if n := connect(t, url).count("SELECT count(*) FROM annals_internal.vector_indexes WHERE valid AND group_id = 'large'"); n == 0 {
		t.Fatal("the large group has no index of its own")
	}
}

// answers returns the results of some searches, and the facts. A rebuilt index may order equally
// near rows differently, so the large group is only searched for its nearest rows.
func (m *memory) answers() string {
	m.t.Helper()
	var all strings.Builder
	for _, args := range [][]string{
		{"search", "Who went to Town7?"},
		{"search", "Marta2"},
		{"search", "friend", "--limit", "30"},
		{"context", "Where was Alice?"},
		{"facts"},
		{"entities"},
		{"facts", "-g", "large"},
		{"search", "-g", "large", "--limit", "1", "Town17"},
	} {
		all.WriteString(m.must(append([]string{"-g", "t", "--json"}, args...)...))
	}
	return all.String()
}

// grants returns the rights of PUBLIC and of tenants in our schemas.
func (c checker) grants() (all string) {
	c.t.Helper()
	const grants = `
		SELECT string_agg(concat_ws(' ', o.name, CASE x.grantee WHEN 0 THEN 'everybody' ELSE 'tenants' END, x.privilege_type), E'\n' ORDER BY o.name, x.grantee, x.privilege_type)
		FROM (
			SELECT nspname::text AS name, coalesce(nspacl, acldefault('n', nspowner)) AS acl FROM pg_namespace WHERE nspname IN ('annals', 'annals_internal')
			UNION ALL
			SELECT oid::regclass::text, coalesce(relacl, acldefault('r', relowner)) FROM pg_class
			WHERE relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND relkind IN ('r', 'v', 'S')
			UNION ALL
			SELECT oid::regprocedure::text, coalesce(proacl, acldefault('f', proowner)) FROM pg_proc
			WHERE pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace)
		) o, aclexplode(o.acl) x
		WHERE x.grantee = 0 OR x.grantee = (SELECT oid FROM pg_roles WHERE rolname = 'annals_tenant')`
	if err := c.conn.QueryRow(c.t.Context(), grants).Scan(&all); err != nil {
		c.t.Fatal(err)
	}
	return all
}

// checkRestored compares a restored memory with the original, and checks that nothing is left to
// do.
func checkRestored(t *testing.T, url, want, grants string) {
	t.Helper()
	m := at(t, url)
	var report doctorJSON
	m.read(&report, "doctor", "--fix")
	if len(report.Fixed) > 0 {
		t.Errorf("mended once more: %v", report.Fixed)
	}
	if diff := cmp.Diff(want, m.answers()); diff != "" {
		t.Errorf("other answers than before (-before +after):\n%s", diff)
	}
	const indexes = `SELECT count(*) FROM annals_internal.vector_indexes v JOIN pg_index x ON x.indexrelid = to_regclass('annals_internal.' || v.index_name) AND x.indisvalid`
	if n := connect(t, url).count(indexes); n == 0 {
		t.Error("the indexes of large groups' vectors were not restored")
	}
	if got := connect(t, url).grants(); got != grants {
		t.Errorf("what everybody and tenants may do (-before +after):\n%s", cmp.Diff(grants, got))
	}
	m.must("-g", "t", "add", "--actor", "Alice", "I visited Bremen.")
	if got := m.must("-g", "t", "search", "Bremen"); !strings.Contains(got, "Bremen") {
		t.Errorf("what is added later is not found: %s", got)
	}
	m.must("migrate", "up")
}

// owned makes an empty database with pgvector that belongs to a user without other rights.
func owned(t *testing.T) string {
	t.Helper()
	address := pgtest.Empty(t)
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	name := "annals_owner_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	t.Cleanup(func() {
		if _, err := conn.Exec(context.Background(), "REASSIGN OWNED BY "+name+" TO CURRENT_USER; DROP OWNED BY "+name+"; DROP ROLE "+name); err != nil {
			t.Error(err)
		}
		_ = conn.Close(context.Background())
	})
	if _, err := conn.Exec(t.Context(), "CREATE ROLE "+name+" LOGIN PASSWORD 'annals_test'; CREATE EXTENSION vector"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "ALTER DATABASE "+pgx.Identifier{conn.Config().Database}.Sanitize()+" OWNER TO "+name); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(name, "annals_test")
	return u.String()
}

// embedded starts an empty private cluster.
func embedded(t *testing.T) (m *memory, url string) {
	t.Helper()
	home := openDir(t)
	cluster, err := postgres.Start(t.Context(), postgres.Config{DataDir: filepath.Join(home, "annals")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Stop(context.Background()) })
	return &memory{t: t, environ: map[string]string{"XDG_DATA_HOME": home}}, cluster.URL()
}

// The recipe of docs/deploy.md works between each two kinds of database, with different servers,
// owners and rights.
func TestBackups(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	dump, restore := recipe(t)
	restore = `PATH="` + filepath.Dir(program.Annals(t)) + `:$PATH"` + "\n" + restore
	own, other := owned(t), owned(t)
	_, private := embedded(t)
	compose := pgtest.Compose(t, "../../compose.yaml")
	answers, grants := map[string]string{}, map[string]string{}
	for _, from := range []string{own, private, compose} {
		at(t, from).must("migrate", "up")
		fill(t, from)
		answers[from], grants[from] = at(t, from).answers(), connect(t, from).grants()
	}

	t.Run("own, beside an application's tables of another owner", func(t *testing.T) {
		sh := newShell(t, own, other)
		sh.must(`psql -qX "$TO" -c 'CREATE TABLE orders (id int)' -c 'INSERT INTO orders VALUES (7)' -c 'CREATE SCHEMA shop' -c 'CREATE TABLE shop.facts (id int)'`)
		sh.must(dump + restore)
		checkRestored(t, other, answers[own], grants[own])
		if got := sh.must(`psql -qAtX "$TO" -c 'SELECT id, relrowsecurity FROM orders, pg_class WHERE relname = $$orders$$'`); got != "7|f\n" {
			t.Errorf("the application has %q", got)
		}
	})
	t.Run("embedded, into an empty database on another server", func(t *testing.T) {
		to := strings.TrimSuffix(compose, "/app") + "/empty"
		newShell(t, compose, "").must(`psql -qX "$FROM" -c 'CREATE DATABASE empty'`)
		newShell(t, private, to).must(dump + restore)
		checkRestored(t, to, answers[private], grants[private])
	})
	t.Run("compose, into a database that has a memory", func(t *testing.T) {
		m, to := embedded(t)
		m.must("add", "-g", "t", "--actor", "Bob", "I live in Rome.")
		sh := newShell(t, compose, to)
		sh.must(`psql -qX "$TO" -c 'DROP SCHEMA annals, annals_internal CASCADE'` + "\n" + dump + restore)
		checkRestored(t, to, answers[compose], grants[compose])
	})
	t.Run("a physical backup", func(t *testing.T) {
		to := pgtest.BaseBackup(t, private)
		var report doctorJSON
		at(t, to).read(&report, "doctor")
		for _, c := range report.Checks {
			if c.State != checkFine {
				t.Errorf("%s is %s: %s", c.Name, c.State, c.Found)
			}
		}
		checkRestored(t, to, answers[private], grants[private])
	})
}
