package dates

import (
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// relativeYear reads the year of a month, a day or a week: "last year", "of next year".
func (p *parser) relativeYear(i int) (int, int) {
	k := p.phrase(i, ",|of|in? the?")
	n, ok := shifts[p.word(k)]
	if !ok || !p.is(k+1, "year") || p.is(k, "same", "prior", "preceding") || p.is(k+2, "'s") {
		return 0, 0
	}
	if p.is(i, ",") && !p.clauseEnds(k+2) {
		return 0, 0 // "in March, last year it was May"
	}
	return p.ref.Year() + n, k + 2
}

// yearThen reads a year followed by something in it: "last year in June", "next year's summer",
// "next year, on 5 May".
func (p *parser) yearThen(i int) (when, int) {
	y, k := p.relativeYear(p.skip(i, "the"))
	owner := false
	if k == 0 {
		y, k, owner = p.yearOwning(i)
	}
	if k == 0 {
		return when{}, 0
	}
	k = p.skip(k, ",")
	led := owner || p.is(k, "in", "on")
	k = p.phrase(k, "in|on? the?")
	if w, end := longest(k, p.monthDay, p.dayMonth); end > 0 && w.parts.year == 0 && w.gran == calendar.Day {
		w.parts.year = y
		return p.checked(w.parts, end)
	}
	if m, end := p.monthName(k); end > 0 && (led || !ambiguousMonths[p.word(k)]) && (led || p.clauseEnds(end)) {
		return partsWhen(parts{year: y, month: m}), end
	}
	if n, months, end := p.quarterName(k); end > 0 {
		return p.placeQuarter(y, n, months), end
	}
	if m, ok := seasons[p.word(k)]; ok && led {
		return unitWhen(time.Date(y, m, 1, 0, 0, 0, 0, p.ref.Location()), calendar.Season), k + 1
	}
	return when{}, 0
}

// yearOwning reads the year of "next year's" and "2018's".
func (p *parser) yearOwning(i int) (int, int, bool) {
	if n, ok := shifts[p.word(i)]; ok && p.is(i+1, "year") && p.is(i+2, "'s") {
		return p.ref.Year() + n, i + 3, true
	}
	if y, k := p.leadingYear(i); k > 0 {
		end := p.phrase(k, "' s")
		return y, end, end > 0
	}
	return 0, 0, false
}

// shortYear reads the year of "in '98".
func (p *parser) shortYear(i int) (when, int) {
	if !p.is(i, "'") || !yearLeads[p.word(i-1)] {
		return when{}, 0
	}
	if t := p.at(i + 1); p.glued(i+1) && t.kind == numberToken && t.width == 2 && !t.ordinal && p.ends(i+2) {
		return partsWhen(parts{year: p.fullYear(t.value)}), i + 2
	}
	return when{}, 0
}

// shortYearAfter reads the last two figures of the year at the end of a range: "between 1990 and
// 95".
func (p *parser) shortYearAfter(from when, i int) (when, int) {
	y := from.parts.year
	t := p.at(i)
	if from.fixed || from.gran != calendar.Year || y < 1300 || t.kind != numberToken || t.ordinal || t.width != 2 || t.value <= y%100 ||
		!p.ends(i+1) || p.countedNoun(i+1) || p.is(i+1, "%") {
		return when{}, 0
	}
	return partsWhen(parts{year: y - y%100 + t.value}), i + 1
}

// namesAgo reads seasons and months that are counted: "two summers ago", "three Mays from now".
func (p *parser) namesAgo(i int) (when, int) {
	n, k := p.count(i)
	name, several := strings.CutSuffix(p.word(k), "s")
	if k == 0 || n < 1 || n > 500 || n > 1 != several {
		return when{}, 0
	}
	sign, end := -1, p.phrase(k+1, "ago")
	if end == 0 {
		sign, end = 1, p.phrases(k+1, "from now", "hence")
	}
	if end == 0 || !p.isNamed(name) {
		return when{}, 0
	}
	return p.nthNamed(name, sign, n), end
}

// nthNamed returns the nth such season or month before or after the reference.
func (p *parser) nthNamed(name string, sign, n int) when {
	w := when{}
	if m, ok := seasons[name]; ok {
		w = p.shiftSeason(m, sign)
	} else if m, ok := months[name]; ok {
		w, _ = p.shiftMonth(m, sign, 0)
		w = unitWhen(time.Date(w.parts.year, m, 1, 0, 0, 0, 0, p.ref.Location()), calendar.Month)
	}
	return unitWhen(calendar.AddMonths(w.placed.Start, 12*sign*(n-1)), w.gran)
}

// isNamed reports whether a word names a season or a month.
func (p *parser) isNamed(name string) bool { return seasons[name] != 0 || months[name] != 0 }
