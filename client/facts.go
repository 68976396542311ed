package client

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
)

// Fact returns a fact as believed now. If there is none, the code is
// [annals.CodeNotFound].
func (c *Client) Fact(ctx context.Context, groupID string, id uuid.UUID) (annals.Fact, error) {
	return get(ctx, c, in(http.MethodGet, groupID, "facts", id.String()), factIn(groupID))
}

// Facts lists facts by the time at which they began to hold.
func (c *Client) Facts(ctx context.Context, f annals.FactFilter) ([]annals.Fact, error) {
	k := in(http.MethodGet, f.GroupID, "facts").asking(input.Say[input.ListFacts](f)).about(f.EntityID)
	return page(ctx, c, k, paging.Facts, f.After, f.Limit, "facts", factIn(f.GroupID))
}

// about restricts a list to an entity; the zero id does not.
func (k call) about(entity uuid.UUID) call {
	if entity != uuid.Nil {
		k.query.Set("entity", entity.String())
	}
	return k
}

// AddTriple stores a fact at once, without a text to read it from. It takes one pair
// of entities, by name. Ids of entities, More and StatementID are refused: only the
// library takes them.
func (c *Client) AddTriple(ctx context.Context, t annals.Triple) (annals.AddedTriple, error) {
	for field, refused := range map[string]bool{
		"more": len(t.More) > 0, "statement_id": t.StatementID != uuid.Nil, "source": t.Source.ID != uuid.Nil, "target": t.Target.ID != uuid.Nil,
	} {
		if refused {
			return annals.AddedTriple{}, graph.Invalid(field, "is not taken over REST, where a triple is one pair of entities by their names")
		}
	}
	k := in(http.MethodPost, t.GroupID, "facts").saying(input.Say[input.NewTriple](t)).doing()
	return get(ctx, c, k, func(added annals.AddedTriple) annals.AddedTriple {
		added.FactIDs = []uuid.UUID{added.FactID}
		return added
	})
}

// EditFact corrects the words and times of a current fact. Versions are as in
// [annals.Client.EditFact].
func (c *Client) EditFact(ctx context.Context, groupID string, id uuid.UUID, edit annals.FactEdit, versions ...time.Time) (annals.Fact, error) {
	k := in(http.MethodPatch, groupID, "facts", id.String()).saying(input.Say[input.FactChange](edit)).unless(versions)
	return get(ctx, c, k, factIn(groupID))
}

// WithdrawFact withdraws a fact by hand: it is no longer believed. Versions are as
// in [annals.Client.EditFact].
func (c *Client) WithdrawFact(ctx context.Context, groupID string, factID uuid.UUID, versions ...time.Time) error {
	_, _, err := send[struct{}](ctx, c, in(http.MethodDelete, groupID, "facts", factID.String()).unless(versions))
	return err
}

// RestoreFact readmits a rejected fact and returns it. The fact is zero if nothing
// of it is left to restore.
func (c *Client) RestoreFact(ctx context.Context, groupID string, id uuid.UUID) (annals.Fact, error) {
	restored, err := member[*graph.FactJSON](ctx, c, in(http.MethodPost, groupID, "facts", id.String(), "restore").doing(), "fact")
	if err != nil || restored == nil {
		return annals.Fact{}, err
	}
	return factOf(groupID, *restored), nil
}

// History lists every version of a fact, oldest first. CausedBy and EndedBy are
// empty: REST does not send them.
func (c *Client) History(ctx context.Context, groupID string, factID uuid.UUID) ([]annals.FactVersion, error) {
	return list(ctx, c, in(http.MethodGet, groupID, "facts", factID.String(), "history"), "versions", func(j graph.FactJSON) annals.FactVersion {
		return annals.FactVersion{Fact: factOf(groupID, j), Current: j.KnownUntil == nil}
	})
}

// change is the JSON form of an entry of the timeline.
type change struct {
	At         time.Time `json:"at"`
	Event      string    `json:"event"`
	FactID     uuid.UUID `json:"fact_id"`
	Words      string    `json:"words"`
	RecordedAt time.Time `json:"recorded_at"`
	graph.BoundJSON
}

// Timeline lists changes by time, earliest first unless LatestFirst is set.
func (c *Client) Timeline(ctx context.Context, f annals.TimelineFilter) ([]annals.Change, error) {
	k := in(http.MethodGet, f.GroupID, "timeline").asking(input.Say[input.Timeline](f))
	return page(ctx, c, k, paging.Timeline(f.LatestFirst), f.After, f.Limit, "changes", func(j change) annals.Change {
		return annals.Change{At: j.At, Event: j.Event, FactID: j.FactID, Words: j.Words, RecordedAt: j.RecordedAt, Known: boundOf(j.BoundJSON)}
	})
}

// Diff compares the beliefs of two times. From is required.
func (c *Client) Diff(ctx context.Context, f annals.DiffFilter) (annals.Diff, error) {
	if f.From.IsZero() {
		return annals.Diff{}, graph.Invalid("from", "is missing; say since when, as in 2024-03-15")
	}
	most, err := graph.RowLimit(f.Limit)
	if err != nil {
		return annals.Diff{}, err
	}
	f.Limit = int(most)
	return get(ctx, c, in(http.MethodGet, f.GroupID, "diff").asking(input.Say[input.Diff](f)), func(out annals.DiffJSON) annals.Diff {
		return diffOf(f.GroupID, out)
	})
}

// diffOf converts a difference from its JSON form.
func diffOf(groupID string, out annals.DiffJSON) annals.Diff {
	fact := factIn(groupID)
	entity := func(j graph.EntityJSON) annals.Entity { return entityOf(groupID, j, nil) }
	diff := annals.Diff{From: out.From, To: out.To}
	for _, j := range out.Facts {
		diff.Facts = append(diff.Facts, annals.FactChange{
			Change: j.Change, ChangedAt: j.ChangedAt, CausedBy: j.CausedBy, Before: side(j.Before, fact), After: side(j.After, fact),
		})
	}
	for _, j := range out.Entities {
		diff.Entities = append(diff.Entities, annals.EntityChange{
			Change: j.Change, ChangedAt: j.ChangedAt, CausedBy: j.CausedBy, MergedInto: orZero(j.MergedInto),
			Before: side(j.Before, entity), After: side(j.After, entity),
		})
	}
	return diff
}

// side converts one side of a change; nil: none.
func side[View, Value any](view *View, of func(View) Value) *Value {
	if view == nil {
		return nil
	}
	return new(of(*view))
}
