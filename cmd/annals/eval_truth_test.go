package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
)

const truthCases = `{"id": "home", "rule": "A move ends the stay.", "offline": true, "messages": [
	{"at": "2025-01-15T10:00:00Z", "actor": "Nadia", "role": "user", "text": "I live in Ghent.",
		"entities": [{"name": "Nadia", "type": "Person"}, {"name": "Ghent", "type": "Place"}],
		"facts": [{"source": "Nadia", "predicate": "LIVES_IN", "target": "Ghent", "fact": "Nadia lives in Ghent.", "kind": "state"}]},
	{"at": "2025-03-15T10:00:00Z", "actor": "Nadia", "role": "user", "text": "I moved to Turin on 8 March 2025.",
		"entities": [{"name": "Nadia", "type": "Person"}, {"name": "Turin", "type": "Place"}],
		"facts": [{"source": "Nadia", "predicate": "LIVES_IN", "target": "Turin", "fact": "Nadia moved to Turin.", "valid_at": "8 March 2025", "kind": "state"}],
		"relations": [{"fact": "Nadia moved to Turin.", "contradicts": ["Nadia lives in Ghent."]}]}],
	"expect": [{"at": "2025-02-15T10:00:00Z", "holds": [["Nadia", "LIVES_IN", "Ghent"]], "not": [["Nadia", "LIVES_IN", "Turin"]]},
		{"at": "2025-04-15T10:00:00Z", "holds": [["Nadia", "LIVES_IN", "Turin"]], "not": [["Nadia", "LIVES_IN", "Ghent"]]}]}
{"id": "colour", "rule": "It is wrong.", "messages": [
	{"at": "2025-01-15T10:00:00Z", "actor": "Nadia", "role": "user", "text": "Blue it is.", "entities": [], "facts": []}],
	"expect": [{"at": "2025-02-15T10:00:00Z", "holds": [["Nadia", "LIKES", "blue"]], "not": []}]}
`

func TestEvalTruth(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cases.jsonl")
	if err := os.WriteFile(path, []byte(truthCases), 0o600); err != nil {
		t.Fatal(err)
	}
	m := &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": pgtest.New(t)}}
	for _, run := range []struct {
		flags []string
		says  []string
		right bool
	}{
		{nil, []string{"colour fails. It is wrong.", "Nadia LIKES blue must hold", "| the cases | 1 of 2 |"}, false},
		{[]string{"--window", "2"}, []string{"| the cases | 1 of 2 |"}, false},
		{[]string{"--offline"}, []string{"1 of 1"}, true},
		{[]string{"--offline", "--all", "--keep"}, []string{"1 of 2", "It is in the group eval-truth-"}, false},
	} {
		o := m.run("", append([]string{"eval", "truth", "--file", path}, run.flags...)...)
		if (o.code == exitOK) != run.right || !run.right && !strings.Contains(o.stderr, "1 of 2 cases fail") {
			t.Errorf("%v: exit %d: %s%s", run.flags, o.code, o.stdout, o.stderr)
		}
		for _, want := range run.says {
			if !strings.Contains(o.stdout, want) {
				t.Errorf("%v: it does not say %q:\n%s", run.flags, want, o.stdout)
			}
		}
	}
	m.run("", "eval", "truth", "--file", path, "--all").failsWith(t, "--offline")
	m.run("", "eval", "truth", "--file", "nowhere").failsWith(t, "nowhere")
}
