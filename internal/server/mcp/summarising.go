package mcp

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
)

func (d *door) summarising() {
	add(d, tool{
		name: "build_communities", title: "Find communities", repeats: true,
		about: "Find clusters of entities that many facts connect, and summarise each. Only what changed is summarised anew.",
	}, d.buildCommunities)
	addOne(d, tool{
		name: "summarize_saga", title: "Summarise a saga", repeats: true,
		about: "Extend the summary of a conversation or series of episodes, named as saga in add_memory, by what came since, and return it.",
	}, d.summarizeSaga)
}

type buildCommunitiesInput struct {
	OfGroups
}

type communitiesOutput struct {
	Message        string          `json:"message"`
	CommunityCount int             `json:"community_count"`
	EdgeCount      int             `json:"edge_count" jsonschema:"entities that belong to a community"`
	Communities    []communityView `json:"communities" jsonschema:"the biggest, at most 100 of a group"`
}

func (d *door) buildCommunities(ctx context.Context, in buildCommunitiesInput) (communitiesOutput, error) {
	c, groups, err := d.several(ctx, in.GroupIDs)
	if err != nil {
		return communitiesOutput{}, err
	}
	out := communitiesOutput{Communities: []communityView{}}
	for _, group := range groups {
		built, err := c.BuildCommunities(ctx, group)
		if err != nil {
			return communitiesOutput{}, err
		}
		communities, err := c.Communities(ctx, annals.CommunityFilter{GroupID: group})
		if err != nil {
			return communitiesOutput{}, err
		}
		out.CommunityCount += built.Communities
		out.EdgeCount += built.Entities
		out.Communities = append(out.Communities, each.Of(communities, viewCommunity)...)
	}
	out.Message = "Built " + each.Count(out.CommunityCount, "community")
	return out, nil
}

type sagaInput struct {
	SagaName string `json:"saga_name" doc:"as it was given to add_memory"`
	OfGroup
}

type sagaOutput struct {
	Message string `json:"message"`
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

func (d *door) summarizeSaga(ctx context.Context, c client, in sagaInput) (sagaOutput, error) {
	if _, err := c.Group(ctx, c.group); err != nil {
		return sagaOutput{}, err
	}
	if _, err := c.Thread(ctx, c.group, in.SagaName); err != nil {
		return sagaOutput{}, err
	}
	summary, err := c.SummariseThread(ctx, c.group, in.SagaName)
	if err != nil {
		return sagaOutput{}, err
	}
	return sagaOutput{Message: fmt.Sprintf("Saga '%s' summarized successfully", in.SagaName), Name: in.SagaName, Summary: summary}, nil
}
