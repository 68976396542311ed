package annals_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
)

// moved opens a memory of somebody who moved, with the fact of the former home.
func moved(t *testing.T) (client *annals.Client, before annals.Fact) {
	t.Helper()
	client, _ = clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2023-01-10"))
	clienttest.AddAndProcess(t, client, clienttest.Alice("I moved to Berlin.", "2024-03-04"))
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		if f.Target == "Paris" {
			return client, f
		}
	}
	t.Fatalf("the facts are %+v", facts)
	return nil, annals.Fact{}
}

// Putting a fact back restores all that an edit changed: also how its times are known, and what its
// end came from.
func TestAFactIsPutBackAsItWas(t *testing.T) {
	t.Parallel()
	client, was := moved(t)
	if was.BoundedBy == uuid.Nil || was.Valid.Until.Basis == "stated" {
		t.Fatalf("before it is edited the fact is %+v", was)
	}
	_, err := client.EditFact(t.Context(), "t", was.ID, annals.FactEdit{
		Fact: new("Alice hated Paris."), Predicate: new("HATED"), Attributes: json.RawMessage(`{"sure": true}`),
		ValidAt: new(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)), InvalidAt: new(time.Time{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	back, err := client.EditFact(t.Context(), "t", was.ID, annals.FactEdit{AsKnownAt: was.Recorded.Start})
	if err != nil {
		t.Fatal(err)
	}
	if !back.SameAs(was) || back.BoundedBy != was.BoundedBy {
		t.Errorf("the fact is %+v (%+v), want %+v (%+v)", back, back.Valid, was, was.Valid)
	}
	alice, err := client.Entity(t.Context(), "t", "Alice")
	if err != nil || strings.Contains(alice.Summary, "hated") {
		t.Errorf("Alice's summary is %q (%v)", alice.Summary, err)
	}
	found, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: "hated", Methods: []annals.Method{"bm25"}, Scopes: []graph.Kind{graph.KindFact}, IncludeEnded: true})
	if err != nil || len(found.Facts) != 0 {
		t.Errorf("what it said is found still: %+v (%v)", found.Facts, err)
	}
	again, err := client.EditFact(t.Context(), "t", was.ID, annals.FactEdit{AsKnownAt: was.Recorded.Start})
	if err != nil || !again.Recorded.Equal(back.Recorded) {
		t.Errorf("putting back what is so made a version %+v (%v)", again.Recorded, err)
	}
}

// If the source of its end is no longer believed, the end has its former precision and no source.
func TestAFactIsPutBackWithoutWhatEndedIt(t *testing.T) {
	t.Parallel()
	client, was := moved(t)
	if _, err := client.EditFact(t.Context(), "t", was.ID, annals.FactEdit{InvalidAt: new(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))}); err != nil {
		t.Fatal(err)
	}
	if err := client.WithdrawFact(t.Context(), "t", was.BoundedBy); err != nil {
		t.Fatal(err)
	}
	back, err := client.EditFact(t.Context(), "t", was.ID, annals.FactEdit{AsKnownAt: was.Recorded.Start})
	if err != nil || !back.Valid.Equal(was.Valid) || back.BoundedBy != uuid.Nil {
		t.Errorf("the fact is %+v, bounded by %s (%v)", back.Valid, back.BoundedBy, err)
	}
}

// Putting back to a time at which the fact was not believed is refused, as is any other change
// beside it.
func TestPuttingBackStandsAlone(t *testing.T) {
	t.Parallel()
	client, was := moved(t)
	for name, edit := range map[string]annals.FactEdit{
		"before it was believed": {AsKnownAt: was.CreatedAt.Add(-time.Hour)},
		"no time":                {AsKnownAt: time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)},
		"beside words":           {AsKnownAt: was.Recorded.Start, Fact: new("Alice hated Paris.")},
		"beside a time":          {AsKnownAt: was.Recorded.Start, InvalidAt: new(time.Time{})},
		"beside attributes":      {AsKnownAt: was.Recorded.Start, Attributes: json.RawMessage(`{}`)},
	} {
		_, err := client.EditFact(t.Context(), "t", was.ID, edit)
		if graph.CodeOf(err) != graph.CodeInvalid || !strings.Contains(err.Error(), "as_known_at") {
			t.Errorf("%s: %v", name, err)
		}
	}
	now, err := client.Fact(t.Context(), "t", was.ID)
	if err != nil || !now.Recorded.Equal(was.Recorded) {
		t.Errorf("the fact is of %+v (%v)", now.Recorded, err)
	}
}
