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
	}, func(ctx context.Context, in *struct {
		ListInput
		KnownAt
	},
	) (*body[communityPage], error) {
		at, err := in.time()
		if err != nil {
			return nil, err
		}
		rows, next, err := skipped("communities", in.Paged, func(limit int) ([]annals.Membership, error) {
			return a.client(ctx).Communities(ctx, annals.CommunityFilter{GroupID: in.Group, KnownAt: at, Limit: limit})
		})
		return answer(communityPage{Communities: views(rows, annals.Membership.JSON), NextCursor: next}, err)
	})
	add(a, huma.Operation{
		OperationID: "build-communities", Method: http.MethodPost, Path: "/v1/groups/{group}/communities/build", Tags: tags,
		Summary: "Find the communities anew", Description: "Those that did not change cost nothing. It takes as long as the model takes.",
	}, func(ctx context.Context, in *InGroup) (*body[buildReport], error) {
		b, err := a.client(ctx).BuildCommunities(ctx, in.Group)
		return answer(buildReport{b}, err)
	})
}
