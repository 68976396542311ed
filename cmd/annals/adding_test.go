package main

import (
	"strings"
	"testing"
)

// Missing input is reported before anything is stored, in terms of the command line.
func TestWhatAddLacksIsNamed(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for _, tt := range []struct {
		command []string
		says    string
	}{
		{[]string{"add", "--group", "g", ""}, "there is nothing to add"},
		{[]string{"add", "--group", "g"}, "there is nothing to add"},
		{[]string{"facts"}, "--group"},
	} {
		if got := m.run("", tt.command...); got.code == 0 || !strings.Contains(got.stderr, tt.says) || strings.Contains(got.stderr, "content:") {
			t.Errorf("%s says %q, want %q", tt.command, got.stderr, tt.says)
		}
	}
	for name, tt := range map[string]struct{ variable, value, says string }{
		"key":      {"ANNALS_LLM", "openai:gpt-5-mini", "OPENAI_API_KEY"},
		"embedder": {"ANNALS_EMBEDDER", "foo:bar", "openai:text-embedding-3-small"},
	} {
		m.environ[tt.variable] = tt.value
		if got := m.run("", "add", "--group", "h", "I like tea."); got.code == 0 || !strings.Contains(got.stderr, tt.says) || strings.Contains(got.stderr, "ollama:qwen3:8b") && name == "embedder" {
			t.Errorf("%s: %q, want %q", name, got.stderr, tt.says)
		}
		delete(m.environ, tt.variable)
	}
	if got := m.run("", "episodes", "--group", "h"); got.code == 0 {
		t.Errorf("something was stored: %s", got.stdout)
	}
}

// A dash is standard input. The same message at the same stated time is one episode.
func TestAddReadsWhatIsPipedAndKnowsWhatIsSaidAgain(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	if got := m.run("I live in Paris.", "add", "--group", "g", "--actor", "Alice", "-"); got.code != 0 || !strings.Contains(got.stdout, "1 added") {
		t.Fatal(got)
	}
	if got := m.must("episodes", "--group", "g"); !strings.Contains(got, "I live in Paris.") {
		t.Errorf("stored was %s", got)
	}
	for _, want := range []string{"1 added, 0 already there", "0 added, 1 already there"} {
		if got := m.must("add", "--group", "g", "--actor", "Alice", "--occurred-at", "2024-03-15", "I like tea."); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// By default, a key may neither erase nor speak as a person.
func TestKeysAreModestByDefault(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	var made struct {
		Key struct{ Rights, Authority string }
	}
	m.read(&made, "keys", "create", "--groups", "alice")
	if made.Key.Rights != "write" || made.Key.Authority != "user" {
		t.Errorf("it is %+v", made.Key)
	}
}
