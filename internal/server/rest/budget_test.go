package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
)

// A body of many unknown keys costs no more than its length, and the answer lists only some of
// them.
func TestManyFaultsAreToldInBrief(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s.must(http.StatusCreated, nil, "POST", "/v1/groups", `{"id": "alice"}`)
	var body strings.Builder
	body.WriteString(`{"query": "x"`)
	for i := range 1200 {
		fmt.Fprintf(&body, `, "unknown-%d-%s": %d`, i, strings.Repeat("k", 3*(i%100)), i)
	}
	body.WriteString("}")
	began := time.Now()
	var p problem
	a := s.must(http.StatusUnprocessableEntity, &p, "POST", "/v1/groups/alice/search", body.String())
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("%d bytes took %s", body.Len(), took)
	}
	if len(a.body) > 10_000 || len(p.Errors) != 21 || !strings.HasPrefix(p.Errors[20].Message, "and 1180 more") {
		t.Errorf("%d bytes, %d errors, the last %+v", len(a.body), len(p.Errors), p.Errors[len(p.Errors)-1])
	}
	long := strings.Repeat("v", 50_000)
	for _, body := range []string{
		`{"query": "x", "scopes": ["` + long + `"]}`, `{"query": "x", "` + long + `": 1}`, `{"query": "x", "as_of": "` + long + `"}`,
		`{"query": "x", "limit": ` + strings.Repeat("9", 50_000) + `}`, `{"query": "x"` + long,
	} {
		a := s.send("POST", "/v1/groups/alice/search", body)
		if a.status < 400 || a.status >= 500 || len(a.body) > 1500 {
			t.Errorf("%s…: %d, %d bytes", body[:30], a.status, len(a.body))
		}
	}
}
