package zep_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/slow"
)

var update = flag.Bool("update", false, "write the tables of docs/zep-routes.md anew")

const page = "../../../docs/zep-routes.md"

// The tables of docs/zep-routes.md have every method of the official clients, with the request that
// it makes, and whether that works here.
func TestTheTableOfRoutesIsCurrent(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	dir := installed(t)
	table, called := tableOf(t, "/api/v2", 70, run(t, dir, "walk.mjs", 0))
	checkTable(t, "routes", table)
	_, former := tableOf(t, "/api/v2", 20, run(t, dir, "walk.mjs", 0, "ZEP_CLIENT=zep-cloud-2"))
	maps.Copy(called, former)
	allCalled(t, "/api/v2", called)
}

// Every method of version 3 for Python works, or gets 501.
func TestEveryMethodOfVersion3InPython(t *testing.T) {
	t.Parallel()
	lived := live(t, "zep3.txt")
	for call, outcomes := range lived {
		for _, o := range outcomes {
			if _, works := zep.RouteOf("/api/v2", o.Method, o.Path); works != (o.Outcome == "works") || !works && o.Outcome != "501" {
				t.Errorf("%s %s: %s", call, o.For, o.Outcome)
			}
		}
	}
	counted := count(lived)
	if counted["works"] < 80 {
		t.Errorf("%v; at least 80 are to work", counted)
	}
	checkTable(t, "version 3 in Python", fmt.Sprintf("Of %d methods of the client for Python, %d work, and %d are 501.\n", len(lived), counted["works"], counted["501"]))
}

func TestTheTableOfVersion4IsCurrent(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	table, called := tableOf(t, "/api/v4", 107, runPython(t, python(t, "zep.txt", "zep_cloud"), "walk.py", 0))
	checkTable(t, "routes of version 4", table)
	allCalled(t, "/api/v4", called)
}

// Version 2 uses /api/v2 as version 3 does, but has sessions, groups and collections. Its clients
// for both languages make the same calls.
func TestTheTableOfVersion2IsCurrent(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	inNode := map[string]string{}
	for line := range strings.Lines(run(t, installed(t), "walk.mjs", 0, "ZEP_CLIENT=zep-cloud-2")) {
		seen := walked(t, line)
		inNode[snake(seen.Call)] = seen.Method + " " + route(t, seen)
	}
	lived := live(t, "zep2.txt")
	var lines []string
	for call, outcomes := range lived {
		asked := outcomes[0].Method + " " + route(t, outcomes[0].request)
		if other, ok := inNode[call]; !ok || other != asked {
			t.Errorf("%s asks for %s in Python, and for %q in Node", call, asked, other)
		}
		lines = append(lines, fmt.Sprintf("| `%s` | `%s` | %s |\n", call, asked, state(outcomes)))
	}
	for call := range inNode {
		if lived[call] == nil {
			t.Errorf("%s is in the client for Node alone", call)
		}
	}
	slices.Sort(lines)
	counted := count(lived)
	if counted["works"] < 18 {
		t.Errorf("%v; at least 18 are to work", counted)
	}
	checkTable(t, "methods of version 2", fmt.Sprintf("Of %d methods, %d work, %d work in part and %d are 501.\n\n| method | route under `/api/v2` | |\n|---|---|---|\n",
		len(lived), counted["works"], counted["in part"], counted["501"])+strings.Join(lines, ""))
}

// outcome is the result of a call: "works", "501" or an error. For says how the method was called.
type outcome struct {
	request
	Outcome, For string
}

// live calls every method of a Python client against a service of its own.
func live(t *testing.T, list string) map[string][]outcome {
	t.Helper()
	if !slow.Long() {
		t.Skip("each method is tried on users and graphs of its own, which takes a minute: ANNALS_TEST_LONG=1 does so")
	}
	interpreter, s := python(t, list, "zep_cloud"), serve(t)
	all := map[string][]outcome{}
	for line := range strings.Lines(runPython(t, interpreter, "live.py", 0, "ZEP_API_URL="+s.base(), "ZEP_API_KEY="+s.key(t, "acme:*"))) {
		var o outcome
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all[o.Call] = append(all[o.Call], o)
	}
	return all
}

// state returns the result of all calls of a method. If some are refused with 400, it says how they
// were made.
func state(outcomes []outcome) string {
	var worked bool
	var refused []string
	for _, o := range outcomes {
		if o.Outcome == "works" {
			worked = true
		} else {
			refused = append(refused, strings.TrimSpace(given.FindString(o.For)+" "+o.Outcome))
		}
	}
	switch {
	case len(refused) == 0:
		return "works"
	case worked:
		return "works; differs: `" + strings.Join(refused, "`, `") + "`"
	case !slices.ContainsFunc(outcomes, func(o outcome) bool { return o.Outcome != "501" }):
		return "501"
	}
	return "differs: " + strings.Join(refused, ", ")
}

// given matches the argument that names a memory.
var given = regexp.MustCompile(`\w*(user|graph|group)_id`)

// count counts the methods in each state.
func count(lived map[string][]outcome) map[string]int {
	n := map[string]int{}
	for _, outcomes := range lived {
		if s := state(outcomes); strings.HasPrefix(s, "works;") {
			n["in part"]++
		} else {
			n[s]++
		}
	}
	return n
}

var capital = regexp.MustCompile(`[A-Z]`)

// snake returns the Python name of a method.
func snake(name string) string {
	return capital.ReplaceAllStringFunc(name, func(s string) string { return "_" + strings.ToLower(s) })
}

// route returns the route of a request.
func route(t *testing.T, r request) string {
	t.Helper()
	path, _ := zep.RouteOf("/api/v2", r.Method, r.Path)
	if path == "" {
		t.Errorf("%s asks for %s %s, which is no route", r.Call, r.Method, r.Path)
	}
	return path
}

// written is locked while the page is read or written.
var written sync.Mutex

// checkTable compares the text between two marks of the page with the table, or writes it.
func checkTable(t *testing.T, mark, table string) {
	t.Helper()
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
		t.Errorf("%s is stale; write it anew with go test ./internal/server/zep -run Table -update (-client +page):\n%s", page, diff)
	}
}

// request is a request that a method made.
type request struct{ Call, Method, Path string }

func walked(t *testing.T, line string) (seen request) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &seen); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return seen
}

// tableOf returns the table of the client's calls, of which at least some number of routes must
// work.
func tableOf(t *testing.T, root string, least int, walk string) (table string, called map[string]bool) {
	t.Helper()
	called = map[string]bool{}
	var works int
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
	if works < least {
		t.Errorf("%d routes work, not at least %d", works, least)
	}
	head := fmt.Sprintf("%d of %d routes work.\n\n| method | route under `%s` | |\n|---|---|---|\n", works, len(called), root)
	return head + strings.Join(lines, ""), called
}

// allCalled fails for each route that no client calls.
func allCalled(t *testing.T, root string, called map[string]bool) {
	t.Helper()
	for _, route := range zep.Routes(root) {
		if !called[route] {
			t.Errorf("%s is a route that no client calls", route)
		}
	}
}
