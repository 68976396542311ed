package main

import (
	"slices"
	"strings"
	"testing"
)

// A withdrawn fact is listed, stays withdrawn when it is said again, and is restored by the digits
// in the list.
func TestRejectedFactIsRestored(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	m.must("facts", "withdraw", m.factID("Paris", "-g", "t"), "-g", "t")
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2024-01-10", "I live in Paris.")
	if got := m.sentences("Alice"); len(got) != 0 {
		t.Errorf("it is believed again: %q", got)
	}
	lines := strings.Split(strings.TrimSpace(m.must("facts", "rejected", "-g", "t")), "\n")
	if len(lines) != 2 || !strings.Contains(lines[1], "cli") || !strings.Contains(lines[1], "Alice lives in Paris.") {
		t.Fatalf("rejected:\n%s", strings.Join(lines, "\n"))
	}
	if o := m.run("", "facts", "restore", "dada", "-g", "t"); o.code != exitFailed || !strings.Contains(o.stderr, "'annals facts rejected' lists them") {
		t.Errorf("exit %d: %s", o.code, o.stderr)
	}
	m.must("facts", "restore", strings.Fields(lines[1])[0], "-g", "t")
	if got := m.sentences("Alice"); !slices.Equal(got, []string{"Alice lives in Paris."}) {
		t.Errorf("after it was restored: %q", got)
	}
	if out := m.must("facts", "rejected", "-g", "t"); strings.Contains(out, "Paris") {
		t.Errorf("it is still rejected:\n%s", out)
	}
	if out := m.must("facts", "rejected", "-g", "t", "--all"); !strings.Contains(out, "Paris") {
		t.Errorf("nothing is on record:\n%s", out)
	}
}

// The certificate of an erasure is kept, also for a removed group.
func TestErasuresAreListed(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for _, group := range []string{"t", "other"} {
		m.must("add", "-g", group, "--actor", "Alice", "I live in Paris.")
	}
	m.must("erase", "-g", "t", "--episode", m.episodeID("I live in Paris."), "--yes")
	m.must("erase", "-g", "other", "--yes")
	var got struct {
		Erasures []struct {
			Door        string
			Certificate struct{ Scope string }
		}
	}
	m.read(&got, "erasures")
	if len(got.Erasures) != 2 || got.Erasures[0].Certificate.Scope != "group" || got.Erasures[1].Certificate.Scope != "episode" || got.Erasures[0].Door != "cli" {
		t.Errorf("erasures: %+v", got.Erasures)
	}
	m.read(&got, "erasures", "-g", "t")
	if len(got.Erasures) != 1 || got.Erasures[0].Certificate.Scope != "episode" {
		t.Errorf("of one group: %+v", got.Erasures)
	}
	if out := m.must("erasures"); strings.Contains(out, "Paris") || strings.Contains(out, "other") {
		t.Errorf("it tells what was erased:\n%s", out)
	}
}

// A withdrawn fact that is stated again is reported as refused, with the command that restores it.
func TestAddSaysThatAFactWasWithdrawn(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.")
	m.must("facts", "withdraw", "-g", "t", strings.TrimSpace(m.psql("sh", `psql -XAt "$ANNALS_DATABASE_URL" -c "SELECT id FROM annals.facts WHERE group_id = 't'"`)))
	out := m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.")
	if !strings.Contains(out, "0 facts") || !strings.Contains(out, "1 fact refused, as withdrawn before") || !strings.Contains(out, "annals facts restore") {
		t.Errorf("told again: %s", out)
	}
}

// A counter changed in psql is found, with exit code 1, and mended. Derived rows are made anew.
func TestVerifyAndRebuild(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.")
	if out := m.must("verify"); strings.Contains(out, "broken") || strings.Count(out, "ok ") < 15 {
		t.Errorf("of a whole memory:\n%s", out)
	}
	m.psql("sql", "SET session_replication_role = replica; DELETE FROM annals_internal.postings WHERE group_id = 't'")
	if o := m.run("", "verify", "-g", "t"); o.code != exitFailed || !strings.Contains(o.stderr, "broken: postings") || !strings.Contains(o.stdout, "'annals verify --fix' mends it") {
		t.Errorf("exit %d: %s%s", o.code, o.stdout, o.stderr)
	}
	if out := m.must("verify", "-g", "t", "--fix"); !strings.Contains(out, "mended  every row is found by its terms") {
		t.Errorf("with --fix:\n%s", out)
	}
	m.must("verify")
	m.psql("sql", "SET session_replication_role = replica; DELETE FROM annals.facts WHERE group_id = 't'")
	if out := m.must("rebuild", "-g", "t"); !strings.Contains(out, "1 episode placed again: facts 1 added") {
		t.Errorf("rebuilt: %s", out)
	}
	if got := m.sentences("Alice"); !slices.Equal(got, []string{"Alice lives in Paris."}) {
		t.Errorf("after it was rebuilt: %q", got)
	}
	m.must("verify")
}
