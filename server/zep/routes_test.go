package zep_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/server/zep"
)

var update = flag.Bool("update", false, "write the table of docs/zep.md anew")

const (
	page       = "../../docs/zep.md"
	tableBegin = "<!-- routes -->\n"
	tableEnd   = "<!-- /routes -->"
)

// The table of docs/zep.md has every method of the official client, with the
// request that it was seen to make, and whether that works here.
func TestTheTableOfRoutesIsCurrent(t *testing.T) {
	t.Parallel()
	table, works, called := tableOf(t, run(t, installed(t), "walk.mjs", 0))
	if works < 70 {
		t.Errorf("%d routes work, not at least 70", works)
	}
	for _, route := range zep.Routes() {
		if !called[route] {
			t.Errorf("%s is a route that the client does not call", route)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegin)
	written, after, ended := strings.Cut(rest, tableEnd)
	if !ok || !ended {
		t.Fatalf("%s has no table between %q and %q", page, tableBegin, tableEnd)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+tableBegin+table+tableEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(table, written); diff != "" {
		t.Errorf("%s is stale; write it anew with go test ./server/zep -run Table -update (-client +page):\n%s", page, diff)
	}
}

// tableOf writes the table of what the client calls.
func tableOf(t *testing.T, walked string) (table string, works int, called map[string]bool) {
	t.Helper()
	called = map[string]bool{}
	var lines []string
	for line := range strings.Lines(walked) {
		var seen struct{ Call, Method, Path string }
		if err := json.Unmarshal([]byte(line), &seen); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		path, ok := zep.RouteOf(seen.Method, seen.Path)
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
	head := fmt.Sprintf("%d of %d routes work.\n\n| method | route under `/api/v2` | |\n|---|---|---|\n", works, len(called))
	return head + strings.Join(lines, ""), works, called
}
