package clients_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/annalsdb/annals/internal/slow"
)

var update = flag.Bool("update", false, "generate the clients anew")

// What is generated is what the service describes now.
func TestPythonIsCurrent(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	env := python(t)
	document := describe(t, newDatabase(t).serve())
	fresh := filepath.Join(t.TempDir(), "rest")
	run(t, "python", env, "python", "-B", "generate/generate.py", document, fresh)
	compare(t, fresh, "python/src/annalsdb/rest")
}

// compare holds a folder against what was generated, or with -update replaces it.
func compare(t *testing.T, fresh, folder string) {
	t.Helper()
	want, got := contents(t, fresh), contents(t, folder)
	if *update {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(folder, os.DirFS(fresh)); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name, text := range want {
		if !bytes.Equal(text, got[name]) {
			t.Errorf("%s is not what the service describes: run make clients", filepath.Join("clients", folder, name))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is of something that is gone: run make clients", filepath.Join("clients", folder, name))
		}
	}
}

// contents are the files of a folder, without what Python and ruff keep beside.
func contents(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "__pycache__" || entry.Name() == ".ruff_cache") {
			return filepath.SkipDir
		}
		if entry.IsDir() {
			return nil
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
