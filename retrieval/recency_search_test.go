package retrieval_test

import (
	"fmt"
	"maps"
	"math"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// mention stores an episode that states a fact and mentions its entities.
func (w *world) mention(group string, fact uuid.UUID, at string) {
	w.t.Helper()
	w.exec(`WITH said AS (
			INSERT INTO annals.episodes (group_id, id, content, content_hash, occurred_at) VALUES ($1, $4, 'So it goes.', '', $3) RETURNING id
		), stated AS (
			INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role) SELECT $1, $2, id, 'states' FROM said)
		INSERT INTO annals.mentions (group_id, episode_id, entity_id)
		SELECT $1, said.id, e FROM said, annals.facts f, unnest(ARRAY[f.source_id, f.target_id]) e WHERE f.group_id = $1 AND f.id = $2`,
		group, fact, at, uuid.Must(uuid.NewV7()))
}

func TestRecencyAndMentions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	older := w.fact("g", "Alice works at Acme.", "[2020-01-01,)")
	newer := w.fact("g", "Alice works at Acme as well.", "[2024-05-02,)")
	w.mention("g", older, "2020-01-01")
	w.mention("g", older, "2020-02-01")
	w.mention("g", older, "2020-03-01")
	w.mention("g", newer, "2024-05-02")
	query := retrieval.Query{
		GroupID: "g", Text: "Alice works at Acme", AskedAt: time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC), Scopes: []graph.Kind{graph.KindFact},
	}
	scores := func(change func(*retrieval.Query)) (first uuid.UUID, byID map[uuid.UUID]float64) {
		t.Helper()
		q := query
		change(&q)
		result, err := w.search.Search(t.Context(), q)
		if err != nil || len(result.Facts) != 2 {
			t.Fatalf("%d facts, %v", len(result.Facts), err)
		}
		byID = map[uuid.UUID]float64{}
		for _, h := range result.Facts {
			byID[h.ID] = h.Score
		}
		return result.Facts[0].ID, byID
	}
	first, plain := scores(func(*retrieval.Query) {})
	if first != older {
		t.Fatal("the shorter fact is not first")
	}
	first, recent := scores(func(q *retrieval.Query) { q.Recency = 30 * 24 * time.Hour })
	if first != newer || math.Abs(recent[newer]-plain[newer]*0.75) > 1e-9 {
		t.Errorf("by recency %v, without %v; want the newer first, at 3/4 of its score", recent, plain)
	}
	_, boosted := scores(func(q *retrieval.Query) { q.MentionBoost = 0.5 })
	for id, n := range map[uuid.UUID]float64{older: 3, newer: 1} {
		if want := plain[id] * (1 + 0.5*math.Log(1+n)); math.Abs(boosted[id]-want) > 1e-9 {
			t.Errorf("%v mentions: %v, want %v", n, boosted[id], want)
		}
	}
	_, reranked := scores(func(q *retrieval.Query) {
		q.Rerank, q.Recency = []retrieval.Rerank{retrieval.RerankMentions}, 30*24*time.Hour
	})
	if math.Abs(reranked[newer]-0.75) > 1e-9 {
		t.Errorf("reranked by mentions, and by recency: %v, want 3/4 of 1", reranked[newer])
	}
}

// The age of an entity is that of its last mention, the age of an episode is since it was said.
func TestRecencyOfEntitiesAndEpisodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, at := range []string{"2020-01-01", "2024-05-30"} {
		fact := w.fact("g", "A fact.", "[2020-01-01,)")
		w.mention("g", fact, at)
	}
	w.entity("g", "b", "Never mentioned.")
	query := retrieval.Query{
		GroupID: "g", Text: "b goes", AskedAt: time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC),
		Scopes:  []graph.Kind{graph.KindEntity, graph.KindEpisode},
		Methods: []retrieval.Method{retrieval.MethodTerms},
	}
	plain, err := w.search.Search(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	query.Recency = 24 * time.Hour
	recent, err := w.search.Search(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	before := map[uuid.UUID]float64{}
	for _, h := range plain.Entities {
		before[h.ID] = h.Score
	}
	for _, h := range plain.Episodes {
		before[h.ID] = h.Score
	}
	weights := map[string]int{}
	for _, h := range recent.Entities {
		weights[fmt.Sprintf("entity %.3f", h.Score/before[h.ID])]++
	}
	for _, h := range recent.Episodes {
		weights[fmt.Sprintf("episode of %d %.3f", h.OccurredAt.Year(), h.Score/before[h.ID])]++
	}
	want := map[string]int{"entity 1.000": 1, "entity 0.500": 1, "entity 0.625": 1, "episode of 2020 0.500": 1, "episode of 2024 0.625": 1}
	if !maps.Equal(weights, want) {
		t.Errorf("weights %v, want %v", weights, want)
	}
}

// Without MinScore, reranking leaves out no hit: marginal relevance gives repetitions scores below
// zero.
func TestNegativeScoresStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.chain(3)
	w.exec(`INSERT INTO annals_internal.fact_embeddings (group_id, model, fact_id, embedding) SELECT 'g', $1, id, $2 FROM annals.facts`,
		w.embedder.Name(), db.Vector(w.vectorOf("n0")))
	q := retrieval.Query{
		GroupID: "g", Text: "n0", Lambda: 0.2, Scopes: []graph.Kind{graph.KindFact}, Methods: []retrieval.Method{retrieval.MethodVector},
		Rerank: []retrieval.Rerank{retrieval.RerankMMR},
	}
	if got := w.find(q); len(got) != 3 {
		t.Errorf("found %d facts, want all three", len(got))
	}
	q.MinScore = 0.1
	if got := w.find(q); len(got) != 1 {
		t.Errorf("found %d facts of 0.1 and more, want the first", len(got))
	}
}
