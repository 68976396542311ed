package doors_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// attempts lists requests with one fault each, of all interfaces.
func (s *service) attempts(t *testing.T) []attempt {
	t.Helper()
	var out []attempt
	for _, route := range s.plans(t) {
		out = append(out, route.attempts(t)...)
	}
	return append(out, s.mcpAttempts(t)...)
}

// plans returns the routes of all interfaces that have routes.
func (s *service) plans(t *testing.T) []plan {
	t.Helper()
	return slices.Concat(s.restPlans(t), s.sourcePlans(t, "zep", "/api/v2", "../zep/v3", "../zep/project"),
		s.sourcePlans(t, "zep", "/api/v4", "../zep/v4", "../zep/project"), s.sourcePlans(t, "graphiti", "", "../graphiti"))
}

// restPlans makes plans from the OpenAPI document.
func (s *service) restPlans(t *testing.T) []plan {
	t.Helper()
	var document struct {
		Paths      map[string]map[string]json.RawMessage
		Components struct{ Schemas map[string]any }
	}
	s.must(t, &document, attempt{method: "GET", path: "/openapi.json"})
	var out []plan
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(document.Paths[path])) {
			var operation struct {
				Parameters []struct {
					Name, In string
					Required bool
					Schema   any
				}
				RequestBody struct {
					Content map[string]struct{ Schema any }
				}
			}
			if err := json.Unmarshal(document.Paths[path][method], &operation); err != nil {
				continue // a description, not a method
			}
			route := plan{door: "rest", method: strings.ToUpper(method), path: path, known: s.known}
			for _, p := range operation.Parameters {
				if p.In == "query" {
					value := fmt.Sprint(shapeOf(p.Schema, document.Components.Schemas, 0).sample(s.known, p.Name, all))
					route.query = append(route.query, parameter{p.Name, value, p.Required})
				}
			}
			if content, ok := operation.RequestBody.Content["application/json"]; ok {
				route.takes = shapeOf(content.Schema, document.Components.Schemas, 0)
			}
			out = append(out, route)
		}
	}
	return out
}

// tool is a tool of MCP.
type tool struct {
	Name        string
	InputSchema any
}

func (s *service) tools(t *testing.T) []tool {
	t.Helper()
	var listed struct{ Result struct{ Tools []tool } }
	s.must(t, &listed, attempt{method: "POST", path: "/mcp", body: `{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}`})
	return listed.Result.Tools
}

// call returns a request for a tool.
func call(tool string, arguments any) any {
	return map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments}}
}

// mcpAttempts makes attempts from the list of tools.
func (s *service) mcpAttempts(t *testing.T) []attempt {
	t.Helper()
	var out []attempt
	for _, tool := range s.tools(t) {
		k := maps.Clone(s.known)
		if strings.HasPrefix(tool.Name, "clear") || strings.HasPrefix(tool.Name, "delete") {
			k["group_id"], k["group_ids"] = gone, gone
		}
		for _, b := range shapeOf(tool.InputSchema, nil, 0).bases(k) {
			out = append(out, spoil(t, attempt{door: "mcp", method: "POST", path: "/mcp"}, b, func(arguments any) any { return call(tool.Name, arguments) })...)
		}
	}
	envelope := call("get_status", map[string]any{})
	return append(out, spoil(t, attempt{door: "mcp", method: "POST", path: "/mcp"}, base{envelope, places(nil, envelope)}, func(v any) any { return v })...)
}

// sourcePlans makes plans from the routes and types in Go code.
func (s *service) sourcePlans(t *testing.T, door, root string, folders ...string) []plan {
	t.Helper()
	var out []plan
	for _, r := range readSource(t, folders...).routes {
		route := plan{door: door, method: r.method, path: root + r.path, takes: r.takes, known: s.at[root]}
		if r.method == http.MethodGet {
			for _, name := range querySpoken {
				route.query = append(route.query, parameter{name: name, value: fmt.Sprint((&shape{kind: "string"}).sample(route.known, name, all))})
			}
		}
		out = append(out, route)
	}
	return out
}

// querySpoken lists the query parameters of routes that are described only by their code.
var querySpoken = []string{
	"limit", "cursor", "pageNumber", "pageSize", "lastn", "last_n", "page_size", "page_number", "order_by", "asc", "user_id", "graph_id", "template_id",
}

// plan is a route and its parameters.
type plan struct {
	door, method, path string
	query              []parameter
	takes              *shape
	known              known
}

type parameter struct {
	name, value string
	required    bool
}

func (p plan) attempts(t *testing.T) []attempt {
	t.Helper()
	if p.method == http.MethodDelete || strings.HasSuffix(p.path, "/clear") {
		p.known = maps.Clone(p.known)
		for _, name := range []string{"group", "user", "graph", "user_id", "graph_id"} {
			p.known[name] = gone
		}
		p.known["group_ids"] = []any{gone}
	}
	right := attempt{door: p.door, method: p.method, path: p.at(nil, nil)}
	var out []attempt
	if p.takes != nil {
		for i, b := range p.takes.bases(p.known) {
			if i == 0 {
				right.body, _ = written(b.value) // it is made of JSON values
			}
			out = append(out, spoil(t, right, b, func(v any) any { return v })...)
		}
	}
	for _, text := range odd {
		for _, name := range open(p.path) {
			a := right
			a.path, a.about = p.at(map[string]string{name: text}, nil), fmt.Sprintf("%.30q in the path as %s", text, name)
			out = append(out, a)
		}
		for _, q := range p.query {
			a := right
			a.path, a.about = p.at(nil, map[string]string{q.name: text}), fmt.Sprintf("%.30q in the query as %s", text, q.name)
			out = append(out, a)
		}
	}
	right.about = "nothing wrong"
	return append(out, right)
}

// open returns the names of the parameters in a path.
func open(path string) []string {
	var names []string
	for part := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(part, "{") {
			names = append(names, strings.Trim(part, "{}"))
		}
	}
	return names
}

// at fills in the parameters of the path and adds the required and the given query parameters.
func (p plan) at(places, query map[string]string) string {
	path := p.path
	for _, name := range open(p.path) {
		value, ok := places[name]
		if !ok {
			value = fmt.Sprint((&shape{kind: "string"}).sample(p.known, name, all))
		}
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	values := url.Values{}
	for _, q := range p.query {
		if text, ok := query[q.name]; ok {
			values.Set(q.name, text)
		} else if q.required {
			values.Set(q.name, q.value)
		}
	}
	if len(values) > 0 {
		path += "?" + values.Encode()
	}
	return path
}

// spoil makes one request for each place in a body and each wrong value for it.
func spoil(t *testing.T, a attempt, b base, wrap func(any) any) []attempt {
	t.Helper()
	out := make([]attempt, 0, len(b.places)*len(wrongs))
	for _, place := range b.places {
		for _, wrong := range wrongs {
			value := changed(b.value, place, wrong)
			if value == (missing{}) {
				continue // a missing body counts as one without fields
			}
			body, err := written(wrap(value))
			if err != nil {
				t.Fatalf("%v: %v", value, err)
			}
			a.body, a.about = body, fmt.Sprintf("%s at %v", short(wrong), place)
			out = append(out, a)
		}
	}
	return out
}

func short(wrong any) string {
	if wrong == (missing{}) {
		return "nothing"
	}
	text, _ := json.Marshal(wrong) // it comes from the list above
	return fmt.Sprintf("%.40s", text)
}
