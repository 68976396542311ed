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

// askedTime is a time that a question is about, as facts are compared with it.
type askedTime struct {
	interval temporal.Interval
	anyYear  bool // "in May": of whatever year
	ended    bool // "used to": whatever has ended
}

// How well a fact fits a time that is asked for.
const (
	noFit = iota
	heldThen
	changedThen // it began or ended then; or, of all time before or after something, it held only then
)

// fit compares a time with when a fact held. A fact whose beginning and end are both
// unknown fits none.
func (a askedTime) fit(valid temporal.Interval, now time.Time) int {
	switch start, end := valid.Start, valid.End; {
	case start.IsZero() && end.IsZero():
		return noFit
	case a.ended:
		return onlyIf(!end.IsZero() && !end.After(now), changedThen)
	case a.anyYear && (a.inYearOf(start) || a.inYearOf(end)):
		return changedThen
	case a.anyYear: // it may hold in that of the year that is meant first
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

// past reports whether the question may ask for what has ended.
func (a askedTime) past(now time.Time) bool {
	return a.ended || a.anyYear || a.interval.Start.Before(now)
}

// What a question calls past, without a time. "Where did she live before?"
var formerly = pattern.New(`(?i)\bused to\b|\bdid\b.*\buse to\b|\bprevious(ly)?\b|\bformer(ly)?\b|\bin the past\b|\bno longer\b|\bbefore\W*$`)

// Most texts have none of these words, and looking for them takes a tenth of the
// time that the expressions take.
var (
	formerWords = []string{"use", "previous", "former", "in the past", "no longer", "before"}
	eventWords  = []string{"before", "after", "since", "until", "till", "when", "while"}
)

func hasAny(text string, words []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

var namesYear = pattern.New(`(?i)\d{4}|\b(last|this|next)\b`)

// timesIn are the times that a question is about.
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

// "before she moved to Lisbon": what stands before it says that the question
// is about something else.
var eventClause = pattern.New(`(?i)\S\s+(before|after|since|until|till|when|while)\s+([^?!.;,]{3,})`)

// event is the clause of a question that names a time by what happened then, and the
// word before it.
type event struct{ relation, clause string }

// eventIn is that of a question; empty where there is none. A date is no event.
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

// asksTimes reports whether it counts what times the question is about: where facts are
// looked for, and the query itself does not say of what day.
func (p *plan) asksTimes() bool {
	return p.wants(graph.KindFact) && p.validAt() == nil && !p.query.Conversation
}

// findTimes finds what times the question is about, as far as its words say. Where they may
// be past, facts that have ended are looked for as well.
func (p *plan) findTimes() {
	p.dates = dates.Find(p.query.Text, p.query.askedAt())
	if p.asksTimes() {
		p.times, p.event = timesIn(p.query.Text, p.dates), eventIn(p.query.Text, p.dates)
		p.onlyFitting = !p.query.IncludeEnded
		p.query.IncludeEnded = p.query.IncludeEnded || p.event != (event{}) || p.asksPast()
	}
}

// isDated reports whether it counts when facts held.
func (p *plan) isDated() bool { return len(p.times) > 0 || p.event != (event{}) }

// asksPast reports whether some time that the question is about is past.
func (p *plan) asksPast() bool {
	now := p.query.askedAt()
	return slices.ContainsFunc(p.times, func(a askedTime) bool { return a.past(now) })
}

const eventCandidates = 20

// eventWords are the words of an event, of which facts that have ended may tell too.
func (p *plan) eventWords(text string) db.Words {
	w := db.Words{Kind: graph.KindFact, Text: text, IncludeEnded: true, MaxRows: eventCandidates, Whole: p.shape.HasFew(graph.KindFact)}
	if p.withholds(graph.KindFact) {
		filter, _ := Filter{}.document(time.Time{}, graph.Trust(p.trusted()))
		w.Filter, w.Whole = string(filter), false
	}
	return w
}

// eventOf is the fact that a clause speaks of: by the words of the clause and, since that
// may say "she", by those of the whole question.
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

// widened is how many times as many facts a method is asked for where the question is about
// the past: some of them may have ended too early.
const widened = 4

// enoughLeft reports whether enough facts are left to be ranked.
func (v *view) enoughLeft(ctx context.Context, facts []scored) (bool, error) {
	err := v.readHeld(ctx, facts)
	return len(slices.DeleteFunc(slices.Clone(facts), v.isOver)) >= v.candidates(), err
}

// timelyWeight is what a step of fitting the time adds to how well words and vectors fit.
const timelyWeight = 0.5

// timely adds to the rankings of facts one by how well they fit the times that
// are asked for, and fuses them anew. It counts as much as any method, and more
// where words and vectors are one ranking. What has ended and fits none of these
// times leaves, unless the query wants it.
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

// readHeld reads when facts held, of each once.
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

// fit is how well a fact fits the best fitting of the times asked for.
func (p *plan) fit(fact scored) int {
	best := noFit
	for _, a := range p.times {
		best = max(best, a.fit(p.held[fact.ID], p.query.askedAt()))
	}
	return best
}

// isOver reports whether a fact had ended, when we knew what the search knows, and
// is not what is asked for either.
func (p *plan) isOver(fact scored) bool {
	now := time.Now()
	if at := p.knownAt(); at != nil {
		now = *at
	}
	end := p.held[fact.ID].End
	return p.onlyFitting && !end.IsZero() && !end.After(now) && p.fit(fact) == noFit
}
