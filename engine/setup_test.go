package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// analyst answers with the test's functions. A nil function finds nothing.
type analyst struct {
	*offline.Analyst // answers the questions without a function here

	entities  func(prompts.ExtractEntities) (prompts.ExtractedEntities, error)
	resolve   func(prompts.ResolveEntities) (prompts.ResolvedEntities, error)
	facts     func(prompts.ExtractFacts) (prompts.ExtractedFacts, error)
	judge     func(prompts.ResolveFacts) (prompts.ResolvedFacts, error)
	summarise func(prompts.SummariseEntities) (prompts.EntitySummaries, error)
}

func (*analyst) Name() string { return "scripted" }

func answer[In, Out any](f func(In) (Out, error), in In) (Out, error) {
	if f == nil {
		var none Out
		return none, nil
	}
	return f(in)
}

func (a *analyst) ExtractEntities(_ context.Context, in prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	return answer(a.entities, in)
}

func (a *analyst) ResolveEntities(_ context.Context, in prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
	return answer(a.resolve, in)
}

func (a *analyst) ExtractFacts(_ context.Context, in prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	return answer(a.facts, in)
}

func (a *analyst) ResolveFacts(_ context.Context, in prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	return answer(a.judge, in)
}

func (a *analyst) SummariseEntities(_ context.Context, in prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	return answer(a.summarise, in)
}

// world is an engine on a database of its own.
type world struct {
	t       *testing.T
	pool    *pgxpool.Pool
	engine  *engine.Engine
	analyst *analyst
}

func newWorld(t *testing.T) *world {
	t.Helper()
	pool, err := db.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	w := &world{t: t, pool: pool, analyst: &analyst{Analyst: offline.New()}}
	w.engine = engine.New(pool, w.analyst, hashEmbedder(t), engine.Options{})
	return w
}

func hashEmbedder(t *testing.T) model.Embedder {
	t.Helper()
	e, err := model.NewHashEmbedder(384)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// says stores what somebody says on a day, and processes it.
func (w *world) says(day, actor, content string) []engine.Processed {
	w.t.Helper()
	w.store(day, actor, content)
	return w.process()
}

func (w *world) store(day, actor, content string) intake.Stored {
	w.t.Helper()
	var stored []intake.Stored
	err := pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		var err error
		stored, err = intake.Store(w.t.Context(), tx, []graph.Episode{{
			GroupID: "g", Actor: actor, Content: content, OccurredAt: date(day),
		}})
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return stored[0]
}

func (w *world) process() []engine.Processed {
	w.t.Helper()
	var done []engine.Processed
	if err := w.engine.Process(w.t.Context(), "g", func(p engine.Processed) { done = append(done, p) }); err != nil {
		w.t.Fatal(err)
	}
	return done
}

func (w *world) count(query string) int {
	w.t.Helper()
	var n int
	if err := w.pool.QueryRow(w.t.Context(), query).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

func (w *world) exec(statement string) {
	w.t.Helper()
	if _, err := w.pool.Exec(w.t.Context(), statement); err != nil {
		w.t.Fatal(err)
	}
}

func date(day string) time.Time {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return t
}

// names finds entities of these names; the speaker need not be among them.
func names(names ...string) func(prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	return func(prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
		var out prompts.ExtractedEntities
		for _, name := range names {
			out.Entities = append(out.Entities, prompts.ExtractedEntity{Name: name})
		}
		return out, nil
	}
}

func livesIn(city, since string) prompts.ExtractedFact {
	return prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "lives in", Fact: "Alice lives in " + city + ".", ValidAt: since}
}

// contradictsAll finds that every new fact contradicts every known one it is shown.
func contradictsAll(in prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	var out prompts.ResolvedFacts
	for _, f := range in.Facts {
		out.Resolutions = append(out.Resolutions, prompts.FactResolution{ID: f.ID, Contradicts: append(f.Rivals, f.SamePair...)})
	}
	return out, nil
}
