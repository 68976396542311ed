package edit

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// bringBack restores a fact with its entities, citations and vectors, and with the ends that it
// gave to others. It returns false if nothing of the fact is left.
func bringBack(ctx context.Context, t *change.Tx, id uuid.UUID) (bool, error) {
	gone, err := t.Queries.EntitiesBringBack(ctx, db.EntitiesBringBackParams{GroupID: t.GroupID, ID: id})
	if err != nil {
		return false, err
	}
	back, err := t.Queries.FactBringBack(ctx, db.FactBringBackParams{GroupID: t.GroupID, ID: id})
	if err != nil || len(back) == 0 {
		return false, err
	}
	var v change.Vectors
	v.Fact(id, back[0].Fact, back[0].Predicate)
	ends, err := t.Lock(ctx, back[0].SourceID, back[0].TargetID)
	if err != nil {
		return false, err
	}
	for _, end := range ends {
		if slices.Contains(gone, end.ID) {
			v.Entity(end.ID, end.Name)
		}
	}
	if err := errors.Join(
		t.Queries.CitationsRestore(ctx, db.CitationsRestoreParams{GroupID: t.GroupID, Ids: []uuid.UUID{id}, ExceptIds: []uuid.UUID{}}),
		v.Write(ctx, t), t.HideCommunities(ctx, change.Keys(ends)...), bindAgain(ctx, t, id)); err != nil {
		return false, err
	}
	rows, err := t.Queries.FactsBoundedBy(ctx, db.FactsBoundedByParams{GroupID: t.GroupID, Ids: []uuid.UUID{id}})
	if err != nil {
		return false, err
	}
	ended := change.FactsIn(rows)
	_, err = t.Retell(ctx, append(change.EndsOf(ended...), change.Keys(ends)...), ended...)
	return true, err
}

// bindAgain ends again the facts that a restored fact had ended. If the fact that had ended it is
// gone, it gets the end that followed from the next one.
func bindAgain(ctx context.Context, t *change.Tx, id uuid.UUID) error {
	f, err := t.Fact(ctx, id)
	if err != nil {
		return err
	}
	err = t.Because(ctx, f, func() error {
		return t.Queries.FactsBoundAgain(ctx, db.FactsBoundAgainParams{GroupID: t.GroupID, ID: id})
	})
	if err != nil || f.BoundedBy == uuid.Nil {
		return err
	}
	own, err := unbounded(ctx, t, f)
	if err != nil {
		return err
	}
	free, err := goOn(ctx, t, f, own[id])
	if err != nil || free.BoundedBy == f.BoundedBy {
		return err
	}
	return db.Exec(t.Queries.FactDate(ctx, []db.FactDateParams{change.DateRow(free)}))
}

