package clients_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/slow"
)

const oldestNode = 18

// modules is a node_modules with what package-lock.json pins, kept from run to
// run.
var modules = sync.OnceValues(func() (string, error) {
	pinned, err := os.ReadFile("typescript/package-lock.json")
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(pinned)
	dir := filepath.Join(os.TempDir(), "annals-test-node-"+hex.EncodeToString(hash[:6]))
	ready := filepath.Join(dir, "ready")
	if isFile(ready) {
		return filepath.Join(dir, "node_modules"), nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join("typescript", name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return "", err
		}
	}
	if err := fetched.Modules(dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, "node_modules"), os.WriteFile(ready, nil, 0o600)
})

func isFile(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// needNode skips a test where Node is missing.
func needNode(t *testing.T) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "node", "--version").Output()
	major, _, _ := strings.Cut(strings.TrimPrefix(string(out), "v"), ".")
	n, _ := strconv.Atoi(major)
	if _, noNPM := exec.LookPath("npm"); err != nil || noNPM != nil || n < oldestNode {
		missing(t, "Node "+strconv.Itoa(oldestNode)+" or newer with npm is not here")
	}
}

// typescript is a copy of the client with all it needs.
func typescript(t *testing.T) (dir string) {
	t.Helper()
	needNode(t)
	installed, err := modules()
	if err != nil {
		t.Fatal(err)
	}
	dir = copied(t)
	if err := os.Symlink(installed, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// copied is a copy of the client as a clone has it.
func copied(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "clients", "typescript")
	for _, part := range []string{"src", "test"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join("typescript", part))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "test", "build")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"package.json", "package-lock.json", "tsconfig.json", "README.md", "LICENSE"} {
		text, err := os.ReadFile(filepath.Join("typescript", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var counted = regexp.MustCompile(`(?m)^# (pass|fail|cancelled|skipped|todo) (\d+)$`)

func TestTypeScript(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	dir := typescript(t)
	d := newDatabase(t)
	env := append(fetched.NPM(), "ANNALS_URL="+d.serve(), "ANNALS_LIMITED_URL="+d.serve("--rate-limit", "2"), "ANNALS_API_KEY="+d.key)
	run(t, dir, env, "npm", "run", "-s", "build")
	out := run(t, dir, env, "npm", "test", "-s")
	for _, count := range counted.FindAllStringSubmatch(out, -1) {
		n, _ := strconv.Atoi(count[2])
		if count[1] == "pass" && n < 11 || count[1] != "pass" && n > 0 {
			t.Errorf("%s\n%s", count[0], out)
		}
	}
	if !strings.Contains(out, "\n# pass ") {
		t.Errorf("it does not say how many tests passed:\n%s", out)
	}
}

func TestTypeScriptIsCurrent(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	dir := typescript(t)
	run(t, dir, fetched.NPM(), "npm", "run", "-s", "generate", "--", describe(t, newDatabase(t).serve()))
	fresh, err := os.ReadFile(filepath.Join(dir, "src", "schema.ts"))
	if err != nil {
		t.Fatal(err)
	}
	const file = "typescript/src/schema.ts"
	if *update {
		if err := os.WriteFile(file, fresh, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(file); err != nil || string(kept) != string(fresh) {
		t.Errorf("clients/%s is not what the service describes: run make clients (%v)", file, err)
	}
}

// A stranger types what the page says, in a project that has nothing yet.
func TestTheFirstLinesInTypeScript(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	needNode(t)
	d := newDatabase(t)
	clone := filepath.Dir(filepath.Dir(copied(t)))
	for name, text := range map[string]string{"package.json": "{}", "first.mjs": blocks(t, "typescript.md", "ts")[0]} {
		if err := os.WriteFile(filepath.Join(clone, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := append(fetched.NPM(), "PATH="+path(d.env), "ANNALS_URL="+d.serve(), "ANNALS_DATABASE_URL="+d.url)
	out := run(t, clone, env, "sh", "-euc", blocks(t, "typescript.md", "sh")[0]+"node first.mjs")
	if want := strings.TrimSpace(blocks(t, "typescript.md", "text")[0]); !strings.HasSuffix(out, want) {
		t.Errorf("they print\n%s\nand not\n%s", out, want)
	}
}
