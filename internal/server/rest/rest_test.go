package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/slow"
)

type factList struct {
	Facts []struct {
		ID, Target, Predicate string
		ValidAt               *string `json:"valid_at"`
		InvalidAt             *string `json:"invalid_at"`
	}
	NextCursor string `json:"next_cursor"`
}

// homes returns where Alice lived, in order.
func (s *running) homes(query string) string {
	s.t.Helper()
	var list factList
	s.must(http.StatusOK, &list, "GET", "/v1/groups/alice/facts"+query, "")
	var homes []string
	for _, f := range list.Facts {
		if f.Predicate == "LIVES_IN" {
			homes = append(homes, f.Target)
		}
	}
	return strings.Join(homes, " ")
}

// A group has the name and description that its owner gives, and can change.
func TestGroupsAreDescribed(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var g annals.Group
	s.must(http.StatusCreated, &g, "POST", "/v1/groups", `{"id": "alice", "name": "Alice", "time_zone": "Europe/Paris"}`)
	if g.Name != "Alice" || g.TimeZone != "Europe/Paris" || g.Kind != "graph" {
		t.Errorf("made was %+v", g)
	}
	s = s.as(s.newKey("alice"))
	s.must(http.StatusOK, nil, "PATCH", "/v1/groups/alice", `{"description": "What Alice says"}`)
	s.must(http.StatusOK, nil, "PATCH", "/v1/groups/alice", `{"name": ""}`)
	var told annals.Group
	s.must(http.StatusOK, &told, "GET", "/v1/groups/alice", "")
	if told.Name != "" || told.Description != "What Alice says" || told.TimeZone != "Europe/Paris" {
		t.Errorf("it is %+v", told)
	}
	s.must(http.StatusUnprocessableEntity, nil, "PATCH", "/v1/groups/alice", `{"time_zone": "Mars/Olympus"}`)
	s.must(http.StatusNotFound, nil, "PATCH", "/v1/groups/bob", `{"name": "Bob"}`)
}

// A story that all parts must agree on, from two sentences to both time axes.
func TestAMove(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var added struct {
		ID, State string
		New       bool
	}
	first := s.must(http.StatusAccepted, &added, "POST", "/v1/groups/alice/episodes",
		`{"content": "I live in Paris.", "actor": "Alice", "occurred_at": "2023-01-10", "external_id": "m-1"}`)
	if !added.New || added.State != "pending" || first.header.Get("Location") != "/v1/groups/alice/episodes/"+added.ID {
		t.Errorf("the episode is %+v at %q", added, first.header.Get("Location"))
	}
	s.process("alice")
	s.must(http.StatusAccepted, nil, "POST", "/v1/groups/alice/episodes",
		`{"content": "I moved to Lisbon last week.", "actor": "Alice", "occurred_at": "2024-03-15"}`)
	s.process("alice")

	for query, want := range map[string]string{
		"": "Paris Lisbon", "?as_of=2023-06-01": "Paris", "?as_of=2024-03-08": "Lisbon", "?entity=Alice": "Paris Lisbon", "?entity=Paris": "Paris",
	} {
		if got := s.homes(query); got != want {
			t.Errorf("facts%s: Alice lives in %q, want %q", query, got, want)
		}
	}
	var again struct {
		State string
		New   bool
	}
	s.must(http.StatusOK, &again, "POST", "/v1/groups/alice/episodes", `{"content": "I live in Paris.", "external_id": "m-1"}`)
	if again.New || again.State != "done" {
		t.Errorf("added again, the episode is %+v; want an old one that is done", again)
	}
	s.history()
	for path, word := range map[string]string{
		"/context?query=Where+does+Alice+live": "Lisbon", "/timeline": "No longer: Alice lives in Paris.",
		"/search?query=Lisbon&scopes=fact": "moved to Lisbon",
		"/facts":                           `"valid_from":{"basis":"stated","precision":"week"}`,
		"/facts?as_of=2023-06-01":          `"kind":"state"`,
		"/facts?as_of=2023-06-02":          `"when":"known from 10 January 2023 until the week of 4 March 2024"`,
		"/entities":                        `"Alice"`, "/episodes/" + added.ID + "/trace": "extracted",
		"/episodes?state=done": "I live in Paris", "/usage": `"usage":[]`, "/communities": `"communities":[]`, "": `"done":2`,
	} {
		if a := s.must(http.StatusOK, nil, "GET", "/v1/groups/alice"+path, ""); !strings.Contains(string(a.body), word) {
			t.Errorf("%s has no %q: %s", path, word, a.body)
		}
	}
}

