package retrieval

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// Written gives the same JSON as the result itself.
func TestWritten(t *testing.T) {
	t.Parallel()
	r := newResult()
	r.Facts = []FactHit{{Fact: graph.Fact{GroupID: "g", ID: uuid.New(), Fact: "Ana <3 Ben."}, Score: 1}}
	r.Entities = []EntityHit{{Entity: graph.Entity{GroupID: "g", Name: "Ana", Summary: "Ana paints. Ana sings."}, Score: 2, Over: []string{"Ana sings."}}}
	r.Episodes = []EpisodeHit{{Episode: graph.Episode{GroupID: "g", Content: "I paint.", OccurredAt: time.Now()}, Score: 3, Passage: true}}
	r.Communities = []CommunityHit{{Community: graph.Community{GroupID: "g", Name: "painters"}, Score: 4}}
	r.Threads = []ThreadHit{{GroupID: "g", ID: "t", Score: 5}}
	r.Without, r.Explanation = []string{"a model"}, newExplanation(true)
	for _, result := range []Result{r, newResult()} {
		var alone, once map[string]any
		for from, into := range map[any]*map[string]any{&result: &alone, &[]any{Written(result)}[0]: &once} {
			written, err := json.Marshal(from)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(written, into); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(alone, once) {
			t.Errorf("written in one go as %v, want %v", once, alone)
		}
	}
}
