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

// Few is how many rows of a kind are searched as a whole at the most: as many as
// may hold a term that is not counted as frequent.
const Few = 500

// The rows of a kind of which there are MostRanked at the most are ranked by the caller, if
// no more than MostPostings of them hold a term, and ten times as many any: to bring these
// costs less than to rank there and then read the same again for what stands around.
const (
	MostRanked   = 20000
	MostPostings = 2000
)

// Shape is what a search must know of a group before it ranks.
type Shape struct {
	kinds map[graph.Kind]kindShape
	ended map[uuid.UUID]bool // facts
	look  GroupLookRow
}

// kindShape is how a kind is searched best.
type kindShape struct {
	few, indexed     bool
	ranked           bool // by the caller, where it ranks by words
	documents, terms int64
}

// ShapeParams says of what group the shape is looked up, and for vectors of which model. If
// KnownAt is not nil, its rules are those of that time. Of no more actors than MaxActors it is
// said who they are.
type ShapeParams struct {
	GroupID, Model string
	KnownAt        *time.Time
	MaxActors      int
}

// Shape adds looking up the shape of a group.
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
	s := Shape{kinds: make(map[graph.Kind]kindShape, len(row.Kinds)), ended: make(map[uuid.UUID]bool, len(row.Ended)), look: row}
	for i, name := range row.Kinds {
		kind, documents := graph.Kind(name), row.Documents[i]
		few := documents <= Few && (kind != graph.KindFact || len(row.Ended) <= Few) // else many have come since they were counted
		ranked := few || kind != graph.KindFact && documents <= MostRanked           // which of more facts have ended is not known
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

// Lasting is what the shape most likely still has at the next search: without what has
// ended.
func (s Shape) Lasting() Shape {
	s.ended, s.look.Ended = nil, nil
	return s
}

// SearchedAlike reports whether a kind is searched in the same way in a group of another
// shape.
func (s Shape) SearchedAlike(other Shape, kind graph.Kind) bool {
	a, b := s.kinds[kind], other.kinds[kind]
	return a.few == b.few && a.indexed == b.indexed && (!a.indexed || s.look.Pgvector == other.look.Pgvector)
}

// Shape looks up the shape of a group, alone.
func (q *Queries) Shape(ctx context.Context, p ShapeParams) (s Shape, err error) {
	together := q.Together()
	together.Shape(p, &s)
	err = together.Send(ctx)
	return s, err
}

// HasIndex reports whether the vectors of a kind have an index.
func (s Shape) HasIndex(kind graph.Kind) bool { return s.kinds[kind].indexed }

// iterates reports whether a search by an index can go on until it has enough rows that
// meet a condition, as pgvector 0.8 does.
func (s Shape) iterates() bool {
	major, rest, _ := strings.Cut(s.look.Pgvector, ".")
	minor, _, _ := strings.Cut(rest, ".")
	m, _ := strconv.Atoi(major)
	n, _ := strconv.Atoi(minor)
	return m > 0 || n >= 8
}

// HasFew reports whether the group had so few rows of a kind, when they were
// counted last, that they are best searched as a whole.
func (s Shape) HasFew(kind graph.Kind) bool { return s.kinds[kind].few }

// RankedWhole reports whether the caller had best rank a kind by [Words] that are Whole,
// without what is in [Shape.Ended].
func (s Shape) RankedWhole(kind graph.Kind) bool { return s.kinds[kind].ranked }

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
func (s Shape) Withholds() bool { return s.look.Withholds }

// WithholdsEpisodes reports whether episodes may be in quarantine.
func (s Shape) WithholdsEpisodes() bool { return s.look.WithholdsEpisodes }

// Expired reports whether something of the group has expired.
func (s Shape) Expired() bool { return s.look.Expired }

// Judged reports whether somebody found something of the group useful, wrong or outdated.
func (s Shape) Judged() bool { return s.look.Judged }

// Pinned reports whether something of the group is pinned.
func (s Shape) Pinned() bool { return s.look.Pinned }

// Marked reports whether anything of the group has a mark.
func (s Shape) Marked() bool { return s.look.Marked }

// Stale is what the group has of facts that may have ended, or that somebody doubts.
func (s Shape) Stale() Stale {
	return Stale{Closed: s.look.Closed, Doubted: s.look.Doubted, Withdrawn: s.look.Withdrawn, Ahead: s.look.Ahead}
}

// Actors are those who speak in the group.
func (s Shape) Actors() []string { return s.look.Actors }

// Size is how many rows of a kind the group has, and how many terms they have in
// all, as counted last.
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

// Other is the other end of a fact than [NamedFactsRow.By].
func (r NamedFactsRow) Other() uuid.UUID {
	if r.Outgoing {
		return r.TargetID
	}
	return r.SourceID
}

// FactsOfNamed adds reading facts of entities that a question names, and of others, now or
// as it was believed at a time.
func (t *Together) FactsOfNamed(p NamedFactsParams, knownAt *time.Time, into *[]NamedFactsRow) {
	if knownAt == nil {
		Ask(t, (*Queries).NamedFacts, p, into)
		return
	}
	_, _ = New(t).NamedFactsKnown(context.Background(), NamedFactsKnownParams{
		GroupID: p.GroupID, Query: p.Query, Ids: p.Ids, KnownAt: *knownAt, Trust: p.Trust, MaxRows: 4 * p.MaxRows,
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
