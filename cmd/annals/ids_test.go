package main

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/internal/slow"
)

func TestShortIDs(t *testing.T) {
	t.Parallel()
	one, other := uuid.MustParse("01a1fd35-6240-7886-97c1-bb50b9b12952"), uuid.MustParse("01a1fd35-6240-7886-97c1-bb51b9b12952")
	same := uuid.MustParse("02a1fd35-6240-7886-97c1-bb50b9b12952")
	for _, tt := range []struct {
		among []uuid.UUID
		want  string
	}{
		{[]uuid.UUID{one, one}, "b9b12952"},
		{[]uuid.UUID{one, other}, "0b9b12952"},
		{[]uuid.UUID{one, same}, one.String()},
	} {
		if got := shorten(tt.among)(one); got != tt.want {
			t.Errorf("among %s it is %q, want %q", tt.among, got, tt.want)
		}
	}
}

// Every command that takes an id accepts the part that tables show, and its beginning if that is
// unique.
func TestPartsOfIDs(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2024-03-15", "I moved to Lisbon last week.")
	m.must("triple", "-g", "t", "Cafe", "SERVES", "Tea")
	fact, episode := m.factID("Paris"), m.episodeID("I live in Paris.")
	short := func(id string) string { return id[len(id)-8:] }
	table := m.must("facts", "-g", "t")
	if !strings.HasPrefix(table, "ID        WHEN") || !strings.Contains(table, "\n"+short(fact)+"  known from 10 January 2023 until the week of 4 March 2024  LIVES_IN") || strings.Contains(table, fact) {
		t.Errorf("the table is\n%s", table)
	}
	if got := m.must("facts", "-g", "t", "--json"); !strings.Contains(got, fact) {
		t.Errorf("JSON has no whole id:\n%s", got)
	}
	for _, part := range []string{short(fact), strings.ToUpper(short(fact)), fact[:35], strings.ReplaceAll(fact, "-", ""), fact[20:]} {
		if got := m.must("history", "-g", "t", part); strings.Count(got, "Paris") != 2 || !strings.Contains(got, short(episode)) {
			t.Errorf("history %s:\n%s", part, got)
		}
	}
	if got := m.must("episodes", "show", "-g", "t", short(episode)); !strings.Contains(got, episode) || !strings.Contains(got, "I live in Paris.") {
		t.Errorf("episodes show:\n%s", got)
	}
	var all factsJSON
	m.read(&all, "facts", "-g", "t", "--entity", "Alice")
	var entities struct{ Entities []struct{ ID, Name string } }
	m.read(&entities, "entities", "-g", "t")
	for _, e := range entities.Entities {
		if e.Name == "Alice" {
			if got := m.must("facts", "-g", "t", "--json", "--entity", short(e.ID)); got != m.must("facts", "-g", "t", "--json", "--entity", "Alice") {
				t.Errorf("facts of the entity %s are\n%s", short(e.ID), got)
			}
			m.must("search", "-g", "t", "--method", "bfs", "--seed", short(e.ID), "Alice")
		}
	}
	// The same holds for observations and standing answers.
	m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris, as I said.")
	m.must("observations", "build", "-g", "t")
	m.must("ask", "-g", "t", "--keep", "Where does Alice live?")
	for list, of := range map[string][]string{"observations": {"history"}, "answers": {"show", "history", "drop"}} {
		table := strings.Split(m.must(list, "-g", "t"), "\n")
		if len(table) < 2 || len(strings.Fields(table[1])[0]) != shownPart {
			t.Fatalf("%s are listed as\n%s", list, strings.Join(table, "\n"))
		}
		for _, command := range of {
			m.must(list, command, "-g", "t", strings.Fields(table[1])[0])
		}
		m.run("", list, of[0], "-g", "t", "ffffffff").failsWith(t, "is no "+strings.TrimSuffix(list, "s")+" id; 'annals "+list+"' lists them")
	}
	// A name takes precedence over a part of an id, whatever it looks like.
	if got := m.must("entities", "rename", "-g", "t", "Cafe", "Face"); !strings.HasPrefix(got, "Cafe is now called Face.") {
		t.Errorf("rename says %q", got)
	}
	// All ids are of one year and begin alike.
	o := m.run("", "history", "-g", "t", fact[:4])
	o.failsWith(t, `"`+fact[:4]+`" stands for several: `)
	if !strings.Contains(o.stderr, "01a") || !strings.Contains(o.stderr, "write more of the one that is meant") {
		t.Errorf("the candidates are not named: %s", o.stderr)
	}
	for _, args := range [][]string{{"history", "abc"}, {"history", "ffffffffffff"}} {
		m.run("", append([]string{"-g", "t"}, args...)...).failsWith(t, "none called")
	}
	m.run("", "undo", "-g", "t", "ffffffffffff").failsWith(t, `episode: "ffffffffffff" is no episode id; 'annals episodes' lists them`)
	m.run("", "undo", "-g", "t", short(fact)).failsWith(t, "is no episode id")
	if got := m.must("undo", "-g", "t", short(m.episodeID("I moved to Lisbon last week."))); !strings.HasPrefix(got, "1 taken back") {
		t.Errorf("undo says %q", got)
	}
	m.must("undo", "-g", "t", short(episode))
	// A removed fact has a history, by a part of its id too.
	if got := m.must("history", "-g", "t", short(fact)); !strings.Contains(got, "Alice lives in Paris.") {
		t.Errorf("history of what is gone:\n%s", got)
	}
	// Parts of ids of other groups match nothing.
	m.makeGroup("other")
	m.run("", "history", "-g", "other", short(fact)).failsWith(t, "none called")
}

