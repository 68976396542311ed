package engine

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// llmAnalyst puts the questions to language models.
type llmAnalyst struct{ main, small *model.LLM }

// NewAnalyst reads episodes with language models: main extracts and judges,
// small, which may be the same, writes summaries, names and dates.
func NewAnalyst(main, small *model.LLM) Analyst { return &llmAnalyst{main: main, small: small} }

// Name says who answers, as provider:model.
func (a *llmAnalyst) Name() string { return a.main.Name() }

// put asks a question that is worded already. What an answer says of things
// that are not there is sorted out by the step that asked, with a trace, and
// is no reason to ask again.
func put[Answer any](ctx context.Context, llm *model.LLM, p prompts.Prompt) (Answer, error) {
	return model.Ask[Answer](ctx, llm, model.Question(p), nil)
}

func (a *llmAnalyst) ExtractEntities(ctx context.Context, q prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	return put[prompts.ExtractedEntities](ctx, a.main, q.Prompt())
}

func (a *llmAnalyst) ReviewEntities(ctx context.Context, q prompts.ReviewEntities) (prompts.ReviewedEntities, error) {
	return put[prompts.ReviewedEntities](ctx, a.main, q.Prompt())
}

func (a *llmAnalyst) ResolveEntities(ctx context.Context, q prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
	return put[prompts.ResolvedEntities](ctx, a.main, q.Prompt())
}

func (a *llmAnalyst) ExtractFacts(ctx context.Context, q prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	return model.Ask(ctx, a.main, model.Question(q.Prompt()), func(found *prompts.ExtractedFacts) error {
		return checkMessages(len(q.Episode.Window), found.Facts)
	})
}

// checkMessages makes sure that each fact of a window says which message states
// it: its dates and its source hang on that.
func checkMessages(window int, facts []prompts.ExtractedFact) error {
	for i, f := range facts {
		if window > 0 && (f.Message < 1 || f.Message > window) {
			return fmt.Errorf("facts[%d].message is %d; it must be the number of the message that states the fact, 1 to %d", i, f.Message, window)
		}
	}
	return nil
}

func (a *llmAnalyst) ResolveFacts(ctx context.Context, q prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	return put[prompts.ResolvedFacts](ctx, a.main, q.Prompt())
}

func (a *llmAnalyst) SummariseEntities(ctx context.Context, q prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	return put[prompts.EntitySummaries](ctx, a.small, q.Prompt())
}

func (a *llmAnalyst) ExtractDates(ctx context.Context, q prompts.ExtractDates) (prompts.ExtractedDates, error) {
	return put[prompts.ExtractedDates](ctx, a.small, q.Prompt())
}

func (a *llmAnalyst) SummariseThread(ctx context.Context, q prompts.SummariseThread) (prompts.ThreadSummary, error) {
	return put[prompts.ThreadSummary](ctx, a.small, q.Prompt())
}

func (a *llmAnalyst) SummariseMembers(ctx context.Context, q prompts.SummariseMembers) (prompts.Summary, error) {
	return put[prompts.Summary](ctx, a.small, q.Prompt())
}

func (a *llmAnalyst) CombineSummaries(ctx context.Context, q prompts.CombineSummaries) (prompts.Summary, error) {
	return put[prompts.Summary](ctx, a.small, q.Prompt())
}

func (a *llmAnalyst) NameCommunity(ctx context.Context, q prompts.NameCommunity) (prompts.CommunityName, error) {
	return put[prompts.CommunityName](ctx, a.small, q.Prompt())
}
