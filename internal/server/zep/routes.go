package zep

import (
	"cmp"
	_ "embed" // the list of routes that are not answered
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

// route is a route. Its path is relative to the root of its generation.
type route struct {
	method, path string
	parts        []string // of the path
	answer       project.Answer
}

// table finds routes. Zep's routes overlap, such as /graph/node/graph/docs and
// /graph/node/{uuid}/neighbors. The multiplexer of net/http refuses them. Here, literal parts win
// over wildcards, from left to right: the brace of a wildcard sorts behind all letters.
type table []route

func newTable(g *generation) (t table) {
	for name, answer := range g.routes() {
		method, path, _ := strings.Cut(name, " ")
		t = append(t, route{method, path, strings.Split(path, "/"), answer})
	}
	slices.SortFunc(t, func(a, b route) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.method, b.method))
	})
	return t
}

// find returns the route of a request and sets its path values. If only other methods match, it
// returns those as allowed.
func (t table) find(root string, r *http.Request) (found *route, allowed []string) {
	parts := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), root), "/")
	for i := range t {
		values, ok := match(t[i].parts, parts)
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
		return &t[i], nil
	}
	return nil, allowed
}

// match returns the values of the wildcards of a pattern.
func match(pattern, parts []string) (map[string]string, bool) {
	if len(parts) != len(pattern) {
		return nil, false
	}
	values := map[string]string{}
	for i, part := range pattern {
		if !strings.HasPrefix(part, "{") {
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

//go:embed unanswered.txt
var unanswered string

// unansweredUnder returns the routes under a root that answer with 501.
func unansweredUnder(root string) project.Routes {
	routes := project.Routes{}
	var under, instead string
	for line := range strings.Lines(unanswered) {
		first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case first == "" || first == "#":
		case strings.HasPrefix(first, "/"):
			under, instead = first, rest
		case under == root:
			err := project.Unsupported(first + " " + root + rest)
			if instead != "" {
				err = server.NewProblem(http.StatusNotImplemented, "this is a call of version 2 of Zep's clients, which Annals answers only in part; "+instead)
			}
			routes[first+" "+rest] = func(*project.Call) (any, error) { return nil, err }
		}
	}
	return routes
}

// routes returns all routes of a generation.
func (g *generation) routes() project.Routes {
	all := maps.Clone(g.answered())
	maps.Copy(all, unansweredUnder(g.root))
	return all
}

// erasing matches the DELETE routes that remove for good. The others leave the data in the history.
var erasing = regexp.MustCompile(`^/(graphs?|users|agents)/\{\w+}$`)

// reading matches the POST routes that only read: those of version 3 by their beginnings, those of
// version 4 by their ends.
var reading = regexp.MustCompile(`^/graph/(search|subgraph|edge/|episodes/|node/|thread-summary/)|` +
	`/(list|lookup|subgraph|neighbors|search/(edges|nodes|episodes|observations|thread-summaries)|` +
	`(graphs|agents)/\{\w+}/context|graphs/query|skills/search|versions/compare)$`)

// needed returns the rights that a route needs.
func (r *route) needed() service.Rights {
	switch {
	case r.method == http.MethodDelete && !erasing.MatchString(r.path):
		return service.RightsWrite
	case r.method == http.MethodPost && reading.MatchString(r.path):
		return service.RightsRead
	}
	return server.NeededFor(r.method)
}
