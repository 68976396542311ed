package community

import (
	"testing"

	"github.com/annalsdb/annals/db"
)

// withdraw does what the withdrawal of a fact does for the entity at its end.
func (s *society) withdraw(name string) {
	s.t.Helper()
	s.exec(`UPDATE annals.entities SET summary = $1 || ' is told of without it.' WHERE name = $1`, name)
	err := db.New(s.pool).CommunitiesOfHide(s.t.Context(), db.CommunitiesOfHideParams{GroupID: "g", EntityIds: s.entities(name)})
	if err != nil {
		s.t.Fatal(err)
	}
}

// TestACommunityMadeMeanwhileStaysHidden: what was taken out of a group while a
// community was being told is not shown by it, and upkeep tells it anew.
func TestACommunityMadeMeanwhileStaysHidden(t *testing.T) {
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
			s.narrator.before = func() error {
				s.narrator.before = nil
				s.withdraw("Bob")
				return nil
			}
			s.build()
			if got, _ := s.communities(); len(got) != 0 {
				t.Errorf("%v is shown, made of what was withdrawn", got)
			}
			s.tend()
			if got, _ := s.communities(); len(got) != 1 {
				t.Errorf("communities %v, want the one that was told anew", got)
			}
		})
	}
}
