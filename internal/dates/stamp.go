package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// stamp reads an ISO 8601 timestamp: 2023-05-08T14:30:00Z, 2023-05-08 14:30+02:00. Its zone is
// honoured; without one the time is on the reference's wall clock.
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
