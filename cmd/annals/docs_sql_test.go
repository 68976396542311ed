package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/internal/slow"
)

// An example is a block of SQL or a call of psql, and its output if the page shows that.
var example = regexp.MustCompile("(?s)```(sql|sh)\n(.*?)```\n(?:```text\n(.*?)```\n)?")

// The examples of docs/sql.md run in order in psql, on the result of `annals demo`. Each prints
// something, as the page shows.
func TestSQLDocs(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	m.must("demo")
	page, err := os.ReadFile("../../docs/sql.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := example.FindAllStringSubmatch(string(page), -1)
	shown := 0
	for _, e := range examples {
		language, code, want := e[1], e[2], e[3]
		got := m.psql(language, code)
		if want != "" {
			shown++
			if trimmed(got) != trimmed(want) {
				t.Errorf("%s\nprints\n%s\nThe page has\n%s", code, got, want)
			}
		}
		nothing := strings.TrimSpace(got) == "" || strings.Contains(got, "(0 rows)")
		if nothing && language == "sql" && !strings.Contains(code, "known_at => '") { // this database does not reach back that far
			t.Errorf("no rows:\n%s\n%s", code, got)
		}
	}
	if len(examples) < 20 || shown < 4 {
		t.Errorf("found %d examples, %d of them with what they print; the page has more", len(examples), shown)
	}
}

// psql runs an example: a script, or a command line.
func (m *memory) psql(language, code string) string {
	m.t.Helper()
	found, err := postgres.Find(m.t.Context(), "", 0)
	if err != nil {
		m.t.Skipf("no psql here: %v", err)
	}
	command := code
	if language == "sql" {
		command = `psql -X -v ON_ERROR_STOP=1 "$ANNALS_DATABASE_URL"`
	}
	cmd := exec.CommandContext(m.t.Context(), "sh", "-c", command)
	cmd.Env = append(os.Environ(), "PGTZ=UTC", "ANNALS_DATABASE_URL="+m.environ["ANNALS_DATABASE_URL"],
		"PATH="+found.BinDir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if language == "sql" {
		cmd.Stdin = strings.NewReader(code)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Errorf("%v\n%s\n%s", err, code, out)
	}
	return cmp.Or(string(out), " ")
}

// trimmed removes trailing blanks from the lines of a text.
func trimmed(text string) string {
	return regexp.MustCompile(`[ \t]+\n`).ReplaceAllString(strings.TrimSpace(text)+"\n", "\n")
}
