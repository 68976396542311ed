package clients_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/slow"
)

// packaging makes and checks packages for PyPI.
const packaging = "build==1.6.1\ntwine==7.0.0\n"

// The packages are made as a release makes them, and PyPI and npm have what they show.
func TestPackages(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	needPython(t)
	interpreter, err := fetched.Python(packaging, "build", "twine")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(typescript(t)) // a copy of clients, but for the one for Python
	if err := os.CopyFS(filepath.Join(dir, "python"), os.DirFS("python")); err != nil {
		t.Fatal(err)
	}
	env := append(fetched.NPM(), "PATH="+filepath.Dir(interpreter)+":"+os.Getenv("PATH"))
	script, err := filepath.Abs("../scripts/packages")
	if err != nil {
		t.Fatal(err)
	}
	out := run(t, dir, env, script, dir)
	if n := strings.Count(out, "PASSED"); n != 2 {
		t.Errorf("%d of 2 packages for Python pass: %s", n, out)
	}
	wheels, _ := filepath.Glob(filepath.Join(dir, "python", "dist", "*.whl"))
	if len(wheels) != 1 {
		t.Fatalf("the wheels are %s", wheels)
	}
	about := run(t, dir, env, "python", "-c", `import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
print(wheel.read(next(n for n in wheel.namelist() if n.endswith("/METADATA"))).decode())`, wheels[0])
	for _, want := range []string{"Author: The Annals authors", "Keywords: ", "Project-URL: Homepage, https://", "Description-Content-Type: text/markdown", "## Install"} {
		if !strings.Contains(about, want) {
			t.Errorf("PyPI is not told %q:\n%s", want, about)
		}
	}
	tarballs, _ := filepath.Glob(filepath.Join(dir, "typescript", "annalsdb-*.tgz"))
	if len(tarballs) != 1 {
		t.Fatalf("the packages for npm are %s", tarballs)
	}
	held := run(t, dir, env, "tar", "-tzf", tarballs[0])
	for _, want := range []string{"package/README.md", "package/LICENSE", "package/dist/index.js", "package/dist/index.d.ts"} {
		if !strings.Contains(held, want) {
			t.Errorf("npm's has no %s:\n%s", want, held)
		}
	}
	var shown struct {
		Author, Homepage string
		Keywords         []string
	}
	if err := json.Unmarshal([]byte(run(t, dir, env, "tar", "-xzOf", tarballs[0], "package/package.json")), &shown); err != nil {
		t.Fatal(err)
	}
	if shown.Author == "" || shown.Homepage == "" || len(shown.Keywords) == 0 {
		t.Errorf("npm is told %+v", shown)
	}
}

// readme is the program that the blocks of a README make, and what they print.
func readme(t *testing.T, client, language string) (program, prints string) {
	t.Helper()
	page := filepath.Join(client, "README.md")
	return strings.Join(blocksOf(t, page, language), ""), strings.TrimSpace(strings.Join(blocksOf(t, page, "text"), ""))
}

// What the page on PyPI shows is a program that prints what it says.
func TestThePageOnPyPI(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	env := python(t)
	d := newDatabase(t)
	program, want := readme(t, "python", "python")
	file := filepath.Join(t.TempDir(), "readme.py")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := run(t, ".", append(env, "ANNALS_URL="+d.serve(), "ANNALS_API_KEY="+d.key), "python", "-B", file); out != want {
		t.Errorf("it prints\n%s\nand not\n%s", out, want)
	}
}

// So is what the page on npm shows.
func TestThePageOnNPM(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	dir := typescript(t)
	d := newDatabase(t)
	program, want := readme(t, "typescript", "ts")
	if err := os.WriteFile(filepath.Join(dir, "readme.mjs"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(fetched.NPM(), "ANNALS_URL="+d.serve(), "ANNALS_API_KEY="+d.key)
	run(t, dir, env, "npm", "run", "-s", "build")
	if out := run(t, dir, env, "node", "readme.mjs"); out != want { // a package may import itself by its name
		t.Errorf("it prints\n%s\nand not\n%s", out, want)
	}
}
