package annals

import (
	"cmp"
	"context"

	"github.com/annalsdb/annals/engine"
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
