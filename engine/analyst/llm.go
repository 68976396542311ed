package analyst

import (
	"context"
	"fmt"
	"slices"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// llm answers the questions with language models.
type llm struct{ main, small *model.LLM }

// New returns an analyst that asks language models. main extracts and judges; small, which may be
// the same model, writes summaries, names and dates.
func New(main, small *model.LLM) Analyst { return &llm{main: main, small: small} }

// Name returns the main model, as provider:model.
func (a *llm) Name() string { return a.main.Name() }

// Informed marks llm as an analyst that is shown known facts.
func (*llm) Informed() {}

// put asks a question without checking the answer. The step that asked drops references to unknown
// ids, with a trace: they are no reason to ask again.
func put[Answer any](ctx context.Context, llm *model.LLM, p prompts.Prompt) (Answer, error) {
	return model.Ask[Answer](ctx, llm, model.Question(p), nil)
}

func (a *llm) ExtractEntities(ctx context.Context, q prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	return put[prompts.ExtractedEntities](ctx, a.main, q.Prompt())
}

func (a *llm) ReviewEntities(ctx context.Context, q prompts.ReviewEntities) (prompts.ReviewedEntities, error) {
	return put[prompts.ReviewedEntities](ctx, a.main, q.Prompt())
}

func (a *llm) ResolveEntities(ctx context.Context, q prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
	return put[prompts.ResolvedEntities](ctx, a.main, q.Prompt())
}

func (a *llm) ExtractFacts(ctx context.Context, q prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	once := onlyOnce(func(found *prompts.ExtractedFacts) error { return checkListed(len(q.Entities), found.Facts) })
	return model.Ask(ctx, a.main, model.Question(q.Prompt()), func(found *prompts.ExtractedFacts) error {
		if err := checkMessages(len(q.Episode.Window), found.Facts); err != nil {
			return err
		}
		return once(found)
	})
}

// onlyOnce sends an answer back at most once for the faults that check finds. Remaining faults are
// dropped by the step that asked, with a trace.
func onlyOnce[Answer any](check func(*Answer) error) func(*Answer) error {
	asked := false
	return func(answer *Answer) error {
		if asked {
			return nil
		}
		asked = true
		return check(answer)
	}
}

// checkMessages checks that each fact of a window names the message that states it. The dates and
// the source of the fact depend on that.
func checkMessages(window int, facts []prompts.ExtractedFact) error {
	for i, f := range facts {
		if window > 0 && (f.Message < 1 || f.Message > window) {
			return fmt.Errorf("facts[%d].message is %d; it must be the number of the message that states the fact, 1 to %d", i, f.Message, window)
		}
	}
	return nil
}

// checkListed checks that each fact joins two different listed entities.
func checkListed(entities int, facts []prompts.ExtractedFact) error {
	for i, f := range facts {
		switch {
		case f.Source < 1 || f.Source > entities || f.Target < 1 || f.Target > entities:
			return fmt.Errorf("facts[%d] joins %d and %d; both must be numbers of listed entities, 1 to %d", i, f.Source, f.Target, entities)
		case f.Source == f.Target:
			return fmt.Errorf("facts[%d] joins entity %d with itself; a fact joins two different entities", i, f.Source)
		}
	}
	return nil
}

func (a *llm) ResolveFacts(ctx context.Context, q prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	answer, err := model.Ask(ctx, a.main, model.Question(q.Prompt()), onlyOnce(func(r *prompts.ResolvedFacts) error { return checkShown(q, r.Resolutions) }))
	if err == nil && !q.TakesBack {
		for i := range answer.Resolutions {
			endNotRetract(q, &answer.Resolutions[i])
		}
	}
	return answer, err
}

// endNotRetract moves what a fact succeeds from what it retracts to what it contradicts: the text
// takes nothing back, and so the former value held. A plan may be off without having held.
func endNotRetract(q prompts.ResolveFacts, r *prompts.FactResolution) {
	i := slices.IndexFunc(q.Facts, func(f prompts.UnresolvedFact) bool { return f.ID == r.ID })
	if i < 0 {
		return
	}
	succeeds := func(id int) bool {
		return slices.ContainsFunc(q.Existing, func(k prompts.KnownFact) bool {
			return k.ID == id && k.Kind != prompts.Event && !k.Valid.Start.After(q.Episode.OccurredAt) && slices.ContainsFunc(k.Pairs, func(was prompts.Pair) bool {
				return slices.ContainsFunc(q.Facts[i].Pairs, func(is prompts.Pair) bool { return is.Source == was.Source && is.Predicate == was.Predicate })
			})
		})
	}
	for _, id := range r.Retracts {
		if succeeds(id) && !slices.Contains(r.Contradicts, id) {
			r.Contradicts = append(r.Contradicts, id)
		}
	}
	r.Retracts = slices.DeleteFunc(r.Retracts, succeeds)
}

// checkShown checks that an answer refers only to facts that were shown.
func checkShown(q prompts.ResolveFacts, resolutions []prompts.FactResolution) error {
	shown := map[int]bool{}
	for _, k := range q.Existing {
		shown[k.ID] = true
	}
	for _, f := range q.Facts {
		shown[f.ID] = true
	}
	for _, r := range q.Rejected {
		shown[r.ID] = true
	}
	for i, r := range resolutions {
		for _, id := range slices.Concat([]int{r.DuplicateOf}, r.Contradicts, r.Retracts) {
			if id != 0 && !shown[id] {
				return fmt.Errorf("resolutions[%d] names the fact %d, which was not shown", i, id)
			}
		}
	}
	return nil
}

func (a *llm) SummariseEntities(ctx context.Context, q prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	return put[prompts.EntitySummaries](ctx, a.small, q.Prompt())
}

func (a *llm) ExtractDates(ctx context.Context, q prompts.ExtractDates) (prompts.ExtractedDates, error) {
	return put[prompts.ExtractedDates](ctx, a.small, q.Prompt())
}

func (a *llm) SummariseThread(ctx context.Context, q prompts.SummariseThread) (prompts.ThreadSummary, error) {
	return put[prompts.ThreadSummary](ctx, a.small, q.Prompt())
}

func (a *llm) SummariseMembers(ctx context.Context, q prompts.SummariseMembers) (prompts.Summary, error) {
	return put[prompts.Summary](ctx, a.small, q.Prompt())
}

func (a *llm) CombineSummaries(ctx context.Context, q prompts.CombineSummaries) (prompts.Summary, error) {
	return put[prompts.Summary](ctx, a.small, q.Prompt())
}

func (a *llm) NameCommunity(ctx context.Context, q prompts.NameCommunity) (prompts.CommunityName, error) {
	return put[prompts.CommunityName](ctx, a.small, q.Prompt())
}

// WordSkill asks the small model, in one call.
func (a *llm) WordSkill(ctx context.Context, q prompts.WordSkill) (prompts.WordedSkill, error) {
	return model.AskWithin[prompts.WordedSkill](ctx, a.small, model.Question(q.Prompt()), 1, nil)
}

// observingCalls is how many calls one derivation of observations may take.
const observingCalls = 2

// DeriveObservations asks the small model, in at most observingCalls calls.
func (a *llm) DeriveObservations(ctx context.Context, q prompts.DeriveObservations) (prompts.DerivedObservations, error) {
	return model.AskWithin[prompts.DerivedObservations](ctx, a.small, model.Question(q.Prompt()), observingCalls, nil)
}
