package annals

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/telemetry"
	"github.com/annalsdb/annals/retrieval"
)

// Fact is what holds between two entities, and when.
// [graph.Fact] has its fields and methods.
type Fact = graph.Fact

// Triple is a fact that is known as such, without a text that states it.
// [graph.Triple] has its fields and methods.
type Triple = graph.Triple

// AddedTriple says where a triple went.
type AddedTriple = engine.AddedTriple

// FactEdit is a correction of a fact by hand.
type FactEdit = graph.FactEdit

// FactFilter chooses facts. Fields that are zero do not narrow the choice.
type FactFilter struct {
	GroupID  string
	ValidAt  time.Time   // that held or were planned at this time, see [graph.Fact.ShownAt]; zero: of all times
	KnownAt  time.Time   // as we believed then; zero: as we believe now
	EntityID uuid.UUID   // with this entity at either end
	Trust    graph.Trust // graph.TrustCandidate, TrustDisputed or TrustAll; empty: what is believed or disputed
	ToldBy   []string    // that a message of one of these speakers states, by any name of theirs: what they believe
	After    *Fact       // that come after this one, the last that was listed; nil: from the first
	Limit    int         // 1 to MaxRows; zero: DefaultRows
}

// Fact returns one fact as it is believed now, or a [CodeNotFound]. What was
// believed before is in [Client.History].
func (c *Client) Fact(ctx context.Context, groupID string, id uuid.UUID) (Fact, error) {
	if err := c.admit(groupID); err != nil {
		return Fact{}, err
	}
	facts, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]Fact, error) {
		q := db.New(from.pool)
		rows, err := q.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: []uuid.UUID{id}})
		facts := each.Of(rows, db.Fact)
		return facts, errors.Join(err, q.MarkFacts(ctx, groupID, nil, facts))
	})
	if err != nil {
		return Fact{}, fmt.Errorf("read fact %s: %w", id, err)
	}
	if len(facts) == 0 {
		return Fact{}, &Error{
			Code: CodeNotFound, Field: "fact",
			Message: fmt.Sprintf("group %s believes no fact %s; 'annals facts' lists them", groupID, id),
		}
	}
	return facts[0], nil
}

// Facts lists facts in the order in which they began to hold.
func (c *Client) Facts(ctx context.Context, f FactFilter) ([]Fact, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err != nil {
		return nil, err
	}
	facts, err := read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]Fact, error) {
		q := db.New(from.pool)
		rows, err := f.rows(ctx, q, limit)
		facts := each.Of(rows, db.Fact)
		return facts, errors.Join(err, q.MarkFacts(ctx, f.GroupID, db.Nullable(f.KnownAt), facts))
	})
	if err != nil {
		return nil, fmt.Errorf("list facts of %s: %w", f.GroupID, err)
	}
	return facts, nil
}

func (f FactFilter) rows(ctx context.Context, q *db.Queries, limit int32) ([]db.FactRow, error) {
	if f.EntityID != uuid.Nil { // perhaps merged into another by then
		var err error
		if f.EntityID, err = q.EntityMergedInto(ctx, db.EntityMergedIntoParams{
			GroupID: f.GroupID, ID: f.EntityID, KnownAt: db.Nullable(f.KnownAt),
		}); err != nil {
			return nil, fmt.Errorf("find entity %s: %w", f.EntityID, err)
		}
	}
	var afterValid *time.Time
	var afterID *uuid.UUID
	if f.After != nil {
		afterValid, afterID = db.Nullable(f.After.Valid.Start), &f.After.ID
	}
	validAt := db.Nullable(f.ValidAt)
	filter, err := retrieval.Filter{ToldBy: f.ToldBy}.OfTrust(f.Trust)
	narrows := len(f.ToldBy) > 0 || f.Trust != "" && f.Trust != graph.TrustBelieved
	switch {
	case err != nil:
		return nil, err
	case narrows && !f.KnownAt.IsZero():
		return q.FactListChosenKnown(ctx, db.FactListChosenKnownParams{
			GroupID: f.GroupID, Filter: filter, ValidAt: validAt, KnownAt: f.KnownAt, EntityID: db.Nullable(f.EntityID),
			AfterValid: afterValid, AfterID: afterID, MaxRows: limit,
		})
	case narrows:
		return q.FactListChosen(ctx, db.FactListChosenParams{
			GroupID: f.GroupID, Filter: filter, ValidAt: validAt, EntityID: db.Nullable(f.EntityID), AfterValid: afterValid, AfterID: afterID, MaxRows: limit,
		})
	case !f.KnownAt.IsZero():
		return q.FactListKnown(ctx, db.FactListKnownParams{
			GroupID: f.GroupID, ValidAt: validAt, KnownAt: f.KnownAt, EntityID: db.Nullable(f.EntityID),
			AfterValid: afterValid, AfterID: afterID, MaxRows: limit,
		})
	case f.EntityID != uuid.Nil:
		return q.FactListOf(ctx, db.FactListOfParams{
			GroupID: f.GroupID, ValidAt: validAt, EntityID: f.EntityID, AfterValid: afterValid, AfterID: afterID, MaxRows: limit,
		})
	}
	return q.FactList(ctx, db.FactListParams{GroupID: f.GroupID, ValidAt: validAt, AfterValid: afterValid, AfterID: afterID, MaxRows: limit})
}

