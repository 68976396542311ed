package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals/engine/edit"
)

// Facts from a file wait if the policy withholds its name. They are listed, decided alone or
// together, shown as a difference, and taken back.
func TestReview(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	file := filepath.Join(t.TempDir(), "mails.jsonl")
	if err := os.WriteFile(file, []byte(`{"content": "I like golf.", "actor": "Alice", "occurred_at": "2024-01-01"}
{"content": "I like chess.", "actor": "Alice", "occurred_at": "2024-01-02"}
{"content": "I like opera.", "actor": "Alice", "occurred_at": "2024-01-03", "source_description": "diary"}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	m.must("groups", "create", "-g", "t")
	if got := m.must("trust", "set", "--source", "mails.jsonl", "-g", "t"); !strings.Contains(got, "what comes from mails.jsonl, until it is released") {
		t.Errorf("set: %s", got)
	}
	m.must("add", "-g", "t", "--file", file)
	waits := func(args ...string) string {
		t.Helper()
		var got struct{ Review []edit.ReviewedJSON }
		m.read(&got, append([]string{"review", "-g", "t"}, args...)...)
		var all []string
		for _, r := range got.Review {
			all = append(all, r.Kind+" "+r.Fact.Fact)
		}
		return strings.Join(all, " ")
	}
	if got := waits(); got != "candidate Alice likes golf. candidate Alice likes chess." {
		t.Errorf("there waits %q", got)
	}
	if got := m.must("review", "-g", "t"); !strings.Contains(got, "2024-01-01 Alice (cli): I like golf.") {
		t.Errorf("the table: %s", got)
	}
	m.must("groups", "create", "-g", "moves")
	m.must("trust", "set", "--assistants", "-g", "moves")
	m.must("add", "-g", "moves", "--role", "assistant", "--actor", "Helper", "Bob moved from Berlin to Hamburg.")
	if got := m.must("review", "-g", "moves"); !strings.Contains(got, "Bob no longer lives in Berlin ") || !strings.Contains(got, "Bob lives in Hamburg ") {
		t.Errorf("facts of one sentence are told apart by their relations: %s", got)
	}
	var listed struct{ Review []edit.ReviewedJSON }
	m.read(&listed, "review", "-g", "t")
	if got := m.must("review", "approve", listed.Review[0].Fact.ID.String(), "-g", "t"); !strings.Contains(got, "Approved: 1 fact") {
		t.Errorf("approved: %s", got)
	}
	if got := m.must("review", "reject", "--all", "--kind", "candidate", "-g", "t"); !strings.Contains(got, "Rejected: 1 fact") {
		t.Errorf("rejected: %s", got)
	}
	if got := waits(); got != "" {
		t.Errorf("decided, there waits %q", got)
	}
	m.must("review", "edit", listed.Review[0].Fact.ID.String(), "--fact", "Alice likes golf a lot.", "-g", "t")
	m.must("review", "leave", listed.Review[0].Fact.ID.String(), "-g", "t")
	var brought struct{ Brought []edit.Bringer }
	m.read(&brought, "review", "added", "-g", "t")
	var bringers []string
	for _, b := range brought.Brought {
		if b.LastAt.IsZero() || b.By == "day" {
			b.Name = "today"
		}
		bringers = append(bringers, fmt.Sprint(b.By, " ", b.Name, " ", b.Episodes))
	}
	if got := strings.Join(bringers, ", "); got != "day today 3, source diary 1, source mails.jsonl 2" {
		t.Errorf("what brought something is %s", got)
	}
	if got := m.must("review", "added", "-g", "t"); !strings.Contains(got, "mails.jsonl") || strings.Contains(got, "golf") {
		t.Errorf("the table: %s", got)
	}
	if got := waits("added", "--source", "mails.jsonl"); got != "added Alice likes golf." {
		t.Errorf("brought: %q", got)
	}
	if got := m.must("undo", "--source", "mails.jsonl", "--dry-run", "-g", "t"); !strings.Contains(got, "2 taken back") {
		t.Errorf("dry: %s", got)
	}
	m.must("undo", "--source", "mails.jsonl", "-g", "t")
	if got := waits("added", "--source", "mails.jsonl"); got != "" {
		t.Errorf("taken back, it brought %q", got)
	}
	if got := m.must("facts", "-g", "t"); !strings.Contains(got, "opera") || strings.Contains(got, "chess") {
		t.Errorf("left: %s", got)
	}
}

// A review reports how many skills wait, which are not facts, and where to list them.
func TestReviewSaysThatSkillsWait(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("skills", "record", m.file("runs.jsonl", `{"task": "Deploy billing to staging", "steps": [{"tool": "build"}, {"tool": "push"}], "outcome": "success"}`), "-g", "t")
	const says = "1 skill not confirmed: annals skills --state candidate --group t"
	if o := m.run("", "review", "-g", "t"); !strings.Contains(o.stderr, says) {
		t.Errorf("it says %q", o.stderr)
	}
	if o := m.run("", "review", "--kind", "candidate", "-g", "t"); strings.Contains(o.stderr, says) {
		t.Errorf("of candidates it says %q", o.stderr)
	}
	if got := m.must("skills", "--state", "candidate", "-g", "t"); !strings.Contains(got, "Deploy billing") {
		t.Errorf("there waits %q", got)
	}
}
