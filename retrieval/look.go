package retrieval

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// The statements that rank the rows of a group depend on its shape: how many rows it has, who
// speaks, what it withholds. To read the shape and the rankings in one round trip, a search assumes
// the shape that its last search found, and restarts if that has changed.

// shapes caches the shapes of the groups that were searched last.
type shapes struct {
	mu    sync.Mutex
	known map[string]db.Shape
}

// mostShapes is how many shapes are kept, each with the speakers: at most some kilobytes.
const mostShapes = 1000

func (s *shapes) of(group string) (shape db.Shape, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	shape, known = s.known[group]
	return shape, known
}

func (s *shapes) note(group string, shape db.Shape) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]db.Shape{}
	}
	if _, known := s.known[group]; !known && len(s.known) == mostShapes {
		for other := range s.known { // any of them
			delete(s.known, other)
			break
		}
	}
	s.known[group] = shape.Lasting()
}

// errOtherwise says that a group does not have the assumed shape.
var errOtherwise = errors.New("the group has changed since it was searched last")

// mostTries is the try from which a search accepts another shape, though some of a method's last
// rows may then be missing. It never accepts another filter, as when the group withholds something
// else now.
const mostTries = 3

// acquaint reads the shapes of the groups that are not cached.
func (s *Searcher) acquaint(ctx context.Context, groups []string) error {
	for _, group := range groups {
		if _, known := s.shapes.of(group); known {
			continue
		}
		err := db.InSnapshot(ctx, s.pool, group, func(queries *db.Queries) error {
			var shape db.Shape
			together := queries.Together()
			together.Shape(db.ShapeParams{GroupID: group, Model: s.embedder.Name(), MaxActors: maxActors}, &shape)
			if err := together.SendLast(ctx); err != nil {
				return err
			}
			s.shapes.note(group, shape)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// asks are the rankings that a search asks the database for.
type asks struct {
	words []db.Words // of the kinds, then of an event
	near  []db.Nearest
}

// asks returns the rankings to ask for, by the assumed shape. lookKnown asks for those at KnownAt.
func (p *plan) asks() asks {
	var a asks
	for _, kind := range p.kinds() {
		if p.asKnown(kind) {
			continue
		}
		if p.uses(MethodTerms) {
			a.words = append(a.words, p.wordsOf(kind))
		}
		if p.uses(MethodVector) && !p.wordsOverVectors(kind) {
			a.near = append(a.near, p.nearest(kind))
		}
	}
	if p.event != (event{}) && !p.asKnown(graph.KindFact) {
		a.words = append(a.words, p.eventWords(p.event.clause), p.eventWords(p.query.Text))
	}
	return a
}

func (a asks) equal(other asks) bool {
	return slices.Equal(a.words, other.words) && slices.EqualFunc(a.near, other.near, func(a, b db.Nearest) bool {
		return a.Narrowed == b.Narrowed && bytes.Equal(a.Filter, b.Filter) && a.Shape.SearchedAlike(b.Shape, a.Kind)
	})
}

// filteredAs reports whether both have the same filters.
func (a asks) filteredAs(other asks) bool {
	return slices.EqualFunc(a.words, other.words, func(a, b db.Words) bool { return a.Filter == b.Filter }) &&
		slices.EqualFunc(a.near, other.near, func(a, b db.Nearest) bool { return a.Narrowed == b.Narrowed && bytes.Equal(a.Filter, b.Filter) })
}

// looked holds what the first round trip of a search read.
type looked struct {
	asked   asks
	all     bool // all episodes were asked for
	words   []db.WordsFound
	near    [][]db.RankedRow
	known   map[graph.Kind]*knownRankings
	phrases map[graph.Kind]*[]db.RankedRow
	events  [2][]db.RankedRow  // at KnownAt
	related []db.NamedFactsRow // facts of the entities that the question names
}

// look reads the shape of the group and its rankings in one round trip. It fails with errOtherwise
// if the shape calls for other rankings.
func (v *view) look(ctx context.Context) error {
	defer v.explanation.timed("look the group up, and rank")()
	together := v.queries.Together()
	var shape db.Shape
	v.relating = &relating{view: v}
	together.Shape(db.ShapeParams{GroupID: v.query.GroupID, Model: v.model, KnownAt: v.knownAt(), MaxActors: maxActors}, &shape)
	v.relating.look(together)
	v.looked.asked = v.asks()
	together.Words(v.query.GroupID, v.validAt(), v.looked.asked.words, &v.looked.words)
	together.Nearest(v.looked.asked.near, &v.looked.near)
	v.lookAtAllEpisodes(together)
	v.lookKnown(together)
	v.lookPhrases(together)
	if err := together.Send(ctx); err != nil {
		return err
	}
	v.searcher.shapes.note(v.query.GroupID, shape)
	v.take(shape)
	if asks := v.asks(); !v.looked.asked.equal(asks) && !(v.makesDo && v.looked.asked.filteredAs(asks)) {
		return errOtherwise
	}
	v.named = namedBy(v.looked.related)
	if !v.asksGraph() {
		v.looked.related = nil
	}
	return nil
}

// ranked returns the rankings by words, vectors and phrases.
func (v *view) ranked(ctx context.Context) (map[graph.Kind]rankings, error) {
	found := map[graph.Kind]rankings{}
	for _, kind := range v.kinds() {
		found[kind] = rankings{}
		if phrases := v.looked.phrases[kind]; phrases != nil {
			found[kind][MethodPhrase] = rankingOf(*phrases)
		}
		if known := v.looked.known[kind]; known != nil {
			known.add(found[kind])
		}
	}
	for i, w := range v.looked.asked.words {
		if i < len(v.looked.asked.words)-v.events() {
			found[w.Kind][MethodTerms] = v.rankedByWords(w, v.looked.words[i])
		}
	}
	for i, n := range v.looked.asked.near {
		n = v.nearest(n.Kind) // with the facts that have ended since
		near, err := v.queries.NearestOn(ctx, n, v.looked.near[i])
		if err != nil {
			return nil, err
		}
		found[n.Kind][MethodVector] = rankingOf(near)
	}
	return found, nil
}

// events is how many of the last rankings by words are of an event.
func (v *view) events() int {
	if v.event == (event{}) || v.asKnown(graph.KindFact) {
		return 0
	}
	return 2
}
