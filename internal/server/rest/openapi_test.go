package rest_test

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
)

// What the OpenAPI Initiative says a document of version 3.1 has to look like.
//
//go:embed testdata/openapi/schema-3.1.json
var openAPISchema []byte

// description is an OpenAPI document to compare answers with.
type description struct {
	schemas string // of the components, as $defs
	answers map[string]*jsonschema.Resolved
}

func resolved(t *testing.T, schema []byte) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatalf("%v in %.200s", err, schema)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("%v in %.200s", err, schema)
	}
	return r
}

// described returns the OpenAPI document, parsed by an external library.
func (s *running) described() *description {
	s.t.Helper()
	var document struct {
		Components struct{ Schemas json.RawMessage }
	}
	s.must(http.StatusOK, &document, "GET", "/openapi.json", "")
	return &description{
		schemas: strings.ReplaceAll(string(document.Components.Schemas), "#/components/schemas/", "#/$defs/"),
		answers: map[string]*jsonschema.Resolved{},
	}
}

// check returns an error if an answer to an operation is not as described.
func (d *description) check(t *testing.T, op operation, w *httptest.ResponseRecorder) error {
	t.Helper()
	var schema any
	for _, status := range []string{strconv.Itoa(w.Code), "default"} {
		if schema = at(op.details, "responses", status, "content", w.Header().Get("Content-Type"), "schema"); schema != nil {
			break
		}
	}
	if schema == nil {
		return errors.New("it is not described")
	}
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	one := strings.ReplaceAll(string(text), "#/components/schemas/", "#/$defs/")
	if d.answers[one] == nil {
		d.answers[one] = resolved(t, []byte(`{"allOf": [`+one+`], "$defs": `+d.schemas+`}`))
	}
	var answer any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		return err
	}
	return d.answers[one].Validate(answer)
}

func TestOpenAPIDocumentIsValid(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{Version: "1.2.3"})
	var document map[string]any
	s.must(http.StatusOK, &document, "GET", "/openapi.json", "")
	official := resolved(t, openAPISchema)
	if err := official.Validate(document); err != nil {
		t.Errorf("the document is not valid OpenAPI 3.1: %v", err)
	}
	schemas := s.described().schemas
	resolved(t, []byte(`{"$defs": `+schemas+`}`)) // each is a schema, with references that exist
	document["paths"] = map[string]any{"no-slash": map[string]any{}}
	if official.Validate(document) == nil {
		t.Error("what is no OpenAPI document is valid too")
	}
}

// Clients are generated from the document, which decides the names they use and which lists they
// must check for null.
func TestOpenAPIDocumentReadsWellInClients(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Type any }
			}
		}
	}
	s.must(http.StatusOK, &document, "GET", "/openapi.json", "")
	schemas := document.Components.Schemas
	for name := range schemas {
		if strings.HasSuffix(name, "JSON") {
			t.Errorf("%s is a name of Go, not of a thing", name)
		}
	}
	for place, want := range map[[2]string]string{
		{"SearchResult", "facts"}: "array", {"Fact", "episodes"}: "array", {"FactDifference", "caused_by"}: "array",
		{"Query", "scopes"}: "[array null]", {"FactType", "pairs"}: "[array null]", // used in requests
	} {
		if got := fmt.Sprint(schemas[place[0]].Properties[place[1]].Type); got != want {
			t.Errorf("%s of %s is %s, not %s", place[1], place[0], got, want)
		}
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

// The document gives the address of the service. Clients that read it from the service use that
// address; those that read it from a file can fill it in.
func TestOpenAPIServers(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var document struct {
		Servers []struct {
			URL       string
			Variables map[string]struct {
				Default string
				Enum    []string
			}
		}
	}
	s.must(http.StatusOK, &document, "GET", "/openapi.json", "")
	if len(document.Servers) != 2 || document.Servers[0].URL != "/" {
		t.Fatalf("the servers are %+v", document.Servers)
	}
	url := document.Servers[1].URL
	for name, v := range document.Servers[1].Variables {
		url = strings.ReplaceAll(url, "{"+name+"}", v.Default)
	}
	if url != "http://127.0.0.1:8080" {
		t.Errorf("by default it is at %s", url)
	}
}
