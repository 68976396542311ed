package community

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/db"
)

// withdraw updates an entity as the withdrawal of its fact does.
func (s *society) withdraw(name string) {
	s.t.Helper()
	s.exec(`UPDATE annals.entities SET summary = $1 || ' is told of without it.' WHERE name = $1`, name)
	err := db.New(s.pool).CommunitiesOfHide(s.t.Context(), db.CommunitiesOfHideParams{GroupID: "g", EntityIds: s.entities(name)})
	if err != nil {
		s.t.Fatal(err)
	}
}

// TestACommunityMadeMeanwhileTellsNothingWithdrawn: a community is described again if a fact was
// withdrawn from the group during its description.
func TestACommunityMadeMeanwhileTellsNothingWithdrawn(t *testing.T) {
	t.Parallel()
	for name, known := range map[string]bool{"a new one": false, "one that is hidden": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSociety(t)
			s.circle("Ann", "Bob", "Cy")
			if known {
				s.build()
				s.withdraw("Ann")
			}
			s.narrator.asked()
			s.narrator.before = func() error {
				s.narrator.before = nil
				s.withdraw("Bob")
				return nil
			}
			s.build()
			if got, _ := s.communities(); len(got) != 1 {
				t.Errorf("communities %v, want the one that was told anew", got)
			}
			told := 0
			for _, q := range s.narrator.maps {
				for _, m := range q.Members {
					if m.Name == "Bob" && strings.HasSuffix(m.Summary, "without it.") {
						told++
					}
				}
			}
			if asked := s.narrator.asked(); asked != [3]int{2, 0, 2} || told != 1 {
				t.Errorf("asked %v, and told %d times of Bob without it", asked, told)
			}
		})
	}
}

// TestACommunityThatKeepsChangingIsLeftToTheNextBuild: the outdated description is never stored,
// and upkeep makes the community.
func TestACommunityThatKeepsChangingIsLeftToTheNextBuild(t *testing.T) {
	t.Parallel()
	s := newSociety(t)
	s.circle("Ann", "Bob", "Cy")
	s.circle("Xu", "Yan", "Zoe")
	s.narrator.before = func() error {
		s.exec(`UPDATE annals.entities SET summary = summary || '.' WHERE name = 'Bob'`)
		return nil
	}
	if got, want := s.build(), (Built{Communities: 1, Entities: 3, New: 1}); got != want {
		t.Errorf("built %+v, want %+v", got, want)
	}
	if !s.drifted() {
		t.Error("no other build is due")
	}
	s.narrator.before = nil
	s.tend()
	if got, _ := s.communities(); len(got) != 2 || s.drifted() {
		t.Errorf("communities %v, drifted: %t", got, s.drifted())
	}
}
