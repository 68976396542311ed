package service

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/telemetry"
)

type (
	// NotedMark is a stored mark with its history.
	NotedMark = edit.NotedMark
	// MarkFilter selects marks of a group.
	MarkFilter = edit.MarkFilter
)

// MarkChange sets a mark on facts, episodes, entities and skills.
type MarkChange struct {
	IDs       []uuid.UUID // 1 to 1000
	Mark      graph.Mark
	ExpiresAt time.Time // set with [graph.MarkExpires]
}

// Mark marks facts, episodes, entities and skills: all of them, or none. Marks are recorded, can be
// ended, and show in queries as of a time. A fact that is to expire is removed from the summaries
// and observations that rest on it. A fact that is marked wrong stays believed: MarkedJSON.Offer
// then suggests withdrawing it.
func (s *Service) Mark(ctx context.Context, groupID string, change MarkChange) ([]MarkedJSON, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	if n := len(change.IDs); n == 0 || n > graph.MaxMarked {
		return nil, graph.Invalid("ids", "are %d; name 1 to %d facts, episodes, entities or skills", n, graph.MaxMarked)
	}
	marked, err := edited(ctx, s, telemetry.UpdateMemory, groupID, telemetry.Several, func(ctx context.Context) ([]edit.Marked, error) {
		return s.engine.Mark(ctx, groupID, change.IDs, change.Mark, change.ExpiresAt)
	})
	if err != nil {
		return nil, err
	}
	return each.Of(marked, func(m edit.Marked) MarkedJSON {
		out := MarkedJSON{ID: m.ID, Kind: m.Kind}
		if m.Kind == graph.KindFact && change.Mark == graph.MarkWrong {
			out.Offer = "withdraw"
		}
		return out
	}), nil
}

// Marks lists marks, including those that were ended, the latest first.
func (s *Service) Marks(ctx context.Context, f MarkFilter) ([]NotedMark, error) {
	return bounded(s, f.GroupID, &f.Limit, func() ([]NotedMark, error) { return s.engine.Marks(ctx, f) })
}

// markedAs returns the marks that something has now; nil: none.
func markedAs(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID) (*graph.MarksJSON, error) {
	marks, err := q.Marks(ctx, groupID, nil, []uuid.UUID{id})
	return marks[id].JSON(), err
}

// MarkedJSON is something that was marked.
type MarkedJSON struct {
	ID    uuid.UUID  `json:"id" format:"uuid"`
	Kind  graph.Kind `json:"kind" enum:"fact,episode,entity,skill"`
	Offer string     `json:"offer,omitempty" doc:"What may be done next, and was not: withdraw a fact that was found wrong"`
}
