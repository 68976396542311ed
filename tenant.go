package annals

import (
	"context"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
)

// ForTenant returns a Client that can access one group only. The database enforces this: each
// transaction acts as the role annals_tenant and is bound to the group. No statement, not even a
// faulty one, can read or write rows of other groups; see docs/tenancy.md. A call that names
// another group fails with [CodeForbidden] before it reaches the database.
//
// It is cheap enough to call once per request. The new Client shares the connections of c, and
// c.Close closes both. A single statement becomes a transaction of its own, in the same round trip.
//
// ForTenant fails with [CodeConflict] if the database user may not act as annals_tenant.
func (c *Client) ForTenant(ctx context.Context, groupID string) (*Client, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	if c.tenant != "" {
		return c, nil
	}
	if err := db.CheckTenant(ctx, c.pool, groupID); err != nil {
		return nil, err
	}
	bound := *c
	bound.tenant, bound.close = groupID, func() {}
	bound.wire(db.Tenant(c.pool, groupID))
	bound.engine = c.engine.With(bound.pool, bound.analyst, bound.embedder).Keeping(bound.keeper())
	if c.replica != nil {
		following := *c.replica
		following.source = bound.sourceOn(db.Tenant(c.replica.pool, groupID))
		bound.replica = &following
	}
	return &bound, nil
}

// Tenant returns the group that the Client is bound to, or "" if none.
func (c *Client) Tenant() string { return c.tenant }

// unbound returns an error if the Client is bound to a group, for calls about all groups.
func (c *Client) unbound() error {
	if c.tenant == "" {
		return nil
	}
	return change.Forbidden("tenant", "this is about all groups; open the database without a tenant")
}

// admit validates the name of a group and checks that the Client may use it.
func (c *Client) admit(groupID string) error {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return err
	}
	if c.tenant != "" && groupID != c.tenant {
		return change.Forbidden("group", "%s is not the group this memory is bound to", groupID)
	}
	return nil
}
