package annals_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/annalsdb/annals"

// may says which folders a folder may import; "." is the root package. What is
// below a folder follows it unless it stands here itself.
var may = map[string][]string{
	"temporal":       {},
	"graph":          {"temporal"},
	"model":          {"graph", "temporal"},
	"prompts":        {"graph", "temporal"},
	"migrations":     {"graph", "temporal"},
	"postgres":       {"graph"},
	"db":             {"graph", "temporal", "model", "prompts", "migrations"},
	"retrieval":      {"graph", "temporal", "model", "prompts", "db"},
	"engine":         {"graph", "temporal", "model", "prompts", "db", "retrieval"},
	"engine/offline": {"graph", "temporal", "prompts"},
	".":              {"graph", "temporal", "model", "db", "retrieval", "engine"},
	"eval":           {".", "graph", "temporal"},
	"testdata":       {},
	"internal":       {"graph", "migrations", "postgres"},
	"cmd":            {".", "graph", "temporal", "model", "migrations", "postgres", "eval", "testdata", "engine", "retrieval"},
}

// violations lists the imports that may does not allow. imports has the
// folders of packages by the folder that imports them.
func violations(imports map[string][]string) []string {
	var found []string
	for from, tos := range imports {
		folder, ok := ruled(from)
		if !ok {
			found = append(found, fmt.Sprintf("%s has no place: say in the table what it may import", from))
			continue
		}
		for _, to := range tos {
			target, _ := ruled(to)
			if top(target) != top(folder) && !slices.Contains(may[folder], top(target)) {
				found = append(found, fmt.Sprintf("%s imports %s", from, to))
			}
		}
	}
	slices.Sort(found)
	return found
}

// ruled is the longest part of a folder that has a rule.
func ruled(folder string) (string, bool) {
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, ok := may[dir]; ok && (dir != "." || folder == ".") {
			return dir, true
		}
		if dir == "." {
			return folder, false
		}
	}
}

func top(folder string) string { return strings.SplitN(folder, "/", 2)[0] }

func TestViolationsAreFound(t *testing.T) {
	t.Parallel()
	got := violations(map[string][]string{
		"graph":          {"temporal", "db"},
		"engine":         {"retrieval", "engine/offline", "cmd/annals"},
		"engine/offline": {"prompts", "db"},
		"utils":          {},
	})
	want := []string{
		"engine imports cmd/annals", "engine/offline imports db", "graph imports db",
		"utils has no place: say in the table what it may import",
	}
	if !slices.Equal(got, want) {
		t.Errorf("violations = %q, want %q", got, want)
	}
}

func TestArrows(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	external := map[string][]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		from := folderOf(p.ImportPath)
		imports[from] = nil
		for _, to := range p.Imports {
			if strings.HasPrefix(to, module) {
				imports[from] = append(imports[from], folderOf(to))
			} else {
				external[to] = append(external[to], from)
			}
		}
	}
	for _, violation := range violations(imports) {
		t.Error(violation)
	}
	for path, users := range external {
		for _, user := range users {
			if strings.Contains(path, "langchaingo") && top(user) != "model" {
				t.Errorf("%s imports %s; only model speaks to models", user, path)
			}
		}
	}
}

func folderOf(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

var (
	environment = regexp.MustCompile(`\bos\.(?:Getenv|LookupEnv|Environ)\b|"github\.com/caarlos0/env`)
	statement   = regexp.MustCompile("[\"`]\\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE|ALTER|DROP)\\s")
)

// Only cmd reads the environment, and SQL stands in queries, migrations and
// what sqlc makes of them.
func TestWhereThingsStand(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		folder := top(filepath.ToSlash(path))
		if environment.Match(text) && folder != "cmd" && folder != "internal" {
			t.Errorf("%s reads the environment", path)
		}
		if statement.Match(text) && folder != "db" && folder != "migrations" {
			t.Errorf("%s holds SQL", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
