package retrieval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// A limit of hits holds for the whole string, not for each scope, and leaves the
// best of each.
func TestHitsBoundTheWholeContext(t *testing.T) {
	t.Parallel()
	var r retrieval.Result
	for i := range 9 {
		r.Facts = append(r.Facts, retrieval.FactHit{Fact: graph.Fact{Fact: fmt.Sprintf("fact %d", i)}})
		r.Episodes = append(r.Episodes, retrieval.EpisodeHit{Episode: graph.Episode{Content: fmt.Sprintf("episode %d", i)}})
	}
	r.Entities = []retrieval.EntityHit{{Entity: graph.Entity{Name: "entity 0"}}}
	for hits, want := range map[int]int{0: 19, 1: 1, 5: 5, 18: 18, 19: 19, 100: 19} {
		for _, tokens := range []int{0, 10_000} {
			text, err := retrieval.Construction{Hits: hits, Tokens: tokens}.Construct(r)
			if err != nil || strings.Count(text, "\n- ") != want {
				t.Errorf("%d hits of 19, error %v:\n%s", hits, err, text)
			}
			if hits == 5 && !(strings.Contains(text, "fact 1") && strings.Contains(text, "entity 0") && strings.Contains(text, "episode 1")) {
				t.Errorf("the best of each are not shown:\n%s", text)
			}
		}
	}
	if _, err := (retrieval.Construction{Hits: -1}).Construct(r); graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("-1 hits: %v", err)
	}
}
