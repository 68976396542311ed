package edit

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/timeline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// A candidate ends nothing that it contradicts: the contradiction is stored as a dispute. It
// becomes believed when it is approved, when its episode is released, or when the policy withholds
// less. The two facts then share their time by the rules of reading.

// Ending is the effect of approving a fact on another one.
type Ending struct {
	Before graph.Fact
	After  *graph.Fact // nil: no time is left to it, and it is no longer believed
}

// EndingJSON is an Ending in JSON.
type EndingJSON struct {
	Before graph.FactJSON  `json:"before" doc:"As it is"`
	After  *graph.FactJSON `json:"after,omitempty" doc:"As it would be; left out: it would be believed no longer"`
}

// JSON returns the ending in JSON.
func (e Ending) JSON() EndingJSON {
	j := EndingJSON{Before: e.Before.JSON()}
	if e.After != nil {
		j.After = new(e.After.JSON())
	}
	return j
}

// divide divides the time between a newly believed fact and one that it contradicts. It returns the
// side that is left no time.
func divide(f, against *graph.Fact, approved map[uuid.UUID]time.Time) (gone timeline.Side) {
	r := timeline.Resolve(claimOf(*against, approved), claimOf(*f, approved))
	switch {
	case r.Expired != timeline.Neither:
	case !r.Old.Equal(against.Valid):
		against.Valid, against.BoundedBy = r.Old, f.ID
	case !r.New.Equal(f.Valid):
		f.Valid, f.BoundedBy = r.New, against.ID
	}
	return r.Expired
}

func claimOf(f graph.Fact, approved map[uuid.UUID]time.Time) timeline.Claim {
	return timeline.Claim{Valid: f.Valid, Said: f.SaidAt, Recorded: f.CreatedAt, Came: f.CreatedAt, Approved: approved[f.ID], Event: f.Kind == graph.FactEvent}
}

// divideAll divides the time between a fact and those that it contradicts, the earliest first. It
// returns the changes, the fact's own change first. lostTo is the fact that leaves it no time, or
// nil. approved holds when facts were last approved.
func divideAll(f graph.Fact, against []graph.Fact, approved map[uuid.UUID]time.Time) (endings []Ending, lostTo *graph.Fact) {
	own := f
	against = slices.Clone(against)
	each.Sort(against, func(a, b graph.Fact) int { return a.Valid.Start.Compare(b.Valid.Start) })
	for _, k := range against {
		before := k
		switch divide(&f, &k, approved) {
		case timeline.New:
			return []Ending{{Before: own}}, &before
		case timeline.Old:
			endings = append(endings, Ending{Before: before})
		default:
			if !k.Valid.Equal(before.Valid) {
				endings = append(endings, Ending{before, new(k)})
			}
		}
	}
	if timeline.Displaced(own.Valid, f.Valid) { // it was only said to hold, and another fact took its start
		if i := slices.IndexFunc(against, func(k graph.Fact) bool { return k.ID == f.BoundedBy }); i >= 0 &&
			slices.ContainsFunc(against, func(k graph.Fact) bool { return k.ID != f.BoundedBy && k.Valid.Overlaps(f.Valid.Interval) }) {
			return []Ending{{Before: own}}, new(against[i])
		}
	}
	if !f.Valid.Equal(own.Valid) {
		endings = slices.Insert(endings, 0, Ending{own, new(f)})
	}
	return endings, nil
}

// Settle weighs facts after a decision; nil: all facts. A fact then ends the believed facts that it
// contradicts and whose authority is no longer higher. The recorded causes are the episodes that
// state it, as if it had been believed from the start.
func Settle(ctx context.Context, t *change.Tx, ids []uuid.UUID) error {
	if err := t.Queries.WeighLater(ctx, true); err != nil { // weigh them with the others below
		return err
	}
	settled, err := t.Queries.DisputesSettle(ctx, t.GroupID)
	if err != nil {
		return err
	}
	against, weighed := map[uuid.UUID][]uuid.UUID{}, ids
	for _, row := range settled {
		against[row.FactID] = append(against[row.FactID], row.DisputedBy)
		if ids != nil {
			weighed = append(weighed, row.FactID)
		}
	}
	if err := errors.Join(t.Queries.WeighLater(ctx, false), t.Weigh(ctx, weighed)); err != nil {
		return err
	}
	back, err := revive(ctx, t, ids)
	if err := errors.Join(err, unbind(ctx, t, back)); err != nil {
		return err
	}
	for _, by := range slices.SortedFunc(maps.Keys(back), change.CompareIDs) {
		if err := errors.Join(divideBack(ctx, t, back[by]),
			t.Queries.DisputesInherit(ctx, db.DisputesInheritParams{GroupID: t.GroupID, ID: by, Ids: back[by]})); err != nil {
			return err
		}
	}
	for _, row := range settled { // facts that had lost time to the disputing one
		against[row.FactID] = append(against[row.FactID], back[row.DisputedBy]...)
	}
	for _, id := range slices.SortedFunc(maps.Keys(against), change.CompareIDs) {
		if err := settleOne(ctx, t, id, against[id]); err != nil {
			return err
		}
	}
	return nil
}

