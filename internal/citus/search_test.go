package citus

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

var (
	asked   = time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)
	scopes  = []graph.Kind{graph.KindFact, graph.KindEntity, graph.KindEpisode, graph.KindCommunity, graph.KindObservation, graph.KindThread}
	methods = []retrieval.Method{retrieval.MethodTerms, retrieval.MethodVector, retrieval.MethodGraph}
	reranks = []retrieval.Rerank{retrieval.RerankMMR, retrieval.RerankMentions, retrieval.RerankSalience, retrieval.RerankDistance}
	filters = map[string]retrieval.Filter{
		"of people":       {Labels: []string{"Person"}},
		"but of people":   {ExcludedLabels: []string{"Person"}},
		"a predicate":     {Predicates: []string{"LIVES_IN"}},
		"held since":      {Valid: retrieval.TimeCondition{{{Op: "gte", At: time.Date(2023, 3, 1, 0, 0, 0, 0, time.UTC)}}}},
		"a conversation":  {Threads: []string{"talk-1"}},
		"metadata":        {Metadata: &retrieval.Condition{Path: []string{"mood"}, Op: "eq", Value: "good"}},
		"said by Alice":   {Actors: []string{"Alice"}},
		"told by Alice":   {ToldBy: []string{"Alice"}},
		"a role of users": {Roles: []string{"user"}},
	}
)

// questions are searches in every scope, by every method, with every filter, in other
// orders, and as of other times. The reranking model is left out, since it does not use
// the database.
func questions(center uuid.UUID) map[string]annals.Query {
	asks := map[string]annals.Query{}
	for _, text := range []string{"Where does Alice live?", "Who works at Globex?", `who met at the "café in Paris"`, "what happened in June 2023", "zzzqqq", "Bob"} {
		asks["everything: "+text] = annals.Query{Text: text, Scopes: scopes}
		for _, scope := range scopes {
			for _, method := range methods {
				asks[fmt.Sprintf("%s by %s: %s", scope, method, text)] = annals.Query{Text: text, Scopes: []graph.Kind{scope}, Methods: []retrieval.Method{method}}
			}
		}
		for _, rerank := range reranks {
			q := annals.Query{Text: text, Rerank: []retrieval.Rerank{rerank}}
			if rerank == retrieval.RerankDistance {
				q.Center = center
			}
			asks[fmt.Sprintf("by %s: %s", rerank, text)] = q
		}
		for name, filter := range filters {
			asks[name+": "+text] = annals.Query{Text: text, Filter: filter}
		}
		for _, trust := range []graph.Trust{graph.TrustCandidate, graph.TrustDisputed, graph.TrustAll} {
			asks[fmt.Sprintf("%s: %s", trust, text)] = annals.Query{Text: text, Trust: trust}
		}
		asks["pinned first: "+text] = annals.Query{Text: text, Pinned: true, Scopes: scopes[:3]}
		asks["held in 2023: "+text] = annals.Query{Text: text, ValidAt: time.Date(2023, 5, 1, 0, 0, 0, 0, time.UTC), Scopes: scopes[:2]}
		asks["ended too: "+text] = annals.Query{Text: text, IncludeEnded: true}
		asks["known a minute ago: "+text] = annals.Query{Text: text, KnownAt: time.Now().Add(-time.Minute), Scopes: scopes[:4]}
		asks["in several groups: "+text] = annals.Query{Text: text, AlsoIn: []string{"g2", "g3"}}
		asks["by age and mentions: "+text] = annals.Query{Text: text, Recency: 24 * time.Hour * 365, MentionBoost: 0.5, Replies: true}
	}
	for name, q := range asks {
		q.GroupID, q.AskedAt, q.Limit = group, asked, 20
		asks[name] = q
	}
	return asks
}

// A cluster returns the same hits as one server, in the same order with the same
// scores.
func TestSearchesFindTheSame(t *testing.T) {
	one, many := twins(t)
	single, cluster := open(t, one), open(t, many)
	alice, err := single.Entity(t.Context(), group, "Alice")
	if err != nil {
		t.Fatal(err)
	}
	found, asks := 0, questions(alice.ID)
	alike := cmp.Options{cmpopts.EquateApprox(0, 1e-5), cmpopts.EquateApproxTime(time.Minute), cmpopts.EquateEmpty()}
	for name, q := range asks {
		want, wantErr := single.Search(t.Context(), q)
		got, gotErr := cluster.Search(t.Context(), q)
		if told(gotErr) != told(wantErr) {
			t.Errorf("%s: %v; on one server %v", name, gotErr, wantErr)
			continue
		}
		found += len(want.Facts) + len(want.Entities) + len(want.Episodes) + len(want.Communities) + len(want.Observations) + len(want.Threads)
		if diff := cmp.Diff(want, got, alike); diff != "" {
			t.Errorf("%s (-one server +cluster):\n%.2000s", name, diff)
		}
	}
	if found < 1000 {
		t.Errorf("%d questions found %d; there is little to compare", len(asks), found)
	}
	t.Logf("%d questions, %d hits", len(asks), found)
}

// BenchmarkSearch measures a user's search on one server and on a cluster on the same
// machine.
func BenchmarkSearch(b *testing.B) {
	one, many := twins(b)
	servers := []struct {
		name   string
		client *annals.Client
	}{{"one", open(b, one)}, {"cluster", open(b, many)}}
	known := time.Now()
	search := func(q annals.Query) func(context.Context, *annals.Client) error {
		q.GroupID, q.Text, q.Limit = group, "Where does Alice live?", 10
		return func(ctx context.Context, c *annals.Client) error { _, err := c.Search(ctx, q); return err }
	}
	for _, task := range []struct {
		name string
		do   func(context.Context, *annals.Client) error
	}{
		{"facts", search(annals.Query{Scopes: scopes[:1]})},
		{"default", search(annals.Query{})},
		{"label", search(annals.Query{Filter: filters["of people"]})},
		{"metadata", search(annals.Query{Filter: filters["metadata"]})},
		{"held", search(annals.Query{ValidAt: asked})},
		{"known", search(annals.Query{KnownAt: known})},
		{"graph", search(annals.Query{Methods: methods})},
		{"listed", func(ctx context.Context, c *annals.Client) error {
			_, err := c.Facts(ctx, annals.FactFilter{GroupID: group, Limit: 50})
			return err
		}},
		{"listed_known", func(ctx context.Context, c *annals.Client) error {
			_, err := c.Facts(ctx, annals.FactFilter{GroupID: group, Limit: 50, KnownAt: known})
			return err
		}},
	} {
		for _, server := range servers {
			b.Run(task.name+"/"+server.name, func(b *testing.B) {
				for b.Loop() {
					if err := task.do(b.Context(), server.client); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
