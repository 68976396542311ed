package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
)

const (
	readingQuestions = `{"case": "home", "ask": "Where does Nadia live?", "at": "2025-04-01T10:00:00Z", "never": ["Lyon"]}
{"case": "home", "ask": "Where does Nadia work?", "at": "2025-04-01T10:00:00Z", "tells": [["Nadia", "Hooli"]]}
`
	readingStories = `{"id": "work", "messages": [{"at": "2025-01-15T10:00:00Z", "actor": "Nadia", "text": "I work at Hooli."}],
	"questions": [{"ask": "Where does Nadia work?", "at": "2025-04-01T10:00:00Z", "never": ["Lyon"]}]}
`
)

func TestEvalReading(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{}
	for name, text := range map[string]string{"cases": truthCases, "questions": readingQuestions, "stories": readingStories} {
		files[name] = filepath.Join(dir, name)
		if err := os.WriteFile(files[name], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": pgtest.New(t)}}
	ofCases := []string{"--cases", files["cases"], "--questions", files["questions"]}
	for _, run := range []struct {
		flags []string
		says  []string
		wrong string
	}{
		{ofCases, []string{"Where does Nadia work?", "no line but a message tells Nadia, Hooli", "| the cases | both | 1 of 2 |"}, "1 of 2 questions fall short"},
		{[]string{"--stories", files["stories"]}, []string{"| offline | default | 1 of 1 | 0 of 0 | 0 |"}, ""},
		{
			append(ofCases, "--stories", files["stories"], "--tokens", "500", "--keep"),
			[]string{"It is in the group eval-reading-", "| the cases | 500 tokens | 1 of 2 |", "| offline | 500 tokens | 1 of 1 |"},
			"1 of 3 questions fall short",
		},
		{append(ofCases, "--json"), []string{`"read_by": "the cases"`, `"kind": "untold"`}, "1 of 2 questions fall short"},
	} {
		o := m.run("", append([]string{"eval", "reading"}, run.flags...)...)
		if (o.code == exitOK) != (run.wrong == "") || !strings.Contains(o.stderr, run.wrong) {
			t.Errorf("%v: exit %d: %s%s", run.flags, o.code, o.stdout, o.stderr)
		}
		for _, want := range run.says {
			if !strings.Contains(o.stdout, want) {
				t.Errorf("%v: it does not say %q:\n%s", run.flags, want, o.stdout)
			}
		}
	}
	m.run("", "eval", "reading").failsWith(t, "stories")
	m.run("", "eval", "reading", "--cases", files["cases"]).failsWith(t, "questions")
	m.run("", "eval", "reading", "--stories", "nowhere").failsWith(t, "nowhere")
	m.run("", "eval", "reading", "--stories", files["stories"], "--tokens", "0").failsWith(t, "tokens")
}
