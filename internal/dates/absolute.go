package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// monthName reads the name of a month, with the full stop of an abbreviation.
func (p *parser) monthName(i int) (time.Month, int) {
	m, ok := months[p.word(i)]
	if !ok || p.at(i).kind != wordToken {
		return 0, 0
	}
	if p.is(i+1, ".") && p.glued(i+1) && p.dottedDay(i+2) {
		return m, i + 2
	}
	if p.is(i+1, ".") && p.glued(i+1) && len(p.word(i)) <= 4 && p.word(i) != "may" {
		if next := p.at(i + 2); next.kind == numberToken || next.kind == wordToken && !next.capital || p.is(i+2, ",", "-", "'") || months[next.text] != 0 {
			return m, i + 2
		}
	}
	return m, i + 1
}

// dottedDay reports whether the day of a month follows its name and a full stop: "October. 2". A
// number that counts something begins a sentence of its own.
func (p *parser) dottedDay(i int) bool {
	t := p.at(i)
	return t.kind == numberToken && t.width <= 2 && t.value >= 1 && t.value <= 31 && (t.ordinal || p.clauseEnds(i+1) || p.glued(i))
}

// fourDigitYear reads a year in digits that may stand beside a month or after "in".
func (p *parser) fourDigitYear(i int) (int, int) {
	t := p.at(i)
	if t.kind != numberToken || t.ordinal || t.width != 4 || t.value < 1000 || t.value > 2199 {
		return 0, 0
	}
	if !p.ends(i+1) && !p.is(i+1, "-", "/") || p.is(i+1, ":", "%") && p.glued(i+1) {
		return 0, 0
	}
	if p.is(i+1, ".", ",") && p.glued(i+1) && p.glued(i+2) && p.at(i+2).kind == numberToken {
		return 0, 0
	}
	return t.value, i + 1
}

// yearAfter reads the year that follows a month or a day: "2019", ", 2019", "of 87",
// "in 2020", "nineteen eighty six".
func (p *parser) yearAfter(i int) (int, int) {
	k := p.phrase(i, ",|of|in? the? year?")
	if y, end := p.fourDigitYear(k); end > 0 {
		return y, end
	}
	if y, end := p.yearInWords(k); end > 0 {
		return y, end
	}
	if y, end := p.relativeYear(i); end > 0 {
		return y, end
	}
	short := k
	_, month := months[p.word(i-1)]
	if t := p.at(i); month && t.kind == numberToken && t.width == 2 && t.value > 31 && !t.ordinal && p.clauseEnds(i+1) && !p.is(i+1, "to", "-") {
		return p.fullYear(t.value), i + 1 // "August 98"
	}
	if p.is(k, "'") {
		short = k + 1
	} else if !p.is(i, "of") {
		return 0, 0
	}
	if t := p.at(short); t.kind == numberToken && t.width == 2 && !t.ordinal && p.ends(short+1) && !p.clockAt(short) {
		return p.fullYear(t.value), short + 1
	}
	return 0, 0
}

// fullYear completes a two-digit year. Up to 14 years after the reference, or 24 if the future is
// preferred, the year lies in the reference's century, else in the one before.
func (p *parser) fullYear(yy int) int {
	century := p.ref.Year() - p.ref.Year()%100
	ahead := 14
	if p.Prefer == Future {
		ahead = 24
	}
	if century+yy > p.ref.Year()+ahead {
		return century - 100 + yy
	}
	return century + yy
}

// dayNumber reads the day of a month: "5", "5th", "the 5th", "twenty first".
func (p *parser) dayNumber(i int) (int, int) {
	k := p.skip(i, "the")
	if d, end := p.ordinal(k); end > 0 && d >= 1 && d <= 31 {
		if _, month := months[p.word(end+1)]; p.is(end, "day") && (month || p.is(end+1, "of", "in")) {
			end++
		}
		return d, end
	}
	t := p.at(k)
	if t.kind == numberToken && t.width > 2 {
		return 0, 0
	}
	if d, end := p.small(k); end > 0 && d >= 1 && d <= 31 {
		return d, end
	}
	return 0, 0
}

