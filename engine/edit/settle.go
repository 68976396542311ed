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

// A fact that waits ends nothing that it contradicts: the contradiction is kept as a
// dispute. Where it is believed from then on, because it is approved, its episode is
// released or the policy withholds less, the two share their time by the rules of reading.

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

// divide shares the time of a fact that is believed now and one that it contradicts, and
// tells which of them none is left to.
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

// divideAll divides the time of a fact and those that it contradicts, the earliest first,
// and returns those that change, the fact first where it does. lostTo is the one that leaves
// it no time; nil: there is none. Some of them were approved last at some time.
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
	if timeline.Displaced(own.Valid, f.Valid) { // it was only said to hold where another one does
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

// Settle weighs facts after a decision, all for nil, and ends what those contradict that
// are believed and whose word is now no less. The episodes that state them are the cause, as
// if they had been believed.
func Settle(ctx context.Context, t *change.Tx, ids []uuid.UUID) error {
	if err := t.Queries.WeighLater(ctx, true); err != nil { // with the others
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
	for _, row := range settled { // what had lost time to the one that disputed it
		against[row.FactID] = append(against[row.FactID], back[row.DisputedBy]...)
	}
	for _, id := range slices.SortedFunc(maps.Keys(against), change.CompareIDs) {
		if err := settleOne(ctx, t, id, against[id]); err != nil {
			return err
		}
	}
	return nil
}

// revive brings back the facts to which facts left no time that wait now, all for nil, and
// lists them for each of those, which they dispute from then on.
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
		revived[f.ID] = each.Of(back, func(k graph.Fact) uuid.UUID { return k.ID })
	}
	return revived, nil
}

// unbind takes the ends from facts that do not wait which others gave them that do, as those
// were believed or as both waited. They dispute those from then on, and are added to what
// those give back.
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

// unbindOne takes the end from a fact that held so before others gave it one.
func unbindOne(ctx context.Context, t *change.Tx, f graph.Fact, own change.Span) error {
	free, err := goOn(ctx, t, f, own)
	if err != nil || free.BoundedBy == f.BoundedBy {
		return err
	}
	return t.Because(ctx, f, func() error {
		return db.Exec(t.Queries.FactDate(ctx, []db.FactDateParams{change.DateRow(free)}))
	})
}

// dispute notes that facts dispute one that contradicts them.
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
	if err != nil || len(facts) == 0 { // another one left it no time
		return err
	}
	before := facts[0]
	others, err := t.Facts(ctx, against)
	if err != nil {
		return err
	}
	for _, k := range others {
		if k.Trust == graph.TrustCandidate { // it waits, and ends nothing
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

// end writes what a fact ends. What those had ended to which it leaves no time, it ends.
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

// unsettle takes back what facts ended at some moments that are disputed again: what was
// given an end then holds as before, what lost all its time is back, and both dispute the
// fact. What those ended that wait, settle took back.
func unsettle(ctx context.Context, t *change.Tx, moments map[uuid.UUID][]time.Time) error {
	for _, id := range slices.SortedFunc(maps.Keys(moments), change.CompareIDs) {
		for _, at := range moments[id] {
			facts, err := t.Facts(ctx, []uuid.UUID{id})
			if err == nil && len(facts) > 0 { // else another one leaves it no time now
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
		return divideAgain(ctx, t, f) // it ended nothing then, or is believed all the same
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

// divideAgain divides the time of a fact, whose approval is no longer the last word, and
// those to which it left none.
func divideAgain(ctx context.Context, t *change.Tx, f graph.Fact) error {
	back, err := bringBackEnded(ctx, t, f, nil)
	if err := errors.Join(err, dispute(ctx, t, f, back)); err != nil || len(back) == 0 {
		return err
	}
	return Settle(ctx, t, []uuid.UUID{f.ID})
}

// approvedAt tells when those facts were confirmed last that are.
func approvedAt(ctx context.Context, t *change.Tx, ids []uuid.UUID) (map[uuid.UUID]time.Time, error) {
	rows, err := t.Queries.FactAuthorities(ctx, db.FactAuthoritiesParams{GroupID: t.GroupID, Ids: ids})
	at := map[uuid.UUID]time.Time{}
	for _, row := range rows {
		at[row.ID] = row.ConfirmedAt
	}
	return at, err
}

// confirmedAt tells when facts were confirmed last.
func confirmedAt(ctx context.Context, t *change.Tx, ids ...uuid.UUID) (map[uuid.UUID][]time.Time, error) {
	rows, err := t.Queries.FactsConfirmedAt(ctx, db.FactsConfirmedAtParams{GroupID: t.GroupID, Ids: ids})
	moments := map[uuid.UUID][]time.Time{}
	for _, row := range rows {
		moments[row.ID] = append(moments[row.ID], row.ConfirmedAt)
	}
	return moments, err
}

// releasedAt tells when the episodes that state facts were released last.
func releasedAt(ctx context.Context, t *change.Tx, episodes []uuid.UUID) (map[uuid.UUID][]time.Time, error) {
	rows, err := t.Queries.FactsReleasedAt(ctx, db.FactsReleasedAtParams{GroupID: t.GroupID, EpisodeIds: episodes})
	moments := map[uuid.UUID][]time.Time{}
	for _, row := range rows {
		moments[row.FactID] = append(moments[row.FactID], row.ReleasedAt)
	}
	return moments, err
}
