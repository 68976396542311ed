package retrieval_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

const everyOption = `{
	"query": "Where?", "conversation": true, "limit": 3, "scopes": ["fact"], "methods": ["bfs"], "rerank": ["mmr"], "lambda": 0.7,
	"seeds": ["Alice"], "seed_recent": 4, "hops": 2, "center": "Bob", "as_of": "2024-01-02", "known_at": "2024-02-03",
	"asked_at": "2024-03-04", "include_ended": true, "also_in": ["team"], "filter": {"predicates": ["LIVES_IN"]}, "min_score": 0.1, "min_fit": 0.05,
	"trust": "all", "told_by": ["Sam"], "recency": "30d", "mention_boost": 0.2, "explain": true, "recipe": "facts_hybrid_rrf"}`

func TestQueryInputHasEveryOption(t *testing.T) {
	t.Parallel()
	var in retrieval.QueryInput
	decoder := json.NewDecoder(strings.NewReader(everyOption))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		t.Fatal(err)
	}
	for field, value := range reflect.ValueOf(in).Fields() {
		if value.IsZero() {
			t.Errorf("the test says nothing of %s", field.Name)
		}
		if field.Tag.Get("json") == "" || field.Tag.Get("doc") == "" {
			t.Errorf("%s has no name in JSON or no description", field.Name)
		}
	}
	ids := map[string]uuid.UUID{"Alice": uuid.New(), "Bob": uuid.New()}
	known := time.Date(2024, 2, 3, 0, 0, 0, 0, time.UTC)
	got, err := in.In("g", func(name string, at time.Time) (uuid.UUID, error) {
		if !at.Equal(known) {
			t.Errorf("%s is looked for as of %s, want %s", name, at, known)
		}
		return ids[name], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for field, value := range reflect.ValueOf(got).Fields() {
		if value.IsZero() && !slices.Contains([]string{"Replies", "Pinned", "SaidByThen", "Former", "Changes"}, field.Name) { // set by contexts alone
			t.Errorf("Query.%s cannot be asked for", field.Name)
		}
	}
	want := retrieval.Query{
		GroupID: "g", Text: "Where?", Conversation: true, AlsoIn: []string{"team"}, Limit: 3, Scopes: []graph.Kind{graph.KindFact},
		Methods: []retrieval.Method{retrieval.MethodGraph}, Rerank: []retrieval.Rerank{retrieval.RerankMMR}, Lambda: 0.7,
		Seeds: []uuid.UUID{ids["Alice"]}, SeedRecent: 4, Hops: 2, Center: ids["Bob"], ValidAt: time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC),
		KnownAt: known, AskedAt: time.Date(2024, 3, 4, 0, 0, 0, 0, time.UTC), IncludeEnded: true,
		Filter: retrieval.Filter{Predicates: []string{"LIVES_IN"}, ToldBy: []string{"Sam"}}, MinScore: 0.1, MinFit: 0.05, Recency: 30 * 24 * time.Hour, MentionBoost: 0.2, Explain: true,
		Trust: graph.TrustAll,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestQueryInputOfARecipe(t *testing.T) {
	t.Parallel()
	got, err := retrieval.QueryInput{Query: "x", Recipe: "facts_hybrid_mmr", Methods: []string{"bm25"}, AsOf: "now"}.In("g", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Methods) != 1 || got.Methods[0] != retrieval.MethodTerms || len(got.Rerank) != 1 || got.Rerank[0] != retrieval.RerankMMR {
		t.Errorf("%v %v: want the method that was asked for and the reranker of the recipe", got.Methods, got.Rerank)
	}
	if age := time.Since(got.ValidAt); age < 0 || age > time.Minute {
		t.Errorf("now is taken for %s", got.ValidAt)
	}
}

func TestQueryInputThatIsWrong(t *testing.T) {
	t.Parallel()
	lost := func(name string, _ time.Time) (uuid.UUID, error) {
		return uuid.Nil, &graph.Error{Code: graph.CodeNotFound, Message: "there is no " + name}
	}
	for field, in := range map[string]retrieval.QueryInput{
		"recipe": {Recipe: "none"}, "as_of": {AsOf: "soon"}, "known_at": {KnownAt: "soon"}, "asked_at": {AskedAt: "soon"}, "recency": {Recency: "soon"},
	} {
		_, err := in.In("g", lost)
		if wrong, ok := errors.AsType[*graph.Error](err); !ok || wrong.Field != field {
			t.Errorf("%+v: %v, want an error that names %s", in, err, field)
		}
	}
	for _, in := range []retrieval.QueryInput{{Seeds: []string{"Alice"}}, {Center: "Alice"}} {
		if _, err := in.In("g", lost); graph.CodeOf(err) != graph.CodeNotFound {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

func TestParseFilter(t *testing.T) {
	t.Parallel()
	if f, err := retrieval.ParseFilter(`{"labels": ["Person"], "valid": [[{"op": "null"}]]}`); err != nil || f.Labels[0] != "Person" || f.Valid[0][0].Op != retrieval.OpNull {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err := retrieval.ParseFilter(""); f != nil || err != nil {
		t.Errorf("nothing: %+v, %v", f, err)
	}
	for _, text := range []string{`{"colour": 1}`, `{} {}`, `[]`, `{`} {
		if f, err := retrieval.ParseFilter(text); graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("%s: %+v, %v", text, f, err)
		}
	}
}
