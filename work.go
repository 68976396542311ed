package annals

import (
	"context"
	"time"

	"github.com/annalsdb/annals/engine"
)

// Processed is the result of processing an episode: what it added to the graph.
type Processed = engine.Processed

// Process reads a group's waiting episodes into the graph, in the order they came, until none is
// left. It calls report, if not nil, after each. One process works on a group at a time; a second
// one waits.
//
// An episode that cannot be analysed is marked as failed, for [Client.Retry], and reported with its
// error. Process continues with the next one. It returns an error only if it cannot continue at
// all. Calling it again continues where it stopped.
func (c *Client) Process(ctx context.Context, groupID string, report func(Processed)) error {
	if err := c.admit(groupID); err != nil {
		return err
	}
	defer c.wrote(groupID)
	return c.engine.Process(ctx, groupID, func(p Processed) {
		c.wrote(groupID)
		if report != nil {
			report(p)
		}
	})
}

// Retry makes a group's failed and deferred episodes wait again, and returns how many.
func (c *Client) Retry(ctx context.Context, groupID string) (int, error) {
	return changed(c, groupID, func() (int, error) { return c.engine.Retry(ctx, groupID) })
}

// AgentWork is what workers do for agents that manage a memory of their own. Package agent makes
// it, package worker runs it. The zero value does nothing.
type AgentWork struct {
	// Wake wakes the agents of a group that are due.
	Wake func(ctx context.Context, groupID string) error

	// Tidy tidies the memory of the agents of a group that have been idle.
	Tidy func(ctx context.Context, groupID string) error

	// Sleep is how long an agent is idle before Tidy, if its settings do not say.
	Sleep time.Duration
}
