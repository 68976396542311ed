package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/slow"
)

// episodeOf finds an episode by a word; empty: there is none.
func (m *memory) episodeOf(group, word string) string {
	m.t.Helper()
	var listed struct {
		Episodes []struct{ ID, Content string }
	}
	m.read(&listed, "episodes", "-g", group)
	for _, e := range listed.Episodes {
		if strings.Contains(e.Content, word) {
			return e.ID
		}
	}
	return ""
}

// TestErasureFollowsCopies: an older export does not bring back erased or withdrawn content, copies
// lose it with the original, and a certificate erases it from a restored database.
func TestErasureFollowsCopies(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	dir := t.TempDir()
	before := filepath.Join(dir, "before.jsonl")
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2024-01-01", "I live in Paris.")
	m.must("add", "-g", "t", "--actor", "Bob", "--occurred-at", "2024-01-02", "The safe is behind the mirror in the hall.")
	m.must("add", "-g", "t", "--actor", "Carol", "--occurred-at", "2024-01-03", "I live in Oslo.")
	m.must("export", "-g", "t", "--output", before)
	m.must("import", before, "--as", "copy")
	if m.episodeOf("copy", "safe") == "" {
		t.Fatal("the copy has not the episode")
	}

	var facts struct{ Facts []struct{ ID, Fact string } }
	m.read(&facts, "facts", "-g", "t")
	for _, f := range facts.Facts {
		if strings.Contains(f.Fact, "Paris") {
			m.must("facts", "withdraw", "-g", "t", f.ID)
		}
	}
	erased := m.must("erase", "-g", "t", "--episode", m.episodeOf("t", "safe"), "--copies", "--yes", "--json")
	certificate := filepath.Join(dir, "certificate.json")
	if err := os.WriteFile(certificate, []byte(erased), 0o600); err != nil {
		t.Fatal(err)
	}
	if id := m.episodeOf("copy", "safe"); id != "" {
		t.Errorf("the copy still has episode %s", id)
	}

	o := m.run("", "import", before, "--as", "again")
	if o.code != exitOK || !strings.Contains(o.stderr, "1 episode, 1 fact") {
		t.Errorf("imported: exit %d\n%s\n%s", o.code, o.stdout, o.stderr)
	}
	if id := m.episodeOf("again", "safe"); id != "" {
		t.Errorf("the import brought back episode %s", id)
	}
	m.read(&facts, "facts", "-g", "again")
	if len(facts.Facts) != 1 || !strings.Contains(facts.Facts[0].Fact, "Oslo") {
		t.Errorf("the import has facts %+v", facts.Facts)
	}

	// As in a restored backup: the rows exist and the tombstones do not.
	conn, err := pgx.Connect(t.Context(), m.environ["ANNALS_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "DELETE FROM annals_internal.tombstones"); err != nil {
		t.Fatal(err)
	}
	m.must("import", before, "--as", "restored")
	m.must("erase", "-g", "restored", "--certificate", certificate, "--yes")
	if id := m.episodeOf("restored", "safe"); id != "" {
		t.Errorf("the certificate left episode %s", id)
	}
	if o := m.run("", "add", "-g", "restored", "He said the SAFE is behind the m\u0456rror in the hall"); o.code != exitOK {
		t.Logf("refused: %s", o.stderr)
	} else {
		t.Errorf("it was taken in again: %s", o.stdout)
	}

	m.must("erase", "-g", "t", "--yes")
	if o := m.run("", "import", before, "--as", "last"); o.code != exitFailed || !strings.Contains(o.stderr, "import --force t") {
		t.Errorf("an erased group was imported under another name: exit %d: %s", o.code, o.stderr)
	}
	m.must("import", before, "--as", "last", "--force", "t")
	var c struct{ Certificate annals.Certificate }
	m.read(&c, "erase", "-g", "last", "--yes")
	if c.Certificate.Episodes != 3 {
		t.Errorf("erased %d episodes", c.Certificate.Episodes)
	}
}
