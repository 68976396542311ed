package retrieval

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/temporal"
)

// askedTime is a time that a question is about, to compare facts with.
type askedTime struct {
	interval temporal.Interval
	anyYear  bool // "in May": of any year
	ended    bool // "used to": anything that has ended
}

// How well a fact fits a time that is asked for.
const (
	noFit = iota
	heldThen
	changedThen // it began or ended then; or, if the time has no start or no end, it held only within it
)

// fit compares the time with when a fact held. A fact with neither start nor end fits no time.
func (a askedTime) fit(valid temporal.Interval, now time.Time) int {
	switch start, end := valid.Start, valid.End; {
	case start.IsZero() && end.IsZero():
		return noFit
	case a.ended:
		return onlyIf(!end.IsZero() && !end.After(now), changedThen)
	case a.anyYear && (a.inYearOf(start) || a.inYearOf(end)):
		return changedThen
	case a.anyYear: // it may still hold within the interval itself, of the year that is meant first
	case a.interval.Start.IsZero() || a.interval.End.IsZero():
		if valid.Within(a.interval) {
			return changedThen
		}
	case !start.IsZero() && a.interval.Contains(start), !end.IsZero() && a.interval.Contains(end):
		return changedThen
	}
	return onlyIf(a.interval.Overlaps(valid), heldThen)
}

func onlyIf(is bool, fit int) int {
	if is {
		return fit
	}
	return noFit
}

// inYearOf reports whether t lies in the interval, moved to the year of t.
func (a askedTime) inYearOf(t time.Time) bool {
	if t.IsZero() {
		return false
	}
	years := t.Year() - a.interval.Start.Year()
	return temporal.Interval{Start: a.interval.Start.AddDate(years, 0, 0), End: a.interval.End.AddDate(years, 0, 0)}.Contains(t)
}

// past reports whether the question may ask for ended facts.
func (a askedTime) past(now time.Time) bool {
	return a.ended || a.anyYear || a.interval.Start.Before(now)
}

// formerly finds questions about the past that name no time: "Where did she live before?"
var formerly = pattern.New(`(?i)\bused to\b|\bdid\b.*\buse to\b|\bprevious(ly)?\b|\bformer(ly)?\b|\bin the past\b|\bno longer\b|\bbefore\W*$`)

// Most texts have none of these words, and looking for them takes a tenth of the time of the
// expressions.
var (
	formerWords = []string{"use", "previous", "former", "in the past", "no longer", "before"}
	eventWords  = []string{"before", "after", "since", "until", "till", "when", "while"}
)

