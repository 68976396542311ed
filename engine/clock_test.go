package engine_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/engine/erase"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

// setBack moves the recorded times of a group ahead, as if the clock of the database had been ahead
// while the group was written and had been set back since.
func (m *memory) setBack(group string, by time.Duration) {
	m.t.Helper()
	const shift = `tstzrange(lower(recorded) + make_interval(secs => $2), upper(recorded) + make_interval(secs => $2))`
	tx, err := m.pool.Begin(m.t.Context())
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(m.t.Context()) }()
	for _, statement := range []string{
		`SET LOCAL session_replication_role = replica`,
		`UPDATE annals.entities SET recorded = ` + shift + ` WHERE group_id = $1`,
		`UPDATE annals.facts SET recorded = ` + shift + ` WHERE group_id = $1`,
		`UPDATE annals_internal.entities_history SET recorded = ` + shift + ` WHERE group_id = $1`,
		`UPDATE annals_internal.facts_history SET recorded = ` + shift + ` WHERE group_id = $1`,
		`UPDATE annals.episodes SET processed_at = processed_at + make_interval(secs => $2) WHERE group_id = $1`,
		`UPDATE annals.groups SET written_at = written_at + make_interval(secs => $2) WHERE group_id = $1`,
	} {
		args := []any{group, by.Seconds()}
		if statement[:3] == "SET" {
			args = nil
		}
		if _, err := tx.Exec(m.t.Context(), statement, args...); err != nil {
			m.t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := tx.Commit(m.t.Context()); err != nil {
		m.t.Fatal(err)
	}
}

// homes lists the places where Alice lives, each with its end, as believed at knownAt.
func (m *memory) homes(group string, knownAt *time.Time) string {
	m.t.Helper()
	var homes string
	err := m.pool.QueryRow(m.t.Context(), `SELECT coalesce(string_agg(e.name || CASE WHEN upper_inf(f.valid) THEN '' ELSE ' until ' || upper(f.valid)::date END,
			', ' ORDER BY lower(f.valid)), '')
		FROM annals.facts_known($1, $2) f JOIN annals.entities e ON e.group_id = $1 AND e.id = f.target_id WHERE f.predicate = 'LIVES_IN'`, group, knownAt).Scan(&homes)
	if err != nil {
		m.t.Fatal(err)
	}
	return homes
}

// The database's clock is set back after two of three moves were heard. The later writes still
// count as later: they can be undone and erased, and earlier beliefs are told unchanged.
func TestAClockThatIsSetBack(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for _, by := range []time.Duration{2 * time.Second, time.Hour, 10 * 365 * 24 * time.Hour} {
		m := newMemory(t)
		move := func(text, date string) uuid.UUID {
			at, err := time.Parse(time.DateOnly, date)
			if err != nil {
				t.Fatal(err)
			}
			return m.hear("g", []graph.Episode{{Source: graph.SourceMessage, Actor: "Alice", Content: text, OccurredAt: at}})[0]
		}
		move("I live in Paris.", "2023-01-10")
		lisbon := move("I moved to Lisbon.", "2024-03-15")
		m.setBack("g", by)
		before := m.writtenAt("g")
		oslo := move("I moved to Oslo.", "2025-05-20")
		m.ordered("g")
		const three = "Paris until 2024-03-15, Lisbon until 2025-05-20, Oslo"
		if got := m.homes("g", nil); got != three {
			t.Fatalf("set back by %s: %s", by, got)
		}
		if got := m.homes("g", &before); got != "Paris until 2024-03-15, Lisbon" {
			t.Errorf("set back by %s, as it was believed before: %s", by, got)
		}
		if _, err := m.engine.Undo(t.Context(), undo.Undoing{GroupID: "g", EpisodeIDs: []uuid.UUID{lisbon}}); err != nil {
			t.Fatalf("set back by %s, undo: %v", by, err)
		}
		m.ordered("g")
		if got := m.homes("g", nil); got != "Paris until 2025-05-20, Oslo" {
			t.Errorf("set back by %s, undone: %s", by, got)
		}
		if _, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EpisodeIDs: []uuid.UUID{oslo}}); err != nil {
			t.Fatalf("set back by %s, erase: %v", by, err)
		}
		if got := m.homes("g", nil); got != "Paris" {
			t.Errorf("set back by %s, erased: %s", by, got)
		}
		move("I moved to Rome.", "2026-01-01")
		m.ordered("g")
		if got := m.homes("g", nil); got != "Paris until 2026-01-01, Rome" {
			t.Errorf("set back by %s, afterwards: %s", by, got)
		}
	}
}

func (m *memory) writtenAt(group string) time.Time {
	m.t.Helper()
	var at time.Time
	if err := m.pool.QueryRow(m.t.Context(), `SELECT max(processed_at) FROM annals.episodes WHERE group_id = $1`, group).Scan(&at); err != nil {
		m.t.Fatal(err)
	}
	return at
}

// ordered checks that each version begins where the one before it ended.
func (m *memory) ordered(group string) {
	m.t.Helper()
	var gaps int
	err := m.pool.QueryRow(m.t.Context(), `SELECT count(*) FROM (
			SELECT lower(recorded) AS since, lag(upper(recorded)) OVER (PARTITION BY id ORDER BY lower(recorded)) AS until
			FROM (SELECT id, recorded FROM annals.facts WHERE group_id = $1 UNION ALL SELECT id, recorded FROM annals_internal.facts_history WHERE group_id = $1) v
		) w WHERE since < until`, group).Scan(&gaps)
	if err != nil || gaps > 0 {
		m.t.Errorf("%d versions begin before the last ended (%v)", gaps, err)
	}
}
