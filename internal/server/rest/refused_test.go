package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// refusal is the part of an answer about what was left out.
type refusal struct {
	Added, Refused int
	Lines          []leftOut `json:"refused_lines"`
	Left           []leftOut `json:"refused_messages"`
}

type leftOut struct {
	Line       int
	ExternalID string `json:"external_id"`
	Reason     string
}

// erased makes a group with two messages, erases one of them, and returns the group's path.
func (s *running) erased(group string) string {
	s.t.Helper()
	path := "/v1/groups/" + group
	var added struct{ ID string }
	s.must(http.StatusAccepted, &added, "POST", path+"/episodes", `{"content": "Her doctor prescribed insulin to Alice.", "external_id": "a"}`)
	s.must(http.StatusAccepted, nil, "POST", path+"/episodes", `{"content": "I like tea.", "external_id": "b"}`)
	s.process(group)
	s.must(http.StatusOK, nil, "DELETE", path+"/episodes/"+added.ID+"?erase=true", "")
	return path
}

// An erased message does not prevent the others of a request; it is counted and named. The same
// holds for saved replies and for keys that act as tenants. Any other fault prevents all of them.
func TestErasedMessagesAreLeftOut(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	const messages = `{"messages": [{"content": "I like coffee.", "external_id": "c"}, {"content": "Her doctor prescribed insulin to Alice.", "external_id": "x"},
		{"content": "I like tea.", "external_id": "b"}, {"content": "Bob said:\nHer doctor prescribed insulin to Alice."}]}`
	for name, headers := range map[string][]string{"g": nil, "promised": {"Idempotency-Key", "k"}} {
		for _, s := range []*running{s, s.as(s.newKey(name + "-own"))} {
			group := name
			if s.key != staticKey {
				group += "-own"
			}
			path := s.erased(group) + "/threads/t/messages"
			wrong := strings.Replace(messages, `"external_id": "b"`, `"external_id": "b2", "metadata": {"n": 1e-400000}`, 1)
			s.must(http.StatusUnprocessableEntity, nil, "POST", path, wrong)
			var said struct{ Episodes []struct{ Content string } }
			s.must(http.StatusOK, &said, "GET", path, "")
			if len(said.Episodes) != 0 {
				t.Errorf("%s: of a request that was refused is kept %+v", group, said)
			}
			var r struct {
				refusal
				Messages []struct {
					New        bool
					ExternalID string `json:"external_id"`
				}
			}
			first := s.must(http.StatusAccepted, &r, "POST", path, messages, headers...)
			if len(r.Messages) != 2 || r.Messages[0].ExternalID != "c" || !r.Messages[0].New || r.Messages[1].ExternalID != "b" || r.Messages[1].New {
				t.Errorf("%s: kept are %+v", group, r.Messages)
			}
			if r.Refused != 2 || len(r.Left) != 2 || r.Left[0].Line != 2 || r.Left[0].ExternalID != "x" || r.Left[1].Line != 4 ||
				!strings.Contains(r.Left[0].Reason, "erased") || strings.Contains(string(first.body), "insulin") {
				t.Errorf("%s: left out are %s", group, first.body)
			}
			if again := s.must(http.StatusAccepted, nil, "POST", path, messages, headers...); headers != nil && string(again.body) != string(first.body) {
				t.Errorf("%s: first %s, again %s", group, first.body, again.body)
			}
			s.must(http.StatusConflict, nil, "POST", path, `{"messages": [{"content": "Her doctor prescribed insulin to Alice."}, {"content": "Her doctor prescribed insulin to Alice!"}]}`)
		}
	}
}

// Erased lines of JSON lines are left out, counted and named. If all were erased, that is a problem
// that names the first.
func TestErasedLinesAreLeftOut(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	path := s.erased("g") + "/episodes"
	const erased = `{"content": "Her doctor prescribed insulin to Alice.", "external_id": "x"}` + "\n"
	var r refusal
	done := s.must(http.StatusAccepted, &r, "POST", path, said(2)+erased+said(1), "Content-Type", lines)
	if r.Added != 3 || r.Refused != 1 || len(r.Lines) != 1 || r.Lines[0].Line != 3 || r.Lines[0].ExternalID != "x" ||
		!strings.Contains(r.Lines[0].Reason, "erased") || strings.Contains(string(done.body), "insulin") {
		t.Errorf("the report is %s", done.body)
	}
	var p problem
	s.must(http.StatusConflict, &p, "POST", path, erased+erased, "Content-Type", lines)
	if len(p.Errors) != 1 || p.Errors[0].Location != "body.line[1].force" {
		t.Errorf("of erased lines alone is said %+v", p)
	}
}

