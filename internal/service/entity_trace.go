package service

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// EntityTrace holds the decisions about an entity and its changes by hand.
type EntityTrace struct {
	Marks     *graph.MarksJSON `json:"marks,omitempty" doc:"What is noted about it; left out: nothing"`
	Decisions []Decision       `json:"decisions" doc:"In the episodes that mention it, of which the latest 200 are looked at"`
	Edits     []Edit           `json:"edits" doc:"The oldest first"`
}

const maxTracedMentions = 200

// EntityTrace returns how an entity became what it is: the names with which it was matched, and who
// renamed, merged or split it. It fails with [annals.CodeNotFound] if the entity never existed.
func (s *Service) EntityTrace(ctx context.Context, groupID string, entityID uuid.UUID) (EntityTrace, error) {
	if err := s.admit(groupID); err != nil {
		return EntityTrace{}, err
	}
	q, t := db.New(s.pool), EntityTrace{Decisions: []Decision{}}
	rows, err := q.ExploreDecisionsOfEntity(ctx, db.ExploreDecisionsOfEntityParams{
		GroupID: groupID, EntityID: entityID, MaxEpisodes: maxTracedMentions, MaxRows: maxTracedDecisions,
	})
	if err != nil {
		return t, fmt.Errorf("read what was decided about entity %s: %w", entityID, err)
	}
	for _, d := range rows {
		t.Decisions = append(t.Decisions, Decision{d.EpisodeID, TraceJSON{d.Step, d.Decision, d.Subject, d.Reason, d.EntityID, d.FactID}})
	}
	if t.Marks, err = markedAs(ctx, q, groupID, entityID); err != nil {
		return t, fmt.Errorf("read what is noted about entity %s: %w", entityID, err)
	}
	t.Edits, err = editsOf(ctx, q, groupID, entityID)
	if err == nil && len(t.Decisions)+len(t.Edits) == 0 { // the entity may never have existed
		_, err = s.client.EntityHistory(ctx, groupID, entityID)
	}
	return t, wrap(err, "read who changed an entity")
}
