package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
)

// What a group withholds is set, listed, confirmed and released over REST.
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