// revive restores the facts to which a candidate left no time; nil: for all candidates. It lists
// them by candidate, and they dispute it from then on.
func revive(ctx context.Context, t *change.Tx, ids []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) {
	revived := map[uuid.UUID][]uuid.UUID{}
	if ids == nil {
		var err error
		if ids, err = t.Queries.WaitingEndedWhole(ctx, t.GroupID); err != nil || len(ids) == 0 {
			return revived, err
		}
	}
	facts, err := t.Facts(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, f := range facts {
		if f.Trust != graph.TrustCandidate {
			continue
		}
		back, err := bringBackEnded(ctx, t, f, nil)
		if err := errors.Join(err, dispute(ctx, t, f, back)); err != nil {
			return nil, err
		}
		revived[f.ID] = each.Of(back, factID)
	}
	return revived, nil
}

// unbind removes the ends that candidates gave to facts that do not wait, when the candidates were
// still believed or both waited. Those facts dispute the candidates from then on, and are added to
// back.
func unbind(ctx context.Context, t *change.Tx, back map[uuid.UUID][]uuid.UUID) error {
	bound, err := t.Queries.FactsBoundByWaiting(ctx, t.GroupID)
	if err != nil || len(bound) == 0 {
		return err
	}
	facts := change.FactsIn(bound)
	own, err := unbounded(ctx, t, facts...)
	if err != nil {
		return err
	}
	for _, f := range facts {
		if err := unbindOne(ctx, t, f, own[f.ID]); err != nil {
			return err
		}
		back[f.BoundedBy] = append(back[f.BoundedBy], f.ID)
	}
	_, err = t.Retell(ctx, change.EndsOf(facts...))
	return errors.Join(err, t.HideCommunities(ctx, change.EndsOf(facts...)...))
}

// unbindOne removes the end of a fact whose range before that end is own.
func unbindOne(ctx context.Context, t *change.Tx, f graph.Fact, own change.Span) error {
	free, err := goOn(ctx, t, f, own)
	if err != nil || free.BoundedBy == f.BoundedBy {
		return err
	}
	return t.Because(ctx, f, func() error {
		return db.Exec(t.Queries.FactDate(ctx, []db.FactDateParams{change.DateRow(free)}))
	})
}

// dispute records that facts dispute one that contradicts them.
func dispute(ctx context.Context, t *change.Tx, f graph.Fact, by []graph.Fact) error {
	causes, err := t.CausesOf(ctx, f)
	if err != nil || len(causes) == 0 {
		return err
	}
	return db.Exec(t.Queries.DisputeInsert(ctx, each.Of(by, func(k graph.Fact) db.DisputeInsertParams {
		return db.DisputeInsertParams{GroupID: t.GroupID, FactID: f.ID, DisputedBy: k.ID, EpisodeID: causes[0]}
	})))
}

func settleOne(ctx context.Context, t *change.Tx, id uuid.UUID, against []uuid.UUID) error {
	facts, err := t.Facts(ctx, []uuid.UUID{id})
	if err != nil || len(facts) == 0 { // another fact left it no time
		return err
	}
	before := facts[0]
	others, err := t.Facts(ctx, against)
	if err != nil {
		return err
	}
	for _, k := range others {
		if k.Trust == graph.TrustCandidate { // a candidate ends nothing
			err = errors.Join(err, dispute(ctx, t, k, []graph.Fact{before}))
		}
	}
	if err != nil {
		return err
	}
	approved, err := approvedAt(ctx, t, append(slices.Clone(against), id))
	if err != nil {
		return err
	}
	endings, lostTo := divideAll(before, slices.DeleteFunc(others, func(k graph.Fact) bool { return k.Trust == graph.TrustCandidate }), approved)
	by := before
	if lostTo != nil {
		by = *lostTo
	}
	return end(ctx, t, endings, by)
}

// end writes the endings that a fact causes. Facts that an expired one had ended now end by this
// fact.
func end(ctx context.Context, t *change.Tx, endings []Ending, by graph.Fact) error {
	var dates []db.FactDateParams
	var gone []graph.Fact
	for _, e := range endings {
		if e.After == nil {
			gone = append(gone, e.Before)
			continue
		}
		dates = append(dates, change.DateRow(*e.After))
		if e.Before.ID == by.ID {
			by = *e.After
		}
	}
	ids := each.Of(gone, factID)
	ended, err := t.Queries.FactsBoundedBy(ctx, db.FactsBoundedByParams{GroupID: t.GroupID, Ids: ids})
	if err != nil {
		return err
	}
	for _, b := range change.FactsIn(ended) {
		if b.ID != by.ID && b.Valid.End.Equal(by.Valid.Start) {
			b.BoundedBy = by.ID
			dates = append(dates, change.DateRow(b))
		}
	}
	if err := t.Because(ctx, by, func() error {
		return errors.Join(db.Exec(t.Queries.FactDate(ctx, dates)), t.Expire(ctx, ids...))
	}); err != nil {
		return err
	}
	ends := change.EndsOf(each.Of(endings, func(e Ending) graph.Fact { return e.Before })...)
	_, err = t.Retell(ctx, ends, gone...)
	return errors.Join(err, t.HideCommunities(ctx, ends...))
}

// unsettle undoes what facts ended at some moments, as they are disputed again. Facts that were
// ended hold as before, facts that lost all their time are restored, and both dispute the fact.
// Settle has already undone the endings of candidates.
func unsettle(ctx context.Context, t *change.Tx, moments map[uuid.UUID][]time.Time) error {
	for _, id := range slices.SortedFunc(maps.Keys(moments), change.CompareIDs) {
		for _, at := range moments[id] {
			facts, err := t.Facts(ctx, []uuid.UUID{id})
			if err == nil && len(facts) > 0 { // otherwise another fact leaves it no time now
				err = unsettleOne(ctx, t, facts[0], at)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func unsettleOne(ctx context.Context, t *change.Tx, f graph.Fact, at time.Time) error {
	if f.Trust == graph.TrustCandidate {
		return nil
	}
	was, err := t.Queries.FactTrustBefore(ctx, db.FactTrustBeforeParams{GroupID: t.GroupID, ID: f.ID, At: at})
	if errors.Is(err, pgx.ErrNoRows) || was == graph.TrustCandidate {
		return divideAgain(ctx, t, f) // it ended nothing then, or is believed anyway
	}
	if err != nil {
		return err
	}
	gone, err := bringBackEnded(ctx, t, f, &at)
	if err != nil {
		return err
	}
	reopened, err := t.Reopen(ctx, f, func(k graph.Fact) bool { return k.Recorded.Start.Equal(at) })
	if err := errors.Join(err, divideBack(ctx, t, each.Of(slices.Concat(gone, reopened), factID)), dispute(ctx, t, f, slices.Concat(gone, reopened))); err != nil || len(gone)+len(reopened) == 0 {
		return err
	}
	if err := t.Weigh(ctx, []uuid.UUID{f.ID}); err != nil {
		return err
	}
	_, err = t.Retell(ctx, change.EndsOf(reopened...))
	return err
}

// divideAgain divides the time between a fact whose approval no longer decides and the facts to
// which it left none.
func divideAgain(ctx context.Context, t *change.Tx, f graph.Fact) error {
	back, err := bringBackEnded(ctx, t, f, nil)
	if err := errors.Join(err, dispute(ctx, t, f, back)); err != nil || len(back) == 0 {
		return err
	}
	return Settle(ctx, t, []uuid.UUID{f.ID})
}

// approvedAt returns when facts were last confirmed.
func approvedAt(ctx context.Context, t *change.Tx, ids []uuid.UUID) (map[uuid.UUID]time.Time, error) {
	rows, err := t.Queries.FactAuthorities(ctx, db.FactAuthoritiesParams{GroupID: t.GroupID, Ids: ids})
	return each.Map(rows, func(row db.FactAuthoritiesRow) (uuid.UUID, time.Time) { return row.ID, row.ConfirmedAt }), err
}

// confirmedAt returns the moments at which facts were last confirmed.
func confirmedAt(ctx context.Context, t *change.Tx, ids ...uuid.UUID) (map[uuid.UUID][]time.Time, error) {
	rows, err := t.Queries.FactsConfirmedAt(ctx, db.FactsConfirmedAtParams{GroupID: t.GroupID, Ids: ids})
	return each.Groups(rows, func(row db.FactsConfirmedAtRow) (uuid.UUID, time.Time) { return row.ID, row.ConfirmedAt }), err
}

// releasedAt returns the moments at which the episodes that state facts were last released.
func releasedAt(ctx context.Context, t *change.Tx, episodes []uuid.UUID) (map[uuid.UUID][]time.Time, error) {
	rows, err := t.Queries.FactsReleasedAt(ctx, db.FactsReleasedAtParams{GroupID: t.GroupID, EpisodeIds: episodes})
	return each.Groups(rows, func(row db.FactsReleasedAtRow) (uuid.UUID, time.Time) { return row.FactID, row.ReleasedAt }), err
}
