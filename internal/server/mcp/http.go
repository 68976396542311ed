package mcp

import (
	"context"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
)

// GroupHeader names the group of calls that name none, for one client.
const GroupHeader = "X-Annals-Group"

// maxBody is the most bytes of a request or of a line of standard input.
const maxBody = server.LargeBody

// Mount adds /mcp to a server, behind its API keys. It keeps no sessions: each
// request carries its key, and any process can answer it.
func Mount(s *server.Server, o Options) {
	o = o.withDefaults()
	o.Log = s.Log()
	d := newDoor(served{server: s, group: o.Group}, o)
	// Rebinding DNS gives a page of another site no access: it has no key. The
	// check would refuse clients behind a proxy on the same machine.
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return d.sdk }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true,
	})
	protected := s.Protect("mcp", graph.AuthorityAssistant, s.Bounded(func(*http.Request) int64 { return maxBody }, refused, asked(handler)))
	s.Handle("/mcp", protected)
	s.Handle("/mcp/{$}", protected) // as Graphiti's clients write it
}

// refused answers in plain text, as the library below does.
func refused(w http.ResponseWriter, _ *http.Request, p *server.Problem) {
	http.Error(w, p.Detail, p.Status)
}

type groupKey struct{}

// asked notes what a request's headers ask for.
func asked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), groupKey{}, r.Header.Get(GroupHeader))
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, mannerKey{}, mannerOf(r))))
	})
}

// served is the memory that the key of a request opens.
type served struct {
	server *server.Server
	group  string
}

// fallback returns the group of the header, else the one that the key opens,
// else the default group, if the key opens it.
func (m served) fallback(ctx context.Context) string {
	caller := server.CallerOf(ctx)
	if named, _ := ctx.Value(groupKey{}).(string); named != "" {
		return named
	}
	if groups := caller.Groups(); len(groups) == 1 {
		return groups[0]
	}
	if caller.Opens(m.group) {
		return m.group
	}
	return ""
}

func (m served) over(ctx context.Context, groups []string) (*annals.Client, error) {
	return m.server.ClientOver(ctx, groups)
}

func (m served) groups(ctx context.Context, after string) ([]annals.Group, error) {
	return m.server.ClientOf(ctx).Groups(ctx, annals.GroupFilter{Among: server.CallerOf(ctx).Groups(), After: after, Limit: groupsAtOnce})
}

// add stores an episode. The database notifies the workers, which read it.
func (served) add(ctx context.Context, c *annals.Client, e annals.Episode) (annals.Stored, error) {
	return c.Add(ctx, e)
}
