package db

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/graph"
)

// Few is how many rows of a kind are still searched as a whole: as many as may hold a term that is
// not counted as frequent.
const Few = 500

// A kind of at most MostRanked rows is ranked by the caller, if a term has at most MostPostings
// postings, and all terms together ten times as many. Sending these costs less than ranking in the
// database and reading the same postings again for the neighbours.
const (
	MostRanked   = 20000
	MostPostings = 2000
)

// Shape is what a search must know of a group before it ranks: what it withholds, which marks it
// has and who speaks, as fields, and by methods how each kind is searched.
type Shape struct {
	GroupLookRow
	kinds map[graph.Kind]kindShape
	ended map[uuid.UUID]bool // facts
}

// kindShape says how to search a kind.
type kindShape struct {
	few, indexed     bool
	ranked           bool // by the caller, if by words
	documents, terms int64
}

// ShapeParams are the parameters of a look-up of a shape. Model is that of the vectors. A KnownAt
// applies the rules of the group at that time. Actors are listed if there are at most MaxActors.
type ShapeParams struct {
	GroupID, Model string
	KnownAt        *time.Time
	MaxActors      int
}

// Shape adds the look-up of the shape of a group.
func (t *Together) Shape(p ShapeParams, into *Shape) {
	_, _ = New(t).GroupLook(context.Background(), GroupLookParams{
		GroupID: p.GroupID, Model: p.Model, KnownAt: p.KnownAt, Few: Few, MaxActors: int32(p.MaxActors),
	})
	t.then(func(rows pgx.Rows) error {
		var row GroupLookRow
		err := only(&row)(rows)
		*into = shapeOf(row)
		return err
	})
}

func shapeOf(row GroupLookRow) Shape {
	s := Shape{kinds: make(map[graph.Kind]kindShape, len(row.Kinds)), ended: make(map[uuid.UUID]bool, len(row.Ended)), GroupLookRow: row}
	for i, name := range row.Kinds {
		kind, documents := graph.Kind(name), row.Documents[i]
		few := documents <= Few && (kind != graph.KindFact || len(row.Ended) <= Few) // else many were added since the count
		ranked := few || kind != graph.KindFact && documents <= MostRanked           // of more facts it is not known which have ended
		s.kinds[kind] = kindShape{few: few, ranked: ranked, documents: documents, terms: row.Terms[i]}
	}
	for _, name := range row.Indexed {
		one := s.kinds[graph.Kind(name)]
		one.indexed = true
		s.kinds[graph.Kind(name)] = one
	}
	for _, id := range row.Ended {
		s.ended[id] = true
	}
	return s
}

// Lasting is the shape without the ended facts: what most likely still holds at the next search.
func (s Shape) Lasting() Shape {
	s.ended, s.GroupLookRow.Ended = nil, nil
	return s
}

// SearchedAlike reports whether a kind is searched by vectors in the same way in a group of another
// shape.
func (s Shape) SearchedAlike(other Shape, kind graph.Kind) bool {
	a, b := s.kinds[kind], other.kinds[kind]
	return a.few == b.few && a.indexed == b.indexed && (!a.indexed || s.Pgvector == other.Pgvector)
}

// Shape looks up the shape of a group, in a round trip of its own.
func (q *Queries) Shape(ctx context.Context, p ShapeParams) (s Shape, err error) {
	together := q.Together()
	together.Shape(p, &s)
	err = together.Send(ctx)
	return s, err
}

// HasIndex reports whether the vectors of a kind have an index.
func (s Shape) HasIndex(kind graph.Kind) bool { return s.kinds[kind].indexed }

// iterates reports whether a search by index can continue until enough rows meet a condition, as
// since pgvector 0.8.
func (s Shape) iterates() bool {
	major, rest, _ := strings.Cut(s.Pgvector, ".")
	minor, _, _ := strings.Cut(rest, ".")
	m, _ := strconv.Atoi(major)
	n, _ := strconv.Atoi(minor)
	return m > 0 || n >= 8
}

// HasFew reports whether the group, as last counted, has so few rows of a kind that they are best
// searched as a whole.
func (s Shape) HasFew(kind graph.Kind) bool { return s.kinds[kind].few }

// RankedWhole reports whether the caller should rank a kind itself, by [Words] that are Whole,
// leaving out what is in [Shape.Ended].
func (s Shape) RankedWhole(kind graph.Kind) bool { return s.kinds[kind].ranked }

// Ended returns the facts that have ended, which are known if they are few; other kinds do not end.
// The caller must not change the map.
func (s Shape) Ended(kind graph.Kind) map[uuid.UUID]bool {
	if kind != graph.KindFact {
		return nil
	}
	return s.ended
}

// Stale says which kinds of stale rows the group has.
func (s Shape) Stale() Stale {
	return Stale{Closed: s.Closed, Doubted: s.Doubted, Withdrawn: s.Withdrawn, Ahead: s.Ahead}
}

// Size is how many rows of a kind the group has, and how many terms these have in all, as last
// counted.
func (s Shape) Size(kind graph.Kind) (documents, terms int64) {
	return s.kinds[kind].documents, s.kinds[kind].terms
}

// By is the entity by which the fact was found.
func (r NamedFactsRow) By() uuid.UUID {
	if r.Outgoing {
		return r.SourceID
	}
	return r.TargetID
}

// Other is the entity at the other end of the fact than [NamedFactsRow.By].
func (r NamedFactsRow) Other() uuid.UUID {
	if r.Outgoing {
		return r.TargetID
	}
	return r.SourceID
}

// FactsOfNamed adds reading the facts of entities that a question names, and of those with given
// ids, now or as believed at a time.
func (t *Together) FactsOfNamed(p NamedFactsParams, knownAt *time.Time, into *[]NamedFactsRow) {
	if knownAt == nil {
		Ask(t, (*Queries).NamedFacts, p, into)
		return
	}
	_, _ = New(t).NamedFactsKnown(context.Background(), NamedFactsKnownParams{
		GroupID: p.GroupID, Query: p.Query, Asker: p.Asker, Ids: p.Ids, KnownAt: *knownAt, Trust: p.Trust, MaxRows: 4 * p.MaxRows,
	})
	t.then(func(rows pgx.Rows) error {
		var known []NamedFactsKnownRow
		err := collect(&known)(rows)
		for _, r := range known {
			*into = append(*into, NamedFactsRow{
				ID: r.ID, SourceID: r.SourceID, TargetID: r.TargetID, Source: r.Source, Target: r.Target, Predicate: r.Predicate, Fact: r.Fact, Valid: r.Valid,
				Kind: r.Kind, FromBasis: r.FromBasis, SaidAt: r.SaidAt, Trust: r.Trust, Outgoing: r.NamedID == r.SourceID,
			})
		}
		return err
	})
}
