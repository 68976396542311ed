package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// resolveFacts finds out which of the new facts are known already and which
// known facts they contradict, in one question for all of them.
func (e *Engine) resolveFacts(ctx context.Context, d *draft) error {
	d.placeFacts()
	if len(d.facts) == 0 {
		return nil
	}
	rivals, err := e.findRivals(ctx, d)
	if err != nil {
		return err
	}
	question := prompts.ResolveFacts{Episode: d.input}
	for _, k := range d.known {
		question.Existing = append(question.Existing, knownPrompt(len(question.Existing)+1, k))
	}
	for i, f := range d.facts {
		if f.duplicateOf = verbatim(f, rivals[i], d.episode.OccurredAt); f.duplicateOf == nil && len(rivals[i]) > 0 {
			question.Facts = append(question.Facts, d.unresolved(i, rivals[i]))
		}
	}
	if len(question.Facts) == 0 {
		return nil
	}
	answer, err := e.analyst.ResolveFacts(ctx, question)
	if err != nil {
		return analysed(ctx, "resolve facts", err)
	}
	d.judge(answer.Resolutions, rivals)
	return nil
}

// placeFacts puts the statements between the resolved nodes. Two names of one
// statement may have turned out to mean the same entity: then nothing is left
// of it.
func (d *draft) placeFacts() {
	d.facts, d.known = nil, nil
	for _, s := range d.statements {
		source, target := d.nodes[s.Source-1], d.nodes[s.Target-1]
		if source != target {
			d.facts = append(d.facts, &newFact{statement: s, id: newID(), source: source, target: target})
		}
	}
}

// rival is a known fact as one new fact sees it.
type rival struct {
	fact     *knownFact
	place    int // in the draft's known facts, from 1
	samePair bool
}

// findRivals reads the known facts that each new one must be compared with.
func (e *Engine) findRivals(ctx context.Context, d *draft) ([][]rival, error) {
	params := make([]db.FactRivalsParams, len(d.facts))
	for i, f := range d.facts {
		params[i] = db.FactRivalsParams{
			GroupID: d.episode.GroupID, SourceID: f.source.ID, TargetID: f.target.ID, Predicate: f.Predicate,
			Model: e.embedder.Name(), Embedding: db.Vector(f.vector), MaxRows: DefaultFactCandidates,
		}
	}
	places := map[uuid.UUID]int{}
	rivals := make([][]rival, len(d.facts))
	var failure error
	db.New(e.pool).FactRivals(ctx, params).Query(func(i int, rows []db.FactRivalsRow, err error) {
		if err != nil && failure == nil {
			failure = fmt.Errorf("find the facts to compare with: %w", err)
		}
		for _, row := range rows {
			if places[row.ID] == 0 {
				d.known = append(d.known, known(d.episode.GroupID, row))
				places[row.ID] = len(d.known)
			}
			place := places[row.ID]
			rivals[i] = append(rivals[i], rival{fact: d.known[place-1], place: place, samePair: row.SamePair})
		}
	})
	return rivals, failure
}

func known(groupID string, row db.FactRivalsRow) *knownFact {
	valid := db.Interval(row.Valid)
	return &knownFact{valid: valid, ends: row.Ends, Fact: graph.Fact{
		GroupID: groupID, ID: row.ID, SourceID: row.SourceID, TargetID: row.TargetID, Source: row.Source, Target: row.Target,
		Predicate: row.Predicate, Fact: row.Fact, Valid: valid, Recorded: db.Interval(row.Recorded),
	}}
}

func knownPrompt(id int, k *knownFact) prompts.KnownFact {
	return prompts.KnownFact{
		ID: id, Source: k.Source, Target: k.Target, Predicate: k.Predicate, Fact: k.Fact.Fact,
		ValidAt: db.Nullable(k.Valid.Start), InvalidAt: db.Nullable(k.Valid.End),
	}
}

// unresolved is the i-th new fact as the analyst is asked about it.
func (d *draft) unresolved(i int, rivals []rival) prompts.UnresolvedFact {
	f := d.facts[i]
	u := prompts.UnresolvedFact{Ends: f.Ends, KnownFact: prompts.KnownFact{
		ID: i + 1, Source: f.source.Name, Target: f.target.Name, Predicate: f.Predicate, Fact: f.Fact,
		ValidAt: f.ValidAt, InvalidAt: f.InvalidAt,
	}}
	for _, r := range rivals {
		if r.samePair {
			u.SamePair = append(u.SamePair, r.place)
		} else {
			u.Rivals = append(u.Rivals, r.place)
		}
	}
	return u
}

// verbatim finds the known fact that says the same in the same words. The same
// sentence with a date in it, said of another time, is another event.
func verbatim(f *newFact, rivals []rival, ref time.Time) *knownFact {
	claimed := f.claimed(ref)
	for _, r := range rivals {
		if !r.samePair || f.Ends || !strings.EqualFold(r.fact.Fact.Fact, f.Fact) || !stillHolds(r.fact, claimed) {
			continue
		}
		if len(temporal.Find(f.Fact, ref)) == 0 || r.fact.Valid.Start.Equal(claimed.Start) {
			return r.fact
		}
	}
	return nil
}

// stillHolds reports whether a known fact may be what a new one repeats: one
// that ended before and becomes true again is a new fact.
func stillHolds(k *knownFact, claimed temporal.Interval) bool { return k.Valid.Overlaps(claimed) }

// judge takes over what the analyst found. A duplicate must be of the same
// pair, and what is contradicted must be among what was shown.
func (d *draft) judge(resolutions []prompts.FactResolution, rivals [][]rival) {
	for _, r := range resolutions {
		if r.ID < 1 || r.ID > len(d.facts) {
			continue
		}
		f := d.facts[r.ID-1]
		for _, seen := range rivals[r.ID-1] {
			switch {
			case seen.place == r.DuplicateOf && seen.samePair && stillHolds(seen.fact, f.claimed(d.episode.OccurredAt)):
				f.duplicateOf = seen.fact
			case slices.Contains(r.Contradicts, seen.place):
				f.contradicts = append(f.contradicts, seen.fact)
			}
		}
	}
}
