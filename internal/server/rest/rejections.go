package rest

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/internal/service"
)

type rejectionPage struct {
	Rejections []service.RejectionJSON `json:"rejections"`
	NextCursor string                  `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

type restored struct {
	Fact *graph.FactJSON `json:"fact,omitempty" doc:"As it is believed again; left out: nothing of it is left to bring back, but it may be told again"`
}

func (a *api) rejections() {
	tags := []string{"facts"}
	add(a, op("list-rejections", "GET", "/v1/groups/{group}/rejections", tags, "List facts that were withdrawn or taken back, the latest first",
		"What says one of them again is kept as said, and makes no fact."), a.listRejections)
	add(a, op("restore-fact", "POST", "/v1/groups/{group}/facts/{fact}/restore", tags, "Readmit a fact that was withdrawn or taken back",
		"The fact is named by the id that it had, or by that of its rejection. It comes back as it was. A lower authority cannot readmit what a higher one rejected."),
		func(ctx context.Context, in *OneFact) (*body[restored], error) {
			fact, err := a.client(ctx).RestoreFact(ctx, in.Group, in.Fact)
			if err != nil || fact.ID == uuid.Nil {
				return answer(restored{}, err)
			}
			view := fact.JSON()
			return answer(restored{&view}, nil)
		})
}

var rejectionList = paging.List[service.Rejection]{
	Name: "rejections",
	Mark: func(r service.Rejection) cursor { return cursor{ID: &r.ID, At: r.RejectedAt} },
	Row:  func(c cursor) service.Rejection { return service.Rejection{ID: c.Row(), RejectedAt: c.At} },
}

func (a *api) listRejections(ctx context.Context, in *struct {
	InGroup
	input.ListRejections
},
) (*body[rejectionPage], error) {
	rejected, next, err := pageOf(rejectionList, service.RejectionOf, in.Page, func(after *service.Rejection, limit int) ([]service.Rejection, error) {
		return a.service(ctx).Rejections(ctx, service.RejectionFilter{GroupID: in.Group, Lifted: in.All, After: after, Limit: limit})
	})
	return answer(rejectionPage{rejected, next}, err)
}
