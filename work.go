package annals

import (
	"context"
	"time"

	"github.com/annalsdb/annals/engine"
)

// Processed says what reading an episode brought into the graph.
type Processed = engine.Processed

// Process takes the group's waiting episodes, in the order they came, into the
// graph until none is left, and calls report, if not nil, after each. One
// process works on a group at a time; a second one waits for it.
//
// An episode that cannot be analysed is kept as failed, for [Client.Retry], and
// reported with its error; the next one is taken. An error is returned only
// when the work cannot go on. Calling Process again continues where it stopped.
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

// Retry makes the group's failed and deferred episodes wait again and returns
// how many.
func (c *Client) Retry(ctx context.Context, groupID string) (int, error) {
	return changed(c, groupID, func() (int, error) { return c.engine.Retry(ctx, groupID) })
}

// AgentWork is what workers do for agents that manage a memory of their own. The
// package agent makes it, and the package worker does it. The zero value does
// nothing.
type AgentWork struct {
	// Wake wakes the agents of a group whose time has come.
	Wake func(ctx context.Context, groupID string) error

	// Tidy tidies up the memory of the agents of a group that have rested.
	Tidy func(ctx context.Context, groupID string) error

	// Sleep is for how long agents rest whose settings do not say it.
	Sleep time.Duration
}
