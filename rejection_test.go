package annals_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
)

// What is believed of an earlier stretch of time lets no restatement of another
// one in that was withdrawn.
func TestAnEarlierStretchReadmitsNothing(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	triple := annals.Triple{
		GroupID: "t", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "LIVES_IN", Target: graph.TripleEnd{Name: "Paris"},
		Fact: "Alice lived in Paris as a child.", ValidAt: time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC), InvalidAt: time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	if _, err := client.AddTriple(t.Context(), triple); err != nil {
		t.Fatal(err)
	}
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"))
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 2 {
		t.Fatal(facts, err)
	}
	for _, f := range facts {
		if f.Valid.Ongoing() {
			if err := client.WithdrawFact(t.Context(), "t", f.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	clienttest.AddAndProcess(t, client, clienttest.Alice("I still live in Paris, as I said.", "2024-02-10"))
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.facts WHERE predicate = 'LIVES_IN' AND upper_inf(valid)`); n != 0 {
		t.Errorf("%d facts say again what was withdrawn", n)
	}
}
