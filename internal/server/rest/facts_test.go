package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
)

// A corrected fact is found by its new words and shown with them; the history has the old ones.
func TestFactsAreEditedWhileUnchanged(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var triple struct {
		FactID   string `json:"fact_id"`
		SourceID string `json:"source_id"`
	}
	s.must(http.StatusCreated, &triple, "POST", "/v1/groups/g/facts", `{"source": "Bob", "predicate": "WORKS_AT", "target": "Acme",
		"fact": "Bob sweeps floors at Acme.", "valid_at": "2024-01-01"}`)
	path := "/v1/groups/g/facts/" + triple.FactID
	before := s.must(http.StatusOK, nil, "GET", path, "").header.Get("ETag")
	var fact struct {
		Fact, Predicate string
		Attributes      map[string]any
		ValidAt         *string `json:"valid_at"`
		InvalidAt       *string `json:"invalid_at"`
		ExpiredAt       *string `json:"expired_at"`
	}
	after := s.must(http.StatusOK, &fact, "PATCH", path, `{"fact": "Bob directs  Acme.", "predicate": "leads", "attributes": {"since": "May"}, "invalid_at": "2024-06-01"}`,
		"If-Match", before).header.Get("ETag")
	if fact.Fact != "Bob directs Acme." || fact.Predicate != "LEADS" || fact.Attributes["since"] != "May" || fact.ValidAt == nil ||
		*fact.ValidAt != "2024-01-01T00:00:00Z" || fact.InvalidAt == nil || *fact.InvalidAt != "2024-06-01T00:00:00Z" || fact.ExpiredAt == nil {
		t.Errorf("it is now %+v", fact)
	}
	if read := s.must(http.StatusOK, nil, "GET", path, "").header.Get("ETag"); read != after || after == before {
		t.Errorf("the ETag was %s, is said to be %s and is %s", before, after, read)
	}
	var p problem
	if s.must(http.StatusPreconditionFailed, &p, "PATCH", path, `{"fact": "x"}`, "If-Match", before); p.Code != "precondition_failed" {
		t.Errorf("an old ETag is a %+v", p)
	}
	if again := s.must(http.StatusOK, nil, "PATCH", path, `{"fact": "Bob directs Acme.", "attributes": {"since":"May"}}`).header.Get("ETag"); again != after {
		t.Errorf("a change that changes nothing makes a version, %s after %s", again, after)
	}
	s.must(http.StatusOK, &fact, "PATCH", path, `{"invalid_at": ""}`)
	for path, word := range map[string]string{
		"/search?query=directs&scopes=fact": "Bob directs Acme.", "/facts/" + triple.FactID + "/history": "sweeps floors", "/entities/" + triple.SourceID: "directs",
	} {
		if a := s.must(http.StatusOK, nil, "GET", "/v1/groups/g"+path, ""); !strings.Contains(string(a.body), word) {
			t.Errorf("%s has no %q: %s", path, word, a.body)
		}
	}
	if a := s.must(http.StatusOK, nil, "GET", "/v1/groups/g/entities/"+triple.SourceID, ""); strings.Contains(string(a.body), "sweeps") {
		t.Errorf("the entity is still told of in the old words: %s", a.body)
	}
	fact.InvalidAt = nil
	if s.must(http.StatusOK, &fact, "GET", path, ""); fact.InvalidAt != nil {
		t.Errorf("it still ends: %+v", fact)
	}
	for body, where := range map[string]string{
		`{"invalid_at": "2023-01-01"}`: "body.invalid_at", `{"valid_at": "soon"}`: "body.valid_at", `{"fact": ""}`: "body.fact", `{"predicate": "!!"}`: "body.predicate",
		`{"source_id": "x"}`: "body.source_id",
	} {
		var p problem
		if s.must(http.StatusUnprocessableEntity, &p, "PATCH", path, body); len(p.Errors) == 0 || p.Errors[0].Location != where {
			t.Errorf("%s: %+v, want what is wrong with %s", body, p, where)
		}
	}
	s.must(http.StatusNotFound, nil, "PATCH", "/v1/groups/g/facts/"+uuid.NewString(), `{"fact": "x"}`)
	s.must(http.StatusNotFound, nil, "PATCH", "/v1/groups/other/facts/"+triple.FactID, `{"fact": "x"}`)
}

// A fact is withdrawn only in the version that was read. Neither undoing the episode of another fact
// nor its own earlier edit brings it back.
func TestFactsAreWithdrawnWhileUnchanged(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	ids := map[string]string{}
	episodes := map[string]string{}
	for _, company := range []string{"Acme", "Siemens", "Philips"} {
		var triple struct {
			FactID    string `json:"fact_id"`
			EpisodeID string `json:"episode_id"`
		}
		s.must(http.StatusCreated, &triple, "POST", "/v1/groups/g/facts", `{"source": "Bob", "predicate": "ADVISES", "target": "`+company+`"}`)
		ids[company], episodes[company] = triple.FactID, triple.EpisodeID
	}
	path := "/v1/groups/g/facts/" + ids["Siemens"]
	before := s.must(http.StatusOK, nil, "GET", path, "").header.Get("ETag")
	after := s.must(http.StatusOK, nil, "PATCH", path, `{"fact": "Bob advised Siemens on turbines."}`, "If-Match", before).header.Get("ETag")
	var p problem
	if s.must(http.StatusPreconditionFailed, &p, "DELETE", path, "", "If-Match", before); p.Code != "precondition_failed" {
		t.Errorf("an old ETag is a %+v", p)
	}
	s.must(http.StatusOK, nil, "GET", path, "")
	s.must(http.StatusNoContent, nil, "DELETE", path, "", "If-Match", after)
	s.must(http.StatusNotFound, nil, "GET", path, "")
	s.must(http.StatusNotFound, nil, "DELETE", path, "")
	s.must(http.StatusNotFound, nil, "DELETE", "/v1/groups/other/facts/"+ids["Philips"], "")
	s.must(http.StatusNotFound, nil, "DELETE", "/v1/groups/g/facts/"+uuid.NewString(), "")
	if a := s.must(http.StatusOK, nil, "GET", path+"/history", ""); !strings.Contains(string(a.body), "turbines") {
		t.Errorf("the history has lost it: %s", a.body)
	}
	s.must(http.StatusOK, nil, "DELETE", "/v1/groups/g/episodes/"+episodes["Acme"], "")
	a := s.must(http.StatusOK, nil, "GET", "/v1/groups/g/facts", "")
	if text := string(a.body); strings.Contains(text, "Siemens") || strings.Contains(text, "Acme") || !strings.Contains(text, "Philips") {
		t.Errorf("after an episode was taken back: %s", text)
	}
}
