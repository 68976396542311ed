package rest

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

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
	add(a, huma.Operation{
		OperationID: "list-communities", Method: http.MethodGet, Path: "/v1/groups/{group}/communities", Tags: tags,
		Summary: "List clusters of entities, the biggest first",
	}, a.listCommunities)
	add(a, huma.Operation{
		OperationID: "build-communities", Method: http.MethodPost, Path: "/v1/groups/{group}/communities/build", Tags: tags,
		Summary: "Find the communities anew", Description: "Those that did not change cost nothing. It takes as long as the model takes.",
	}, func(ctx context.Context, in *InGroup) (*body[buildReport], error) {
		b, err := a.client(ctx).BuildCommunities(ctx, in.Group)
		return answer(buildReport{b}, err)
	})
}

func (a *api) listCommunities(ctx context.Context, in *struct {
	ListInput
	KnownAt
},
) (*body[communityPage], error) {
	after, err := parseCursor("communities", in.Cursor)
	if err != nil {
		return nil, err
	}
	at, err := in.time()
	if err != nil {
		return nil, err
	}
	rows, err := a.client(ctx).Communities(ctx, annals.CommunityFilter{
		GroupID: in.Group, KnownAt: at, After: afterCommunity(after), Limit: in.Limit + 1,
	})
	communities, next := page(rows, in.Limit, func(m annals.Membership) cursor {
		return cursor{List: "communities", ID: &m.ID, Name: m.Name, Count: m.Size}
	})
	return answer(communityPage{Communities: views(communities, annals.Membership.JSON), NextCursor: next}, err)
}
