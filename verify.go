package annals

import (
	"context"

	"github.com/annalsdb/annals/engine/upkeep"
)

type (
	// Verification says which invariants a database was checked against, and what
	// was found.
	Verification = upkeep.Verification
	// Check is one invariant and what breaks it.
	Check = upkeep.Check
)

// Verify checks a group, or all of them where none is named, against every
// invariant: facts and entities have sources, versions do not overlap, what
// searches read equals a recount, vectors are complete, what was erased or taken
// back is not there. It reads every row. With fix it mends what can be mended,
// while others wait; of the rest it says what to do. It is refused to a Client
// that is bound to a tenant; [Client.Health] is the quick look.
func (c *Client) Verify(ctx context.Context, groupID string, fix bool) (Verification, error) {
	if err := c.unbound(); err != nil {
		return Verification{}, err
	}
	if groupID != "" {
		if err := c.admit(groupID); err != nil {
			return Verification{}, err
		}
	}
	if fix {
		defer c.wrote()
	}
	return upkeep.NewVerifier(c.pool, c.engine, c.embedder).Verify(ctx, groupID, fix)
}
