package retrieval_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// chain stores entities n0 … n(length) with a fact from each to the next.
func (w *world) chain(length int) (entities, facts []uuid.UUID) {
	w.t.Helper()
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ('g') ON CONFLICT DO NOTHING`)
	for i := range length + 1 {
		entities = append(entities, w.node(fmt.Sprint("n", i)))
	}
	for i := range length {
		facts = append(facts, w.edge(entities[i], entities[i+1], fmt.Sprintf("n%d leads to n%d", i, i+1), "[2024-01-01,)"))
	}
	return entities, facts
}

func (w *world) node(name string) uuid.UUID {
	w.t.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO annals.entities (group_id, id, name) VALUES ('g', $1, $2)`, id, name)
	return id
}

func (w *world) edge(source, target uuid.UUID, sentence, valid string) uuid.UUID {
	w.t.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		VALUES ('g', $1, $2, $3, 'LEADS_TO', $4, $5::tstzrange, $1)`, id, source, target, sentence, valid)
	return id
}

func (w *world) distances(seeds []uuid.UUID, hops int, at, most any) map[uuid.UUID]int {
	w.t.Helper()
	rows, err := w.pool.Query(w.t.Context(), `SELECT entity_id, distance FROM annals.neighborhood('g', $1, $2, $3::timestamptz, NULL, $4)`, seeds, hops, at, most)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	found := map[uuid.UUID]int{}
	for rows.Next() {
		var id uuid.UUID
		var distance int
		if err := rows.Scan(&id, &distance); err != nil {
			w.t.Fatal(err)
		}
		found[id] = distance
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return found
}

// The walk follows facts in both directions, terminates on cycles and respects time.
func TestNeighborhood(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, _ := w.chain(4)
	w.edge(n[4], n[0], "back to the start, once", "[2020-01-01,2021-01-01)") // a cycle in 2020, when nothing else held
	got := w.distances([]uuid.UUID{n[2]}, 4, nil, 100)
	want := map[uuid.UUID]int{n[2]: 0, n[1]: 1, n[3]: 1, n[0]: 2, n[4]: 2}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("distances %v, want %v", got, want)
	}
	if got := w.distances([]uuid.UUID{n[2]}, 1, nil, 100); len(got) != 3 {
		t.Errorf("%d entities within a hop, want 3", len(got))
	}
	if got := w.distances([]uuid.UUID{n[0]}, 4, time.Date(2020, 6, 1, 0, 0, 0, 0, time.UTC), 100); len(got) != 2 || got[n[4]] != 1 {
		t.Errorf("in 2020 n0 reached %v, want n4 alone", got)
	}
	if got := w.distances([]uuid.UUID{n[0]}, 4, nil, 2); len(got) != 2 {
		t.Errorf("%d entities, want the limit of 2", len(got))
	}
	if got := w.distances([]uuid.UUID{uuid.New()}, 4, nil, 10); len(got) != 0 {
		t.Errorf("nobody has neighbours %v", got)
	}
}

// A hub with thousands of facts costs no more than its newest fifty.
func TestHubsAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, _ := w.chain(1)
	w.exec(`WITH spokes AS (
			INSERT INTO annals.entities (group_id, id, name) SELECT 'g', gen_random_uuid(), 'spoke' || i FROM generate_series(1, 3000) i RETURNING id)
		INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		SELECT 'g', gen_random_uuid(), $1, id, 'HAS', 'a spoke', '[2024-01-01,)', gen_random_uuid() FROM spokes`, n[0])
	if got := w.distances([]uuid.UUID{n[0]}, 2, nil, 1000); len(got) > 60 {
		t.Errorf("%d entities around a hub, want about fifty", len(got))
	}
}

// Several facts between the same two entities do not crowd out others.
func TestWalkPassesOverParallelFacts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ('g')`)
	hub, friend := w.node("hub"), w.node("friend")
	for range 60 {
		w.edge(hub, friend, "they met", "[2024-01-01,)")
		w.edge(friend, hub, "they met again", "[2024-01-01,)")
	}
	seeds := []uuid.UUID{hub}
	for i := range 4 {
		seeds = append(seeds, w.node(fmt.Sprint("seed ", i)))
		for range 8 {
			shared := w.node("somebody")
			for _, s := range seeds[1:] {
				w.edge(s, shared, "they know each other", "[2024-01-01,)")
			}
		}
	}
	got := w.distances(seeds, 2, nil, 30)
	ones := 0
	for _, d := range got {
		if d == 1 {
			ones++
		}
	}
	if len(got) != 30 || ones != 25 || got[friend] > 1 {
		t.Errorf("reached %d entities, %d of them at once, want 30 and 25", len(got), ones)
	}
	if got := w.distances([]uuid.UUID{hub}, 2, nil, 10); len(got) != 2 {
		t.Errorf("the hub reached %v, want its friend", got)
	}
	if got := w.distances(seeds, 2, nil, nil); len(got) != 5+1+32 {
		t.Errorf("without a limit %d entities, want all 38", len(got))
	}
}

