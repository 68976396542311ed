package annals

import (
	"context"

	"github.com/annalsdb/annals/internal/telemetry"
)

// edited runs a write to a group as changed does, within a span of its own.
func edited[T any](ctx context.Context, c *Client, operation, groupID string, records func(T) int, do func(context.Context) (T, error)) (T, error) {
	return telemetry.Memory(ctx, operation, groupID, records, func(ctx context.Context) (T, error) {
		return changed(c, groupID, func() (T, error) { return do(ctx) })
	})
}

// edit is like edited, for a write that changes one record and returns nothing.
func (c *Client) edit(ctx context.Context, operation, groupID string, do func(context.Context) error) error {
	_, err := edited(ctx, c, operation, groupID, one, func(ctx context.Context) (struct{}, error) { return struct{}{}, do(ctx) })
	return err
}

// tracedAdd adds episodes within such a span. If they are of several groups, the span names the
// first.
func tracedAdd(ctx context.Context, episodes []Episode, do func(context.Context) ([]Stored, error)) ([]Stored, error) {
	group := ""
	if len(episodes) > 0 {
		group = episodes[0].GroupID
	}
	return telemetry.Memory(ctx, telemetry.CreateMemory, group, telemetry.Several, do)
}

// hits returns the number of hits of a search.
func hits(r Result) int {
	return len(r.Facts) + len(r.Entities) + len(r.Episodes) + len(r.Communities) + len(r.Observations) + len(r.Threads)
}

// one is the count of records of a write to one record.
func one[T any](T) int { return 1 }

// undone returns the number of episodes that were undone.
func undone(u Undone) int { return u.Episodes }
