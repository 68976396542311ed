package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// phase is a part of a period: its beginning, middle or end.
type phase uint8

const (
	noPhase phase = iota
	early
	middle
	late
	ending // "the end of": its last days
)

// phaseWord reads the words that name a phase.
func (p *parser) phaseWord(i int) (phase, int) {
	for _, w := range phaseWords {
		if k := p.phrase(i, w.words); k > 0 {
			if !w.join {
				return w.phase, k
			}
			return w.phase, p.phaseJoin(k)
		}
	}
	return noPhase, 0
}

// phaseWords name phases. Some need "of", since "the end" and "the start" alone name no time.
var phaseWords = []struct {
	words string
	phase phase
	join  bool // more words may join it to its period
}{
	{"the? early", early, true},
	{"the? late", late, true},
	{"the? mid|middle", middle, true},
	{"the? beginning|start of", early, false},
	{"the? end of", ending, false},
	{"the? first half of", early, false},
	{"the? second|latter|last half of", late, false},
}

func (p *parser) phaseJoin(i int) int {
	if end := p.phrases(i, "in the", "of the", "part of the"); end > 0 {
		return end - 1
	}
	return p.phrase(p.skip(i, "-"), "part? in|of?")
}

// phaseOf reads "early 2019", "mid-May", "the end of last month".
func (p *parser) phaseOf(i int) (when, int) {
	ph, k := p.phaseWord(i)
	if k == 0 {
		return when{}, 0
	}
	if w, end := p.phasedUnit(ph, k); end > 0 {
		return w, end
	}
	if p.is(k, "day") && p.is(k-1, "the") || p.phrase(k, "the day") > 0 {
		k = p.skip(k, "the") + 1
		w, end := p.date(p.skip(k, "on"))
		if end == 0 || w.gran != calendar.Day {
			return when{}, 0
		}
		w.part = &partOfDay{0, 12}
		if ph >= late {
			w.part = &partOfDay{12, 24}
		}
		return w, end
	}
	w, end := longest(k, p.date, p.monthNamed, p.yearNamed)
	if end == 0 {
		return when{}, 0
	}
	if part, next := p.partName(end); next > 0 && w.gran == calendar.Day && w.part == nil { // "late Tuesday night"
		w.part, end = &part, next
	}
	if y := w.placed.Start.Year(); w.gran == calendar.Decade && y%100 == 0 && y < 2000 {
		w = unitWhen(w.placed.Start, calendar.Century) // "the mid-1800s"
	}
	return p.phased(w, ph, end)
}

// phasedUnit reads "end of month", "beginning of the year": a unit after "the" or after nothing.
func (p *parser) phasedUnit(ph phase, i int) (when, int) {
	k := p.skip(i, "the", "my", "our")
	u, ok := units[p.word(k)]
	if !ok || u.g < calendar.Week || u.g == calendar.Weekend || u.n != 1 || p.is(k+1, "of", "before", "after") {
		return when{}, 0
	}
	if k == i && !p.is(i-1, "of") {
		return when{}, 0
	}
	if _, ok := p.small(k + 1); ok > 0 && u.g == calendar.Week {
		return when{}, 0
	}
	if _, y := p.yearAfter(k + 1); y > 0 {
		return when{}, 0
	}
	return p.phasedOnItsSide(ph, u.g, k+1)
}

// phasedOnItsSide returns a phase of the current unit, or of the unit beside it if the current
// phase is on the wrong side of now: "left at the end of the year", "starts at the beginning of the
// year".
func (p *parser) phasedOnItsSide(ph phase, g calendar.Granularity, end int) (when, int) {
	w, next := p.phased(unitWhen(p.ref, g), ph, end)
	start := w.placed.Start
	if w.last.gran != calendar.Unknown {
		start = w.last.start
	}
	switch {
	case next == 0:
	case p.told && start.After(p.ref):
		return p.phased(unitWhen(calendar.Step(calendar.StartOf(p.ref, g), g, -1), g), ph, end)
	case p.Prefer == Future && !w.placed.End.After(midnight(p.ref)):
		return p.phased(unitWhen(calendar.Step(calendar.StartOf(p.ref, g), g, 1), g), ph, end)
	}
	return w, next
}

// monthNamed reads a month after a phase word.
func (p *parser) monthNamed(i int) (when, int) {
	m, end := p.monthName(p.skip(i, "the"))
	if end == 0 {
		return when{}, 0
	}
	return partsWhen(parts{month: m}), end
}

// yearNamed reads a year after a phase word.
func (p *parser) yearNamed(i int) (when, int) {
	y, end := p.fourDigitYear(i)
	if end == 0 || y < 1300 {
		return when{}, 0
	}
	return partsWhen(parts{year: y}), end
}

func (p *parser) phased(w when, ph phase, end int) (when, int) {
	at, ok := p.place(w)
	if !ok || at.Start.IsZero() || at.End.IsZero() {
		return when{}, 0
	}
	if w.gran == calendar.Day {
		w.part = dayPhase(ph, w.part)
		return w, end
	}
	cut := p.cut(at, w, ph)
	if cut.Empty() {
		return when{}, 0
	}
	phased := fixedWhen(cut, w.gran)
	if ph == ending {
		phased.last = lastDays(at, w.gran)
	}
	return phased, end
}

// dayPhase returns a phase of a day or of its part.
func dayPhase(ph phase, of *partOfDay) *partOfDay {
	if of != nil {
		mid := (of.from + of.to) / 2
		if ph == early {
			return &partOfDay{of.from, mid}
		}
		return &partOfDay{mid, of.to}
	}
	return map[phase]*partOfDay{early: {0, 12}, middle: {10, 14}, late: {12, 24}, ending: {12, 24}}[ph]
}

