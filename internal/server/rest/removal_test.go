package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
)

// told adds the story of a move to a group, and returns the ids of the messages.
func (s *running) told(group string) []string {
	s.t.Helper()
	var ids []string
	for _, said := range []string{
		`{"content": "I live in Paris.", "actor": "Alice", "occurred_at": "2023-01-10"}`,
		`{"content": "I moved to Lisbon last week.", "actor": "Alice", "occurred_at": "2024-03-15"}`,
	} {
		var added struct{ ID string }
		s.must(http.StatusAccepted, &added, "POST", "/v1/groups/"+group+"/episodes", said)
		ids = append(ids, added.ID)
	}
	s.process(group)
	return ids
}

type removal struct {
	Undone      *struct{ Episodes, FactsReopened int }
	Certificate *struct {
		Scope      string
		Episodes   int
		Tombstones []string
	}
}

// A key of the one group, which acts as a tenant, can undo and erase.
func TestTakingBackAndErasing(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s = s.as(s.newKey("alice"))
	ids := s.told("alice")
	const group = "/v1/groups/alice"
	var r removal
	s.must(http.StatusOK, &r, "DELETE", group+"/episodes/"+ids[1], "")
	if r.Undone == nil || r.Undone.Episodes != 1 || r.Certificate != nil {
		t.Errorf("taking one back did %+v", r.Undone)
	}
	var list factList
	s.must(http.StatusOK, &list, "GET", group+"/facts", "")
	if len(list.Facts) != 1 || list.Facts[0].InvalidAt != nil {
		t.Errorf("without the move the facts are %+v; want one that holds on", list.Facts)
	}
	s.must(http.StatusNotFound, nil, "DELETE", group+"/episodes/"+ids[1], "")
	r = removal{}
	s.must(http.StatusOK, &r, "DELETE", group+"/episodes/"+ids[0]+"?erase=true", "")
	if r.Certificate == nil || r.Certificate.Scope != "episode" || len(r.Certificate.Tombstones) == 0 {
		t.Errorf("erasing one gave %+v", r.Certificate)
	}
	const again = `{"content": "I live in Paris.", "actor": "Alice"}`
	var p problem
	s.must(http.StatusConflict, &p, "POST", group+"/episodes", again)
	if !strings.Contains(p.Detail, "erased") {
		t.Errorf("what was erased is refused by %q", p.Detail)
	}
	s.must(http.StatusAccepted, nil, "POST", group+"/episodes", strings.Replace(again, "}", `, "force": true}`, 1))
	s.process("alice")
	r = removal{}
	s.must(http.StatusOK, &r, "DELETE", group+"/entities/Alice", "")
	if r.Certificate == nil || r.Certificate.Scope != "entity" || r.Certificate.Episodes != 1 {
		t.Errorf("erasing an entity gave %+v", r.Certificate)
	}
	r = removal{}
	s.must(http.StatusOK, &r, "DELETE", group, "")
	if r.Certificate == nil || r.Certificate.Scope != "group" {
		t.Errorf("erasing the group gave %+v", r.Certificate)
	}
	s.must(http.StatusNotFound, nil, "GET", group, "")
	s.must(http.StatusNotFound, nil, "DELETE", group, "")
	s.must(http.StatusNotFound, nil, "DELETE", "/v1/groups/bob", "")
	all := s.as(staticKey)
	all.must(http.StatusConflict, &p, "POST", "/v1/groups", `{"id": "alice"}`)
	if len(p.Errors) != 1 || p.Errors[0].Location != "body.force" || !strings.Contains(p.Detail, "POST /v1/users or /v1/groups") {
		t.Errorf("the problem is %+v", p)
	}
	all.must(http.StatusConflict, &p, "POST", group+"/episodes", `{"content": "Hello.", "force": true}`)
	if len(p.Errors) != 1 || p.Errors[0].Location != "path.group" {
		t.Errorf("the problem is %+v", p)
	}
	all.must(http.StatusCreated, nil, "POST", "/v1/groups", `{"id": "alice", "force": true}`)
	all.must(http.StatusAccepted, nil, "POST", group+"/episodes", `{"content": "Hello."}`)
}

// An erased user can be created again on request, but not by a model.
func TestAUserIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	const carl, again = `{"id": "carl"}`, `{"id": "carl", "force": true}`
	s.must(http.StatusCreated, nil, "POST", "/v1/users", carl)
	var r removal
	s.must(http.StatusOK, &r, "DELETE", "/v1/users/carl", "")
	if r.Certificate == nil || r.Certificate.Scope != "user" {
		t.Errorf("the certificate says %+v", r.Certificate)
	}
	var p problem
	s.must(http.StatusConflict, &p, "POST", "/v1/users", carl)
	if len(p.Errors) != 1 || p.Errors[0].Location != "body.force" || !strings.Contains(p.Detail, `"force": true`) {
		t.Errorf("the problem is %+v", p)
	}
	secret, _, err := service.New(s.client).CreateAPIKey(t.Context(), service.KeySpec{Admin: true, Authority: graph.AuthorityAssistant})
	if err != nil {
		t.Fatal(err)
	}
	s.as(secret).must(http.StatusForbidden, &p, "POST", "/v1/users", again)
	if !strings.Contains(p.Detail, "the word of an assistant") {
		t.Errorf("a model is told %q", p.Detail)
	}
	s.must(http.StatusCreated, nil, "POST", "/v1/users", again)
	s.must(http.StatusOK, nil, "GET", "/v1/users/carl", "")
}

func TestRetention(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s = s.as(s.newKey("alice"))
	s.told("alice")
	const path = "/v1/groups/alice/retention"
	if a := s.must(http.StatusOK, nil, "GET", path, ""); string(a.body) != "{}\n" {
		t.Errorf("at first it is %s", a.body)
	}
	if a := s.must(http.StatusOK, nil, "PUT", path, `{"max_age_seconds": 3155760000, "max_episodes": 1}`); !strings.Contains(string(a.body), `"max_episodes":1`) {
		t.Errorf("set, it is %s", a.body)
	}
	var r removal
	s.must(http.StatusOK, &r, "POST", path+"/apply", "")
	if r.Undone == nil || r.Undone.Episodes != 1 {
		t.Errorf("applied, it took back %+v", r.Undone)
	}
	if a := s.must(http.StatusOK, nil, "GET", path, ""); !strings.Contains(string(a.body), `"applied_at"`) {
		t.Errorf("applied, it is %s", a.body)
	}
	for _, bad := range []string{`{"max_episodes": 0}`, `{"max_age_seconds": -1}`, `{"applied_at": "2024-01-01T00:00:00Z"}`, `{"max_age": "1d"}`} {
		s.must(http.StatusUnprocessableEntity, nil, "PUT", path, bad)
	}
	s.must(http.StatusOK, nil, "PUT", path, `{}`)
	if a := s.must(http.StatusOK, nil, "GET", path, ""); string(a.body) != "{}\n" {
		t.Errorf("taken away, it is %s", a.body)
	}
}
