package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
)

// Every read can go back to what was believed, and the diff shows the changes.
func TestWhatWasBelieved(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s = s.as(s.newKey("alice"))
	const group = "/v1/groups/alice"
	before := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	s.told("alice")
	known := time.Now().UTC().Format(time.RFC3339Nano)
	s.must(http.StatusOK, nil, "PATCH", group+"/entities/Alice", `{"name": "Alice Martin"}`)
	for path, want := range map[string]string{
		"/entities?known_at=" + before:                 `"entities":[]`,
		"/entities?known_at=" + known:                  `"name":"Alice"`,
		"/entities?as_of=2022-01-01":                   `"entities":[]`,
		"/entities/Alice?known_at=" + known:            `"name":"Alice"`,
		"/entities/Alice":                              `"name":"Alice Martin"`,
		"/entities/Alice/history":                      `"known_until":null`,
		"/timeline?as_of=2023-06-01":                   `"event":"began"`,
		"/timeline?known_at=" + before:                 `"changes":[]`,
		"/lanes":                                       `"name":"home"`,
		"/lanes?entity=Alice&relation=employer":        `"lanes":[]`,
		"/lanes?relation=LIVES_IN":                     `"label":"Paris"`,
		"/communities?known_at=" + before:              `"communities":[]`,
		"/diff?from=" + before:                         `"change":"added"`,
		"/diff?from=" + known:                          `"change":"renamed"`,
		"/diff?from=" + before + "&to=" + known:        `"facts":[{"change":"added"`,
		"/facts?entity=Alice&known_at=" + known:        "lives in Paris",
		"/search?query=Alice&scopes=entity&limit=1":    `"group_id":"alice"`,
		"/search?query=where+does+Alice+live&limit=10": `"threads":[]`,
	} {
		if a := s.must(http.StatusOK, nil, "GET", group+path, ""); !strings.Contains(string(a.body), want) {
			t.Errorf("%s has no %s: %s", path, want, a.body)
		}
	}
	s.must(http.StatusNotFound, nil, "GET", group+"/entities/Alice?known_at="+before, "")
	s.must(http.StatusNotFound, nil, "GET", group+"/lanes?entity=Nobody", "")
	for _, path := range []string{"/diff", "/diff?from=soon", "/diff?from=2024-01-02&to=2024-01-01", "/timeline?as_of=soon", "/entities?known_at=soon", "/lanes?max_facts=9999"} {
		s.must(http.StatusUnprocessableEntity, nil, "GET", group+path, "")
	}
}

// A search includes further groups if the key may use them all.
func TestSearchOfSeveralGroups(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	for _, group := range []string{"alice", "bob", "carol"} {
		s.must(http.StatusCreated, nil, "POST", "/v1/groups/"+group+"/facts", `{"source": "`+group+`", "predicate": "DRINKS", "target": "tea"}`)
	}
	const body = `{"query": "who drinks tea", "scopes": ["fact"], "also_in": ["bob"]}`
	for key, want := range map[string]int{staticKey: 200, s.newKey("alice", "bob"): 200, s.newKey("alice"): 404, s.newKey("alice", "carol"): 404} {
		for _, path := range []string{"/search", "/context"} {
			a := s.as(key).must(want, nil, "POST", "/v1/groups/alice"+path, body)
			if text := string(a.body); strings.Contains(text, "carol") || strings.Contains(text, "bob DRINKS") != (want == 200) && strings.Contains(text, "bob drinks") != (want == 200) {
				t.Errorf("%s of alice and bob finds %s", path, text)
			}
			a = s.as(key).must(want, nil, "GET", "/v1/groups/alice"+path+"?query=tea&also_in=bob", "")
			if want == 200 && path == "/search" && !strings.Contains(string(a.body), `"group_id":"bob"`) {
				t.Errorf("it does not say whose it is: %s", a.body)
			}
		}
	}
}

func TestExportAndImport(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s.told("alice")
	s = s.as(s.newKey("alice", "copy"))
	exported := s.must(http.StatusOK, nil, "GET", "/v1/groups/alice/export", "")
	if kind := exported.header.Get("Content-Type"); kind != lines {
		t.Errorf("an export is %s", kind)
	}
	var moved struct {
		Group  string
		SHA256 string
		Rows   map[string]int
	}
	text := string(exported.body)
	damaged := strings.Replace(text, "Paris", "Tokyo", 1)
	s.must(http.StatusUnprocessableEntity, nil, "POST", "/v1/groups/copy/import", damaged, "Content-Type", lines)
	s.must(http.StatusUnsupportedMediaType, nil, "POST", "/v1/groups/copy/import", text)
	s.must(http.StatusCreated, &moved, "POST", "/v1/groups/copy/import", text, "Content-Type", lines)
	if moved.Group != "copy" || moved.Rows["episodes"] != 2 || !strings.HasSuffix(strings.TrimSpace(text), `"sha256":"`+moved.SHA256+`"}`) {
		t.Errorf("moved was %+v", moved)
	}
	s.must(http.StatusConflict, nil, "POST", "/v1/groups/copy/import", text, "Content-Type", lines)
	s.must(http.StatusNotFound, nil, "POST", "/v1/groups/bob/import", text, "Content-Type", lines)
	s.as(staticKey).must(http.StatusNotFound, nil, "GET", "/v1/groups/nobody/export", "")
	if a := s.must(http.StatusOK, nil, "GET", "/v1/groups/copy/facts?as_of=2023-06-01", ""); !strings.Contains(string(a.body), "Paris") {
		t.Errorf("the copy believes %s", a.body)
	}
	if serve(t, server.Options{}, rest.Options{MaxBulk: 100}).send("POST", "/v1/groups/g/import", text, "Content-Type", lines).status != http.StatusRequestEntityTooLarge {
		t.Error("a longer body than may be is taken")
	}
}
