package engine_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
)

// BenchmarkProcess measures an episode's way from stored text to committed graph, without a
// language model.
func BenchmarkProcess(b *testing.B) {
	pool, err := db.Open(b.Context(), pgtest.New(b))
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	embedder, err := model.NewHashEmbedder(384)
	if err != nil {
		b.Fatal(err)
	}
	places := []string{"Paris", "Lisbon", "Porto", "Bergen", "Oslo", "Turin", "Graz"}
	e := engine.New(pool, offline.New(), embedder, engine.Options{})
	n := 0
	for b.Loop() {
		n++
		err := pgx.BeginFunc(b.Context(), pool, func(tx pgx.Tx) error {
			_, err := intake.Store(b.Context(), tx, []graph.Episode{{
				GroupID: "g", Actor: fmt.Sprintf("Person%d", n%50), ThreadID: "t",
				Content: fmt.Sprintf("I visited %s yesterday with my friend Marta. The weather was fine.", places[n%len(places)]),
			}})
			return err
		})
		if err == nil {
			err = e.Process(b.Context(), "g", func(engine.Processed) {})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "episodes/s")
}