// Withdrawn facts are listed page by page, and restored by the id of the fact or of its rejection.
// A lower authority cannot restore them.
func TestRejectionsAreListedAndLifted(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s.told("g")
	var list factList
	s.must(http.StatusOK, &list, "GET", "/v1/groups/g/facts", "")
	if len(list.Facts) != 2 {
		t.Fatalf("the facts are %+v", list.Facts)
	}
	for _, f := range list.Facts {
		s.must(http.StatusNoContent, nil, "DELETE", "/v1/groups/g/facts/"+f.ID, "")
	}
	type page struct {
		Rejections []struct {
			ID, Fact string
			FactID   string `json:"fact_id"`
		}
		NextCursor string `json:"next_cursor"`
	}
	var first, second, none page
	s.must(http.StatusOK, &first, "GET", "/v1/groups/g/rejections?limit=1", "")
	s.must(http.StatusOK, &second, "GET", "/v1/groups/g/rejections?limit=1&cursor="+first.NextCursor, "")
	if len(first.Rejections) != 1 || len(second.Rejections) != 1 || first.Rejections[0].ID == second.Rejections[0].ID || second.NextCursor != "" {
		t.Fatalf("the pages are %+v and %+v", first, second)
	}
	secret, _, err := service.New(s.client).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"g"}, Authority: graph.AuthorityAssistant})
	if err != nil {
		t.Fatal(err)
	}
	weak := s.as(secret)
	weak.must(http.StatusForbidden, nil, "POST", "/v1/groups/g/facts/"+list.Facts[0].ID+"/restore", "")
	var back struct{ Fact *struct{ ID, Fact string } }
	s.must(http.StatusOK, &back, "POST", "/v1/groups/g/facts/"+list.Facts[0].ID+"/restore", "")
	if back.Fact == nil || back.Fact.ID != list.Facts[0].ID {
		t.Errorf("restored is %+v", back.Fact)
	}
	s.must(http.StatusOK, &none, "GET", "/v1/groups/g/rejections", "")
	if len(none.Rejections) != 1 {
		t.Fatalf("still rejected are %+v", none)
	}
	s.must(http.StatusOK, nil, "POST", "/v1/groups/g/facts/"+none.Rejections[0].ID+"/restore", "")
	s.must(http.StatusOK, &list, "GET", "/v1/groups/g/facts", "")
	s.must(http.StatusOK, &none, "GET", "/v1/groups/g/rejections?all=true", "")
	if len(list.Facts) != 2 || len(none.Rejections) != 2 {
		t.Errorf("restored are %+v, on record %+v", list.Facts, none)
	}
	s.must(http.StatusNotFound, nil, "POST", "/v1/groups/g/facts/00000000-0000-7000-8000-000000000000/restore", "")
}

// Errors use the names of JSON fields, and suggest routes.
func TestProblemsSpeakOfRoutes(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	path := s.erased("g")
	for _, tt := range []struct {
		status                     int
		method, at, body, want, no string
	}{
		{http.StatusUnprocessableEntity, "POST", "/episodes", `[]`, "is a JSON array; it must be an object", "graph."},
		{http.StatusUnprocessableEntity, "POST", "/episodes", `{"source": 5}`, "is a JSON number; it must be a string", "graph."},
		{http.StatusConflict, "POST", "/episodes", `{"content": "Hello.", "external_id": "a"}`, "the external id of this episode", "this episode was erased"},
		{http.StatusConflict, "POST", "/episodes", `{"content": "Her doctor prescribed insulin to Alice."}`, `with "force": true in it`, "--force"},
		{http.StatusNotFound, "GET", "/entities/Zoe", "", "; GET /v1/groups/{group}/entities, or 'annals entities', lists them", "of a"},
		{http.StatusNotFound, "GET", "/episodes/0199d1c0-0000-7000-8000-000000000000", "", "GET /v1/groups/{group}/episodes, or 'annals episodes', lists them", "of a"},
	} {
		var p problem
		s.must(tt.status, &p, tt.method, path+tt.at, tt.body)
		if !strings.Contains(p.Detail, tt.want) || strings.Contains(p.Detail, tt.no) {
			t.Errorf("%s %s %s is answered %q", tt.method, tt.at, tt.body, p.Detail)
		}
	}
}
