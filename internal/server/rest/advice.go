package rest

import (
	"regexp"
	"strings"

	"github.com/annalsdb/annals/internal/server"
)

// commands maps commands that errors of the library recommend to the routes that do the same.
// Longer commands come before their prefixes.
var commands = []struct{ command, route string }{
	{"annals facts restore", "POST /v1/groups/{group}/facts/{fact}/restore"},
	{"annals facts rejected", "GET /v1/groups/{group}/rejections"},
	{"annals facts", "GET /v1/groups/{group}/facts"},
	{"annals entities", "GET /v1/groups/{group}/entities"},
	{"annals episodes", "GET /v1/groups/{group}/episodes"},
	{"annals threads", "GET /v1/groups/{group}/threads"},
	{"annals agent list", "GET /v1/groups/{group}/agents"},
	{"annals search --help", "GET /openapi.json"},
	{"annals retry", "POST /v1/groups/{group}/retry"},
}

var quotedCommand = regexp.MustCompile(`'(annals [^']*)'`)

// withRoutes adds to each command in a text the route that does the same. Commands without a route
// stay as they are.
func withRoutes(text string) string {
	return quotedCommand.ReplaceAllStringFunc(text, func(quoted string) string {
		for _, c := range commands {
			if rest, ok := strings.CutPrefix(quoted, "'"+c.command); ok && (rest == "'" || rest[0] == ' ') {
				return c.route + ", or " + quoted + ","
			}
		}
		return quoted
	})
}

// advise adds routes to all texts of a problem.
func advise(p *server.Problem) {
	p.Detail = withRoutes(p.Detail)
	for i := range p.Errors {
		p.Errors[i].Message = withRoutes(p.Errors[i].Message)
	}
}
