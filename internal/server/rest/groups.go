package rest

import (
	"context"
	"net/http"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/internal/server"
)

// groupPage is a page of groups.
type groupPage struct {
	Groups     []annals.Group `json:"groups"`
	NextCursor string         `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

func (a *api) groups() {
	add(a, op("list-groups", "GET", "/v1/groups", []string{"groups"}, "List groups by id",
		"All of them; those of the key, where it opens only some."), a.listGroups)
	add(a, op("create-group", "POST", "/v1/groups", []string{"groups"}, "Make a group",
		"The first episode that names a group makes it as well.").answering(http.StatusCreated).byAdmins(), calling(func(ctx context.Context, _ *struct{ Body input.NewGroup }, g annals.Group) (annals.Group, error) {
		return a.client(ctx).CreateGroup(ctx, g)
	}))
	add(a, op("get-group", "GET", "/v1/groups/{group}", []string{"groups"}, "Get a group"),
		func(ctx context.Context, in *InGroup) (*body[groupDetails], error) {
			return answer(a.group(ctx, in.Group))
		})
	add(a, op("update-group", "PATCH", "/v1/groups/{group}", []string{"groups"}, "Change what a group is called and described by",
		"What is left out stays; an empty text is none."),
		func(ctx context.Context, in *toGroup[input.GroupChange]) (*body[annals.Group], error) {
			return answer(a.client(ctx).UpdateGroup(ctx, in.Group, annals.GroupChange(in.Body)))
		})
}

func (a *api) listGroups(ctx context.Context, in *input.Page) (*body[groupPage], error) {
	filter, after := annals.GroupFilter{Among: server.CallerOf(ctx).Groups()}, &annals.Group{}
	groups, next, err := pageOf(paging.Groups, itself, *in, &after, &filter.Limit, func() ([]annals.Group, error) {
		filter.After = after.ID
		return a.client(ctx).Groups(ctx, filter)
	})
	return answer(groupPage{groups, next}, err)
}

// groupDetails is a group with the number of its episodes by state.
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
		counts[state] += 0 // adds states without episodes
	}
	return groupDetails{Group: g, Episodes: counts}, nil
}
