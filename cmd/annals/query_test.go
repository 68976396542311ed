package main

import (
	"encoding/json"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
)

// calledInQuery maps the fields of [annals.Query] that have another name elsewhere.
var calledInQuery = map[string]string{"text": "query", "valid_at": "as_of"}

// All interfaces have the same options of a query: the fields of annals.Query, the flags of the
// command line, and the body and parameters of REST.
func TestDoorsHaveTheSameQueryOptions(t *testing.T) {
	t.Parallel()
	document := openAPI(t)
	fields := reflect.TypeFor[annals.Query]()
	var options []string
	for i := range fields.NumField() {
		name := snake(fields.Field(i).Name)
		if slices.Contains([]string{"replies", "former", "changes", "pinned", "said_by_then"}, name) { // a context sets them by itself, and other interfaces do not show them
			continue
		}
		if other, ok := calledInQuery[name]; ok {
			name = other
		}
		options = append(options, name)
	}
	options = append(options, "recipe", "told_by") // it sets several of them; it is part of a filter
	for _, tt := range []struct {
		door   string
		has    []string
		except []string // options with another form
		more   []string // that are not of Query
	}{
		{
			"flags of annals search", flagsOf(searchCommand(&app{})),
			[]string{"group_id", "query"}, // --group is a flag of all commands; the query is the argument
			[]string{"thread_id", "role", "why"},
		}, // parts of a filter, written shorter
		{"body of POST search", document.body("/v1/groups/{group}/search"), []string{"group_id"}, nil},
		{
			"parameters of GET search", document.parameters("/v1/groups/{group}/search"),
			[]string{"group_id", "filter"}, // it is in the path; an object does not fit into a URL
			[]string{"group"},
		},
		{"body of POST context", document.body("/v1/groups/{group}/context"), []string{"group_id"}, []string{"tokens", "hits", "citations", "dates_in_words", "encoding", "task"}},
		{
			"parameters of GET context", document.parameters("/v1/groups/{group}/context"),
			[]string{"group_id", "filter"},
			[]string{"group", "tokens", "hits", "citations", "task"},
		},
	} {
		want := append(slices.DeleteFunc(slices.Clone(options), func(o string) bool { return slices.Contains(tt.except, o) }), tt.more...)
		for _, option := range want {
			if !slices.Contains(tt.has, option) {
				t.Errorf("the %s have no %s", tt.door, option)
			}
		}
		for _, option := range tt.has {
			if !slices.Contains(want, option) {
				t.Errorf("the %s have %s, which other doors have not", tt.door, option)
			}
		}
	}
}

// snake returns the JSON name of a Go name.
func snake(name string) string {
	var b strings.Builder
	for i, r := range strings.ReplaceAll(name, "ID", "Id") {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}

// inPlural maps flags that name one element to the list they add to.
var inPlural = map[string]string{"scope": "scopes", "method": "methods", "seed": "seeds", "also": "also_in"}

func flagsOf(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := strings.ReplaceAll(f.Name, "-", "_")
		if plural, ok := inPlural[name]; ok {
			name = plural
		}
		names = append(names, name)
	})
	return names
}

// apiDocument is the part of the OpenAPI document that describes requests.
type apiDocument struct {
	Paths map[string]map[string]struct {
		Parameters  []struct{ Name string }
		RequestBody struct {
			Content map[string]struct {
				Schema struct {
					Ref string `json:"$ref"`
				}
			}
		}
	}
	Components struct {
		Schemas map[string]struct{ Properties map[string]any }
	}
}

func openAPI(t *testing.T) (document apiDocument) {
	t.Helper()
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: newMemory(t).environ["ANNALS_DATABASE_URL"]})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s := server.New(server.Options{Client: client})
	rest.Mount(s, rest.Options{})
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/openapi.json", nil))
	if err := json.Unmarshal(w.Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	return document
}

func (d apiDocument) body(path string) []string { return d.bodyOf("post", path) }

func (d apiDocument) bodyOf(method, path string) (names []string) {
	ref := d.Paths[path][method].RequestBody.Content["application/json"].Schema.Ref
	for name := range d.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")].Properties {
		names = append(names, name)
	}
	return names
}

func (d apiDocument) parameters(path string) []string { return d.parametersOf("get", path) }

func (d apiDocument) parametersOf(method, path string) (names []string) {
	for _, p := range d.Paths[path][method].Parameters {
		names = append(names, p.Name)
	}
	return names
}
