package retrieval_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/retrieval"
)

// row is a fact as the brute-force evaluation sees it.
type row struct {
	id, from, to   uuid.UUID
	predicate      string
	attributes     map[string]any
	start, end     time.Time
	source, target []string // labels
	thread, actor  string   // of the episode that states it
	metadata       map[string]any
	occurred       time.Time
}

var someLabels = []string{"Person", "Place", "Product"}

func (o row) passes(f retrieval.Filter) bool {
	labelled := func(labels, any []string) bool {
		return slices.ContainsFunc(labels, func(l string) bool { return slices.Contains(any, l) })
	}
	switch {
	case len(f.Labels) > 0 && !(labelled(o.source, f.Labels) && labelled(o.target, f.Labels)),
		labelled(o.source, f.ExcludedLabels) || labelled(o.target, f.ExcludedLabels),
		len(f.Predicates) > 0 && !slices.Contains(f.Predicates, o.predicate),
		slices.Contains(f.ExcludedPredicates, o.predicate),
		f.Attributes != nil && !holds(*f.Attributes, o.attributes),
		f.Metadata != nil && !holds(*f.Metadata, o.metadata),
		!timeHolds(f.Valid, o.start), !timeHolds(f.Invalid, o.end), !timeHolds(f.Occurred, o.occurred),
		len(f.Threads) > 0 && !slices.Contains(f.Threads, o.thread),
		len(f.Actors) > 0 && !slices.Contains(f.Actors, o.actor),
		len(f.ToldBy) > 0 && !slices.Contains(f.ToldBy, o.actor),
		!within(f.Users, o.metadata["user_id"]), !within(f.Agents, o.metadata["agent_id"]), !within(f.Runs, o.metadata["run_id"]):
		return false
	}
	return true
}

// within is whether a sub-scope is one of those named; none named: it is. Only a
// text is a sub-scope.
func within(names []string, scope any) bool {
	name, is := scope.(string)
	return len(names) == 0 || is && slices.Contains(names, name)
}

// Every filter finds what checking each row finds.
func TestFiltersEqualBruteForce(t *testing.T) {
	t.Parallel()
	eachCount(t, func(t *testing.T, count func(*world)) {
		w := newWorld(t)
		r := rand.New(rand.NewPCG(3, 4))
		rows := w.plant(r, 120)
		count(w)
		w.compareFilters(r, rows)
	})
}

// eachCount runs a test with rows that were not counted, and with counted ones, which are then few
// and searched as a whole where possible.
func eachCount(t *testing.T, test func(t *testing.T, count func(*world))) {
	for name, count := range map[string]func(*world){
		"uncounted": func(*world) {},
		"few":       func(w *world) { w.count() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, count)
		})
	}
}

func (w *world) compareFilters(r *rand.Rand, rows []row) {
	t := w.t
	t.Helper()
	some := 0
	for range slow.Of(8, 300, 300) {
		f := aFilter(r)
		result, err := w.search.Search(t.Context(), retrieval.Query{
			GroupID: "g", Text: "common word", Limit: 1000, IncludeEnded: true, Filter: f, Methods: []retrieval.Method{retrieval.MethodTerms},
			Scopes: []graph.Kind{graph.KindFact},
		})
		if err != nil {
			text, _ := json.Marshal(f)
			t.Fatalf("filter %s: %v", text, err)
		}
		got := map[uuid.UUID]bool{}
		for _, hit := range result.Facts {
			got[hit.ID] = true
		}
		inSQL := w.matching(f)
		want := 0
		for _, o := range rows {
			if o.passes(f) {
				want++
			}
			if o.passes(f) != inSQL[o.id] {
				text, _ := json.Marshal(f)
				t.Fatalf("filter %s\nrow %+v: passes in SQL %v, want %v", text, o, inSQL[o.id], o.passes(f))
			}
			if o.passes(f) != got[o.id] {
				text, _ := json.Marshal(f)
				t.Fatalf("filter %s\nrow %+v: found %v, want %v", text, o, got[o.id], o.passes(f))
			}
		}
		if want > 0 && want < len(rows) {
			some++
		}
	}
	if some < slow.Of(5, 100, 100) {
		t.Errorf("only %d filters told rows apart", some)
	}
}

