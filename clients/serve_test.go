package clients_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/program"
)

// database is a database of Annals with the programs that work on it.
type database struct {
	t   *testing.T
	url string
	env []string // with the program in PATH
	key string
}

func newDatabase(t *testing.T) *database {
	t.Helper()
	dir := filepath.Dir(program.Annals(t))
	d := &database{t: t, url: pgtest.New(t)}
	d.env = append(os.Environ(), "ANNALS_DATABASE_URL="+d.url, "PATH="+dir+":"+os.Getenv("PATH"))
	d.key = d.run(".", "annals", "keys", "create", "--admin")
	return d
}

// run runs a program and returns what it prints.
func (d *database) run(dir, name string, args ...string) string {
	d.t.Helper()
	return run(d.t, dir, d.env, name, args...)
}

func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, found(name, env), args...)
	cmd.Dir, cmd.Env = dir, env
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, out, problem.String())
	}
	return strings.TrimSpace(string(out))
}

// found is where an environment, whose last PATH counts, has a program.
func found(name string, env []string) string {
	for _, dir := range filepath.SplitList(path(env)) {
		if file := filepath.Join(dir, name); isProgram(file) {
			return file
		}
	}
	return name
}

func path(env []string) (last string) {
	for _, variable := range env {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			last = path
		}
	}
	return last
}

func isProgram(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.IsDir() && info.Mode()&0o111 != 0
}

var announced = regexp.MustCompile(`Annals serves on (http://[^;]+);`)

// serve runs annals serve on a free port until the test ends.
func (d *database) serve(flags ...string) (url string) {
	d.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, found("annals", d.env), append([]string{"serve", "--listen", "127.0.0.1:0"}, flags...)...)
	cmd.Env = d.env
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		stop()
		if err := cmd.Wait(); err != nil && ctx.Err() == nil {
			d.t.Errorf("annals serve: %v", err)
		}
		_ = in.Close()
	})
	lines := bufio.NewScanner(out)
	var said strings.Builder
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if address := announced.FindStringSubmatch(lines.Text()); address != nil {
			go io.Copy(io.Discard, out)
			return address[1]
		}
	}
	d.t.Fatalf("annals serve does not say where it serves:\n%s", said.String())
	return ""
}

// describe keeps the OpenAPI document of a service in a file.
func describe(t *testing.T, url string) (file string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/openapi.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// missing skips a test for want of a language, and fails it in CI, which has all.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s; scripts/languages installs it", what)
	}
	t.Skip(what)
}
