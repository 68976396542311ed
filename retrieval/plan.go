package retrieval

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/temporal"
)

// plan holds the query, how it is read, and what is known of the group. It decides which rows to
// search, without asking the database.
type plan struct {
	searcher *Searcher
	query    Query
	model    string
	vector   []float32
	unnamed  []float32 // vector of the query without the names of speakers; nil: not needed
	shape    db.Shape  // of the group: assumed, then as read
	makesDo  bool      // it accepts a shape other than the assumed one
	filtered bool      // the query itself narrows, by Filter, Trust or KnownAt
	narrowed bool      // it does, or rows have expired
	filter   []byte
	guarded  []byte // filter, without what the group withholds
	question asked  // read with the names of the group's speakers

	dates       []dates.Expression              // in the text
	times       []askedTime                     // that the question is about
	event       event                           // clause that names one more time; empty: none
	happened    []scored                        // the fact of that event
	onlyFitting bool                            // ended facts are found only if they fit the times
	held        map[uuid.UUID]temporal.Interval // when facts held, if that was read
}

// take sets the shape of the group, and what depends on it.
func (p *plan) take(shape db.Shape) {
	p.shape = shape
	p.narrow()
	p.leaveOutExpired()
	p.question = questionOf(p.query.Text, shape.Actors, p.dates)
}

func (p *plan) uses(m Method) bool { return slices.Contains(p.query.Methods, m) }

func (p *plan) wants(kind graph.Kind) bool { return slices.Contains(p.query.Scopes, kind) }

// kinds are the scopes whose rows the methods rank.
func (p *plan) kinds() []graph.Kind {
	return slices.DeleteFunc(slices.Clone(p.query.Scopes), func(k graph.Kind) bool { return k == graph.KindThread || k == graph.KindObservation })
}

// candidates is how many rows a method returns.
func (p *plan) candidates() int { return max(p.query.Limit*candidateFactor, minCandidates) }

// maxRows is how many rows of a kind a method is asked for. It asks for more facts if some may have
// ended too early for the question.
func (p *plan) maxRows(kind graph.Kind) int {
	if kind == graph.KindFact && p.seeksEnded() {
		return widened * p.candidates()
	}
	return p.candidates()
}

func (p *plan) validAt() *time.Time { return db.Nullable(p.query.ValidAt) }

func (p *plan) knownAt() *time.Time { return db.Nullable(p.query.KnownAt) }

// scoresTooLittle reports whether a hit is left out for its score. Without MinScore none is, though
// scores may be negative.
func (p *plan) scoresTooLittle(score float64) bool {
	return p.query.MinScore != 0 && score < p.query.MinScore
}

// isDone reports whether nothing is left to read after the rows of the hits.
func (p *plan) isDone() bool { return !p.shape.Marked }

// seeksEnded reports whether some of the ended facts are searched.
func (p *plan) seeksEnded() bool { return p.onlyFitting && p.query.IncludeEnded }

// reading is the time as of which a search reads the changes of its hits; nil: it reads none.
func (p *plan) reading() *time.Time {
	if !p.query.Changes {
		return nil
	}
	at := p.now()
	return &at
}

// stale says which stale rows the group may have at the time of reading. For KnownAt that is not
// kept, so it may have any; at a time of the query's own, facts may begin later.
func (p *plan) stale() db.Stale {
	if p.knownAt() != nil {
		return db.AnyStale()
	}
	stale := p.shape.Stale()
	stale.Ahead = stale.Ahead || !p.query.readAt().IsZero()
	return stale
}

// now is the time at which the hits are read.
func (p *plan) now() time.Time { return cmp.Or(p.query.readAt(), time.Now()) }

// asKnown reports whether rows of a kind must be read as they were known. Episodes do not change.
func (p *plan) asKnown(kind graph.Kind) bool { return p.knownAt() != nil && kind != graph.KindEpisode }

// lexical reports whether the vectors stand for spellings, not for meanings.
func (p *plan) lexical() bool {
	return model.Lexical(p.searcher.embedder)
}

// wordsOverVectors reports whether vectors count only if words find nothing: vectors of spellings
// find episodes by the same words, and less well.
func (p *plan) wordsOverVectors(kind graph.Kind) bool {
	return kind == graph.KindEpisode && p.uses(MethodTerms) && p.uses(MethodVector) && p.lexical()
}

// fits reports whether the rows of a kind are ranked by the sum of words and vectors. Vectors of
// spellings would count the words of an episode twice: there they count only if words find nothing.
func (p *plan) fits(kind graph.Kind) bool {
	return p.uses(MethodTerms) && p.uses(MethodVector) && !p.wordsOverVectors(kind)
}

// readsAround reports whether episodes are ranked by their neighbours too.
func (p *plan) readsAround() bool { return !p.query.Conversation }
