package rest_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/slow"
)

var fuzzRequests = flag.Int("requests", 4000, "how many requests to generate from the OpenAPI document")

// generator makes requests from an OpenAPI document: valid ones, and slightly invalid ones.
type generator struct {
	*rand.Rand
	schemas    map[string]any
	operations []operation
	ids        []string
}

type operation struct {
	method, path string
	details      map[string]any
}

// at follows keys into a JSON document.
func at(v any, keys ...string) any {
	for _, key := range keys {
		object, _ := v.(map[string]any)
		v = object[key]
	}
	return v
}

func (s *running) generator(seed uint64) *generator {
	s.t.Helper()
	var document map[string]any
	s.must(http.StatusOK, &document, "GET", "/openapi.json", "")
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), schemas: at(document, "components", "schemas").(map[string]any)}
	paths := document["paths"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		methods := paths[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(methods)) {
			g.operations = append(g.operations, operation{strings.ToUpper(method), path, methods[method].(map[string]any)})
		}
	}
	return g
}

func pick[T any](g *generator, values ...T) T { return values[g.IntN(len(values))] }

// odd are texts that break careless code.
var odd = []string{
	"", " ", "null", "-1", "0", "1e999", "'; DROP TABLE annals.facts; --", "%", "\\", "\"", "{}", "[]", "\x00", "\xff", "\u202e", "😀", "../..",
	"2024-03-15", "2024-03-15T09:30:00Z", "0000-00-00", "9999-12-31T23:59:59Z", "fuzz", "Alice", "*", "a b", strings.Repeat("x", 600), "ß", "\n",
}

func (g *generator) text() string {
	if len(g.ids) > 0 && g.IntN(2) == 0 {
		return pick(g, g.ids...)
	}
	return pick(g, odd...)
}

// anything returns arbitrary JSON.
func (g *generator) anything(depth int) any {
	switch n := g.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return g.IntN(2) == 0
	case n == 2:
		return pick(g, 0, -1, 1, 1<<31, 1<<53, -1<<53)
	case n == 3:
		return pick(g, 0.5, -1e300, 1e300, 1e-300)
	case n == 4 && depth < 3:
		return []any{g.anything(depth + 1), g.anything(depth + 1)}
	case n == 5 && depth < 3:
		return map[string]any{g.text(): g.anything(depth + 1), "op": "eq", "path": []any{"a"}, "value": g.anything(depth + 1)}
	}
	return g.text()
}

// value returns a value that a schema allows, mostly.
func (g *generator) value(schema any, depth int) any {
	if ref, ok := at(schema, "$ref").(string); ok {
		schema = g.schemas[ref[strings.LastIndex(ref, "/")+1:]]
	}
	if g.IntN(12) == 0 || depth > 6 {
		return g.anything(0)
	}
	if values, ok := at(schema, "enum").([]any); ok {
		return pick(g, values...)
	}
	kind := at(schema, "type")
	if kinds, ok := kind.([]any); ok {
		kind = kinds[0]
	}
	switch kind {
	case "boolean":
		return g.IntN(2) == 0
	case "integer", "number":
		return g.number(schema)
	case "array":
		list := make([]any, g.IntN(3))
		for i := range list {
			list[i] = g.value(at(schema, "items"), depth+1)
		}
		return list
	case "object":
		return g.object(schema, depth)
	case "string":
		if examples, ok := at(schema, "examples").([]any); ok && g.IntN(2) == 0 {
			return pick(g, examples...)
		}
		return g.text()
	}
	return g.anything(0)
}

func (g *generator) number(schema any) any {
	least, _ := at(schema, "minimum").(float64)
	most, bounded := at(schema, "maximum").(float64)
	if !bounded {
		most = 100
	}
	return pick(g, least, most, least+1, least-1, most+1, float64(g.IntN(20)), 1e15)
}

func (g *generator) object(schema any, depth int) any {
	object := map[string]any{}
	properties, _ := at(schema, "properties").(map[string]any)
	required, _ := at(schema, "required").([]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, any(name)) && g.IntN(20) > 0 || g.IntN(4) == 0 {
			object[name] = g.value(properties[name], depth+1)
		}
	}
	if len(properties) == 0 || g.IntN(20) == 0 {
		object[pick(g, "a", "price", "nonsense")] = g.anything(1)
	}
	return object
}

// group returns the group with content, mostly. Operations that would empty it get another group.
func (g *generator) group(op operation) string {
	if op.method == http.MethodDelete && (strings.HasSuffix(op.path, "{group}") || g.IntN(8) > 0) {
		return "gone"
	}
	return "fuzz"
}