// cuts are the ends and beginnings of the phases of a period, counted from its start.
type cuts struct{ earlyTo, middleFrom, middleTo, lateFrom int }

// phaseCuts are in days, those of years and decades in months.
var phaseCuts = map[calendar.Granularity]cuts{
	calendar.Week: {3, 1, 4, 3}, calendar.Month: {15, 9, 20, 15}, calendar.Year: {4, 4, 8, 8}, calendar.Decade: {48, 36, 84, 72},
}

// cut returns a phase of a period. A year named by its number is cut into thirds (to May, to
// September, to the end), a year named relative to now into halves. Other periods are cut into
// first half, middle and second half, on whole days.
func (p *parser) cut(at temporal.Interval, w when, ph phase) temporal.Interval {
	c, known := phaseCuts[w.gran]
	if !known {
		days := int(at.End.Sub(at.Start).Hours() / 24)
		c = cuts{days / 2, days / 3, days - days/3, days / 2}
	}
	if w.gran == calendar.Year && w.fixed {
		c.earlyTo, c.lateFrom = 6, 6
	}
	unit := calendar.Day
	if known && w.gran >= calendar.Year {
		unit = calendar.Month
	}
	switch ph {
	case early:
		return spanning(at.Start, calendar.Step(at.Start, unit, c.earlyTo))
	case middle:
		return spanning(calendar.Step(at.Start, unit, c.middleFrom), calendar.Step(at.Start, unit, c.middleTo))
	default:
		return spanning(calendar.Step(at.Start, unit, c.lateFrom), at.End)
	}
}

// laterOrEarlier reads "later this week", "earlier this year", "later in the month": the half of
// the period on that side, no further than now.
func (p *parser) laterOrEarlier(i int) (when, int) {
	if !p.is(i, "later", "earlier") {
		return when{}, 0
	}
	k := max(p.phrase(i+1, "this|the"), p.phrase(i+1, "in the")) - 1
	u := units[p.word(k+1)]
	if k < 0 || p.is(k+2, "of") || u.g != calendar.Week && u.g != calendar.Month && u.g != calendar.Quarter && u.g != calendar.Year && u.g != calendar.Decade || u.n != 1 {
		return when{}, 0
	}
	w := unitWhen(p.ref, u.g)
	today, half := midnight(p.ref), p.cut(w.placed, w, late)
	if p.is(i, "earlier") {
		half = p.cut(w.placed, w, early)
	}
	switch {
	case p.is(i, "later") && half.Start.Before(today):
		half.Start = today
	case p.is(i, "earlier") && today.Before(half.End) && half.Start.Before(today):
		half.End = today
	}
	return fixedWhen(half, u.g), k + 2
}

// restOf reads "the rest of the week": from the reference to the end of the period.
func (p *parser) restOf(i int) (when, int) {
	k := p.phrase(i, "the? rest|remainder of? the|this|my|our|current?")
	if k == 0 {
		return when{}, 0
	}
	u, ok := units[p.word(k)]
	if p.is(k, "today") {
		u, ok = units["day"], true
	}
	if !ok || u.g < calendar.Day || u.n != 1 || plural(p.word(k)) || p.is(k+1, "of") {
		return when{}, 0
	}
	end := whole(p.ref, u.g).End
	if u.g == calendar.Day {
		return fixedWhen(spanning(p.ref, end), calendar.Second), k + 1
	}
	return fixedWhen(spanning(midnight(p.ref), end), calendar.Day), k + 1
}

// endOfDay reads "end of the day", "EOD", "end of the Sunday": the day's last second.
func (p *parser) endOfDay(i int) (when, int) {
	end := p.skip(i, "the")
	if !p.is(end, "eod") {
		if end = p.phrase(end, "end of the|my?"); end == 0 {
			return when{}, 0
		}
	}
	if !p.is(end, "day", "eod") {
		w, next := p.settled(longest(end, p.weekdayDate, p.relativeDay))
		if w.gran != calendar.Day {
			return when{}, 0
		}
		return lastSecond(w.placed.Start), next
	}
	w, next := p.settled(longest(p.phrase(end+1, ",? on?"), p.weekdayDate, p.relativeDay))
	if next > 0 && w.gran == calendar.Day && w.part == nil {
		return lastSecond(w.placed.Start), next
	}
	return lastSecond(p.ref), end + 1
}

func lastSecond(t time.Time) when {
	end := whole(t, calendar.Day).End
	return fixedWhen(spanning(end.Add(-time.Second), end), calendar.Second)
}

func (p *parser) endOf(g calendar.Granularity) when {
	w := unitWhen(p.ref, g)
	end := fixedWhen(p.cut(w.placed, w, late), g)
	end.last = lastDays(w.placed, g)
	return end
}

// edge is the time at which the last days of a period begin, and the precision of such words.
type edge struct {
	start time.Time
	gran  calendar.Granularity
}

// lastDays returns the days that "the end of" a period means: of a week the days from Friday on; of
// a month, a quarter or a year the last seven days; of a season its last month; of a decade its
// last year; of a century its last decade. Such words do not state a day: the end of a year is
// known to the month.
func lastDays(of temporal.Interval, g calendar.Granularity) edge {
	switch g {
	case calendar.Weekend:
		return edge{}
	case calendar.Week:
		return edge{of.End.AddDate(0, 0, -3), calendar.Week}
	case calendar.Month, calendar.Quarter, calendar.Year:
		return edge{of.End.AddDate(0, 0, -7), calendar.Month}
	case calendar.Season:
		return edge{calendar.AddMonths(of.End, -1), calendar.Month}
	case calendar.Decade:
		return edge{calendar.AddMonths(of.End, -12), calendar.Year}
	case calendar.Century:
		return edge{calendar.AddMonths(of.End, -120), calendar.Decade}
	}
	return edge{}
}
