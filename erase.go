package annals

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/upkeep"
)

type (
	// Deletion names episodes to undo.
	Deletion = engine.Deletion
	// Undone says what undoing episodes did.
	Undone = engine.Undone
	// Erasure says what to remove for good.
	Erasure = engine.Erasure
	// Certificate says what was erased, and holds nothing of it.
	Certificate = engine.Certificate
	// Retention is how long a group keeps its episodes.
	Retention = upkeep.Retention
)

// DeleteEpisode undoes one episode; see [Client.DeleteEpisodes].
func (c *Client) DeleteEpisode(ctx context.Context, groupID string, id uuid.UUID) (Undone, error) {
	return c.DeleteEpisodes(ctx, Deletion{GroupID: groupID, EpisodeIDs: []uuid.UUID{id}})
}

// DeleteEpisodes undoes episodes: the group believes what it would had they never
// come. What only they support goes, what they ended holds on, and the
// history keeps what was believed until now. It waits for a process that is
// working on the group, and costs as much as placing the later episodes anew.
//
// Later episodes that another analyst read are refused with [CodeConflict],
// unless Deletion.AnyReader is set.
func (c *Client) DeleteEpisodes(ctx context.Context, deletion Deletion) (Undone, error) {
	return changed(c, deletion.GroupID, func() (Undone, error) { return c.engine.Undo(ctx, deletion) })
}

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
// as [Client.DeleteEpisodes] does. anyReader is that of a [Deletion].
func (c *Client) ApplyRetention(ctx context.Context, groupID string, anyReader bool) (Undone, error) {
	return changed(c, groupID, func() (Undone, error) { return upkeep.ApplyRetention(ctx, c.pool, c.engine, groupID, anyReader) })
}
