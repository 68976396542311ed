package retrieval

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// A plan is not said to hold now, and a fact that was corrected by hand is told in its current
// words.
func TestANoteOfWhatCameNext(t *testing.T) {
	may := time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
	lived := graph.Fact{Target: "Vienna", Valid: temporal.Validity{Interval: temporal.Interval{End: may}, Until: temporal.Bound{Basis: temporal.Inferred}}}
	for basis, want := range map[temporal.Basis]string{
		temporal.Stated:  "until 1 May 2024, now Graz",
		temporal.Planned: "until 1 May 2024, then planned: Graz",
	} {
		moved := graph.Fact{Fact: "Mia moved to Graz.", Target: "Graz", Valid: temporal.Validity{Interval: temporal.Interval{Start: may}, From: temporal.Bound{Basis: basis}}}
		if got := (Notes{}).noteOf(Change{Fact: lived, Now: []graph.Fact{moved}}, nothing); got != want {
			t.Errorf("%v: %q, want %q", basis, got, want)
		}
	}
	corrected := graph.Fact{Fact: "Mia moved to Linz.", Target: "Graz", Valid: temporal.Validity{Interval: temporal.Interval{Start: may}}}
	if got, want := (Notes{}).noteOf(Change{Fact: lived, Now: []graph.Fact{corrected}}, nothing), "until 1 May 2024, now Mia moved to Linz"; got != want {
		t.Errorf("corrected: %q, want %q", got, want)
	}
}
