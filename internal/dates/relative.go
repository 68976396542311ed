package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

var dayWords = map[string]int{
	"today": 0, "yesterday": -1, "tomorrow": 1, "tmr": 1, "tmrw": 1, "tmw": 1, "yday": -1,
	"tomorow": 1, "tommorow": 1, "tommorrow": 1,
}

// relativeDay reads "yesterday", "the day before yesterday", "tonight", "this morning",
// "last night", "right now".
func (p *parser) relativeDay(i int) (when, int) {
	if n, ok := dayWords[p.word(i)]; ok {
		return dayWhen(midnight(p.ref).AddDate(0, 0, n)), i + 1
	}
	if w, end := longest(i, p.dayAfter, p.dayPart, p.present); end > 0 {
		return w, end
	}
	if end := p.phrases(i, "this day", "the present day"); end > 0 {
		return dayWhen(p.ref), end
	}
	if end := p.phrase(i, "the day"); end > 0 && p.is(i-1, "for") && p.clauseEnds(end) && !p.is(end, "of", "and", "-", "to") {
		return dayWhen(p.ref), end
	}
	return when{}, 0
}

// dayAfter reads "the day after tomorrow" and, at the end of a clause, "the day after".
func (p *parser) dayAfter(i int) (when, int) {
	k := p.phrase(i, "the? day after|before")
	if k == 0 {
		return when{}, 0
	}
	sign := 1
	if p.is(k-1, "before") {
		sign = -1
	}
	if w, end := p.settled(p.anchor(k)); end > 0 && w.gran <= calendar.Day {
		return dayWhen(midnight(w.placed.Start).AddDate(0, 0, sign)), end
	}
	if p.is(i, "the") && k >= len(p.toks)-1 && (k >= len(p.toks) || p.at(k).kind == markToken) {
		return dayWhen(midnight(p.ref).AddDate(0, 0, sign)), k
	}
	return when{}, 0
}

// dayPart reads a day and its part in one: "tonight", "this morning", "last night".
func (p *parser) dayPart(i int) (when, int) {
	if p.is(i, "tonight", "tonite", "tonit") {
		return p.partWhen(0, partsOfDay["night"]), i + 1
	}
	k := p.skip(i, "early", "late")
	n, ok := shifts[p.word(k)]
	if !ok || p.is(k, "same", "past", "prior", "preceding") {
		return when{}, 0
	}
	part, ok := partsOfDay[p.word(k+1)]
	if !ok || n > 0 && p.is(i-1, "the") {
		return when{}, 0 // "the next morning" counts from something that the text named before
	}
	switch {
	case p.is(i, "early") && k > i:
		part.to = (part.from + part.to) / 2
	case p.is(i, "late") && k > i:
		part.from = (part.from + part.to) / 2
	}
	return p.partWhen(n, part), k + 2
}

func (p *parser) partWhen(days int, part partOfDay) when {
	w := dayWhen(midnight(p.ref).AddDate(0, 0, days))
	w.part = &part
	return w
}

// present reads the phrases for the reference moment itself. "now" alone is often a filler and is read only as
// the end of a range; see [parser.spanEnd].
func (p *parser) present(i int) (when, int) {
	end := p.phrases(i, "right|just now", "at present", "at this time|moment", "at the moment", "as of now", "at the present time")
	if end == 0 || !p.ends(end) {
		return when{}, 0
	}
	at := calendar.StartOf(p.ref, calendar.Second)
	return fixedWhen(spanning(at, at.Add(time.Second)), calendar.Second), end
}

// anchor reads a date that another expression counts from.
func (p *parser) anchor(i int) (when, int) {
	if p.is(i, "now", "today") {
		return dayWhen(p.ref), i + 1
	}
	return p.date(i)
}

// shiftedUnit reads "last week", "next month", "this year", "the coming quarter", "next May",
// "last summer", "this past weekend", "the week after next".
func (p *parser) shiftedUnit(i int) (when, int) {
	k := p.skip(i, "the")
	if w, end := p.unitAfterNext(k); end > 0 {
		return w, end
	}
	n, ok := shifts[p.word(k)]
	if !ok {
		return when{}, 0
	}
	if end := p.phrase(k, "this past|last"); end > 0 {
		return p.recent(end, -1)
	}
	if end := p.phrase(k, "this coming|upcoming|next"); end > 0 {
		return p.recent(end, 1)
	}
	return p.shifted(k+1, n)
}

