package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// Processing a batch drops items that were erased. A batch with no other items is refused.
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

// Adding to a batch while it is processed or removed either stores the item or loses it with the
// batch; a processed batch stays.
func TestBatchesThatChangeMeanwhile(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	s := service.New(client)
	for _, group := range []string{"t", "u"} {
		e := clienttest.Alice("I like figs.", "2024-01-01")
		e.GroupID = group
		if _, err := client.Add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	const add = `WITH b AS (UPDATE annals_internal.batches SET items = items + 1, groups = '{t,u}' WHERE id = $1)
		INSERT INTO annals_internal.batch_items (group_id, batch_id, place, episode_id, item)
		SELECT 'u', batch_id, 1, x, jsonb_set(jsonb_set(item::jsonb, '{id}', to_jsonb(x)), '{group_id}', '"u"')
		FROM annals_internal.batch_items, gen_random_uuid() x WHERE batch_id = $1`
	const process = `UPDATE annals_internal.batches SET processed_at = now() WHERE id = $1`
	meanwhile := func(change string, do func(context.Context, uuid.UUID) error) (id uuid.UUID, err error) {
		t.Helper()
		b, err := s.CreateBatch(t.Context(), "app", service.Batch{})
		if err != nil {
			t.Fatal(err)
		}
		e := clienttest.Alice("I like tea.", "2024-02-01")
		e.GroupID, e.Source = "t", graph.SourceMessage
		if _, err := s.AddToBatch(t.Context(), "app", b.ID, []annals.Episode{e}); err != nil {
			t.Fatal(err)
		}
		tx, err := clienttest.Dial(t, url).Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(t.Context(), change, b.ID); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- do(t.Context(), b.ID) }()
		for clienttest.Count(t, url, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == 0 {
			time.Sleep(time.Millisecond)
		}
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		return b.ID, <-done
	}
	items := func(id uuid.UUID) int {
		return clienttest.Count(t, url, "SELECT count(*) FROM annals_internal.batch_items WHERE batch_id = $1", id)
	}
	_, err := meanwhile(add, func(ctx context.Context, id uuid.UUID) error { _, err := s.ProcessBatch(ctx, "app", id); return err })
	if n := clienttest.Count(t, url, "SELECT count(*) FROM annals.episodes") - 2; n != 2 || err != nil {
		t.Errorf("of two items %d are stored (%v)", n, err)
	}
	remove := func(ctx context.Context, id uuid.UUID) error { return s.DeleteBatch(ctx, "app", id) }
	if id, err := meanwhile(add, remove); err != nil || items(id) > 0 {
		t.Errorf("%d items are left of a batch that was removed (%v)", items(id), err)
	}
	if id, err := meanwhile(process, remove); annals.CodeOf(err) != annals.CodeNotFound || items(id) != 1 {
		t.Errorf("a batch that was processed meanwhile is left with %d items (%v)", items(id), err)
	}
}
