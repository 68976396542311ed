package server

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// maxBound is of how many groups the clients are kept at hand.
const maxBound = 10_000

// tenants hands out clients that the database itself keeps to one group, so
// that a mistake in here cannot reach into another.
type tenants struct {
	mu      sync.Mutex
	bound   map[string]*annals.Client
	refused bool // the database's user may not act as a tenant
}

type clientKey struct{}

// ClientOf is the memory as whoever made the request may use it: bound to the
// one group that it is about, unless the key opens all.
func (s *Server) ClientOf(ctx context.Context) *annals.Client {
	if client, ok := ctx.Value(clientKey{}).(*annals.Client); ok {
		return client
	}
	return s.options.Client
}

// ClientOver is the memory for a request about several groups: as [Server.ClientOf]
// where they are one, bound to it, else that of all, provided that the caller's
// key opens each. The first that it does not open is refused as if it were not there.
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

// NoGroup says that there is no such group, or not for the caller.
func NoGroup(id string) string { return fmt.Sprintf("group: there is none called %q", id) }

// bind gives a request the client of its caller. A key of one group is bound to
// that, whatever the request names; one of several to the one that is named,
// if it opens it. Without, or where the request names a group that is not the
// caller's, which the door refuses, there is nothing to bind to.
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

// ClientIn is the memory for what a request is about, where its path does not
// say so: bound to the group unless the key opens all. One that the key does not
// open is refused as if it were not there.
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

// All is the memory of all groups, for what is about several. Whoever uses it
// answers for which of them the caller may.
func (s *Server) All() *annals.Client { return s.options.Client }

// bound is the client of one group. Where the database's user may not act as a
// tenant it is the one of all, and what the key opens is checked here alone.
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
