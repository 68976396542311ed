package annals

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/engine"
)

// Stored says what became of an episode that was handed in.
type Stored = engine.Stored

// Processed says what became of an episode on its way into the graph.
type Processed = engine.Processed

// Add validates an episode and stores it. It is then safe, and waits to be
// processed; see [Client.Process]. An external id that the group already has
// changes nothing: Stored.New is false.
func (c *Client) Add(ctx context.Context, episode Episode) (Stored, error) {
	stored, err := c.AddAll(ctx, []Episode{episode})
	if err != nil {
		return Stored{}, err
	}
	return stored[0], nil
}

// AddTx is [Client.Add] within the caller's transaction: the episode is there
// when, and only when, the caller commits.
func (c *Client) AddTx(ctx context.Context, tx pgx.Tx, episode Episode) (Stored, error) {
	stored, err := engine.Store(ctx, tx, []Episode{episode})
	if err != nil {
		return Stored{}, err
	}
	return stored[0], nil
}

// AddAll stores several episodes, in order and in one transaction: all or none.
func (c *Client) AddAll(ctx context.Context, episodes []Episode) ([]Stored, error) {
	var stored []Stored
	err := pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		var err error
		stored, err = engine.Store(ctx, tx, episodes)
		return err
	})
	return stored, err
}

// Process takes the group's waiting episodes, in the order they came, into the
// graph until none is left, and calls report, if not nil, after each. One
// process works on a group at a time; a second one waits for it.
//
// An episode that cannot be analysed is kept as failed, for [Client.Retry], and
// reported with its error; the next one is taken. An error is returned only
// when the work cannot go on. Calling Process again continues where it stopped.
func (c *Client) Process(ctx context.Context, groupID string, report func(Processed)) error {
	if report == nil {
		report = func(Processed) {}
	}
	return c.engine.Process(ctx, groupID, report)
}

// Retry makes the group's failed episodes wait again and returns how many.
func (c *Client) Retry(ctx context.Context, groupID string) (int, error) {
	return c.engine.Retry(ctx, groupID)
}
