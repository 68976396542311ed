package graphiti

import (
	"context"
	"net/http"
	"slices"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

func (a *api) deleteGroup(r *http.Request) (any, error) {
	group := r.PathValue("group")
	client, err := a.server.ClientIn(r.Context(), group)
	if err != nil {
		return nil, err
	}
	_, err = client.Erase(r.Context(), annals.Erasure{GroupID: group, Later: true})
	return result{"Group deleted", true}, err
}

// maxCleared is how many groups one request may name.
const maxCleared = 1000

// clear empties groups. Graphiti's clients name no groups. Then it clears the groups that the API
// key names; if the key opens a namespace or all groups, it also clears those that were filled
// through these routes. Other groups in the same database stay.
func (a *api) clear(r *http.Request, in struct {
	GroupIDs []string `json:"group_ids"`
},
) (any, error) {
	groups := in.GroupIDs
	if len(groups) > maxCleared {
		return nil, graph.Invalid("group_ids", "are %d; the limit is %d", len(groups), maxCleared)
	}
	if len(groups) == 0 {
		var err error
		if groups, err = a.filled(r.Context()); err != nil {
			return nil, err
		}
	}
	clients := make([]*annals.Client, len(groups))
	for i, group := range groups { // check all groups before one of them is cleared
		client, err := a.server.ClientIn(r.Context(), group)
		if err != nil {
			return nil, err
		}
		if _, err := client.Group(r.Context(), group); err != nil {
			return nil, err
		}
		clients[i] = client
	}
	for i, group := range groups {
		if err := service.New(clients[i]).Clear(r.Context(), group); err != nil {
			return nil, err
		}
	}
	return result{"Graph cleared", true}, nil
}

// filled returns the existing groups that a request without groups clears.
func (a *api) filled(ctx context.Context) ([]string, error) {
	caller, all := server.CallerOf(ctx), a.server.All()
	named := opened(caller)
	if tenant := all.Tenant(); tenant != "" {
		named = []string{tenant}
	} else if len(named) == 0 || len(named) < len(caller.Groups()) {
		through, err := service.New(all).GroupsFilledBy(ctx, caller.Within(), door, maxCleared+1)
		if err != nil {
			return nil, err
		}
		named = append(named, slices.DeleteFunc(through, func(g string) bool { return slices.Contains(named, g) })...)
	}
	if len(named) > maxCleared {
		return nil, graph.Invalid("group_ids", "are left out, and more than %d groups were filled through these routes; name up to %d at a time", maxCleared, maxCleared)
	}
	var groups []string
	for _, group := range named {
		if !caller.Opens(group) || slices.Contains(groups, group) {
			continue
		}
		switch _, err := all.Group(ctx, group); {
		case err == nil:
			groups = append(groups, group)
		case annals.CodeOf(err) != annals.CodeNotFound:
			return nil, err
		}
	}
	return groups, nil
}