func TestSearchWalksTheGraph(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, facts := w.chain(3)
	search := func(q retrieval.Query) []uuid.UUID {
		t.Helper()
		q.GroupID, q.Text, q.Scopes = "g", "n0", []graph.Kind{graph.KindFact}
		result, err := w.search.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var ids []uuid.UUID
		for _, hit := range result.Facts {
			ids = append(ids, hit.ID)
		}
		return ids
	}
	words := []retrieval.Method{retrieval.MethodTerms}
	if got := search(retrieval.Query{Methods: words}); !slices.Equal(got, facts[:1]) {
		t.Errorf("by words: %v, want the first fact alone", got)
	}
	got := search(retrieval.Query{Methods: append(words, retrieval.MethodGraph), Hops: 1})
	if len(got) != 3 || got[0] != facts[0] {
		t.Errorf("with a walk: %v, want the first fact and those around it", got)
	}
}

// Ended facts do not hide facts that hold from a walk.
func TestWalkPassesOverWhatHasEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, facts := w.chain(1)
	for range 20 {
		w.edge(n[0], n[1], "they met once", "[2020-01-01,2020-01-02)")
		w.edge(n[1], n[0], "and once more", "[2021-01-01,2021-01-02)")
	}
	q := retrieval.Query{
		GroupID: "g", Text: "unheard", Scopes: []graph.Kind{graph.KindFact}, Methods: []retrieval.Method{retrieval.MethodGraph}, Seeds: n[:1],
	}
	for name, at := range map[string]time.Time{"now": {}, "in 2024": time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)} {
		q.ValidAt = at
		result, err := w.search.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Facts) != 1 || result.Facts[0].ID != facts[0] {
			t.Errorf("%s: %+v, want the fact that holds", name, result.Facts)
		}
	}
}

func TestNodeDistanceAndMentions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, facts := w.chain(3)
	w.exec(`INSERT INTO annals.episodes (group_id, id, content) SELECT 'g', gen_random_uuid(), 'said' FROM generate_series(1, 5)`)
	w.exec(`INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role) SELECT 'g', $1, id, 'states' FROM annals.episodes`, facts[1])
	order := func(q retrieval.Query) []uuid.UUID {
		t.Helper()
		q.GroupID, q.Text, q.Scopes = "g", "leads", []graph.Kind{graph.KindFact}
		result, err := w.search.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var ids []uuid.UUID
		for _, hit := range result.Facts {
			ids = append(ids, hit.ID)
		}
		return ids
	}
	terms := []retrieval.Method{retrieval.MethodTerms}
	got := order(retrieval.Query{Methods: terms, Rerank: []retrieval.Rerank{retrieval.RerankDistance}, Center: n[3]})
	if len(got) != 3 || got[0] != facts[2] || got[2] != facts[0] {
		t.Errorf("from n3: %v, want %v backwards", got, facts)
	}
	if got := order(retrieval.Query{Methods: terms, Rerank: []retrieval.Rerank{retrieval.RerankMentions}}); got[0] != facts[1] {
		t.Errorf("by mentions %v comes first, want %v", got[0], facts[1])
	}
	_, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: "x", Rerank: []retrieval.Rerank{retrieval.RerankDistance}})
	if graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("a distance from nowhere: %v", err)
	}
}

