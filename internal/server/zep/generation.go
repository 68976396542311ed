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

// generation describes what clients of one version expect: the root of the routes, the form of
// errors, and the requests that may be repeated.
type generation struct {
	root       string
	clients    []string // versions of the official clients
	answered   func() project.Routes
	decode     func(r *http.Request, into any) error
	problem    func(*http.Request, *server.Problem) any
	repeatable func(c *project.Call, path string) (group string, err error)
}

var generations = []*generation{
	{
		root: v3.Root, clients: []string{"2", "3"}, answered: v3.Routes, decode: server.ReadJSON,
		problem:    func(_ *http.Request, p *server.Problem) any { return v3.Message{Message: p.Detail} },
		repeatable: func(*project.Call, string) (string, error) { return "", nil },
	},
	{root: v4.Root, clients: []string{"4"}, answered: v4.Routes, decode: v4.Decode, problem: v4.Problem, repeatable: v4.Repeatable},
}

// refused writes a problem.
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

// retries reports whether a request comes from an official client. All of them retry a 5xx for
// seconds. A 501 never changes, so it is sent to them as a 405, on which they fail at once.
func retries(r *http.Request) bool { return r.Header.Get("X-Fern-Language") != "" }

// agent matches the User-Agent of the official clients.
var agent = regexp.MustCompile(`^@?(?:getzep/)?zep-cloud/v?([0-9.]+)`)

// wrongClient returns a problem for a client of another generation, and that generation, in whose
// form the problem is written. Both have routes of the same names with other fields: without this
// check the client would see empty lists.
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
