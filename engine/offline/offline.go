// Package offline reads episodes by rules, without a model: whoever speaks,
// the names in the text, and the plain statements of everyday English
// ("I live in Paris", "we moved to Lisbon last week", "I no longer work at
// Acme"). It is a floor, not a model: what it finds is modest and meant to be
// right; what it does not understand it leaves alone. The episodes themselves
// stay searchable word for word.
//
// An episode is taken apart step by step, one file each: who says what
// to whom (utterance.go), which clauses may state something
// (clause.go), what they correct of each other (amend.go), the several verbs of
// one subject (breath.go), the names (names.go, label.go), each clause as a
// sentence that stands on its own (rewrite.go), its dates (dates.go, opening.go)
// and what it depends on (plans.go), its subject
// (subject.go, pair.go), its verb (verb_phrase.go) and what the verb relates the
// subject to (relations.go, predicate.go, plain_verb.go, belonging.go, charge.go,
// problem.go, noun_phrase.go), things, their values and dates (thing.go, value.go, plans.go), other
// names (alias.go) and what takes back something said before (take_back.go).
package offline

import (
	"context"

	"github.com/annalsdb/annals/prompts"
)

// Analyst is the set of rules. It keeps no state and is safe for concurrent
// use. The zero value is ready to use.
type Analyst struct{}

// New returns the rules.
func New() *Analyst { return &Analyst{} }

// Name says who answers: "offline".
func (*Analyst) Name() string { return "offline" }

// ExtractEntities lists the speaker, the things that facts need at their other
// end and the names in the text. Of a content it reads the first 64 KiB.
// It fails only when the context is done.
func (*Analyst) ExtractEntities(ctx context.Context, q prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ExtractedEntities{}, err
	}
	return prompts.ExtractedEntities{Entities: read(q.Episode).entities()}, nil
}

// ExtractFacts lists the statements whose two ends are among the given
// entities, by name but for case and accents. Of a content it reads the first
// 64 KiB and 400 clauses a speaker. It fails only when the context is done.
func (*Analyst) ExtractFacts(ctx context.Context, q prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ExtractedFacts{}, err
	}
	ids := make(map[string]int, len(q.Entities))
	for _, e := range q.Entities {
		ids[fold(e.Name)] = e.ID
	}
	r := read(q.Episode)
	out := prompts.ExtractedFacts{TakesBack: takesBack(q.Episode.Content) && !r.amended()}
	seen := map[statedFact]bool{}
	for _, s := range r.said {
		for _, c := range s.claims {
			source, target := ids[fold(c.subject)], ids[fold(c.object)]
			key := statedFact{source, target, c.predicate, c.sentence}
			if source == 0 || target == 0 || source == target || seen[key] {
				continue
			}
			seen[key] = true
			out.Facts = append(out.Facts, prompts.ExtractedFact{
				Reason: c.rule, Source: source, Target: target, Predicate: c.predicate, Fact: c.sentence,
				Kind: c.kind, Valid: &c.valid, Ends: c.ends,
			})
		}
	}
	return out, nil
}

// statedFact is what makes two facts of one episode the same.
type statedFact struct {
	source, target      int
	predicate, sentence string
}

// SummariseEntities leaves it to the engine, which keeps the newest statements that
// fit: the rules know no shorter words.
func (*Analyst) SummariseEntities(ctx context.Context, _ prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	return prompts.EntitySummaries{}, ctx.Err()
}

// ReviewEntities has nothing to add: rules see the same however often they look.
func (*Analyst) ReviewEntities(ctx context.Context, _ prompts.ReviewEntities) (prompts.ReviewedEntities, error) {
	return prompts.ReviewedEntities{}, ctx.Err()
}
