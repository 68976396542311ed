package citus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
)

// A batch with episodes of groups on several servers is listed and counted as on one
// server.
func TestBatches(t *testing.T) {
	nodes(t, "") // skips where there is no Citus
	want := batches(t, pgtest.New(t))
	if got := batches(t, distributed(t)); got != want {
		t.Errorf("batches are\n%s\non one server\n%s", got, want)
	}
}

// batches creates a draft, a batch that is read and an empty one, and returns the lists.
func batches(t *testing.T, address string) string {
	t.Helper()
	client := open(t, address)
	memory := service.New(client)
	for n := range 4 {
		if _, err := client.CreateGroup(t.Context(), annals.Group{ID: fmt.Sprint("app:", n)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, episodes := range []int{0, 2, 3} {
		b, err := memory.CreateBatch(t.Context(), "app", service.Batch{ID: uuid.Must(uuid.NewV7())})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 4 {
			if episodes == 0 {
				break
			}
			told := story(fmt.Sprint("app:", n), n, episodes)
			for i := range told {
				told[i].Source = graph.SourceMessage
			}
			if _, err := memory.AddToBatch(t.Context(), "app", b.ID, told); err != nil {
				t.Fatal(err)
			}
		}
		if episodes != 3 {
			continue
		}
		groups, err := memory.ProcessBatch(t.Context(), "app", b.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Process(t.Context(), groups[0], nil); err != nil { // the others wait
			t.Fatal(err)
		}
	}
	var told strings.Builder
	for _, state := range []service.BatchState{"", "draft", "processing"} {
		listed, err := memory.Batches(t.Context(), "app", state, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range listed {
			fmt.Fprintf(&told, "%q: %s of %v, %d items, %d episodes, %d done, %d failed\n", state, b.State, b.Groups, b.Items, b.Progress.Episodes, b.Progress.Done, b.Progress.Failed)
		}
	}
	if !strings.Contains(told.String(), `"processing": processing`) {
		t.Errorf("no batch is being read:\n%s", told.String())
	}
	return told.String()
}
