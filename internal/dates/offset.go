package dates

import (
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// amount is a length of time in calendar units, such as "1 month and 21 days".
type amount struct {
	months, days int
	clock        time.Duration
	unit         unit // the unit of a single quantity
	count        int
	single       bool
	gran         calendar.Granularity // the finest unit named
}

// add moves t by the amount, forwards for sign 1 and backwards for -1.
func (a amount) add(t time.Time, sign int) time.Time {
	return calendar.AddMonths(t, sign*a.months).AddDate(0, 0, sign*a.days).Add(time.Duration(sign) * a.clock)
}

// timed reports whether the amount is counted in hours or finer.
func (a amount) timed() bool { return a.gran.Clock() }

// plus adds count halves of a unit.
func (a amount) plus(halves int, u unit) amount {
	n := halves * u.n
	months, days, clock := u.g.Length()
	a.months += n * months / 2
	a.days += n * days / 2
	a.clock += time.Duration(n) * clock / 2
	switch u.g { // the half of an odd number
	case calendar.Month:
		a.days += n % 2 * 15
	case calendar.Day:
		a.clock += time.Duration(n%2) * 12 * time.Hour
	}
	if a.gran == calendar.Unknown || u.g < a.gran {
		a.gran = u.g
	}
	return a
}

// amount reads "two weeks", "1 month, 21 days", "half an hour", "a year and a half".
func (p *parser) amount(i int) (amount, int) {
	var a amount
	end := 0
	for n := 0; n < 7; n++ {
		k := i
		if end > 0 {
			k = p.phrase(end, ",? and?")
		}
		halves, u, next := p.quantity(k)
		if next == 0 {
			break
		}
		a = a.plus(halves, u)
		a.single, a.unit, a.count = n == 0 && halves%2 == 0, u, halves/2
		end = next
	}
	return a, end
}

// quantity reads one count and its unit, in halves: "3h", "2.5 hours", "a few days",
// "30-minute", "half an hour", "two and a half years".
func (p *parser) quantity(i int) (int, unit, int) {
	if p.is(i, "half") {
		k := p.skip(i+1, "a", "an")
		if u, end := p.unit(k); end > 0 {
			return 1, u, end
		}
	}
	n, k := p.count(i)
	if k == 0 || n < 0 || n > 9999 || p.at(i).kind == numberToken && !p.begins(i) {
		return 0, unit{}, 0
	}
	halves := 2 * n
	if p.is(k, ".") && p.glued(k) && p.is(k+1, "5") && p.glued(k+1) {
		halves, k = halves+1, k+2
	} else if end := p.phrases(k, "and a half", "and half"); end > 0 && p.unitAt(end) {
		halves, k = halves+1, end
	}
	k = p.skip(k, "-")
	u, end := p.unit(k)
	if end == 0 {
		return 0, unit{}, 0
	}
	if next := p.phrases(end, "and a half", "and half"); next > 0 && !p.unitAt(next) {
		return halves + 1, u, next
	}
	return halves, u, end
}

func (p *parser) unitAt(i int) bool {
	_, end := p.unit(i)
	return end > 0
}

// unit reads a unit word. One-letter units must touch their number.
func (p *parser) unit(i int) (unit, int) {
	w := p.word(i)
	u, ok := units[w]
	if !ok || p.at(i).kind != wordToken || p.is(i+1, "'") && p.glued(i+1) && p.glued(i+2) {
		return unit{}, 0
	}
	if len(w) == 1 && !(p.glued(i) && p.at(i-1).kind == numberToken) {
		return unit{}, 0
	}
	if !p.ends(i + 1) {
		return unit{}, 0
	}
	return u, i + 1
}

// offset reads a distance from the reference or from a date: "two weeks ago", "3 days from
// now", "in 5 minutes", "a week before 9 June", "two months after next Friday".
func (p *parser) offset(i int) (when, int) {
	if p.is(i, "in") {
		return p.inAmount(i)
	}
	k := p.phrase(i, "about|around|roughly|almost|nearly|over? the?")
	a, end := p.amount(k)
	if end == 0 {
		return longest(k, p.unitBeside, p.weekdaysAgo, p.namesAgo)
	}
	if next := p.phrases(end, "ago", "back", "earlier", "prior"); next > 0 && (p.is(end, "ago") || p.is(end, "back") && !p.is(next, "to", "home", "in", "then")) {
		return p.weekdayIn(a.countedIn(p.awayFrom(p.ref, a, -1)), a, next)
	}
	if next := p.phrases(end, "from now", "hence", "later"); next > 0 && !(p.is(end, "later") && p.is(next, "this", "in")) {
		return p.landOn(a.countedIn(p.awayFrom(p.ref, a, 1)), next)
	}
	if next := p.phrase(end, "from today"); next > 0 && !a.timed() {
		return p.landOn(p.awayFrom(p.ref, a, 1), next)
	}
	if next := p.phrases(end, "in the future"); next > 0 {
		return p.spanFrom(a, 1, true), next
	}
	return p.beside(a, end)
}

// landOn reads the weekday on which a distance ends: "two months from today on Tuesday".
func (p *parser) landOn(w when, end int) (when, int) {
	k := p.phrase(end, ",? on?")
	d, next := p.weekdayName(k)
	if next == 0 || k == end || w.gran != calendar.Day || weekdayNamesDate(p, next) {
		return w, end
	}
	return dayWhen(onWeekday(w.placed.Start, d)), next
}

// countedIn records that a distance was counted in months or years: it is then no more precise than
// the month or the year it leads to.
func (a amount) countedIn(w when) when {
	switch {
	case w.gran != calendar.Day || a.gran < calendar.Month:
	case a.single:
		w.counted = a.unit.g
	default:
		w.counted = calendar.Month
	}
	return w
}

// weekdayIn reads the weekday of a distance in weeks: "two weeks ago on a Friday".
func (p *parser) weekdayIn(w when, a amount, end int) (when, int) {
	k := p.phrase(end, ",? on? a|the?")
	d, next := p.weekdayName(k)
	if next == 0 || k == end || w.gran != calendar.Day || !a.single || a.unit.g != calendar.Week || weekdayNamesDate(p, next) {
		return w, end
	}
	return dayWhen(onWeekday(calendar.StartOf(w.placed.Start, calendar.Week), d)), next
}

func weekdayNamesDate(p *parser, i int) bool {
	_, end := p.dayNumber(p.skip(i, ","))
	return end > 0
}

// weekdaysAgo reads "three Fridays ago" and "two Mondays from now".
func (p *parser) weekdaysAgo(i int) (when, int) {
	n, k := p.count(i)
	name := strings.TrimSuffix(p.word(k), "s")
	d, ok := weekdays[name]
	if k == 0 || n < 1 || n > 500 || !ok {
		return when{}, 0
	}
	if p.is(k+1, "ago") {
		return dayWhen(onWeekday(midnight(p.ref).AddDate(0, 0, -7*n), d)), k + 2
	}
	if end := p.phrases(k+1, "from now", "later", "hence"); end > 0 {
		return dayWhen(onWeekday(midnight(p.ref).AddDate(0, 0, 7*(n-1)+1), d)), end
	}
	return when{}, 0
}

// inAmount reads "in two weeks", "in a year's time".
func (p *parser) inAmount(i int) (when, int) {
	a, end := p.amount(p.skip(i+1, "about", "around", "roughly"))
	if end == 0 {
		a, end = p.ownedAmount(i + 1)
	}
	if end == 0 || p.is(end, "of", "a", "per", "ago", "before", "after", "-") || p.is(i-1, "once", "twice", "times", "time", "least") || p.negated(i) {
		return when{}, 0
	}
	if k := p.skip(end, "'"); p.is(k, "time") {
		end = k + 1
	}
	return p.weekdayIn(a.countedIn(p.awayFrom(p.ref, a, 1)), a, end)
}

// negated reports whether the sentence has a negation before i: "haven't talked in a few days"
// names a length of time, not a date.
func (p *parser) negated(i int) bool {
	for k := i - 1; k >= max(0, i-8) && !p.is(k, ".", "!", "?", ";", ":"); k-- {
		if strings.HasSuffix(p.word(k), "n't") || p.is(k, "not", "never", "havent", "hasnt", "nothing", "first") {
			return true
		}
	}
	return false
}

// ownedAmount reads the possessive of "in a fortnight's time", "in two weeks' time".
func (p *parser) ownedAmount(i int) (amount, int) {
	a, end := p.amount(i)
	if end == 0 || !p.is(end, "'s") || !p.is(end+1, "time") {
		return amount{}, 0
	}
	return a, end + 1
}

// awayFrom returns the day, or for hours and finer units the moment, at the distance.
func (p *parser) awayFrom(t time.Time, a amount, sign int) when {
	if a.single && a.unit.g == calendar.Weekend {
		base := p.closestWeekend(-1).placed.Start
		if sign > 0 {
			base = calendar.StartOf(t, calendar.Weekend)
		}
		return unitWhen(base.AddDate(0, 0, 7*sign*a.count-p.weekendShift(sign)), calendar.Weekend)
	}
	at := a.add(t, sign)
	if a.single && a.unit.g == calendar.PartOfDay {
		w := dayWhen(at)
		night := partsOfDay["night"]
		w.part = &night
		return w
	}
	if !a.timed() {
		return dayWhen(at)
	}
	return fixedWhen(spanning(at, calendar.Step(at, a.gran, 1)), a.gran)
}

// weekendShift corrects "N weekends ago" when it is said on a weekend: the current one does not
// count.
func (p *parser) weekendShift(sign int) int {
	if sign < 0 && p.ref.Before(calendar.StartOf(p.ref, calendar.Weekend)) {
		return -7
	}
	return 0
}

// beside reads "before DATE", "after DATE", "from DATE" after an amount.
func (p *parser) beside(a amount, i int) (when, int) {
	sign := 1
	k := p.phrase(i, "after|from|following to?")
	if k == 0 {
		sign, k = -1, p.phrase(i, "before|prior to?")
	}
	if k == 0 {
		return when{}, 0
	}
	w, end := p.anchor(k)
	if end == 0 || a.timed() && p.is(i, "from") {
		return when{}, 0
	}
	at, ok := p.place(w)
	if p.is(i, "from") && p.open(w) { // "a week from Tuesday" means the next Tuesday
		at, ok = p.after(w, p.ref.AddDate(0, 0, 1))
	}
	if !ok || at.Start.IsZero() {
		return when{}, 0
	}
	base := at.Start
	if w.last.gran != calendar.Unknown { // "10 days after the end of May"
		base = at.End.AddDate(0, 0, -1)
	}
	if a.timed() && p.is(k, "now") {
		base = p.ref
	}
	return p.awayFrom(base, a, sign), end
}

// lastNamed returns the date that "the week after" counts from if no date follows: the last date
// that the text named, else the time of writing.
func (p *parser) lastNamed(i int) (when, int) {
	u := units[p.word(i)]
	if !p.is(i-1, "the") || u.g < calendar.Week || !p.clauseEnds(i+2) && !clauseWords[p.word(i+2)] || p.is(i+2, "i", "we", "he", "she", "they", "you", "it", "that", "which", "my", "our", "his", "her", "their", "your") {
		return when{}, 0
	}
	for _, e := range slices.Backward(p.found) {
		if e.Kind == Dated && !e.Interval.Start.IsZero() && !e.Interval.End.IsZero() {
			return fixedWhen(e.Interval, e.Granularity), i + 2
		}
	}
	return dayWhen(p.ref), i + 2
}

// unitBeside reads "the week before 9 June 2023", "the month after next Friday", "the Sunday
// before 25 May": the calendar unit next to a date.
func (p *parser) unitBeside(i int) (when, int) {
	u, isUnit := units[p.word(i)]
	d, isWeekday := weekdays[p.word(i)]
	if !isUnit && !isWeekday || isUnit && (u.g < calendar.Day || u.n > 1) || p.at(i).kind != wordToken {
		return when{}, 0
	}
	sign := 1
	switch {
	case p.is(i+1, "before", "preceding"):
		sign = -1
	case !p.is(i+1, "after", "following"):
		return when{}, 0
	}
	w, end := p.anchor(i + 2)
	if end == 0 {
		w, end = p.lastNamed(i)
	}
	at, ok := p.place(w)
	if end == 0 || !ok || at.Start.IsZero() || at.End.IsZero() {
		return when{}, 0
	}
	switch {
	case isWeekday && sign < 0:
		return dayWhen(onWeekday(midnight(at.Start).AddDate(0, 0, -7), d)), end
	case isWeekday:
		return dayWhen(onWeekday(midnight(at.Start).AddDate(0, 0, 1), d)), end
	case u.g == calendar.Weekend && at.Start.Before(calendar.StartOf(at.Start, calendar.Weekend)):
		return unitWhen(at.Start.AddDate(0, 0, 7*min(sign, 0)), calendar.Weekend), end
	default:
		return unitWhen(calendar.Step(calendar.StartOf(at.Start, u.g), u.g, sign), u.g), end
	}
}
