package graph

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/temporal"
)

// Dated is what the fact says, as a sentence for a summary: its [Fact.Told] with the
// words of [Fact.When] behind it, "Kim lives in Lisbon (since March 2024)." A sentence
// that names this time already is as it is, and when something was said is no date of
// it.
func (f Fact) Dated(reading time.Time) string {
	told := strings.TrimSpace(f.Told())
	said, stop := cutStop(told)
	if f.hasDate() && !f.namesDate(told, reading) {
		said += " (" + f.When(reading) + ")"
	}
	return said + stop
}

// cutStop cuts a sentence into what it says and its final stop. One without gets one,
// so that it can be told from its neighbours.
func cutStop(sentence string) (said, stop string) {
	said = strings.TrimRightFunc(sentence, func(r rune) bool { return unicode.Is(unicode.STerm, r) })
	switch said {
	case "":
		return sentence, ""
	case sentence:
		return said, "."
	}
	return said, sentence[len(said):]
}

// hasDate reports whether more is known of when the fact holds than when it was said.
func (f Fact) hasDate() bool {
	known := func(b temporal.Bound) bool { return b.Dated() || b.Basis == temporal.Inferred }
	return known(f.Valid.From) || known(f.Valid.Until)
}

// namesDate reports whether a sentence names when an event happened, when a state
// began, or, of a state that has an end, when it ends: later that is what matters.
func (f Fact) namesDate(sentence string, reading time.Time) bool {
	if !strings.ContainsAny(sentence, "0123456789") {
		return false
	}
	if !f.SaidAt.IsZero() {
		reading = f.SaidAt
	}
	return slices.ContainsFunc(dates.Find(sentence, reading), func(e dates.Expression) bool {
		v := e.StatedAs()
		begins, ends := v.Start.Equal(f.Valid.Start) && !v.Start.IsZero(), v.End.Equal(f.Valid.End) && !v.End.IsZero()
		return ends || begins && (f.Kind == FactEvent || f.Valid.End.IsZero())
	})
}
