package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

func TestExportAndImport(t *testing.T) {
	t.Parallel()
	here, there := newMemory(t), newMemory(t)
	here.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	here.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2024-03-15", "I moved to Lisbon last week.")
	piped := here.must("export", "-g", "t")
	path := filepath.Join(t.TempDir(), "t.jsonl")
	var report struct{ Exported annals.Moved }
	here.read(&report, "export", "-g", "t", "--output", path)
	written, err := os.ReadFile(path)
	if err != nil || string(written) != piped {
		t.Errorf("the file has %d bytes, standard output %d, %v", len(written), len(piped), err)
	}
	if n := strings.Count(piped, "\n"); report.Exported.Lines != int64(n-1) || report.Exported.Rows["episodes"] != 2 {
		t.Errorf("reported %+v of %d lines", report.Exported, n)
	}

	if out := there.must("import", path); !strings.HasPrefix(out, "Imported t: 2 episodes") {
		t.Errorf("import says %q", out)
	}
	if got, want := there.must("facts", "-g", "t", "--json"), here.must("facts", "-g", "t", "--json"); got != want {
		t.Errorf("facts there:\n%s\nhere:\n%s", got, want)
	}
	if again := there.must("export", "-g", "t"); again != piped {
		t.Error("the export of the import differs")
	}
	there.run("", "import", path).failsWith(t, "t is not empty; import into another one with --as")
	if o := there.run(piped, "import", "--as", "copy"); o.code != exitOK {
		t.Errorf("from standard input: %s", o.stderr)
	}
	there.run(piped[:len(piped)/2], "import", "--as", "half").failsWith(t, "the file is damaged")
	there.run("", "import", "/nowhere.jsonl").failsWith(t, "no such file")
	here.run("", "export", "-g", "nobody", "--output", path).failsWith(t, `there is no group "nobody"`)
	if now, err := os.ReadFile(path); err != nil || string(now) != piped {
		t.Errorf("a failed export touched the file that was there: %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Doctor reports damaged vectors, and reembed mends them.
func TestDoctorOnVectors(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.")
	c := connect(t, m.environ["ANNALS_DATABASE_URL"])
	exec := func(sql string) {
		t.Helper()
		if _, err := c.conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	wrong := func(want string) {
		t.Helper()
		if out := m.must("doctor", "-g", "t"); (want == "") == strings.Contains(out, "vectors  ") || !strings.Contains(out, want) {
			t.Errorf("doctor says %q; want %q", out, want)
		}
	}
	wrong("")
	exec(`DELETE FROM annals_internal.entity_embeddings`)
	wrong("2 rows of group t without one by the embedder that is set")
	m.must("reembed")
	wrong("")
	exec(`INSERT INTO annals_internal.settings VALUES ('', 'next_embedder', '"ollama:x"')`)
	wrong("being made anew by ollama:x")
	m.must("reembed", "--embedding-dim", "2000")
	wrong("")
	var report doctorJSON
	m.read(&report, "doctor", "-g", "t")
	if report.EmbeddingDimension != 2000 || report.Vectors != (service.Vectors{Embedder: "offline:hash-1-2000"}) {
		t.Errorf("doctor --json: %+v", report)
	}
	m.must("reembed", "--embedding-dim", "8")
	exec(`UPDATE annals_internal.settings SET value = '"ollama:x"' WHERE name = 'embedder'`)
	wrong("made by ollama:x, not by the embedder that is set")
	m.run("", "reembed", "--embedding-dim", "4000").failsWith(t, "they may have 1 to 3800")
	m.run("", "reembed", "--embedding-dim", "3").failsWith(t, "at least 8 dimensions")
	var settings json.RawMessage
	if err := c.conn.QueryRow(t.Context(), `SELECT value FROM annals_internal.settings WHERE name = 'next_embedder'`).Scan(&settings); err == nil {
		t.Errorf("a refused re-embedding left %s", settings)
	}
}
