package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// findUnrehearsed finds the entities of which the rehearsal does not know what is told:
// those that were edited by hand, where a fact of theirs changes, and those of facts
// that were. Their summaries are made anew at the end, and stay until then.
func (d *difference) findUnrehearsed() {
	d.unrehearsed = map[uuid.UUID]bool{}
	for _, end := range d.changedEnds() {
		if d.edited[end] {
			d.unrehearsed[end] = true
		}
	}
	ofEdited := d.endsOfEdited()
	for _, s := range d.without.entities {
		if id, there := d.entityIDs[s.ID]; there && ofEdited[id] && s.Summary != d.entities[id].Summary {
			d.unrehearsed[id] = true
		}
	}
	for i, row := range d.changedEntities {
		if real := d.entities[row.ID]; d.unrehearsed[row.ID] {
			d.changedEntities[i].Summary, d.changedEntities[i].Written = real.Summary, real.Written
		}
	}
	d.changedEntities = slices.DeleteFunc(d.changedEntities, func(row db.EntityUpdateParams) bool { return sameEntity(row, d.entities[row.ID]) })
}

// changedEnds are the entities of facts that come, change or go.
func (d *difference) changedEnds() []uuid.UUID {
	var ends []uuid.UUID
	for _, row := range d.newFacts {
		ends = append(ends, row.SourceID, row.TargetID)
	}
	for _, row := range d.changedFacts {
		ends = append(ends, row.SourceID, row.TargetID)
	}
	return append(ends, endsOf(d.goneFactRows()...)...)
}

func (d *difference) goneFactRows() []graph.Fact {
	gone := make([]graph.Fact, len(d.goneFacts))
	for i, id := range d.goneFacts {
		gone[i] = db.Fact(d.facts[id])
	}
	return gone
}

// endsOfEdited are the entities of facts that were edited by hand, as they are or as
// they were rehearsed: those that were withdrawn are only there.
func (d *difference) endsOfEdited() map[uuid.UUID]bool {
	ends := map[uuid.UUID]bool{}
	for _, row := range slices.AppendSeq(slices.Clone(d.without.facts), maps.Values(d.facts)) {
		for _, end := range []uuid.UUID{row.SourceID, row.TargetID} {
			if now, ok := d.now(d.entityIDs, end); ok && d.edited[row.ID] {
				ends[now] = true
			}
		}
	}
	return ends
}

// retell makes the summaries anew that no rehearsal could make.
func (d *difference) retell(ctx context.Context, e *Engine, q *db.Queries) error {
	retold, err := e.retell(ctx, q, d.groupID, slices.Collect(maps.Keys(d.unrehearsed)), d.goneFactRows()...)
	for id := range retold {
		if !slices.ContainsFunc(d.changedEntities, func(row db.EntityUpdateParams) bool { return row.ID == id }) {
			d.retold = append(d.retold, id)
		}
	}
	return err
}