// A search at KnownAt shows rows as they were believed.
func TestSearchAsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.fact("g", "Alice lives in Paris.", "[2023-01-10,)")
	var before time.Time
	if err := w.pool.QueryRow(t.Context(), `SELECT clock_timestamp()`).Scan(&before); err != nil {
		t.Fatal(err)
	}
	w.exec(`UPDATE annals.facts SET valid = '[2023-01-10,2024-03-08)' WHERE id = $1`, id)
	if got := w.find(retrieval.Query{GroupID: "g", Text: "Alice"}); len(got) != 0 {
		t.Errorf("now %q holds", got)
	}
	result, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: "Alice", KnownAt: before})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Facts) != 1 || !result.Facts[0].Valid.Ongoing() {
		t.Errorf("as known before: %+v, want the fact, still ongoing", result.Facts)
	}
}

// The phrases and the events of a question are matched with the texts of that time too.
func TestPhrasesAndEventsAsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "Tea strong tea, strong: cup of tea.", "[2023-01-10,)")
	w.fact("g", "Alice lives in Paris.", "[2015-01-01,2021-01-01)")
	w.fact("g", "Alice lives in Lisbon.", "[2021-01-01,)")
	drinks := w.fact("g", "In the long winter Alice drank much rather strong tea in the old house.", "[2023-01-10,)")
	joined := w.fact("g", "Alice joined Acme.", "[2020-06-01,)")
	gone := w.fact("g", "Bob has rather strong tea.", "[2023-01-10,)")
	var before time.Time
	if err := w.pool.QueryRow(t.Context(), `SELECT clock_timestamp()`).Scan(&before); err != nil {
		t.Fatal(err)
	}
	w.exec(`UPDATE annals.facts SET fact = 'Alice drank very weak coffee.' WHERE id = $1`, drinks)
	w.exec(`UPDATE annals.facts SET fact = 'Alice left for Initech.' WHERE id = $1`, joined)
	w.exec(`DELETE FROM annals.facts WHERE id = $1`, gone)
	for _, tt := range []struct {
		query string
		known time.Time
		first []string
	}{
		{`"rather strong tea"`, before, []string{"Bob has rather strong tea.", "In the long winter Alice drank much rather strong tea in the old house."}},
		{`"very weak coffee" tea`, before, []string{"Tea strong tea, strong: cup of tea."}},
		{`"very weak coffee" tea`, time.Time{}, []string{"Alice drank very weak coffee."}},
		{"Where did Alice live before she joined Acme?", before, []string{"Alice lives in Paris."}},
	} {
		got := w.find(retrieval.Query{GroupID: "g", Text: tt.query, KnownAt: tt.known, Methods: []retrieval.Method{retrieval.MethodTerms}})
		if len(got) < len(tt.first) || !slices.Equal(got[:len(tt.first)], tt.first) {
			t.Errorf("%s, as known at %s: found %q, want %q first", tt.query, tt.known, got, tt.first)
		}
	}
}

func TestCommunitiesAreFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "Alice lives in Paris.", "[2023-01-10,)")
	w.exec(`INSERT INTO annals.communities (group_id, id, name, summary) VALUES ('g', gen_random_uuid(), 'Climbing robots', 'Acme builds robots that climb.')`)
	result, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: "Who builds robots?", Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Communities) != 1 || result.Communities[0].Name != "Climbing robots" {
		t.Errorf("communities %+v", result.Communities)
	}
	e := result.Explanation
	if e == nil || len(e.Steps) == 0 || !slices.ContainsFunc(e.Hits, func(h retrieval.ExplainedHit) bool {
		return h.Kind == graph.KindCommunity && h.Places[retrieval.MethodTerms].Rank == 1
	}) {
		t.Errorf("explanation %+v, want the community first by its words", e)
	}
}

func TestRecipes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, _ := w.chain(2)
	for _, name := range retrieval.Recipes() {
		q, err := retrieval.Query{GroupID: "g", Text: "n0 leads", Center: n[0]}.With(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.search.Search(t.Context(), q)
		needsModel := slices.Contains(q.Rerank, retrieval.RerankModel)
		if needsModel != (graph.CodeOf(err) == graph.CodeInvalid && err != nil) || !needsModel && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (retrieval.Query{}).With("nonsense"); graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("an unknown recipe: %v", err)
	}
}
