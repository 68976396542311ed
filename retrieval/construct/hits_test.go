package construct_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
)

// A limit of hits applies to the whole string, not to each scope, and keeps the best of each.
func TestHitsBoundTheWholeContext(t *testing.T) {
	t.Parallel()
	var r retrieval.Result
	for i := range 9 {
		r.Facts = append(r.Facts, retrieval.FactHit{Fact: graph.Fact{Fact: fmt.Sprintf("fact %d", i)}})
		r.Episodes = append(r.Episodes, retrieval.EpisodeHit{Episode: graph.Episode{Content: fmt.Sprintf("episode %d", i), Actor: "Ann"}})
	}
	r.Entities = []retrieval.EntityHit{{Entity: graph.Entity{Name: "entity 0"}}}
	for hits, want := range map[int]int{0: 19, 1: 1, 5: 5, 18: 18, 19: 19, 100: 19} {
		for _, tokens := range []int{0, 10_000} {
			text, err := construct.Construction{Hits: hits, Tokens: tokens}.Construct(r)
			if err != nil || strings.Count(text, "\n- ") != want {
				t.Errorf("%d hits of 19, error %v:\n%s", hits, err, text)
			}
			if hits == 5 && !(strings.Contains(text, "fact 1") && strings.Contains(text, "episode 2")) {
				t.Errorf("the best of each are not shown:\n%s", text)
			}
		}
	}
	if _, err := (construct.Construction{Hits: -1}).Construct(r); graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("-1 hits: %v", err)
	}
}

// Show returns exactly the hits that the string shows.
func TestShowTellsWhatIsShown(t *testing.T) {
	t.Parallel()
	var r retrieval.Result
	said := uuid.New()
	for i := range 9 {
		r.Facts = append(r.Facts, retrieval.FactHit{Fact: graph.Fact{ID: uuid.New(), Fact: fmt.Sprintf("fact %d", i), Episodes: []uuid.UUID{said}}})
		r.Entities = append(r.Entities, retrieval.EntityHit{Entity: graph.Entity{ID: uuid.New(), Name: fmt.Sprintf("entity %d", i)}})
		r.Communities = append(r.Communities, retrieval.CommunityHit{Community: graph.Community{ID: uuid.New(), Name: fmt.Sprintf("community %d", i)}})
		r.Episodes = append(r.Episodes, retrieval.EpisodeHit{Episode: graph.Episode{ID: uuid.New(), Content: fmt.Sprintf("episode %d", i)}})
	}
	for _, as := range []construct.Construction{{}, {Hits: 7}, {Tokens: 150}, {Tokens: 300}} {
		text, shown, err := as.Show(r)
		if again, _ := as.Construct(r); err != nil || again != text {
			t.Fatalf("%+v: error %v,\n%s\nand without asking what it shows\n%s", as, err, text, again)
		}
		ids := map[uuid.UUID]bool{}
		for _, f := range shown.Facts {
			ids[f.ID] = cmp.Equal(f.Episodes, []uuid.UUID{said})
		}
		for _, n := range shown.Entities {
			ids[n.ID] = true
		}
		for _, c := range shown.Communities {
			ids[c.ID] = true
		}
		for _, e := range shown.Episodes {
			ids[e.ID] = true
		}
		for i := range 9 {
			for mark, id := range map[string]uuid.UUID{
				"fact": r.Facts[i].ID, "entity": r.Entities[i].ID, "community": r.Communities[i].ID, "episode": r.Episodes[i].ID,
			} {
				if mark = fmt.Sprintf("%s %d", mark, i); strings.Contains(text, mark) != ids[id] {
					t.Errorf("%+v: %s is said to be shown: %v, in\n%s", as, mark, ids[id], text)
				}
			}
		}
	}
}