// history follows the fact that ended.
func (s *running) history() {
	s.t.Helper()
	var list factList
	s.must(http.StatusOK, &list, "GET", "/v1/groups/alice/facts?as_of=2023-06-01", "")
	path := "/v1/groups/alice/facts/" + list.Facts[0].ID
	var versions struct {
		Versions []struct {
			InvalidAt *string `json:"invalid_at"`
		}
	}
	s.must(http.StatusOK, &versions, "GET", path+"/history", "")
	if v := versions.Versions; len(v) != 2 || v[0].InvalidAt != nil || v[1].InvalidAt == nil || *v[1].InvalidAt != "2024-03-04T00:00:00Z" {
		s.t.Errorf("its history is %+v; want it open, then ended on 2024-03-04", v)
	}
	tag := s.must(http.StatusOK, nil, "GET", path, "").header.Get("ETag")
	if a := s.must(http.StatusNotModified, nil, "GET", path, "", "If-None-Match", tag); len(a.body) > 0 {
		s.t.Errorf("what is known is sent again: %s", a.body)
	}
}

func TestEverySettingOfASearch(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s.must(http.StatusCreated, nil, "POST", "/v1/groups/g/facts", `{"source": "Alice", "predicate": "WORKS_AT", "target": "Acme", "valid_at": "2024-02-01",
		"attributes": {"salary": 2000}, "source_label": "Person"}`)
	for _, body := range []string{
		`{"query": "Alice", "scopes": ["fact"], "methods": ["bm25", "cosine", "bfs"], "rerank": ["mmr", "mentions"], "lambda": 0.3, "hops": 3, "limit": 5}`,
		`{"query": "Alice", "recipe": "facts_graph_rrf", "seed_recent": 3, "explain": true, "asked_at": "2024-05-01"}`,
		`{"query": "Alice", "rerank": ["node_distance"], "center": "Alice", "as_of": "2024-03-01"}`,
		`{"query": "Alice", "filter": {"predicates": ["WORKS_AT"], "attributes": {"path": ["salary"], "op": "gt", "value": 1000}}, "include_ended": true}`,
	} {
		var found factList
		s.must(http.StatusOK, &found, "POST", "/v1/groups/g/search", body)
		if len(found.Facts) != 1 {
			t.Errorf("%s finds %d facts, want 1", body, len(found.Facts))
		}
		s.must(http.StatusOK, nil, "POST", "/v1/groups/g/context", body[:len(body)-1]+`, "tokens": 200, "citations": true, "dates_in_words": true}`)
	}
	for body, where := range map[string]string{
		`{"query": "x", "recipe": "none"}`:                        "body.recipe",
		`{"query": "x", "filter": {"colour": 1}}`:                 "body.filter.colour",
		`{"query": "x", "rerank": ["node_distance"]}`:             "body.center",
		`{"query": "x", "as_of": "soon"}`:                         "body.as_of",
		`{"query": "x", "limit": 1001}`:                           "body.limit",
		`{"query": "x", "filter": {"metadata": {"path": ["a"]}}}`: "body.filter.metadata",
		`{"query": "x", "nonsense": 1}`:                           "body.nonsense",
	} {
		var p problem
		s.must(http.StatusUnprocessableEntity, &p, "POST", "/v1/groups/g/search", body)
		if len(p.Errors) == 0 || p.Errors[0].Location != where || p.Code != "invalid" {
			t.Errorf("%s: %+v, want what is wrong with %s", body, p, where)
		}
	}
}

func TestEntitiesAreEditedWhileUnchanged(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var triple struct {
		SourceID string `json:"source_id"`
		FactID   string `json:"fact_id"`
	}
	s.must(http.StatusCreated, &triple, "POST", "/v1/groups/g/facts", `{"source": "Bob", "predicate": "KNOWS", "target": "Carol"}`)
	s.must(http.StatusCreated, nil, "POST", "/v1/groups/g/facts", `{"source": "Robert", "predicate": "LIKES", "target": "Tea"}`)
	path := "/v1/groups/g/entities/" + triple.SourceID
	before := s.must(http.StatusOK, nil, "GET", path, "").header.Get("ETag")
	after := s.must(http.StatusOK, nil, "PATCH", path, `{"name": "Bob Smith"}`, "If-Match", before).header.Get("ETag")
	if before == after || after == "" {
		t.Errorf("the ETag was %s and is %s", before, after)
	}
	var p problem
	s.must(http.StatusPreconditionFailed, &p, "PATCH", path, `{"name": "Bobby"}`, "If-Match", before)
	if p.Code != "precondition_failed" || len(p.Errors) != 1 || p.Errors[0].Location != "header.If-Match" {
		t.Errorf("an old ETag is a %+v", p)
	}
	s.must(http.StatusPreconditionFailed, nil, "PATCH", path, `{"name": "Bobby"}`, "If-Match", `"nonsense"`)
	s.must(http.StatusOK, nil, "PATCH", path, `{"name": "Bob Smith"}`, "If-Match", `"nonsense", `+after)

	var merged struct{ ID, Name string }
	s.must(http.StatusOK, &merged, "POST", "/v1/groups/g/entities/Robert/merge", `{"into": "`+triple.SourceID+`"}`)
	if merged.ID != triple.SourceID {
		t.Errorf("Robert went into %+v", merged)
	}
	var part struct{ Name string }
	s.must(http.StatusCreated, &part, "POST", path+"/split", fmt.Sprintf(`{"name": "Another Bob", "facts": [%q]}`, triple.FactID))
	if part.Name != "Another Bob" {
		t.Errorf("what was split off is %+v", part)
	}
	s.must(http.StatusNotFound, nil, "GET", "/v1/groups/g/entities/Nobody", "")
}

