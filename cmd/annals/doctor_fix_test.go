package main

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// named returns the check of a name.
func (d doctorJSON) named(name string) checkJSON {
	i := slices.IndexFunc(d.Checks, func(c checkJSON) bool { return c.Name == name })
	if i < 0 {
		return checkJSON{}
	}
	return d.Checks[i]
}

// diagnose returns doctor's report, whether something is broken or not.
func (m *memory) diagnose(args ...string) (report doctorJSON, o outcome) {
	m.t.Helper()
	o = m.run("", append([]string{"doctor", "--no-models", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(o.stdout), &report); err != nil {
		m.t.Fatalf("doctor: %v: %+v", err, o)
	}
	return report, o
}

// dropQueue removes the tables of the queue.
const dropQueue = `DROP TABLE annals_internal.river_job, annals_internal.river_leader, annals_internal.river_migration,
	annals_internal.river_notification, annals_internal.river_queue`

// Doctor names each kind of damage by a restore or by hand. --fix mends it once, and then nothing
// is reported.
func TestDoctorFixes(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for _, tt := range []struct{ name, left, check, state string }{
		{"no queue", dropQueue, "restore", checkBroken},
		{"a table without policies", "DROP POLICY owner ON annals.facts; DROP POLICY tenant ON annals.facts", "row security", checkBroken},
		{"policies of another owner", "ALTER POLICY owner ON annals_internal.settings TO annals_tenant", "row security", checkBroken},
		{"policies of another role than that of tenants", "ALTER POLICY tenant ON annals.facts TO PUBLIC", "row security", checkBroken},
		{"row-level security is off", "ALTER TABLE annals.episodes DISABLE ROW LEVEL SECURITY", "row security", checkBroken},
		{"no grants", "REVOKE ALL ON annals.episodes FROM annals_tenant", "row security", checkBroken},
		{"functions of the owner's for everybody", "GRANT EXECUTE ON FUNCTION annals_internal.erase_group TO PUBLIC", "row security", checkBroken},
		{"a table that tenants read", "REVOKE ALL ON annals.migrations FROM PUBLIC", "row security", checkBroken},
		{"counts", "UPDATE annals_internal.entity_mentions SET mentions = mentions + 5; DELETE FROM annals_internal.search_statistics", "counts", checkBroken},
		{"sequences", "SELECT setval('annals_internal.river_job_id_seq', 1, false)", "sequences", checkBroken},
		{"an index that is not valid", "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'annals.facts_pair'::regclass", "indexes", checkBroken},
		{
			"no statistics", `ALTER TABLE annals_internal.tombstones SET (autovacuum_enabled = off);
			INSERT INTO annals_internal.tombstones (group_id, digest) SELECT 'x', int4send(i) FROM generate_series(1, 20000) i`, "statistics", checkWarning,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			m.must("add", "-g", "t", "--actor", "Alice", "I visited Bremen with my friend Marta.")
			c := connect(t, m.environ["ANNALS_DATABASE_URL"])
			if _, err := c.conn.Exec(t.Context(), tt.left+"; SELECT pg_stat_force_next_flush()"); err != nil {
				t.Fatal(err)
			}
			report, o := m.diagnose()
			if got := report.named(tt.check); got.State != tt.state || !strings.Contains(got.Do, "doctor --fix") || (o.code == exitOK) != (tt.state == checkWarning) {
				t.Errorf("doctor: exit %d, %s is %+v", o.code, tt.check, got)
			}
			report, o = m.diagnose("--fix")
			if o.code != exitOK || len(report.Fixed) == 0 {
				t.Errorf("--fix: exit %d: %s%s", o.code, o.stdout, o.stderr)
			}
			for _, again := range [][]string{nil, {"--fix"}} {
				report, _ := m.diagnose(again...)
				for _, check := range report.Checks {
					if check.State != checkFine {
						t.Errorf("after --fix: %+v", check)
					}
				}
				if len(report.Fixed) > 0 {
					t.Errorf("mended once more: %v", report.Fixed)
				}
			}
			m.must("add", "-g", "t", "--actor", "Alice", "I visited Turin with my friend Marta.")
			if got := m.must("-g", "t", "search", "Turin"); !strings.Contains(got, "Turin") {
				t.Errorf("what is added later is not found: %s", got)
			}
			if got := c.count("SELECT count(*) FROM annals_internal.river_job"); got == 0 {
				t.Error("what is added no longer comes into the queue")
			}
		})
	}
}

// A dump without the tables of the queue restores everything else: doctor and migrate up say so on
// one line.
func TestADumpWithoutTheQueue(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	from, to := newMemory(t), pgtest.Empty(t)
	from.must("add", "-g", "t", "--actor", "Alice", "I visited Bremen with my friend Marta.")
	sh := newShell(t, from.environ["ANNALS_DATABASE_URL"], to)
	sh.must(`for e in vector btree_gist pg_trgm unaccent; do psql -qX "$TO" -c "CREATE EXTENSION $e"; done
		pg_dump -Fc --enable-row-security -n annals -n annals_internal -T 'annals_internal.river_*' -f annals.dump "$FROM"
		pg_restore -d "$TO" annals.dump`)
	m := at(t, to)
	for _, args := range [][]string{{"doctor"}, {"migrate", "up"}} {
		o := m.run("", args...)
		said := o.stderr
		if args[0] == "doctor" {
			said = o.stdout
		}
		if o.code != exitFailed || !strings.Contains(said, "the queue is missing") || !strings.Contains(said, "annals doctor --fix") || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("annals %q: %+v", args, o)
		}
	}
	m.must("doctor", "--fix")
	m.must("migrate", "up")
	if got := m.must("-g", "t", "search", "Bremen"); !strings.Contains(got, "Bremen") {
		t.Errorf("what was restored is not found: %s", got)
	}
	m.must("-g", "t", "add", "--actor", "Alice", "I visited Turin.")
}

