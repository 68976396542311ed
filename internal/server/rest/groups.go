package rest

import (
	"context"
	"net/http"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
)

// groupPage is a page of groups.
type groupPage struct {
	Groups     []annals.Group `json:"groups"`
	NextCursor string         `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

// newGroup is a group to create.
type newGroup struct {
	ID   string          `json:"id" minLength:"1" maxLength:"200" doc:"Letters, digits and _ - . : @ +" example:"alice"`
	Kind graph.GroupKind `json:"kind,omitempty" enum:"graph,user" doc:"Whose memory it is; left out: graph"`

	Name        string `json:"name,omitempty" doc:"A title"`
	Description string `json:"description,omitempty" doc:"What it is for"`
	TimeZone    string `json:"time_zone,omitempty" doc:"Of whom it is about, an IANA name" example:"Europe/Paris"`
	Force       bool   `json:"force,omitempty" doc:"Make it again where it was erased: its name is free then, and what it held is not refused"`
}

// groupChange is a change of a group.
type groupChange struct {
	Name        *string `json:"name,omitempty" doc:"A title"`
	Description *string `json:"description,omitempty" doc:"What it is for"`
	TimeZone    *string `json:"time_zone,omitempty" doc:"Of whom it is about, an IANA name" example:"Europe/Paris"`
}

func (a *api) groups() {
	add(a, op("list-groups", "GET", "/v1/groups", []string{"groups"}, "List groups by id",
		"All of them; those of the key, where it opens only some."), a.listGroups)
	add(a, operation{
		OperationID: "create-group", Method: http.MethodPost, Path: "/v1/groups", Tags: []string{"groups"}, Summary: "Make a group",
		Description: "The first episode that names a group makes it as well.", DefaultStatus: http.StatusCreated, Metadata: adminOnly,
	}, func(ctx context.Context, in *struct{ Body newGroup }) (*body[annals.Group], error) {
		return answer(a.client(ctx).CreateGroup(ctx, annals.Group{
			ID: in.Body.ID, Kind: in.Body.Kind, Name: in.Body.Name, Description: in.Body.Description, TimeZone: in.Body.TimeZone, Force: in.Body.Force,
		}))
	})
	add(a, op("get-group", "GET", "/v1/groups/{group}", []string{"groups"}, "Get a group"),
		func(ctx context.Context, in *InGroup) (*body[groupDetails], error) {
			return answer(a.group(ctx, in.Group))
		})
	add(a, op("update-group", "PATCH", "/v1/groups/{group}", []string{"groups"}, "Change what a group is called and described by",
		"What is left out stays; an empty text is none."),
		func(ctx context.Context, in *struct {
			InGroup
			Body groupChange
		},
		) (*body[annals.Group], error) {
			return answer(a.client(ctx).UpdateGroup(ctx, in.Group, annals.GroupChange(in.Body)))
		})
}

func (a *api) listGroups(ctx context.Context, in *Paged) (*body[groupPage], error) {
	groups, next, err := pageOf("groups", *in,
		func(c cursor) annals.Group { return annals.Group{ID: c.Name} },
		func(g annals.Group) cursor { return cursor{Name: g.ID} },
		func(after *annals.Group, limit int) ([]annals.Group, error) {
			filter := annals.GroupFilter{Among: server.CallerOf(ctx).Groups(), Limit: limit}
			if after != nil {
				filter.After = after.ID
			}
			return a.client(ctx).Groups(ctx, filter)
		})
	return answer(groupPage{Groups: some(groups), NextCursor: next}, err)
}

// groupDetails is a group and how far its episodes have come.
type groupDetails struct {
	graph.Group
	Episodes map[graph.State]int `json:"episodes" doc:"How many are in each state"`
}

func (a *api) group(ctx context.Context, id string) (groupDetails, error) {
	g, err := a.client(ctx).Group(ctx, id)
	if err != nil {
		return groupDetails{}, err
	}
	counts, err := a.client(ctx).EpisodeCounts(ctx, id)
	if err != nil {
		return groupDetails{}, err
	}
	for _, state := range []graph.State{graph.StatePending, graph.StateProcessing, graph.StateDone, graph.StateFailed} {
		counts[state] += 0 // a state without episodes is listed as well
	}
	return groupDetails{Group: g, Episodes: counts}, nil
}
