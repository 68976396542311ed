package main

import (
	"slices"
	"strings"
	"testing"
)

// The prompts are shown without a database or a model.
func TestPrompts(t *testing.T) {
	t.Parallel()
	m := &memory{t: t, environ: map[string]string{}}
	var all struct{ Prompts []promptJSON }
	m.read(&all, "prompts")
	table := m.must("prompts")
	names := []string{}
	for _, p := range all.Prompts {
		names = append(names, p.Name)
		if p.Version < 1 || p.System == "" || p.User == "" || !strings.Contains(table, p.Name) {
			t.Errorf("%s, version %d, lacks its words or its line in the table", p.Name, p.Version)
		}
		shown := m.must("prompts", "show", p.Name)
		if !strings.HasPrefix(shown, p.Name+", version ") || !strings.Contains(shown, p.System) || !strings.Contains(shown, p.User) {
			t.Errorf("prompts show %s says %.200q", p.Name, shown)
		}
		var one promptJSON
		if m.read(&one, "prompts", "show", p.Name); one != p {
			t.Errorf("prompts show %s --json differs from the list", p.Name)
		}
	}
	for _, want := range []string{"extract_entities", "extract_facts", "resolve_entities", "resolve_facts", "extract_dates", "review_entities", "summarise_thread"} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no prompt %s in %q", want, names)
		}
	}
	m.run("", "prompts", "show", "small_talk").failsWith(t, `prompt: there is none called "small_talk"; there are `+strings.Join(names, ", "))
}
