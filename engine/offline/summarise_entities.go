package offline

import (
	"context"
	"strings"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/annalsdb/annals/prompts"
)

// SummariseEntities keeps the latest sentences that fit the limit, each once.
func (*Analyst) SummariseEntities(ctx context.Context, q prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	if err := ctx.Err(); err != nil {
		return prompts.EntitySummaries{}, err
	}
	var out prompts.EntitySummaries
	for _, e := range q.Entities {
		var all []string
		for segments := sentences.FromString(e.Summary); segments.Next(); {
			all = append(all, strings.TrimSpace(segments.Value()))
		}
		out.Summaries = append(out.Summaries, prompts.EntitySummary{ID: e.ID, Summary: latest(append(all, e.NewFacts...), e.Limit)})
	}
	return out, nil
}

func latest(sentences []string, limit int) string {
	var kept []string
	seen := map[string]bool{}
	length := 0
	for i := len(sentences) - 1; i >= 0; i-- {
		s := sentences[i]
		if s == "" || seen[s] {
			continue
		}
		if length += len(s) + 1; length > limit+1 {
			break
		}
		seen[s] = true
		kept = append([]string{s}, kept...)
	}
	return strings.Join(kept, " ")
}