func TestFactsAreCorrected(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	fact := m.factID("Paris")
	short := fact[len(fact)-8:]
	var edited struct {
		Fact struct {
			ID, Fact  string
			ValidAt   *string `json:"valid_at"`
			InvalidAt *string `json:"invalid_at"`
		}
	}
	m.read(&edited, "facts", "edit", "-g", "t", short, "--fact", "Alice lives in Paris, in the 11th.", "--valid-at", "2023-01-08")
	if f := edited.Fact; f.ID != fact || f.Fact != "Alice lives in Paris, in the 11th." || or(f.ValidAt) != "2023-01-08T00:00:00Z" || f.InvalidAt != nil {
		t.Errorf("edited: %+v", f)
	}
	if got := m.must("facts", "end", "-g", "t", short, "--at", "2024-03-08"); !strings.Contains(got, "from 8 January 2023 until 8 March 2024") {
		t.Errorf("ended:\n%s", got)
	}
	m.read(&edited, "facts", "edit", "-g", "t", short, "--invalid-at", "")
	if edited.Fact.InvalidAt != nil {
		t.Errorf("it holds again: %+v", edited.Fact)
	}
	m.must("facts", "end", "-g", "t", short)
	if got := m.homes(); len(got) != 1 || strings.HasSuffix(got[0], "–") {
		t.Errorf("ended now: %q", got)
	}
	m.run("", "facts", "edit", "-g", "t", short).failsWith(t, "is not told what is different")
	m.run("", "facts", "end", "-g", "t", short, "--at", "soon").failsWith(t, `at: "soon" is no time`)
	m.run("", "facts", "end", "-g", "t", short, "--at", "2020-01-01").failsWith(t, "")
	if got := m.must("facts", "withdraw", "-g", "t", short); got != "1 withdrawn; 'annals history' still shows what was believed.\n" {
		t.Errorf("withdraw says %q", got)
	}
	m.run("", "facts", "withdraw", "-g", "t", short).failsWith(t, "annals: ")
	if got := m.homes(); len(got) != 0 {
		t.Errorf("withdrawn, and still there: %q", got)
	}
	if got := m.must("history", "-g", "t", short); strings.Count(got, "Paris") < 4 {
		t.Errorf("the history of the corrections:\n%s", got)
	}
}
