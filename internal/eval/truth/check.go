package truth

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/temporal"
)

// belief is the content of the graph as known at a time.
type belief struct {
	facts []annals.Fact
	names map[uuid.UUID][]string // of entities
}

// believed reads the graph as of a time in the world, as known at a time. Zero times mean
// all times, and now.
func (p *play) believed(ctx context.Context, at, known time.Time) (belief, error) {
	facts, err := p.client.Facts(ctx, annals.FactFilter{GroupID: p.group, ValidAt: at, KnownAt: known, Limit: annals.MaxRows})
	if err != nil {
		return belief{}, err
	}
	entities, err := p.client.Entities(ctx, annals.EntityFilter{GroupID: p.group, KnownAt: known, Limit: annals.MaxRows})
	if err != nil {
		return belief{}, err
	}
	b := belief{facts: facts, names: map[uuid.UUID][]string{}}
	for _, e := range entities {
		b.names[e.ID] = append([]string{e.Name}, e.Aliases...)
	}
	return b, nil
}

// of returns the facts that a triple names.
func (b belief) of(t Triple) []annals.Fact {
	return b.where(func(f annals.Fact) bool {
		return offline.SamePredicate(f.Predicate, t[1]) && b.called(f.SourceID, t[0]) && b.called(f.TargetID, t[2])
	})
}

// around returns the facts that explain why a triple holds or not: those between its two
// ends, and those of its source and predicate.
func (b belief) around(t Triple) []annals.Fact {
	return b.where(func(f annals.Fact) bool {
		samePair := b.called(f.SourceID, t[0]) && b.called(f.TargetID, t[2]) || b.called(f.SourceID, t[2]) && b.called(f.TargetID, t[0])
		return samePair || offline.SamePredicate(f.Predicate, t[1]) && b.called(f.SourceID, t[0])
	})
}

func (b belief) where(meant func(annals.Fact) bool) []annals.Fact {
	return slices.DeleteFunc(slices.Clone(b.facts), func(f annals.Fact) bool { return !meant(f) })
}

func (b belief) called(id uuid.UUID, name string) bool { return containsFold(b.names[id], name) }

// check compares the graph with every expectation and returns how many it judged. It skips
// expectations as of a message that was read in one window with the next, or in reverse
// order, since no such state existed.
func (p *play) check(ctx context.Context) (judged int, err error) {
	for _, e := range p.Expect {
		var known time.Time
		if n := e.KnownAtMessage; n > 0 && n < len(p.Messages) {
			if n%p.Window != 0 || p.Reverse {
				continue
			}
			known = p.known[n-1]
		}
		b, err := p.believed(ctx, e.At, known)
		if err != nil {
			return judged, err
		}
		for _, holds := range []bool{true, false} {
			triples := e.Not
			if holds {
				triples = e.Holds
			}
			for _, t := range triples {
				judged++
				held := slices.ContainsFunc(b.of(t), func(f annals.Fact) bool { return f.HeldAt(e.At) })
				if held != holds {
					if err := p.explain(ctx, wrong(t, e, held), t, known); err != nil {
						return judged, err
					}
				}
			}
		}
	}
	told, err := p.checkReads(ctx)
	if judged += told; err != nil {
		return judged, err
	}
	for _, h := range p.Happened {
		judged++
		b, err := p.believed(ctx, time.Time{}, time.Time{})
		if err != nil {
			return judged, err
		}
		exactly := func(f annals.Fact) bool { return f.Valid.Start.Equal(h.From.Time) && f.Valid.End.Equal(h.To.Time) }
		if !slices.ContainsFunc(b.of(h.Fact), exactly) {
			what := fmt.Sprintf("%s must have happened in [%s, %s)", h.Fact, moment(h.From.Time), moment(h.To.Time))
			if err := p.explain(ctx, what, h.Fact, time.Time{}); err != nil {
				return judged, err
			}
		}
	}
	return judged, nil
}

// checkReads compares the wording of facts as of a time. A plan that is open or
// unconfirmed then must also be listed as of that time.
func (p *play) checkReads(ctx context.Context) (judged int, err error) {
	for _, e := range p.Expect {
		if len(e.Reads) == 0 || e.KnownAtMessage > 0 {
			continue
		}
		all, err := p.believed(ctx, time.Time{}, time.Time{})
		if err != nil {
			return judged, err
		}
		then, err := p.believed(ctx, e.At, time.Time{})
		if err != nil {
			return judged, err
		}
		for _, r := range e.Reads {
			judged++
			listed := all
			if strings.Contains(r.When, "planned") {
				listed = then
			}
			reads := func(f annals.Fact) bool { return f.When(e.At) == r.When && (r.Told == "" || f.Told() == r.Told) }
			if facts := listed.of(r.Fact); len(facts) == 0 || !slices.ContainsFunc(facts, reads) {
				what := fmt.Sprintf("%s must read %q as of %s, and does not", r.Fact, strings.TrimSpace(r.When+" "+r.Told), moment(e.At))
				if err := p.explain(ctx, what, r.Fact, time.Time{}); err != nil {
					return judged, err
				}
			}
		}
	}
	return judged, nil
}

func wrong(t Triple, e Expectation, held bool) string {
	what := fmt.Sprintf("%s must hold at %s, and does not", t, moment(e.At))
	if held {
		what = fmt.Sprintf("%s must not hold at %s, but does", t, moment(e.At))
	}
	if e.KnownAtMessage > 0 {
		what += fmt.Sprintf(" (as known after message %d)", e.KnownAtMessage)
	}
	return what
}

// explain records a failure with the graph's related facts.
func (p *play) explain(ctx context.Context, what string, t Triple, known time.Time) error {
	b, err := p.believed(ctx, time.Time{}, known)
	if err != nil {
		return err
	}
	var says []string
	for _, f := range b.around(t) {
		says = append(says, describe(f))
	}
	if len(b.of(t)) == 0 {
		since, err := p.lastBelieved(ctx, t)
		if err != nil {
			return err
		}
		says = append(says, since)
	}
	p.fail(what, says...)
	return nil
}

func (p *play) fail(what string, says ...string) {
	p.failures = append(p.failures, Failure{What: what, Graph: says})
}

// lastBelieved describes after which message a triple was last believed.
func (p *play) lastBelieved(ctx context.Context, t Triple) (string, error) {
	for n, known := range slices.Backward(p.known) {
		b, err := p.believed(ctx, time.Time{}, known)
		if err != nil {
			return "", err
		}
		if facts := b.of(t); len(facts) > 0 {
			return fmt.Sprintf("%s was believed up to message %d: %s", t, n+1, describe(facts[0])), nil
		}
	}
	return fmt.Sprintf("no fact %s was ever in the graph", t), nil
}

// describe formats a fact with its time and how that is known.
func describe(f annals.Fact) string {
	return fmt.Sprintf("%s %s %s, %s %s, start %s, end %s: %q",
		f.Source, f.Predicate, f.Target, f.Kind, f.Valid.Interval, basis(f.Valid.From), basis(f.Valid.Until), f.Fact)
}

func basis(b temporal.Bound) string {
	switch b.Basis {
	case temporal.NotKnown:
		return "unknown"
	case temporal.Said:
		return "said"
	}
	return fmt.Sprintf("%s (%s)", b.Basis, b.Precision)
}

// moment formats a time, without the time of day if that is midnight.
func moment(t time.Time) string {
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.UTC().Format("2006-01-02 15:04")
}
