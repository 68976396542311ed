package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/slow"
)

const (
	waitsToFill   = `LOCK TABLE annals_internal.fact_embeddings IN SHARE MODE`
	waitsToRemove = `SELECT FROM annals_internal.fact_embeddings WHERE model = 'offline:hash-1-256' FOR UPDATE`
)

// TestReembedKilled kills the command while it fills in vectors, and while it removes old ones.
// Running it again continues.
func TestReembedKilled(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	binary := program.Annals(t)
	m.must("add", "-g", "t", "--file", m.file("chat.jsonl", conversation(60)))
	m.must("communities", "build", "-g", "t")
	c := connect(t, m.environ["ANNALS_DATABASE_URL"])
	facts := c.count(`SELECT count(*) FROM annals.facts`)
	communities := c.count(`SELECT count(*) FROM annals.communities`)

	// It has made the vectors of all episodes and entities, and of no fact.
	c.killWhile(binary, "256", waitsToFill, `SELECT count(*) = (SELECT count(*) FROM annals.episodes) + (SELECT count(*) FROM annals.entities)
		FROM (SELECT model FROM annals_internal.episode_embeddings UNION ALL SELECT model FROM annals_internal.entity_embeddings) v WHERE model = 'offline:hash-1-256'`)
	if n := c.count(`SELECT value::int FROM annals_internal.settings WHERE name = 'embedding_dimension'`); n != 384 {
		t.Errorf("the vectors in force have %d dimensions before all are there", n)
	}
	m.must("search", "-g", "t", "Town3")
	if made := m.reembed("256").Made; made < int64(communities) || made > int64(facts+communities) {
		t.Errorf("going on made %d vectors; %d facts and %d communities had none", made, facts, communities)
	}
	c.checkVectors("offline:hash-1-256")

	// It has removed the old vectors of all episodes and entities.
	c.killWhile(binary, "128", waitsToRemove, `SELECT count(*) = 0
		FROM (SELECT model FROM annals_internal.episode_embeddings UNION ALL SELECT model FROM annals_internal.entity_embeddings) v WHERE model = 'offline:hash-1-256'`)
	if n := c.count(`SELECT value::int FROM annals_internal.settings WHERE name = 'embedding_dimension'`); n != 128 {
		t.Errorf("the vectors in force have %d dimensions after the change", n)
	}
	if again := m.reembed("128"); again.Made != 0 || again.Dropped < int64(communities) {
		t.Errorf("going on made %d vectors and removed %d; there were %d communities", again.Made, again.Dropped, communities)
	}
	c.checkVectors("offline:hash-1-128")
}

func (m *memory) reembed(dimension string) annals.Reembedded {
	m.t.Helper()
	var got struct{ Reembedded annals.Reembedded }
	m.read(&got, "reembed", "--embedding-dim", dimension)
	return got.Reembedded
}

// killWhile kills the command when it has reached a state and waits for a lock.
func (c checker) killWhile(binary, dimension, blocker, reached string) {
	c.t.Helper()
	other := connect(c.t, c.conn.Config().ConnString())
	tx, err := other.conn.Begin(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(c.t.Context()) }()
	if _, err := tx.Exec(c.t.Context(), blocker); err != nil {
		c.t.Fatal(err)
	}
	cmd := exec.CommandContext(c.t.Context(), binary, "reembed", "--embedding-dim", dimension)
	cmd.Env = []string{"ANNALS_DATABASE_URL=" + c.conn.Config().ConnString()}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.waitUntil(reached)
	if err := cmd.Process.Kill(); err != nil {
		c.t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := tx.Rollback(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	c.waitUntil(`SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'annals' AND pid <> pg_backend_pid()`)
}

func (c checker) waitUntil(query string) {
	c.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		var reached bool
		if err := c.conn.QueryRow(c.t.Context(), query, pgx.QueryExecModeExec).Scan(&reached); err != nil {
			c.t.Fatal(err)
		}
		if reached {
			return
		}
	}
	c.t.Fatalf("not within two minutes: %s", query)
}

// checkVectors checks that each row has one vector, by that model.
func (c checker) checkVectors(name string) {
	c.t.Helper()
	for kind, table := range map[string]string{"episode": "episodes", "entity": "entities", "fact": "facts", "community": "communities"} {
		rows := c.count(`SELECT count(*) FROM annals.` + table)
		vectors := c.count(`SELECT count(*) FROM annals_internal.` + kind + `_embeddings`)
		right := c.count(`SELECT count(*) FROM annals_internal.` + kind + `_embeddings WHERE model = '` + name + `'`)
		if rows == 0 || vectors != rows || right != rows {
			c.t.Errorf("%d %s have %d vectors, %d of them by %s", rows, table, vectors, right, name)
		}
	}
}

func TestANewDatabaseTakesTheEmbeddersDimension(t *testing.T) {
	t.Parallel()
	s := scriptedAt(t, pgtest.Empty(t))
	s.knowsMoves("")
	s.embedsIn(256)
	s.must("migrate", "up")
	if got := s.must("doctor", "-g", "t"); !strings.Contains(got, "openai:scripted, 256 dimensions") {
		t.Errorf("doctor says %q", got)
	}
	if o := s.hears("2023-01-10", "I live in Paris."); o.code != exitOK {
		t.Fatalf("add: exit %d: %s", o.code, o.stderr)
	}
	if got := s.must("search", "-g", "t", "Where does Alice live?"); !strings.Contains(got, "Alice lives in Paris.") {
		t.Errorf("search finds %q", got)
	}
	s.embedsIn(128)
	s.hears("2024-03-15", "I moved to Lisbon last week.").failsWith(t, "makes vectors of 128 numbers, and 256 are asked for")
	s.environ["ANNALS_EMBEDDING_DIM"] = "128"
	s.run("", "facts", "-g", "t").failsWith(t, "256 dimensions, not 128")
}
