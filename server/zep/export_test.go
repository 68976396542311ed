package zep

import (
	"net/http"

	"github.com/annalsdb/annals/service"
)

// RouteOf tells which route a request takes, and whether it is one that works.
func RouteOf(method, path string) (pattern string, works bool) {
	request, err := http.NewRequest(method, root+path, http.NoBody)
	if err != nil {
		return "", false
	}
	r, _ := newTable(routes()).find(request)
	if r == nil {
		return "", false
	}
	for _, u := range unsupportedRoutes {
		if u.method == r.method && u.path == r.path {
			return r.path, false
		}
	}
	return r.path, true
}

// Routes are all, by method and path.
func Routes() []string {
	var all []string
	for _, r := range routes() {
		all = append(all, r.method+" "+r.path)
	}
	return all
}

// Needed tells what rights each route needs, by method and path.
func Needed() map[string]service.Rights {
	all := map[string]service.Rights{}
	for _, r := range routes() {
		all[r.method+" "+r.path] = r.needed()
	}
	return all
}
