package skillfile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// put writes a SKILL.md into its own folder.
func put(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func only(t *testing.T, dir string) Found {
	t.Helper()
	found, err := Read(dir)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %+v, %v; want one", dir, found, err)
	}
	return found[0]
}

// Repeated exports of a skill have the same external id, whatever its counts.
func TestAnExportIsTheSameSkill(t *testing.T) {
	t.Parallel()
	skill := annals.Skill{GroupID: "ops", Name: "Deploy billing", Tasks: []string{"Deploy billing"}, Steps: []string{"git pull", "./deploy.sh"}, State: "confirmed", Successes: 1, ValidAt: time.Unix(0, 0)}
	var ids []string
	for range 2 {
		dir := t.TempDir()
		if _, err := Write(dir, "ops", []annals.Skill{skill}); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, only(t, dir).ExternalID)
		skill.Successes++
		skill.Tasks = append(skill.Tasks, "Roll out billing")
	}
	if ids[0] != ids[1] {
		t.Errorf("the second export is another: %q", ids)
	}
	for _, changed := range []annals.Skill{{GroupID: "ops", Name: skill.Name, Steps: []string{"git pull"}}, {GroupID: "ops", Name: "Deploy", Steps: skill.Steps}} {
		dir := t.TempDir()
		if _, err := Write(dir, "ops", []annals.Skill{changed}); err != nil {
			t.Fatal(err)
		}
		if only(t, dir).ExternalID == ids[0] {
			t.Errorf("%+v is taken for the same", changed)
		}
	}
}

// A second export names the folders of the first that have no skill any more. It leaves
// those of other groups and origins alone.
func TestFoldersOfEarlierExports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(group string, fails bool, names ...string) Written {
		t.Helper()
		var skills []annals.Skill
		for i, name := range names {
			skills = append(skills, annals.Skill{GroupID: group, SkillID: uuid.UUID{byte(i)}, Name: name, Tasks: []string{name}, Steps: []string{"go"}})
		}
		written, err := Write(dir, group, skills)
		if (err != nil) != fails {
			t.Errorf("writing %q for %s: %v", names, group, err)
		}
		return written
	}
	write("ops", false, "Deploy", "Cut a release")
	put(t, filepath.Join(dir, "theirs"), "---\nname: theirs\ndescription: Do it\n---\n1. go\n")
	write("others", false, "Paint")
	write("others", true, "Deploy")
	want := Written{Names: []string{"ship-it", "cut-a-release"}, Left: []string{"deploy"}}
	if diff := cmp.Diff(want, write("ops", false, "Ship it", "Cut a release")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want = Written{Names: []string{}, Left: []string{"cut-a-release", "deploy", "ship-it"}}
	if diff := cmp.Diff(want, write("ops", false)); diff != "" {
		t.Errorf("of nothing (-want +got):\n%s", diff)
	}
}

// The steps come from the list under their heading, whatever other lists the file has. The
// task is the first sentence.
func TestStepsAndTaskOfAFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body string
		want []string
	}{
		{"## When\n1. user asks\n## Steps\n- run x\n- run y\n## See also\n- z\n", []string{"run x", "run y"}},
		{"# Instructions:\n\n### First\n1. a\n```\n# remark\n```\n### Then\n2. b\n", []string{"a", "b"}},
		{"- note\n## workflow\n1. a\n- b\n", []string{"a"}},
		{"- note\n1. a\n## Steps\nSee above.\n", []string{"a"}},
		{"## Next steps\n- a\n## Rest\n* b\n", []string{"a", "b"}},
	} {
		dir := t.TempDir()
		put(t, dir, "---\nname: pdf\ndescription: Read PDFs, e.g. forms of them. Use it for all.\n---\n"+tt.body)
		found := only(t, dir)
		var got []string
		for _, step := range found.Run.Steps {
			got = append(got, step.Action)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.body, diff)
		}
		if want := "Read PDFs, e.g. forms of them"; found.Run.Task != want {
			t.Errorf("the task is %q, want %q", found.Run.Task, want)
		}
	}
}

// A folder of any name is read. A file that is no SKILL.md is refused unread.
func TestWhatIsRead(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a[b]")
	put(t, filepath.Join(dir, "x"), "---\nname: x\ndescription: Do x\n---\n1. a\n")
	only(t, dir)
	linked := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "x"), filepath.Join(linked, "x")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	only(t, linked)
	for name, put := range map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"device": func(path string) error { return os.Symlink(os.DevNull, path) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"large":  func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("x", maxFile+1)), 0o600) },
	} {
		dir := t.TempDir()
		if err := put(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir); graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("a %s: %v", name, err)
		}
	}
	if _, err := Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("an empty folder: %v", err)
	}
}
