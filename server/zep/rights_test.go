package zep_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/server/zep"
	"github.com/annalsdb/annals/service"
)

// The routes that are posted to and only read, and those that remove for good.
// The rights of a new route have to be thought about here: what is got needs the
// right to read, all else that to write.
var (
	postedReads = strings.Fields(`/graph/search /graph/subgraph /graph/edge/graph/{graph} /graph/edge/user/{user} /graph/episodes/graph/{graph}
		/graph/episodes/user/{user} /graph/node/graph/{graph} /graph/node/user/{user} /graph/node/{node}/neighbors
		/graph/thread-summary/graph/{graph} /graph/thread-summary/user/{user}`)
	erasing = strings.Fields(`/graph/{graph} /users/{user}`)
)

func TestRightsOfRoutes(t *testing.T) {
	t.Parallel()
	for route, got := range zep.Needed("/api/v2") {
		method, path, _ := strings.Cut(route, " ")
		want := service.RightsWrite
		switch {
		case method == "GET", method == "POST" && slices.Contains(postedReads, path):
			want = service.RightsRead
		case method == "DELETE" && slices.Contains(erasing, path):
			want = service.RightsErase
		}
		if got != want {
			t.Errorf("%s needs the right to %s, want %s", route, got, want)
		}
	}
}
