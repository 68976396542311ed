package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

type meridiem uint8

const (
	noMeridiem meridiem = iota
	am
	pm
)

// clockTime is a time of day as written. An hour below 13 without a meridiem may be either half.
type clockTime struct {
	hour, minute, second int
	half                 meridiem
	gran                 calendar.Granularity
	// strong times look like nothing else ("8pm", "8:30"); weak ones are bare numbers.
	strong bool
}

// since returns the time since midnight. What is written settles the half of the day, or else the
// part of day beside it.
func (c clockTime) since(part *partOfDay) time.Duration {
	h := c.hour
	switch {
	case c.half == pm && h < 12:
		h += 12
	case c.half == am && h == 12:
		h = 0
	case c.half == noMeridiem && part != nil && part.from >= 12 && h < 12 && (part.from < 20 || h >= 5):
		h += 12
	}
	return time.Duration(h)*time.Hour + time.Duration(c.minute)*time.Minute + time.Duration(c.second)*time.Second
}

// clockAt reports whether an unmistakable time of day starts at i.
func (p *parser) clockAt(i int) bool {
	t := p.at(i)
	if t.kind != numberToken || t.ordinal || t.width > 2 {
		return false
	}
	c, end := p.clock(i)
	return end > 0 && c.strong
}

// clockFollows reports whether a time of day comes next, with the words before it.
func (p *parser) clockFollows(i int) bool {
	k := p.phrase(i, ",? at|around|between|from?")
	if p.clockAt(k) {
		return true
	}
	_, end := p.clockSpan(i)
	return end > 0
}

// clock reads a time of day: "8pm", "8:30:15 am", "noon", "half past eight", "six thirty",
// "4 o'clock", "340pm".
func (p *parser) clock(i int) (clockTime, int) {
	if c, end := p.namedClock(i); end > 0 {
		return c, end
	}
	if c, end := p.pastClock(i); end > 0 {
		return c, end
	}
	if p.at(i).kind == numberToken {
		return p.digitClock(i)
	}
	return p.wordClock(i)
}

func (p *parser) namedClock(i int) (clockTime, int) {
	k := i
	if p.is(i, "12") {
		k++
	}
	switch {
	case p.is(k, "noon", "midday"):
		return clockTime{hour: 12, half: pm, gran: calendar.Hour, strong: true}, k + 1
	case p.is(k, "midnight"):
		return clockTime{hour: 0, half: am, gran: calendar.Hour, strong: true}, k + 1
	}
	return clockTime{}, 0
}

// pastClock reads "half past eight", "a quarter to seven", "ten minutes past 9 pm".
func (p *parser) pastClock(i int) (clockTime, int) {
	k := p.skip(i, "a")
	minutes, next := 0, 0
	switch {
	case p.is(k, "half"):
		minutes, next = 30, k+1
	case p.is(k, "quarter"):
		minutes, next = 15, k+1
	default:
		minutes, next = p.small(k)
		next = p.skip(next, "minutes", "mins", "min", "minute")
	}
	if next == 0 || minutes > 59 || minutes < 1 || !p.is(next, "past", "to", "before", "after") {
		return clockTime{}, 0
	}
	named := p.is(k, "half", "quarter") || p.is(next-1, "minutes", "mins", "min", "minute")
	if !named && !p.is(next, "past") {
		return clockTime{}, 0
	}
	h, end := p.small(next + 1)
	if end == 0 || h > 24 || h < 1 || p.unitAt(end) {
		return clockTime{}, 0
	}
	at := h*60 + minutes
	if p.is(next, "to", "before") {
		at = h*60 - minutes
	}
	half, end2 := p.meridiem(p.oclock(end))
	return clockTime{hour: at / 60, minute: at % 60, half: half, gran: calendar.Minute, strong: true}, max(end2, p.oclock(end))
}

// oclock passes over "o'clock".
func (p *parser) oclock(i int) int {
	if p.is(i, "o'clock", "oclock") {
		return i + 1
	}
	if end := p.phrase(i, "o clock"); end > 0 {
		return end
	}
	return i
}

