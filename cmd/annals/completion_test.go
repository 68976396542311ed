package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
)

// offers returns the completions of the last word of a line.
func (m *memory) offers(line ...string) []string {
	m.t.Helper()
	var offers []string
	for line := range strings.Lines(m.must(append([]string{"__complete"}, line...)...)) {
		if !strings.HasPrefix(line, ":") {
			value, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			offers = append(offers, value)
		}
	}
	return offers
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for _, group := range []string{"alice", "alina", "bob"} {
		m.must("add", "-g", group, "--actor", "Alice", "I live in Paris.")
	}
	m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.")
	fact, episode := m.factID("Paris"), m.episodeID("I live in Paris.")
	for _, tt := range []struct{ line, want []string }{
		{[]string{"facts", "--group", "al"}, []string{"alice", "alina"}},
		{[]string{"facts", "-g", "x"}, nil},
		{[]string{"search", "--also", "alice,b"}, []string{"alice,bob"}},
		{[]string{"facts", "--tenant", "alice", "--group", ""}, []string{"alice"}},
		{[]string{"episodes", "--state", ""}, []string{"pending", "processing", "done", "failed"}},
		{[]string{"search", "--recipe", ""}, annals.Recipes()},
		{[]string{"context", "--scope", "fact,"}, []string{"fact,fact", "fact,entity", "fact,episode", "fact,community", "fact,observation", "fact,thread"}},
		{[]string{"search", "--rerank", ""}, []string{"mmr", "mentions", "salience", "node_distance", "cross_encoder"}},
		{[]string{"add", "--format", ""}, []string{"jsonl", "text", "json"}},
		{[]string{"import", "--from", ""}, []string{"zep", "graphiti", "zep-cloud", "mem0", "chatgpt", "claude"}},
		{[]string{"facts", "--log-level", ""}, []string{"debug", "info", "warn", "error"}},
		{[]string{"facts", "end", "-g", "t", ""}, []string{fact[len(fact)-8:]}},
		{[]string{"facts", "end", "-g", "t", fact[:9]}, []string{fact}},
		{[]string{"undo", "-g", "t", episode[len(episode)-8 : len(episode)-5]}, []string{episode[len(episode)-8:]}},
		{[]string{"undo", "-g", "t", "--tenant", "bob", episode[len(episode)-8:]}, nil},
	} {
		if got := m.offers(tt.line...); !slices.Equal(got, tt.want) {
			t.Errorf("annals %q is completed by %q, want %q", tt.line, got, tt.want)
		}
	}
	m.must("trust", "set", "-g", "t", "--assistants")
	m.must("add", "-g", "t", "--actor", "Helper", "--role", "assistant", "Alice likes opera.")
	if got := m.offers("facts", "end", "-g", "t", ""); len(got) != 1 {
		t.Errorf("of what is believed, %q is offered", got)
	}
	if got := m.offers("facts", "confirm", "-g", "t", ""); len(got) != 2 {
		t.Errorf("of what may be confirmed, %q is offered", got)
	}
	m.must("trust", "set", "-g", "t", "--documents")
	m.must("add", "-g", "t", "--actor", "Ann", "--source", "text", "Zoe likes chess.")
	for want, lines := range map[int][][]string{
		2: {{"episodes", "show", "-g", "t", ""}}, // Alice's and the assistant's
		3: {{"undo", "-g", "t", ""}, {"erase", "-g", "t", "--episode", ""}, {"trust", "release", "-g", "t", ""}},
	} {
		for _, line := range lines {
			if got := m.offers(line...); len(got) != want {
				t.Errorf("with a document in quarantine, annals %q is completed by %q, want %d", line, got, want)
			}
		}
	}
	if shown, all := m.offers("search", "-g", "t", "--center", ""), m.offers("erase", "-g", "t", "--entity", ""); len(all) <= len(shown) {
		t.Errorf("to erase, the entities %q are offered, where %q are shown", all, shown)
	}
	if got := m.offers("prompts", "show", ""); !slices.Contains(got, "extract_facts") {
		t.Errorf("prompts show is completed by %q", got)
	}
}

// Pressing the completion key starts no database, and leaves nothing behind.
func TestCompletionStartsNothing(t *testing.T) {
	t.Parallel()
	home := openDir(t)
	m := &memory{t: t, environ: map[string]string{"XDG_DATA_HOME": home}}
	if got := m.offers("facts", "--group", ""); got != nil {
		t.Errorf("groups of no database: %q", got)
	}
	if left, err := os.ReadDir(filepath.Join(home)); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	m.environ = map[string]string{"ANNALS_DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
	if got := m.offers("facts", "--group", ""); got != nil {
		t.Errorf("groups of a database that cannot be reached: %q", got)
	}
}
