package community

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

func TestBuildCommunities(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy", "Dee")
	s.circle("Xu", "Yan", "Zoe")
	s.knows("Dee", "Xu", 1)
	s.knows("Ann", "Bob", 2)
	s.entities("Hermit")

	if got, want := s.build(), (Built{Communities: 2, Entities: 7, New: 2}); got != want {
		t.Errorf("built %+v, want %+v", got, want)
	}
	if got, want := s.narrator.asked(), [3]int{2, 0, 2}; got != want {
		t.Errorf("asked %v, want %v", got, want)
	}
	got, _ := s.communities()
	want := []told{
		{"Circle of Bob", "About Bob and 3 others.", "Ann Bob Cy Dee"},
		{"Circle of Xu", "About Xu and 2 others.", "Xu Yan Zoe"},
	}
	for i := range got { // the order among equally well connected members does not matter here
		want[i].Name, want[i].Summary = got[i].Name, got[i].Summary
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if !strings.Contains("Circle of Ann Circle of Bob", got[0].Name) {
		t.Errorf("%q is not named by one of the two best connected", got[0].Name)
	}
}

func TestCommunitiesCanBeFound(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy")
	s.circle("Xu", "Yan", "Zoe")
	s.build()
	_, ids := s.communities()
	for name, id := range ids {
		found, err := db.New(s.pool).ByWords(t.Context(), "g", nil, db.Words{Text: strings.TrimPrefix(name, "Circle of "), Kind: graph.KindCommunity, MaxRows: 10})
		hits := found.Ranking
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) != 1 || hits[0].ID != id {
			t.Errorf("a search for the words of %q found %v", name, hits)
		}
		vectors, err := s.builder.embed(t.Context(), []string{name})
		if err != nil {
			t.Fatal(err)
		}
		if n := s.count(`SELECT count(*) FROM annals_internal.community_embeddings
			WHERE group_id = 'g' AND community_id = $1 AND model = $2 AND embedding <=> $3 < 0.01`,
			id, s.builder.embedder.Name(), db.Vector(vectors[0])); n != 1 {
			t.Errorf("%q has %d vectors", name, n)
		}
	}
	if n := s.count(`SELECT documents FROM annals_internal.search_statistics WHERE group_id = 'g' AND kind = 'community'`); n != 2 {
		t.Errorf("%d communities are counted", n)
	}
}

func TestWhatDidNotChangeIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy")
	s.circle("Xu", "Yan", "Zoe")
	s.build()
	s.narrator.asked()
	before, ids := s.communities()

	if got, want := s.build(), (Built{Communities: 2, Entities: 6, Kept: 2}); got != want {
		t.Errorf("built again %+v, want %+v", got, want)
	}
	if got := s.narrator.asked(); got != [3]int{} {
		t.Errorf("asked %v though nothing changed", got)
	}

	s.knows("Ann", "Bob", 1) // adds no new connection
	s.circle("Ann", "Bob", "Cy", "Dee")
	if got, want := s.build(), (Built{Communities: 2, Entities: 7, Kept: 1, Changed: 1}); got != want {
		t.Errorf("built with one more %+v, want %+v", got, want)
	}
	s.exec(`UPDATE annals.entities SET summary = 'Yan moved.' WHERE name = 'Yan'`)
	if got, want := s.build(), (Built{Communities: 2, Entities: 7, Kept: 1, Changed: 1}); got != want {
		t.Errorf("built with news of a member %+v, want %+v", got, want)
	}
	if got, want := s.narrator.asked(), [3]int{2, 0, 2}; got != want {
		t.Errorf("asked %v, want %v", got, want)
	}
	after, idsAfter := s.communities()
	if len(after) != 2 || after[0].Members != "Ann Bob Cy Dee" {
		t.Fatalf("communities are %v", after)
	}
	for _, c := range before { // both keep their ids, whatever their names
		if !slices.Contains([]uuid.UUID{idsAfter[after[0].Name], idsAfter[after[1].Name]}, ids[c.Name]) {
			t.Errorf("%q lost its id", c.Name)
		}
	}
	if history := s.history(); len(history) != 2 || !strings.HasSuffix(history[0], ": Ann Bob Cy") {
		t.Errorf("the history is %q", history)
	}
}

