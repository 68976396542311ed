package service_test

import (
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// Items of a batch that were erased leave it when it is processed; a batch of nothing
// else is refused.
func TestErasedItemsLeaveTheirBatch(t *testing.T) {
	t.Parallel()
	client, _, _ := erasedPassword(t)
	s := service.New(client)
	process := func(texts ...string) (items []service.BatchItem, err error) {
		t.Helper()
		b, err := s.CreateBatch(t.Context(), "app", service.Batch{})
		if err != nil {
			t.Fatal(err)
		}
		var episodes []annals.Episode
		for _, text := range texts {
			e := clienttest.Alice(text, "2024-02-01")
			e.GroupID, e.Source = "t", graph.SourceMessage
			episodes = append(episodes, e)
		}
		if _, err := s.AddToBatch(t.Context(), "app", b.ID, episodes); err != nil {
			t.Fatal(err)
		}
		if _, err := s.ProcessBatch(t.Context(), "app", b.ID); err != nil {
			return nil, err
		}
		return s.BatchItems(t.Context(), "app", b.ID, service.BatchItemList{})
	}
	items, err := process("I like tea.", password, "I like jam.", "I like figs.")
	if err != nil || len(items) != 3 || items[0].Place != 0 || items[1].Place != 2 || items[2].Place != 3 {
		t.Errorf("of four items are left %+v, %v", items, err)
	}
	for _, item := range items {
		if e, err := client.Episode(t.Context(), "t", item.EpisodeID); err != nil || e.Content == password {
			t.Errorf("item %d is %q, %v", item.Place, e.Content, err)
		}
	}
	if _, err := process(password); !graph.IsErased(err) {
		t.Errorf("a batch of what was erased: %v", err)
	}
}
