// Package offline reads episodes by rules, without a model. It finds the speakers, the names in the
// text, and plain statements of everyday English ("I live in Paris", "we moved to Lisbon last
// week", "I no longer work at Acme"). It is a floor, not a model: it finds little, aims to be
// right, and ignores what it does not understand. The episodes themselves stay searchable word for
// word.
//
// An episode is read in steps, one file each: who says what to whom (utterance.go), which clauses
// may make a statement (clause.go), which of them correct others (amend.go), several verbs of one
// subject (breath.go), names (names.go, label.go), each clause as a sentence of its own
// (rewrite.go), dates (dates.go, opening.go), conditions (plans.go), the subject (subject.go,
// pair.go), the verb (verb_phrase.go) and what it relates the subject to (relations.go,
// predicate.go, plain_verb.go, belonging.go, charge.go, problem.go, noun_phrase.go), things with
// their values and dates (thing.go, value.go, plans.go), aliases (alias.go), and retractions
// (take_back.go).
package offline

import (
	"context"

	"github.com/annalsdb/annals/prompts"
)

// Analyst applies the rules. It keeps no state and is safe for concurrent use. The zero value is
// ready to use.
type Analyst struct{}

// New returns the rules.
func New() *Analyst { return &Analyst{} }

// Name returns "offline".
func (*Analyst) Name() string { return "offline" }

// ExtractEntities returns the speaker, the objects of facts and the names in the text. It reads the
// first 64 KiB of a content. It fails only when the context is done.
func (*Analyst) ExtractEntities(ctx context.Context, q prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ExtractedEntities{}, err
	}
	return prompts.ExtractedEntities{Entities: read(q.Episode).entities()}, nil
}

// ExtractFacts returns the statements whose two ends are among the given entities, by name,
// ignoring case and accents. It reads the first 64 KiB of a content and 400 clauses of a speaker.
// It fails only when the context is done.
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

// statedFact is the identity of a fact within an episode.
type statedFact struct {
	source, target      int
	predicate, sentence string
}

// SummariseEntities returns no summaries: the rules cannot shorten text. The engine then keeps the
// newest statements that fit.
func (*Analyst) SummariseEntities(ctx context.Context, _ prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	return prompts.EntitySummaries{}, ctx.Err()
}

// ReviewEntities returns nothing: a second look by rules finds the same.
func (*Analyst) ReviewEntities(ctx context.Context, _ prompts.ReviewEntities) (prompts.ReviewedEntities, error) {
	return prompts.ReviewedEntities{}, ctx.Err()
}
