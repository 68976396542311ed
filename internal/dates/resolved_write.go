package dates

import (
	"fmt"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// partOfDay returns the word for the part of the day that the date names. It extends the date by a
// part of the day that follows it.
func (l *dateLeaf) partOfDay() string {
	if l.when.part != nil {
		for k := l.from; k < l.to; k++ {
			if w := l.word(k); partsOfDay[w] != (partOfDay{}) {
				return w
			}
		}
		return "evening"
	}
	w := l.word(l.to)
	if _, ok := partsOfDay[w]; !ok {
		return ""
	}
	l.to++
	return w
}

// unclearWeekday reports whether a bare weekday may be any such day: "on a Friday", "Sunday
// school".
func (l *dateLeaf) unclearWeekday() bool {
	if l.anchored() || !l.when.parts.hasWeekday || l.when.parts.day != 0 {
		return false
	}
	if l.is(l.from-1, "a", "an", "the", "my", "our", "his", "her", "their", "your", "any", "some", "'s", "no", "one") {
		return true
	}
	next := l.at(l.to)
	free := l.to >= len(l.toks) || next.kind != wordToken || clauseWords[next.text] || next.capital || partsOfDay[next.text] != (partOfDay{})
	return !free && !l.is(l.from-1, "on", "by", "until", "till", "since", "before", "after")
}

// weekdayNamed reports whether the date names a day of the week.
func (l *dateLeaf) weekdayNamed() bool {
	return l.any(func(k int) bool {
		_, ok := weekdays[strings.TrimSuffix(l.word(k), "s")]
		return ok
	})
}

// owning turns "yesterday's meeting" into "the meeting of 7 May 2024".
func (l *dateLeaf) owning(g calendar.Granularity) string {
	k := l.to + 1
	end := k
	for end < len(l.toks) && end < k+2 && l.at(end).kind == wordToken && !l.at(end).capital && !clauseWords[l.word(end)] && !dateLeads[l.word(end)] {
		end++
	}
	follows := end >= len(l.toks) || l.at(end).kind != wordToken || clauseWords[l.word(end)] || dateLeads[l.word(end)]
	if end == k || !follows {
		return ""
	}
	noun := l.source(k, end)
	l.to, l.bare = end, true
	link := " of "
	if g == calendar.Week || g == calendar.Weekend {
		link = " in "
	}
	return "the " + noun + link + l.said(g, l.start, l.weekdayNamed())
}

// said writes the unit that begins at a time, with the preposition it needs here.
func (l *dateLeaf) said(g calendar.Granularity, at time.Time, weekday bool) string {
	text, preposition := writtenUnit(at, g, weekday)
	if l.bare || l.led() || l.subject() {
		return text
	}
	return preposition + " " + text
}

// writtenUnit returns the text of a calendar unit and the preposition before it.
func writtenUnit(at time.Time, g calendar.Granularity, weekday bool) (text, preposition string) {
	switch g {
	case calendar.PartOfDay:
		return "the night of " + writtenDay(at, weekday), "on"
	case calendar.Day:
		return writtenDay(at, weekday), "on"
	case calendar.Weekend:
		return "the weekend of " + writtenDay(calendar.StartOf(at, calendar.Weekend), false), "on"
	case calendar.Week:
		return "the week of " + writtenDay(calendar.StartOf(at, calendar.Week), false), "in"
	case calendar.Month:
		return at.Format("January 2006"), "in"
	case calendar.Quarter:
		return calendar.QuarterName(at), "in"
	case calendar.Season:
		start := calendar.StartOf(at, calendar.Season)
		return fmt.Sprintf("the %s of %d", map[time.Month]string{3: "spring", 6: "summer", 9: "autumn", 12: "winter"}[start.Month()], start.Year()), "in"
	case calendar.Year:
		return at.Format("2006"), "in"
	default:
		return fmt.Sprintf("the %ds", at.Year()/10*10), "in"
	}
}

func writtenDay(t time.Time, weekday bool) string {
	if weekday {
		return t.Format("Monday, 2 January 2006")
	}
	return t.Format("2 January 2006")
}

// leads are the words after which a date needs no preposition.
var leads = set(`on in at by since until till til from to through thru before after during over throughout between around about of for
	within spend spent spends spending all take takes took taking`)

// led reports whether such a word stands before the date.
func (l *dateLeaf) led() bool {
	return leads[l.word(l.from-1)] && l.at(l.from-1).kind == wordToken || l.is(l.to, "off")
}

// subject reports whether the sentence is about the date: "Yesterday was great".
func (l *dateLeaf) subject() bool {
	alone := l.from == 0 || l.at(l.from-1).kind == markToken || l.is(l.from-1, "and", "or", "but", "because", "that", "so", "if")
	return alone && (l.is(l.to, "is", "was", "were", "will", "has", "had", "isn't", "wasn't", "won't", "would", "marks", "marked") ||
		l.is(l.to, "'s") && l.is(l.to+1, "going", "been"))
}

// rewriting is a sentence while its dates are replaced.
type rewriting struct {
	*parser
	strings.Builder
	at     int // byte up to which the text has been written
	recurs bool
	holds  temporal.Interval // when the sentence is known to hold
}

// rewrite replaces the dates of one expression, from token i to end.
func (w *rewriting) rewrite(i, end int, e Expression) {
	e = w.agreeing(i, e)
	if w.otherYear(e) {
		return
	}
	var leaves [][2]int
	for k := i; k < end; {
		if next := w.distance(k); next > 0 && next < end {
			k = next
			continue
		}
		if next := w.leafEnd(k, end); next > 0 {
			leaves = append(leaves, [2]int{k, next})
			k = next
			continue
		}
		k++
	}
	placed := !w.recurs && w.tenseAround(i, end) != untold
	for n, leaf := range leaves {
		l := dateLeaf{parser: w.parser, from: leaf[0], to: leaf[1], placed: placed}
		if !l.read() {
			continue
		}
		l.bare = l.from > i && l.is(l.from-1, "and", "to", "-", "or")
		if len(leaves) > 1 && !e.Interval.Start.IsZero() && !e.Interval.End.IsZero() && l.when.gran >= calendar.Day {
			l.bare = true
			l.start = e.Interval.Start
			if n > 0 {
				l.start = e.Interval.End.Add(-time.Second)
			}
		}
		if text := l.resolved(); text != "" {
			from, to := w.toks[l.from].start, w.toks[l.to-1].end
			w.WriteString(w.text[w.at:from] + text)
			w.at = to
		}
	}
}

// agreeing returns an expression, read on the side of the day on which it agrees with the known
// validity. It then leaves the parser on that side, so that the dates in it are read there too.
func (w *rewriting) agreeing(i int, e Expression) Expression {
	if w.holds == (temporal.Interval{}) || w.agrees(e) {
		return e
	}
	was := w.Prefer
	defer func(byTense bool) { w.byTense = byTense }(w.byTense)
	w.byTense = false
	for _, w.Prefer = range [...]Preference{Past, Future} {
		clear(w.dates)
		if other, _ := w.expression(i); other.Kind == Dated && other.Text == e.Text && w.agrees(other) {
			return other
		}
	}
	w.Prefer = was
	clear(w.dates)
	return e
}

// otherYear reports whether an expression, which names no year, is read in another year than the one in
// which the sentence is known to hold: its words are kept.
func (w *rewriting) otherYear(e Expression) bool {
	read, known := e.StatedAs().Start, w.holds.Start
	return !w.agrees(e) && !read.IsZero() && !known.IsZero() && read.Year() != known.Year() && read.Month() == known.Month() && read.Day() == known.Day()
}

// agrees reports whether an expression begins or ends when the known validity does.
func (w *rewriting) agrees(e Expression) bool {
	v := e.StatedAs()
	return !v.Start.IsZero() && v.Start.Equal(w.holds.Start) || !v.End.IsZero() && v.End.Equal(w.holds.End)
}

// distance returns where the date begins before which something is no distance from it, or is as clear
// without being counted: "20 euros a month from May", "for two years from 1 May".
func (w *rewriting) distance(k int) int {
	_, end := w.amount(k)
	if end == 0 {
		return 0
	}
	next := w.phrase(end, "after|from|before|following|prior to?")
	if next == 0 || w.is(next, "now", "today") || !w.is(end, "from") && !w.is(k-1, "for") && !w.rate(k, end) {
		return 0
	}
	return next
}

// rate reports whether the amount from token k to end says how often or for how much: "10 mg a day".
func (w *rewriting) rate(k, end int) bool {
	for j := w.clauseStart(k); j < end-2; j++ {
		if _, number := numberWords[w.word(j)]; number || w.parser.at(j).kind == numberToken || w.is(j, "once", "twice") {
			return w.is(end-2, "a", "an")
		}
	}
	return false
}

// leafEnd returns where the date that begins at token k ends, no further than end.
func (w *rewriting) leafEnd(k, end int) int {
	if _, next := w.date(k); next > 0 && next <= end {
		return next
	}
	return 0
}

// quoted reports whether token i stands between quotation marks.
func (w *rewriting) quoted(i int) bool {
	at := w.toks[i].start
	before, after := w.text[:at], w.text[at:]
	plain := strings.Count(before, `"`)%2 == 1 && strings.Contains(after, `"`)
	return plain || strings.LastIndex(before, "“") > strings.LastIndex(before, "”") || strings.LastIndex(before, "«") > strings.LastIndex(before, "»")
}
