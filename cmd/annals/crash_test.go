package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/slow"
)

const crashLines = 200

// TestKilledInTheMiddle kills the command while it reads, and TestServerKilled the database.
// Running the command again must leave everything stored exactly once.
func TestKilledInTheMiddle(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	binary, file := program.Annals(t), m.file("chat.jsonl", conversation(crashLines))
	cmd := exec.CommandContext(t.Context(), binary, "add", "-g", "t", "--file", file)
	cmd.Env = []string{"ANNALS_DATABASE_URL=" + m.environ["ANNALS_DATABASE_URL"]}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := connect(t, m.environ["ANNALS_DATABASE_URL"])
	c.waitForDone(20)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if done := c.count(`SELECT count(*) FROM annals.episodes WHERE state = 'done'`); done == crashLines {
		t.Skip("the command was done before it could be killed")
	}
	c.checkNothingPartial()
	m.must("add", "-g", "t", "--file", file)
	c.checkAllThereOnce()
}

func TestServerKilled(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	home := openDir(t)
	m := &memory{t: t, environ: map[string]string{"XDG_DATA_HOME": home}}
	cluster, err := postgres.Start(t.Context(), postgres.Config{DataDir: filepath.Join(home, "annals")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Stop(context.Background()) })
	m.must("migrate", "up")
	file := m.file("chat.jsonl", conversation(crashLines))
	failed := make(chan outcome, 1)
	go func() { failed <- m.run("", "add", "-g", "t", "--file", file) }()
	connect(t, cluster.URL()).waitForDone(20)
	killPostmaster(t, cluster)
	o := <-failed
	if o.code != exitFailed || strings.Count(strings.TrimSpace(o.stderr), "\n") > 0 {
		t.Errorf("without its server: exit %d, %q; want one line", o.code, o.stderr)
	}
	m.must("add", "-g", "t", "--file", file)
	c := connect(t, cluster.URL())
	c.checkNothingPartial()
	c.checkAllThereOnce()
}

func killPostmaster(t *testing.T, cluster *postgres.Cluster) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(cluster.Dir, "pgdata", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// conversation returns a long conversation without external ids.
func conversation(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, `{"content":"I visited Town%d with my friend Marta%d.","actor":"Alice","occurred_at":"2024-01-01"}`+"\n", i, i%7)
	}
	return b.String()
}

// checker inspects the state after a crash.
type checker struct {
	t    *testing.T
	conn *pgx.Conn
}

func connect(t *testing.T, url string) checker {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return checker{t, conn}
}

func (c checker) count(query string) int {
	c.t.Helper()
	var n int
	if err := c.conn.QueryRow(c.t.Context(), query).Scan(&n); err != nil {
		c.t.Fatal(err)
	}
	return n
}

// waitForDone waits until that many episodes are done.
func (c checker) waitForDone(n int) {
	c.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if c.count(`SELECT count(*) FROM annals.episodes WHERE state = 'done'`) >= n {
			return
		}
	}
	c.t.Fatalf("%d episodes were not done within a minute", n)
}

// checkNothingPartial checks that the graph has no trace of an unfinished episode, and all of each
// finished one.
func (c checker) checkNothingPartial() {
	c.t.Helper()
	for what, query := range map[string]string{
		"mentions of unread episodes": `SELECT count(*) FROM annals.mentions m JOIN annals.episodes e
			ON e.group_id = m.group_id AND e.id = m.episode_id WHERE e.state <> 'done'`,
		"facts of unread episodes": `SELECT count(*) FROM annals.fact_episodes f JOIN annals.episodes e
			ON e.group_id = f.group_id AND e.id = f.episode_id WHERE e.state <> 'done'`,
		"read episodes without their speaker": `SELECT count(*) FROM annals.episodes e WHERE state = 'done' AND NOT EXISTS (
			SELECT FROM annals.mentions m JOIN annals.entities n ON n.group_id = m.group_id AND n.id = m.entity_id
			WHERE m.group_id = e.group_id AND m.episode_id = e.id AND n.name = 'Alice')`,
		"facts without an episode": `SELECT count(*) FROM annals.facts f WHERE NOT EXISTS (
			SELECT FROM annals.fact_episodes x WHERE x.group_id = f.group_id AND x.fact_id = f.id)`,
		"facts without a vector": `SELECT count(*) FROM annals.facts f WHERE NOT EXISTS (
			SELECT FROM annals_internal.fact_embeddings x WHERE x.group_id = f.group_id AND x.fact_id = f.id)`,
	} {
		if n := c.count(query); n != 0 {
			c.t.Errorf("%d %s", n, what)
		}
	}
}

func (c checker) checkAllThereOnce() {
	c.t.Helper()
	c.checkNothingPartial()
	for what, tt := range map[string]struct {
		query string
		want  int
	}{
		"episodes":           {`SELECT count(*) FROM annals.episodes`, crashLines},
		"different episodes": {`SELECT count(DISTINCT content) FROM annals.episodes`, crashLines},
		"episodes done":      {`SELECT count(*) FROM annals.episodes WHERE state = 'done'`, crashLines},
		"towns":              {`SELECT count(*) FROM annals.entities WHERE name LIKE 'Town%'`, crashLines},
		"friends":            {`SELECT count(*) FROM annals.entities WHERE name LIKE 'Marta%'`, 7},
		"visits":             {`SELECT count(*) FROM annals.facts WHERE fact LIKE '% visited Town%' AND predicate = 'VISITS'`, crashLines},
	} {
		if n := c.count(tt.query); n != tt.want {
			c.t.Errorf("%d %s, want %d", n, what, tt.want)
		}
	}
}
