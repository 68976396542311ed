// Package summary makes the summary of an entity from the facts about it that hold. The summary is
// remade in the transaction in which one of these facts comes, changes or goes. Of the old summary
// only text that a person wrote is kept. So a summary does not tell facts that have ended, were
// retracted, are disputed or will expire. If the facts are too many, a model shortens it. Such a
// summary gains new facts while there is room, and is replaced when any fact of the entity changes.
package summary

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/graph"
)

// The bounds of a summary.
const (
	Limit    = 500 // bytes of a summary
	MaxFacts = 40  // the most facts that a summary is made from
)

// Account is the content of a summary.
type Account struct {
	Written string       // by hand
	Facts   []graph.Fact // the newest change first
	Lines   []string     // the sentences of the facts, each once
}

// Of orders facts for a summary: first what holds or is planned, then what happened, each with the
// latest first. Facts of the same time are in alphabetical order, so that a rebuilt graph has the
// same summaries. Ended states are left out.
func Of(written string, facts []graph.Fact, at time.Time) Account {
	a := Account{Written: written}
	past := func(f graph.Fact) int {
		if f.Kind == graph.FactEvent && !f.Valid.Start.After(at) {
			return 1
		}
		return 0
	}
	ordered := slices.SortedStableFunc(slices.Values(facts), func(x, y graph.Fact) int {
		return cmp.Or(past(x)-past(y), began(y).Compare(began(x)), y.SaidAt.Compare(x.SaidAt), cmp.Compare(x.Fact, y.Fact))
	})
	seen := map[string]bool{}
	for _, f := range ordered {
		line := f.Dated(at)
		if f.Ended(at) || line == "" || seen[strings.ToLower(line)] || strings.Contains(written, line) {
			continue
		}
		seen[strings.ToLower(line)] = true
		a.Facts, a.Lines = append(a.Facts, f), append(a.Lines, line)
	}
	return a
}

// began returns when a fact began, or when it was said if that is unknown.
func began(f graph.Fact) time.Time {
	return cmp.Or(f.Valid.Start, f.Valid.End, f.SaidAt, f.CreatedAt)
}

// Fits reports whether all lines fit into a summary.
func (a Account) Fits() bool { return len(strings.Join(a.Lines, " ")) <= Limit }

// Shortened keeps whole statements up to the limit, and always the first.
func (a Account) Shortened() Account {
	short := Account{Written: a.Written}
	room := Limit
	for i, line := range a.Lines {
		if i == 0 || len(line) <= room {
			short.Facts, short.Lines = append(short.Facts, a.Facts[i]), append(short.Lines, line)
			room -= len(line) + 1
		}
	}
	return short
}

// Text returns the summary: the text written by hand, then the lines.
func (a Account) Text() string {
	return strings.TrimSpace(a.Written + " " + strings.Join(a.Lines, " "))
}