// AddTriple takes one fact into the graph at once, without a text to read it
// from: its ends are recognised among the known entities and the fact among
// the known facts, as those of an episode are. Its sentence is kept as an
// episode, so that it has a source like any other.
func (c *Client) AddTriple(ctx context.Context, t Triple) (AddedTriple, error) {
	return edited(ctx, c, telemetry.CreateMemory, t.GroupID, one, func(ctx context.Context) (AddedTriple, error) { return c.engine.AddTriple(ctx, t) })
}

// EditFact puts right what a current fact says and when it holds, and returns
// it as it is then; the history keeps it as it was. Given versions, the starts
// of [Fact].Recorded, it does so only while the fact is in one of them, and else
// fails with [CodeConflict] on "version".
func (c *Client) EditFact(ctx context.Context, groupID string, id uuid.UUID, edit FactEdit, versions ...time.Time) (Fact, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Fact, error) {
		return c.engine.EditFact(ctx, groupID, id, edit, versions...)
	})
}

// EditFacts is [Client.EditFact] of several facts at once, such as all of one
// statement: all of them are changed, or none.
func (c *Client) EditFacts(ctx context.Context, groupID string, ids []uuid.UUID, edit FactEdit) ([]Fact, error) {
	if len(ids) == 0 || len(ids) > MaxRows {
		return nil, graph.Invalid("ids", "are %d; name 1 to %d facts", len(ids), MaxRows)
	}
	return edited(ctx, c, telemetry.UpdateMemory, groupID, telemetry.Several, func(ctx context.Context) ([]Fact, error) {
		return c.engine.EditFacts(ctx, groupID, ids, edit)
	})
}

// WithdrawFact ends the belief in a fact, by hand, and keeps that it was rejected:
// what says it again is kept as said and makes no fact, until [Client.RestoreFact]. A
// later start that a user states makes it a new one. The history keeps it. It is for
// what was never true: a fact that has merely ended is closed by an episode or a
// triple that says what is true now. A fact that is not there is a [CodeNotFound].
// Versions are as in [Client.EditFact].
func (c *Client) WithdrawFact(ctx context.Context, groupID string, factID uuid.UUID, versions ...time.Time) error {
	return c.edit(ctx, telemetry.DeleteMemory, groupID, func(ctx context.Context) error {
		return c.engine.WithdrawFact(ctx, groupID, factID, versions...)
	})
}

// RestoreFact readmits a fact that was rejected, on record, and brings it back as it
// was then. The id is that of the fact or of its rejection. It returns the fact,
// which is zero where nothing of it is left to bring back. It fails with
// [CodeForbidden] where a higher authority rejected it.
func (c *Client) RestoreFact(ctx context.Context, groupID string, id uuid.UUID) (Fact, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Fact, error) { return c.engine.RestoreFact(ctx, groupID, id) })
}
