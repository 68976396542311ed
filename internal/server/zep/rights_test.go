package zep_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/service"
)

// The POST routes that only read, and the routes that remove for good, by generation. Consider the
// rights of new routes here: GET needs the right to read, all others the right to write.
var (
	postedReads = map[string][]string{
		"/api/v2": strings.Fields(`/graph/search /graph/subgraph /graph/edge/graph/{graph} /graph/edge/user/{user} /graph/edge/group/{group} /graph/node/group/{group}
			/graph/episodes/graph/{graph}
			/graph/episodes/user/{user} /graph/node/graph/{graph} /graph/node/user/{user} /graph/node/{node}/neighbors
			/graph/thread-summary/graph/{graph} /graph/thread-summary/user/{user}`),
		"/api/v4": strings.Fields(`/users/list /users/lookup /lookup /threads/lookup /graphs/list /graphs/lookup /graphs/query
			/graphs/{graph}/search/edges /graphs/{graph}/search/nodes /graphs/{graph}/search/episodes /graphs/{graph}/search/observations
			/graphs/{graph}/search/thread-summaries /graphs/{graph}/subgraph /graphs/{graph}/context /graphs/{graph}/nodes/list
			/graphs/{graph}/nodes/{node}/neighbors /graphs/{graph}/edges/list /graphs/{graph}/hyperedges/list /graphs/{graph}/episodes/list
			/graphs/{graph}/thread-summaries/list /graphs/{graph}/document-summaries/list /graphs/{graph}/observations/list
			/graphs/{graph}/content-policy/events/list /context-templates/list /user-groups/list /user-groups/{group}/members/list
			/user-groups/{group}/member-candidates/list /agents/list /agents/{agent}/context /agents/{agent}/skills/list /agents/{agent}/skills/search
			/agents/{agent}/skills/{skill}/versions/compare /agents/{agent}/traces/list
			/agents/{agent}/task-families/list /agents/{agent}/verifiers/list /trace-connections/{connection}/traces/list`),
	}
	erasing = map[string][]string{"/api/v2": {"/graph/{graph}", "/users/{user}"}, "/api/v4": {"/graphs/{graph}", "/users/{user}", "/agents/{agent}"}}
)

func TestRightsOfRoutes(t *testing.T) {
	t.Parallel()
	for root := range postedReads {
		checkRights(t, root)
	}
}

func checkRights(t *testing.T, root string) {
	t.Helper()
	for route, got := range zep.Needed(root) {
		method, path, _ := strings.Cut(route, " ")
		want := service.RightsWrite
		switch {
		case method == "GET", method == "POST" && slices.Contains(postedReads[root], path):
			want = service.RightsRead
		case method == "DELETE" && slices.Contains(erasing[root], path):
			want = service.RightsErase
		}
		if got != want {
			t.Errorf("%s%s needs the right to %s, want %s", root, route, got, want)
		}
	}
}