// matching are the facts that pass a filter as SQL reads it.
func (w *world) matching(f retrieval.Filter) map[uuid.UUID]bool {
	w.t.Helper()
	text, _ := json.Marshal(f)
	rows, err := w.pool.Query(w.t.Context(), `SELECT m.id FROM annals_internal.facts_matching('g', annals_internal.read_filter($1), NULL, NULL, true) AS m(id)`, text)
	if err != nil {
		w.t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		w.t.Fatalf("filter %s: %v", text, err)
	}
	passes := map[uuid.UUID]bool{}
	for _, id := range ids {
		passes[id] = true
	}
	return passes
}

// lets is whether a filter lets an entity pass that no episode mentions and
// that has no attributes.
func lets(f retrieval.Filter, labels []string) bool {
	labelled := func(any []string) bool {
		return slices.ContainsFunc(labels, func(l string) bool { return slices.Contains(any, l) })
	}
	said := len(f.Threads)+len(f.Actors)+len(f.Users)+len(f.Agents)+len(f.Runs)+len(f.Occurred)+len(f.ToldBy) > 0 || f.Metadata != nil
	return (len(f.Labels) == 0 || labelled(f.Labels)) && !labelled(f.ExcludedLabels) && !said &&
		(f.Attributes == nil || holds(*f.Attributes, nil))
}

// embedPlanted gives vectors to the facts and their entities.
func (w *world) embedPlanted() {
	w.t.Helper()
	vectors, err := w.embedder.Embed(w.t.Context(), []string{"a word in common"})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, kind := range []string{"fact", "entity"} {
		table := map[string]string{"fact": "facts", "entity": "entities"}[kind]
		w.exec(`INSERT INTO annals_internal.`+kind+`_embeddings (group_id, model, `+kind+`_id, embedding) SELECT 'g', $1, id, $2 FROM annals.`+table,
			w.embedder.Name(), db.Vector(vectors[0]))
	}
}

// Searches by vectors and walks apply the filter to facts and entities too.
func TestEveryMethodKeepsToTheFilter(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	eachCount(t, func(t *testing.T, count func(*world)) {
		w := newWorld(t)
		r := rand.New(rand.NewPCG(5, 6))
		rows := w.plant(r, 60)
		w.embedPlanted()
		count(w)
		w.compareMethods(r, rows)
	})
}

func (w *world) compareMethods(r *rand.Rand, rows []row) {
	t := w.t
	t.Helper()
	var seeds []uuid.UUID
	for _, o := range rows {
		seeds = append(seeds, o.from)
	}
	for range 100 {
		f := aFilter(r)
		text, _ := json.Marshal(f)
		for _, method := range []retrieval.Method{retrieval.MethodVector, retrieval.MethodGraph} {
			result, err := w.search.Search(t.Context(), retrieval.Query{
				GroupID: "g", Text: "common word", Limit: 1000, IncludeEnded: true, Filter: f, Methods: []retrieval.Method{method},
				Scopes: []graph.Kind{graph.KindFact, graph.KindEntity}, Seeds: seeds, Hops: 1,
			})
			if err != nil {
				t.Fatalf("filter %s: %v", text, err)
			}
			got := map[uuid.UUID]bool{}
			for _, hit := range result.Facts {
				got[hit.ID] = true
			}
			for _, hit := range result.Entities {
				got[hit.ID] = true
			}
			for _, o := range rows {
				walked := method == retrieval.MethodVector || o.end.IsZero() // no walk goes along what has ended
				for id, want := range map[uuid.UUID]bool{o.id: o.passes(f), o.from: lets(f, o.source), o.to: lets(f, o.target) && walked} {
					if got[id] != want {
						t.Fatalf("%s, filter %s\nrow %+v: %v found %v, want %v", method, text, o, id, got[id], want)
					}
				}
			}
		}
	}
}

func TestBadFiltersAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, f := range map[string]retrieval.Filter{
		"nothing set":            {Attributes: &retrieval.Condition{}},
		"an odd operator":        {Attributes: &retrieval.Condition{Path: []string{"a"}, Op: "like", Value: "x"}},
		"a value too deep":       {Metadata: &retrieval.Condition{Path: []string{"a"}, Op: retrieval.OpEqual, Value: map[string]any{}}},
		"in without list":        {Metadata: &retrieval.Condition{Path: []string{"a"}, Op: retrieval.OpIn, Value: "x"}},
		"a wildcard of a number": {Metadata: &retrieval.Condition{Path: []string{"a"}, Op: retrieval.OpWildcard, Value: 1}},
		"icontains of none":      {Metadata: &retrieval.Condition{Path: []string{"a"}, Op: retrieval.OpContainsFold}},
		"an odd test":            {Valid: retrieval.TimeCondition{{{Op: "around"}}}},
		"a test of no time":      {Valid: retrieval.TimeCondition{{{Op: retrieval.OpGreater}}}},
		"a list of no test":      {Valid: retrieval.TimeCondition{{{Op: retrieval.OpNull}}, nil}},
		"no test at all":         {Occurred: retrieval.TimeCondition{{}}},
		"a NUL byte":             {Threads: []string{"a\x00b"}},
		"a NUL in a path":        {Attributes: &retrieval.Condition{Path: []string{"\x00"}, Op: retrieval.OpExists}},
		"both and and or": {Attributes: &retrieval.Condition{
			And: []retrieval.Condition{{Path: []string{"a"}, Op: retrieval.OpExists}}, Or: []retrieval.Condition{{Path: []string{"a"}, Op: retrieval.OpExists}},
		}},
	} {
		_, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: "x", Filter: f})
		if graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("%s: %v, want it refused", name, err)
		}
	}
}

// A null in a list is refused with the name of the list, and not read as an empty text, which
// nothing equals.
func TestNullsInFiltersAreRefused(t *testing.T) {
	t.Parallel()
	for _, list := range []string{
		"labels", "excluded_labels", "predicates", "excluded_predicates", "sources", "threads", "actors", "roles", "users", "agents", "runs", "Users",
		"valid", "invalid", "created", "expired", "occurred",
	} {
		_, err := retrieval.ParseFilter(`{"` + list + `": ["a", null]}`)
		if list == "valid" || list == "invalid" || list == "created" || list == "expired" || list == "occurred" {
			_, err = retrieval.ParseFilter(`{"` + list + `": [[null]]}`)
		}
		refusedFor(t, err, "filter."+strings.ToLower(list))
	}
	for _, condition := range []string{
		`{"path": ["a", null], "op": "exists"}`, `{"path": ["a"], "op": "in", "value": ["x", null]}`,
		`{"and": [null]}`, `{"or": [{"not": {"path": [null], "op": "exists"}}]}`,
	} {
		for _, part := range []string{"metadata", "attributes"} {
			_, err := retrieval.ParseFilter(`{"` + part + `": ` + condition + `}`)
			refusedFor(t, err, "filter."+part)
		}
	}
	for _, fine := range []string{`{"users": null, "metadata": null}`, `{"users": [""]}`, `{}`} {
		if _, err := retrieval.ParseFilter(fine); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
	if _, err := retrieval.ParseFilter(`{"colour": []}`); graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("an unknown field: %v", err)
	}
}

func refusedFor(t *testing.T, err error, field string) {
	t.Helper()
	var refused *graph.Error
	if !errors.As(err, &refused) || refused.Field != field || !strings.Contains(refused.Message, "null") {
		t.Errorf("%v, want %s refused for a null", err, field)
	}
}
