package zep

import (
	"cmp"
	"net/http"
	"regexp"
	"strings"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/server/zep/v3"
	"github.com/annalsdb/annals/internal/server/zep/v4"
)

// generation is what clients of one version expect: where the routes are, what errors
// look like, and which requests may be sent again.
type generation struct {
	root       string
	clients    []string // versions of the official clients
	answered   func() project.Routes
	problem    func(*http.Request, *server.Problem) any
	repeatable func(c *project.Call, path string) (group string, err error)
}

var generations = []*generation{
	{
		root: v3.Root, clients: []string{"2", "3"}, answered: v3.Routes,
		problem:    func(_ *http.Request, p *server.Problem) any { return v3.Message{Message: p.Detail} },
		repeatable: func(*project.Call, string) (string, error) { return "", nil },
	},
	{root: v4.Root, clients: []string{"4"}, answered: v4.Routes, problem: v4.Problem, repeatable: v4.Repeatable},
}

// refused answers with a problem.
func (g *generation) refused(w http.ResponseWriter, r *http.Request, p *server.Problem) {
	status := p.Status
	if status == http.StatusNotImplemented && retries(r) {
		status = http.StatusMethodNotAllowed
		w.Header().Set("Allow", "")
	}
	g.write(w, status, g.problem(r, p))
}

func (g *generation) write(w http.ResponseWriter, status int, body any) {
	server.WriteJSON(w, status, body, `{"message":"the answer cannot be written"}`)
}

// retries reports whether a request is from an official client, all of which ask
// again for seconds where an answer is 5xx. A 501 would be the same each time, so they
// are told 405, which they raise at once.
func retries(r *http.Request) bool { return r.Header.Get("X-Fern-Language") != "" }

// agent is how the official clients name themselves.
var agent = regexp.MustCompile(`^@?(?:getzep/)?zep-cloud/v?([0-9.]+)`)

// wrongClient tells a client of another generation where to turn. Both have routes
// of the same names with other fields: without this, its lists would be empty. It is
// answered in its own form.
func (g *generation) wrongClient(r *http.Request) (*generation, *server.Problem) {
	version := r.Header.Get("X-Fern-SDK-Version")
	if found := agent.FindStringSubmatch(r.UserAgent()); version == "" && found != nil {
		version = found[1]
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	for _, other := range generations {
		for _, client := range other.clients {
			if client == major && other != g {
				name := cmp.Or(r.Header.Get("X-Fern-SDK-Name"), "zep-cloud")
				return other, server.NewProblem(http.StatusBadRequest,
					"this is "+name+" "+version+", which speaks "+other.root+", and was sent to "+g.root+": give it a base URL that ends in "+other.root)
			}
		}
	}
	return nil, nil
}
