package rest_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/slow"
)

const lines = "application/x-ndjson"

type report struct {
	Added, Existing int
	Episodes        []struct{ ID string }
}

// said makes JSON lines, of which three each have the same time.
func said(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"content": "I like number %d.", "actor": "Alice", "occurred_at": "2024-01-%02d"}`+"\n", i, 1+(i/3)%28)
	}
	return b.String()
}

func TestBulk(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var r report
	s.must(http.StatusAccepted, &r, "POST", "/v1/groups/g/episodes", said(1000), "Content-Type", lines)
	if r.Added != 1000 || len(r.Episodes) != 1000 || r.Existing != 0 {
		t.Errorf("%d added, %d named, %d existing; want 1000, 1000, 0", r.Added, len(r.Episodes), r.Existing)
	}
	s.must(http.StatusAccepted, &r, "POST", "/v1/groups/g/episodes", "\n"+said(1)+"\n", "Content-Type", lines+"; charset=utf-8")

	var p problem
	bad := strings.Replace(said(5), `"I like number 3."`, `""`, 1)
	s.must(http.StatusUnprocessableEntity, &p, "POST", "/v1/groups/h/episodes", bad, "Content-Type", lines)
	if p.Added == nil || *p.Added != 3 || len(p.Errors) != 1 || p.Errors[0].Location != "body.line[4].content" {
		t.Errorf("of a bad line is said %+v; want three kept, and line 4", p)
	}
	s.must(http.StatusUnprocessableEntity, &p, "POST", "/v1/groups/i/episodes",
		said(2)+`{"content": "x", "metadata": {"n": 1e-400000}}`+"\n"+said(1), "Content-Type", lines)
	if p.Added == nil || *p.Added != 2 || !strings.Contains(p.Detail, "line 3") {
		t.Errorf("of a line that the database refuses is said %+v", p)
	}
}

func TestPagesAreTheWholeList(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s.must(http.StatusAccepted, nil, "POST", "/v1/groups/g/episodes", said(250), "Content-Type", lines)
	for i := range 7 {
		s.must(http.StatusCreated, nil, "POST", "/v1/groups/g/facts", fmt.Sprintf(
			`{"source": "Alice", "predicate": "LIKES", "target": "Thing %d", "fact": "Alice likes thing %d.", "valid_at": "2024-01-0%d"}`, i, i, 1+i/3))
	}
	for i := range 9 {
		s.must(http.StatusAccepted, nil, "POST", fmt.Sprintf("/v1/groups/g/threads/chat-%d/messages", i%5), fmt.Sprintf(
			`{"messages": [{"content": "Hello %d.", "occurred_at": "2024-01-0%d"}]}`, i, 1+i/3))
	}
	for _, ends := range [][2]string{{"Ana", "Ben"}, {"Ben", "Cleo"}, {"Cleo", "Ana"}} {
		s.must(http.StatusCreated, nil, "POST", "/v1/groups/g/facts", fmt.Sprintf(`{"source": "%s", "predicate": "KNOWS", "target": "%s"}`, ends[0], ends[1]))
	}
	s.must(http.StatusOK, nil, "POST", "/v1/groups/g/communities/build", "")
	s.must(http.StatusCreated, nil, "POST", "/v1/groups", `{"id": "another", "kind": "user"}`)
	for _, tt := range []struct {
		path  string
		limit int
		want  int
	}{
		{"/v1/groups/g/episodes", 40, 269},
		{"/v1/groups/g/facts", 2, 10},
		{"/v1/groups/g/entities", 3, 11},
		{"/v1/groups/g/timeline", 3, 10},
		{"/v1/groups/g/timeline?latest_first=true", 2, 10},
		{"/v1/groups/g/threads", 2, 5},
		{"/v1/groups/g/communities", 1, 2},
		{"/v1/groups", 1, 2},
	} {
		with := "?"
		if strings.Contains(tt.path, "?") {
			with = "&"
		}
		whole, _ := s.listed(tt.path + with + "limit=1000")
		if len(whole) != tt.want {
			t.Errorf("%s lists %d, want %d", tt.path, len(whole), tt.want)
		}
		var paged []string
		for cursor := ""; ; {
			ids, next := s.listed(fmt.Sprintf("%s%slimit=%d%s", tt.path, with, tt.limit, cursor))
			paged = append(paged, ids...)
			if next == "" {
				break
			}
			cursor = "&cursor=" + next
		}
		if strings.Join(paged, " ") != strings.Join(whole, " ") {
			t.Errorf("%s: the pages are\n%q, the list is\n%q", tt.path, paged, whole)
		}
	}
	_, forwards := s.listed("/v1/groups/g/timeline?limit=1")
	for path, cursor := range map[string]string{
		"episodes?cursor=": "nonsense", "entities?cursor=": forwards, "timeline?latest_first=true&cursor=": forwards,
		"threads?cursor=": base64.RawURLEncoding.EncodeToString([]byte(`{"l": "threads", "s": 100}`)),
	} {
		var p problem
		if s.must(http.StatusUnprocessableEntity, &p, "GET", "/v1/groups/g/"+path+cursor, ""); p.Errors[0].Location != "query.cursor" {
			t.Errorf("a cursor that is none of %s: %+v", path, p)
		}
	}
}

// listed returns the ids of a page, and the cursor of the next page.
func (s *running) listed(path string) (ids []string, next string) {
	s.t.Helper()
	type row struct {
		ID     string
		FactID string `json:"fact_id"`
	}
	var list struct {
		Episodes, Facts, Entities, Changes, Threads, Communities, Groups []row

		NextCursor string `json:"next_cursor"`
	}
	s.must(http.StatusOK, &list, "GET", path, "")
	for _, rows := range [][]row{list.Episodes, list.Facts, list.Entities, list.Changes, list.Threads, list.Communities, list.Groups} {
		for _, r := range rows {
			ids = append(ids, r.ID+r.FactID)
		}
	}
	return ids, list.NextCursor
}

func TestWhatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{MaxBody: 1000, MaxBulk: 2000})
	long := strings.Repeat("x", 1000)
	for _, tt := range []struct{ method, path, body, contentType string }{
		{"POST", "/v1/groups/g/episodes", `{"content": "` + long + `"}`, "application/json"},
		{"POST", "/v1/groups/g/search", `{"query": "` + long + `"}`, "application/json"},
		{"PUT", "/v1/groups/g/ontology", `{"instructions": "` + long + `"}`, "application/json"},
		{"POST", "/v1/groups/g/episodes", said(40), lines},
	} {
		for _, key := range []string{"", "once"} {
			var p problem
			s.must(http.StatusRequestEntityTooLarge, &p, tt.method, tt.path, tt.body, "Content-Type", tt.contentType, "Idempotency-Key", key)
			if p.Code != "too_large" {
				t.Errorf("%s %s is a %+v", tt.method, tt.path, p)
			}
		}
	}
	for path, body := range map[string]string{"/v1/groups/g/episodes": "x", "/v1/groups/g/context": `{"query": "tea"}`} { // as curl sends it
		var p problem
		s.must(http.StatusUnsupportedMediaType, &p, "POST", path, body, "Content-Type", "application/x-www-form-urlencoded")
		if !strings.Contains(p.Detail, "application/json") {
			t.Errorf("%s does not say what to send: %+v", path, p)
		}
	}
}

func TestRequestsSentAgainAreDoneOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	const path, body = "/v1/groups/g/episodes", `{"content": "I live in Paris."}`
	first := s.must(http.StatusAccepted, nil, "POST", path, body, "Idempotency-Key", "k")
	again := s.must(http.StatusAccepted, nil, "POST", path, body, "Idempotency-Key", "k")
	if string(first.body) != string(again.body) || again.header.Get("Idempotent-Replayed") != "true" ||
		again.header.Get("Location") != first.header.Get("Location") || again.header.Get("Content-Type") != "application/json" {
		t.Errorf("first %s, then %s, with %v", first.body, again.body, again.header)
	}
	var p problem
	s.must(http.StatusUnprocessableEntity, &p, "POST", path, `{"content": "I live in Lisbon."}`, "Idempotency-Key", "k")
	if !strings.Contains(p.Detail, "another request") {
		t.Errorf("the same key for another request: %+v", p)
	}
	s.must(http.StatusUnprocessableEntity, nil, "POST", path, `{"content": ""}`, "Idempotency-Key", "failed")
	s.must(http.StatusAccepted, nil, "POST", path, body, "Idempotency-Key", "failed")
	s.as(s.newKey("g")).must(http.StatusAccepted, nil, "POST", path, body, "Idempotency-Key", "k")
	if ids, _ := s.listed(path); len(ids) != 3 {
		t.Errorf("%d episodes are there, want 3", len(ids))
	}
	var r report
	s.must(http.StatusAccepted, &r, "POST", "/v1/groups/h/episodes", said(3), "Content-Type", lines, "Idempotency-Key", "k")
	s.must(http.StatusAccepted, &r, "POST", "/v1/groups/h/episodes", said(3), "Content-Type", lines, "Idempotency-Key", "k")
	if r.Added != 0 || r.Existing != 3 {
		t.Errorf("lines sent again: %+v, want three that were there", r)
	}
	s.process("h")
	a := s.must(http.StatusAccepted, nil, "POST", "/v1/groups/h/episodes", said(3), "Content-Type", lines, "Idempotency-Key", "k")
	if strings.Count(string(a.body), `"state":"done"`) != 3 {
		t.Errorf("lines sent again once they are read: %s, want them done", a.body)
	}
}

func TestRequestsSentAtOnceAreDoneOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	answers := make([]answer, 8)
	var senders sync.WaitGroup
	for i := range answers {
		senders.Go(func() {
			answers[i] = s.send("POST", "/v1/groups/g/episodes", `{"content": "I live in Paris."}`, "Idempotency-Key", "k")
		})
	}
	senders.Wait()
	done := 0
	for _, a := range answers {
		switch {
		case a.status == http.StatusAccepted:
			done++
		case a.status != http.StatusConflict || a.header.Get("Retry-After") == "":
			t.Errorf("%d: %s", a.status, a.body)
		}
	}
	if ids, _ := s.listed("/v1/groups/g/episodes"); done == 0 || len(ids) != 1 {
		t.Errorf("%d were told that it is done, %d episodes are there; want 1", done, len(ids))
	}
}
