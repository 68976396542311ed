package zep

import (
	"net/http"
	"slices"

	"github.com/annalsdb/annals/internal/service"
)

// RouteOf tells which route a request takes under a root, and whether it is one
// that works.
func RouteOf(root, method, path string) (pattern string, works bool) {
	request, err := http.NewRequest(method, root+path, http.NoBody)
	if err != nil {
		return "", false
	}
	g := generationOf(root)
	r, _ := newTable(routesOf(g)).find(root, request)
	if r == nil {
		return "", false
	}
	for _, u := range map[*generation][]route{second: slices.Concat(unsupported2, former), fourth: unsupported4}[g] {
		if u.method == r.method && u.path == r.path {
			return r.path, false
		}
	}
	return r.path, true
}

func generationOf(root string) *generation {
	for _, g := range generations {
		if g.root == root {
			return g
		}
	}
	return nil
}

// Routes are all under a root, by method and path.
func Routes(root string) []string {
	var all []string
	for _, r := range routesOf(generationOf(root)) {
		all = append(all, r.method+" "+r.path)
	}
	return all
}

// Needed tells what rights each route needs, by method and path.
func Needed(root string) map[string]service.Rights {
	all := map[string]service.Rights{}
	for _, r := range routesOf(generationOf(root)) {
		all[r.method+" "+r.path] = r.needed()
	}
	return all
}
