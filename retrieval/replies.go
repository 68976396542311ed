package retrieval

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval/prose"
)

// readReplies reads what short messages answer. A search that is narrowed adds
// nothing that was not found.
func (v *view) readReplies(ctx context.Context, hits []EpisodeHit) error {
	var short []uuid.UUID
	for _, h := range hits {
		if h.ThreadID != "" && prose.NeedsQuestion(h.Content) {
			short = append(short, h.ID)
		}
	}
	if v.narrows(graph.KindEpisode) || len(short) == 0 {
		return nil
	}
	around := surroundings{}
	if err := v.readContexts(ctx, around, short, false, true); err != nil {
		return err
	}
	var before []uuid.UUID
	for _, row := range around {
		if row.Previous != uuid.Nil {
			before = append(before, row.Previous)
		}
	}
	questions, err := v.readEpisodes(ctx, before)
	if err != nil {
		return err
	}
	for i, h := range hits {
		row, short := around[h.ID]
		if !short {
			continue
		}
		asked, known := questions[row.Previous]
		if known && answersTo(h.Episode, asked) {
			hits[i].ReplyTo = &asked
		}
	}
	return nil
}

// answersTo reports whether a message may answer the one before it.
func answersTo(e, before graph.Episode) bool {
	return before.ThreadID == e.ThreadID && before.Speaker() != e.Speaker() && prose.LastQuestion(before.Content) != ""
}
