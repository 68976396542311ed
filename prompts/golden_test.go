package prompts_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/prompts"
)

var update = flag.Bool("update", false, "write the rendered prompts to testdata; a changed system text needs a new version")

// A golden file holds a prompt as Show renders it, and is named by the prompt's name and version.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range prompts.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, ok := prompts.Show(name)
			if !ok {
				t.Fatalf("Show(%q) knows nothing of a name that Names lists", name)
			}
			path := filepath.Join("testdata", name+".golden")
			pinned, err := os.ReadFile(path)
			if err != nil && !(*update && errors.Is(err, fs.ErrNotExist)) {
				t.Fatalf("%v: write it with: go test ./prompts -update", err)
			}
			comparePinned(t, path, string(pinned), p)
		})
	}
}

func comparePinned(t *testing.T, path, pinned string, p prompts.Prompt) {
	t.Helper()
	rendered := fmt.Sprintf("%s version %d\n\n--- system\n%s\n--- user\n%s\n", p.Name, p.Version, p.System, p.User)
	if rendered == pinned {
		return
	}
	oldTitle, old, _ := strings.Cut(pinned, "\n")
	title, now, _ := strings.Cut(rendered, "\n")
	if oldTitle == title && old != now {
		t.Fatalf("the words of %s changed but not its version: raise it, then run go test ./prompts -update (-pinned +now):\n%s",
			title, cmp.Diff(pinned, rendered))
	}
	if !*update {
		t.Fatalf("%s pins another version: run go test ./prompts -update (-pinned +now):\n%s", path, cmp.Diff(pinned, rendered))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(rendered), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestGoldenFilesHaveAPrompt(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "*.golden"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".golden"); !slices.Contains(prompts.Names(), name) {
			t.Errorf("%s pins a prompt that is no more: delete it", file)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	names := prompts.Names()
	if !slices.IsSorted(names) {
		t.Errorf("Names are not sorted: %v", names)
	}
	for _, name := range names {
		p, _ := prompts.Show(name)
		if name != p.Name && !strings.HasPrefix(name, p.Name+"_") {
			t.Errorf("%s shows the prompt %s", name, p.Name)
		}
	}
	if _, ok := prompts.Show("extract_dreams"); ok {
		t.Error("Show knows a prompt that Names does not list")
	}
}

// Small models lose track of long instructions, and each question pays for them.
func TestSystemStaysShort(t *testing.T) {
	t.Parallel()
	const limit = 3250
	for _, name := range prompts.Names() {
		p, _ := prompts.Show(name)
		t.Logf("%-24s %4d bytes", name, len(p.System))
		if len(p.System) > limit {
			t.Errorf("the system text of %s has %d bytes; the limit is %d", name, len(p.System), limit)
		}
	}
}
