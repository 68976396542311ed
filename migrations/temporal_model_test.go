package migrations_test

import (
	"time"
)

// A model of the beliefs, simple enough to be obviously right: every
// transaction appends a copy of the whole world.
type (
	modelFact struct {
		source, target string
		text           string
		from, until    int // days; 0: unbounded
		known          how
	}
	// how the time of a fact is known, as its columns have it.
	how struct {
		kind                                                 string
		fromBasis, fromPrecision, untilBasis, untilPrecision string
		saidAt                                               int    // day; 0: it was made by hand
		boundedBy                                            string // id; empty: none
	}
	modelWorld struct {
		entities map[string]string // id → name
		facts    map[string]modelFact
	}
	belief struct {
		at    time.Time
		world modelWorld
	}
)

func (w modelWorld) clone() modelWorld {
	c := modelWorld{entities: map[string]string{}, facts: map[string]modelFact{}}
	for id, name := range w.entities {
		c.entities[id] = name
	}
	for id, f := range w.facts {
		c.facts[id] = f
	}
	return c
}

// day is a time on the valid axis.
func day(n int) time.Time { return time.Date(2024, 1, n, 0, 0, 0, 0, time.UTC) }

func (f modelFact) holds(at time.Time) bool {
	if f.known.kind == "event" && f.from == 0 { // over, and nobody knows since when
		return false
	}
	return (f.from == 0 || !at.Before(day(f.from))) && (f.until == 0 || at.Before(day(f.until)))
}

func (f modelFact) valid() string {
	bound := func(n int) string {
		if n == 0 {
			return ""
		}
		return day(n).Format(time.RFC3339)
	}
	return "[" + bound(f.from) + "," + bound(f.until) + ")"
}

// inStep returns how the stored time of a fact is known. An open side is
// unknown. A side without a basis was stated to the instant. Only a fact with
// an end, or with an inferred start, names another fact.
func (f modelFact) inStep() modelFact {
	k := &f.known
	k.fromBasis, k.fromPrecision = inStep(f.from, k.fromBasis, k.fromPrecision)
	k.untilBasis, k.untilPrecision = inStep(f.until, k.untilBasis, k.untilPrecision)
	if k.fromBasis != "inferred" && k.untilBasis == "unknown" {
		k.boundedBy = ""
	}
	return f
}

func inStep(end int, basis, precision string) (string, string) {
	switch {
	case end == 0:
		return "unknown", "unknown"
	case basis == "unknown":
		return "stated", "instant"
	}
	return basis, precision
}

// columns returns the values of those columns.
func (k how) columns() []any {
	var saidAt, boundedBy any
	if k.saidAt > 0 {
		saidAt = day(k.saidAt)
	}
	if k.boundedBy != "" {
		boundedBy = k.boundedBy
	}
	return []any{k.kind, k.fromBasis, k.fromPrecision, k.untilBasis, k.untilPrecision, saidAt, boundedBy}
}
