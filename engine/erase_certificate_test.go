package engine_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/erase"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

// The certificate and the vacuum that an erasure still owes after its commit are recorded in its
// transaction: a process that ends there loses neither. One vacuum serves all erasures that wait
// for it.
func TestTheCertificateAndTheVacuumAreKeptInTheTransaction(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	secret, _ := m.plant("g")
	m.exec(`ANALYZE`)
	if left := m.traces("zarathox", "vexelberg", "xylotransit"); len(left) == 0 {
		t.Fatal("nothing was planted")
	}
	var want []erase.Certificate
	for _, id := range secret {
		certificate, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EpisodeIDs: []uuid.UUID{id}, AnyReader: true, Later: true})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, certificate)
	}
	rows, err := db.New(m.pool).ErasureList(t.Context(), db.ErasureListParams{MaxRows: 100})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(rows)
	var got []erase.Certificate
	for _, row := range rows {
		var c erase.Certificate
		if err := json.Unmarshal(row.Certificate, &c); err != nil {
			t.Fatal(err)
		}
		got = append(got, c)
		if !slices.Contains(row.ToVacuum, "annals.episodes") || slices.Contains(row.ToVacuum, "annals_internal.api_keys") {
			t.Errorf("to vacuum are %v, not what was touched", row.ToVacuum)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the certificates that are kept (+) differ: %s", d)
	}
	paid, err := m.engine.FinishErasures(t.Context())
	if err != nil || paid != len(secret) {
		t.Errorf("%d erasures were finished, of %d (%v)", paid, len(secret), err)
	}
	if paid, err := m.engine.FinishErasures(t.Context()); err != nil || paid != 0 {
		t.Errorf("and again %d (%v)", paid, err)
	}
	if left := m.traces("zarathox", "vexelberg", "xylotransit"); len(left) > 0 {
		t.Errorf("traces are left in %v", left)
	}
}

// Concurrent erasures share a connection and a vacuum.
func TestErasuresShareAVacuum(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	var episodes []graph.Episode
	for range 12 {
		episodes = append(episodes, graph.Episode{Source: graph.SourceMessage, Actor: "Alice", Content: "I visited " + uuid.NewString() + "."})
	}
	ids := m.hear("g", episodes)
	before := m.one(`SELECT sessions::text FROM pg_stat_database WHERE datname = current_database()`)
	done := make(chan error, len(ids))
	for _, id := range ids {
		go func() {
			_, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EpisodeIDs: []uuid.UUID{id}, AnyReader: true})
			done <- err
		}()
	}
	for range ids {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	vacuums := m.one(`SELECT vacuum_count::text FROM pg_stat_user_tables WHERE schemaname = 'annals' AND relname = 'episodes'`)
	t.Logf("%d erasures vacuumed %s times; sessions before %s", len(ids), vacuums, before)
	if owed := m.one(`SELECT count(*)::text FROM annals.erasures WHERE to_vacuum <> '{}'`); owed != "0" {
		t.Errorf("%s still owe a vacuum", owed)
	}
	if untouched := m.one(`SELECT vacuum_count::text FROM pg_stat_user_tables WHERE schemaname = 'annals_internal' AND relname = 'api_keys'`); untouched != "0" {
		t.Errorf("a table that was not touched was vacuumed %s times", untouched)
	}
}