// monthDay reads "May 5", "May 5th, 2019", "Oct. 2", "May the 5th", "May twenty one 2018".
func (p *parser) monthDay(i int) (when, int) {
	m, k := p.monthName(i)
	if k == 0 {
		return when{}, 0
	}
	k = p.skip(k, "-", "/")
	d, end := p.dayNumber(k)
	if end == 0 || !p.dayEnds(end) || p.is(i, "second") {
		return when{}, 0
	}
	if p.at(k).kind == wordToken && !p.is(k, "the") {
		if y, yearEnd := p.yearInWords(k); yearEnd > 0 && y > 0 {
			return when{}, 0 // "May nineteen ninety nine" is a month and its year
		}
	}
	return p.withYear(parts{month: m, day: d}, end)
}

// dayEnds reports whether the number before end is a number of its own, not part of something
// longer such as 7:30 or 7pm.
func (p *parser) dayEnds(end int) bool {
	if p.clockAt(end - 1) {
		return false
	}
	if p.is(end, "%") || p.is(end, ".", ",") && p.glued(end) && p.glued(end+1) && p.at(end+1).kind == numberToken {
		return false
	}
	return !p.glued(end) || p.at(end).kind == markToken
}

// dayMonth reads "5 May", "the 5th of May 2019", "22 of Jan", "05-Aug-2016", "15th day of June".
func (p *parser) dayMonth(i int) (when, int) {
	if p.at(i).kind == numberToken && !p.begins(i) {
		return when{}, 0
	}
	d, k := p.dayNumber(i)
	if k == 0 {
		return when{}, 0
	}
	dotted := p.is(k, ".") // "5. April 2019": without its year, the dot ends a sentence
	k = p.phrase(k, "-|/|of|.? the?")
	m, end := p.monthName(k)
	if end == 0 || p.is(k, "may", "march") && p.is(end, "have", "be", "not", "i", "we") {
		return when{}, 0
	}
	if p.is(end, "-", "/") && p.glued(end) && p.at(end+1).kind == numberToken && p.at(end+1).width == 4 {
		return p.checked(parts{year: p.at(end + 1).value, month: m, day: d}, end+2)
	}
	if w, next := p.withYear(parts{month: m, day: d}, end); !dotted || w.parts.year != 0 {
		return w, next
	}
	return when{}, 0
}

// withYear completes month and day with a year where one follows.
func (p *parser) withYear(c parts, end int) (when, int) {
	if y, next := p.yearAfter(end); next > 0 {
		c.year, end = y, next
	} else if y, next := p.shortYearBehind(end); next > 0 {
		c.year, end = y, next
	}
	w, end := p.checked(c, end)
	return w, p.weekdayBehind(w, end)
}

// shortYearBehind reads the last two figures of the year behind a day: "15 Jan 15", "5-May-15".
func (p *parser) shortYearBehind(i int) (int, int) {
	joined := p.is(i, "-", "/") && p.glued(i) && p.glued(i+1) && p.glued(i-1)
	if joined {
		i++
	}
	t := p.at(i)
	if t.kind != numberToken || t.ordinal || t.width != 2 || p.clockAt(i) || !joined && (t.value < 13 || !p.clauseEnds(i+1) || p.is(i+1, "-", "to", "through", "until", "till", "and", "or")) ||
		joined && !p.ends(i+1) {
		return 0, 0
	}
	return p.fullYear(t.value), i + 1
}

// checked rejects days that no year has.
func (p *parser) checked(c parts, end int) (when, int) {
	y := c.year
	if y == 0 {
		y = 2000
	}
	if c.day != 0 && !validDate(y, max(c.month, 1), c.day) {
		return when{}, 0
	}
	return partsWhen(c), end
}

