package retrieval

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/graph"
)

// Each of the sixteen recipes of Graphiti has a counterpart, which the
// documentation names: the same scopes, methods and reranker.
func TestRecipesCoverThoseOfGraphiti(t *testing.T) {
	t.Parallel()
	docs, err := os.ReadFile("../docs/search.md")
	if err != nil {
		t.Fatal(err)
	}
	rerankers := map[string][]Rerank{
		"RRF": nil, "MMR": {RerankMMR}, "NODE_DISTANCE": {RerankDistance}, "EPISODE_MENTIONS": {RerankMentions}, "CROSS_ENCODER": {RerankModel},
	}
	all := []string{"RRF", "MMR", "NODE_DISTANCE", "EPISODE_MENTIONS", "CROSS_ENCODER"}
	some := []string{"RRF", "MMR", "CROSS_ENCODER"}
	n := 0
	for _, family := range []struct {
		theirs, ours string
		scopes       []graph.Kind
		rerankers    []string
	}{
		{"COMBINED", "combined", []graph.Kind{graph.KindFact, graph.KindEntity, graph.KindEpisode, graph.KindCommunity}, some},
		{"EDGE", "facts", []graph.Kind{graph.KindFact}, all},
		{"NODE", "entities", []graph.Kind{graph.KindEntity}, all},
		{"COMMUNITY", "communities", []graph.Kind{graph.KindCommunity}, some},
	} {
		for _, reranker := range family.rerankers {
			n++
			theirs := family.theirs + "_HYBRID_SEARCH_" + reranker
			ours := family.ours + "_hybrid_" + strings.ToLower(reranker)
			if theirs == "COMBINED_HYBRID_SEARCH_CROSS_ENCODER" {
				ours = "combined_cross_encoder"
			}
			q, err := Query{}.With(ours)
			if err != nil {
				t.Errorf("%s: %v", theirs, err)
				continue
			}
			methods := []Method{MethodTerms, MethodVector}
			if reranker == "CROSS_ENCODER" && family.theirs != "COMMUNITY" {
				methods = append(methods, MethodGraph)
			}
			want := Query{Scopes: family.scopes, Methods: methods, Rerank: rerankers[reranker]}
			if diff := cmp.Diff(want, q); diff != "" {
				t.Errorf("%s as %s (-want +got):\n%s", theirs, ours, diff)
			}
			if !strings.Contains(string(docs), "| `"+theirs+"` | `"+ours+"` |") {
				t.Errorf("docs/search.md does not name %s beside %s", ours, theirs)
			}
		}
	}
	if n != 16 {
		t.Errorf("there are %d recipes, want 16", n)
	}
}

// Every recipe gives a valid query.
func TestEveryRecipeIsValid(t *testing.T) {
	t.Parallel()
	for _, name := range Recipes() {
		q, err := Query{GroupID: "g", Text: "x", Center: [16]byte{1}}.With(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := q.prepared(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
