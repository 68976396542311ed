package rest

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/temporal"
)

type factPage struct {
	Facts      []graph.FactJSON `json:"facts"`
	NextCursor string           `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

type listFactsInput struct {
	InGroup
	Paged
	AsOf
	Entity string   `query:"entity" maxLength:"512" doc:"Only facts about this entity, by its id or a name that only one goes by"`
	Trust  string   `query:"trust" enum:"believed,candidate,disputed,all" doc:"Which facts to list: believed, with those that are disputed; candidate, which wait to be confirmed; disputed alone; or all; left out: believed"`
	ToldBy []string `query:"told_by,explode" maxItems:"100" doc:"Only what one of these speakers told, by any name of theirs: what they believe"`
}

// OneFact names a fact.
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
		"On both time axes: as_of is in the world, known_at in our belief."), a.listFacts)
	add(a, op("add-triple", "POST", "/v1/groups/{group}/facts", tags, "Add one fact that is known as such",
		"Both its ends are recognised among the known entities and the fact among the known facts; what it contradicts is closed.").answering(http.StatusCreated), a.addTriple)
	add(a, op("get-fact", "GET", one, tags, "Get a fact as it is believed now"), a.fact)
	add(a, op("edit-fact", "PATCH", one, tags, "Correct what a fact says",
		"What is left out stays as it is. The history keeps the fact as it was."), a.editFact)
	add(a, op("withdraw-fact", "DELETE", one, tags, "Withdraw a fact",
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
			return answer(factVersions{views(versions, func(v annals.FactVersion) graph.FactJSON { return v.JSON() })}, err)
		})
}

func (a *api) listFacts(ctx context.Context, in *listFactsInput) (*body[factPage], error) {
	filter, err := a.factFilter(ctx, in)
	if err != nil {
		return nil, err
	}
	facts, next, err := pageOf("facts", in.Paged,
		func(c cursor) annals.Fact {
			return annals.Fact{ID: c.Row(), CreatedAt: c.Created, Valid: temporal.Validity{Interval: temporal.Interval{Start: c.At}}}
		},
		func(f annals.Fact) cursor { return cursor{ID: &f.ID, At: f.Valid.Start, Created: f.CreatedAt} },
		func(after *annals.Fact, limit int) ([]annals.Fact, error) {
			filter.After, filter.Limit = after, limit
			return a.client(ctx).Facts(ctx, filter)
		})
	return answer(factPage{Facts: views(facts, func(f annals.Fact) graph.FactJSON { return f.JSONAt(filter.ValidAt) }), NextCursor: next}, err)
}

func (a *api) factFilter(ctx context.Context, in *listFactsInput) (annals.FactFilter, error) {
	filter := annals.FactFilter{GroupID: in.Group, Trust: graph.Trust(in.Trust), ToldBy: in.ToldBy}
	var err error
	if filter.ValidAt, filter.KnownAt, err = in.times(); err != nil {
		return filter, err
	}
	if in.Entity != "" {
		about, err := a.client(ctx).EntityAt(ctx, in.Group, in.Entity, filter.KnownAt)
		if err != nil {
			return filter, err
		}
		filter.EntityID = about.ID
	}
	return filter, nil
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
	fact, err := a.client(ctx).Fact(ctx, in.Group, in.Fact) // which one that has expired is not
	if err != nil {
		return nil, err
	}
	return unlessTag(in.UnlessKnown, versionTag(fact.Recorded), fact.JSON())
}

// factChange is a correction of a fact.
type factChange struct {
	Predicate  *string `json:"predicate,omitempty" minLength:"1" maxLength:"512" example:"WORKS_AT"`
	Fact       *string `json:"fact,omitempty" minLength:"1" maxLength:"512" doc:"It as one sentence"`
	Attributes *object `json:"attributes,omitempty" doc:"In place of those it has"`
	ValidAt    *string `json:"valid_at,omitempty" maxLength:"64" doc:"Since when it holds; an empty text: not known"`
	InvalidAt  *string `json:"invalid_at,omitempty" maxLength:"64" doc:"Until when it held; an empty text: it still holds"`
	AsKnownAt  string  `json:"as_known_at,omitempty" maxLength:"64" doc:"Alone: put back all that was believed of it at this time, as its known_from"`
}

func (c factChange) edit() (annals.FactEdit, error) {
	edit := annals.FactEdit{Predicate: c.Predicate, Fact: c.Fact}
	for _, at := range []struct {
		name string
		from *string
		to   **time.Time
	}{{"valid_at", c.ValidAt, &edit.ValidAt}, {"invalid_at", c.InvalidAt, &edit.InvalidAt}} {
		if at.from == nil {
			continue
		}
		parsed, err := graph.ParseTime(at.name, *at.from)
		if err != nil {
			return edit, err
		}
		*at.to = &parsed
	}
	if c.Attributes != nil {
		edit.Attributes = c.Attributes.RawMessage
	}
	if c.AsKnownAt == "" {
		return edit, nil
	}
	var err error
	edit.AsKnownAt, err = graph.ParseTime("as_known_at", c.AsKnownAt)
	return edit, err
}

func (a *api) editFact(ctx context.Context, in *struct {
	OneFact
	IfUnchanged
	Body factChange
},
) (*tagged[graph.FactJSON], error) {
	edit, err := in.Body.edit()
	if err != nil {
		return nil, err
	}
	fact, err := a.client(ctx).EditFact(ctx, in.Group, in.Fact, edit, in.versions()...)
	if err != nil {
		return nil, err
	}
	return &tagged[graph.FactJSON]{ETag: versionTag(fact.Recorded), Body: fact.JSON()}, nil
}

// newTriple is a fact to add without a text.
type newTriple struct {
	Source           string `json:"source" minLength:"1" maxLength:"512" doc:"Who or what it is about" example:"Alice"`
	Predicate        string `json:"predicate" minLength:"1" maxLength:"512" example:"WORKS_AT"`
	Target           string `json:"target" minLength:"1" maxLength:"512" example:"Acme Corp"`
	Fact             string `json:"fact,omitempty" maxLength:"512" doc:"It as one sentence; left out: made of the three words"`
	SourceLabel      string `json:"source_label,omitempty" maxLength:"512" doc:"The source's type, such as Person"`
	TargetLabel      string `json:"target_label,omitempty" maxLength:"512" doc:"The target's type"`
	Attributes       object `json:"attributes,omitempty" doc:"Of the fact"`
	SourceAttributes object `json:"source_attributes,omitempty" doc:"Of the source"`
	TargetAttributes object `json:"target_attributes,omitempty" doc:"Of the target"`
	ValidAt          string `json:"valid_at,omitempty" doc:"Since when it holds; left out: read from the sentence"`
	InvalidAt        string `json:"invalid_at,omitempty" doc:"Until when it held"`
	OccurredAt       string `json:"occurred_at,omitempty" doc:"When it became known; left out: now"`
	ExternalID       string `json:"external_id,omitempty" maxLength:"512" doc:"Your own name for it, unique in the group: adding it again changes nothing"`
	Force            bool   `json:"force,omitempty" doc:"Take it in even where it was erased"`
}

func (a *api) addTriple(ctx context.Context, in *struct {
	InGroup
	Body newTriple
},
) (*body[service.AddedTriple], error) {
	t, err := in.Body.triple(in.Group)
	if err != nil {
		return nil, err
	}
	added, err := a.client(ctx).AddTriple(ctx, t)
	return answer(service.AddedTripleOf(added), err)
}

func (t newTriple) triple(group string) (annals.Triple, error) {
	triple := annals.Triple{
		GroupID: group, Predicate: t.Predicate, Fact: t.Fact, Attributes: t.Attributes.RawMessage, ExternalID: t.ExternalID, Force: t.Force,
		Source: graph.TripleEnd{Name: t.Source, Label: t.SourceLabel, Attributes: t.SourceAttributes.RawMessage},
		Target: graph.TripleEnd{Name: t.Target, Label: t.TargetLabel, Attributes: t.TargetAttributes.RawMessage},
	}
	for _, at := range []struct {
		name, from string
		to         *time.Time
	}{{"valid_at", t.ValidAt, &triple.ValidAt}, {"invalid_at", t.InvalidAt, &triple.InvalidAt}, {"occurred_at", t.OccurredAt, &triple.OccurredAt}} {
		var err error
		if *at.to, err = graph.ParseTime(at.name, at.from); err != nil {
			return triple, err
		}
	}
	return triple, nil
}
