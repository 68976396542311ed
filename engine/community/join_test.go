package community

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// join does what the commit of an episode does for its new entities.
func (s *society) join(names ...string) []uuid.UUID {
	s.t.Helper()
	ids := s.entities(names...)
	var joined []uuid.UUID
	err := db.InTx(s.t.Context(), s.pool, func(q *db.Queries) error {
		if err := q.GroupLock(s.t.Context(), "g"); err != nil {
			return err
		}
		err := q.BeginWrite(s.t.Context(), "g")
		if err != nil {
			return err
		}
		joined, err = s.builder.Join(s.t.Context(), q, "g", ids)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return joined
}

func (s *society) tend() {
	s.t.Helper()
	if err := s.builder.Tend(s.t.Context(), "g"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *society) drifted() bool {
	s.t.Helper()
	drifted, err := s.builder.drifted(s.t.Context(), "g")
	if err != nil {
		s.t.Fatal(err)
	}
	return drifted
}

// membership lists the members of each community, the biggest first.
func (s *society) membership() []string {
	s.t.Helper()
	communities, _ := s.communities()
	var members []string
	for _, c := range communities {
		members = append(members, c.Members)
	}
	return members
}

func TestNewEntitiesJoinTheCommunityOfMostNeighbours(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy", "Dee")
	s.circle("Xu", "Yan", "Zoe")
	s.build()

	s.knows("New", "Ann", 1)
	s.knows("New", "Bob", 1)
	s.knows("Xu", "New", 3)
	s.knows("New", "Friend of New", 1)
	s.knows("Stranger", "Alien", 1)
	s.exec(`UPDATE annals.facts SET valid = '[2024-01-01,2024-02-01)' WHERE fact = 'Ann knows Zoe'`)
	joined := s.join("New", "Friend of New", "Stranger", "Alien")

	if diff := cmp.Diff([]string{"Friend of New New Xu Yan Zoe", "Ann Bob Cy Dee"}, s.membership()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	_, ids := s.communities()
	if len(joined) != 1 || s.count(`SELECT count(*) FROM annals.communities WHERE id = $1 AND digest = ''`, joined[0]) != 1 {
		t.Errorf("joined %v of %v; it is not marked as out of date", joined, ids)
	}
	if again := s.join("New"); len(again) != 0 {
		t.Errorf("New joined again: %v", again)
	}
}

func TestEndedFactsDoNotDrawNewEntities(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy")
	s.circle("Xu", "Yan", "Zoe")
	s.build()
	s.knows("New", "Ann", 5)
	s.exec(`UPDATE annals.facts SET valid = '[2024-01-01,2024-02-01)' WHERE fact LIKE 'New knows%'`)
	s.knows("New", "Xu", 1)
	s.join("New")
	if diff := cmp.Diff([]string{"New Xu Yan Zoe", "Ann Bob Cy"}, s.membership()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestOnlyJoinedCommunitiesAreRefreshed(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy", "Dee", "Eve")
	s.circle("Xu", "Yan", "Zoe")
	s.build()
	s.narrator.asked()
	s.circle("Xu", "Yan", "New")
	s.join("New")
	s.tend()

	if got, want := s.narrator.asked(), [3]int{1, 0, 1}; got != want {
		t.Errorf("asked %v, want %v", got, want)
	}
	communities, _ := s.communities()
	if got := communities[1]; got.Members != "New Xu Yan Zoe" || !strings.HasSuffix(got.Summary, "and 3 others.") {
		t.Errorf("got %+v", got)
	}
	history := s.history()
	if len(history) != 2 || !strings.HasSuffix(history[0], ": Xu Yan Zoe") || !strings.HasSuffix(history[1], ": New Xu Yan Zoe") {
		t.Errorf("the history is %q", history)
	}
	s.tend()
	if got := s.narrator.asked(); got != [3]int{} {
		t.Errorf("asked %v though nothing is out of date", got)
	}
	if got := s.build(); got.Kept != 2 {
		t.Errorf("a build after it finds %+v", got)
	}
}

func TestACommunityThatLostItsMembersIsRemoved(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy")
	s.build()
	_, ids := s.communities()
	s.exec(`DELETE FROM annals.entities WHERE name <> 'Ann'`)
	for _, id := range ids {
		if err := s.builder.refresh(t.Context(), "g", []uuid.UUID{id}); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := s.communities(); len(got) != 0 {
		t.Errorf("communities are %v", got)
	}
	if err := s.builder.refresh(t.Context(), "g", nil); err != nil {
		t.Error(err)
	}
}

func TestDriftMakesABuildDue(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	if s.drifted() {
		t.Error("a group without entities has drifted")
	}
	s.circle("Ann", "Bob", "Cy", "Dee", "Eve")
	s.circle("Vic", "Wes", "Xu", "Yan", "Zoe")
	s.join("Ann", "Bob")
	if !s.drifted() {
		t.Error("the first entities make no build due")
	}
	s.tend()
	if s.drifted() || len(s.membership()) != 2 {
		t.Errorf("after the build it has drifted: %v, with communities %v", s.drifted(), s.membership())
	}
	s.circle("Kim", "Lee", "May") // a community of their own, which joining does not create
	s.join("Kim", "Lee")
	if s.drifted() {
		t.Error("two more than ten are a fifth, not more")
	}
	s.tend()
	if got := len(s.membership()); got != 2 {
		t.Errorf("%d communities before a build is due", got)
	}
	s.join("May")
	if !s.drifted() {
		t.Error("three more than ten make no build due")
	}
	s.tend()
	if got := len(s.membership()); got != 3 || s.drifted() {
		t.Errorf("%d communities after the build, want 3; drifted %v", got, s.drifted())
	}
}