// goOn extends a fact beyond the facts that no longer end it, because they are candidates or gone,
// up to the next fact that ends it. It disputes the candidates among them. own is the range of the
// fact before others ended it.
func goOn(ctx context.Context, t *change.Tx, f graph.Fact, own change.Span) (graph.Fact, error) {
	for seen := map[uuid.UUID]bool{}; f.BoundedBy != uuid.Nil && !seen[f.BoundedBy]; {
		seen[f.BoundedBy] = true
		versions, err := t.Queries.FactVersions(ctx, db.FactVersionsParams{GroupID: t.GroupID, ID: f.BoundedBy})
		if err != nil {
			return f, err
		}
		if len(versions) == 0 { // erased
			own.Set(&f)
			break
		}
		by := db.Fact(versions[len(versions)-1])
		there := by.Recorded.End.IsZero()
		if there && by.Trust != graph.TrustCandidate {
			break
		}
		change.Reopened(change.SpanOf(f), own, change.SpanOf(by)).Set(&f)
		if there {
			if err := dispute(ctx, t, by, []graph.Fact{f}); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

// unbounded returns the ranges of facts before the facts that now end them did so.
func unbounded(ctx context.Context, t *change.Tx, facts ...graph.Fact) (map[uuid.UUID]change.Span, error) {
	rows, err := t.Queries.FactsUnbounded(ctx, db.FactsUnboundedParams{GroupID: t.GroupID, Ids: each.Of(facts, factID)})
	own := each.Map(facts, func(f graph.Fact) (uuid.UUID, change.Span) { return f.ID, change.Span{Validity: change.Unbounded(f)} })
	for _, row := range rows {
		own[row.ID] = change.SpanOf(db.Fact(row))
	}
	return own, err
}

// bringBackEnded restores the facts to which a fact left no time at a moment; nil: at any moment.
// They share their time with each other as they would have without it.
func bringBackEnded(ctx context.Context, t *change.Tx, f graph.Fact, at *time.Time) ([]graph.Fact, error) {
	ids, err := t.Queries.FactsEndedWhole(ctx, db.FactsEndedWholeParams{GroupID: t.GroupID, ID: f.ID, At: at})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	there := []uuid.UUID{} // without facts that no episode states any more
	err = t.Because(ctx, f, func() error {
		for _, id := range ids {
			back, err := bringBack(ctx, t, id)
			if err != nil {
				return err
			}
			if back {
				there = append(there, id)
			}
		}
		return nil
	})
	if err != nil || len(there) == 0 {
		return nil, err
	}
	if err := t.Weigh(ctx, there); err != nil {
		return nil, err
	}
	back, err := t.Facts(ctx, there)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(endBack(ctx, t, f, back), divideBack(ctx, t, there),
		t.Queries.DisputesInherit(ctx, db.DisputesInheritParams{GroupID: t.GroupID, ID: f.ID, Ids: there})); err != nil {
		return nil, err
	}
	return t.Facts(ctx, there)
}

// endBack ends restored facts by the fact that had bounded f, which had left them no time.
func endBack(ctx context.Context, t *change.Tx, f graph.Fact, back []graph.Fact) error {
	var dates []db.FactDateParams
	for _, k := range back {
		if s := change.Reopened(change.SpanOf(k), change.SpanOf(k), change.SpanOf(f)); !s.Equal(k.Valid) {
			s.Set(&k)
			dates = append(dates, change.DateRow(k))
		}
	}
	return t.Because(ctx, f, func() error { return db.Exec(t.Queries.FactDate(ctx, dates)) })
}

// divideBack divides the time of facts of one kind that a fact gave their time back, as they
// contradict each other. Of two facts that say the same, it expires one. A lower authority does not
// end a higher one, but disputes it.
func divideBack(ctx context.Context, t *change.Tx, ids []uuid.UUID) error {
	if len(ids) < 2 {
		return nil
	}
	rows, err := t.Queries.FactAuthorities(ctx, db.FactAuthoritiesParams{GroupID: t.GroupID, Ids: ids})
	if err != nil {
		return err
	}
	authority := each.Map(rows, func(row db.FactAuthoritiesRow) (uuid.UUID, graph.Authority) { return row.ID, row.Authority })
	facts, err := t.Facts(ctx, ids)
	if err != nil {
		return err
	}
	for i, f := range facts {
		var against []uuid.UUID
		for _, k := range facts[:i] {
			var err error
			switch {
			case k.SourceID != f.SourceID || k.Predicate != f.Predicate || !k.Valid.Overlaps(f.Valid.Interval):
			case f.Trust == graph.TrustCandidate || k.Trust == graph.TrustCandidate: // a candidate ends nothing
			case k.TargetID == f.TargetID:
				err = t.Because(ctx, f, func() error { return t.Expire(ctx, k.ID) })
			case authority[f.ID].Below(authority[k.ID]):
				err = dispute(ctx, t, f, []graph.Fact{k})
			case authority[k.ID].Below(authority[f.ID]):
				err = dispute(ctx, t, k, []graph.Fact{f})
			default:
				against = append(against, k.ID)
			}
			if err != nil {
				return err
			}
		}
		if len(against) == 0 {
			continue
		}
		if err := settleOne(ctx, t, f.ID, against); err != nil {
			return err
		}
	}
	return nil
}

func factID(f graph.Fact) uuid.UUID { return f.ID }
