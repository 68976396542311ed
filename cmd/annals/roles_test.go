package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// grants returns the statements that 'annals migrate grants' prints for an application's role, with
// a name and a password of the test.
func grants(t *testing.T, role string) []string {
	t.Helper()
	m := &memory{t: t}
	var found []string
	for statement := range strings.SplitSeq(m.must("migrate", "grants", "--app", role), ";\n") {
		if strings.Contains(statement, role) && !strings.Contains(statement, "annals_tenant") {
			found = append(found, strings.Replace(statement, "BYPASSRLS", "BYPASSRLS PASSWORD 'app'", 1))
		}
	}
	if len(found) != 6 {
		t.Fatalf("there are other grants: %q", found)
	}
	return found
}

// asApplication returns the URL of a migrated database for a role with an application's grants,
// except some.
func asApplication(t *testing.T, less string) string {
	t.Helper()
	address := pgtest.New(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	role := "annals_app_" + u.Path[len(u.Path)-8:]
	owner := connect(t, address).conn
	for _, statement := range grants(t, role) {
		if less != "" {
			statement = strings.Replace(statement, less, "", 1)
		}
		if _, err := owner.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	t.Cleanup(func() {
		if _, err := owner.Exec(context.Background(), fmt.Sprintf("DROP OWNED BY %s; DROP ROLE %[1]s", pgx.Identifier{role}.Sanitize())); err != nil {
			t.Error(err)
		}
	})
	u.User = url.UserPassword(role, "app")
	return u.String()
}

// A role without DDL can do all that an application does.
func TestAnApplicationRole(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	address := asApplication(t, "")
	m := &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": address}}
	for _, tt := range []struct{ command, want string }{
		{"migrate status", "00001"},
		{"migrate up", "The schema is current."},
		{"doctor", "extensions"},
		{"keys create --groups t", "annals_"},
		{"keys list", "in use"},
		{"add -g t --thread-id chat --actor Alice --occurred-at 2023-01-10 I_live_in_Paris.", "1 done"},
		{"add -g t --thread-id chat --actor Alice --occurred-at 2024-03-15 I_moved_to_Lisbon.", "1 closed"},
		{"triple Alice KNOWS Bob -g t", ""},
		{"search Lisbon -g t", "Lisbon"},
		{"context Lisbon -g t", "Lisbon"},
		{"timeline -g t", "Lisbon"},
		{"entities rename Bob Robert -g t", "Robert"},
		{"communities build -g t", ""},
		{"threads summarise chat -g t", ""},
		{"retention set -g t --max-episodes 1000", ""},
		{"retention apply -g t", ""},
		{"reembed --embedding-dim 256", ""},
		{"search Lisbon -g t", "Lisbon"},
		{"erase -g t --entity Robert --yes", "tombstone"},
		{"verify -g t", "ok"},
		{"verify", "ok"},
		{"verify --fix", "ok"},
		{"erase -g t --yes", "tombstone"},
	} {
		args := strings.Fields(tt.command)
		for i, arg := range args {
			if strings.HasSuffix(arg, ".") {
				args[i] = strings.ReplaceAll(arg, "_", " ")
			}
		}
		if o := m.run("", args...); o.code != exitOK || !strings.Contains(o.stdout, tt.want) {
			t.Errorf("annals %s: exit %d, %q, want %q\n%s", tt.command, o.code, o.stdout, tt.want, o.stderr)
		}
	}
	m.must("add", "-g", "u", "--actor", "Alice", "I live in Paris.")
	for name, args := range tenantArgs {
		if o := m.run("", append(append([]string{"-g", "u"}, strings.Fields(name)...), args...)...); strings.Contains(o.stderr, "permission denied") {
			t.Errorf("annals %s: %s", name, o.stderr)
		}
	}
	app := connect(t, address).conn
	for _, ddl := range []string{
		"CREATE TABLE annals.more (id int)", "DROP TABLE annals.facts", "ALTER TABLE annals.facts ADD COLUMN more int",
		"TRUNCATE annals.facts", "DELETE FROM annals.migrations", "CREATE TABLE annals_internal.more (id int)",
	} {
		if _, err := app.Exec(t.Context(), ddl); err == nil {
			t.Errorf("it may %s", ddl)
		}
	}
}

func TestServicesAsAnApplicationRole(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"worker", "serve"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := asApplication(t, "")
			const secret = "a-secret-of-the-environment"
			m := &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": address, "ANNALS_API_KEYS": secret}}
			args := []string{"worker"}
			if name == "serve" {
				args = []string{"serve", "--listen", "127.0.0.1:0"}
			}
			s := m.startTold(args...)
			c := connect(t, address)
			if n := c.count(`SELECT count(annals.add_episode('g0', 'I live in Paris.', now(), 'message', 'Alice'))`); n != 1 {
				t.Fatal("nothing was added")
			}
			c.waitForDone(1)
			if name == "serve" {
				m.asksServer(strings.TrimSuffix(strings.Fields(s.first)[3], ";"), secret)
			}
			s.stop()
			if log := s.log.String(); strings.Contains(log, "42501") {
				t.Errorf("something is not permitted: %s", log)
			}
			c.checkNothingPartial()
		})
	}
}

func TestAgentsAsAnApplicationRole(t *testing.T) {
	t.Parallel()
	s := chattyAt(t, asApplication(t, ""))
	s.must("agent", "run", "sam", "I moved to Lisbon.")
	s.must("agent", "blocks", "sam", "--label", "human", "--set", "Alice lives in Lisbon.")
	s.must("agent", "export", "sam")
	s.must("agent", "delete", "sam", "--yes")
}

// A role that lacks a right is told which, on one line.
func TestARoleThatLacksSomething(t *testing.T) {
	t.Parallel()
	for less, want := range map[string]string{
		"annals, ":  "does not let this role use Annals", // on the schemas
		"SELECT, ":  "does not let this role use Annals",
		"BYPASSRLS": "shows this role no row",
	} {
		m := &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": asApplication(t, less)}}
		for _, args := range [][]string{{"facts"}, {"add", "I live in Paris."}} {
			m.run("", args...).failsWith(t, want)
		}
		if less == "annals, " {
			m.run("", "migrate", "status").failsWith(t, want)
			m.run("", "doctor").failsWith(t, want)
		}
	}
}
