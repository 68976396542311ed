package annals

import (
	"context"

	"github.com/annalsdb/annals/engine/upkeep"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Retention is how long a group keeps its episodes.
type Retention = upkeep.Retention

// SetRetention gives a group a policy of how long it keeps its episodes; the
// zero value removes it. Applying it is [Client.ApplyRetention].
func (c *Client) SetRetention(ctx context.Context, groupID string, r Retention) error {
	return c.change(groupID, func() error { return upkeep.SetRetention(ctx, c.pool, groupID, r) })
}

// Retention returns a group's policy; the zero value where it has none.
func (c *Client) Retention(ctx context.Context, groupID string) (Retention, error) {
	return read(ctx, c, groupID, func(ctx context.Context, from source) (Retention, error) {
		return upkeep.RetentionOf(ctx, from.pool, groupID)
	})
}

// ApplyRetention undoes what a group keeps for longer than its policy says,
// as [Client.UndoAll] does. anyReader is that of an [Undoing].
func (c *Client) ApplyRetention(ctx context.Context, groupID string, anyReader bool) (Undone, error) {
	return edited(ctx, c, telemetry.DeleteMemory, groupID, undone, func(ctx context.Context) (Undone, error) {
		return upkeep.ApplyRetention(ctx, c.pool, c.engine, groupID, anyReader)
	})
}
