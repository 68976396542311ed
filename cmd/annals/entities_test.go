package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// entityJSON is an entity in JSON output.
type entityJSON struct {
	ID, Name string
	Aliases  []string
	Labels   []string
}

// entity returns the only entity of a group with a name.
func (m *memory) entity(name string) entityJSON {
	m.t.Helper()
	var got struct{ Entities []entityJSON }
	m.read(&got, "entities", "-g", "t")
	var found []entityJSON
	for _, e := range got.Entities {
		if e.Name == name {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		m.t.Fatalf("%d entities are called %s: %+v", len(found), name, got.Entities)
	}
	return found[0]
}

// sentences lists the facts about an entity, given by id or name.
func (m *memory) sentences(about string) []string {
	m.t.Helper()
	var got struct{ Facts []struct{ Fact string } }
	m.read(&got, "facts", "-g", "t", "--entity", about)
	var all []string
	for _, f := range got.Facts {
		all = append(all, f.Fact)
	}
	return all
}

func TestEntitiesAreMerged(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("triple", "-g", "t", "Bobby", "LIKES", "Tea", "--valid-at", "2024-01-01")
	m.must("triple", "-g", "t", "Robert Smith", "WORKS_AT", "Acme", "--valid-at", "2024-02-01")
	m.must("triple", "-g", "t", "The Boss", "OWNS", "Acme", "--valid-at", "2024-03-01")
	bobby, robert, boss := m.entity("Bobby"), m.entity("Robert Smith"), m.entity("The Boss")

	got := m.must("entities", "merge", "bobby", "Robert Smith", "-g", "t")
	if got != "Bobby is now part of Robert Smith.\n"+robert.ID+"\n" {
		t.Errorf("merge says %q", got)
	}
	var merged struct{ Entity entityJSON }
	m.read(&merged, "entities", "merge", boss.ID, robert.ID, "-g", "t")
	want := entityJSON{ID: robert.ID, Name: "Robert Smith", Aliases: []string{"Bobby", "The Boss"}, Labels: []string{}}
	if diff := cmp.Diff(want, merged.Entity); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
	facts := []string{"Bobby likes Tea.", "Robert Smith works at Acme.", "The Boss owns Acme."}
	for _, about := range []string{"Bobby", bobby.ID, "the boss", boss.ID, "Robert Smith", robert.ID} {
		if diff := cmp.Diff(facts, m.sentences(about)); diff != "" {
			t.Errorf("facts about %s (-want +got):\n%s", about, diff)
		}
	}
	for _, gone := range [][]string{{"Bobby", "Robert Smith"}, {bobby.ID, "Robert Smith"}, {"Robert Smith", "Robert Smith"}} {
		m.run("", "entities", "merge", gone[0], gone[1], "-g", "t").failsWith(t, "cannot be merged into itself")
	}
}

func TestEntitiesAreRenamedAndSplit(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("triple", "-g", "t", "Alex", "PLAYS", "Chess", "--valid-at", "2024-01-01", "--source-label", "Person")
	m.must("triple", "-g", "t", "Alex", "WORKS_AT", "Acme", "--valid-at", "2024-02-01")
	alex := m.entity("Alex")

	if got := m.must("entities", "rename", "alex", "Alex Chen", "-g", "t"); got != "Alex is now called Alex Chen.\n"+alex.ID+"\n" {
		t.Errorf("rename says %q", got)
	}
	var renamed, part struct{ Entity entityJSON }
	m.read(&renamed, "entities", "rename", alex.ID, "Alexander Chen", "-g", "t")
	want := entityJSON{ID: alex.ID, Name: "Alexander Chen", Aliases: []string{"Alex", "Alex Chen"}, Labels: []string{"Person"}}
	if diff := cmp.Diff(want, renamed.Entity); diff != "" {
		t.Errorf("renamed (-want +got):\n%s", diff)
	}

	m.read(&part, "entities", "split", "Alexander Chen", "--name", "Alex Wu", "--facts", m.factID("Acme"), "-g", "t")
	if part.Entity.ID == alex.ID || part.Entity.Name != "Alex Wu" {
		t.Errorf("split off %+v", part.Entity)
	}
	got := m.must("entities", "split", "Alex Chen", "--name", "Alex Lee", "--facts", m.factID("Chess"), "-g", "t")
	if !strings.HasPrefix(got, "Alex Lee was split off Alexander Chen. Facts moved: 1.\n") {
		t.Errorf("split says %q", got)
	}
	for about, facts := range map[string][]string{
		"Alex Wu": {"Alex Wu works at Acme."}, part.Entity.ID: {"Alex Wu works at Acme."}, "Alex Lee": {"Alex Lee plays Chess."}, "Alexander Chen": nil,
	} {
		if diff := cmp.Diff(facts, m.sentences(about)); diff != "" {
			t.Errorf("facts about %s (-want +got):\n%s", about, diff)
		}
	}
}

// Operations on unknown entities report one line, and change nothing.
func TestEntitiesThatAreNotThere(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("triple", "-g", "t", "Bob", "WORKS_AT", "Acme")
	m.must("triple", "-g", "t", "Carol", "LIVES_IN", "Oslo")
	m.must("entities", "rename", "Carol", "Bob", "-g", "t")
	before := m.must("entities", "-g", "t", "--json")
	const nobody = "0199d1c0-0000-7000-8000-000000000000"
	for _, tt := range []struct {
		want string
		args []string
	}{
		{`group t has none called "Nobody"; 'annals entities' lists them`, []string{"merge", "Nobody", "Acme"}},
		{`group t has none called "Nobody"`, []string{"merge", "Acme", "Nobody"}},
		{`group t has none called "` + nobody + `"`, []string{"merge", nobody, "Acme"}},
		{`2 entities of group t go by the name "Bob"; use the id of one`, []string{"merge", "Bob", "Acme"}},
		{`2 entities of group t go by the name "bob"`, []string{"rename", "bob", "Robert"}},
		{"cannot be merged into itself", []string{"merge", "Acme", "acme"}},
		{`group t has none called "Nobody"`, []string{"rename", "Nobody", "Somebody"}},
		{"name: ", []string{"rename", "Acme", " "}},
		{"name: ", []string{"rename", "Acme", strings.Repeat("a", 600)}},
		{`group t has none called "Nobody"`, []string{"split", "Nobody", "--name", "A", "--facts", nobody}},
		{"name: ", []string{"split", "Acme", "--facts", nobody}},
		{"facts: is empty; name the facts that belong to A", []string{"split", "Acme", "--name", "A"}},
		{`facts: "first" is no fact id; 'annals facts' lists them`, []string{"split", "Acme", "--name", "A", "--facts", "first"}},
		{"Acme has no current fact " + nobody, []string{"split", "Acme", "--name", "A", "--facts", nobody}},
		{"Acme has no current fact " + m.factID("Oslo"), []string{"split", "Acme", "--name", "A", "--facts", m.factID("Acme") + "," + m.factID("Oslo")}},
	} {
		m.run("", append([]string{"-g", "t", "entities"}, tt.args...)...).failsWith(t, tt.want)
	}
	m.run("", "facts", "-g", "t", "--entity", "Nobody").failsWith(t, `group t has none called "Nobody"`)
	m.run("", "facts", "-g", "t", "--entity", "Bob").failsWith(t, "use the id of one")
	m.run("", "facts", "-g", "elsewhere", "--entity", "Acme").failsWith(t, `there is no group "elsewhere"`)
	if o := m.run("", "entities", "merge", "Bob"); o.code != exitUsage {
		t.Errorf("merge with one name: exit %d", o.code)
	}
	if after := m.must("entities", "-g", "t", "--json"); after != before {
		t.Errorf("entities were\n%s and are\n%s", before, after)
	}
}
