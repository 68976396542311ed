package annals

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/telemetry"
	"github.com/annalsdb/annals/retrieval"
)

// Fact is a relation between two entities, with the time at which it holds. [graph.Fact] has its
// fields and methods.
type Fact = graph.Fact

// Triple is a fact that is added directly, without a text that states it. [graph.Triple] has its
// fields and methods.
type Triple = graph.Triple

// AddedTriple is the result of [Client.AddTriple]: what became of the triple.
type AddedTriple = engine.AddedTriple

// FactEdit is a correction of a fact by hand.
type FactEdit = graph.FactEdit

// FactFilter selects facts. Zero fields do not narrow the selection.
type FactFilter struct {
	GroupID  string
	ValidAt  time.Time   // that held or were planned at this time, see [graph.Fact.ShownAt]; zero: of all times
	KnownAt  time.Time   // as the group believed then; zero: as it believes now
	EntityID uuid.UUID   // with this entity at either end
	Trust    graph.Trust // graph.TrustCandidate, TrustDisputed or TrustAll; empty: believed and disputed facts
	ToldBy   []string    // that a message of one of these speakers states; a speaker may be given by any of their names
	After    *Fact       // list those after this one, the last of the page before; nil: from the first
	Limit    int         // 1 to MaxRows; zero: DefaultRows
}

// Fact returns a fact as it is believed now; [Client.History] has its earlier versions. It fails
// with [CodeNotFound] if the group does not believe such a fact.
func (c *Client) Fact(ctx context.Context, groupID string, id uuid.UUID) (Fact, error) {
	facts, err := query(ctx, c, groupID, func(ctx context.Context, q *db.Queries) ([]Fact, error) {
		rows, err := q.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: []uuid.UUID{id}})
		facts := each.Of(rows, db.Fact)
		return facts, errors.Join(err, q.MarkFacts(ctx, groupID, nil, facts))
	}, "read fact %s", id)
	if err != nil {
		return Fact{}, err
	}
	if len(facts) == 0 {
		return Fact{}, change.NotFound("fact", "group %s believes no fact %s; 'annals facts' lists them", groupID, id)
	}
	return facts[0], nil
}

// Facts lists facts in the order in which they began to hold.
func (c *Client) Facts(ctx context.Context, f FactFilter) ([]Fact, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err == nil {
		err = validateTimes(f.ValidAt, f.KnownAt)
	}
	if err != nil {
		return nil, err
	}
	return query(ctx, c, f.GroupID, func(ctx context.Context, q *db.Queries) ([]Fact, error) {
		rows, err := f.rows(ctx, q, limit)
		facts := each.Of(rows, db.Fact)
		return facts, errors.Join(err, q.MarkFacts(ctx, f.GroupID, db.Nullable(f.KnownAt), facts))
	}, "list facts of %s", f.GroupID)
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

// AddTriple adds one fact directly, without a text to read. Its entities are matched with the known
// entities, and the fact with the known facts, as for an episode. Its sentence is stored as an
// episode, so that the fact has a source like any other.
func (c *Client) AddTriple(ctx context.Context, t Triple) (AddedTriple, error) {
	return edited(ctx, c, telemetry.CreateMemory, t.GroupID, one, func(ctx context.Context) (AddedTriple, error) { return c.engine.AddTriple(ctx, t) })
}

// EditFact corrects the words and dates of a current fact and returns the fact as corrected. The
// history keeps the version before. Versions are starts of [Fact].Recorded: if any are given and
// the fact is in none of them, it fails with [CodeConflict] on "version".
func (c *Client) EditFact(ctx context.Context, groupID string, id uuid.UUID, edit FactEdit, versions ...time.Time) (Fact, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Fact, error) {
		return c.engine.EditFact(ctx, groupID, id, edit, versions...)
	})
}

// EditFacts corrects several facts as [Client.EditFact] does, for example all facts of one
// statement. It changes all of them or none. It accepts 1 to MaxRows ids.
func (c *Client) EditFacts(ctx context.Context, groupID string, ids []uuid.UUID, edit FactEdit) ([]Fact, error) {
	if len(ids) == 0 || len(ids) > MaxRows {
		return nil, graph.Invalid("ids", "are %d; name 1 to %d facts", len(ids), MaxRows)
	}
	return edited(ctx, c, telemetry.UpdateMemory, groupID, telemetry.Several, func(ctx context.Context) ([]Fact, error) {
		return c.engine.EditFacts(ctx, groupID, ids, edit)
	})
}

// WithdrawFact ends the belief in a fact and records the rejection. Until [Client.RestoreFact],
// episodes that state the fact again are stored but add no fact, unless a user states a later
// start: then it is a new fact. The history keeps the fact.
//
// Use it for what was never true. To end a fact that was true, add an episode or a triple that says
// what is true now. WithdrawFact fails with [CodeNotFound] if there is no such fact. Versions are
// as in [Client.EditFact].
func (c *Client) WithdrawFact(ctx context.Context, groupID string, factID uuid.UUID, versions ...time.Time) error {
	return c.edit(ctx, telemetry.DeleteMemory, groupID, func(ctx context.Context) error {
		return c.engine.WithdrawFact(ctx, groupID, factID, versions...)
	})
}

// RestoreFact lifts the rejection of a fact, on record, and restores the fact as it was when it was
// rejected. The id is that of the fact or of its rejection. It returns the fact, or the zero Fact
// if nothing is left to restore. It fails with [CodeForbidden] if a higher authority rejected the
// fact.
func (c *Client) RestoreFact(ctx context.Context, groupID string, id uuid.UUID) (Fact, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Fact, error) { return c.engine.RestoreFact(ctx, groupID, id) })
}
