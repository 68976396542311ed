package engine

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/graph"
)

// The summary of an entity is made anew, from the facts about it that hold, whenever
// one of them comes, changes or goes, and in the same transaction. Nothing of the
// summary before is carried over but what a person wrote. So nothing is left in it that
// has ended, was taken back, is disputed or is to expire. What a model wrote, where
// there is more to tell than fits, need not record what it rests on: new facts are added
// to it where there is room, and when any fact of the entity changes it is replaced.

// The most facts that a summary is made of.
const maxTold = 40

// account is what a summary may tell of an entity.
type account struct {
	written string       // by hand
	facts   []graph.Fact // the newest change first
	lines   []string     // what they say, each once
}

// accountOf puts facts into the order in which a summary tells them: what holds or is
// planned, then what happened; of both the latest first. What is as late stands in
// alphabetical order, so that a graph that is made again tells the same. States that have
// ended are left out.
func accountOf(written string, facts []graph.Fact, at time.Time) account {
	a := account{written: written}
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
		a.facts, a.lines = append(a.facts, f), append(a.lines, line)
	}
	return a
}

// began is when a fact began, or when it was told where nobody knows.
func began(f graph.Fact) time.Time {
	return cmp.Or(f.Valid.Start, f.Valid.End, f.SaidAt, f.CreatedAt)
}

// fits reports whether a summary has room for all of it.
func (a account) fits() bool { return len(strings.Join(a.lines, " ")) <= DefaultSummaryLimit }

// shortened keeps whole statements up to the limit, and the newest in any case.
func (a account) shortened() account {
	short := account{written: a.written}
	room := DefaultSummaryLimit
	for i, line := range a.lines {
		if i == 0 || len(line) <= room {
			short.facts, short.lines = append(short.facts, a.facts[i]), append(short.lines, line)
			room -= len(line) + 1
		}
	}
	return short
}

// text is the summary that tells it: what was written by hand stands in front.
func (a account) text() string {
	return strings.TrimSpace(a.written + " " + strings.Join(a.lines, " "))
}

// forget drops what was written of an entity by hand where it may tell of a fact that
// is not to be told any more: it names the other end.
func (n *node) forget(f graph.Fact) {
	other := f.Target
	if n.ID == f.TargetID {
		other = f.Source
	}
	if n.written != "" && strings.Contains(bareWords(n.written), bareWords(other)) {
		n.written, n.changed = "", true
	}
}

func (n *node) setSummary(s string) {
	if s != n.Summary {
		n.Summary = s
		n.changed = true
	}
}