func (p *parser) digitClock(i int) (clockTime, int) {
	t := p.at(i)
	if t.ordinal || !p.begins(i) && !p.is(i-1, "-", "~", ",") || p.glued(i) && p.is(i-1, ":", ".", "/") {
		return clockTime{}, 0
	}
	if t.width == 3 || t.width == 4 {
		return p.runTogetherClock(i)
	}
	if t.width > 2 || t.value > 24 {
		return clockTime{}, 0
	}
	c := clockTime{hour: t.value, gran: calendar.Hour}
	k := i + 1
	switch {
	case p.sexagesimal(k, ":"):
		c.minute, c.gran, c.strong, k = p.at(k+1).value, calendar.Minute, true, k+2
		if p.sexagesimal(k, ":") {
			c.second, c.gran, k = p.at(k+1).value, calendar.Second, k+2
		}
	case p.sexagesimal(k, "."):
		_, end := p.meridiem(k + 2)
		if end == 0 && !p.is(i-1, "at") {
			return clockTime{}, 0
		}
		c.minute, c.gran, c.strong, k = p.at(k+1).value, calendar.Minute, true, k+2
	}
	return p.clockTail(c, k)
}

// sexagesimal reports a separator and two digits below 60, all touching.
func (p *parser) sexagesimal(i int, sep string) bool {
	n := p.at(i + 1)
	return p.is(i, sep) && p.glued(i) && p.glued(i+1) && n.kind == numberToken && n.width == 2 && n.value < 60
}

// clockTail reads the meridiem or "o'clock" that follows the figures.
func (p *parser) clockTail(c clockTime, k int) (clockTime, int) {
	if end := p.oclock(k); end > k {
		c.strong, k = true, end
	}
	if half, end := p.meridiem(k); end > 0 && c.hour <= 12 && c.hour > 0 || end > 0 && half == pm && c.hour > 12 {
		c.half, c.strong, k = half, true, end
	}
	if c.strong && !p.ends(k) && !p.is(k, "-") || c.hour == 24 && c.minute > 0 {
		return clockTime{}, 0
	}
	if p.is(k, "%") || p.is(k, ":") && p.glued(k) && p.glued(k+1) {
		return clockTime{}, 0
	}
	if c.strong {
		k = p.zoneName(k)
	}
	return c, k
}

// runTogetherClock reads "340pm" and, weakly, "0730".
func (p *parser) runTogetherClock(i int) (clockTime, int) {
	t := p.at(i)
	c := clockTime{hour: t.value / 100, minute: t.value % 100, gran: calendar.Minute}
	if c.hour > 24 || c.minute > 59 {
		return clockTime{}, 0
	}
	if half, end := p.meridiem(i + 1); end > 0 && c.hour >= 1 && c.hour <= 12 && p.is(end-1, "am", "pm", "m", ".") {
		c.half, c.strong = half, true
		return c, end
	}
	if t.width == 4 && c.hour < 24 && (t.text[0] == '0') {
		return c, i + 1
	}
	return clockTime{}, 0
}

// wordClock reads "eight", "six pm", "six forty-three", "seven thirty am", "four o'clock".
func (p *parser) wordClock(i int) (clockTime, int) {
	h, ok := numberWords[p.word(i)]
	if !ok || h < 1 || h > 20 {
		return clockTime{}, 0
	}
	c := clockTime{hour: h, gran: calendar.Hour}
	k := i + 1
	if m, end := p.small(p.skip(k, "-")); end > 0 && m >= 10 && m < 60 && p.at(end-1).kind == wordToken && h <= 12 {
		c.minute, c.gran, k = m, calendar.Minute, end
	}
	k = p.skip(k, "minutes")
	return p.clockTail(c, k)
}

