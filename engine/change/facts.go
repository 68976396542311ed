package change

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

// Fact reads a current fact.
func (t *Tx) Fact(ctx context.Context, id uuid.UUID) (graph.Fact, error) {
	facts, err := t.Facts(ctx, []uuid.UUID{id})
	if err != nil {
		return graph.Fact{}, fmt.Errorf("read fact %s: %w", id, err)
	}
	if len(facts) == 0 {
		return graph.Fact{}, NotFound("fact", "group %s has no current fact %s; 'annals facts' lists them", t.GroupID, id)
	}
	return facts[0], nil
}

// Facts reads the facts with these ids that are current.
func (t *Tx) Facts(ctx context.Context, ids []uuid.UUID) ([]graph.Fact, error) {
	rows, err := t.Queries.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: t.GroupID, Ids: ids})
	return FactsIn(rows), err
}

// FactsIn returns the facts of rows.
func FactsIn(rows []db.FactRow) []graph.Fact { return each.Of(rows, db.Fact) }

// EndsOf returns the entities at the ends of facts.
func EndsOf(facts ...graph.Fact) []uuid.UUID {
	var ids []uuid.UUID
	for _, f := range facts {
		ids = append(ids, f.SourceID, f.TargetID)
	}
	return ids
}

// FactRow returns a fact as a row to insert. DateRow and EditRow are made from it.
func FactRow(f graph.Fact, ends bool) db.FactInsertParams {
	return db.FactInsertParams{
		GroupID: f.GroupID, ID: f.ID, SourceID: f.SourceID, TargetID: f.TargetID, Predicate: f.Predicate, Fact: f.Fact, Told: f.Told(), Ends: ends,
		Attributes: Object(f.Attributes), ValidStart: db.Nullable(f.Valid.Start), ValidEnd: db.Nullable(f.Valid.End), StatementID: f.StatementID,
		Kind: f.Kind, FromBasis: db.Basis(f.Valid.From), FromPrecision: db.Exactness(f.Valid.From),
		UntilBasis: db.Basis(f.Valid.Until), UntilPrecision: db.Exactness(f.Valid.Until),
		SaidAt: db.Nullable(f.SaidAt), BoundedBy: db.Nullable(f.BoundedBy),
	}
}

// ExpiredRow returns the row of a new fact that was never believed, because of the facts of
// endedBy.
func ExpiredRow(row db.FactInsertParams, episodeID uuid.UUID, endedBy []uuid.UUID) db.FactInsertExpiredParams {
	return db.FactInsertExpiredParams{
		GroupID: row.GroupID, ID: row.ID, SourceID: row.SourceID, TargetID: row.TargetID, Predicate: row.Predicate,
		Fact: row.Fact, Told: row.Told, Ends: row.Ends, Attributes: row.Attributes, ValidStart: row.ValidStart, ValidEnd: row.ValidEnd,
		StatementID: row.StatementID, Kind: row.Kind, FromBasis: row.FromBasis, FromPrecision: row.FromPrecision,
		UntilBasis: row.UntilBasis, UntilPrecision: row.UntilPrecision, SaidAt: row.SaidAt, BoundedBy: row.BoundedBy, EpisodeID: episodeID, EndedBy: endedBy,
	}
}

// DateRow returns the update of a fact's time.
func DateRow(f graph.Fact) db.FactDateParams {
	row := FactRow(f, false)
	return db.FactDateParams{
		GroupID: row.GroupID, ID: row.ID, ValidStart: row.ValidStart, ValidEnd: row.ValidEnd, FromBasis: row.FromBasis, FromPrecision: row.FromPrecision,
		UntilBasis: row.UntilBasis, UntilPrecision: row.UntilPrecision, SaidAt: row.SaidAt, BoundedBy: row.BoundedBy,
	}
}

// EditRow returns the update of a fact's content and time.
func EditRow(f graph.Fact) db.FactEditParams {
	row := FactRow(f, false)
	return db.FactEditParams{
		GroupID: row.GroupID, ID: row.ID, Predicate: row.Predicate, Fact: row.Fact, Told: row.Told, Attributes: row.Attributes,
		ValidStart: row.ValidStart, ValidEnd: row.ValidEnd, FromBasis: row.FromBasis, FromPrecision: row.FromPrecision,
		UntilBasis: row.UntilBasis, UntilPrecision: row.UntilPrecision, BoundedBy: row.BoundedBy,
	}
}

// Expire ends the belief in facts. The history keeps them.
func (t *Tx) Expire(ctx context.Context, ids ...uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	return t.Queries.FactsExpire(ctx, db.FactsExpireParams{GroupID: t.GroupID, Ids: ids})
}

