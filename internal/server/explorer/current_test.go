package explorer_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/google/go-cmp/cmp"
)

// fetching makes tests install the packages of the build one at a time.
var fetching sync.Mutex

// sources is the source folder of the page; app is its build.
const sources = "../../../web"

// TestPageIsCurrent builds the page and compares the result. Vite makes the same files from the
// same sources on every machine.
func TestPageIsCurrent(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	room := workshop(t)
	node(t, room, "npm", "run", "-s", "build")
	built := files(t, filepath.Join(room, "..", "internal", "server", "explorer", "app"))
	if diff := cmp.Diff(names(built), names(files(t, "app"))); diff != "" {
		t.Fatalf("internal/server/explorer/app is not what web/ gives: run make web (- built, + committed)\n%s", diff)
	}
	for name, text := range files(t, "app") {
		if built[name] != text {
			t.Errorf("internal/server/explorer/app/%s is not what web/ gives: run make web", name)
		}
	}
}

// TestPagesOwnTests runs the tests of the page's own logic: the state of facts at two times and in
// lanes, the places of times on a slider, the display of texts, and that times have the service's
// words.
func TestPagesOwnTests(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	room := workshop(t)
	if err := os.WriteFile(filepath.Join(room, "test", "phrases.json"), []byte(packed(t, phrases())), 0o600); err != nil {
		t.Fatal(err)
	}
	out := node(t, room, "npm", "test", "-s", "--", "--reporter=tap-flat")
	passed := strings.Count("\n"+out, "\nok ")
	if passed < 29 || strings.Contains("\n"+out, "\nnot ok ") || strings.Contains(out, "# SKIP") {
		t.Errorf("%d tests passed, of at least 29:\n%s", passed, out)
	}
}

// workshop returns a copy of web/ with the packages that its package-lock.json pins, beside the
// files it uses from elsewhere.
func workshop(t *testing.T) string {
	t.Helper()
	needNode(t)
	room := filepath.Join(t.TempDir(), "web")
	for _, part := range []string{"src", "test", "public"} {
		if err := os.CopyFS(filepath.Join(room, part), os.DirFS(filepath.Join(sources, part))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "index.html"} {
		bring(t, filepath.Join(sources, name), filepath.Join(room, name))
	}
	types := filepath.Join("clients", "typescript", "src", "schema.ts")
	bring(t, filepath.Join("..", "..", "..", types), filepath.Join(room, "..", types))
	if err := os.Symlink(modules(t), filepath.Join(room, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return room
}

// modules returns a node_modules folder that is kept between runs.
func modules(t *testing.T) string {
	t.Helper()
	fetching.Lock()
	defer fetching.Unlock()
	pinned, err := os.ReadFile(filepath.Join(sources, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(pinned)
	dir := filepath.Join(os.TempDir(), "annals-test-web-"+hex.EncodeToString(hash[:6]))
	ready := filepath.Join(dir, "ready")
	if _, err := os.Stat(ready); err == nil {
		return filepath.Join(dir, "node_modules")
	}
	for _, name := range []string{"package.json", "package-lock.json"} {
		bring(t, filepath.Join(sources, name), filepath.Join(dir, name))
	}
	if err := fetched.Modules(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ready, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "node_modules")
}

func bring(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func node(t *testing.T, dir string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), args[0], args[1:]...)
	command.Dir, command.Env = dir, append(fetched.NPM(), "NO_COLOR=1")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// needNode skips a test if Node is missing or too old for Vite.
func needNode(t *testing.T) {
	t.Helper()
	out, _ := exec.CommandContext(t.Context(), "node", "--version").Output()
	version := strings.SplitN(strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), ".", 3)
	if len(version) == 3 {
		major, _ := strconv.Atoi(version[0])
		minor, _ := strconv.Atoi(version[1])
		if major == 20 && minor >= 19 || major == 22 && minor >= 12 || major > 22 {
			return
		}
	}
	t.Skip("the page is built by Node 20.19, 22.12 or newer, which is not here")
}

// files returns the texts of all files below a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		if short, isPacked := strings.CutSuffix(path, ".gz"); isPacked && err == nil {
			path = short
			text, err = unzipped(text)
		}
		found[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func unzipped(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func names(of map[string]string) map[string]bool {
	all := map[string]bool{}
	for name := range of {
		all[name] = true
	}
	return all
}
