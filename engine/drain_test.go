package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
)

// An episode that kills every process that reads it fails in the end. The episodes behind it were
// claimed with it but never begun: their attempts start again, also where the next process is
// killed too.
func TestNeighboursOfAnEpisodeThatCrashes(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	var episodes []graph.Episode
	for i := range 4 {
		episodes = append(episodes, graph.Episode{GroupID: "g", Source: graph.SourceMessage, Actor: "Alice", Content: fmt.Sprintf("I visited Town%d.", i)})
	}
	m.queued("g", episodes...)
	m.exec(`UPDATE annals.episodes SET state = 'processing', attempts = 12, deferred = false WHERE group_id = $1`, "g") // as twelve killed processes leave them
	killed, kill := context.WithCancel(t.Context())
	_, _ = m.engine.Drain(killed, "g", engine.Portion{Attempts: 12}, func(engine.Processed) { kill() }) // once the first is put aside
	if got := m.one(`SELECT string_agg(state || ' ' || attempts, ', ' ORDER BY id) FROM annals.episodes`); got != "failed 13, processing 1, processing 1, processing 1" {
		t.Errorf("after the first was put aside: %s", got)
	}
	if _, err := m.engine.Drain(t.Context(), "g", engine.Portion{Attempts: 12}, func(engine.Processed) {}); err != nil {
		t.Fatal(err)
	}
	if got := m.one(`SELECT string_agg(state::text, ', ' ORDER BY id) FROM annals.episodes`); got != "failed, done, done, done" {
		t.Errorf("in the end: %s", got)
	}
}
