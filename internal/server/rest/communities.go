package rest

import (
	"context"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

type communityPage struct {
	Communities []graph.MembershipJSON `json:"communities"`
	NextCursor  string                 `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

type buildReport struct {
	Built annals.Built `json:"built"`
}

func (a *api) communities() {
	tags := []string{"communities"}
	add(a, op("list-communities", "GET", "/v1/groups/{group}/communities", tags, "List clusters of entities, the biggest first"), a.listCommunities)
	add(a, op("build-communities", "POST", "/v1/groups/{group}/communities/build", tags, "Find the communities anew",
		"Those that did not change cost nothing. It takes as long as the model takes."),
		func(ctx context.Context, in *InGroup) (*body[buildReport], error) {
			b, err := a.client(ctx).BuildCommunities(ctx, in.Group)
			return answer(buildReport{b}, err)
		})
}

func (a *api) listCommunities(ctx context.Context, in *struct {
	ListInput
	KnownAt
},
) (*body[communityPage], error) {
	at, err := in.time()
	if err != nil {
		return nil, err
	}
	communities, next, err := pageOf("communities", in.Paged,
		func(c cursor) annals.Membership {
			return annals.Membership{Community: annals.Community{ID: c.Row(), Name: c.Name}, Size: c.Count}
		},
		func(m annals.Membership) cursor { return cursor{ID: &m.ID, Name: m.Name, Count: m.Size} },
		func(after *annals.Membership, limit int) ([]annals.Membership, error) {
			return a.client(ctx).Communities(ctx, annals.CommunityFilter{GroupID: in.Group, KnownAt: at, After: after, Limit: limit})
		})
	return answer(communityPage{Communities: views(communities, annals.Membership.JSON), NextCursor: next}, err)
}
