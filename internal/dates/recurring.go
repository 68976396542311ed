package dates

import (
	"github.com/annalsdb/annals/internal/calendar"
)

var adverbs = set(`daily weekly monthly yearly annually quarterly hourly nightly biweekly fortnightly
	bimonthly semiannually biannually everyday weekdays semiannual biannual`)

var pluralParts = map[string]string{
	"mornings": "morning", "afternoons": "afternoon", "evenings": "evening", "nights": "night",
}

// recurring reads a repeating time: "every Monday", "each two weeks", "daily", "Sundays",
// "Tuesday afternoons".
func (p *parser) recurring(i int) int {
	if adverbs[p.word(i)] && p.at(i).kind == wordToken {
		return p.recurringTail(i + 1)
	}
	if p.is(i, "every", "each") {
		return p.everyTail(i + 1)
	}
	if p.is(i, "any") && p.unitAt(i+1) && units[p.word(i+1)].g >= calendar.Day {
		return i + 2
	}
	if d, ok := pluralWeekday(p.word(i)); ok && d {
		return p.recurringTail(i + 1)
	}
	if _, end := p.weekdayName(i); end > 0 && pluralParts[p.word(end)] != "" {
		return p.recurringTail(end + 1)
	}
	if p.is(i, "once", "twice") {
		return p.perUnit(i + 1)
	}
	if _, end := p.number(i); end > 0 && p.is(end, "times", "time") {
		return p.perUnit(end + 1)
	}
	return 0
}

func pluralWeekday(w string) (bool, bool) {
	if len(w) < 7 || !plural(w) {
		return false, false
	}
	_, ok := weekdays[w[:len(w)-1]]
	return ok, ok
}

// everyTail reads what repeats after "every".
func (p *parser) everyTail(i int) int {
	k := p.phrase(i, "other|single|few|couple? of?")
	if _, end := p.number(k); end > 0 && p.at(k).kind == numberToken || end > 0 && !p.at(k).ordinal {
		if p.unitAt(end) {
			k = end
		}
	}
	if _, end := p.ordinal(k); end > 0 && (p.unitAt(end) || weekdayAt(p, end)) {
		k = end
	}
	if _, ok := units[p.word(k)]; ok && p.at(k).kind == wordToken {
		return p.recurringTail(k + 1)
	}
	if p.is(k, "weekday", "weekdays", "business", "morning", "afternoon", "evening", "night", "holiday", "birthday") {
		return p.recurringTail(k + 1)
	}
	if w, end := longest(k, p.weekdayDate, p.holiday, p.season, p.numericDate, p.dayMonth, p.monthDay); end > 0 && (w.gran <= calendar.Day || w.gran == calendar.Season) {
		return p.recurringTail(end)
	}
	if _, ok := seasons[p.word(k)]; ok {
		return k + 1
	}
	if _, end := p.monthName(k); end > 0 {
		return end
	}
	return 0
}

func weekdayAt(p *parser, i int) bool {
	_, end := p.weekdayName(i)
	return end > 0
}

// recurringTail reads the time of day that belongs to the repetition.
func (p *parser) recurringTail(i int) int {
	k := p.skip(i, "at", "from", "in", "on")
	if _, end := p.clockSpan(k); end > 0 {
		return end
	}
	if t, end := p.weakClock(p.skip(i, "at")); end > 0 && (t.strong || p.is(i, "at")) {
		return end
	}
	if _, end := p.partPiece(i, true); end > 0 {
		return p.recurringTail(end)
	}
	return i
}

// perUnit reads "a week", "per day", "every month" after a number of times.
func (p *parser) perUnit(i int) int {
	if !p.is(i, "a", "an", "per", "every", "each") || !p.unitAt(i+1) {
		return 0
	}
	return i + 2
}

// duration reads a length of time without a place in time: "for two weeks", "30-minute", "all day".
func (p *parser) duration(i int) int {
	k := p.skip(i, "for", "over")
	if p.is(k, "all", "full", "whole", "entire") {
		j := p.skip(k+1, "-", "the")
		if u := units[p.word(j)]; u.g >= calendar.Day && !plural(p.word(j)) {
			return j + 1
		}
		return 0
	}
	if p.is(k, "some") && p.unitAt(k+1) && plural(p.word(k+1)) {
		return k + 2
	}
	a, end := p.amount(k)
	if end == 0 || a.gran == calendar.Second && p.is(k, "a", "one") || p.phrase(k, "one day") > 0 && k == i {
		return 0
	}
	return end
}
