package retrieval

import (
	"slices"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/retrieval/relation"
	"github.com/annalsdb/annals/temporal"
)

// A question such as "What did Nora do in June?" asks about no relation: the facts that happened,
// began or ended then answer it.

// asksDone finds questions about what somebody did or what happened.
var asksDone = pattern.New(`(?i)\bwhat (?:(?:did|has|have) .* (?:do|done)|(?:has |have )?(?:happened|changed)|happens|(?:will|is going to) happen|is happening)\b`)

// asksWhatHappened reports whether the question is of that kind, about a time with a start and an
// end.
func (r *relating) asksWhatHappened() bool {
	return len(r.times) > 0 && !r.times[0].interval.Start.IsZero() && !r.times[0].interval.End.IsZero() && asksDone().MatchString(r.query.Text)
}

// happenedThen reports whether a fact happened, began or ended at a time asked about. It is not
// enough that it was said then.
func (r *relating) happenedThen(row db.NamedFactsRow) bool {
	valid := db.Interval(row.Valid)
	return slices.ContainsFunc(r.times, func(asked askedTime) bool {
		switch began := asked.interval.Contains(valid.Start); {
		case row.Kind == graph.FactEvent:
			return began || valid.Start.IsZero() && asked.interval.Contains(valid.End)
		case !valid.Start.IsZero() && began && row.FromBasis != temporal.Said:
			return true
		}
		return !valid.End.IsZero() && asked.interval.Contains(valid.End)
	})
}

// onlyEndedThen reports whether a fact only answers what happened at a time because it ended then,
// and another fact says that: "sold the Volvo" is shown, not that it was bought.
func (r *relating) onlyEndedThen(a answering, others []answering) bool {
	start := db.Interval(a.Valid).Start
	began := func(asked askedTime) bool { return asked.interval.Contains(start) }
	return r.asksWhatHappened() && !slices.ContainsFunc(r.times, began) && slices.ContainsFunc(others, func(o answering) bool {
		return !relation.OnlyEnds(o.Fact) && o.isEndOf(a)
	})
}

// atItsTime scores a fact by when it holds, and reports whether it may be found.
func (r *relating) atItsTime(a *answering) bool {
	at := r.now()
	valid := db.Interval(a.Valid)
	state := a.Kind != graph.FactEvent
	a.ended = state && !valid.End.IsZero() && !valid.End.After(at)
	if !r.query.ValidAt.IsZero() && !a.shownAt(at) {
		return false
	}
	if len(r.times) > 0 {
		best := noFit
		for _, asked := range r.times {
			best = max(best, asked.fit(valid, at))
		}
		a.score += 3 * float64(min(best, heldThen))
	}
	switch {
	case a.over:
	case a.ended:
		a.score += 0.4
	case valid.Start.After(at):
		a.score++
	case state:
		a.score += 1.5
	default:
		a.score += 0.6
	}
	if a.Trust == graph.TrustDisputed {
		a.score -= 0.3
	}
	return true
}
