package dates

import (
	"strings"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// side is the side of a date on which an expression is open.
type side uint8

const (
	since     side = iota + 1 // from the date on, the date included
	following                 // from the end of the date on
	until                     // up to the date's end, the date included
	preceding                 // up to the date's start
)

// boundPhrases open a range that has one end. Of phrases with the same beginning, the longer comes
// first.
var boundPhrases = []struct {
	words string
	side  side
}{
	{"on|in|at or after", since},
	{"after or on|in|at", since},
	{"after or equal to", since},
	{"later than or at|on|in", since},
	{"equal|on or later than", since},
	{"on|in|at or before", until},
	{"before or on|in|at", until},
	{"on or earlier than", until},
	{"earlier than or on|at", until},
	{"no|not later than", until},
	{"no|not earlier than", since},
	{"not before", since},
	{"as early as", since},
	{"as late as", until},
	{"ever since", since},
	{"starting at", since},
	{"starting|beginning from|on|in?", since},
	{"effective from?", since},
	{"any time from", since},
	{"anytime from", since},
	{"ending on|with|in?", until},
	{"as of|from", since},
	{"later than", following},
	{"earlier|sooner than", preceding},
	{"prior to", preceding},
	{"in advance of", preceding},
	{"up until|to", until},
	{"since|commencing", since},
	{"after", following},
	{"before", preceding},
	{"until|till|til|by|through", until},
	{"> =", since},
	{"< =", until},
	{">", following},
	{"<", preceding},
	{"≥", since},
	{"≤", until},
}

// boundStarts are the words that such phrases begin with.
var boundStarts = func() map[string]bool {
	starts := map[string]bool{}
	for _, b := range boundPhrases {
		first, _, _ := strings.Cut(b.words, " ")
		for w := range strings.SplitSeq(first, "|") {
			starts[w] = true
		}
	}
	return starts
}()

// bounded reads a range open on one side: "since 2016", "until last Friday", "after Feb",
// "2018 or later", ">= 2019".
func (p *parser) bounded(i int) (when, int) {
	if w, end := p.fromOn(i); end > 0 {
		return w, end
	}
	if i == 0 && p.is(0, "to") { // alone, as a model copies it from "from March to May"
		if w, end := p.boundDate(1); end == len(p.toks) {
			if w, end := p.bind(w, until, end); end > 0 {
				return w, end
			}
		}
	}
	for _, b := range boundPhrases {
		if !boundStarts[p.word(i)] {
			break
		}
		if k := p.phrase(i, b.words); k > 0 && (!p.is(i, "ending") || p.isClosing(i)) {
			if p.Prefer == Future && p.is(k-1, "since") { // "since" is never followed by a future date
				defer p.prefer(Past)()
			}
			w, end := p.boundDate(k)
			return p.bind(w, p.outer(b.side, k), end)
		}
	}
	return p.trailingBound(i)
}

// isClosing tells "the year ending in May" from "a happy ending in May".
func (p *parser) isClosing(i int) bool {
	return i == 0 || p.at(i-1).kind == markToken || units[p.word(i-1)].g >= calendar.Day || p.is(i-1, "period", "is", "are", "was", "were", "and")
}

// fromOn reads "from May on", "from 2021 onwards".
func (p *parser) fromOn(i int) (when, int) {
	if !p.is(i, "from") {
		return when{}, 0
	}
	w, end := p.boundDate(i + 1)
	if end == 0 || !p.is(end, "on", "onward", "onwards") {
		return when{}, 0
	}
	if _, next := p.date(end + 1); next > 0 && p.is(end, "on") || p.at(end+1).kind == numberToken {
		return when{}, 0
	}
	return p.bind(w, since, end+1)
}

// outer changes "before the end of May" to until that end, and "after the start of May" to since
// it.
func (p *parser) outer(s side, i int) side {
	k := p.skip(i, "the")
	switch {
	case s == preceding && p.is(k, "end") && p.is(k+1, "of"):
		return until
	case s == following && p.is(k, "start", "beginning") && p.is(k+1, "of"):
		return since
	}
	return s
}

// boundDate reads the date after a bound.
func (p *parser) boundDate(k int) (when, int) {
	k = p.skip(k, "around", "about")
	w, end := p.compound(k)
	if y, next := p.spanYear(k); next > end {
		w, end = partsWhen(parts{year: y}), next
	}
	if m, next := p.monthNamed(k); next > end && !p.is(k, "may", "march") {
		w, end = m, next
	}
	return w, end
}

// trailingBound reads "2018 or later", "May 2016 and after", "next week onwards".
func (p *parser) trailingBound(i int) (when, int) {
	w, k := p.compound(i)
	if k == 0 || w.kind != Dated {
		return when{}, 0
	}
	if end := p.phrase(k, "onwards|onward"); end > 0 {
		return p.bind(w, since, end)
	}
	s, end := since, p.phrase(k, "or|and later|after|greater|onwards|onward|above|beyond|newer")
	if end == 0 {
		s, end = until, p.phrase(k, "or|and earlier|before|prior|older")
	}
	if p.is(k+1, "after", "before", "above") && !p.clauseEnds(end) {
		return when{}, 0
	}
	return p.bind(w, s, end)
}

// bind opens one side of a placed date. After a day may still be within it, since its hours are not
// given; after a longer period is after its end.
func (p *parser) bind(w when, s side, end int) (when, int) {
	w, end = p.settled(w, end)
	at, bound := w.placed, when{fixed: true, gran: w.gran, kind: w.kind, counted: w.counted}
	switch {
	case s == following && w.gran > calendar.Day && !at.End.IsZero():
		bound.placed.Start = at.End
	case s == following:
		bound.placed.Start = at.Start
	case s == since:
		bound.placed.Start, bound.last = at.Start, w.last
	case s == until:
		bound.placed.End = at.End
	default:
		bound.placed.End = at.Start
	}
	if bound.placed == (temporal.Interval{}) {
		return when{}, 0
	}
	return bound, end
}

// compared reads "more than 2 weeks before today", "less than 3 days after tomorrow", "over a
// year ago".
func (p *parser) compared(i int) (when, int) {
	more := p.phrases(i, "more|longer than", "at least")
	less := p.phrases(i, "less|fewer than", "within")
	k := max(more, less)
	if k == 0 {
		return when{}, 0
	}
	a, next := p.amount(k)
	if next == 0 {
		return when{}, 0
	}
	w, end := p.settled(p.offset(k))
	if end == 0 || end == next {
		return when{}, 0
	}
	at := w.placed
	before := p.is(next, "ago", "before", "prior", "earlier", "back")
	g := min(max(w.gran, a.gran), calendar.Day)
	switch {
	case more > 0 && before:
		return fixedWhen(temporal.Interval{End: at.Start}, g), end
	case more > 0:
		return fixedWhen(temporal.Interval{Start: at.Start}, g), end
	case before:
		return fixedWhen(a.beside(at.Start, 1), g), end
	default:
		return fixedWhen(a.beside(at.Start, -1), g), end
	}
}

// lasting reads a length with its beginning: "for 1 week, from 20th Dec", "for 3 days from today".
func (p *parser) lasting(i int) (when, int) {
	if !p.is(i, "for") {
		return when{}, 0
	}
	a, k := p.amount(i + 1)
	if k == 0 || a.timed() {
		return when{}, 0
	}
	k = p.phrase(k, ",? from|starting|beginning|commencing on|from?")
	if k == 0 {
		return when{}, 0
	}
	w, end := p.settled(p.anchor(k))
	if w.gran != calendar.Day {
		return when{}, 0
	}
	return fixedWhen(a.beside(w.placed.Start, 1), a.gran), end
}
