package rest

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
)

type observationPage struct {
	Observations []graph.ObservationJSON `json:"observations"`
	NextCursor   string                  `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

type observationVersions struct {
	Versions []graph.ObservationJSON `json:"versions"`
}

type observed struct {
	Observations int `json:"observations" doc:"How many the group has; 1000 stands for more too"`
}

func (a *api) observations() {
	tags := []string{"observations"}
	add(a, op("list-observations", "GET", "/v1/groups/{group}/observations", tags, "List what several facts together show, that with most proof first"), calling(a.listObservations))
	add(a, op("build-observations", "POST", "/v1/groups/{group}/observations/build", tags, "Find what the facts show, and keep it up to date from now on",
		"Asked again it adds nothing. It takes as long as the model takes."),
		func(ctx context.Context, in *InGroup) (*body[observed], error) {
			client := a.client(ctx)
			if err := client.Observe(ctx, in.Group); err != nil {
				return nil, err
			}
			list, err := client.Observations(ctx, annals.ObservationFilter{GroupID: in.Group, Ended: true, Limit: annals.MaxRows})
			return answer(observed{len(list)}, err)
		})
	add(a, op("get-observation-history", "GET", "/v1/groups/{group}/observations/{observation}/history", tags, "List every version of an observation"),
		func(ctx context.Context, in *struct {
			InGroup
			Observation uuid.UUID `path:"observation" format:"uuid"`
		},
		) (*body[observationVersions], error) {
			versions, err := a.client(ctx).ObservationHistory(ctx, in.Group, in.Observation)
			return answer(observationVersions{each.Of(versions, graph.Observation.JSON)}, err)
		})
}

func (a *api) listObservations(ctx context.Context, in *struct {
	InGroup
	input.ListObservations
}, filter annals.ObservationFilter,
) (page observationPage, err error) {
	filter.GroupID = in.Group
	if filter.EntityID, err = a.about(ctx, in.Group, in.Entity, filter.KnownAt); err != nil {
		return page, err
	}
	page.Observations, page.NextCursor, err = pageOf(paging.Observations, graph.Observation.JSON, in.Page, &filter.After, &filter.Limit, func() ([]annals.Observation, error) { return a.client(ctx).Observations(ctx, filter) })
	return page, err
}
