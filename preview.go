package annals

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/erase"
)

// Preview is what undoing or erasing would change in a graph.
type Preview struct {
	Undone   Undone         // the counts of undoing the episodes; zero when a whole group is erased
	Facts    []FactChange   // at most MaxRows; has the kinds of a Diff and "reopened": the fact would hold longer
	Entities []EntityChange // at most MaxRows

	// Removed and Edited count the rows that an erasure affects, by table and with the history.
	Removed, Edited []erase.Removal
}

// endless is later than any recorded time.
var endless = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// PreviewUndo returns what [Client.UndoAll] would do, and changes nothing. It takes as long, and
// other writes to the group wait for it.
func (c *Client) PreviewUndo(ctx context.Context, undoing Undoing) (Preview, error) {
	if err := c.admit(undoing.GroupID); err != nil {
		return Preview{}, err
	}
	var p Preview
	done, err := c.engine.PreviewUndo(ctx, undoing, func(ctx context.Context, tx pgx.Tx, before time.Time) error {
		return p.look(ctx, tx, undoing.GroupID, before)
	})
	p.Undone = done
	return p, err
}

// PreviewErase returns what [Client.Erase] would do, and changes nothing. For a group or a user it
// only counts rows, since everything would go. It does not look at copies.
func (c *Client) PreviewErase(ctx context.Context, what Erasure) (Preview, error) {
	if err := c.admit(cmp.Or(what.GroupID, what.UserID)); err != nil {
		return Preview{}, err
	}
	var p Preview
	certificate, done, err := c.engine.PreviewErase(ctx, what, func(ctx context.Context, tx pgx.Tx, before time.Time) error {
		if err := p.look(ctx, tx, what.GroupID, before); err != nil || what.EntityID == uuid.Nil {
			return err
		}
		return p.lookAtEntity(ctx, tx, what.GroupID, what.EntityID)
	})
	p.Undone, p.Removed, p.Edited = done, certificate.Removed, certificate.Edited
	return p, err
}

// look records what is believed differently than at the time before.
func (p *Preview) look(ctx context.Context, tx pgx.Tx, groupID string, before time.Time) error {
	q, f := db.New(tx), DiffFilter{GroupID: groupID, From: before, To: endless}
	var err error
	if p.Facts, err = factChanges(ctx, q, f, MaxRows); err != nil {
		return err
	}
	for i, change := range p.Facts {
		if change.Change == "changed" && change.holdsLonger() {
			p.Facts[i].Change = "reopened"
		}
	}
	p.Entities, err = entityChanges(ctx, q, f, MaxRows)
	return err
}

// holdsLonger reports whether only the end of a fact changed, and moved later.
func (c FactChange) holdsLonger() bool {
	before, after := c.Before, c.After
	return before != nil && after != nil && before.Fact == after.Fact && before.Valid.Start.Equal(after.Valid.Start) &&
		!before.Valid.End.IsZero() && (after.Valid.End.IsZero() || after.Valid.End.After(before.Valid.End))
}

// lookAtEntity records that an entity and its remaining facts would go.
func (p *Preview) lookAtEntity(ctx context.Context, tx pgx.Tx, groupID string, id uuid.UUID) error {
	q := db.New(tx)
	facts, err := q.FactsOfEntities(ctx, db.FactsOfEntitiesParams{GroupID: groupID, EntityIds: []uuid.UUID{id}})
	if err != nil {
		return err
	}
	rows, err := q.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: facts})
	if err != nil {
		return err
	}
	for _, row := range rows {
		p.Facts = slices.DeleteFunc(p.Facts, func(c FactChange) bool { return c.After != nil && c.After.ID == row.ID })
		p.Facts = append(p.Facts, FactChange{Change: "withdrawn", Before: new(db.Fact(row))})
	}
	entities, err := q.EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: groupID, Ids: []uuid.UUID{id}})
	if err != nil {
		return err
	}
	for _, row := range entities {
		p.Entities = slices.DeleteFunc(p.Entities, func(c EntityChange) bool { return c.After != nil && c.After.ID == row.ID })
		p.Entities = append(p.Entities, EntityChange{Change: "removed", Before: new(db.Entity(row))})
	}
	return nil
}

// PreviewJSON is the JSON form of a [Preview], the same in the CLI, REST and MCP.
type PreviewJSON struct {
	DryRun   bool               `json:"dry_run" doc:"Nothing was done"`
	Facts    []FactChangeJSON   `json:"facts" doc:"What would be believed otherwise, at most 1000"`
	Entities []EntityChangeJSON `json:"entities"`
	Removed  []erase.Removal    `json:"removed" doc:"Rows that would go for good, by table; none where nothing is erased"`
	Edited   []erase.Removal    `json:"edited" doc:"Rows that would stay without what they say of it"`
}

// JSON returns the JSON form of the preview, without the counts.
func (p Preview) JSON() PreviewJSON {
	d := Diff{Facts: p.Facts, Entities: p.Entities}.JSON()
	return PreviewJSON{
		DryRun: true, Facts: d.Facts, Entities: d.Entities, Removed: append([]erase.Removal{}, p.Removed...), Edited: append([]erase.Removal{}, p.Edited...),
	}
}
