package db

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/graph"
)

// Few is how many rows of a kind are searched as a whole at the most: as many as
// may hold a term that is not counted as frequent.
const Few = 500

// Shape says how a group is searched best, kind by kind.
type Shape struct {
	kinds map[graph.Kind]GroupShapeRow
	ended map[uuid.UUID]bool // facts
	named NamedInRow
	facts []NamedFactsRow // of the entities that the question names

	rules GroupRulesRow
}

// Shape looks up the shape of a group for vectors of a model and, in the same round
// trip, what it withholds and which marks it has, now or at a time, and the entities
// that a question names with their facts; an empty one is not looked at. If ahead is
// not nil, it is read too, as far as its kind has few rows; so are, with related, the
// facts that it asks for.
func (q *Queries) Shape(ctx context.Context, groupID, model, question string, knownAt *time.Time, ahead *Whole, related *NamedFactsParams) (Shape, error) {
	var together queued
	var rows []GroupShapeRow
	var named NamedInRow
	_, _ = New(&together).GroupShape(ctx, GroupShapeParams{GroupID: groupID, Model: model, Few: Few})
	together.then(collect(&rows))
	var rules GroupRulesRow
	_, _ = New(&together).GroupRules(ctx, GroupRulesParams{GroupID: groupID, KnownAt: knownAt})
	together.then(only(&rules))
	if question != "" {
		_, _ = New(&together).NamedIn(ctx, NamedInParams{GroupID: groupID, Query: question, MaxRows: Few + 1})
		together.then(only(&named))
	}
	if ahead != nil {
		ahead.queue(&together)
	}
	var facts []NamedFactsRow
	if related != nil {
		together.namedFacts(ctx, *related, knownAt, &named, &facts)
	}
	err := q.db.SendBatch(ctx, &together.batch).Close()
	s := Shape{kinds: make(map[graph.Kind]GroupShapeRow, len(rows)), ended: map[uuid.UUID]bool{}, named: named, facts: facts, rules: rules}
	for _, row := range rows {
		row.Few = row.Few && len(row.Ended) <= Few // else many have come since they were counted
		s.kinds[row.Kind] = row
		for _, id := range row.Ended {
			s.ended[id] = true
		}
	}
	return s, err
}

// ShapeOfRules looks up no more of a shape than what the group withholds and which marks
// it has, for searches that ask for no words and no vectors.
func (q *Queries) ShapeOfRules(ctx context.Context, groupID string, knownAt *time.Time) (Shape, error) {
	rules, err := q.GroupRules(ctx, GroupRulesParams{GroupID: groupID, KnownAt: knownAt})
	return Shape{rules: rules}, err
}

// HasIndex reports whether the vectors of a kind have an index.
func (s Shape) HasIndex(kind graph.Kind) bool { return s.kinds[kind].Indexed }

// iterates reports whether a search by the index of a kind can go on until it has
// enough rows that meet a condition, as pgvector 0.8 does.
func (s Shape) iterates(kind graph.Kind) bool {
	major, rest, _ := strings.Cut(s.kinds[kind].Pgvector, ".")
	minor, _, _ := strings.Cut(rest, ".")
	m, _ := strconv.Atoi(major)
	n, _ := strconv.Atoi(minor)
	return m > 0 || n >= 8
}

// HasFew reports whether the group had so few rows of a kind, when they were
// counted last, that they are best searched as a whole: by [Queries.PostingsOfTerms],
// without what is in [Shape.Ended].
func (s Shape) HasFew(kind graph.Kind) bool { return s.kinds[kind].Few }

// Ended are the facts that have ended, which are known where there are few; no
// other kind ends. It is not to be changed.
func (s Shape) Ended(kind graph.Kind) map[uuid.UUID]bool {
	if kind != graph.KindFact {
		return nil
	}
	return s.ended
}

// Withholds reports whether the group withholds what some say, and so may have
// candidates among its facts.
func (s Shape) Withholds() bool { return s.rules.Withholds }

// WithholdsDocuments reports whether documents are in quarantine.
func (s Shape) WithholdsDocuments() bool { return s.rules.WithholdsDocuments }

// Rules tells what a search of the group has to heed.
func (s Shape) Rules() GroupRulesRow { return s.rules }

// Named are the entities that the question names.
func (s Shape) Named() []uuid.UUID { return s.named.Ids }

// NamedFacts are facts of the entities that the question names, where they were asked
// for.
func (s Shape) NamedFacts() []NamedFactsRow { return s.facts }

// OfNamed are the facts that start from those entities, and those that lead to one.
// It is not ok where they are more than [Few].
func (s Shape) OfNamed() (starting, leading []uuid.UUID, ok bool) {
	starting, leading = s.named.Starting, s.named.Leading
	return starting, leading, len(starting) <= Few && len(leading) <= Few
}

// Size is how many rows of a kind the group has, and how many terms they have in
// all, as counted last.
func (s Shape) Size(kind graph.Kind) (documents, terms int64) {
	return s.kinds[kind].Documents, s.kinds[kind].Terms
}

// By is the entity by which the fact was found.
func (r NamedFactsRow) By() uuid.UUID {
	if r.Outgoing {
		return r.SourceID
	}
	return r.TargetID
}

// Other is the other end of a fact than [NamedFactsRow.By].
func (r NamedFactsRow) Other() uuid.UUID {
	if r.Outgoing {
		return r.TargetID
	}
	return r.SourceID
}

// FactsOfNamed reads facts of named entities as [Queries.Shape] does, alone.
func (q *Queries) FactsOfNamed(ctx context.Context, p NamedFactsParams, knownAt *time.Time) (found []NamedFactsRow, err error) {
	var together queued
	together.namedFacts(ctx, p, knownAt, &NamedInRow{}, &found)
	err = q.db.SendBatch(ctx, &together.batch).Close()
	return found, err
}

func (d *queued) namedFacts(ctx context.Context, p NamedFactsParams, knownAt *time.Time, named *NamedInRow, found *[]NamedFactsRow) {
	if knownAt == nil {
		_, _ = New(d).NamedFacts(ctx, p)
		d.then(collect(found))
		return
	}
	_, _ = New(d).NamedFactsKnown(ctx, NamedFactsKnownParams{
		GroupID: p.GroupID, Query: p.Query, Ids: p.Ids, KnownAt: *knownAt, Trust: p.Trust, MaxRows: 4 * p.MaxRows,
	})
	d.then(func(rows pgx.Rows) error {
		var versions []FactRow
		if err := collect(&versions)(rows); err != nil {
			return err
		}
		for _, v := range versions {
			*found = append(*found, v.of(append(named.Ids, p.Ids...))...)
		}
		return nil
	})
}

// of is a fact as it is found by each of its ends that is named.
func (r FactRow) of(named []uuid.UUID) (found []NamedFactsRow) {
	for _, outgoing := range []bool{true, false} {
		row := NamedFactsRow{
			ID: r.ID, SourceID: r.SourceID, TargetID: r.TargetID, Source: r.Source, Target: r.Target, Predicate: r.Predicate, Fact: r.Fact, Valid: r.Valid,
			Kind: r.Kind, FromBasis: r.FromBasis, SaidAt: r.SaidAt, Trust: r.Trust, Outgoing: outgoing,
		}
		if slices.Contains(named, row.By()) {
			found = append(found, row)
		}
	}
	return found
}
