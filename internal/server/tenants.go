package server

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// maxBound is how many clients of single groups are cached.
const maxBound = 10_000

// tenants caches clients that the database restricts to one group, so that a mistake in the server
// cannot reach another group.
type tenants struct {
	mu      sync.Mutex
	bound   map[string]*annals.Client
	refused bool // whether the database's user may not act as a tenant
}

type clientKey struct{}

// ClientOf returns the client of a request. It is bound to the group of the request, unless the API
// key opens all groups.
func (s *Server) ClientOf(ctx context.Context) *annals.Client {
	if client, ok := ctx.Value(clientKey{}).(*annals.Client); ok {
		return client
	}
	return s.options.Client
}

// ClientOver returns the client for a request about several groups. For one group it is bound to
// that group; for several it is the client of all groups. It fails if the API key does not open one
// of them, as if that group did not exist.
func (s *Server) ClientOver(ctx context.Context, groups []string) (*annals.Client, error) {
	client := s.ClientOf(ctx)
	for _, group := range groups {
		if err := graph.ValidateGroupID(group); err != nil {
			return nil, err
		}
		if !CallerOf(ctx).Opens(group) {
			return nil, NewProblem(http.StatusNotFound, NoGroup(group))
		}
		if client.Tenant() != "" && client.Tenant() != group {
			client = s.options.Client
		}
	}
	if len(groups) == 1 && client.Tenant() == "" && !CallerOf(ctx).Admin() {
		return s.bound(ctx, groups[0])
	}
	return client, nil
}

// NoGroup is the text for a group that does not exist or that the API key does not open.
func NoGroup(id string) string { return fmt.Sprintf("group: there is none called %q", id) }

// bind selects the client of a request. If the API key opens one group, it is bound to that group,
// whatever the request names. If the key opens several, it is bound to the group of the path, if
// the key opens that one. Otherwise it is bound to none, and the interface refuses the request.
func (s *Server) bind(r *http.Request, caller Caller) (*http.Request, error) {
	if caller.Admin() {
		return r, nil
	}
	group := groupOf(r.URL)
	if groups := caller.Groups(); len(groups) == 1 && graph.ValidateGroupID(groups[0]) == nil {
		group = groups[0]
	}
	if !caller.Opens(group) || graph.ValidateGroupID(group) != nil {
		return r, nil
	}
	client, err := s.bound(r.Context(), group)
	if err != nil {
		return r, err
	}
	return r.WithContext(context.WithValue(r.Context(), clientKey{}, client)), nil
}

// ClientIn returns the client for a group that is not in the path. It is bound to the group, unless
// the API key opens all groups. It fails if the key does not open the group, as if it did not
// exist.
func (s *Server) ClientIn(ctx context.Context, group string) (*annals.Client, error) {
	caller := CallerOf(ctx)
	switch {
	case !caller.Opens(group):
		return nil, NewProblem(http.StatusNotFound, NoGroup(group))
	case caller.Admin():
		return s.options.Client, nil
	}
	return s.bound(ctx, group)
}

// All returns the client of all groups. Its user must check which groups the caller may use.
func (s *Server) All() *annals.Client { return s.options.Client }

// bound returns the client of one group. If the database's user may not act as a tenant, it returns
// the client of all groups, and only the server checks what the key opens.
func (s *Server) bound(ctx context.Context, group string) (*annals.Client, error) {
	t := &s.tenants
	t.mu.Lock()
	client, refused := t.bound[group], t.refused
	t.mu.Unlock()
	switch {
	case client != nil:
		return client, nil
	case refused:
		return s.options.Client, nil
	}
	client, err := s.options.Client.ForTenant(ctx, group)
	t.mu.Lock()
	defer t.mu.Unlock()
	if annals.CodeOf(err) == annals.CodeConflict {
		if !t.refused {
			s.log.WarnContext(ctx, "keys of some groups are kept to them by the service alone, not by the database too", "error", err)
		}
		t.refused = true
		return s.options.Client, nil
	}
	if err != nil {
		return nil, err
	}
	if t.bound == nil || len(t.bound) >= maxBound {
		t.bound = map[string]*annals.Client{}
	}
	t.bound[group] = client
	return client, nil
}
