package rest

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
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
	add(a, op("list-observations", "GET", "/v1/groups/{group}/observations", tags, "List what several facts together show, that with most proof first"), a.listObservations)
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
			return answer(observationVersions{views(versions, graph.Observation.JSON)}, err)
		})
}

func (a *api) listObservations(ctx context.Context, in *struct {
	ListInput
	AsOf
	Entity       string `query:"entity" maxLength:"512" doc:"Only those of this entity, by its id or name"`
	IncludeEnded bool   `query:"include_ended" doc:"Also those that hold no longer"`
},
) (*body[observationPage], error) {
	f := annals.ObservationFilter{GroupID: in.Group, Ended: in.IncludeEnded}
	var err error
	if f.ValidAt, f.KnownAt, err = in.times(); err != nil {
		return nil, err
	}
	client := a.client(ctx)
	if in.Entity != "" {
		entity, err := client.EntityAt(ctx, in.Group, in.Entity, f.KnownAt)
		if err != nil {
			return nil, err
		}
		f.EntityID = entity.ID
	}
	list, next, err := pageOf("observations", in.Paged,
		func(c cursor) annals.Observation { return annals.Observation{ID: c.Row(), Proof: c.Count} },
		func(o annals.Observation) cursor { return cursor{ID: new(o.ID), Count: o.Proof} },
		func(after *annals.Observation, limit int) ([]annals.Observation, error) {
			f.After, f.Limit = after, limit
			return client.Observations(ctx, f)
		})
	return answer(observationPage{Observations: views(list, graph.Observation.JSON), NextCursor: next}, err)
}
