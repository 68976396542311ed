package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// explored is a running 'annals explore'.
type explored struct {
	t    *testing.T
	link *url.URL
	key  string
}

func startExploring(t *testing.T, m *memory, args ...string) explored {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	output, stdout := io.Pipe()
	var log strings.Builder
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"explore", "--no-browser"}, args...), strings.NewReader(""), stdout, &log, m.environ)
		_ = stdout.Close()
	}()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		stop()
		if code := <-ended; code != exitOK {
			t.Errorf("it ended with %d: %s", code, log.String())
		}
	})
	lines := bufio.NewScanner(output)
	if !lines.Scan() {
		t.Fatalf("it says nothing: %s", log.String())
	}
	link, err := url.Parse(lines.Text())
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, output) }()
	return explored{t: t, link: link}
}

func (e *explored) send(method, path, body string) (int, string) {
	e.t.Helper()
	request, err := http.NewRequestWithContext(e.t.Context(), method, "http://"+e.link.Host+path, strings.NewReader(body))
	if err != nil {
		e.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if e.key != "" {
		request.Header.Set("Authorization", "Bearer "+e.key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		e.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		e.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// signIn uses the link's code, as the page does.
func (e *explored) signIn() {
	e.t.Helper()
	code, ok := strings.CutPrefix(e.link.Fragment, "code=")
	if !ok || e.link.RawQuery != "" || e.link.Hostname() != "127.0.0.1" {
		e.t.Fatalf("the link is %s", e.link)
	}
	status, text := e.send("POST", "/explore/sign-in", `{"code": "`+code+`"}`)
	var signed struct{ Key string }
	if err := json.Unmarshal([]byte(text), &signed); err != nil || status != http.StatusOK {
		e.t.Fatalf("signing in: %d %s (%v)", status, text, err)
	}
	e.key = signed.Key
}

func TestExploreSignsIn(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "alice", "--actor", "Alice", "I live in Paris.")
	e := startExploring(t, m, "--group", "alice")
	if e.link.Path != "/explore/alice" {
		t.Errorf("the link leads to %s", e.link.Path)
	}
	for path, want := range map[string]int{e.link.Path: http.StatusOK, "/v1/whoami": http.StatusUnauthorized} {
		if status, _ := e.send("GET", path, ""); status != want {
			t.Errorf("%s without a key: %d", path, status)
		}
	}
	e.signIn()
	if status, text := e.send("GET", "/v1/groups/alice/graph", ""); status != http.StatusOK || !strings.Contains(text, "Alice lives in Paris.") {
		t.Errorf("the graph: %d %s", status, text)
	}
	if status, text := e.send("POST", "/v1/groups/alice/facts", `{"source": "Alice", "predicate": "KNOWS", "target": "Bob"}`); status != http.StatusCreated {
		t.Errorf("adding a fact: %d %s", status, text)
	}
}

func TestExploreReadOnly(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "alice", "--actor", "Alice", "I live in Paris.")
	e := startExploring(t, m, "--read-only")
	if e.link.Path != "/" {
		t.Errorf("the link leads to %s", e.link.Path)
	}
	e.signIn()
	if status, text := e.send("GET", "/v1/whoami", ""); status != http.StatusOK || !strings.Contains(text, `"rights":"read"`) {
		t.Errorf("the key is %d %s", status, text)
	}
	if status, text := e.send("POST", "/v1/groups/alice/facts", `{"source": "Alice", "predicate": "KNOWS", "target": "Bob"}`); status != http.StatusForbidden {
		t.Errorf("adding a fact: %d %s", status, text)
	}
}

func TestExploreRefusesWhatCannotBe(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.run("", "explore", "--port", "70000").failsWith(t, "0 to 65535")
}

// A dry run and a why report, and change nothing.
func TestWhyAndDryRun(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "alice", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	m.must("add", "-g", "alice", "--actor", "Alice", "--occurred-at", "2024-03-15", "I moved to Lisbon last week.")
	var facts struct {
		Facts []struct {
			ID       string
			Fact     string
			Episodes []string
		}
	}
	m.read(&facts, "facts", "-g", "alice")
	paris, lisbon := facts.Facts[0], facts.Facts[1]
	if got := m.must("search", "-g", "alice", "--why", paris.ID, "--why", "Lisbon", "Where does Alice live?"); !strings.Contains(got, "ended: It has ended") ||
		!strings.Contains(got, "It is found: number") {
		t.Errorf("why: %s", got)
	}
	var why struct {
		Expected []struct{ Found bool }
	}
	m.read(&why, "search", "-g", "alice", "--why", lisbon.ID, "Where did Alice move?")
	if len(why.Expected) != 1 || !why.Expected[0].Found {
		t.Errorf("why, in JSON: %+v", why)
	}
	for _, args := range [][]string{{"undo", lisbon.Episodes[0]}, {"erase", "--episode", lisbon.Episodes[0]}, {"erase", "--entity", "Lisbon"}} {
		o := m.run("", append(args, "-g", "alice", "--dry-run")...)
		if o.code != exitOK || !strings.Contains(o.stdout, "fact reopened") || !strings.Contains(o.stdout, "fact withdrawn") || !strings.Contains(o.stderr, "Nothing was done") {
			t.Errorf("annals %q --dry-run: %+v", args, o)
		}
	}
	whole := m.run("", "erase", "-g", "alice", "--dry-run")
	if !strings.Contains(whole.stderr, "Nothing was done") {
		t.Errorf("annals erase --dry-run of a group: %+v", whole)
	}
	after := facts
	m.read(&after, "facts", "-g", "alice")
	if len(after.Facts) != 2 {
		t.Errorf("after dry runs there are %+v", after)
	}
	certificate := m.must("erase", "-g", "alice", "--yes")
	for _, table := range []string{"episodes", "facts", "facts_history", "entities", "mentions", "groups"} {
		line := regexp.MustCompile(`(?m)^(rows of )?` + table + ` +(\d+)$`)
		would, did := line.FindStringSubmatch(whole.stdout), line.FindStringSubmatch(certificate)
		if would == nil || did == nil || would[2] != did[2] {
			t.Errorf("of %s it would be %q and was %q: %s", table, would, did, whole.stdout)
		}
	}
}
