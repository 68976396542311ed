package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// numericDate reads dates in digits: 2023-05-08, 5/8/2023, 21-04-16, 4/22, 2015/3, 20161016,
// and those with a month name between: 2019/sep/01, 23-2020-September.
func (p *parser) numericDate(i int) (when, int) {
	t := p.at(i)
	if t.kind != numberToken || t.ordinal {
		return p.monthYearDay(i)
	}
	if t.width == 8 && p.begins(i) && p.ends(i+1) {
		return p.compactDate(i)
	}
	sep := p.word(i + 1)
	if sep != "-" && sep != "/" && sep != "." {
		return when{}, 0
	}
	if w, end := p.threePartDate(i, sep); end > 0 {
		return w, end
	}
	if !p.begins(i) && !(p.is(i-1, "-") && p.is(i-3, "/")) {
		return when{}, 0
	}
	return longest(i, p.yearMonthDigits, p.monthDayDigits)
}

// compactDate reads 20161016.
func (p *parser) compactDate(i int) (when, int) {
	v := p.at(i).value
	y, m, d := v/10000, time.Month(v/100%100), v%100
	if y < 1900 || y > 2100 || !validDate(y, m, d) {
		return when{}, 0
	}
	return partsWhen(parts{year: y, month: m, day: d}), i + 1
}

// threePartDate reads year, month and day with the same separator twice and no space between.
func (p *parser) threePartDate(i int, sep string) (when, int) {
	if p.word(i+3) != sep || !p.glued(i+1) || !p.glued(i+2) || !p.glued(i+3) || !p.glued(i+4) {
		return when{}, 0
	}
	if p.glued(i) && (p.at(i-1).kind != markToken || p.is(i-1, "/", ".", "$", "+") || p.is(i-1, "-") && p.at(i-2).kind == numberToken && p.at(i-2).width == 4 && p.glued(i-1)) && !p.afterDate(i) {
		return when{}, 0
	}
	a, b, c := p.at(i), p.at(i+2), p.at(i+4)
	end := i + 5
	if !p.ends(end) && !p.is(end, "-", "t", "_", ".") {
		return when{}, 0
	}
	if p.is(end, "-", ".", "/") && p.glued(end) && p.glued(end+1) && p.at(end+1).kind == numberToken && p.word(end+2) != sep {
		return when{}, 0
	}
	if a.kind == wordToken || b.kind == wordToken || c.kind == wordToken {
		return p.namedMonthBetween(a, b, c, end)
	}
	if a.kind != numberToken || b.kind != numberToken || c.kind != numberToken || b.width > 2 {
		return when{}, 0
	}
	return p.digitDate(a, b, c, end)
}

// afterDate allows the second date of 10-1-2018-10-7-2018.
func (p *parser) afterDate(i int) bool {
	return p.is(i-1, "-", "/") && p.at(i-2).kind == numberToken && p.at(i-2).width == 4 && p.at(i-4).kind == numberToken
}

// digitDate assigns three numbers to year, month and day. Four digits are a year, and a number
// above 12 is no month. Otherwise the month comes first, unless the reader puts the day first.
func (p *parser) digitDate(a, b, c token, end int) (when, int) {
	y, m, d := c.value, a.value, b.value
	dayFirst := p.DayFirst || p.text[a.end] == '.' // 21.4.2016 is written where the day comes first
	switch {
	case a.width == 4:
		y, m, d, dayFirst = a.value, b.value, c.value, false
	case a.width > 2 || c.width != 2 && c.width != 4:
		return when{}, 0
	case c.width == 2:
		y = p.fullYear(y)
	}
	if dayFirst && d <= 12 || m > 12 {
		m, d = d, m
	}
	return p.civilParts(y, m, d, end)
}

func (p *parser) civilParts(y, m, d, end int) (when, int) {
	if !validDate(y, time.Month(m), d) || y < 1000 {
		return when{}, 0
	}
	return partsWhen(parts{year: y, month: time.Month(m), day: d}), end
}

// namedMonthBetween reads 2019-sep-1, 5-Aug-2016, 2020/23/Sep, 23-2020-September.
func (p *parser) namedMonthBetween(a, b, c token, end int) (when, int) {
	var m time.Month
	var numbers []token
	for _, t := range []token{a, b, c} {
		switch {
		case t.kind == numberToken && !t.ordinal:
			numbers = append(numbers, t)
		case m == 0:
			m = months[t.text]
		}
	}
	if m == 0 || len(numbers) != 2 {
		return when{}, 0
	}
	y, d := numbers[0], numbers[1]
	if y.width != 4 {
		y, d = d, y
	}
	switch {
	case d.width > 2 || y.width != 4 && y.width != 2:
		return when{}, 0
	case y.width == 2:
		y.value = p.fullYear(y.value)
	}
	return p.civilParts(y.value, int(m), d.value, end)
}

// monthYearDay reads September-2020-23 and Sep-23-2020.
func (p *parser) monthYearDay(i int) (when, int) {
	if _, ok := months[p.word(i)]; !ok || p.at(i).kind != wordToken {
		return when{}, 0
	}
	if sep := p.word(i + 1); sep == "-" || sep == "/" {
		return p.threePartDate(i, sep)
	}
	return when{}, 0
}

// yearMonthDigits reads 2015/3, 11-2016 and 2016 - 11.
func (p *parser) yearMonthDigits(i int) (when, int) {
	a, b, end := p.at(i), p.at(i+2), i+3
	if p.is(i+1, ".") || b.kind != numberToken || b.ordinal || !p.ends(end) || p.is(end, "-", "/") {
		return when{}, 0
	}
	if p.is(i-1, "-", "/") {
		return when{}, 0
	}
	y, m := a, b
	if a.width != 4 {
		y, m = b, a
	}
	if y.width != 4 || m.width > 2 || m.value < 1 || m.value > 12 || y.value < 1300 || y.value > 2199 {
		return when{}, 0
	}
	return partsWhen(parts{year: y.value, month: time.Month(m.value)}), end
}

