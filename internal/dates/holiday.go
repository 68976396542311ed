package dates

import (
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// holidayRule returns the date of a holiday in a year.
type holidayRule func(y int) (month time.Month, day int)

func fixedDay(m time.Month, d int) holidayRule {
	return func(int) (time.Month, int) { return m, d }
}

// nthDay returns the nth weekday of a month; n = -1 is the last.
func nthDay(m time.Month, n int, w time.Weekday) holidayRule {
	return func(y int) (time.Month, int) {
		t, _ := nthInMonth(time.Date(y, m, 1, 0, 0, 0, 0, time.UTC), n, w)
		return m, t.Day()
	}
}

// fromEaster counts days from Easter Sunday.
func fromEaster(days int) holidayRule {
	return func(y int) (time.Month, int) {
		t := easter(y).AddDate(0, 0, days)
		return t.Month(), t.Day()
	}
}

// afterThanksgiving counts days from the fourth Thursday of November.
func afterThanksgiving(days int) holidayRule {
	return func(y int) (time.Month, int) {
		t, _ := nthInMonth(time.Date(y, 11, 1, 0, 0, 0, 0, time.UTC), 4, time.Thursday)
		t = t.AddDate(0, 0, days)
		return t.Month(), t.Day()
	}
}

// easter is Western Easter Sunday by the anonymous Gregorian algorithm (Meeus, Astronomical
// Algorithms, ch. 8).
func easter(y int) time.Time {
	a, b, c := y%19, y/100, y%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return time.Date(y, time.Month(n/31), n%31+1, 0, 0, 0, 0, time.UTC)
}

// holidays by name: lower case, without apostrophes, hyphens or "the".
var holidays = map[string]holidayRule{
	"new year eve": fixedDay(12, 31), "new years eve": fixedDay(12, 31), "nye": fixedDay(12, 31),
	"new year day": fixedDay(1, 1), "new years day": fixedDay(1, 1), "new years": fixedDay(1, 1),
	"new year": fixedDay(1, 1), "martin luther king day": nthDay(1, 3, time.Monday),
	"martin luther king jr day": nthDay(1, 3, time.Monday), "mlk day": nthDay(1, 3, time.Monday),
	"groundhog day": fixedDay(2, 2), "valentines day": fixedDay(2, 14), "valentine day": fixedDay(2, 14),
	"valentines": fixedDay(2, 14), "presidents day": nthDay(2, 3, time.Monday),
	"washingtons birthday": nthDay(2, 3, time.Monday), "womens day": fixedDay(3, 8),
	"international womens day": fixedDay(3, 8), "pi day": fixedDay(3, 14),
	"st patricks day": fixedDay(3, 17), "saint patricks day": fixedDay(3, 17), "st patrick day": fixedDay(3, 17),
	"saint patrick": fixedDay(3, 17), "saint patrick day": fixedDay(3, 17), "st patricks": fixedDay(3, 17),
	"saint patricks": fixedDay(3, 17), "april fools": fixedDay(4, 1), "april fools day": fixedDay(4, 1),
	"april fool day": fixedDay(4, 1), "earth day": fixedDay(4, 22), "may day": fixedDay(5, 1),
	"labour day": fixedDay(5, 1), "international workers day": fixedDay(5, 1), "workers day": fixedDay(5, 1),
	"star wars day": fixedDay(5, 4), "cinco de mayo": fixedDay(5, 5),
	"mothers day": nthDay(5, 2, time.Sunday), "mother day": nthDay(5, 2, time.Sunday),
	"memorial day": nthDay(5, -1, time.Monday), "childrens day": fixedDay(6, 1),
	"international childrens day": fixedDay(6, 1), "juneteenth": fixedDay(6, 19), "flag day": fixedDay(6, 14),
	"fathers day": nthDay(6, 3, time.Sunday), "father day": nthDay(6, 3, time.Sunday),
	"canada day": fixedDay(7, 1), "independence day": fixedDay(7, 4), "usindependence day": fixedDay(7, 4),
	"us independence day": fixedDay(7, 4), "bastille day": fixedDay(7, 14),
	"labor day": nthDay(9, 1, time.Monday), "teachers day": fixedDay(9, 10),
	"columbus day": nthDay(10, 2, time.Monday), "indigenous peoples day": nthDay(10, 2, time.Monday),
	"halloween": fixedDay(10, 31), "halloween day": fixedDay(10, 31), "all hallows eve": fixedDay(10, 31),
	"all saints day": fixedDay(11, 1), "all souls day": fixedDay(11, 2), "guy fawkes day": fixedDay(11, 5),
	"bonfire night": fixedDay(11, 5), "veterans day": fixedDay(11, 11), "armistice day": fixedDay(11, 11),
	"remembrance day": fixedDay(11, 11), "singles day": fixedDay(11, 11),
	"thanksgiving": afterThanksgiving(0), "thanksgiving day": afterThanksgiving(0),
	"thanks giving": afterThanksgiving(0), "thanks giving day": afterThanksgiving(0),
	"black friday": afterThanksgiving(1), "cyber monday": afterThanksgiving(4),
	"christmas eve": fixedDay(12, 24), "xmas eve": fixedDay(12, 24), "christmas": fixedDay(12, 25),
	"christmas day": fixedDay(12, 25), "xmas": fixedDay(12, 25), "xmas day": fixedDay(12, 25),
	"boxing day": fixedDay(12, 26), "easter": fromEaster(0), "easter sunday": fromEaster(0),
	"easter day": fromEaster(0), "easter monday": fromEaster(1), "good friday": fromEaster(-2),
	"palm sunday": fromEaster(-7), "ash wednesday": fromEaster(-46), "mardi gras": fromEaster(-47),
	"fat tuesday": fromEaster(-47), "shrove tuesday": fromEaster(-47), "maundy thursday": fromEaster(-3),
	"ascension day": fromEaster(39), "pentecost": fromEaster(49), "whit sunday": fromEaster(49),
	"corpus christi": fromEaster(60), "easter saturday": fromEaster(-1), "holy saturday": fromEaster(-1),
	"easter eve": fromEaster(-1), "whitsun": fromEaster(49), "white sunday": fromEaster(49), "whit monday": fromEaster(50),
	"white monday": fromEaster(50), "pentecost monday": fromEaster(50), "trinity sunday": fromEaster(56),
	"epiphany": fixedDay(1, 6), "inauguration day": fixedDay(1, 20), "australia day": fixedDay(1, 26),
	"st davids day": fixedDay(3, 1), "st georges day": fixedDay(4, 23), "st george day": fixedDay(4, 23),
	"saint georges day": fixedDay(4, 23), "anzac day": fixedDay(4, 25), "arbor day": nthDay(4, -1, time.Friday),
	"guy fawkes night": fixedDay(11, 5), "all hallows day": fixedDay(11, 1), "all hallow day": fixedDay(11, 1),
	"st andrews day": fixedDay(11, 30),
}

// holidayStarts are the first words of holidays, to skip all other words quickly.
var holidayStarts = func() map[string]bool {
	m := map[string]bool{}
	for name := range holidays {
		first, _, _ := strings.Cut(name, " ")
		m[first] = true
	}
	return m
}()

// holidayAt reads the longest name of a holiday at i.
func holidayAt(p *parser, i int) (holidayRule, int) {
	if !holidayStarts[plainWord(p.word(i))] || p.at(i).kind != wordToken {
		return nil, 0
	}
	var found holidayRule
	name, end := "", 0
	for k := i; k < min(i+6, len(p.toks)); k++ {
		switch {
		case p.is(k, "'", ".", "-") && k > i:
			continue
		case p.is(k, "'s"):
			name += "s"
		default:
			name = strings.TrimSpace(name + " " + plainWord(p.word(k)))
		}
		if h, ok := holidays[name]; ok {
			found, end = h, k+1
			end = p.skip(end, "'")
		}
	}
	return found, end
}

func plainWord(w string) string { return strings.ReplaceAll(w, "'", "") }

// holiday reads "Easter", "last Christmas", "Thanksgiving 2010", "Independence Day of this year".
func (p *parser) holiday(i int) (when, int) {
	k := p.skip(i, "the")
	shift, shifted := shifts[p.word(k)]
	if shifted {
		k++
	}
	h, end := holidayAt(p, k)
	if end == 0 || p.vague(k, end) {
		return when{}, 0
	}
	if shifted {
		return p.shiftHoliday(h, shift), end
	}
	y := 0
	if named, next := p.quarterYear(end); next > 0 {
		y, end = named, next
	}
	at, ok := p.placeHoliday(h, y)
	if !ok {
		return when{}, 0
	}
	return dayWhen(at), end
}

// vague reports whether the name of a holiday here means something else: "a new year", "happy new
// year", "new years ago".
func (p *parser) vague(i, end int) bool {
	if !p.is(i, "new") || p.is(end-1, "eve", "day") {
		return false
	}
	return !p.is(i-1, "on", "since", "for", "before", "after", "at", "last", "next") || p.is(end, "of", "ago")
}

func (p *parser) holidayIn(h holidayRule, y int) time.Time {
	m, d := h(y)
	return time.Date(y, m, d, 0, 0, 0, 0, p.ref.Location())
}

func (p *parser) placeHoliday(h holidayRule, y int) (time.Time, bool) {
	if y != 0 {
		return p.holidayIn(h, y), true
	}
	return p.nearest(2, func(n int) (time.Time, bool) { return p.holidayIn(h, p.ref.Year()+n), true }, calendar.Day)
}

// shiftHoliday returns the closest date of a holiday strictly on the side of the shift.
func (p *parser) shiftHoliday(h holidayRule, n int) when {
	today := midnight(p.ref)
	at := p.holidayIn(h, p.ref.Year())
	switch {
	case n < 0 && !at.Before(today):
		at = p.holidayIn(h, p.ref.Year()-1)
	case n > 0 && !at.After(today):
		at = p.holidayIn(h, p.ref.Year()+1)
	}
	return dayWhen(at)
}
