package rest

import (
	"context"
	"slices"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/internal/service"
)

type reviewPage struct {
	Review     []service.ReviewedJSON `json:"review"`
	NextCursor string                 `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

type bringersBody struct {
	Brought []service.Bringer `json:"brought"`
}

type decidedBody struct {
	Decided int `json:"decided" doc:"Of how many facts; what was decided so before is not counted again where it was rejected"`
}

// review adds the routes for facts that wait for a decision, and for changes by their origin.
func (a *api) review() {
	tags := []string{"trust"}
	const path = "/v1/groups/{group}/review"
	add(a, op("list-review", "GET", path, tags, "List the facts that wait for a decision",
		"Candidates, what is disputed, what only assistants and documents say, and what is told at second hand, with the messages. What was confirmed by hand does not wait."),
		calling(func(ctx context.Context, in *struct {
			InGroup
			input.Page
			input.Waiting
		}, filter service.ReviewFilter,
		) (reviewPage, error) {
			return reviewed(ctx, in.Group, in.Page, filter, a.service(ctx).Review)
		}))
	add(a, op("list-added", "GET", path+"/added", tags, "List what something brought, as the difference to the memory before it",
		"A source, a thread, a door, a key, a run of an agent, or a time. Facts that were added, ended, changed or withdrawn by it, with the messages."),
		calling(func(ctx context.Context, in *struct {
			InGroup
			input.Page
			input.Added
		}, filter service.ReviewFilter,
		) (reviewPage, error) {
			return reviewed(ctx, in.Group, in.Page, filter, a.service(ctx).Added)
		}))
	add(a, op("list-bringers", "GET", path+"/brought", tags, "List the sources, runs and days that brought something, the latest first",
		"With how many episodes each brought, among the latest 10,000."),
		func(ctx context.Context, in *struct {
			InGroup
			Limit int `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many at the most"`
		},
		) (*body[bringersBody], error) {
			rows, err := a.service(ctx).Bringers(ctx, in.Group, in.Limit)
			return answer(bringersBody{rows}, err)
		})
	add(a, op("decide-review", "POST", path, tags, "Approve, reject, edit or leave facts under review",
		"Name facts, or all that wait and that the query chooses. It is on record, and what is rejected stays rejected. Their etags as If-Match keep what others decided in the meantime."), a.decide)
	add(a, op("take-back", "DELETE", "/v1/groups/{group}/episodes", []string{"removal"}, "Undo all episodes that something brought",
		"Such as a file: the group believes what it would without them. Ask with dry_run first."), a.takeBack)
}

func reviewed(
	ctx context.Context, group string, in input.Page, filter service.ReviewFilter, list func(context.Context, service.ReviewFilter) ([]service.Reviewed, error),
) (page reviewPage, err error) {
	filter.GroupID = group
	page.Review, page.NextCursor, err = pageOf(paging.Review, service.Reviewed.JSON, in, &filter.After, &filter.Limit, func() ([]service.Reviewed, error) { return list(ctx, filter) })
	return page, err
}

func (a *api) decide(ctx context.Context, in *struct {
	InGroup
	IfUnchanged
	input.Waiting
	Body input.ReviewDecision
},
) (*body[decidedBody], error) {
	d, err := input.Read(in.Body, service.ReviewDecision{GroupID: in.Group})
	if err == nil {
		d.Filter, err = input.Read(in.Waiting, service.ReviewFilter{})
	}
	if err == nil && in.Body.Edit != nil {
		d.Edit, err = input.Read(in.Body.Edit, annals.FactEdit{})
	}
	if err != nil {
		return nil, err
	}
	if d.Versions = tags(in.IfMatch); slices.Contains(d.Versions, "*") {
		d.Versions = nil
	}
	n, err := a.service(ctx).Decide(ctx, d)
	return answer(decidedBody{n}, err)
}

func (a *api) takeBack(ctx context.Context, in *struct {
	InGroup
	input.TakeBack
},
) (*body[removed], error) {
	what, err := input.Read(in.TakeBack, service.TakingBack{GroupID: in.Group, DryRun: in.DryRun})
	if err != nil {
		return nil, err
	}
	p, err := a.service(ctx).TakeBack(ctx, what)
	if in.DryRun {
		return previewed(p, err)
	}
	return undone(p.Undone, err)
}
