package rest

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/internal/service"
)

type changePage struct {
	Changes    []service.ChangeJSON `json:"changes"`
	NextCursor string               `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

// entityVersion is one version of an entity.
type entityVersion struct {
	graph.EntityJSON
	KnownFrom  time.Time   `json:"known_from" doc:"Since when it was known so"`
	KnownUntil *time.Time  `json:"known_until" nullable:"true" doc:"null: it still is"`
	CausedBy   []uuid.UUID `json:"caused_by" doc:"The episodes behind it; none: made by hand"`
	EndedBy    []uuid.UUID `json:"ended_by" doc:"The episodes that ended it"`
}

type entityVersions struct {
	Versions []entityVersion `json:"versions"`
}

func (a *api) changes() {
	tags := []string{"changes"}
	add(a, op("get-timeline", "GET", "/v1/groups/{group}/timeline", tags, "List what changed when, in words, the earliest first"), calling(a.timeline))
	add(a, op("get-lanes", "GET", "/v1/groups/{group}/lanes", tags, "Set out what can change of entities in lanes, with all that was ever believed of it",
		"A lane is one thing that can change, as somebody's home. Its bars say when they stood like that in our belief, so that one answer shows what was believed at any time."), a.lanes)
	add(a, op("get-diff", "GET", "/v1/groups/{group}/diff", tags, "Compare what was believed at two times",
		"Both are times of belief, not of the world."), calling(a.diff))
}

func (a *api) timeline(ctx context.Context, in *struct {
	InGroup
	input.Timeline
}, filter annals.TimelineFilter,
) (page changePage, err error) {
	filter.GroupID = in.Group
	page.Changes, page.NextCursor, err = pageOf(paging.Timeline(in.LatestFirst), service.ChangeOf, in.Page, &filter.After, &filter.Limit, func() ([]annals.Change, error) { return a.client(ctx).Timeline(ctx, filter) })
	return page, err
}

func (a *api) lanes(ctx context.Context, in *struct {
	InGroup
	input.Lanes
},
) (*body[service.Lanes], error) {
	return answer(a.service(ctx).Lanes(ctx, service.LaneQuery{GroupID: in.Group, Entities: in.Entity, Relation: in.Relation, MaxFacts: in.MaxFacts}))
}

// entityHistory returns the versions of an entity, by its name or id. An entity that is gone is
// found only by its id.
func (a *api) entityHistory(ctx context.Context, in *OneEntity) (*body[entityVersions], error) {
	id, err := a.entityID(ctx, in)
	if err != nil {
		return nil, err
	}
	versions, err := a.client(ctx).EntityHistory(ctx, in.Group, id)
	return answer(entityVersions{each.Of(versions, entityVersionOf)}, err)
}

func entityVersionOf(v annals.EntityVersion) entityVersion {
	out := entityVersion{
		EntityJSON: v.Entity.JSON(), KnownFrom: v.Recorded.Start, CausedBy: some(v.CausedBy), EndedBy: some(v.EndedBy),
	}
	if !v.Current {
		out.KnownUntil = &v.Recorded.End
	}
	return out
}

func (a *api) diff(ctx context.Context, in *struct {
	InGroup
	input.Diff
}, filter annals.DiffFilter,
) (annals.DiffJSON, error) {
	filter.GroupID = in.Group
	diff, err := a.client(ctx).Diff(ctx, filter)
	return diff.JSON(), err
}

// some returns a list that is never null in JSON.
func some[T any](list []T) []T { return append([]T{}, list...) }
