package edit

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/timeline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

// A fact that waits ends nothing that it contradicts: the contradiction is kept as a
// dispute. Where it is approved the two share their time by the rules of reading.

// Ending is a fact that approving another one ends.
type Ending struct {
	Before graph.Fact
	After  *graph.Fact // nil: no time is left to it, and it is believed no longer
}

// EndingJSON is an Ending as every door shows it.
type EndingJSON struct {
	Before graph.FactJSON  `json:"before" doc:"As it is"`
	After  *graph.FactJSON `json:"after,omitempty" doc:"As it would be; left out: it would be believed no longer"`
}

// JSON is the ending as every door shows it.
func (e Ending) JSON() EndingJSON {
	j := EndingJSON{Before: e.Before.JSON()}
	if e.After != nil {
		j.After = new(e.After.JSON())
	}
	return j
}

// divide shares the time of an approved fact and one that it contradicts, and reports
// whether any is left to that one. The approval is the last word: the approved fact stays.
func divide(approved, against *graph.Fact) (left bool) {
	r := timeline.Resolve(claimOf(*against), claimOf(*approved))
	switch {
	case r.Expired != timeline.Neither:
		return false
	case !r.Old.Equal(against.Valid):
		against.Valid, against.BoundedBy = r.Old, approved.ID
	case !r.New.Equal(approved.Valid):
		approved.Valid, approved.BoundedBy = r.New, against.ID
	}
	return true
}

func claimOf(f graph.Fact) timeline.Claim {
	return timeline.Claim{Valid: f.Valid, Said: f.SaidAt, Recorded: f.CreatedAt, Event: f.Kind == graph.FactEvent}
}

// divideAll divides the time of a fact and those that it contradicts, the earliest first,
// and returns those that change, with how the fact holds after that.
func divideAll(approved graph.Fact, against []graph.Fact) ([]Ending, graph.Fact) {
	against = slices.Clone(against)
	slices.SortStableFunc(against, func(a, b graph.Fact) int { return a.Valid.Start.Compare(b.Valid.Start) })
	var endings []Ending
	for _, k := range against {
		before := k
		if !divide(&approved, &k) {
			endings = append(endings, Ending{Before: before})
		} else if !k.Valid.Equal(before.Valid) {
			endings = append(endings, Ending{before, new(k)})
		}
	}
	return endings, approved
}

// settle ends what confirmed facts contradict, where their word is now no less. The
// episodes that told of the contradictions are the cause, as if they had been believed.
func settle(ctx context.Context, t *change.Tx, settled []db.DisputesSettleRow, ids []uuid.UUID) error {
	for _, id := range ids {
		var against, causes []uuid.UUID
		for _, row := range settled {
			if row.FactID == id {
				against, causes = append(against, row.DisputedBy), append(causes, row.EpisodeID)
			}
		}
		if len(against) == 0 {
			continue
		}
		if err := settleOne(ctx, t, id, against, causes); err != nil {
			return err
		}
	}
	return nil
}

func settleOne(ctx context.Context, t *change.Tx, id uuid.UUID, against, causes []uuid.UUID) error {
	before, err := t.Fact(ctx, id)
	if err != nil {
		return err
	}
	others, err := t.Facts(ctx, against)
	if err != nil {
		return err
	}
	endings, approved := divideAll(before, others)
	var dates []db.FactDateParams
	var gone []graph.Fact
	if !approved.Valid.Equal(before.Valid) {
		dates = append(dates, change.DateRow(approved))
	}
	for _, e := range endings {
		if e.After == nil {
			gone = append(gone, e.Before)
		} else {
			dates = append(dates, change.DateRow(*e.After))
		}
	}
	changed := append(each.Of(endings, func(e Ending) graph.Fact { return e.Before }), before)
	if err := errors.Join(
		t.Queries.CausesSet(ctx, causes),
		db.Exec(t.Queries.FactDate(ctx, dates)),
		t.Expire(ctx, each.Of(gone, func(f graph.Fact) uuid.UUID { return f.ID })...),
		t.Queries.CausesSet(ctx, []uuid.UUID{})); err != nil {
		return err
	}
	_, err = t.Retell(ctx, change.EndsOf(changed...), gone...)
	return errors.Join(err, t.HideCommunities(ctx, change.EndsOf(changed...)...))
}

// unsettle takes back what approving ended: what was given an end in that moment holds as
// before, and disputes the fact again.
func unsettle(ctx context.Context, t *change.Tx, ids []uuid.UUID) error {
	rows, err := t.Queries.FactsConfirmedAt(ctx, db.FactsConfirmedAtParams{GroupID: t.GroupID, Ids: ids})
	if err != nil {
		return err
	}
	for _, row := range rows {
		f, err := t.Fact(ctx, row.ID)
		if err != nil {
			return err
		}
		bounded, before, err := change.BoundBy(ctx, t.Queries, t.GroupID, []uuid.UUID{f.ID})
		if err != nil {
			return err
		}
		reopened := slices.DeleteFunc(change.FactsIn(bounded), func(k graph.Fact) bool { return !k.Recorded.Start.Equal(row.ConfirmedAt) })
		if len(reopened) == 0 || len(f.Episodes) == 0 {
			continue
		}
		var dates []db.FactDateParams
		var disputes []db.DisputeInsertParams
		for _, k := range reopened {
			k.Valid, k.BoundedBy = change.Reopened(k.Valid, before[k.ID], temporal.Validity{}), uuid.Nil
			dates = append(dates, change.DateRow(k))
			disputes = append(disputes, db.DisputeInsertParams{GroupID: t.GroupID, FactID: f.ID, DisputedBy: k.ID, EpisodeID: f.Episodes[0]})
		}
		if err := errors.Join(
			t.Queries.CausesSet(ctx, f.Episodes[:1]),
			db.Exec(t.Queries.FactDate(ctx, dates)), db.Exec(t.Queries.DisputeInsert(ctx, disputes)),
			t.Queries.CausesSet(ctx, []uuid.UUID{})); err != nil {
			return err
		}
		if err := t.Weigh(ctx, []uuid.UUID{f.ID}); err != nil {
			return err
		}
		if _, err := t.Retell(ctx, change.EndsOf(reopened...)); err != nil {
			return err
		}
	}
	return nil
}
