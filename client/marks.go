package client

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// Marked is a thing that was marked.
type Marked struct {
	ID    uuid.UUID  `json:"id"`
	Kind  graph.Kind `json:"kind"`  // fact, episode or entity
	Offer string     `json:"offer"` // what may be done next, and was not: withdraw a fact that was found wrong; mostly empty
}

// Mark notes something about 1 to 1000 facts, episodes and entities: all of them, or
// none. expiresAt goes with [graph.MarkExpires] alone, and is a time to come; else it is
// zero.
func (c *Client) Mark(ctx context.Context, groupID string, ids []uuid.UUID, mark graph.Mark, expiresAt time.Time) ([]Marked, error) {
	k := in(http.MethodPost, groupID, "marks")
	k.once = true
	k.body = struct {
		IDs       []uuid.UUID `json:"ids"`
		Mark      graph.Mark  `json:"mark"`
		ExpiresAt string      `json:"expires_at,omitempty"`
	}{ids, mark, written(expiresAt)}
	out, _, err := send[struct {
		Marked []Marked `json:"marked"`
	}](ctx, c, k)
	return out.Marked, err
}
