package offline

import (
	"context"
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// SummariseThread keeps the latest plain statements of the conversation that
// fit the limit, each once.
func (*Analyst) SummariseThread(ctx context.Context, q prompts.SummariseThread) (prompts.ThreadSummary, error) {
	all := sentencesOf(q.Summary)
	for _, m := range q.Messages {
		if err := ctx.Err(); err != nil {
			return prompts.ThreadSummary{}, err
		}
		for _, s := range read(prompts.Episode{
			Source: string(graph.SourceMessage), Speaker: m.Speaker, Content: m.Content, OccurredAt: m.OccurredAt,
		}).said {
			for _, c := range s.claims {
				all = append(all, c.sentence)
			}
		}
	}
	return prompts.ThreadSummary{Summary: latest(all, q.Limit)}, nil
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
