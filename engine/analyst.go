package engine

import (
	"context"

	"github.com/annalsdb/annals/engine/community"
	"github.com/annalsdb/annals/prompts"
)

// Analyst reads episodes: it answers the questions of the pipeline that take
// judgement. Everything else is code.
//
// An answer is checked before it is used: ids that name nothing are dropped,
// and the trace says so. An error leaves the episode stored, failed, with the
// error, to be retried. Implementations must be safe for concurrent use.
type Analyst interface {
	// Name says who answers, as provider:model; "offline" for the rules.
	Name() string

	// The questions about an episode, in the order they are asked.
	ExtractEntities(context.Context, prompts.ExtractEntities) (prompts.ExtractedEntities, error)
	ReviewEntities(context.Context, prompts.ReviewEntities) (prompts.ReviewedEntities, error)
	ResolveEntities(context.Context, prompts.ResolveEntities) (prompts.ResolvedEntities, error)
	ExtractFacts(context.Context, prompts.ExtractFacts) (prompts.ExtractedFacts, error)
	ResolveFacts(context.Context, prompts.ResolveFacts) (prompts.ResolvedFacts, error)
	SummariseEntities(context.Context, prompts.SummariseEntities) (prompts.EntitySummaries, error)

	// The dates of a single fact that comes without any; see [Engine.AddTriple].
	ExtractDates(context.Context, prompts.ExtractDates) (prompts.ExtractedDates, error)

	// The questions about many episodes.
	SummariseThread(context.Context, prompts.SummariseThread) (prompts.ThreadSummary, error)
	community.Analyst
}
