package annals_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/slow"
)

// modules are the modules of a program that imports the root package. Decide deliberately on new
// ones: everybody who uses Annals downloads, links, audits and updates them.
var modules = []string{
	"github.com/annalsdb/annals",

	// PostgreSQL: connections, vectors, ids, migrations.
	"github.com/google/uuid",
	"github.com/jackc/pgpassfile",
	"github.com/jackc/pgservicefile",
	"github.com/jackc/pgx/v5",
	"github.com/jackc/puddle/v2",
	"github.com/mfridman/interpolate",
	"github.com/pgvector/pgvector-go",
	"github.com/pressly/goose/v3",
	"github.com/sethvargo/go-retry",
	"github.com/vgarvardt/pgx-google-uuid/v5",
	"github.com/x448/float16",
	"go.uber.org/multierr",
	"golang.org/x/sync",
	"golang.org/x/text",
	"golang.org/x/time",

	// Models: their clients, JSON that they got almost right, tokens.
	"github.com/cenkalti/backoff/v5",
	"github.com/dlclark/regexp2",
	"github.com/go-json-experiment/json",
	"github.com/google/jsonschema-go",
	"github.com/kaptinlin/jsonrepair",
	"github.com/pkoukk/tiktoken-go",
	"github.com/tmc/langchaingo",

	// Texts: words, sentences, stems.
	"github.com/clipperhouse/uax29/v2",
	"github.com/kljensen/snowball",

	// Traces.
	"github.com/cespare/xxhash/v2",
	"github.com/exaring/otelpgx",
	"github.com/go-logr/logr",
	"github.com/go-logr/stdr",
	"go.opentelemetry.io/auto/sdk",
	"go.opentelemetry.io/otel",
	"go.opentelemetry.io/otel/log",
	"go.opentelemetry.io/otel/metric",
	"go.opentelemetry.io/otel/trace",
}

func TestModules(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	got := strings.Fields(string(out))
	slices.Sort(got)
	if diff := cmp.Diff(slices.Sorted(slices.Values(modules)), slices.Compact(got)); diff != "" {
		t.Errorf("the modules that a program gets with Annals (-as listed +as they are):\n%s", diff)
	}
}

// maxModules is the maximum number of modules of bin/annals.
const maxModules = 80

func TestModulesOfTheProgram(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./cmd/annals").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	got := strings.Fields(string(out))
	slices.Sort(got)
	if got = slices.Compact(got); len(got) > maxModules {
		t.Errorf("the program has %d modules, want %d at the most: %v", len(got), maxModules, got)
	}
}

// required matches a line of the tables about the requirements in go.mod.
var required = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| [^|]+ \\|$")

func TestRequirementsAreExplained(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatalf("go mod edit: %v", err)
	}
	var file struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &file); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, r := range file.Require {
		if !r.Indirect { // tools are indirect
			want = append(want, r.Path)
		}
	}
	_, part, _ := strings.Cut(text(t, "docs/architecture.md"), "\n## What it requires\n")
	for _, line := range required.FindAllStringSubmatch(part, -1) {
		got = append(got, line[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/architecture.md does not list what go.mod requires directly (-go.mod +page):\n%s", diff)
	}
}

// tiny is a minimal program with Annals.
const tiny = `package main

import (
	"context"
	"log"

	"github.com/annalsdb/annals"
)

func main() {
	client, err := annals.Open(context.Background(), annals.Config{DatabaseURL: "postgres://127.0.0.1:1/none"})
	if err != nil {
		log.Fatal(err)
	}
	client.Close()
}
`

const (
	maxTiny = 25e6 // bytes of the program; standing answers make Open link the searches
	maxInit = 3e6  // bytes that it allocates before main
)

func TestTinyProgram(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "tiny")
	if err := os.WriteFile(source, []byte(tiny), 0o600); err != nil {
		t.Fatal(err)
	}
	size, start := built(t, program, source), allocatedAtStart(t, program)
	t.Logf("%.1f MB large, %.2f MB allocated before main", float64(size)/1e6, float64(start)/1e6)
	if size > maxTiny {
		t.Errorf("it is %d bytes large, want %d at the most", size, int(maxTiny))
	}
	if start > maxInit {
		t.Errorf("it allocates %d bytes before main, want %d at the most: see GODEBUG=inittrace=1", start, int(maxInit))
	}
}

// maxProgram is the maximum size of bin/annals in bytes.
const maxProgram = 50e6

// The program that 'make build' makes for a usual server stays small. 'go tool nm -size -sort size'
// lists the largest symbols of a program built without -ldflags.
func TestWeightOfTheProgram(t *testing.T) {
	slow.Test(t)
	t.Setenv("GOOS", "linux")
	t.Setenv("GOARCH", "amd64")
	size := built(t, filepath.Join(t.TempDir(), "annals"), "-ldflags=-s -w", "./cmd/annals")
	t.Logf("%.1f MB large", float64(size)/1e6)
	if size > maxProgram {
		t.Errorf("bin/annals is %d bytes large, want %d at the most", size, int(maxProgram))
	}
}

// built builds a program like a release, and returns its size in bytes.
func built(t *testing.T, program string, arguments ...string) int64 {
	t.Helper()
	build := exec.CommandContext(t.Context(), "go", append([]string{"build", "-trimpath", "-o", program}, arguments...)...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v: %s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// allocatedAtStart returns the bytes that a program's packages allocate before main.
func allocatedAtStart(t *testing.T, program string) int {
	t.Helper()
	run := exec.CommandContext(t.Context(), program)
	run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said bytes.Buffer
	run.Stderr = &said
	_ = run.Run() // it finds no database
	total, packages := 0, 0
	for line := range strings.Lines(said.String()) {
		var name string
		var at, clock float64
		var allocated int
		if _, err := fmt.Sscanf(line, "init %s @%f ms, %f ms clock, %d bytes", &name, &at, &clock, &allocated); err == nil {
			total, packages = total+allocated, packages+1
		}
	}
	if packages < 100 {
		t.Fatalf("%d packages told what they allocate:\n%s", packages, said.String())
	}
	return total
}
