package client

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

// Marked is a thing that was marked.
type Marked struct {
	ID    uuid.UUID  `json:"id"`
	Kind  graph.Kind `json:"kind"`  // fact, episode, entity or skill
	Offer string     `json:"offer"` // what may be done next, and was not: withdraw a fact that was found wrong; mostly empty
}

// Mark notes something about 1 to 1000 facts, episodes, entities and skills: all of them, or
// none. expiresAt goes with [graph.MarkExpires] alone, and is a time to come; else it is
// zero.
func (c *Client) Mark(ctx context.Context, groupID string, ids []uuid.UUID, mark graph.Mark, expiresAt time.Time) ([]Marked, error) {
	change := input.MarkChange{IDs: texts(ids), Mark: mark}
	if !expiresAt.IsZero() {
		change.ExpiresAt = expiresAt.UTC().Format(time.RFC3339Nano)
	}
	return list(ctx, c, in(http.MethodPost, groupID, "marks").saying(change).doing(), "marked", itself[Marked])
}
