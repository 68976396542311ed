package client

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

// Marked is the result of marking a fact, an episode, an entity or a skill.
type Marked struct {
	ID    uuid.UUID  `json:"id"`
	Kind  graph.Kind `json:"kind"`  // fact, episode, entity or skill
	Offer string     `json:"offer"` // a next step that was not taken, such as withdrawing a fact that was marked wrong; mostly empty
}

// Mark marks 1 to 1000 facts, episodes, entities and skills, all or none. expiresAt is
// required for [graph.MarkExpires], must lie in the future, and is otherwise zero.
func (c *Client) Mark(ctx context.Context, groupID string, ids []uuid.UUID, mark graph.Mark, expiresAt time.Time) ([]Marked, error) {
	change := input.MarkChange{IDs: texts(ids), Mark: mark}
	if !expiresAt.IsZero() {
		change.ExpiresAt = expiresAt.UTC().Format(time.RFC3339Nano)
	}
	return list(ctx, c, in(http.MethodPost, groupID, "marks").saying(change).doing(), "marked", itself[Marked])
}
