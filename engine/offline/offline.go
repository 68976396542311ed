// Package offline reads episodes by rules, without a model: whoever speaks,
// the names in the text, and the plain statements of everyday English
// ("I live in Paris", "we moved to Lisbon last week", "I no longer work at
// Acme"). It is a floor, not a model: what it finds is modest and meant to be
// right; what it does not understand it leaves alone. The episodes themselves
// stay searchable word for word.
package offline

import (
	"context"

	"github.com/annalsdb/annals/prompts"
)

// Analyst is the set of rules. It keeps no state and is safe for concurrent use.
type Analyst struct{}

// New returns the rules.
func New() *Analyst { return &Analyst{} }

// Name says who answers.
func (*Analyst) Name() string { return "offline" }

// ExtractEntities lists the speaker, the names in the text and the things its
// facts need at their other end.
func (*Analyst) ExtractEntities(ctx context.Context, q prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ExtractedEntities{}, err
	}
	return prompts.ExtractedEntities{Entities: read(q.Episode).entities()}, nil
}

// ExtractFacts lists the statements whose two ends are among the given entities.
func (*Analyst) ExtractFacts(ctx context.Context, q prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ExtractedFacts{}, err
	}
	ids := make(map[string]int, len(q.Entities))
	for _, e := range q.Entities {
		ids[fold(e.Name)] = e.ID
	}
	var out prompts.ExtractedFacts
	for _, c := range read(q.Episode).claims {
		source, target := ids[fold(c.subject)], ids[fold(c.object)]
		if source == 0 || target == 0 || source == target {
			continue
		}
		out.Facts = append(out.Facts, prompts.ExtractedFact{
			Reason: c.rule, Source: source, Target: target, Predicate: c.predicate, Fact: c.sentence,
			ValidAt: c.from, InvalidAt: c.until, Ends: c.ends,
		})
	}
	return out, nil
}