// What cannot be mended is reported on one line: a restore into a database without the extensions
// omits every table that needs one.
func TestARestoreWithoutExtensions(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	from, to := newMemory(t), pgtest.Empty(t)
	newShell(t, from.environ["ANNALS_DATABASE_URL"], to).must(`pg_dump -Fc --enable-row-security -n annals -n annals_internal -f annals.dump "$FROM"
		! pg_restore -d "$TO" annals.dump`)
	m := at(t, to)
	for _, args := range [][]string{{"doctor"}, {"doctor", "--fix"}, {"migrate", "up"}} {
		o := m.run("", args...)
		if o.code != exitFailed || !strings.Contains(o.stdout+o.stderr, "restore") || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("annals %q: %+v", args, o)
		}
	}
}

// What a superuser restores belongs to the superuser: the application's user is told.
func TestARestoreByAnotherUser(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	own := owned(t)
	at(t, own).must("migrate", "up")
	if report, o := at(t, own).diagnose(); o.code != exitOK || report.named("row security").State == checkBroken {
		t.Errorf("the owner is told %+v", o)
	}
	superuser, err := url.Parse(pgtest.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	database, err := url.Parse(own)
	if err != nil {
		t.Fatal(err)
	}
	superuser.Path = database.Path
	c := connect(t, superuser.String())
	if _, err := c.conn.Exec(t.Context(), `DO $$ DECLARE n text; BEGIN
		FOR n IN SELECT c.oid::regclass FROM pg_class c WHERE relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND relkind = 'r' LOOP
			EXECUTE format('ALTER TABLE %s OWNER TO CURRENT_USER', n); EXECUTE format('GRANT ALL ON %s TO PUBLIC', n);
		END LOOP; END $$; SELECT annals_internal.protect_tenants()`); err != nil {
		t.Fatal(err)
	}
	report, o := at(t, own).diagnose()
	if got := report.named("owner"); o.code != exitFailed || !strings.Contains(got.Found, "belong to "+c.conn.Config().User) {
		t.Errorf("doctor: %+v", o)
	}
}

// Everything is mended also behind a pooler, which gives each transaction another connection.
func TestDoctorFixesBehindAPooler(t *testing.T) {
	t.Parallel()
	m, c := behindBouncer(t, pgtest.New(t))
	m.must("add", "-g", "t", "--actor", "Alice", "I visited Bremen with my friend Marta.")
	if _, err := c.conn.Exec(t.Context(), dropQueue+`; DROP POLICY owner ON annals.facts;
		UPDATE annals_internal.entity_mentions SET mentions = 9; UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'annals.facts_pair'::regclass`); err != nil {
		t.Fatal(err)
	}
	if report, o := m.diagnose("--fix"); o.code != exitOK || len(report.Fixed) < 4 {
		t.Errorf("--fix: %+v", o)
	}
	if report, o := m.diagnose(); o.code != exitOK || len(broken(report.Checks)) > 0 {
		t.Errorf("afterwards: %+v", o)
	}
}

// While others add and read, --fix mends and loses nothing.
func TestDoctorFixesWhileOthersWrite(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	url := m.environ["ANNALS_DATABASE_URL"]
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	m.must("add", "-g", "t", "--actor", "Alice", "I visited Bremen with my friend Marta.")
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	added := 1
	wg.Go(func() {
		for ctx.Err() == nil {
			if _, err := client.Add(t.Context(), annals.Episode{GroupID: "t", Actor: "Alice", Content: "I visited Turin with my friend Marta."}); err != nil {
				t.Error(err)
				return
			}
			added++
			if err := client.Process(t.Context(), "t", func(p annals.Processed) {
				if p.Err != nil {
					t.Error(p.Err)
				}
			}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	c := connect(t, url)
	for range 5 {
		for _, left := range []string{
			"UPDATE annals_internal.entity_mentions SET mentions = mentions + 5", "REVOKE ALL ON annals.facts FROM annals_tenant",
			"ALTER TABLE annals.mentions NO FORCE ROW LEVEL SECURITY",
		} {
			if _, err := c.conn.Exec(t.Context(), left); err != nil {
				t.Fatal(err)
			}
			if o := m.run("", "doctor", "--no-models", "--fix"); o.code != exitOK || !strings.Contains(o.stdout, "fixed") {
				t.Errorf("after %s: %+v", left, o)
			}
		}
	}
	stop()
	wg.Wait()
	if done := c.count("SELECT count(*) FROM annals.episodes WHERE state = 'done'"); done != added {
		t.Errorf("%d episodes read of %d added", done, added)
	}
	if report, _ := m.diagnose(); report.named("counts").State != checkFine {
		t.Errorf("counts: %+v", report.named("counts"))
	}
}

// Doctor ignores the missing counts of a group that is being read, and an application's own table
// in the schema annals.
func TestDoctorLetsBe(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "I visited Bremen with my friend Marta.")
	m.must("add", "-g", "t", "--no-process", "--actor", "Alice", "I visited Turin.")
	if _, err := connect(t, m.environ["ANNALS_DATABASE_URL"]).conn.Exec(t.Context(), `DELETE FROM annals_internal.search_statistics;
		CREATE TABLE annals.orders (id int) WITH (autovacuum_enabled = off); INSERT INTO annals.orders SELECT generate_series(1, 20000);
		SELECT pg_stat_force_next_flush()`); err != nil {
		t.Fatal(err)
	}
	report, o := m.diagnose("--fix")
	for _, name := range []string{"counts", "statistics"} {
		if check := report.named(name); check.State != checkFine {
			t.Errorf("%s: %+v", name, check)
		}
	}
	if o.code != exitOK || len(report.Fixed) > 0 {
		t.Errorf("exit %d, mended %q", o.code, report.Fixed)
	}
}
