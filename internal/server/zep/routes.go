package zep

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/annalsdb/annals/internal/server/zep/project"
)

// route is a route. Its path is relative to the root of its generation.
type route struct {
	method, path string
	answer       project.Answer
}

// table finds routes. Zep's routes overlap, such as /graph/node/graph/docs and
// /graph/node/{uuid}/neighbors. The multiplexer of net/http refuses them. Here, literal parts win
// over wildcards, from left to right.
type table []entry

type entry struct {
	route
	parts []string
}

func newTable(routes project.Routes) table {
	var t table
	for name, answer := range routes {
		method, path, _ := strings.Cut(name, " ")
		t = append(t, entry{route{method, path, answer}, strings.Split(path, "/")})
	}
	sort.Slice(t, func(i, j int) bool {
		return cmp.Or(slices.CompareFunc(t[i].parts, t[j].parts, spelt), strings.Compare(t[i].method, t[j].method)) < 0
	})
	return t
}

// spelt compares parts of paths; literal parts come before wildcards.
func spelt(a, b string) int {
	if open := isOpen(a); open != isOpen(b) {
		if open {
			return 1
		}
		return -1
	}
	return strings.Compare(a, b)
}

func isOpen(part string) bool { return strings.HasPrefix(part, "{") }

// find returns the route of a request and sets its path values. If only other methods match, it
// returns those as allowed.
func (t table) find(root string, r *http.Request) (found *route, allowed []string) {
	parts := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), root), "/")
	for i := range t {
		values, ok := t[i].match(parts)
		if !ok {
			continue
		}
		if t[i].method != r.Method {
			allowed = append(allowed, t[i].method)
			continue
		}
		for name, value := range values {
			r.SetPathValue(name, value)
		}
		return &t[i].route, nil
	}
	return nil, allowed
}

func (e entry) match(parts []string) (map[string]string, bool) {
	if len(parts) != len(e.parts) {
		return nil, false
	}
	values := map[string]string{}
	for i, part := range e.parts {
		if !isOpen(part) {
			if parts[i] != part {
				return nil, false
			}
			continue
		}
		value, err := url.PathUnescape(parts[i])
		if err != nil || value == "" {
			return nil, false
		}
		values[strings.Trim(part, "{}")] = value
	}
	return values, true
}
