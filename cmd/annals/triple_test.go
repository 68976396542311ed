package main

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/google/go-cmp/cmp"
)

func TestTriples(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	said := []string{
		"triple", "-g", "t", "Alice", "works at", "Acme", "--fact", "Alice works at Acme as a designer.",
		"--valid-at", "2024-02-01", "--occurred-at", "2024-03-01", "--attributes", `{"position":"designer"}`, "--external-id", "hr-7",
		"--source-label", "Person", "--target-label", "Company",
	}
	first := m.must(said...)
	if !strings.HasPrefix(first, "Added: fact ") {
		t.Errorf("triple says %q", first)
	}
	var again annals.AddedTriple
	m.read(&again, "triple", "-g", "t", "Alice", "WORKS_AT", "Acme", "--fact", "Alice works at Acme as a designer.")
	if !again.Repeated || first != "Added: fact "+again.FactID.String()+"\n" {
		t.Errorf("the same triple again is %+v, want it known as %q", again, first)
	}
	if got := m.must("triple", "-g", "t", "Alice", "WORKS_AT", "Acme", "--fact", "Alice works at Acme as a designer."); got != "Known already: fact "+again.FactID.String()+"\n" {
		t.Errorf("a third time it says %q", got)
	}
	if alice, acme := m.entity("Alice"), m.entity("Acme"); alice.ID != again.SourceID.String() || acme.ID != again.TargetID.String() ||
		!cmp.Equal(alice.Labels, []string{"Person"}) || !cmp.Equal(acme.Labels, []string{"Company"}) {
		t.Errorf("between %+v and %+v, want those of %+v", alice, acme, again)
	}
	var got struct {
		Facts []struct {
			ID, Predicate, Fact string
			ValidAt             string  `json:"valid_at"`
			InvalidAt           *string `json:"invalid_at"`
			Episodes            []string
			Attributes          map[string]string
		}
	}
	m.read(&got, "facts", "-g", "t")
	if len(got.Facts) != 1 {
		t.Fatalf("facts %+v, want one", got.Facts)
	}
	f := got.Facts[0]
	if f.Predicate != "WORKS_AT" || f.ValidAt != "2024-02-01T00:00:00Z" || f.InvalidAt != nil || len(f.Episodes) != 3 ||
		!cmp.Equal(f.Attributes, map[string]string{"position": "designer"}) {
		t.Errorf("the fact is %+v", f)
	}
	// A triple with the same external id is not stored again.
	if got := m.must(said...); got != "Known already: fact "+again.FactID.String()+"\n" {
		t.Errorf("the same external id again says %q", got)
	}
	if got := m.contents(); len(got) != 3 {
		t.Errorf("%d episodes, want one for each triple without a known external id", len(got))
	}
}

// A triple that contradicts a fact ends it, as an episode does.
func TestATripleClosesWhatItContradicts(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	if o := m.hears("2023-01-10", "I live in Paris."); o.code != exitOK {
		t.Fatal(o.stderr)
	}
	m.must("triple", "-g", "t", "Alice", "LIVES_IN", "Lisbon", "--fact", "Alice has lived in Lisbon since 8 March 2024.", "--occurred-at", "2024-03-15")
	want := []string{"Paris 2023-01-10T00:00:00Z 2024-03-08T00:00:00Z", "Lisbon 2024-03-08T00:00:00Z –"}
	if diff := cmp.Diff(want, m.homes()); diff != "" {
		t.Errorf("homes (-want +got):\n%s", diff)
	}
}

func TestBadTriples(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"source: is empty", []string{"", "KNOWS", "Bob"}},
		{"target: is empty", []string{"Alice", "KNOWS", ""}},
		{"predicate: is empty", []string{"Alice", "", "Bob"}},
		{`predicate: "!!" holds no letter and no digit`, []string{"Alice", "!!", "Bob"}},
		{"a fact holds between two different entities", []string{"Alice", "KNOWS", "alice"}},
		{`valid-at: "someday" is no time`, []string{"Alice", "KNOWS", "Bob", "--valid-at", "someday"}},
		{`invalid-at: "someday" is no time`, []string{"Alice", "KNOWS", "Bob", "--invalid-at", "someday"}},
		{`occurred-at: "someday" is no time`, []string{"Alice", "KNOWS", "Bob", "--occurred-at", "someday"}},
		{"invalid-at: is not after valid_at", []string{"Alice", "KNOWS", "Bob", "--valid-at", "2024-01-02", "--invalid-at", "2024-01-02"}},
		{"attributes: is not a JSON object", []string{"Alice", "KNOWS", "Bob", "--attributes", "[1]"}},
		{"source: is not valid UTF-8", []string{"caf\xe9", "KNOWS", "Bob"}},
	} {
		m.run("", append([]string{"-g", "t", "triple"}, tt.args...)...).failsWith(t, tt.want)
	}
	if o := m.run("", "triple", "-g", "t", "Alice", "KNOWS"); o.code != exitUsage {
		t.Errorf("two words: exit %d", o.code)
	}
	if got := m.contents(); len(got) != 0 {
		t.Errorf("kept %q", got)
	}
}