func TestOntologyIsReplacedWhileUnchanged(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	const path = "/v1/groups/shop/ontology"
	empty := s.must(http.StatusOK, nil, "GET", path, "").header.Get("ETag")
	const shop = `{"entity_types": [{"name": "Product", "attributes": {"type": "object", "properties": {"price": {"type": "number"}}}}]}`
	set := s.must(http.StatusOK, nil, "PUT", path, shop, "If-Match", empty).header.Get("ETag")
	read := s.must(http.StatusOK, nil, "GET", path, "")
	if read.header.Get("ETag") != set || !strings.Contains(string(read.body), `"price"`) {
		t.Errorf("what was set is %s as %s, want %s", read.body, read.header.Get("ETag"), set)
	}
	s.must(http.StatusPreconditionFailed, nil, "PUT", path, `{}`, "If-Match", empty)
	s.must(http.StatusOK, nil, "PUT", path, `{}`, "If-Match", set)
	s.must(http.StatusUnprocessableEntity, nil, "PUT", path, `{"entity_types": [{"name": ""}]}`)
}

func TestThreads(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	path := "/v1/groups/g/threads/chat%2F1"
	s.must(http.StatusAccepted, nil, "POST", path+"/messages",
		`{"messages": [{"content": "I live in Paris.", "actor": "Alice", "role": "user", "metadata": {"a": 1}}]}`)
	s.process("g")
	var added struct {
		Messages []struct{ ID string }
		Context  string
	}
	s.must(http.StatusAccepted, &added, "POST", path+"/messages",
		`{"messages": [{"content": "Hello."}, {"content": "Where does Alice live?", "role": "user"}], "return_context": true}`)
	if len(added.Messages) != 2 || !strings.Contains(added.Context, "Paris") {
		t.Errorf("the messages are %+v", added)
	}
	s.process("g")
	var thread struct {
		ID       string
		Messages int
	}
	s.must(http.StatusOK, &thread, "GET", path, "")
	if thread.ID != "chat/1" || thread.Messages != 3 {
		t.Errorf("the thread is %+v, want chat/1 with 3 messages", thread)
	}
	var said struct{ Episodes []struct{ Content string } }
	s.must(http.StatusOK, &said, "GET", path+"/messages", "")
	if len(said.Episodes) != 3 {
		t.Errorf("%d messages are listed, want 3", len(said.Episodes))
	}
	// A run of an agent in the thread is not a message of it.
	s.must(http.StatusAccepted, nil, "POST", "/v1/groups/g/runs", `{"task": "Find Alice", "thread_id": "chat/1", "steps": [{"tool": "search"}]}`)
	s.must(http.StatusOK, &thread, "GET", path, "")
	s.must(http.StatusOK, &said, "GET", path+"/messages", "")
	if thread.Messages != 3 || len(said.Episodes) != 3 {
		t.Errorf("with a run %d messages are counted and %d listed, want 3", thread.Messages, len(said.Episodes))
	}
	s.must(http.StatusOK, nil, "POST", path+"/summary", "")
	s.must(http.StatusNotFound, nil, "POST", "/v1/groups/g/threads/none/summary", "")
	var threads struct{ Threads []struct{ ID string } }
	s.must(http.StatusOK, &threads, "GET", "/v1/groups/g/threads", "")
	if len(threads.Threads) != 1 {
		t.Errorf("the threads are %+v", threads)
	}
	s.must(http.StatusOK, nil, "POST", "/v1/groups/g/communities/build", "")
}

// A search returns the passage of a long text, not all of it.
func TestLongTextsAreShownByTheirPassages(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	text := strings.Repeat("The harbour has cranes and ships of every size. ", 12_000) + "The zirconium vault opens at dawn. "
	s.must(http.StatusAccepted, nil, "POST", "/v1/groups/g/episodes", `{"content": "`+text+`", "source": "text", "deferred": true}`)
	for _, route := range []string{"search", "context"} {
		a := s.must(http.StatusOK, nil, "POST", "/v1/groups/g/"+route, `{"query": "zirconium vault"}`)
		if got := string(a.body); !strings.Contains(got, "zirconium vault opens") || len(got) > 6000 {
			t.Errorf("%s answers with %d bytes: %.300s", route, len(got), got)
		}
	}
}
