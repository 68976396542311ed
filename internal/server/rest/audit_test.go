package rest_test

import (
	"net/http"
	"testing"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
)

// The audit log is read page by page, with the key of each entry, and is verified against a head.
func TestTheAuditIsReadAndChecked(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	for _, age := range []string{"100000", "200000", "300000"} {
		s.must(http.StatusOK, nil, "PUT", "/v1/groups/g/retention", `{"max_age_seconds": `+age+`}`)
	}
	var page struct {
		Audit      []service.AuditEntry
		NextCursor string `json:"next_cursor"`
	}
	s.must(http.StatusOK, &page, "GET", "/v1/groups/g/audit?limit=2", "")
	if len(page.Audit) != 2 || page.Audit[0].Door != "rest" || page.Audit[0].Action != "retention" || page.NextCursor == "" {
		t.Fatalf("the first page is %+v", page)
	}
	first := page.Audit[1].Hash
	s.must(http.StatusOK, &page, "GET", "/v1/groups/g/audit?limit=2&cursor="+page.NextCursor, "")
	if len(page.Audit) != 1 || page.Audit[0].Position != 3 || page.Audit[0].Previous != first {
		t.Errorf("the second page is %+v", page)
	}
	var head service.AuditHead
	s.must(http.StatusOK, &head, "GET", "/v1/groups/g/audit/head", "")
	if head.Hash != page.Audit[0].Hash {
		t.Errorf("the head is %+v", head)
	}
	var v service.AuditVerification
	s.must(http.StatusOK, &v, "GET", "/v1/groups/g/audit/verification?head="+first, "")
	if len(v.Breaks) != 0 || v.Position != 3 {
		t.Errorf("verified: %+v", v)
	}
	var p problem
	if s.must(http.StatusUnprocessableEntity, &p, "GET", "/v1/groups/g/audit/verification?head=x", ""); p.Code != "invalid" {
		t.Errorf("a head that is none is a %+v", p)
	}
}