// meridiem reads "am", "p.m.", "p . m .", "a m" and the "a" or "p" that touches its number.
func (p *parser) meridiem(i int) (meridiem, int) {
	switch {
	case p.is(i, "am"):
		return am, i + 1
	case p.is(i, "pm"):
		return pm, i + 1
	case !p.is(i, "a", "p"):
		return noMeridiem, 0
	}
	half := am
	if p.is(i, "p") {
		half = pm
	}
	k := p.skip(i+1, ".")
	if p.is(k, "m") {
		return half, p.mStop(k + 1)
	}
	if p.glued(i) && p.at(i-1).kind == numberToken && p.ends(i+1) {
		return half, i + 1
	}
	return noMeridiem, 0
}

// mStop takes the full stop of "p.m." unless it ends the sentence anyway.
func (p *parser) mStop(i int) int {
	if p.is(i, ".") && p.is(i-2, ".") {
		return i + 1
	}
	return i
}

// weakClock reads a bare number as an hour, for callers that expect one.
func (p *parser) weakClock(i int) (clockTime, int) {
	c, end := p.clock(i)
	if end == 0 || !c.strong && (p.unitAt(end) || p.glued(end) && p.is(end, "-", "/", ".") && p.glued(end+1)) {
		return clockTime{}, 0
	}
	return c, end
}

// clockRange is a stretch of a day between two times.
type clockRange struct {
	from, to clockTime
	strong   bool
}

// clockSpan reads "from 5 to 6pm", "between 10 and 11:30", "8-9am", "1pm - 1:15pm".
func (p *parser) clockSpan(i int) (clockRange, int) {
	between := p.is(i, "between")
	k := p.skip(i, "from", "between")
	a, k2 := p.clock(k)
	if k2 == 0 {
		return clockRange{}, 0
	}
	if part, end := p.partPhrase(k2); end > 0 && a.half == noMeridiem {
		a.half, a.strong, k2 = halfOf(part), true, end
	}
	if !p.is(k2, "to", "-", "~", "until", "till", "til", "through", "thru") && !(between && p.is(k2, "and")) {
		return clockRange{}, 0
	}
	b, end := p.clock(k2 + 1)
	if part, next := p.partPhrase(end); end > 0 && next > 0 && b.half == noMeridiem && p.dateFollows(next) {
		b.half, b.strong, end = halfOf(part), true, next
	}
	if end == 0 || p.unitAt(end) || !b.strong && p.glued(end) && p.at(end).kind == markToken && p.glued(end+1) {
		return clockRange{}, 0
	}
	if !a.strong && !b.strong && (a.hour == 0 || b.hour == 0) {
		return clockRange{}, 0
	}
	return clockRange{from: a, to: b, strong: a.strong || b.strong}, end
}

// halfOf is the half of the day that a part of it lies in.
func halfOf(part partOfDay) meridiem {
	if part.from < 12 {
		return am
	}
	return pm
}

// settle decides the halves of the day that a range leaves open. The start takes the half of the
// end, if it then comes first. The end is the first such time after the start.
func (r clockRange) settle(part *partOfDay) (time.Duration, time.Duration) {
	from, to := r.from, r.to
	if from.half == noMeridiem && to.half != noMeridiem && from.hour <= 12 {
		from.half = to.half
		if from.since(nil) >= to.since(nil) {
			from.half = am
		}
	}
	start, end := from.since(part), to.since(part)
	if to.half == noMeridiem && end <= start && to.hour < 12 {
		end += 12 * time.Hour
	}
	if end <= start {
		end += 24 * time.Hour
	}
	return start, end
}

// zoneNames are read over: a time is taken on the reference's wall clock.
var zoneNames = set(`est edt et cst cdt ct mst mdt mt pst pdt pt gmt utc bst cet cest eet jst sgt
	hkt aest aedt acdt acst awst nzst nzdt msk brt eastern pacific mountain central`)

// zoneName passes over the name of a time zone.
func (p *parser) zoneName(i int) int {
	if p.at(i).kind != wordToken || !zoneNames[p.word(i)] {
		return i
	}
	k := p.skip(i+1, "standard", "daylight")
	return p.skip(k, "time")
}
