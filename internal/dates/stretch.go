package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// stretch reads a number of units up to or from the reference: "the last 3 weeks", "next few
// hours", "2 upcoming months", "within 5 days", "over the past two years".
func (p *parser) stretch(i int) (when, int) {
	if p.is(i, "within") {
		return p.within(i + 1)
	}
	k := p.phrase(i, "the? this?")
	n, ok := shifts[p.word(k)]
	if !ok {
		return p.countedShift(k)
	}
	if n == 0 {
		return when{}, 0
	}
	if w, end := p.businessDays(k+1, n); end > 0 {
		return w, end
	}
	if _, isUnit := units[p.word(k+1)]; isUnit || p.is(k+1, "a", "an") && !p.is(k+2, "few", "couple") {
		return when{}, 0
	}
	a, end := p.amount(k + 1)
	if p.is(end, "ago") { // "for the last 3 months and 2 days ago they …"
		halves, u, next := p.quantity(k + 1)
		if next == end {
			return when{}, 0
		}
		a, end = amount{single: halves%2 == 0, unit: u, count: halves / 2}.plus(halves, u), next
	}
	if end == 0 || p.is(end, "of") {
		return when{}, 0
	}
	return p.spanFrom(a, n, true), end
}

// within reads what follows "within": a range from the reference.
func (p *parser) within(i int) (when, int) {
	k := p.skip(i, "the")
	n, ok := shifts[p.word(k)]
	if ok && n != 0 {
		k++
	} else {
		n = 1
	}
	a, end := p.amount(k)
	if end == 0 {
		u, next := p.unit(k)
		if next == 0 || !ok || u.g < calendar.Day {
			return when{}, 0
		}
		a, end = amount{}.plus(2, u), next
	}
	if p.is(end, "of", "from", "before", "after") {
		return when{}, 0
	}
	return p.spanFrom(a, n, false), end
}

// countedShift reads the count before the shift word: "2 next days", "5 past minutes".
func (p *parser) countedShift(i int) (when, int) {
	count, k := p.number(i)
	n, ok := shifts[p.word(k)]
	if k == 0 || !ok || n == 0 || p.at(i).kind == numberToken && !p.begins(i) || count < 1 {
		return when{}, 0
	}
	u, end := p.unit(k + 1)
	if end == 0 || count > 1 && !plural(p.word(k+1)) { // "will be 40 next month"
		return when{}, 0
	}
	a := amount{single: true, unit: u, count: count}.plus(2*count, u)
	return p.spanFrom(a, n, true), end
}

// spanFrom returns the range of an amount before or after the reference. Quarters, decades and
// centuries are counted whole. With tomorrow, a range of coming days begins tomorrow.
func (p *parser) spanFrom(a amount, sign int, tomorrow bool) when {
	g := a.gran
	switch {
	case a.single && g >= calendar.Quarter && g != calendar.Season && g != calendar.Year:
		return p.wholeUnits(g, sign*a.count*a.unit.n)
	case a.timed():
		return fixedWhen(a.beside(p.ref, sign), g)
	}
	today := midnight(p.ref)
	if sign > 0 && tomorrow {
		today = today.AddDate(0, 0, 1)
	}
	return fixedWhen(a.beside(today, sign), g)
}

// beside returns the range of the amount before or after a time.
func (a amount) beside(t time.Time, sign int) temporal.Interval {
	if sign < 0 {
		return spanning(a.add(t, -1), t)
	}
	return spanning(t, a.add(t, 1))
}

// wholeUnits returns the n calendar units after the current one, or before it if n is negative.
func (p *parser) wholeUnits(g calendar.Granularity, n int) when {
	current := calendar.StartOf(p.ref, g)
	if n < 0 {
		return fixedWhen(spanning(calendar.Step(current, g, n), current), g)
	}
	next := calendar.Step(current, g, 1)
	return fixedWhen(spanning(next, calendar.Step(next, g, n)), g)
}

// businessDays reads "4 business days" after a shift word: days from Monday to Friday.
func (p *parser) businessDays(i, sign int) (when, int) {
	n, k := p.count(i)
	if k == 0 || n < 1 || n > 1000 || !p.is(k, "business", "working", "work") || !p.is(k+1, "days", "day") {
		return when{}, 0
	}
	today := midnight(p.ref)
	t, first := today, today
	for left := n; left > 0; {
		t = t.AddDate(0, 0, sign)
		if t.Weekday() != 0 && t.Weekday() != 6 {
			if left == n {
				first = t
			}
			left--
		}
	}
	if sign < 0 {
		return fixedWhen(spanning(t, today), calendar.Day), k + 2
	}
	return fixedWhen(spanning(first, t.AddDate(0, 0, 1)), calendar.Day), k + 2
}
