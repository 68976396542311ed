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

// bringBack brings a fact back with its entities, citations, vectors and the ends that it
// gave to others. It is false if nothing is left of it.
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

// bindAgain has a fact that is back end what it had ended, and ends it where what had ended
// it is gone: by what ended that one.
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

// goOn lets a fact hold on past those that end it no longer, because they wait or are gone,
// to where the next one gives it an end. Those that wait are disputed by it from then on.
// own is when it held before others gave it an end.
func goOn(ctx context.Context, t *change.Tx, f graph.Fact, own change.Span) (graph.Fact, error) {
	for seen := map[uuid.UUID]bool{}; f.BoundedBy != uuid.Nil && !seen[f.BoundedBy]; {
		seen[f.BoundedBy] = true
		versions, err := t.Queries.FactVersions(ctx, db.FactVersionsParams{GroupID: t.GroupID, ID: f.BoundedBy})
		if err != nil {
			return f, err
		}
		if len(versions) == 0 { // it was erased
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

// unbounded tells when facts held before those gave them an end that do now.
func unbounded(ctx context.Context, t *change.Tx, facts ...graph.Fact) (map[uuid.UUID]change.Span, error) {
	rows, err := t.Queries.FactsUnbounded(ctx, db.FactsUnboundedParams{GroupID: t.GroupID, Ids: each.Of(facts, factID)})
	own := map[uuid.UUID]change.Span{}
	for _, f := range facts {
		own[f.ID] = change.Span{Validity: change.Unbounded(f)}
	}
	for _, row := range rows {
		own[row.ID] = change.SpanOf(db.Fact(row))
	}
	return own, err
}

// bringBackEnded brings back the facts to which a fact left no time at a moment; nil: at any.
// They share their time with each other as they would have without it.
func bringBackEnded(ctx context.Context, t *change.Tx, f graph.Fact, at *time.Time) ([]graph.Fact, error) {
	ids, err := t.Queries.FactsEndedWhole(ctx, db.FactsEndedWholeParams{GroupID: t.GroupID, ID: f.ID, At: at})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	there := []uuid.UUID{} // without those that nothing states any more
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

// endBack has what ended a fact end what is back that it had left no time.
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

// divideBack divides the time of facts of one kind to which one fact gave back time, as
// they contradict each other, and lets go of one that says what another one does. The word of a
// lower authority ends none of a higher one.
func divideBack(ctx context.Context, t *change.Tx, ids []uuid.UUID) error {
	if len(ids) < 2 {
		return nil
	}
	rows, err := t.Queries.FactAuthorities(ctx, db.FactAuthoritiesParams{GroupID: t.GroupID, Ids: ids})
	if err != nil {
		return err
	}
	authority := map[uuid.UUID]graph.Authority{}
	for _, row := range rows {
		authority[row.ID] = row.Authority
	}
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
			case f.Trust == graph.TrustCandidate || k.Trust == graph.TrustCandidate: // it ends nothing
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
