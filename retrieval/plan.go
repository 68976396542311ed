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

// plan is what a search asks, how it reads the question and what it knows of the group: what
// decides which rows are looked for, without asking the database.
type plan struct {
	searcher *Searcher
	query    Query
	model    string
	vector   []float32
	unnamed  []float32 // of the query without the names of speakers; nil: not needed
	shape    db.Shape  // of the group, or what that is taken to be
	makesDo  bool      // with what it takes the group to be
	narrowed bool
	filter   []byte
	guarded  []byte // filter, without what the group withholds
	question asked  // as the group's speakers let it be read

	dates       []dates.Expression              // in the text
	times       []askedTime                     // that the question is about
	event       event                           // that tells one more; empty: none
	happened    []scored                        // the fact that this is
	onlyFitting bool                            // of what has ended, only what fits them is found
	held        map[uuid.UUID]temporal.Interval // when facts did, as far as that was asked
}

// take takes the group to be of a shape.
func (p *plan) take(shape db.Shape) {
	p.shape = shape
	p.narrow()
	p.leaveOutExpired()
	p.question = questionOf(p.query.Text, shape.Actors(), p.dates)
}

func (p *plan) uses(m Method) bool { return slices.Contains(p.query.Methods, m) }

func (p *plan) wants(kind graph.Kind) bool { return slices.Contains(p.query.Scopes, kind) }

// kinds are the scopes that have rows of their own.
func (p *plan) kinds() []graph.Kind {
	return slices.DeleteFunc(slices.Clone(p.query.Scopes), func(k graph.Kind) bool { return k == graph.KindThread || k == graph.KindObservation })
}

// candidates is how many rows a method gives.
func (p *plan) candidates() int { return max(p.query.Limit*candidateFactor, minCandidates) }

// maxRows is how many rows of a kind a method is asked for: of facts more, where
// some of them may have ended too early for what the question asks.
func (p *plan) maxRows(kind graph.Kind) int {
	if kind == graph.KindFact && p.seeksEnded() {
		return widened * p.candidates()
	}
	return p.candidates()
}

func (p *plan) validAt() *time.Time { return db.Nullable(p.query.ValidAt) }

func (p *plan) knownAt() *time.Time { return db.Nullable(p.query.KnownAt) }

// scoresTooLittle reports whether a hit is left out: where no least score is asked for
// none is, though scores may be negative.
func (p *plan) scoresTooLittle(score float64) bool {
	return p.query.MinScore != 0 && score < p.query.MinScore
}

// isDone reports whether nothing is asked about hits once they are read.
func (p *plan) isDone() bool { return !p.shape.Marked() }

// seeksEnded reports whether of what has ended some is looked for.
func (p *plan) seeksEnded() bool { return p.onlyFitting && p.query.IncludeEnded }

// reading is the time at which a search asks what became of what it finds; nil: it
// does not.
func (p *plan) reading() *time.Time {
	if !p.query.Changes {
		return nil
	}
	at := p.now()
	return &at
}

// stale is what of the group may be no longer so, or not yet, when it is read. What it had
// once is not known, nor what begins after a time that has passed.
func (p *plan) stale() db.Stale {
	if p.knownAt() != nil {
		return db.AnyStale()
	}
	stale := p.shape.Stale()
	stale.Ahead = stale.Ahead || !p.query.readAt().IsZero()
	return stale
}

// now is when what is found is read.
func (p *plan) now() time.Time { return cmp.Or(p.query.readAt(), time.Now()) }

// asKnown reports whether rows of a kind must be read as they were known.
// Episodes are what they were.
func (p *plan) asKnown(kind graph.Kind) bool { return p.knownAt() != nil && kind != graph.KindEpisode }

// lexical reports whether the vectors are of spellings, not of meanings.
func (p *plan) lexical() bool {
	return model.Lexical(p.searcher.embedder)
}

// wordsOverVectors reports whether vectors count only where words find nothing:
// those of spellings know the same words of an episode, and less of them.
func (p *plan) wordsOverVectors(kind graph.Kind) bool {
	return kind == graph.KindEpisode && p.uses(MethodTerms) && p.uses(MethodVector) && p.lexical()
}

// fits reports whether the rows of a kind are ranked by how well words and vectors
// fit together. Vectors of spellings know the words of an episode a second time,
// and less well: there they count only where words find nothing.
func (p *plan) fits(kind graph.Kind) bool {
	return p.uses(MethodTerms) && p.uses(MethodVector) && !p.wordsOverVectors(kind)
}

// readsAround reports whether episodes are ranked by what stands around them too.
func (p *plan) readsAround() bool { return !p.query.Conversation }
