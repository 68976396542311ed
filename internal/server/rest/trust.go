package rest

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

type releasedBody struct {
	Released int `json:"released" doc:"How many episodes it changed"`
}

type confirmedBody struct {
	Facts []graph.FactJSON `json:"facts" doc:"As they are then"`
}

// trust adds the routes for what a group believes.
func (a *api) trust() {
	tags := []string{"trust"}
	const path = "/v1/groups/{group}/trust"
	add(a, op("get-trust", "GET", path, tags, "Get what a group does not believe until somebody confirms it"),
		func(ctx context.Context, in *InGroup) (*body[graph.TrustPolicy], error) {
			return answer(a.service(ctx).TrustPolicy(ctx, in.Group))
		})
	add(a, op("set-trust", "PUT", path, tags, "Say what a group does not believe until somebody confirms it",
		"All facts follow at once. A key with the authority of an assistant or a document may not."),
		func(ctx context.Context, in *toGroup[graph.TrustPolicy]) (*body[graph.TrustPolicy], error) {
			err := a.service(ctx).SetTrustPolicy(ctx, in.Group, in.Body)
			if err != nil {
				return nil, err
			}
			return answer(a.service(ctx).TrustPolicy(ctx, in.Group))
		})
	add(a, op("release-episodes", "POST", path+"/release", tags, "Take episodes out of quarantine, or put them back",
		"Name episodes, a thread, or all. Documents, and what comes by a door, from a role or from a source that the group withholds, are in quarantine. What was read in them is believed then."), calling(a.release))
	add(a, op("confirm-fact", "POST", "/v1/groups/{group}/facts/{fact}/confirm", []string{"facts"}, "Confirm a fact by hand",
		"It is believed then, as the word of who confirms it."), a.confirm(true))
	add(a, op("unconfirm-fact", "DELETE", "/v1/groups/{group}/facts/{fact}/confirm", []string{"facts"}, "Take back that a fact was confirmed by hand"), a.confirm(false))
}

// confirm confirms a fact, or takes the confirmation back if so is false.
func (a *api) confirm(so bool) func(context.Context, *OneFact) (*body[confirmedBody], error) {
	return func(ctx context.Context, in *OneFact) (*body[confirmedBody], error) {
		facts, err := a.service(ctx).Confirm(ctx, in.Group, []uuid.UUID{in.Fact}, so)
		return answer(confirmedBody{each.Of(facts, graph.Fact.JSON)}, err)
	}
}

func (a *api) release(ctx context.Context, in *toGroup[input.ReleaseBody], release service.Release) (releasedBody, error) {
	n, err := a.service(ctx).Release(ctx, in.Group, release)
	return releasedBody{n}, err
}
