package service_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"

	"github.com/google/uuid"
)

// The picture of one entity has as many of its facts as asked for, in either direction. The picture
// of many entities has some facts of each.
func TestAnEntityIsDrawnWithItsFacts(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	made := clienttest.Made{Group: "hub", People: 3, Facts: 400, Began: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	if err := made.Write(t.Context(), clienttest.Dial(t, url)); err != nil {
		t.Fatal(err)
	}
	entities, err := client.Entities(t.Context(), annals.EntityFilter{GroupID: "hub", Limit: 1})
	if err != nil || len(entities) == 0 {
		t.Fatal(entities, err)
	}
	hub := entities[0].ID
	own := clienttest.Count(t, url, `SELECT count(*) FROM annals.facts WHERE group_id = 'hub' AND $1 IN (source_id, target_id)`, hub)
	if own < 250 {
		t.Fatalf("the hub has %d facts", own)
	}
	for hops := 1; hops <= 2; hops++ {
		p, err := service.New(client).Picture(t.Context(), service.PictureQuery{GroupID: "hub", Around: []uuid.UUID{hub}, Hops: hops, MaxFacts: 800 * hops})
		if err != nil {
			t.Fatal(err)
		}
		drawn := map[uuid.UUID]bool{}
		for i, id := range p.Facts.ID {
			drawn[id] = drawn[id] || p.Entities.ID[p.Facts.Source[i]] == hub || p.Entities.ID[p.Facts.Target[i]] == hub
		}
		n := 0
		for _, of := range drawn {
			if of {
				n++
			}
		}
		if n != own {
			t.Errorf("with %d hops %d of its %d facts are drawn", hops, n, own)
		}
	}
}
