package annals_test

import (
	"strings"
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

// What was refused because its fact was withdrawn is no longer taken back once that
// fact is restored.
func TestARestoredFactIsSaidByWhatWasRefused(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"))
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 1 {
		t.Fatal(facts, err)
	}
	if err := client.WithdrawFact(t.Context(), "t", facts[0].ID); err != nil {
		t.Fatal(err)
	}
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-02-10"))
	takenBack := func() bool {
		shown, err := client.Context(t.Context(), annals.Query{GroupID: "t", Text: "Where does Alice live?"})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(shown, "taken back")
	}
	if !takenBack() {
		t.Error("what was withdrawn is shown without that")
	}
	if _, err := client.RestoreFact(t.Context(), "t", facts[0].ID); err != nil {
		t.Fatal(err)
	}
	if takenBack() {
		t.Error("what was restored is shown as taken back")
	}
}
