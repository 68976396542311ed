package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/slow"
)

// An imported skill is a candidate whose source is named. Importing the same file again, or the
// group's own export, changes nothing; another group accepts the export.
func TestSkillFoldersAreImported(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	imported := []string{"skills", "import", "--dir", "testdata/skill", "-g", "ops"}
	if got := m.must(imported...); got != "Recorded: 1 run. There already: 0.\n" {
		t.Errorf("importing says %q", got)
	}
	if got := m.must(imported...); got != "Recorded: 0 runs. There already: 1.\n" {
		t.Errorf("importing again says %q", got)
	}
	list := m.must("skills", "-g", "ops", "--task", "fill a form")
	fields := strings.Fields(strings.Split(list, "\n")[1])
	if !strings.Contains(list, "Fill the form of a PDF file  candidate  1 of 1") {
		t.Fatalf("the skills are\n%s", list)
	}
	shown := m.must("skills", "show", fields[0], "-g", "ops")
	for _, want := range []string{"imported from: skill/SKILL.md", "1. Run `python scripts/fields.py form.pdf`", "2. Write the values into values.json", "Nobody has confirmed it."} {
		if !strings.Contains(shown, want) {
			t.Errorf("it does not say %q:\n%s", want, shown)
		}
	}
	if strings.Contains(shown, "reference.md") {
		t.Errorf("what is no step is one:\n%s", shown)
	}
	dir := t.TempDir()
	m.must("skills", "export", "--all", "--dir", dir, "-g", "ops")
	if got := m.must("skills", "import", "--dir", dir, "-g", "ops"); got != "Recorded: 0 runs. There already: 1.\n" {
		t.Errorf("importing what was exported says %q", got)
	}
	if got := m.must("skills", "import", "--dir", dir, "-g", "other"); got != "Recorded: 1 run. There already: 0.\n" {
		t.Errorf("importing what another group exported says %q", got)
	}
	for name, text := range map[string]string{"empty": "", "no head": "# Do it\n1. now\n", "no steps": "---\nname: a\ndescription: Do it\n---\nJust do it.\n", "no YAML": "---\nname: [\n---\n1. now\n"} {
		bad := t.TempDir()
		if err := os.WriteFile(filepath.Join(bad, "SKILL.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if o := m.run("", "skills", "import", "--dir", bad, "-g", "ops"); o.code == exitOK || !strings.Contains(o.stderr, "SKILL.md") {
			t.Errorf("%s: exit %d, %s", name, o.code, o.stderr)
		}
	}
}

// Exported skills pass the validator of agentskills.io, whatever the names of their tasks.
func TestExportedSkillsAreValid(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	python, err := fetched.Python("skills-ref==0.1.1\n", "skills_ref")
	if err != nil {
		t.Skipf("the validator of agentskills.io cannot be had here: %v", err)
	}
	m := newMemory(t)
	runs := filepath.Join(t.TempDir(), "runs.jsonl")
	var lines []string
	for _, task := range []string{"Deploy billing to staging", "Füge die Spalte „größe“ hinzu: <b>jetzt</b>", "部署", "-- \"quoted\": yes #1 --", strings.Repeat("very long ", 150)} {
		lines = append(lines, `{"task": `+strconv.Quote(task)+`, "outcome": "success", "steps": [{"tool": "shell", "arguments": "make <all> && true"}]}`)
	}
	if err := os.WriteFile(runs, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	m.must("skills", "record", runs, "-g", "ops")
	dir := t.TempDir()
	names := strings.Fields(m.must("skills", "export", "--all", "--dir", dir, "-g", "ops"))
	if len(names) != len(lines) {
		t.Errorf("exported %q, want %d", names, len(lines))
	}
	for _, name := range names {
		if said, err := exec.CommandContext(t.Context(), filepath.Join(filepath.Dir(python), "agentskills"), "validate", filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
	}
}
