package zep_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/server/zep"
)

var update = flag.Bool("update", false, "write the table of docs/zep.md anew")

const page = "../../docs/zep.md"

// The tables of docs/zep.md have every method of the official clients, with the
// request that it was seen to make, and whether that works here.
func TestTheTableOfRoutesIsCurrent(t *testing.T) {
	t.Parallel()
	checkTable(t, "/api/v2", "routes", 70, run(t, installed(t), "walk.mjs", 0))
}

func TestTheTableOfVersion4IsCurrent(t *testing.T) {
	t.Parallel()
	checkTable(t, "/api/v4", "routes of version 4", 85, runPython(t, python(t, "zep.txt", "zep_cloud"), "walk.py", 0))
}

// written is held by who reads or writes the page.
var written sync.Mutex

func checkTable(t *testing.T, root, mark string, least int, walk string) {
	t.Helper()
	table, works, called := tableOf(t, root, walk)
	if works < least {
		t.Errorf("%d routes work, not at least %d", works, least)
	}
	for _, route := range zep.Routes(root) {
		if !called[route] {
			t.Errorf("%s is a route that the client does not call", route)
		}
	}
	written.Lock()
	defer written.Unlock()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+mark+" -->\n", "<!-- /"+mark+" -->"
	before, rest, ok := strings.Cut(string(text), begin)
	now, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("%s has no table between %q and %q", page, begin, end)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+table+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(table, now); diff != "" {
		t.Errorf("%s is stale; write it anew with go test ./server/zep -run Table -update (-client +page):\n%s", page, diff)
	}
}

// request is what a method was seen to ask for.
type request struct{ Call, Method, Path string }

func walked(t *testing.T, line string) (seen request) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &seen); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return seen
}

// tableOf writes the table of what the client calls.
func tableOf(t *testing.T, root, walk string) (table string, works int, called map[string]bool) {
	t.Helper()
	called = map[string]bool{}
	var lines []string
	for line := range strings.Lines(walk) {
		seen := walked(t, line)
		path, ok := zep.RouteOf(root, seen.Method, seen.Path)
		if path == "" {
			t.Errorf("%s asks for %s %s, which is no route", seen.Call, seen.Method, seen.Path)
		}
		route := seen.Method + " " + path
		state := "501"
		if ok {
			state = "works"
			if !called[route] {
				works++
			}
		}
		called[route] = true
		lines = append(lines, fmt.Sprintf("| `%s` | `%s` | %s |\n", seen.Call, route, state))
	}
	slices.Sort(lines)
	head := fmt.Sprintf("%d of %d routes work.\n\n| method | route under `%s` | |\n|---|---|---|\n", works, len(called), root)
	return head + strings.Join(lines, ""), works, called
}
