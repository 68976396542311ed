package clients_test

import (
	"fmt"
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

const oldestPython = "3.11"

// venv is a virtual environment with what clients/python/requirements.txt pins,
// kept from run to run, and beside them the client as it is now.
var venv = sync.OnceValues(func() (string, error) {
	pinned, err := os.ReadFile("python/requirements.txt")
	if err != nil {
		return "", err
	}
	interpreter, err := fetched.Python(string(pinned))
	if err != nil {
		return "", err
	}
	install := exec.Command(interpreter, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", "--no-build-isolation", "./python")
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("install the client: %w\n%s", err, out)
	}
	return filepath.Dir(filepath.Dir(interpreter)), nil
})

// needPython skips a test where Python is missing.
func needPython(t *testing.T) {
	t.Helper()
	major, minor, _ := strings.Cut(oldestPython, ".")
	look := "import sys, venv, ensurepip; sys.exit(sys.version_info < (" + major + ", " + minor + "))"
	if err := exec.CommandContext(t.Context(), "python3", "-c", look).Run(); err != nil {
		missing(t, "Python "+oldestPython+" or newer with venv is not here")
	}
}

// python is the environment of programs with the client for Python.
func python(t *testing.T) []string {
	t.Helper()
	slow.Test(t)
	needPython(t)
	dir, err := venv()
	if err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
}

var passed = regexp.MustCompile(`(?m)^(\d+) passed in `)

func TestPython(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	env := python(t)
	d := newDatabase(t)
	env = append(env, "ANNALS_URL="+d.serve(), "ANNALS_LIMITED_URL="+d.serve("--rate-limit", "2"), "ANNALS_API_KEY="+d.key)
	out := run(t, "python", env, "python", "-B", "-m", "pytest")
	count := passed.FindStringSubmatch(out) // with anything skipped or failed it says so before
	if count == nil {
		t.Fatalf("not all tests of the client passed:\n%s", out)
	}
	if n, _ := strconv.Atoi(count[1]); n < 50 {
		t.Errorf("%d tests only", n)
	}
	t.Log(count[0])
}

// What is written by hand is typed to the last, and so are its tests.
func TestPythonIsTyped(t *testing.T) {
	t.Parallel()
	env := python(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("python")); err != nil { // mypy is to see this one, and not the one that is installed
		t.Fatal(err)
	}
	cache, err := venv()
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, env, "mypy", "--cache-dir", filepath.Join(cache, "mypy"))
	run(t, dir, env, "ruff", "check", "--no-cache")
	run(t, dir, env, "ruff", "format", "--no-cache", "--check")
}

// A stranger types what the page says, in an environment that has nothing yet.
func TestTheFirstSixLinesInPython(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	needPython(t)
	d := newDatabase(t)
	dir := filepath.Join(t.TempDir(), "venv")
	run(t, ".", os.Environ(), "python3", "-m", "venv", dir)
	install, program := blocks(t, "python.md", "sh")[0], blocks(t, "python.md", "python")[0]
	if n := len(lines(install)) - 1 + len(lines(program)); n != 6 { // but for the key
		t.Errorf("they are %d lines:\n%s%s", n, install, program)
	}
	script := filepath.Join(t.TempDir(), "first.py")
	if err := os.WriteFile(script, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(d.env, "PATH="+filepath.Join(dir, "bin")+":"+path(d.env), "ANNALS_URL="+d.serve())
	out := run(t, "..", env, "sh", "-euc", install+"python "+script)
	if want := strings.TrimSpace(blocks(t, "python.md", "text")[0]); !strings.HasSuffix(out, want) {
		t.Errorf("they print\n%s\nand not\n%s", out, want)
	}
}