// monthYear reads "May 2019", "June of 1992", "November , 2016", "Dec/2018", "2015 June".
func (p *parser) monthYear(i int) (when, int) {
	if y, k := p.fourDigitYear(i); k > 0 && p.begins(i) {
		if m, end := p.monthName(p.skip(k, "-", "/", ",")); end > 0 && (!p.glued(end) || p.is(end, ",", ".", ")", "?", "!", ";", `"`)) {
			if d, next := p.dayNumber(end); next > 0 && p.dayEnds(next) && validDate(y, m, d) && p.at(next-1).width < 3 {
				return partsWhen(parts{year: y, month: m, day: d}), next // "2015 May 5"
			}
			return partsWhen(parts{year: y, month: m}), end
		}
		return when{}, 0
	}
	m, k := p.monthName(i)
	if k == 0 {
		return when{}, 0
	}
	if y, end := p.yearAfter(p.skip(k, "-", "/")); end > 0 {
		return partsWhen(parts{year: y, month: m}), end
	}
	return when{}, 0
}

// bareMonth reads a month alone. A name that is also another word needs a preposition before it.
func (p *parser) bareMonth(i int) (when, int) {
	m, end := p.monthName(i)
	if end == 0 || p.is(i-1, "$", "#", "@") || p.glued(end) && p.at(end).kind != markToken {
		return when{}, 0
	}
	if ambiguousMonths[p.word(i)] && !p.isNewValue(i) && !p.monthContext(i, end) {
		return when{}, 0
	}
	if p.is(end, "'", "-") && p.glued(end) && p.glued(end+1) && p.at(end+1).kind == wordToken && months[p.word(end+1)] == 0 {
		return when{}, 0
	}
	return partsWhen(parts{month: m}), end
}

func (p *parser) monthContext(i, end int) bool {
	if p.is(end, "be", "have", "not", "i", "we", "you", "or") && p.is(i, "may") && !p.is(i-1, "in", "since", "last", "next", "during") {
		return false
	}
	prev := p.word(i - 1)
	if prev == "to" && i == 1 && end == len(p.toks) {
		return true // alone: the end of "from March to May"
	}
	if prev == "to" || prev == "and" || prev == "for" || prev == "of" || prev == "with" || prev == "than" || prev == "about" {
		// "to march", "for May", "of June" name a person or an act as often as a month
		return (prev == "to" || prev == "and") && months[p.word(i-2)] != 0 || prev == "of" && p.is(i-2, "end", "start", "beginning", "middle", "month", "week", "half", "rest")
	}
	if dateLeads[prev] {
		return true
	}
	return p.is(end, "to", "through", "until", "till", "-") && months[p.word(end+1)] != 0
}

// dayOnly reads "the 21st", "on the 5th", "on 15": a day whose month is not named.
func (p *parser) dayOnly(i int) (when, int) {
	the := p.is(i, "the")
	k := p.skip(i, "the")
	if p.at(k).kind == numberToken && !p.begins(k) {
		return when{}, 0
	}
	led := p.is(i-1, "on", "for", "by", "since", "until", "till", "before", "after", "of", "from", "to", "through", "between", "and", "starting")
	if d, end := p.ordinal(k); end > 0 && d <= 31 && d >= 1 && (the || led) && p.dayAlone(end) {
		if p.at(k).kind == wordToken && !(the && led) {
			return when{}, 0
		}
		if p.at(k).kind == wordToken && !p.clauseEnds(end) {
			return when{}, 0
		}
		return p.dayOfMonth(d, end)
	}
	d, end := p.small(k)
	if end == 0 || p.at(k).width > 2 || d < 1 || d > 31 || !p.dayEnds(end) || !p.is(i-1, "on", "for") {
		return when{}, 0
	}
	if the && (p.clauseEnds(end) || p.clockFollows(end)) ||
		p.is(i-1, "on") && p.at(k).kind == numberToken && (p.clockFollows(end) || p.clauseEnds(end) && !p.is(end, "and", "or", "to", "of", "-", "from")) {
		return p.dayOfMonth(d, end)
	}
	return when{}, 0
}

// dayOfMonth adds "of this month", "of next month" to a day.
func (p *parser) dayOfMonth(d, end int) (when, int) {
	if p.is(end, "of", "in") {
		if month, next := p.shiftedUnit(end + 1); next > 0 && month.gran == calendar.Month {
			if t, ok := p.civil(month.placed.Start.Year(), month.placed.Start.Month(), d); ok {
				return dayWhen(t), next
			}
		}
		if next := p.phrase(end, "of the month"); next > 0 {
			if t, ok := p.civil(p.ref.Year(), p.ref.Month(), d); ok {
				return dayWhen(t), next
			}
		}
	}
	if month, next := p.shiftedUnit(end); next > 0 && month.gran == calendar.Month && p.is(end+1, "month") { // "the 20th next month"
		if t, ok := p.civil(month.placed.Start.Year(), month.placed.Start.Month(), d); ok {
			return dayWhen(t), next
		}
	}
	return partsWhen(parts{day: d}), end
}

