package dates

import (
	"cmp"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// pieces collects the parts of a date with a time, which come in any order: "tomorrow morning at
// 7", "8pm on the 15th", "in the afternoon, this Friday".
type pieces struct {
	date    when
	hasDate bool
	time    clockTime
	hasTime bool
	span    clockRange
	hasSpan bool
	part    *partOfDay
	bound   int // 1: after the time, -1: before it
	end     int
}

// compound reads a date, a time of day, or both.
func (p *parser) compound(i int) (when, int) {
	var c pieces
	for n := range 5 {
		k := i
		if n > 0 {
			k = p.joint(c.end)
		}
		if !p.takePiece(&c, k, n == 0) {
			break
		}
		if c.hasDate && (c.date.gran != calendar.Day || p.openDate(c.date)) {
			break
		}
	}
	if c.end == 0 {
		return when{}, 0
	}
	p.takeTrailingYear(&c)
	if !c.hasDate {
		return p.bareClock(c, i)
	}
	if !c.hasTime && !c.hasSpan && c.part == nil {
		return c.date, c.end
	}
	w, ok := p.placePieces(c)
	if !ok {
		return when{}, 0
	}
	return w, c.end
}

// takeTrailingYear takes the year of "Wed Oct 26 15:50:06 2016".
func (p *parser) takeTrailingYear(c *pieces) {
	if !c.hasTime || !c.hasDate || c.date.fixed || c.date.parts.year != 0 || c.date.parts.month == 0 {
		return
	}
	if y, end := p.fourDigitYear(c.end); end > 0 && !p.countedNoun(end) {
		c.date.parts.year, c.end = y, end
	}
}

func (p *parser) openDate(w when) bool {
	return w.fixed && (w.placed.Start.IsZero() || w.placed.End.IsZero() || w.placed.End.Sub(w.placed.Start) > 25*time.Hour)
}

// joint skips the words that may stand between the pieces.
func (p *parser) joint(i int) int {
	k := p.phrase(i, ",? on|of|for?")
	if p.is(k, "-") && p.clockAt(k+1) {
		k++
	}
	return k
}

// takePiece adds the longest piece at k, and reports whether there was one.
func (p *parser) takePiece(c *pieces, k int, first bool) bool {
	type reading struct {
		end   int
		apply func()
	}
	var best reading
	offer := func(end int, apply func()) {
		if end > best.end {
			best = reading{end, apply}
		}
	}
	if !c.hasDate {
		w, end := p.date(k)
		if end > 0 && (first || w.gran == calendar.Day && !p.openDate(w)) {
			offer(end, func() { c.date, c.hasDate, c.part = w, true, cmp.Or(w.part, c.part) })
		}
	}
	if !c.hasTime && !c.hasSpan {
		if r, end := p.clockSpan(k); end > 0 && (r.strong || c.hasDate || p.dateFollows(end)) {
			offer(end, func() { c.span, c.hasSpan = r, true })
		}
		if t, bound, end := p.clockPiece(k, c.hasDate, first); end > 0 {
			offer(end, func() { c.time, c.hasTime, c.bound = t, true, bound })
		}
	}
	if c.part == nil || c.hasTime && first {
		if part, end := p.partPiece(k, c.hasDate || c.hasTime || c.hasSpan); end > 0 {
			offer(end, func() { c.part = &part })
		}
	}
	if best.end == 0 {
		return false
	}
	best.apply()
	c.end = best.end
	return true
}

// dateFollows reports whether a day comes next: a bare number before it is then an hour.
func (p *parser) dateFollows(i int) bool {
	w, end := p.date(p.joint(i))
	return end > 0 && w.gran == calendar.Day
}

// clockPiece reads a time with the words before it. A bare number counts only after "at" or before
// a part of today ("10, tonight").
func (p *parser) clockPiece(k int, dated, first bool) (clockTime, int, int) {
	bound, lead := 0, false
	j := k
	switch {
	case p.is(j, "at", "around", "about", "@", "by") || first && p.is(j-1, "at", "around", "about", "@"):
		if dated && p.is(j, "by") {
			bound = -1
		}
		lead = true
		j = p.phrase(j, "at|@|by? around|about?")
		if first && j > k {
			return clockTime{}, 0, 0
		}
	case dated && p.is(j, "after"):
		bound, lead, j = 1, true, j+1
	case dated && p.is(j, "before"):
		bound, lead, j = -1, true, j+1
	case first && p.is(j-1, "by", "before", "after", "until", "till"):
		if w, end := p.clock(j); end > 0 && !w.strong && p.at(j).kind == numberToken && p.dateFollows(end) {
			return w, 0, end // "after 10 tomorrow"
		}
	case dated && p.is(j, "from"):
		j++
	}
	t, end := p.weakClock(j)
	switch {
	case end == 0:
		return clockTime{}, 0, 0
	case t.strong:
		return t, bound, end
	case lead && (p.clauseEnds(end) || clauseWords[p.word(end)] || p.dayWordAt(end) || p.dateFollows(end)):
		return t, bound, end
	case first && p.partThenDay(end), first && p.dayPartFollows(end), dated && t.gran == calendar.Minute && p.at(j).kind == wordToken:
		return t, bound, end
	}
	return clockTime{}, 0, 0
}

func (p *parser) dayWordAt(i int) bool {
	_, end := p.partPiece(i, true)
	return end > 0
}

// partThenDay reports whether a part of a day and the day follow: "7 in the evening tomorrow".
func (p *parser) partThenDay(i int) bool {
	_, end := p.partPhrase(i)
	return end > 0 && p.dateFollows(end)
}

func (p *parser) dayPartFollows(i int) bool {
	if !p.is(i, ",") {
		return false
	}
	w, end := p.dayPart(i + 1)
	return end > 0 && w.part != nil
}

// partPiece reads a part of the day. Alone it needs words such as "in the morning" or "at night";
// beside a date it does not: "Tuesday afternoon".
func (p *parser) partPiece(i int, beside bool) (partOfDay, int) {
	if part, end := p.partPhrase(i); end > 0 {
		return part, end
	}
	if !beside {
		return partOfDay{}, 0
	}
	return p.partName(i)
}

// partPhrase reads "in the morning", "during the night", "at lunchtime", "at night".
func (p *parser) partPhrase(i int) (partOfDay, int) {
	switch {
	case p.is(i, "in", "during"):
		return p.partName(p.skip(i+1, "the"))
	case p.is(i, "early", "late") && p.phrase(i+1, "in the") > 0:
		return p.partName(i)
	case p.is(i, "mid"):
		if part, end := p.partName(i); end > 0 && p.dateFollows(end) { // not "a mid-morning snack"
			return part, end
		}
	case p.is(i, "at") && p.is(i+1, "night", "lunchtime", "dinnertime", "lunch"):
		return p.partName(i + 1)
	}
	return partOfDay{}, 0
}

// partName reads "morning", "early-morning", "late night", "early in the evening", "PM".
func (p *parser) partName(i int) (partOfDay, int) {
	ph, k := noPhase, i
	if p.is(i, "early", "late", "mid") {
		ph = map[string]phase{"early": early, "late": late, "mid": middle}[p.word(i)]
		k = p.skip(i+1, "-")
		if end := p.phrase(k, "in the"); end > 0 {
			k = end
		}
	}
	part, ok := partsOfDay[p.word(k)]
	end := k + 1
	switch {
	case ok:
	case p.phrase(k, "lunch time") > 0:
		part, end = partsOfDay["lunchtime"], k+2
	case p.phrase(k, "night - time") > 0:
		part, end = partsOfDay["nighttime"], k+3
	case p.phrase(k, "night time") > 0 || p.phrase(k, "day time") > 0:
		part, end = partsOfDay[p.word(k)+"time"], k+2
	case p.is(k, "pm"):
		part = partsOfDay["afternoon"]
	case p.is(k, "am"):
		part = partsOfDay["morning"]
	default:
		return partOfDay{}, 0
	}
	if ph != noPhase {
		part = *dayPhase(ph, &part)
	}
	return part, end
}

// placePieces combines the day and the time.
func (p *parser) placePieces(c pieces) (when, bool) {
	at, ok := p.place(c.date)
	if !ok {
		return when{}, false
	}
	day := at.Start
	switch {
	case c.hasSpan:
		from, to := c.span.settle(c.part)
		g := min(c.span.from.gran, c.span.to.gran)
		return fixedWhen(spanning(p.onDay(day, from), p.onDay(day, to)), g), true
	case c.hasTime:
		t := p.onDay(day, c.time.since(c.part))
		switch c.bound {
		case 1:
			return fixedWhen(temporal.Interval{Start: t}, c.time.gran), true
		case -1:
			return fixedWhen(temporal.Interval{End: t}, c.time.gran), true
		}
		return fixedWhen(spanning(t, calendar.Step(t, c.time.gran, 1)), c.time.gran), true
	default:
		from, to := time.Duration(c.part.from)*time.Hour, time.Duration(c.part.to)*time.Hour
		return fixedWhen(spanning(p.onDay(day, from), p.onDay(day, to)), calendar.PartOfDay), true
	}
}

// onDay returns a time of day on a day's wall clock, also if the zone changes its offset that day.
func (p *parser) onDay(day time.Time, since time.Duration) time.Time {
	y, m, d := day.Date()
	s := int(since / time.Second)
	return time.Date(y, m, d, s/3600, s/60%60, s%60, 0, p.ref.Location())
}

// bareClock is a time without a date: on the reference day, marked as such.
func (p *parser) bareClock(c pieces, i int) (when, int) {
	if c.hasTime && !c.time.strong || c.hasSpan && !c.span.strong {
		return when{}, 0
	}
	c.date = dayWhen(p.ref)
	w, ok := p.placePieces(c)
	if !ok || c.end <= i {
		return when{}, 0
	}
	w.kind = Clock
	return w, c.end
}

// partOfNamedDay reads the part of a day before the day: "the morning of May 5", "the night of
// the 3rd", "late evening on Friday".
func (p *parser) partOfNamedDay(i int) (when, int) {
	k := p.skip(i, "the")
	part, end := p.partName(k)
	if end == 0 || p.is(k, "pm", "am") || !p.is(end, "of") {
		return when{}, 0
	}
	w, next := longest(end+1, p.monthDay, p.dayMonth, p.numericDate, p.weekdayDate, p.relativeDay, p.holiday, p.dayOnlyNamed)
	if next == 0 || w.gran != calendar.Day || w.part != nil || p.spanSeparator(next, false) > 0 {
		return when{}, 0
	}
	w.part = &part
	return w, next
}
