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
	"github.com/annalsdb/annals/temporal"
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
func goOn(ctx context.Context, t *change.Tx, f graph.Fact, own temporal.Validity) (graph.Fact, error) {
	for seen := map[uuid.UUID]bool{}; f.BoundedBy != uuid.Nil && !seen[f.BoundedBy]; {
		seen[f.BoundedBy] = true
		versions, err := t.Queries.FactVersions(ctx, db.FactVersionsParams{GroupID: t.GroupID, ID: f.BoundedBy})
		if err != nil {
			return f, err
		}
		if len(versions) == 0 { // it was erased
			f.Valid, f.BoundedBy = own, uuid.Nil
			break
		}
		by := db.Fact(versions[len(versions)-1])
		there := by.Recorded.End.IsZero()
		if there && by.Trust != graph.TrustCandidate {
			break
		}
		f.Valid, f.BoundedBy = change.Reopened(f.Valid, own, by.Valid), by.BoundedBy
		if there {
			if err := dispute(ctx, t, by, []graph.Fact{f}); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

// unbounded tells when facts held before others gave them an end.
func unbounded(ctx context.Context, t *change.Tx, facts ...graph.Fact) (map[uuid.UUID]temporal.Validity, error) {
	rows, err := t.Queries.FactsUnbounded(ctx, db.FactsUnboundedParams{GroupID: t.GroupID, Ids: each.Of(facts, func(f graph.Fact) uuid.UUID { return f.ID })})
	own := map[uuid.UUID]temporal.Validity{}
	for _, f := range facts {
		own[f.ID] = change.Unbounded(f)
	}
	for _, row := range rows {
		own[row.ID] = db.Fact(row).Valid
	}
	return own, err
}

// bringBackEnded brings back the facts to which a fact left no time at a moment; nil: at any.
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
	var dates []db.FactDateParams
	for i, k := range back { // what ended the other meanwhile ends it
		if valid := change.Reopened(k.Valid, k.Valid, f.Valid); !valid.Equal(k.Valid) {
			back[i].Valid, back[i].BoundedBy = valid, f.BoundedBy
			dates = append(dates, change.DateRow(back[i]))
		}
	}
	bounded, boundErr := t.Queries.FactsBoundedBy(ctx, db.FactsBoundedByParams{GroupID: t.GroupID, Ids: []uuid.UUID{f.ID}})
	for _, b := range change.FactsIn(bounded) { // what the other ended where these begin, these end
		if i := slices.IndexFunc(back, func(k graph.Fact) bool { return k.Valid.Start.Equal(b.Valid.End) }); i >= 0 {
			b.BoundedBy = back[i].ID
			dates = append(dates, change.DateRow(b))
		}
	}
	return back, errors.Join(err, boundErr, t.Queries.DisputesInherit(ctx, db.DisputesInheritParams{GroupID: t.GroupID, ID: f.ID, Ids: there}),
		t.Because(ctx, f, func() error { return db.Exec(t.Queries.FactDate(ctx, dates)) }))
}