// TakeOut ends the belief in a fact. Facts that it had ended hold again, summaries are remade, and
// an entity without any other support is removed.
func (t *Tx) TakeOut(ctx context.Context, fact graph.Fact) error {
	reopened, err := t.Reopen(ctx, fact, func(graph.Fact) bool { return true })
	if err != nil {
		return err
	}
	if err := t.Expire(ctx, fact.ID); err != nil {
		return err
	}
	if _, err := t.Retell(ctx, append(EndsOf(reopened...), EndsOf(fact)...), fact); err != nil {
		return err
	}
	_, err = t.DropUnsupported(ctx, EndsOf(fact))
	return err
}

// Reopen restores the range of the facts that a fact ended, of those that which accepts.
func (t *Tx) Reopen(ctx context.Context, by graph.Fact, which func(graph.Fact) bool) ([]graph.Fact, error) {
	rows, before, err := BoundBy(ctx, t.Queries, t.GroupID, []uuid.UUID{by.ID})
	if err != nil {
		return nil, err
	}
	facts := slices.DeleteFunc(FactsIn(rows), func(f graph.Fact) bool { return !which(f) })
	if len(facts) == 0 {
		return nil, nil
	}
	dates := make([]db.FactDateParams, len(facts))
	for i := range facts {
		f := &facts[i]
		Reopened(SpanOf(*f), before[f.ID], SpanOf(by)).Set(f)
		dates[i] = DateRow(*f)
	}
	return facts, t.Because(ctx, by, func() error { return db.Exec(t.Queries.FactDate(ctx, dates)) })
}

// CausesOf lists the episodes that a fact comes from.
func (t *Tx) CausesOf(ctx context.Context, f graph.Fact) ([]uuid.UUID, error) {
	if len(f.Episodes) > 0 {
		return f.Episodes, nil
	}
	return t.Queries.EpisodesOfFact(ctx, db.EpisodesOfFactParams{GroupID: t.GroupID, ID: f.ID}) // its sentence was corrected by hand
}

// Because runs do with the episodes of a fact as the recorded cause, so that it is no edit by hand.
func (t *Tx) Because(ctx context.Context, f graph.Fact, do func() error) error {
	causes, err := t.CausesOf(ctx, f)
	if err != nil {
		return err
	}
	before := t.causes
	if err := t.CausedBy(ctx, causes); err != nil {
		return err
	}
	return errors.Join(do(), t.CausedBy(ctx, before))
}

// CausedBy sets the episodes that are recorded as the cause of what follows. None: it is done by
// hand.
func (t *Tx) CausedBy(ctx context.Context, episodes []uuid.UUID) error {
	t.causes = append([]uuid.UUID{}, episodes...)
	return t.Queries.CausesSet(ctx, t.causes)
}

// Span is the range of a fact, with the fact that an inferred end comes from.
type Span struct {
	temporal.Validity
	BoundedBy uuid.UUID
}

// SpanOf returns the span of a fact.
func SpanOf(f graph.Fact) Span { return Span{f.Valid, f.BoundedBy} }

// Set gives a fact the span.
func (s Span) Set(f *graph.Fact) { f.Valid, f.BoundedBy = s.Validity, s.BoundedBy }

// Reopened returns the span of a fact without the end that another fact gave it. It is the former
// span, up to the end that an earlier contradiction gave to the other fact. A start that was stated
// since stays.
func Reopened(now, before, by Span) Span {
	s := before
	if now.From.Dated() {
		s.Start, s.From = now.Start, now.From
	}
	if by.Until.Basis == temporal.Inferred && by.End.After(s.Start) && (s.Ongoing() || by.End.Before(s.End)) {
		s.End, s.Until, s.BoundedBy = by.End, by.Until, by.BoundedBy
	}
	return s
}

// BoundBy reads the facts that end because of others, with their spans before that.
func BoundBy(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID) ([]db.FactRow, map[uuid.UUID]Span, error) {
	rows, err := q.FactsBoundedBy(ctx, db.FactsBoundedByParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return nil, nil, fmt.Errorf("find what ended because of it: %w", err)
	}
	former, err := q.FactsBeforeBound(ctx, db.FactsBeforeBoundParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return nil, nil, fmt.Errorf("find when it held before: %w", err)
	}
	before := each.Map(rows, func(row db.FactRow) (uuid.UUID, Span) { return row.ID, Span{Validity: Unbounded(db.Fact(row))} })
	for _, row := range former {
		before[row.ID] = SpanOf(db.Fact(row))
	}
	return rows, before, nil
}

// Unbounded returns the range of a fact without its end, for a fact that was never known without
// it.
func Unbounded(f graph.Fact) temporal.Validity {
	v := f.Valid
	v.End, v.Until = time.Time{}, temporal.Bound{}
	if !f.SaidAt.IsZero() && (v.From.Basis == temporal.Inferred || v.Start.IsZero()) {
		return temporal.SaidSince(f.SaidAt)
	}
	return v
}

// InVersion returns a conflict unless a row is in one of the versions. Without versions it checks
// nothing.
func InVersion(what string, recorded time.Time, versions []time.Time) error {
	if len(versions) == 0 || slices.ContainsFunc(versions, recorded.Equal) {
		return nil
	}
	return Meanwhile(what)
}
