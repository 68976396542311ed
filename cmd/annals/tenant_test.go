package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/slow"
)

// tenantArgs are the arguments to test each command that works on a group. Every command is here or
// in grouplessCommands.
var tenantArgs = map[string][]string{
	"agent attach": {"sam", "-"}, "agent blocks": {"sam"}, "agent chat": {"sam"}, "agent create": {"sam"}, "agent delete": {"sam"}, "agent export": {"sam"},
	"agent import": {"-"}, "agent list": {}, "agent run": {"sam", "Hi"},
	"add": {"Bob met Carol."}, "ask": {"secret"}, "answers": {}, "answers show": {"01890000-0000-7000-8000-000000000001"}, "answers history": {"01890000-0000-7000-8000-000000000001"}, "answers drop": {"01890000-0000-7000-8000-000000000001"}, "answers refresh": {}, "communities": {}, "communities build": {}, "skills": {}, "skills show": {"01890000-0000-7000-8000-000000000001"}, "skills history": {"01890000-0000-7000-8000-000000000001"}, "skills diff": {"01890000-0000-7000-8000-000000000001"}, "skills approve": {"01890000-0000-7000-8000-000000000001"}, "skills reject": {"01890000-0000-7000-8000-000000000001"}, "skills leave": {"01890000-0000-7000-8000-000000000001"}, "skills export": {"--dir", os.DevNull}, "skills import": {"--dir", "testdata/skill"}, "skills record": {"testdata/run.json"}, "observations": {}, "observations build": {}, "observations history": {"01890000-0000-7000-8000-000000000001"}, "context": {"secret"}, "doctor": {}, "entities": {}, "entities merge": {"Alice", "Paris"},
	"diff":  {"--from", "2024-01-01"},
	"erase": {"--episode", "00000000-0000-7000-8000-000000000001", "--yes"}, "erasures": {}, "audit": {}, "audit export": {}, "audit head": {}, "audit verify": {},
	"mark": {"pinned", "00000000-0000-7000-8000-000000000001"}, "mark list": {}, "trust": {}, "trust set": {"--assistants"}, "trust release": {"--thread-id", "thread"},
	"facts confirm": {"00000000-0000-7000-8000-000000000001"}, "facts rejected": {}, "facts restore": {"00000000-0000-7000-8000-000000000001"}, "export": {}, "retention": {}, "retention apply": {},
	"retention set": {"--max-episodes", "100"}, "entities rename": {"Alice", "Al"}, "entities split": {"Alice", "--name", "Half", "--facts", "00000000-0000-7000-8000-000000000001"},
	"facts edit": {"00000000-0000-7000-8000-000000000001", "--fact", "Half"}, "facts end": {"00000000-0000-7000-8000-000000000001"},
	"facts withdraw": {"00000000-0000-7000-8000-000000000001"}, "groups": {}, "groups create": {}, "undo": {"00000000-0000-7000-8000-000000000001"},
	"episodes": {}, "episodes show": {"00000000-0000-7000-8000-000000000001"}, "facts": {}, "history": {"00000000-0000-7000-8000-000000000001"},
	"mcp": {}, "mcp install": {"codex", "--dry-run"}, "ontology": {}, "ontology show": {}, "ontology set": {"-"}, "retry": {}, "search": {"secret"}, "threads": {}, "threads summarise": {"thread"}, "threads summarize": {"thread"},
	"review": {}, "review added": {"--door", "cli"}, "review approve": {"00000000-0000-7000-8000-000000000001"}, "review leave": {"00000000-0000-7000-8000-000000000001"},
	"review reject": {"00000000-0000-7000-8000-000000000001"}, "review edit": {"00000000-0000-7000-8000-000000000001", "--fact", "Half"},
	"timeline": {}, "triple": {"Alice", "KNOWS", "Bob"}, "usage": {}, "trace": {"00000000-0000-7000-8000-000000000001"}, "episodes trace": {"00000000-0000-7000-8000-000000000001"},
}

// grouplessCommands access no group, are refused to a tenant, serve what package server tests, or
// take the group from a file, as the leak tests do.
var grouplessCommands = append([]string{"", "completion", "down", "explore", "help", "import", "models", "prompts", "serve", "up", "version"}, wholeDatabase...)

// leaves lists the commands that do something.
func leaves(cmd *cobra.Command) []string {
	var names []string
	if cmd.Runnable() {
		names = append(names, strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "annals")))
	}
	for _, sub := range cmd.Commands() {
		names = append(names, leaves(sub)...)
	}
	return names
}

func TestATenantReachesOneGroup(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	for _, group := range []string{"own", "other"} {
		m.must("add", "-g", group, "--actor", "Alice", "--thread-id", "thread", "I live in Paris, secret-"+group+".")
		m.must("triple", "-g", group, "Alice", "KNOWS", "Bob-"+group, "--fact", "Alice knows secret-"+group+".")
	}
	if o := m.run("", "-g", "other", "search", "secret"); !strings.Contains(o.stdout, "secret-other") {
		t.Fatalf("without a tenant nothing is found either: %+v", o)
	}
	m.environ["ANNALS_TENANT"] = "own"
	for _, name := range leaves((&app{}).command()) {
		top, _, _ := strings.Cut(name, " ")
		if slices.Contains(wholeDatabase, top) {
			if o := m.run("", strings.Fields(name)...); o.code == exitOK ||
				!strings.Contains(o.stderr, "works on the whole database") && !strings.Contains(o.stderr, "required flag") && !strings.Contains(o.stderr, "accepts 1 arg") {
				t.Errorf("annals %s: %+v, want it refused to a tenant", name, o)
			}
			continue
		}
		if slices.Contains(grouplessCommands, top) {
			continue
		}
		args, ok := tenantArgs[name]
		if !ok {
			t.Errorf("annals %s is in no list of this test: say how it is run for a group", name)
			continue
		}
		args = append(strings.Fields(name), args...)
		if o := m.run("{}", append([]string{"-g", "other"}, args...)...); o.code == exitOK || strings.Contains(o.stdout, "secret-other") ||
			!strings.Contains(o.stderr, "is not the group this memory is bound to") {
			t.Errorf("annals -g other %q: %+v, want it forbidden", args, o)
		}
		if o := m.run("{}", args...); strings.Contains(o.stdout+o.stderr, "other") && name != "doctor" || strings.Contains(o.stderr, "bound to") {
			t.Errorf("annals %q: %+v", args, o)
		}
	}
	if got := m.must("search", "secret"); !strings.Contains(got, "secret-own") {
		t.Errorf("the tenant does not find its own: %q", got)
	}
}
