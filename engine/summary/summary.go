// Package summary makes the summary of an entity from the facts about it that hold. It is
// made anew in the transaction in which one of them comes, changes or goes, and keeps
// nothing of the summary before but what a person wrote. So it tells of nothing that has
// ended, was taken back, is disputed or is to expire. A model shortens it where the facts
// are too many; that summary gains new facts while there is room, and is replaced when
// any fact of the entity changes.
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
	MaxFacts = 40  // that a summary is made of
)

// Account is what a summary may tell of an entity.
type Account struct {
	Written string       // by hand
	Facts   []graph.Fact // the newest change first
	Lines   []string     // what they say, each once
}

// Of puts facts into the order in which a summary tells them: what holds or is
// planned, then what happened; of both the latest first. What is as late stands in
// alphabetical order, so that a graph that is made again tells the same. States that have
// ended are left out.
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

// began is when a fact began, or when it was told where nobody knows.
func began(f graph.Fact) time.Time {
	return cmp.Or(f.Valid.Start, f.Valid.End, f.SaidAt, f.CreatedAt)
}

// Fits reports whether a summary has room for all of it.
func (a Account) Fits() bool { return len(strings.Join(a.Lines, " ")) <= Limit }

// Shortened keeps whole statements up to the limit, and the newest in any case.
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

// Text is the summary that tells it: what was written by hand stands in front.
func (a Account) Text() string {
	return strings.TrimSpace(a.Written + " " + strings.Join(a.Lines, " "))
}
