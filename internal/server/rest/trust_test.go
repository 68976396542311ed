package rest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
)

// The trust policy of a group is set, and withheld facts are listed, confirmed and released over
// REST.
func TestTrust(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s.must(http.StatusCreated, nil, "POST", "/v1/groups", `{"id": "g"}`)
	s.must(http.StatusOK, nil, "PUT", "/v1/groups/g/trust", `{"assistants": true, "documents": false, "threads": ["inbox", "inbox"]}`)
	var policy graph.TrustPolicy
	if s.must(http.StatusOK, &policy, "GET", "/v1/groups/g/trust", ""); !policy.Assistants || policy.Documents || len(policy.Threads) != 1 {
		t.Errorf("the policy is %+v", policy)
	}
	var triple struct {
		FactID string `json:"fact_id"`
	}
	s.must(http.StatusCreated, &triple, "POST", "/v1/groups/g/facts", `{"source": "Bob", "predicate": "WORKS_AT", "target": "Acme"}`)
	var confirmed struct{ Facts []graph.FactJSON }
	s.must(http.StatusOK, &confirmed, "POST", "/v1/groups/g/facts/"+triple.FactID+"/confirm", "")
	if len(confirmed.Facts) != 1 || confirmed.Facts[0].Trust != graph.TrustBelieved {
		t.Errorf("confirmed: %+v", confirmed)
	}
	s.must(http.StatusOK, nil, "DELETE", "/v1/groups/g/facts/"+triple.FactID+"/confirm", "")
	if a := s.must(http.StatusOK, nil, "GET", "/v1/groups/g/facts?trust=candidate", ""); strings.Contains(string(a.body), "Acme") {
		t.Errorf("what a person told waits: %s", a.body)
	}
	if a := s.must(http.StatusOK, nil, "GET", "/v1/groups/g/facts?told_by=Sam&told_by=Ann", ""); strings.Contains(string(a.body), "Acme") {
		t.Errorf("Sam and Ann tell what they did not: %s", a.body)
	}
	var released struct{ Released int }
	if s.must(http.StatusOK, &released, "POST", "/v1/groups/g/trust/release", `{"all": true}`); released.Released != 0 {
		t.Errorf("released %d", released.Released)
	}
	var p problem
	s.must(http.StatusUnprocessableEntity, &p, "POST", "/v1/groups/g/trust/release", `{}`)
	s.must(http.StatusUnprocessableEntity, &p, "GET", "/v1/groups/g/facts?trust=perhaps", "")
	for path, body := range map[string]string{"/trust/release": `{"episodes": ["x"]}`, "/marks": `{"ids": ["x"], "mark": "pinned"}`} {
		if a := s.must(http.StatusUnprocessableEntity, nil, "POST", "/v1/groups/g"+path, body); !strings.Contains(string(a.body), `\"x\" is no UUID`) {
			t.Errorf("%s: %s", body, a.body)
		}
	}
}

// Withheld content is neither counted nor named: the overview and the mentions of entities match
// the lists.
func TestWhatIsWithheldIsNotCounted(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s.must(http.StatusCreated, nil, "POST", "/v1/groups", `{"id": "g"}`)
	s.must(http.StatusOK, nil, "PUT", "/v1/groups/g/trust", `{"assistants": true, "sources": ["mails"]}`)
	for _, e := range []string{
		`{"content": "I live in Paris.", "actor": "Alice", "occurred_at": "2024-01-01"}`,
		`{"content": "I live in Rome.", "actor": "Alice", "occurred_at": "2024-01-02", "source_description": "mails"}`,
		`{"content": "I work at Globex.", "actor": "Mallory", "occurred_at": "2024-05-03", "source_description": "mails"}`,
		`{"content": "Alice likes opera.", "actor": "Bot", "role": "assistant", "occurred_at": "2024-01-04"}`,
	} {
		s.must(http.StatusAccepted, nil, "POST", "/v1/groups/g/episodes", e)
	}
	s.process("g")
	var list struct {
		Episodes []struct{ Actor string }
		Facts    []graph.FactJSON
		Entities []graph.EntityJSON
	}
	for _, path := range []string{"episodes", "facts", "entities"} {
		s.must(http.StatusOK, &list, "GET", "/v1/groups/g/"+path, "")
	}
	var o service.Overview
	s.must(http.StatusOK, &o, "GET", "/v1/groups/g/overview", "")
	if o.Episodes != 2 || o.Facts != 1 || o.Episodes != len(list.Episodes) || o.Facts != len(list.Facts) || o.Entities != len(list.Entities) {
		t.Errorf("it counts %+v, the lists have %+v", o, list)
	}
	if len(o.Speakers) != 2 || o.Speakers[0].Actor != "Alice" || o.Speakers[0].Episodes != 1 || o.Speakers[1].Actor != "Bot" || o.LastSaid.Format("2006-01-02") != "2024-01-04" {
		t.Errorf("there speak %+v, until %v", o.Speakers, o.LastSaid)
	}
	for _, e := range list.Entities {
		if want := map[string]int{"Alice": 2, "Bot": 1, "Paris": 1, "opera": 1}[e.Name]; e.Mentions != want {
			t.Errorf("%s is mentioned %d times, want %d", e.Name, e.Mentions, want)
		}
	}
	var page struct {
		Entities   []graph.EntityJSON
		NextCursor string `json:"next_cursor"`
	}
	var paged []string
	for cursor := ""; ; cursor = "&cursor=" + page.NextCursor {
		page.NextCursor = ""
		s.must(http.StatusOK, &page, "GET", "/v1/groups/g/entities?limit=1"+cursor, "")
		paged = append(paged, each.Of(page.Entities, func(e graph.EntityJSON) string { return e.Name })...)
		if page.NextCursor == "" {
			break
		}
	}
	if all := each.Of(list.Entities, func(e graph.EntityJSON) string { return e.Name }); !slices.Equal(paged, all) {
		t.Errorf("page by page the entities are %q, at once %q", paged, all)
	}
}
