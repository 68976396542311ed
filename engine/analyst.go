package engine

import (
	"context"

	"github.com/annalsdb/annals/prompts"
)

// Analyst reads episodes: it answers the five questions of the pipeline that
// take judgement. Everything else is code.
//
// An answer is checked before it is used: ids that name nothing are dropped.
// An error leaves the episode stored, failed, with the error, to be retried.
// Implementations must be safe for concurrent use.
type Analyst interface {
	// Name says who answers, as provider:model; "offline" for the rules.
	Name() string

	ExtractEntities(context.Context, prompts.ExtractEntities) (prompts.ExtractedEntities, error)
	ResolveEntities(context.Context, prompts.ResolveEntities) (prompts.ResolvedEntities, error)
	ExtractFacts(context.Context, prompts.ExtractFacts) (prompts.ExtractedFacts, error)
	ResolveFacts(context.Context, prompts.ResolveFacts) (prompts.ResolvedFacts, error)
	SummariseEntities(context.Context, prompts.SummariseEntities) (prompts.EntitySummaries, error)
}