// request makes a request for an operation.
func (g *generator) request(op operation) *http.Request {
	path, query, headers := op.path, url.Values{}, http.Header{}
	parameters, _ := op.details["parameters"].([]any)
	for _, p := range parameters {
		name, value := at(p, "name").(string), fmt.Sprint(g.value(at(p, "schema"), 0))
		switch at(p, "in") {
		case "path":
			if name == "group" && (g.IntN(8) > 0 || value == "fuzz") {
				value = g.group(op)
			}
			path = strings.ReplaceAll(path, "{"+name+"}", strings.ReplaceAll(url.PathEscape(value), "..", "%2e%2e"))
		case "query":
			if name == "group" && g.IntN(8) > 0 {
				query.Set(name, g.group(op))
			} else if at(p, "required") == true || g.IntN(3) == 0 {
				query.Set(name, value)
			}
		case "header":
			if g.IntN(4) == 0 {
				headers.Set(name, strings.Map(visible, value))
			}
		}
	}
	body := g.body(op, headers)
	r := httptest.NewRequest(op.method, "http://annals.test/", strings.NewReader(body))
	r.URL = &url.URL{Scheme: "http", Host: "annals.test", RawQuery: query.Encode()}
	r.URL.RawPath = path
	r.URL.Path, _ = url.PathUnescape(path) // it was just escaped
	r.RequestURI = r.URL.RequestURI()
	r.Header = headers
	r.Header.Set("Authorization", "Bearer "+staticKey)
	return r
}

func visible(c rune) rune {
	if c < ' ' || c > '~' {
		return '?'
	}
	return c
}

func (g *generator) body(op operation, headers http.Header) string {
	content, _ := at(op.details, "requestBody", "content").(map[string]any)
	if content == nil {
		return ""
	}
	text, err := json.Marshal(g.value(at(content, "application/json", "schema"), 0))
	if err != nil {
		panic(err) // it is made of JSON values
	}
	body := string(text)
	switch g.IntN(12) {
	case 0:
		body = body[:g.IntN(len(body)+1)]
	case 1:
		body += pick(g, "\x00", "\xff", "{}", "}")
	case 2:
		body = strings.ReplaceAll(body, `"A`, `"\ud83d`)
	}
	headers.Set("Content-Type", pick(g, "application/json", "application/json", "application/json", "application/json; charset=utf-8", "text/plain", lines, "/"))
	if g.IntN(6) == 0 {
		headers.Set("Idempotency-Key", pick(g, "a", "b", "ä", strings.Repeat("k", 600)))
	}
	return body
}

// No request causes an internal error. Refusals are problem documents, and other answers match the
// OpenAPI document.
func TestGeneratedRequests(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	const seed = 42
	g := s.generator(seed)
	s.populate(g)
	described := s.described()
	statuses, checked := map[int]int{}, map[string]int{}
	if !slow.Long() {
		*fuzzRequests = min(*fuzzRequests, 1000)
	}
	for i := range *fuzzRequests {
		op := g.operations[i%len(g.operations)]
		r := g.request(op)
		w := httptest.NewRecorder()
		s.doors.ServeHTTP(w, r)
		statuses[w.Code]++
		if why := wrong(w); why != "" {
			t.Fatalf("request %d of seed %d, %s %s: %s: %d %s", i, seed, r.Method, r.URL, why, w.Code, w.Body)
		}
		if name := op.method + op.path; w.Code < 300 && !slices.Contains([]string{lines, events}, w.Header().Get("Content-Type")) && checked[name] < 3 {
			checked[name]++
			if w.Code == http.StatusNoContent {
				continue
			}
			if err := described.check(t, op, w); err != nil {
				t.Errorf("%s %s answers what is not described: %v in %s", r.Method, r.URL, err, w.Body)
			}
		}
	}
	t.Logf("%d requests to %d routes: %v", *fuzzRequests, len(g.operations), statuses)
	for _, op := range g.operations {
		if checked[op.method+op.path] == 0 {
			t.Log("never answered: ", op.method, op.path)
		}
	}
	if *fuzzRequests >= 4000 && (statuses[200] < 100 || statuses[422] < 100 || len(checked) < len(g.operations)*3/5) {
		t.Errorf("the requests reach little: %v, %d of %d routes answered", statuses, len(checked), len(g.operations))
	}
}

// populate gives the service content for the requests.
func (s *running) populate(g *generator) {
	s.t.Helper()
	s.must(http.StatusCreated, nil, "POST", "/v1/groups/fuzz/agents", `{"name": "Alice"}`)
	s.must(http.StatusCreated, nil, "POST", "/v1/users", `{"id": "Alice"}`)
	s.must(http.StatusAccepted, nil, "POST", "/v1/groups/fuzz/threads/Alice/messages",
		`{"messages": [{"content": "I live in Paris.", "actor": "Alice"}, {"content": "I work at Acme Corp.", "actor": "Alice"}]}`)
	s.process("fuzz")
	for _, path := range []string{"/v1/groups/fuzz/episodes", "/v1/groups/fuzz/facts", "/v1/groups/fuzz/entities"} {
		ids, _ := s.listed(path)
		g.ids = append(g.ids, ids...)
	}
}

func wrong(w *httptest.ResponseRecorder) string {
	kind := w.Header().Get("Content-Type")
	switch {
	case w.Code >= 500:
		return "it fails"
	case w.Code >= 400:
		var p problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || kind != "application/problem+json" {
			return "it refuses by no problem document"
		}
		if p.Status != w.Code || p.Code == "" || p.Title == "" || p.Detail == "" {
			return "its problem does not say what is wrong"
		}
	case w.Code >= 300 && w.Code != http.StatusNotModified:
		return "it leads elsewhere"
	case w.Code == http.StatusNoContent && w.Body.Len() == 0:
	case w.Code < 300 && (kind == lines || kind == events):
	case w.Code < 300 && (kind != "application/json" || !json.Valid(w.Body.Bytes())):
		return "it answers no JSON"
	}
	return ""
}
