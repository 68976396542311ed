package offline

import (
	"context"
	"slices"
	"strings"

	"github.com/annalsdb/annals/prompts"
)

// SummariseEntities keeps the latest sentences that fit the limit, each once.
func (*Analyst) SummariseEntities(ctx context.Context, q prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	if err := ctx.Err(); err != nil {
		return prompts.EntitySummaries{}, err
	}
	var out prompts.EntitySummaries
	for _, e := range q.Entities {
		all := append(sentencesOf(e.Summary), e.NewFacts...)
		out.Summaries = append(out.Summaries, prompts.EntitySummary{ID: e.ID, Summary: latest(all, e.Limit)})
	}
	return out, nil
}

// latest keeps the last sentences that fit, in their order. A sentence that is
// too long by itself is passed over.
func latest(sentences []string, limit int) string {
	var kept []string
	seen := map[string]bool{}
	length := -1 // no space before the first
	for _, s := range slices.Backward(sentences) {
		s = strings.TrimSpace(s)
		if s == "" || seen[fold(s)] || len(s) > limit {
			continue
		}
		if length += 1 + len(s); length > limit {
			break
		}
		seen[fold(s)] = true
		kept = append(kept, s)
	}
	slices.Reverse(kept)
	return strings.Join(kept, " ")
}
