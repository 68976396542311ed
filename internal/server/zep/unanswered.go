package zep

import (
	_ "embed" // the list of routes that are not answered
	"maps"
	"net/http"
	"strings"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep/project"
)

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
