package zep

import (
	"strings"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// erasing lists the DELETE routes that remove for good. The others leave the data in the history.
var erasing = map[string]bool{"/graph/{graph}": true, "/graphs/{graph}": true, "/users/{user}": true, "/agents/{agent}": true}

// postedReads are prefixes of POST routes that only read.
var postedReads = []string{
	"/graph/search", "/graph/subgraph", "/graph/edge/", "/graph/episodes/", "/graph/node/", "/graph/thread-summary/",
}

// v4PostedReads are suffixes of such routes of version 4.
var v4PostedReads = []string{
	"/list", "/lookup", "/search/edges", "/search/nodes", "/search/episodes", "/search/observations", "/search/thread-summaries", "/subgraph",
	"/neighbors", "/graphs/{graph}/context", "/graphs/query", "/agents/{agent}/context", "/skills/search", "/versions/compare",
}

// needed returns the rights that a route needs.
func (r *route) needed() service.Rights {
	switch r.method {
	case "DELETE":
		if !erasing[r.path] {
			return service.RightsWrite
		}
	case "POST":
		for _, prefix := range postedReads {
			if strings.HasPrefix(r.path, prefix) {
				return service.RightsRead
			}
		}
		for _, suffix := range v4PostedReads {
			if strings.HasSuffix(r.path, suffix) {
				return service.RightsRead
			}
		}
	}
	return server.NeededFor(r.method)
}
