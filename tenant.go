package annals

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// ForTenant returns a Client that knows one group and no other. The database
// itself sees to that: every transaction acts as the role annals_tenant and is
// bound to the group, so that no statement, however wrong, reads or writes a
// row of another group; see docs/tenancy.md. A call that names another group
// is refused with [CodeForbidden] before it gets there.
//
// It is cheap enough for one a request, shares the connections of c and takes
// turns with it. It costs a transaction of its own for what would be a
// statement, and that in the same round trip. c.Close ends it too.
//
// It fails with [CodeConflict] where the user of the database may not act as
// annals_tenant.
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

// Tenant is the group that the Client is bound to; empty: none.
func (c *Client) Tenant() string { return c.tenant }

// unbound refuses what is about all groups to a Client that is bound to one.
func (c *Client) unbound() error {
	if c.tenant == "" {
		return nil
	}
	return &Error{
		Code: CodeForbidden, Field: "tenant", Message: "this is about all groups; open the database without a tenant",
	}
}

// admit checks the name of a group, and that it is the one the Client is
// bound to, if it is to any.
func (c *Client) admit(groupID string) error {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return err
	}
	if c.tenant != "" && groupID != c.tenant {
		return &Error{
			Code: CodeForbidden, Field: "group", Message: fmt.Sprintf("%s is not the group this memory is bound to", groupID),
		}
	}
	return nil
}
