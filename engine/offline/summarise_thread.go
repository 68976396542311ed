package offline

import (
	"context"

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
