package rest

import (
	"context"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
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
	add(a, op("list-communities", "GET", "/v1/groups/{group}/communities", tags, "List clusters of entities, the biggest first"), calling(a.listCommunities))
	add(a, op("build-communities", "POST", "/v1/groups/{group}/communities/build", tags, "Find the communities anew",
		"Those that did not change cost nothing. It takes as long as the model takes."),
		func(ctx context.Context, in *InGroup) (*body[buildReport], error) {
			b, err := a.client(ctx).BuildCommunities(ctx, in.Group)
			return answer(buildReport{b}, err)
		})
}

func (a *api) listCommunities(ctx context.Context, in *struct {
	InGroup
	input.ListCommunities
}, filter annals.CommunityFilter,
) (page communityPage, err error) {
	filter.GroupID = in.Group
	page.Communities, page.NextCursor, err = pageOf(paging.Communities, annals.Membership.JSON, in.Page, &filter.After, &filter.Limit, func() ([]annals.Membership, error) { return a.client(ctx).Communities(ctx, filter) })
	return page, err
}