// monthDayDigits reads 4/22, and 4-22 or 4.22 after a preposition or a weekday.
func (p *parser) monthDayDigits(i int) (when, int) {
	a, b, end := p.at(i), p.at(i+2), i+3
	if a.width > 2 || b.kind != numberToken || b.width > 2 || b.ordinal || !p.glued(i+1) || !p.glued(i+2) {
		return when{}, 0
	}
	_, year := p.fourDigitYear(end + 1)
	withYear := p.is(end, ",") && year > 0
	if !withYear && (!p.dayEnds(end) || !p.ends(end) && !p.is(end, "-")) {
		return when{}, 0
	}
	_, weekday := weekdays[p.word(i-1)]
	led := weekday || p.is(i-1, "on", "since", "until", "till", "by", "before", "after", "from", "between", "to", "through", "dated", "and", "starting", "-") ||
		p.is(i-1, "in") && p.is(i+1, ".", "/") || p.is(i-1, ",") && weekdays[p.word(i-2)] != 0
	if !led && (p.word(i+1) != "/" || fraction(a.value, b.value) || countedNouns[p.word(end)]) {
		return when{}, 0
	}
	if p.is(i+1, ".") && !(p.is(i-1, "on", "in", "by") || weekday) {
		return when{}, 0
	}
	m, d := a.value, b.value
	if p.DayFirst && d <= 12 || m > 12 {
		m, d = d, m
	}
	w, end := p.checked(parts{month: time.Month(m), day: d}, end)
	if end == 0 || m < 1 || m > 12 {
		return when{}, 0
	}
	if withYear {
		w.parts.year, end = p.at(end+1).value, year
	}
	return w, end
}

// fraction reports whether a pair of numbers is usually a share, a score or "24/7" rather than a
// date.
func fraction(a, b int) bool {
	return a == 24 && b == 7 || a == 50 && b == 50 || a <= b && (b <= 5 || b == 10) || b == 0
}

// writesDayFirst reports whether the text shows its order: it has a date such as 15/5/2020 and none
// such as 5/15/2020.
func (p *parser) writesDayFirst() bool {
	dayFirst := false
	for i, a := range p.toks {
		sep, b := p.word(i+1), p.at(i+2)
		if a.kind != numberToken || a.width > 2 || sep != "/" && sep != "-" || p.word(i+3) != sep ||
			b.kind != numberToken || b.width > 2 || p.at(i+4).kind != numberToken {
			continue
		}
		if b.value > 12 {
			return false
		}
		dayFirst = dayFirst || a.value > 12
	}
	return dayFirst
}

// stamp reads an ISO 8601 timestamp: 2023-05-08T14:30:00Z, 2023-05-08 14:30+02:00. Without a zone
// the time is on the reference's wall clock.
func (p *parser) stamp(i int) (when, int) {
	if p.at(i).width != 4 || p.at(i).kind != numberToken || !p.is(i+1, "-") {
		return when{}, 0
	}
	w, k := p.threePartDate(i, "-")
	if k == 0 || w.parts.year == 0 {
		return when{}, 0
	}
	if p.is(k, "t") && p.glued(k) {
		k++
	} else if !p.at(k).spaced {
		return when{}, 0
	}
	h := p.at(k)
	if h.kind != numberToken || h.width != 2 || h.value > 23 || !p.sexagesimal(k+1, ":") {
		return when{}, 0
	}
	c := clockTime{hour: h.value, minute: p.at(k + 2).value, gran: calendar.Minute}
	k += 3
	if p.sexagesimal(k, ":") {
		c.second, c.gran, k = p.at(k+1).value, calendar.Second, k+2
		if p.is(k, ".", ",") && p.glued(k) && p.glued(k+1) && p.at(k+1).kind == numberToken {
			k += 2
		}
	}
	if _, end := p.meridiem(k); end > 0 {
		return when{}, 0
	}
	day, ok := p.civil(w.parts.year, w.parts.month, w.parts.day)
	if !ok {
		return when{}, 0
	}
	t := p.onDay(day, c.since(nil))
	if zone, end := p.zone(k); end > 0 {
		y, m, d := day.Date()
		t = time.Date(y, m, d, c.hour, c.minute, c.second, 0, zone).In(p.ref.Location())
		k = end
	}
	return fixedWhen(spanning(t, calendar.Step(t, c.gran, 1)), c.gran), k
}

// zone reads Z, +02:00 or -0530 touching the time.
func (p *parser) zone(i int) (*time.Location, int) {
	if !p.glued(i) {
		return nil, 0
	}
	if p.is(i, "z") {
		return time.UTC, i + 1
	}
	if !p.is(i, "+", "-") || p.at(i+1).kind != numberToken || !p.glued(i+1) {
		return nil, 0
	}
	n := p.at(i + 1)
	seconds, end := 0, i+2
	switch {
	case n.width == 2 && p.sexagesimal(i+2, ":"):
		seconds, end = n.value*3600+p.at(i+3).value*60, i+4
	case n.width == 2:
		seconds = n.value * 3600
	case n.width == 4:
		seconds = n.value/100*3600 + n.value%100*60
	default:
		return nil, 0
	}
	if seconds > 15*3600 {
		return nil, 0
	}
	if p.is(i, "-") {
		seconds = -seconds
	}
	return time.FixedZone("", seconds), end
}
