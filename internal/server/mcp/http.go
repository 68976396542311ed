package mcp

import (
	"context"
	"net"
	"net/http"
	"net/url"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
)

// GroupHeader names the group for calls that name none. Clients set it.
const GroupHeader = "X-Annals-Group"

// maxBody is the limit in bytes on a request, and on a line of standard input.
const maxBody = server.LargeBody

// Mount adds /mcp to a server, protected by API keys. It keeps no sessions: each request carries
// its key, so any process can answer it.
func Mount(s *server.Server, o Options) {
	o = o.withDefaults()
	o.Log = s.Log()
	d := newDoor(served{server: s, group: o.Group}, o)
	// The server checks the Host of all interfaces. The library's own check would refuse
	// clients behind a proxy on the same machine, whatever the operator allows.
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return d.sdk }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true,
	})
	protected := s.Protect("mcp", graph.AuthorityAssistant, s.Bounded(func(*http.Request) int64 { return maxBody }, refused, asked(handler)))
	protected = ofAllowedOrigin(s, protected)
	s.Handle("/mcp", protected)
	s.Handle("/mcp/{$}", protected) // as Graphiti's clients write it
}

// refused answers in plain text, as the library does.
func refused(w http.ResponseWriter, _ *http.Request, p *server.Problem) {
	http.Error(w, p.Detail, p.Status)
}

// ofAllowedOrigin refuses pages of origins that the operator did not allow, as MCP requires.
// Programs send no Origin. A page may always use its own host if that is localhost or an IP
// address, since no name can be rebound to those.
func ofAllowedOrigin(s *server.Server, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if origin == "" || s.AllowsOrigin(origin) || isOwn(origin, r.Host) {
			next.ServeHTTP(w, r)
			return
		}
		http.Error(w, "pages of this origin are not let in; 'annals serve --cors-origins' names those that are", http.StatusForbidden)
	})
}

func isOwn(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host == host && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()) != nil)
}

type groupKey struct{}

// asked stores in the context what the headers ask for.
func asked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), groupKey{}, r.Header.Get(GroupHeader))
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, mannerKey{}, mannerOf(r))))
	})
}

// served is the memory of a server. The API key of a request decides what it may use.
type served struct {
	server *server.Server
	group  string
}

// fallback returns the group for calls that name none: that of the header, else the only one that
// the key opens, else the default group, if the key opens it.
func (m served) fallback(ctx context.Context) string {
	caller := server.CallerOf(ctx)
	if named, _ := ctx.Value(groupKey{}).(string); named != "" {
		return named
	}
	if groups := caller.Groups(); len(groups) == 1 && graph.ValidateGroupID(groups[0]) == nil {
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
