package rest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
)

// agentsPath is a shorter path for the routes of [allAgents]. The group is a query parameter, or
// the only group that the API key opens. Requests are rewritten to the path with the group, so that
// the same checks apply.
const agentsPath = "/v1/agents"

// named moves the group from the query into the path. It runs before authentication, as for paths
// that have the group. If the group is missing or invalid, [byKey] refuses the request later, when
// the caller is known.
func named(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if groups := r.URL.Query()["group"]; keyed(r.URL) && len(groups) == 1 && graph.ValidateGroupID(groups[0]) == nil {
			r = inGroup(r, groups[0])
		}
		next.ServeHTTP(w, r)
	})
}

// byKey inserts the only group that an API key opens into a path without a group.
func byKey(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !keyed(r.URL) {
			next.ServeHTTP(w, r)
			return
		}
		groups := server.CallerOf(r.Context()).Groups()
		if r.URL.Query().Has("group") || len(groups) != 1 || graph.ValidateGroupID(groups[0]) != nil {
			server.WriteProblem(w, http.StatusUnprocessableEntity, "name the group of the agent, as in ?group=alice: this key opens several")
			return
		}
		next.ServeHTTP(w, inGroup(r, groups[0]))
	})
}

func keyed(u *url.URL) bool { return u.Path == agentsPath || strings.HasPrefix(u.Path, agentsPath+"/") }

// inGroup returns the request with the path that has the group.
func inGroup(r *http.Request, group string) *http.Request {
	u := *r.URL
	rest := strings.TrimPrefix(r.URL.EscapedPath(), agentsPath)
	u.RawPath = strings.Replace(allAgents, "{group}", url.PathEscape(group), 1) + rest
	u.Path = strings.Replace(allAgents, "{group}", group, 1) + strings.TrimPrefix(r.URL.Path, agentsPath)
	query := u.Query()
	query.Del("group")
	u.RawQuery = query.Encode()
	other := r.Clone(r.Context())
	other.URL = &u
	return other
}

// documentShortPaths adds the shorter paths to the OpenAPI document.
func documentShortPaths(document *huma.OpenAPI) {
	for path, item := range document.Paths {
		rest, ok := strings.CutPrefix(path, allAgents)
		if !ok {
			continue
		}
		for _, op := range operationsOf(item) {
			document.AddOperation(shortened(*op, rest))
		}
	}
}

// shortened returns an operation whose group is a query parameter.
func shortened(op huma.Operation, rest string) *huma.Operation {
	op.Path, op.OperationID = agentsPath+rest, "key-"+op.OperationID
	op.Parameters = slices.Clone(op.Parameters)
	for i, p := range op.Parameters {
		if p.Name == "group" {
			query := *p
			query.In, query.Required, query.Description = "query", false, "The memory; left out: the one that the key opens"
			op.Parameters[i] = &query
		}
	}
	return &op
}
