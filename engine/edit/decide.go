package edit

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// Decision is a decision about facts under review: about some of them, or about all waiting facts
// that the filter chooses.
type Decision struct {
	GroupID string
	Do      string // approve, reject, edit, or leave, which takes back an approval
	FactIDs []uuid.UUID
	All     bool
	Filter  ReviewFilter   // with All
	Edit    graph.FactEdit // with edit

	// Versions are the versions in which the facts were shown, [Reviewed].Version. If there are
	// any, each fact must be in one of them, so that nobody decides about a fact that he did not
	// see.
	Versions []string
}

// Decide approves, rejects, edits or leaves facts, on record, and returns how many. Facts that are
// decided already stay as they are. Named facts are decided in one transaction, all or none. With
// All, a thousand facts are decided at a time.
func (e *Editor) Decide(ctx context.Context, d Decision) (int, error) {
	if err := mayTrust(ctx); err != nil {
		return 0, err
	}
	if d.All == (len(d.FactIDs) > 0) {
		return 0, graph.Invalid("facts", "name some facts, or all that wait; one of the two")
	}
	if !d.All {
		return e.decideOf(ctx, d, d.FactIDs)
	}
	if len(d.Versions) > 0 {
		return 0, graph.Invalid("version", "is that of facts that were read; name those facts")
	}
	if d.Do != "approve" && d.Do != "reject" {
		return 0, graph.Invalid("all", "can be approved or rejected; name the facts")
	}
	d.Filter.GroupID, d.Filter.Limit, d.Filter.After = d.GroupID, graph.MaxRows, nil
	decided, tries := 0, 0
	for {
		waiting, err := e.Review(ctx, d.Filter)
		if err != nil || len(waiting) == 0 {
			return decided, err
		}
		d.Versions = each.Of(waiting, func(r Reviewed) string { return r.Version })
		n, err := e.decideOf(ctx, d, each.Of(waiting, Reviewed.ID))
		if tries++; isMeanwhile(err) && tries < attempts { // somebody else decided about one of the facts
			continue
		}
		if decided += n; err != nil || n == 0 {
			return decided, err
		}
	}
}

func (e *Editor) decideOf(ctx context.Context, d Decision, ids []uuid.UUID) (int, error) {
	if len(ids) > graph.MaxRows {
		return 0, graph.Invalid("facts", "are %d; name 1 to %d", len(ids), graph.MaxRows)
	}
	switch d.Do {
	case "approve", "leave":
		_, err := e.Confirm(ctx, d.GroupID, ids, d.Do == "leave", d.Versions...)
		return counted(ids, err)
	case "reject":
		rejected, err := db.New(e.Pool).FactsStandRejected(ctx, db.FactsStandRejectedParams{GroupID: d.GroupID, Ids: ids})
		if err != nil {
			return 0, change.Failed(err, "look for what was rejected in %s", d.GroupID)
		}
		var open []uuid.UUID
		for _, id := range ids {
			if !slices.Contains(rejected, id) && !slices.Contains(open, id) {
				open = append(open, id)
			}
		}
		if len(d.Versions) > 0 { // a fact that somebody else rejected is no longer as it was shown
			open = ids
		}
		return counted(open, e.WithdrawFacts(ctx, d.GroupID, open, d.Versions...))
	case "edit":
		if len(ids) != 1 {
			return 0, graph.Invalid("facts", "are %d; edit one at a time", len(ids))
		}
		unchanged := func(t *change.Tx) error { return inVersions(ctx, t.Queries, t.GroupID, ids, d.Versions) }
		if err := unchanged(e.In(db.New(e.Pool), d.GroupID)); err != nil { // the fact may be gone
			return 0, err
		}
		if _, err := e.editEach(ctx, d.GroupID, []FactEdit{{ids[0], d.Edit}}, nil, unchanged); err != nil {
			return 0, err
		}
		_, err := e.Confirm(ctx, d.GroupID, ids, false)
		return counted(ids, err)
	}
	return 0, graph.Invalid("decision", "%q is not one of approve, reject, edit, leave", d.Do)
}

// isMeanwhile reports whether a fact changed after it was shown.
func isMeanwhile(err error) bool {
	var failure *graph.Error
	return errors.As(err, &failure) && failure.Code == graph.CodeConflict && failure.Field == "version"
}

func counted(ids []uuid.UUID, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return len(ids), nil
}
