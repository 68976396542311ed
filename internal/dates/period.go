package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// weekOf reads "the week of April 10th", "the week commencing 4 February", "w/c Feb 4",
// "the weekend of May 6", "Thanksgiving weekend".
func (p *parser) weekOf(i int) (when, int) {
	if end := p.phrases(i, "w / c", "wc"); end > 0 {
		return p.unitAround(end, calendar.Week)
	}
	k := p.skip(i, "the")
	g := units[p.word(k)].g
	next := p.phrase(k+1, "of")
	if next == 0 && g == calendar.Week {
		next = p.phrase(k+1, "commencing|starting|beginning on? from?")
	}
	if next == 0 || g != calendar.Week && g != calendar.Weekend {
		return when{}, 0
	}
	return p.unitAround(next, g)
}

// unitAround returns the week or weekend around a day. A weekend begins earlier if the day before
// it is meant, for example a holiday on a Thursday or Friday.
func (p *parser) unitAround(i int, g calendar.Granularity) (when, int) {
	w, end := p.settled(longest(i, p.monthDay, p.dayMonth, p.numericDate, p.holiday, p.dayOnlyNamed, p.relativeDay, p.shiftedUnit, p.weekdayDate))
	if w.gran != calendar.Day {
		return when{}, 0
	}
	day := w.placed.Start
	u := whole(day, g)
	if g == calendar.Weekend && day.Before(u.Start) && day.Weekday() >= time.Thursday {
		u.Start = day
	}
	return fixedWhen(u, g), end
}

// dayOnlyNamed reads "the 18th" after "the week of".
func (p *parser) dayOnlyNamed(i int) (when, int) {
	if d, end := p.ordinal(p.skip(i, "the")); end > 0 && d >= 1 && d <= 31 {
		return partsWhen(parts{day: d}), end
	}
	return when{}, 0
}

// holidayWeekend reads "Thanksgiving weekend", "halloween weekend 2021".
func (p *parser) holidayWeekend(i int) (when, int) {
	h, k := holidayAt(p, i)
	if k == 0 || !p.is(k, "weekend") {
		return when{}, 0
	}
	y, end := p.fourDigitYear(k + 1)
	if end == 0 {
		end = k + 1
	}
	at, ok := p.placeHoliday(h, y)
	if !ok {
		return when{}, 0
	}
	u := whole(at, calendar.Weekend)
	switch {
	case at.Weekday() == time.Monday: // it ends the weekend
		u = spanning(at.AddDate(0, 0, -2), at.AddDate(0, 0, 1))
	case at.Before(u.Start) && at.Weekday() >= time.Thursday:
		u.Start = at
	}
	return fixedWhen(u, calendar.Weekend), end
}

// weekNumber reads "week 10", "week 31 of 2018".
func (p *parser) weekNumber(i int) (when, int) {
	k := p.skip(i, "the")
	if !p.is(k, "week") {
		return when{}, 0
	}
	n, end := p.small(k + 1)
	if end == 0 || n < 1 || n > 53 || !p.dayEnds(end) {
		return when{}, 0
	}
	y := p.ref.Year()
	if named, next := p.yearAfter(end); next > 0 {
		y, end = named, next
	}
	return unitWhen(isoWeek(y, n, p.ref.Location()), calendar.Week), end
}

// nthWeek reads "the first week of 2019", "3rd week of Jan", "the last 3 weeks of this year",
// "last weekend of May".
func (p *parser) nthWeek(i int) (when, int) {
	k := p.skip(i, "the")
	n, k := p.nth(k)
	if k == 0 || n == 0 {
		return when{}, 0
	}
	count, next := p.small(k)
	if next == 0 {
		count, next = 1, k
	}
	g := units[p.word(next)].g
	if g != calendar.Week && g != calendar.Weekend && g != calendar.Day && g != calendar.Month || !p.is(next+1, "of", "in") && g != calendar.Week {
		return when{}, 0
	}
	whole, end := p.container(p.skip(next+1, "of", "in"), g)
	if end == 0 || count < 1 || count > 60 {
		return when{}, 0
	}
	return p.countWithin(whole, g, n, count), end
}