// shifted reads the unit after a shift word.
func (p *parser) shifted(i, n int) (when, int) {
	k := p.skip(i, "calendar")
	w := p.word(k)
	if u, ok := units[w]; ok && len(w) > 1 && w != "sec" && !plural(w) {
		if u.g == calendar.Week && u.n == 2 {
			return p.fortnight(n, k+1)
		}
		if u.g == calendar.Second {
			return when{}, 0
		}
		return p.shiftUnit(u.g, n, k)
	}
	if m, end := p.monthName(k); end > 0 {
		return p.shiftMonth(m, n, end)
	}
	if m, ok := seasons[w]; ok && !p.is(k+1, "in", "off", "out", "down", "over") {
		return p.shiftSeason(m, n), k + 1
	}
	if d, end := p.weekdayName(k); end > 0 {
		if w, next := longest(end, p.monthDay, p.numericDate); next > 0 && w.gran == calendar.Day && p.fits(w, d, end) {
			return w, next
		}
		return p.shiftWeekday(d, n), end
	}
	return when{}, 0
}

func plural(w string) bool { return len(w) > 2 && w[len(w)-1] == 's' }

func (p *parser) shiftUnit(g calendar.Granularity, n, k int) (when, int) {
	if g < calendar.Day && n < 0 {
		return fixedWhen(spanning(calendar.Step(p.ref, g, n), p.ref), g), k + 1
	}
	if g < calendar.Day && n > 0 {
		return fixedWhen(spanning(p.ref, calendar.Step(p.ref, g, n)), g), k + 1
	}
	if n == 0 && g == calendar.Weekend && (p.byTense || p.told) && p.Prefer == Past {
		return p.closestWeekend(-1), k + 1 // "this weekend", said on the Monday after it
	}
	if n > 0 && g == calendar.Day && (p.is(k-1, "following") || p.is(k-2, "the")) {
		return when{}, 0 // "the next day" counts from something that the text named before
	}
	return unitWhen(calendar.Step(calendar.StartOf(p.ref, g), g, n), g), k + 1
}

// fortnight returns two calendar weeks; the current one is this week and the next.
func (p *parser) fortnight(n, end int) (when, int) {
	start := calendar.StartOf(p.ref, calendar.Week).AddDate(0, 0, 14*n)
	return fixedWhen(spanning(start, start.AddDate(0, 0, 14)), calendar.Week), end
}

// shiftMonth places "last May" and "next May" in the closest year on that side, and "this May" in the current
// year.
func (p *parser) shiftMonth(m time.Month, n, end int) (when, int) {
	y := p.ref.Year()
	switch {
	case n < 0 && m >= p.ref.Month():
		y--
	case n > 0 && m <= p.ref.Month():
		y++
	case n > 0 && m > p.ref.Month() && p.is(end, "next"):
		y++
	}
	c := parts{year: y, month: m}
	if d, next := p.dayNumber(end); next > 0 && p.dayEnds(next) && validDate(y, m, d) {
		c.day, end = d, next
	}
	return partsWhen(c), end
}

// shiftSeason places a season by its first month: "this winter" in January began last year.
func (p *parser) shiftSeason(m time.Month, n int) when {
	start := time.Date(p.ref.Year(), m, 1, 0, 0, 0, 0, p.ref.Location())
	if m == time.December && p.ref.Month() < time.March {
		start = start.AddDate(-1, 0, 0)
	}
	current := whole(start, calendar.Season)
	switch {
	case n < 0 && !current.End.Before(p.ref):
		start = start.AddDate(-1, 0, 0)
	case n > 0 && !current.Start.After(p.ref):
		start = start.AddDate(1, 0, 0)
	}
	return unitWhen(start, calendar.Season)
}

// recent reads what follows "this past" and "this coming": the closest unit on that side.
func (p *parser) recent(i, n int) (when, int) {
	today := midnight(p.ref)
	if d, ok := weekdays[p.word(i)]; ok {
		if n > 0 {
			return dayWhen(onWeekday(today.AddDate(0, 0, 1), d)), i + 1
		}
		return p.shiftWeekday(d, n), i + 1
	}
	if p.is(i, "weekend") {
		return p.closestWeekend(n), i + 1
	}
	return p.shifted(i, n)
}

