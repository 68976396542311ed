package rest

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/internal/service"
)

type factPage struct {
	Facts      []graph.FactJSON `json:"facts"`
	NextCursor string           `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

// OneFact identifies a fact in a path.
type OneFact struct {
	InGroup
	Fact uuid.UUID `path:"fact" format:"uuid"`
}

type factVersions struct {
	Versions []graph.FactJSON `json:"versions"`
}

func (a *api) facts() {
	tags := []string{"facts"}
	const one = "/v1/groups/{group}/facts/{fact}"
	add(a, op("list-facts", "GET", "/v1/groups/{group}/facts", tags, "List facts, in the order in which they began to hold",
		"On both time axes: as_of is in the world, known_at in our belief."), calling(a.listFacts))
	add(a, op("add-triple", "POST", "/v1/groups/{group}/facts", tags, "Add one fact that is known as such",
		"Both its ends are recognised among the known entities and the fact among the known facts; what it contradicts is closed.").answering(http.StatusCreated), calling(a.addTriple))
	addWithHeaders(a, op("get-fact", "GET", one, tags, "Get a fact as it is believed now"), a.fact)
	addWithHeaders(a, op("edit-fact", "PATCH", one, tags, "Correct what a fact says",
		"What is left out stays as it is. The history keeps the fact as it was."), a.editFact)
	addWithHeaders(a, op("withdraw-fact", "DELETE", one, tags, "Withdraw a fact",
		"For what never was so; what has merely ended is closed by adding what is true now. The history keeps the fact.").answering(http.StatusNoContent),
		func(ctx context.Context, in *struct {
			OneFact
			IfUnchanged
		},
		) (*struct{}, error) {
			return nil, a.client(ctx).WithdrawFact(ctx, in.Group, in.Fact, in.versions()...)
		})
	add(a, op("get-fact-history", "GET", one+"/history", tags, "List every state a fact was in, the oldest first"),
		func(ctx context.Context, in *OneFact) (*body[factVersions], error) {
			versions, err := a.client(ctx).History(ctx, in.Group, in.Fact)
			return answer(factVersions{each.Of(versions, func(v annals.FactVersion) graph.FactJSON { return v.JSON() })}, err)
		})
}

func (a *api) listFacts(ctx context.Context, in *struct {
	InGroup
	input.ListFacts
}, filter annals.FactFilter,
) (page factPage, err error) {
	filter.GroupID = in.Group
	if filter.EntityID, err = a.about(ctx, in.Group, in.Entity, filter.KnownAt); err != nil {
		return page, err
	}
	view := func(f annals.Fact) graph.FactJSON { return f.JSONAt(filter.ValidAt) }
	page.Facts, page.NextCursor, err = pageOf(paging.Facts, view, in.Page, &filter.After, &filter.Limit, func() ([]annals.Fact, error) { return a.client(ctx).Facts(ctx, filter) })
	return page, err
}

// about finds the entity to which a list is restricted; the zero id if the name is empty.
func (a *api) about(ctx context.Context, group, name string, knownAt time.Time) (uuid.UUID, error) {
	if name == "" {
		return uuid.Nil, nil
	}
	entity, err := a.client(ctx).EntityAt(ctx, group, name, knownAt)
	return entity.ID, err
}

func (a *api) fact(ctx context.Context, in *struct {
	OneFact
	UnlessKnown
},
) (*tagged[graph.FactJSON], error) {
	versions, err := a.client(ctx).History(ctx, in.Group, in.Fact)
	if err != nil {
		return nil, err
	}
	last := versions[len(versions)-1]
	if !last.Current {
		return nil, &annals.Error{
			Code: annals.CodeNotFound, Field: "fact", Message: fmt.Sprintf("%s is no longer believed; its history says what it was", in.Fact),
		}
	}
	fact, err := a.client(ctx).Fact(ctx, in.Group, in.Fact) // an expired fact is in the history only
	if err != nil {
		return nil, err
	}
	return unlessTag(in.UnlessKnown, versionTag(fact.Recorded), fact.JSON())
}

func (a *api) editFact(ctx context.Context, in *struct {
	OneFact
	IfUnchanged
	Body input.FactChange
},
) (*tagged[graph.FactJSON], error) {
	edit, err := input.Read(in.Body, annals.FactEdit{})
	if err != nil {
		return nil, err
	}
	fact, err := a.client(ctx).EditFact(ctx, in.Group, in.Fact, edit, in.versions()...)
	if err != nil {
		return nil, err
	}
	return &tagged[graph.FactJSON]{ETag: versionTag(fact.Recorded), Body: fact.JSON()}, nil
}

func (a *api) addTriple(ctx context.Context, in *toGroup[input.NewTriple], t annals.Triple) (annals.AddedTriple, error) {
	t.GroupID = in.Group
	return a.client(ctx).AddTriple(ctx, t)
}

type rejectionPage struct {
	Rejections []service.Rejection `json:"rejections"`
	NextCursor string              `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

type restored struct {
	Fact *graph.FactJSON `json:"fact,omitempty" doc:"As it is believed again; left out: nothing of it is left to bring back, but it may be told again"`
}

func (a *api) rejections() {
	tags := []string{"facts"}
	add(a, op("list-rejections", "GET", "/v1/groups/{group}/rejections", tags, "List facts that were withdrawn or taken back, the latest first",
		"What says one of them again is kept as said, and makes no fact."), calling(a.listRejections))
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
}, filter service.RejectionFilter,
) (page rejectionPage, err error) {
	filter.GroupID = in.Group
	page.Rejections, page.NextCursor, err = pageOf(rejectionList, itself, in.Page, &filter.After, &filter.Limit, func() ([]service.Rejection, error) {
		return a.service(ctx).Rejections(ctx, filter)
	})
	return page, err
}
