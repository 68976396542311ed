package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/slow"
)

// outsider returns the script of the manual with which others check an export.
func outsider(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```python\n")
	script, _, whole := strings.Cut(rest, "```\n")
	if !whole || strings.Contains(script, "annals") {
		t.Fatalf("the page has no script that needs no Annals: %q", script)
	}
	path := filepath.Join(t.TempDir(), "audit.py")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The script of the manual, which needs only Python, accepts an export of the audit log and finds
// every change to it.
func TestAnOutsiderChecksTheAudit(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("Python is not here")
	}
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	m.must("facts", "edit", m.factID("Paris", "-g", "t"), "-g", "t", "--fact", "Alice lives in “Paris”\t<by> the Séine.")
	m.must("triple", "-g", "t", "Alice", "OWNS", "Boat")
	m.must("retention", "set", "-g", "t", "--max-age", "90000d")
	m.must("facts", "withdraw", m.factID("Boat", "-g", "t"), "-g", "t")
	script := outsider(t)
	check := func(lines string) (string, bool) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "audit.jsonl")
		if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), "python3", script, path).CombinedOutput()
		return strings.TrimSpace(string(out)), err == nil
	}
	exported := m.must("audit", "export", "-g", "t")
	head := strings.TrimSpace(m.must("audit", "head", "-g", "t"))
	if out, ok := check(exported); !ok || out != head || len(head) != 64 {
		t.Errorf("the script says %q, and the head is %q, of\n%s", out, head, exported)
	}
	lines := strings.SplitAfter(strings.TrimSpace(exported)+"\n", "\n")
	lines = lines[:len(lines)-1]
	if len(lines) < 4 {
		t.Fatalf("there are %d entries:\n%s", len(lines), exported)
	}
	for _, wrong := range []struct{ what, lines string }{
		{"an entry is missing", strings.Join(append(append([]string{}, lines[:1]...), lines[2:]...), "")},
		{"entries change places", lines[1] + lines[0] + strings.Join(lines[2:], "")},
		{"a door is another", strings.Replace(exported, `"door":"cli"`, `"door":"sql"`, 1)},
		{"a row is another", strings.Replace(exported, `\"door\": \"cli\"`, `\"door\": \"sql\"`, 1)},
	} {
		if out, ok := check(wrong.lines); ok || wrong.lines == exported {
			t.Errorf("%s, and the script says %q", wrong.what, out)
		}
	}
	if out := m.must("audit", "verify", "-g", "t", "--head", head); !strings.HasPrefix(out, "whole: ") || !strings.Contains(out, head) {
		t.Errorf("verify says %q", out)
	}
}

// A broken audit log is reported, and the command fails. Unknown groups and malformed heads are
// refused.
func TestABrokenAuditIsTold(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.")
	m.must("retention", "set", "-g", "t", "--max-age", "90000d")
	m.must("retention", "set", "-g", "t", "--max-age", "80000d")
	head := strings.TrimSpace(m.must("audit", "head", "-g", "t"))
	if out := m.must("audit", "-g", "t"); !strings.Contains(out, "retention") || !strings.Contains(out, "cli") {
		t.Errorf("the audit lists\n%s", out)
	}
	m.psql("sh", `psql -XAt "$ANNALS_DATABASE_URL" -c "SET session_replication_role = replica; UPDATE annals.audit SET door = 'rest' WHERE position = 1"`)
	if o := m.run("", "audit", "verify", "-g", "t", "--head", head); o.code != exitFailed || !strings.Contains(o.stdout, "broken  entry 1: entry changed") {
		t.Errorf("exit %d: %s%s", o.code, o.stdout, o.stderr)
	}
	if o := m.run("", "audit", "verify", "-g", "t", "--head", strings.Repeat("0", 64)); o.code != exitFailed || !strings.Contains(o.stdout, "head missing") {
		t.Errorf("exit %d: %s%s", o.code, o.stdout, o.stderr)
	}
	if o := m.run("", "audit", "verify", "-g", "t", "--head", "abc"); o.code != exitFailed || !strings.Contains(o.stderr, "64 hexadecimal digits") {
		t.Errorf("exit %d: %s%s", o.code, o.stdout, o.stderr)
	}
	if o := m.run("", "audit", "verify", "-g", "nobody"); o.code != exitFailed {
		t.Errorf("exit %d: %s%s", o.code, o.stdout, o.stderr)
	}
	m.must("keys", "create", "--name", "one", "--admin")
	m.must("erase", "-g", "t", "--yes")
	if out := m.must("audit", "verify", "--service"); !strings.HasPrefix(out, "whole: ") {
		t.Errorf("the service's own: %s", out)
	}
	if out := m.must("audit", "--service"); !strings.Contains(out, "key") || !strings.Contains(out, "erase") || strings.Contains(out, "Paris") {
		t.Errorf("the service's own:\n%s", out)
	}
}