// closestWeekend returns the latest weekend that has begun, or the first that is not over.
func (p *parser) closestWeekend(n int) when {
	current := whole(p.ref, calendar.Weekend)
	if n < 0 && p.ref.Before(current.Start) {
		return unitWhen(current.Start.AddDate(0, 0, -7), calendar.Weekend)
	}
	return fixedWhen(current, calendar.Weekend)
}

// unitAfterNext reads "week after next", "weekend before last", "the summer before last", "the May after next".
func (p *parser) unitAfterNext(i int) (when, int) {
	d, k := p.weekdayName(i)
	u, isUnit := units[p.word(i)]
	named := p.at(i).kind == wordToken && p.isNamed(p.word(i))
	switch sign, end := p.beyond(max(k, i+1)); {
	case end == 0 || sign > 0 && !p.clauseEnds(end):
	case k > 0 && sign > 0:
		return p.shiftWeekday(d, 2), end
	case k > 0:
		return dayWhen(onWeekday(midnight(p.ref).AddDate(0, 0, -14), d)), end
	case named && p.clauseEnds(end):
		return p.nthNamed(p.word(i), sign, 2), end
	case isUnit && u.g >= calendar.Day && u.n == 1:
		return unitWhen(calendar.Step(calendar.StartOf(p.ref, u.g), u.g, 2*sign), u.g), end
	}
	return when{}, 0
}

// beyond reads the words that skip one unit: "after next", "before the last".
func (p *parser) beyond(i int) (sign, end int) {
	if end := p.phrase(i, "after the? next"); end > 0 {
		return 1, end
	}
	return -1, p.phrase(i, "before the? last")
}

// theUnit reads "the weekend", "over the weekend", "the week": the current one, except that "over the weekend"
// looks back.
func (p *parser) theUnit(i int) (when, int) {
	if p.is(i, "eoy", "eom", "eow") {
		return p.endOf(map[string]calendar.Granularity{"eoy": calendar.Year, "eom": calendar.Month, "eow": calendar.Week}[p.word(i)]), i + 1
	}
	if w, end := p.toDate(i); end > 0 {
		return w, end
	}
	k := p.skip(i, "the")
	if p.is(k, "weekend") && (k > i || p.is(i-1, "on", "over", "during", "at")) {
		if p.is(k+1, "of", "after", "before") || p.at(k+1).kind == wordToken && !clauseWords[p.word(k+1)] {
			return when{}, 0
		}
		if p.is(i-1, "over", "during") && p.Prefer == Past {
			return p.closestWeekend(-1), k + 1
		}
		return unitWhen(p.ref, calendar.Weekend), k + 1
	}
	if k == i {
		return when{}, 0
	}
	return p.theWholeUnit(i, k)
}

// toDate reads "year to date", "YTD": from the start of the period up to now.
func (p *parser) toDate(i int) (when, int) {
	g, end := map[string]calendar.Granularity{"ytd": calendar.Year, "mtd": calendar.Month, "wtd": calendar.Week, "qtd": calendar.Quarter}[p.word(i)], i+1
	if g == calendar.Unknown {
		g, end = units[p.word(i)].g, p.phrase(i+1, "to date")
	}
	start := calendar.StartOf(p.ref, g)
	if end == 0 || g < calendar.Week || !start.Before(midnight(p.ref)) {
		return when{}, 0
	}
	return fixedWhen(spanning(start, midnight(p.ref)), calendar.Day), end
}

// theWholeUnit reads "the week", "for the month", "later in the year", if nothing says which one: the current
// one.
func (p *parser) theWholeUnit(i, k int) (when, int) {
	if !p.is(k, "week", "month", "year", "quarter", "fortnight") || !p.clauseEnds(k+1) || p.is(k+1, "of", "-", "before", "after") {
		return when{}, 0
	}
	alone := i == 0 && k+1 >= len(p.toks)
	if !alone && !p.is(i-1, "for", "in", "during", "throughout", "unavailable") {
		return when{}, 0
	}
	u := units[p.word(k)]
	if u.n == 2 {
		return p.fortnight(0, k+1)
	}
	return unitWhen(p.ref, u.g), k + 1
}
