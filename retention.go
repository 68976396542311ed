package annals

import (
	"context"

	"github.com/annalsdb/annals/engine/upkeep"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Retention says how long a group keeps its episodes, and how many of them.
type Retention = upkeep.Retention

// SetRetention sets the retention policy of a group; the zero value removes it. Workers apply it once
// a day, [Client.ApplyRetention] applies it at once.
func (c *Client) SetRetention(ctx context.Context, groupID string, r Retention) error {
	return c.change(groupID, func() error { return upkeep.SetRetention(ctx, c.pool, groupID, r) })
}

// Retention returns the retention policy of a group, or the zero value if it has none.
func (c *Client) Retention(ctx context.Context, groupID string) (Retention, error) {
	return read(ctx, c, groupID, func(ctx context.Context, from source) (Retention, error) {
		return upkeep.RetentionOf(ctx, from.pool, groupID)
	})
}

// ApplyRetention undoes the episodes beyond a group's policy, as [Client.UndoAll] does, and removes
// what has expired. Pinned episodes stay, as do those of a higher authority than set the policy.
// anyReader is [Undoing].AnyReader.
func (c *Client) ApplyRetention(ctx context.Context, groupID string, anyReader bool) (Undone, error) {
	return edited(ctx, c, telemetry.DeleteMemory, groupID, undone, func(ctx context.Context) (Undone, error) {
		return upkeep.ApplyRetention(ctx, c.pool, c.engine, groupID, anyReader)
	})
}