func hasAny(text string, words []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

var namesYear = pattern.New(`(?i)\d{4}|\b(last|this|next)\b`)

// timesIn returns the times that a question is about.
func timesIn(text string, found []dates.Expression) []askedTime {
	var times []askedTime
	for _, e := range found {
		if e.Kind != dates.Dated || e.Interval == (temporal.Interval{}) {
			continue
		}
		bounded := !e.Interval.Start.IsZero() && !e.Interval.End.IsZero()
		times = append(times, askedTime{
			interval: e.Interval,
			anyYear:  bounded && e.Granularity <= calendar.Month && namesMonth(e.Text) && !namesYear().MatchString(e.Text),
		})
	}
	if hasAny(text, formerWords) && formerly().MatchString(text) {
		times = append(times, askedTime{ended: true})
	}
	return times
}

// eventClause finds a clause such as "before she moved to Lisbon". The text before it holds what
// the question is about.
var eventClause = pattern.New(`(?i)\S\s+(before|after|since|until|till|when|while)\s+([^?!.;,]{3,})`)

// event is a clause that names a time by what happened then, with the conjunction before it.
type event struct{ relation, clause string }

// eventIn returns the event of a question, or the zero value. A date is no event.
func eventIn(text string, found []dates.Expression) event {
	if !hasAny(text, eventWords) {
		return event{}
	}
	m := eventClause().FindStringSubmatchIndex(text)
	if m == nil {
		return event{}
	}
	for _, e := range found {
		if e.Kind == dates.Dated && e.Start < m[5] && e.End > m[2] {
			return event{}
		}
	}
	return event{text[m[2]:m[3]], text[m[4]:m[5]]}
}

// asksTimes reports whether the times in the question count: facts are searched, and the query
// itself sets no day.
func (p *plan) asksTimes() bool {
	return p.wants(graph.KindFact) && p.validAt() == nil && !p.query.Conversation
}

// findTimes reads the times of the question from its words. If they may be past, ended facts are
// searched too.
func (p *plan) findTimes() {
	p.dates = dates.Find(p.query.Text, p.query.askedAt())
	if p.asksTimes() {
		p.times, p.event = timesIn(p.query.Text, p.dates), eventIn(p.query.Text, p.dates)
		p.onlyFitting = !p.query.IncludeEnded
		p.query.IncludeEnded = p.query.IncludeEnded || p.event != (event{}) || p.asksPast()
	}
}

// isDated reports whether the question is about times, so that the times of facts count.
func (p *plan) isDated() bool { return len(p.times) > 0 || p.event != (event{}) }

// asksPast reports whether some time of the question is past.
func (p *plan) asksPast() bool {
	now := p.query.askedAt()
	return slices.ContainsFunc(p.times, func(a askedTime) bool { return a.past(now) })
}

const eventCandidates = 20

// eventWords is the word query for an event, which an ended fact may be too.
func (p *plan) eventWords(text string) db.Words {
	w := db.Words{Kind: graph.KindFact, Text: text, IncludeEnded: true, MaxRows: eventCandidates, Whole: p.shape.HasFew(graph.KindFact)}
	if p.withholds(graph.KindFact) {
		filter, _ := Filter{}.document(time.Time{}, graph.Trust(p.trusted()))
		w.Filter, w.Whole = string(filter), false
	}
	return w
}

// eventOf returns the fact that the clause speaks of: the best by the words of the clause and,
// since that may say "she", by those of the whole question.
func (v *view) eventOf() []scored {
	scores := map[uuid.UUID]float64{}
	first := len(v.looked.asked.words) - v.events()
	for i, known := range v.looked.events {
		ranking := rankingOf(known)
		if v.events() > 0 {
			ranking = v.rankedByWords(v.looked.asked.words[first+i], v.looked.words[first+i])
		}
		for _, r := range ranking {
			if _, inClause := scores[r.ID]; inClause || i == 0 {
				scores[r.ID] += r.Score
			}
		}
	}
	return bestOf(1, scores)
}

// relativeTo is the time before, after or during something; all of time where
// it is not known when that was.
func relativeTo(relation string, valid temporal.Interval) temporal.Interval {
	switch strings.ToLower(relation) {
	case "before", "until", "till":
		return temporal.Interval{End: valid.Start}
	case "after", "since":
		return temporal.Interval{Start: valid.Start}
	}
	return valid
}

// widened is the factor on the number of facts that a method is asked for if the question is about
// the past, as some may have ended too early.
const widened = 4

// enoughLeft reports whether enough facts are left to fill the ranking.
func (v *view) enoughLeft(ctx context.Context, facts []scored) (bool, error) {
	err := v.readHeld(ctx, facts)
	return len(slices.DeleteFunc(slices.Clone(facts), v.isOver)) >= v.candidates(), err
}

// timelyWeight is added, for each step of fitting the time, to the factor on a fact's fit.
const timelyWeight = 0.5

// timely adds a ranking of facts by how well they fit the times of the question, and fuses all
// anew. It counts as much as any method; a ranking by fit is weighted by it besides. Ended facts
// that fit none of the times are removed, unless the query asks for them.
func (o ordering) timely(ctx context.Context, hits []scored, found rankings) ([]scored, error) {
	defer o.explanation.timed(string(graph.KindFact) + " " + string(MethodDates))()
	if err := o.readHeld(ctx, hits); err != nil {
		return nil, err
	}
	for method, ranking := range found {
		found[method] = slices.DeleteFunc(ranking, o.isOver)
	}
	fitting := reordered(hits, func(h scored) float64 { return float64(o.fit(h)) })
	found[MethodDates] = slices.DeleteFunc(fitting, func(s scored) bool { return s.Score == noFit })
	if len(found[MethodFit]) > 0 {
		found[MethodFit] = reordered(found[MethodFit], func(s scored) float64 { return s.Score * (1 + timelyWeight*float64(o.fit(s))) })
	}
	return fuse(math.MaxInt, found.lists()...), nil
}

// readHeld reads when facts held, once for each.
func (v *view) readHeld(ctx context.Context, facts []scored) error {
	ids := notIn(v.held, idsOf(facts))
	if len(ids) == 0 {
		return nil
	}
	if v.asKnown(graph.KindFact) {
		known, err := v.rowsOf(ctx, graph.KindFact, ids)
		v.noteHeld(nil, known)
		return err
	}
	rows, err := v.queries.FactTimes(ctx, db.FactTimesParams{GroupID: v.query.GroupID, Ids: ids})
	v.noteHeld(rows, db.Found{})
	return err
}

func (v *view) noteHeld(rows []db.FactTimesRow, known db.Found) {
	for _, row := range rows {
		v.held[row.ID] = db.Interval(row.Valid)
	}
	for _, row := range known.Facts {
		v.held[row.ID] = db.Interval(row.Valid)
	}
}

// fit is how well a fact fits the best of the question's times.
func (p *plan) fit(fact scored) int {
	best := noFit
	for _, a := range p.times {
		best = max(best, a.fit(p.held[fact.ID], p.query.askedAt()))
	}
	return best
}

// isOver reports whether a fact had ended by what the search knows, and fits no time of the
// question.
func (p *plan) isOver(fact scored) bool {
	now := time.Now()
	if at := p.knownAt(); at != nil {
		now = *at
	}
	end := p.held[fact.ID].End
	return p.onlyFitting && !end.IsZero() && !end.After(now) && p.fit(fact) == noFit
}
