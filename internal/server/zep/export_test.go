package zep

import (
	"maps"
	"net/http"
	"slices"

	"github.com/annalsdb/annals/internal/service"
)

// RouteOf returns the route of a request below a root, and whether it is implemented.
func RouteOf(root, method, path string) (pattern string, works bool) {
	request, err := http.NewRequest(method, root+path, http.NoBody)
	if err != nil {
		return "", false
	}
	r, _ := newTable(generationOf(root)).find(root, request)
	if r == nil {
		return "", false
	}
	return r.path, unansweredUnder(root)[r.method+" "+r.path] == nil
}

func generationOf(root string) *generation {
	for _, g := range generations {
		if g.root == root {
			return g
		}
	}
	return nil
}

// Routes lists all routes below a root, by method and path.
func Routes(root string) []string {
	return slices.Collect(maps.Keys(generationOf(root).routes()))
}

// Needed returns the rights that each route needs, by method and path.
func Needed(root string) map[string]service.Rights {
	all := map[string]service.Rights{}
	for _, r := range newTable(generationOf(root)) {
		all[r.method+" "+r.path] = r.needed()
	}
	return all
}
