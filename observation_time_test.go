package annals_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
)

// As of a time, an observation is what had been said by then of what had begun or happened by then,
// in the words of then. Plans show nothing.
func TestObservationsAsOfATime(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := clienttest.New(t)
	for _, m := range [][2]string{
		{"2024-01-05", "I weigh 80 kg."},
		{"2024-01-20", "I weigh 80 kg."},
		{"2024-02-05", "I weigh 78 kg."},
		{"2024-02-10", "I work at Acme as a junior engineer."},
		{"2024-03-01", "I am flying to Lisbon on 3 June 2024."},
		{"2024-03-02", "I am flying to Lisbon on 3 June 2024."},
		{"2024-03-10", "I went to Rome."},
		{"2024-03-12", "I went to Rome."},
		{"2024-05-10", "I work at Acme as a junior engineer."},
		{"2024-06-05", "I flew to Lisbon on 3 June 2024."},
		{"2024-07-01", "I like opera."},
		{"2024-07-02", "I like opera."},
		{"2024-09-10", "I was promoted to senior engineer at Acme."},
		{"2024-10-10", "I work at Acme as a senior engineer."},
		{"2024-11-01", "I will start at Globex on 1 March 2124."},
		{"2024-11-02", "I will start at Globex on 1 March 2124."},
	} {
		addAndRead(t, client, m[1], m[0])
	}
	if err := client.Observe(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	junior, senior, rome := "Alice works at Acme as a junior engineer.", "Alice was promoted to senior engineer at Acme.", "Alice went to Rome."
	flight, opera := "Alice is flying to Lisbon on 3 June 2024.", "Alice likes opera."
	want := map[string][]annals.Observation{ // the words, the proof, what is against it, first and last
		"2024-01-06": {},
		"2024-01-21": {observed("Alice weighs 80 kg.", 2, "2024-01-05", "2024-01-20")},
		"2024-02-20": {},
		"2024-04-20": {observed(rome, 2, "2024-03-10", "2024-03-12")},
		"2024-06-01": {observed(rome, 2, "2024-03-10", "2024-03-12"), observed(junior, 2, "2024-02-10", "2024-05-10"), observed(junior, 2, "2024-02-10", "2024-05-10")},
		"2024-09-20": {
			observed(rome, 2, "2024-03-10", "2024-03-12"), observed(flight, 3, "2024-03-01", "2024-06-05"),
			observed(opera, 2, "2024-07-01", "2024-07-02"), observed(senior, 3, "2024-02-10", "2024-09-10"),
		},
		"": {
			observed(rome, 2, "2024-03-10", "2024-03-12"), observed(flight, 3, "2024-03-01", "2024-06-05"),
			observed(opera, 2, "2024-07-01", "2024-07-02"), observed(senior, 4, "2024-02-10", "2024-10-10"), observed(senior, 2, "2024-09-10", "2024-10-10"),
		},
	}
	for day, expected := range want {
		if diff := cmp.Diff(byFirst(expected), observedOn(t, client, day, time.Time{})); diff != "" {
			t.Errorf("as of %q (-want +got):\n%s", day, diff)
		}
	}
	before := time.Now()
	withdrawLiking(t, client)
	if diff := cmp.Diff(byFirst(want["2024-09-20"]), observedOn(t, client, "2024-09-20", before)); diff != "" {
		t.Errorf("as was known before (-want +got):\n%s", diff)
	}
	left := slices.DeleteFunc(slices.Clone(want["2024-09-20"]), func(o annals.Observation) bool { return o.Text == opera })
	if diff := cmp.Diff(byFirst(left), observedOn(t, client, "2024-09-20", time.Time{})); diff != "" {
		t.Errorf("without what was withdrawn (-want +got):\n%s", diff)
	}
}

func addAndRead(t *testing.T, client *annals.Client, said, day string) {
	t.Helper()
	if _, err := client.Add(t.Context(), clienttest.Alice(said, day)); err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
}

func observed(text string, proof int, first, last string) annals.Observation {
	return annals.Observation{Text: text, Proof: proof, FirstSeen: onDay(first), LastSeen: onDay(last)}
}

func onDay(day string) time.Time {
	at, _ := time.Parse(time.DateOnly, day)
	return at
}

// observedOn lists the observations as of a day, without fields that readers do not see.
func observedOn(t *testing.T, client *annals.Client, day string, knownAt time.Time) []annals.Observation {
	t.Helper()
	f := annals.ObservationFilter{GroupID: "t", KnownAt: knownAt}
	if day != "" {
		f.ValidAt = onDay(day)
	}
	list, err := client.Observations(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	out := []annals.Observation{}
	for _, o := range list {
		if o.Against > 0 || len(o.Episodes) != o.Proof {
			t.Errorf("as of %q %q has %d against it, and %d episodes", day, o.Text, o.Against, len(o.Episodes))
		}
		out = append(out, observed(o.Text, o.Proof, o.FirstSeen.Format(time.DateOnly), o.LastSeen.Format(time.DateOnly)))
	}
	return byFirst(out)
}

func byFirst(list []annals.Observation) []annals.Observation {
	return slices.SortedFunc(slices.Values(list), func(a, b annals.Observation) int {
		return 2*a.FirstSeen.Compare(b.FirstSeen) + a.LastSeen.Compare(b.LastSeen)
	})
}

func withdrawLiking(t *testing.T, client *annals.Client) {
	t.Helper()
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(facts, func(f graph.Fact) bool { return f.Predicate == "LIKES" })
	if err := client.WithdrawFact(t.Context(), "t", facts[at].ID); err != nil {
		t.Fatal(err)
	}
}

// A fact that a higher authority contradicts does not count, until the contradiction is withdrawn.
func TestDisputedFactsShowNothing(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	addAndRead(t, client, "I live in Porto.", "2024-03-01")
	if err := client.Observe(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	for _, day := range []string{"2024-03-02", "2024-03-03"} {
		said := clienttest.Alice("Alice lives in Bergen.", day)
		said.Actor, said.Role = "Bot", "assistant"
		if _, err := client.Add(t.Context(), said); err != nil {
			t.Fatal(err)
		}
		if err := client.Process(t.Context(), "t", nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := observedOn(t, client, "", time.Time{}); len(got) > 0 {
		t.Errorf("what is disputed shows %+v", got)
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 2 {
		t.Fatalf("the facts are %+v (%v)", facts, err)
	}
	porto := facts[slices.IndexFunc(facts, func(f graph.Fact) bool { return f.Target == "Porto" })]
	if err := client.WithdrawFact(t.Context(), "t", porto.ID); err != nil {
		t.Fatal(err)
	}
	want := []annals.Observation{observed("Alice lives in Bergen.", 2, "2024-03-02", "2024-03-03")}
	if diff := cmp.Diff(want, observedOn(t, client, "", time.Time{})); diff != "" {
		t.Errorf("without what disputed it (-want +got):\n%s", diff)
	}
}
