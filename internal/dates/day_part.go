package dates

import (
	"github.com/annalsdb/annals/internal/calendar"
)

// partOfNamedDay reads the part of a day before the day: "the morning of May 5", "the night of
// the 3rd", "late evening on Friday".
func (p *parser) partOfNamedDay(i int) (when, int) {
	k := p.skip(i, "the")
	part, end := p.partName(k)
	if end == 0 || p.is(k, "pm", "am") || !p.is(end, "of") {
		return when{}, 0
	}
	w, next := longest(end+1, p.monthDay, p.dayMonth, p.numericDate, p.weekdayDate, p.relativeDay, p.holiday, p.dayOnlyNamed)
	if next == 0 || w.gran != calendar.Day || w.part != nil || p.spanSeparator(next, false) > 0 {
		return when{}, 0
	}
	w.part = &part
	return w, next
}