// container reads the month or year, or for days the week, in which something is counted.
func (p *parser) container(i int, g calendar.Granularity) (temporal.Interval, int) {
	if start, end := p.ofMonth(i); end > 0 {
		return whole(start, calendar.Month), end
	}
	if end := p.phrase(i, "the month"); end > 0 && p.is(i-1, "of", "in") {
		return whole(p.ref, calendar.Month), end
	}
	if w, end := p.shiftedUnit(i); end > 0 && w.gran == calendar.Week && g == calendar.Day && !w.placed.Start.IsZero() {
		return w.placed, end
	}
	if end := p.phrase(i, "the year"); end > 0 && !p.is(end, "of") && p.at(end).kind != numberToken {
		return whole(p.ref, calendar.Year), end
	}
	w, end := p.settled(longest(i, p.shiftedUnit, p.bareYear, p.yearNamed))
	if w.gran != calendar.Year || p.countedNoun(end) || p.is(end, "'s") {
		return temporal.Interval{}, 0
	}
	return w.placed, end
}

// countWithin returns count units of a container from unit n on, or its last count units for n = -1.
// Of weekends it returns one.
func (p *parser) countWithin(in temporal.Interval, g calendar.Granularity, n, count int) when {
	var start time.Time
	switch {
	case g == calendar.Week || g == calendar.Weekend:
		start = weekWithin(in, n)
		if g == calendar.Weekend {
			return unitWhen(start, calendar.Weekend)
		}
	case n < 0:
		start = calendar.Step(in.End, g, -1)
	default:
		start = calendar.Step(in.Start, g, n-1)
	}
	end := calendar.Step(start, g, 1)
	if n < 0 {
		start = calendar.Step(start, g, 1-count)
	} else {
		end = calendar.Step(start, g, count)
	}
	return fixedWhen(spanning(start, end), g)
}

// quarter reads "Q3 2016", "2016 Q3", "the third quarter of 2016", "H1 2016".
func (p *parser) quarter(i int) (when, int) {
	y, k := 0, i
	if year, next := p.leadingYear(i); next > 0 {
		y, k = year, max(p.phrase(next, "' s"), p.skip(next, "-"))
	}
	n, months, end := p.quarterName(k)
	if end == 0 {
		return when{}, 0
	}
	if y == 0 {
		var next int
		if y, next = p.quarterYear(end); next > 0 {
			end = next
		} else if months == 6 || p.is(p.skip(k, "the"), "last", "final") || p.is(i-1, "my", "his", "her", "their", "our", "your") {
			return when{}, 0 // "the second half", "my first quarter": it does not say of what
		}
	}
	return p.placeQuarter(y, n, months), end
}

// leadingYear reads the year of "2016 Q3", which needs no word before it.
func (p *parser) leadingYear(i int) (int, int) {
	t := p.at(i)
	if t.kind == numberToken && t.width == 4 && t.value >= 1300 && t.value < 2200 && p.begins(i) {
		return t.value, i + 1
	}
	return 0, 0
}

// quarterName returns the number and the length in months: Q3 is 3 and 3, H2 is 2 and 6.
func (p *parser) quarterName(i int) (int, int, int) {
	if p.is(i, "q", "h") && p.glued(i+1) {
		n := p.at(i + 1)
		months := 3
		if p.is(i, "h") {
			months = 6
		}
		if n.kind == numberToken && n.width == 1 && n.value >= 1 && n.value*months <= 12 && p.ends(i+2) {
			return n.value, months, i + 2
		}
		return 0, 0, 0
	}
	n, k := p.nth(p.skip(i, "the"))
	if k == 0 || n > 4 || n == 0 {
		return 0, 0, 0
	}
	if n < 0 && p.is(k+1, "of") { // "the last quarter of 2016"
		n = map[string]int{"quarter": 4, "half": 2}[p.word(k)]
	}
	switch {
	case p.is(k, "quarter") && n > 0:
		return n, 3, k + 1
	case p.is(k, "half") && (n == 1 || n == 2):
		return n, 6, k + 1
	}
	return 0, 0, 0
}

// quarterYear reads the year after a quarter.
func (p *parser) quarterYear(i int) (int, int) {
	if y, end := p.yearAfter(i); end > 0 {
		return y, end
	}
	k := p.skip(i, "of", "in")
	if end := p.phrase(k, "the year"); end > 0 && k > i {
		return p.ref.Year(), end
	}
	if w, end := p.shiftedUnit(k); end > 0 && w.gran == calendar.Year {
		return w.placed.Start.Year(), end
	}
	return 0, 0
}