func TestACommunityThatFallsApartIsHistory(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy")
	s.build()
	s.exec(`UPDATE annals.facts SET valid = '[2024-01-01,2024-02-01)' WHERE fact LIKE '%Cy%'`)
	s.exec(`UPDATE annals.facts SET ends = true WHERE fact NOT LIKE '%Cy%'`)
	if got, want := s.build(), (Built{Removed: 1}); got != want {
		t.Errorf("built %+v, want %+v", got, want)
	}
	if history := s.history(); len(history) != 1 || !strings.HasSuffix(history[0], ": Ann Bob Cy") {
		t.Errorf("the history is %q", history)
	}
	if n := s.count(`SELECT count(*) FROM annals_internal.all_postings WHERE kind = 'community'`); n != 0 {
		t.Errorf("%d postings of a community that is gone", n)
	}
}

func TestNothingIsWrittenWhenTheAnalystFails(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy")
	down := errors.New("out of service")
	s.narrator.before = func() error { return down }
	if _, err := s.builder.Build(t.Context(), "g"); !errors.Is(err, down) {
		t.Errorf("error %v, want %v", err, down)
	}
	if got, _ := s.communities(); len(got) != 0 {
		t.Errorf("communities %v were written", got)
	}
}

// Two concurrent builds agree on one set of communities, and the second asks no question twice.
func TestBuildsAtOnce(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy")
	s.narrator.before = func() error {
		s.narrator.before = nil
		s.knows("Xu", "Yan", 1)
		_, err := s.builderWith(&narrator{}).Build(t.Context(), "g")
		return err
	}
	if got, want := s.build(), (Built{Communities: 2, Entities: 5, Kept: 2}); got != want {
		t.Errorf("built %+v, want %+v", got, want)
	}
	if got, want := s.narrator.asked(), [3]int{1, 0, 1}; got != want {
		t.Errorf("asked %v, want %v", got, want)
	}
	if got, _ := s.communities(); len(got) != 2 {
		t.Errorf("communities are %v", got)
	}
}

func TestTheSameQuestionIsNotPutTwice(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy")
	s.build()
	s.narrator.asked()
	s.exec(`UPDATE annals.communities SET digest = ''`)
	s.narrator.before = func() error {
		s.exec(`UPDATE annals.communities SET digest = sha256('meanwhile')`)
		return nil
	}
	if got := s.build(); got.Changed != 1 {
		t.Errorf("built %+v", got)
	}
	if got, want := s.narrator.asked(), [3]int{1, 0, 1}; got != want {
		t.Errorf("asked %v, want %v", got, want)
	}
}

func TestSomebodyElseKeepsChangingTheCommunities(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy")
	s.build()
	s.narrator.before = func() error {
		s.exec(`UPDATE annals.communities SET digest = sha256(gen_random_uuid()::text::bytea)`)
		s.exec(`UPDATE annals.entities SET summary = gen_random_uuid()::text WHERE name = 'Bob'`)
		return nil
	}
	s.exec(`UPDATE annals.communities SET digest = ''`)
	s.narrator.asked()
	_, err := s.builder.Build(t.Context(), "g")
	if graph.CodeOf(err) != graph.CodeConflict {
		t.Errorf("error %v, want a conflict", err)
	}
	if got, want := s.narrator.asked(), [3]int{attempts, 0, attempts}; got != want {
		t.Errorf("asked %v, want %v", got, want)
	}
}

func TestCommunitiesOfNothing(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	for _, group := range []string{"g", "unheard-of"} {
		if got, err := s.builder.Build(t.Context(), group); got != (Built{}) || err != nil {
			t.Errorf("group %q: built %+v, error %v", group, got, err)
		}
	}
	if _, err := s.builder.Build(t.Context(), ""); graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("without a group: error %v", err)
	}
}

func TestAnotherEmbedderGetsItsVectors(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy")
	s.build()
	s.exec(`UPDATE annals_internal.community_embeddings SET model = 'older'`)
	s.narrator.asked()
	s.build()
	if got := s.narrator.asked(); got != [3]int{} {
		t.Errorf("asked %v", got)
	}
	if n := s.count(`SELECT count(DISTINCT model) FROM annals_internal.community_embeddings`); n != 2 {
		t.Errorf("vectors of %d models, want the older one's and the new one's", n)
	}
	s.knows("Ann", "Dee", 1)
	s.build()
	if n := s.count(`SELECT count(*) FROM annals_internal.community_embeddings`); n != 1 {
		t.Errorf("%d vectors, want none of the name that changed", n)
	}
}
