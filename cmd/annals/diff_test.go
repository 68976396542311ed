package main

import (
	"strings"
	"testing"
	"time"
)

func TestDiffAndHistoryOnTheCommandLine(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	then := time.Now().UTC().Format(time.RFC3339Nano)
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2024-03-15", "I moved to Lisbon last week.")
	m.must("entities", "rename", "-g", "t", "Alice", "Alice Liddell")
	var diff struct {
		From, To time.Time
		Facts    []struct {
			Change        string
			Before, After *struct {
				Fact      string
				InvalidAt *string `json:"invalid_at"`
			}
			CausedBy []string `json:"caused_by"`
		}
		Entities []struct {
			Change        string
			Before, After *struct{ Name string }
		}
	}
	m.read(&diff, "diff", "-g", "t", "--from", then)
	changes := map[string]bool{}
	for _, c := range diff.Facts {
		changes["fact "+c.Change] = true
	}
	for _, c := range diff.Entities {
		changes["entity "+c.Change] = true
	}
	for _, want := range []string{"fact added", "fact ended", "entity added", "entity renamed"} {
		if !changes[want] {
			t.Errorf("no %q in %+v", want, diff)
		}
	}
	if diff.From.IsZero() || diff.To.IsZero() {
		t.Errorf("compared %v with %v", diff.From, diff.To)
	}
	text := m.must("diff", "-g", "t", "--from", then)
	if now := m.must("diff", "-g", "t", "--from", then, "--to", "now"); now != text {
		t.Errorf("until now it prints\n%s\nand without that\n%s", now, text)
	}
	for _, want := range []string{"ended", "Paris", "was: known since 10 January 2023", "since the week of 4 March 2024", "Alice, now Alice Liddell"} {
		if !strings.Contains(text, want) {
			t.Errorf("people do not read %q in\n%s", want, text)
		}
	}
	lisbon := m.factID("Lisbon", "-g", "t")
	for _, args := range [][]string{{"diff", "-g", "t", "--from", then}, {"facts", "-g", "t"}, {"timeline", "-g", "t"}, {"history", "-g", "t", lisbon}} {
		if text := m.must(args...); !strings.Contains(text, "moved to Lisbon in the week of 4 March 2024.") || strings.Contains(text, "last week") {
			t.Errorf("%s does not say when the week was:\n%s", args[0], text)
		}
	}
	for _, tt := range []struct {
		want, not string
		args      []string
	}{
		{"Alice", "Liddell", []string{"entities", "-g", "t", "--known-at", then}},
		{"Paris", "Lisbon", []string{"timeline", "-g", "t", "--known-at", then}},
		{"Paris", "Lisbon", []string{"facts", "-g", "t", "--entity", "Alice", "--known-at", then}},
		{"Paris", "Lisbon", []string{"search", "-g", "t", "--known-at", then, "Alice"}},
		{"Paris", "Lisbon", []string{"context", "-g", "t", "--known-at", then, "Alice"}},
		{"Lisbon", "Paris", []string{"facts", "-g", "t", "--entity", "Alice Liddell", "--as-of", "now", "--known-at", "now"}},
		{"edit or undo", "no such", []string{"history", "-g", "t", "Alice Liddell"}},
	} {
		if text := m.must(tt.args...); !strings.Contains(text, tt.want) || strings.Contains(text, tt.not) {
			t.Errorf("annals %q prints\n%s\nwant %q and not %q", tt.args, text, tt.want, tt.not)
		}
	}
	m.must("communities", "-g", "t", "--known-at", then)
	if o := m.run("", "diff", "-g", "t"); o.code != exitUsage || !strings.Contains(o.stderr, "from") {
		t.Errorf("without --from: exit %d, %q", o.code, o.stderr)
	}
}