// dayAlone reports whether no noun follows a day that the day would number.
func (p *parser) dayAlone(end int) bool {
	if c, next := p.clock(end); next > 0 && c.strong {
		return true
	}
	return p.at(end).kind == markToken && !(p.is(end, "-") && p.glued(end) && p.at(end+1).kind == wordToken) ||
		clauseWords[p.word(end)] || p.at(end).kind == numberToken ||
		partsOfDay[p.word(end)] != partOfDay{} || p.is(end, "day") && p.is(end+1, "of")
}

// clauseEnds reports whether the phrase ends here: end of text, punctuation or a joining word.
func (p *parser) clauseEnds(end int) bool {
	return end >= len(p.toks) || p.is(end, ".", ",", "!", "?", ";", ")", `"`, "”", "and", "or", "to", "at", "till", "until", "through", "but", "of", "-", "between", "from")
}

// dayOfNamedMonth reads "the 20th of next month", "thirty-first day of the month".
func (p *parser) dayOfNamedMonth(i int) (when, int) {
	d, k := p.dayNumber(i)
	if k == 0 || p.at(p.skip(i, "the")).kind == numberToken && !p.begins(p.skip(i, "the")) {
		return when{}, 0
	}
	if p.is(k, "day") {
		k++
	}
	bare := p.at(i).kind == numberToken && !p.at(i).ordinal && !p.is(i-1, "on") && !p.is(k, "of", "in", "day")
	if w, end := p.dayOfMonth(d, k); end > k && !bare { // "grows to 12 next month"
		return w, end
	}
	return when{}, 0
}

// bareYear reads "in 2016", "the year 2008", "since 1999": a year needs a word before it that
// announces one.
func (p *parser) bareYear(i int) (when, int) {
	if w, end := p.shortYear(i); end > 0 {
		return w, end
	}
	k := p.phrase(i, "the? calendar?")
	named := p.is(k, "year", "cy") && !p.is(k-1, "new")
	if named {
		k = p.skip(k+1, "of")
	} else if k != i {
		return when{}, 0
	}
	if y, end := p.fourDigitYear(k); end > 0 && (named || p.yearLed(i, end)) && p.begins(k) {
		return partsWhen(parts{year: y}), end
	}
	if y, end := p.yearInWords(k); end > 0 && (named || p.is(i-1, "in", "since", "until", "of", "before", "after")) && !p.countedNoun(end) {
		return partsWhen(parts{year: y}), end
	}
	if !named {
		return when{}, 0
	}
	if y, end := p.number(k); end > 0 && y >= 100 && y < 2200 {
		return partsWhen(parts{year: y}), end
	}
	return when{}, 0
}

func (p *parser) yearLed(i, end int) bool {
	if p.at(i).value < 1300 || p.countedNoun(end) || p.at(i).value%100 == 0 && plural(p.word(end)) && !clauseWords[p.word(end)] {
		return false // "in 2000 ways"
	}
	return yearLeads[p.word(i-1)] || p.is(i-1, "(", "=", "~", ">", "<") ||
		p.is(end, "or", "and") && p.is(end+1, "later", "after", "earlier", "before", "greater") ||
		p.is(i-1, "-") && p.fourDigitsBefore(i-1)
}

func (p *parser) fourDigitsBefore(i int) bool {
	t := p.at(i - 1)
	return t.kind == numberToken && t.width == 4
}

var countedNouns = set(`people pieces dollars euros pounds miles meters metres km kilometers kilometres
	feet words times students users units items days hours minutes weeks months years points percent
	calories steps kg grams copies employees members others more of square`)

// countedNoun reports that the number before counts something.
func (p *parser) countedNoun(end int) bool { return countedNouns[p.word(end)] }
