package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"github.com/annalsdb/annals/server"
	"github.com/annalsdb/annals/server/rest"
)

// described is the OpenAPI document as a validator of others reads it.
func (s *service) described() validator.Validator {
	s.t.Helper()
	text := s.must(http.StatusOK, nil, "GET", "/openapi.json", "").body
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		s.t.Fatal(err)
	}
	v, errs := validator.NewValidator(document)
	if len(errs) > 0 {
		s.t.Fatal(errs)
	}
	return v
}

func TestOpenAPIDocumentIsValid(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{Version: "1.2.3"})
	valid, errs := s.described().ValidateDocument()
	for _, e := range errs {
		t.Errorf("%s: %s", e.Message, e.Reason)
		for _, cause := range e.SchemaValidationErrors {
			t.Errorf("  %s: %s", cause.Location, cause.Reason)
		}
	}
	if !valid {
		t.Error("the document is not valid OpenAPI 3.1")
	}
}

func TestDocsNeedNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	a := s.must(http.StatusOK, nil, "GET", "/docs", "")
	page := string(a.body)
	for _, forbidden := range []string{"<script", "src=", "<link", "@import", "https://"} {
		if strings.Contains(page, forbidden) {
			t.Errorf("the page has %q in it", forbidden)
		}
	}
	for _, wanted := range []string{"/v1/groups/{group}/episodes", "application/x-ndjson", "Idempotency-Key", "POST", "known_at", "list of Fact"} {
		if !strings.Contains(page, wanted) {
			t.Errorf("the page does not say %q", wanted)
		}
	}
	if policy := a.header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("the page may load things: %q", policy)
	}
}