func (p *parser) placeQuarter(y, n, months int) when {
	at := func(y int) temporal.Interval {
		start := time.Date(y, time.Month((n-1)*months+1), 1, 0, 0, 0, 0, p.ref.Location())
		return spanning(start, calendar.AddMonths(start, months))
	}
	if y != 0 {
		return fixedWhen(at(y), calendar.Quarter)
	}
	found := at(p.ref.Year())
	if p.Prefer == Past && found.Start.After(p.ref) {
		found = at(p.ref.Year() - 1)
	}
	if p.Prefer == Future && !found.End.After(p.ref) {
		found = at(p.ref.Year() + 1)
	}
	return fixedWhen(found, calendar.Quarter)
}

// decade reads "the 1970s", "the '40s", "nineties", "the nineteen seventies", "the two thousands".
func (p *parser) decade(i int) (when, int) {
	k := p.skip(i, "the")
	apostrophe := p.is(k, "'")
	k = p.skip(k, "'")
	y, end := p.decadeDigits(k, k > i)
	if end == 0 && !apostrophe {
		y, end = p.decadeWords(k)
	}
	if end == 0 {
		return when{}, 0
	}
	return unitWhen(time.Date(y, 1, 1, 0, 0, 0, 0, p.ref.Location()), calendar.Decade), end
}

func (p *parser) decadeDigits(i int, led bool) (int, int) {
	t := p.at(i)
	phased := t.width == 4 && p.is(i-1, "-") && p.is(i-2, "mid", "early", "late") // not "highs in the mid-70s"
	if t.kind != numberToken || t.ordinal || t.width != 2 && t.width != 4 || t.value%10 != 0 || !p.begins(i) && !p.is(i-1, "'") && !phased {
		return 0, 0
	}
	end := p.skip(i+1, "'")
	if !p.is(end, "s") || !p.ends(end+1) || t.width == 4 && (t.value < 1000 || t.value > 2190) {
		return 0, 0
	}
	if t.width == 2 {
		if !led && !p.is(i-1, "in", "since", "early", "mid", "late", "-", "of") || p.is(i-1, "my", "his", "her", "their", "our", "your") {
			return 0, 0
		}
		return p.fullDecade(t.value), end + 1
	}
	return t.value, end + 1
}

// fullDecade returns the latest such decade that has begun.
func (p *parser) fullDecade(yy int) int {
	y := p.ref.Year() - p.ref.Year()%100 + yy
	if y > p.ref.Year() {
		y -= 100
	}
	return y
}

func (p *parser) decadeWords(i int) (int, int) {
	if n := decadeWord(p.word(i)); n > 0 && !p.is(i-1, "my", "his", "her", "their", "our", "your") {
		return p.fullDecade(n), i + 1
	}
	century, k := p.small(i)
	if k == 0 || p.at(i).kind != wordToken {
		return 0, 0
	}
	k = p.skip(k, "-")
	switch {
	case century >= 10 && century <= 20 && decadeWord(p.word(k)) > 0:
		return century*100 + decadeWord(p.word(k)), k + 1
	case century >= 10 && century <= 20 && p.is(k, "tens", "hundreds"):
		return century*100 + map[string]int{"tens": 10}[p.word(k)], k + 1
	case century == 2 && p.is(k, "thousands") && p.is(i-1, "the"):
		return 2000, k + 1
	}
	return 0, 0
}

// century reads "the 21st century" and counts from the year 2000, as people do.
func (p *parser) century(i int) (when, int) {
	n, k := p.ordinal(p.skip(i, "the"))
	if k == 0 || n < 1 || n > 30 || !p.is(k, "century") {
		return when{}, 0
	}
	return unitWhen(time.Date((n-1)*100, 1, 1, 0, 0, 0, 0, p.ref.Location()), calendar.Century), k + 1
}

// season reads "summer 2016", "the spring of 1978", "in the summer", "this winter".
func (p *parser) season(i int) (when, int) {
	k := p.skip(i, "the")
	m, ok := seasons[p.word(k)]
	if !ok || p.at(k).kind != wordToken || p.is(k+1, "-") {
		return when{}, 0
	}
	if y, end := p.quarterYear(k + 1); end > 0 {
		return unitWhen(time.Date(y, m, 1, 0, 0, 0, 0, p.ref.Location()), calendar.Season), end
	}
	led := p.is(i-1, "in", "since", "during", "until", "till", "throughout", "over", "whole", "entire", "mid", "late", "early", "of")
	if !led || !p.clauseEnds(k+1) && !clauseWords[p.word(k+1)] {
		return when{}, 0
	}
	if p.Prefer == Future {
		return p.shiftSeason(m, 1), k + 1
	}
	w := p.shiftSeason(m, 0)
	if w.placed.Start.After(p.ref) {
		w = p.shiftSeason(m, -1)
	}
	return w, k + 1
}
