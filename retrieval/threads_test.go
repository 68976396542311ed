package retrieval

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// A conversation that returns to a subject ranks above one that names it once, even if the other
// has the best message.
func TestThreadsSumTheirMessages(t *testing.T) {
	t.Parallel()
	once, first, second, loose := uuid.UUID{1}, uuid.UUID{2}, uuid.UUID{3}, uuid.UUID{4}
	c := candidates{
		around: surroundings{
			once:   {ID: once, ThreadID: "once"},
			first:  {ID: first, ThreadID: "often"},
			second: {ID: second, ThreadID: "often"},
			loose:  {ID: loose}, // of no conversation
		},
		words: map[uuid.UUID]float64{once: 5, first: 4, second: 4, loose: 9},
		fits:  map[string]float64{"once": 0.6, "often": 1},
	}
	want := []ThreadHit{{ID: "often", Score: 1 + fitWeight}, {ID: "once", Score: 5/(4+4*messageDecay) + fitWeight*0.6}}
	if diff := cmp.Diff(want, c.threads(), cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })); diff != "" {
		t.Errorf("threads (-want +got):\n%s", diff)
	}
}

// A question about a time lifts the conversations of that time.
func TestThreadsOfTheTimeAskedFor(t *testing.T) {
	t.Parallel()
	may, june := uuid.UUID{1}, uuid.UUID{2}
	c := candidates{
		asked: asked{spans: []namedSpan{{days("2023-05-01", "2023-06-01"), false}}},
		around: surroundings{
			may:  {ID: may, ThreadID: "may", OccurredAt: time.Date(2023, 5, 20, 9, 0, 0, 0, time.UTC)},
			june: {ID: june, ThreadID: "june", OccurredAt: time.Date(2023, 6, 28, 9, 0, 0, 0, time.UTC)},
		},
		words: map[uuid.UUID]float64{may: 3, june: 4},
	}
	if got := c.threads(); got[0].ID != "may" {
		t.Errorf("ranked %v, want the one of May first", got)
	}
}

func TestNoThreads(t *testing.T) {
	t.Parallel()
	one := uuid.UUID{1}
	for name, c := range map[string]candidates{
		"no candidates": {},
		"no threads":    {around: surroundings{one: {ID: one}}, words: map[uuid.UUID]float64{one: 1}},
		"no words":      {around: surroundings{one: {ID: one, ThreadID: "t"}}, words: map[uuid.UUID]float64{one: 0}},
	} {
		for _, hit := range c.threads() {
			if hit.Score != 0 {
				t.Errorf("%s: %v", name, hit)
			}
		}
	}
}
