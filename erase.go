package annals

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
)

type (
	// Erasure says what to remove for good.
	Erasure = engine.Erasure
	// Certificate says what was erased, and holds nothing of it.
	Certificate = engine.Certificate
)

// Erase removes every trace of a group, a user, episodes or an entity from all
// tables, and leaves keyed hashes by which they are refused when they come
// again; see [Episode.Force]. Nothing can bring it back.
func (c *Client) Erase(ctx context.Context, what Erasure) (Certificate, error) {
	if err := c.admit(cmp.Or(what.GroupID, what.UserID)); err != nil {
		return Certificate{}, err
	}
	defer c.wrote()
	return c.engine.Erase(ctx, what)
}

// PastErasure is what the database keeps of an erasure.
type PastErasure struct {
	ID          uuid.UUID   `json:"id"`
	GroupID     string      `json:"group_id,omitempty"` // empty: the group itself was erased
	ErasedAt    time.Time   `json:"erased_at"`
	Door        string      `json:"door"`                // by which way it was asked for
	By          string      `json:"by,omitempty"`        // the API key, or the user of the database
	Certificate Certificate `json:"certificate"`         // see [Client.Erase]
	Owed        []string    `json:"to_vacuum,omitempty"` // the tables that are still to be vacuumed because of it
}

// Erasures lists what was erased, the latest first: of a group that is still
// there, or of all, with those that are gone, where groupID is empty. limit is 1
// to MaxRows; zero: DefaultRows.
func (c *Client) Erasures(ctx context.Context, groupID string, limit int) ([]PastErasure, error) {
	if groupID != "" {
		if err := c.admit(groupID); err != nil {
			return nil, err
		}
	} else if err := c.unbound(); err != nil {
		return nil, err
	}
	rows, err := graph.RowLimit(limit)
	if err != nil {
		return nil, err
	}
	found, err := db.New(c.pool).ErasureList(ctx, db.ErasureListParams{GroupID: db.Nullable(groupID), MaxRows: rows})
	if err != nil {
		return nil, fmt.Errorf("list what was erased: %w", err)
	}
	list := make([]PastErasure, len(found))
	for i, row := range found {
		list[i] = PastErasure{ID: row.ID, GroupID: row.GroupID, ErasedAt: row.ErasedAt.UTC(), Door: row.Door, By: row.WrittenBy, Owed: row.ToVacuum}
		if err := json.Unmarshal(row.Certificate, &list[i].Certificate); err != nil {
			return nil, fmt.Errorf("read the certificate of erasure %s: %w", row.ID, err)
		}
	}
	return list, nil
}

// FinishErasures vacuums and analyses the tables that erasures touched with
// [Erasure.Later], or that ended before it was done, so that the planner's
// statistics forget too. It returns how many erasures that were. Workers do it
// every minute.
func (c *Client) FinishErasures(ctx context.Context) (int, error) {
	if err := c.unbound(); err != nil {
		return 0, err
	}
	return c.engine.FinishErasures(ctx)
}
