package annals_test

import (
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
)

// A belief about an earlier period does not admit a restatement of a withdrawn one.
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

// When a withdrawn fact is restored, the statements that were refused meanwhile no longer count as
// taken back.
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

// As of a time at which a fact was believed, its statements do not count as taken back: not before
// it was withdrawn, and not after it was restored, also if it ended later.
func TestNothingIsTakenBackWhileItIsBelieved(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	conn := clienttest.Dial(t, url)
	moment := func() time.Time { // between what was done before and what is done next
		t.Helper()
		var at time.Time
		if err := conn.QueryRow(t.Context(), `SELECT clock_timestamp() FROM pg_sleep(0.01)`).Scan(&at); err != nil {
			t.Fatal(err)
		}
		return at
	}
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"))
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 1 {
		t.Fatal(facts, err)
	}
	first := moment()
	if err := client.WithdrawFact(t.Context(), "t", facts[0].ID); err != nil {
		t.Fatal(err)
	}
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-02-10"))
	withdrawn := moment()
	if _, err := client.RestoreFact(t.Context(), "t", facts[0].ID); err != nil {
		t.Fatal(err)
	}
	restored := moment()
	if _, err := client.EditFact(t.Context(), "t", facts[0].ID, annals.FactEdit{InvalidAt: new(time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC))}); err != nil {
		t.Fatal(err)
	}
	ended := moment()
	if err := client.WithdrawFact(t.Context(), "t", facts[0].ID); err != nil {
		t.Fatal(err)
	}
	again := moment()
	for name, c := range map[string]struct {
		at        time.Time
		takenBack bool
	}{
		"first": {first, false}, "withdrawn": {withdrawn, true}, "restored": {restored, false}, "ended": {ended, false}, "withdrawn again": {again, true}, "now": {time.Time{}, true},
	} {
		q := annals.Query{GroupID: "t", Text: "Where does Alice live?", KnownAt: c.at}
		shown := map[string]string{}
		if shown["a context"], err = client.Context(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		found, err := client.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Episodes) == 0 {
			t.Fatalf("%s: no episode is found", name)
		}
		for _, h := range found.Episodes {
			shown["a hit"] += " " + graph.TakenBackNote(h.TakenBack) + " " + h.Note(time.Now())
		}
		for what, query := range map[string]string{ // rows of SQL have no notes
			"statements": `SELECT coalesce(string_agg(CASE WHEN w.taken_back THEN 'taken back' END, ' '), '') FROM annals.episodes e CROSS JOIN LATERAL annals.withdrawn_statements('t', ARRAY[e.id], $1) w`,
			"SQL":        `SELECT annals.context('t', 'Where does Alice live?', known_at => $1)`,
		} {
			var at *time.Time
			if !c.at.IsZero() {
				at = &c.at
			}
			var text string
			if err := conn.QueryRow(t.Context(), query, at).Scan(&text); err != nil {
				t.Fatal(what, err)
			}
			shown[what] = text
		}
		for what, text := range shown {
			if strings.Contains(text, "taken back") != c.takenBack {
				t.Errorf("%s: %s says %q; taken back is %v", name, what, text, c.takenBack)
			}
		}
	}
}
