package dates

import (
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// rewriting is a sentence while its dates are replaced.
type rewriting struct {
	*parser
	strings.Builder
	at     int // byte up to which the text is written
	recurs bool
	holds  temporal.Interval // when it is known to hold
}

// rewrite replaces the dates of one expression, that from token i to end.
func (w *rewriting) rewrite(i, end int, e Expression) {
	e = w.agreeing(i, e)
	var leaves [][2]int
	for k := i; k < end; {
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

// agreeing is an expression on that side of the day it was said on which it agrees
// with what is known. The dates in it are read on that side then.
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

// agrees reports whether an expression begins or ends as what is known does.
func (w *rewriting) agrees(e Expression) bool {
	v := e.StatedAs()
	return !v.Start.IsZero() && v.Start.Equal(w.holds.Start) || !v.End.IsZero() && v.End.Equal(w.holds.End)
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
