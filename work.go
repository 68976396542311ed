package annals

import (
	"context"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/internal/worker"
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

// AgentWork is what workers do for agents; see [WorkOptions].
type AgentWork = worker.Agents

// WorkOptions says how [Client.Work] works. The zero value is ready to use.
type WorkOptions struct {
	// Agents is what is done for agents that manage a memory of their own, made by
	// the package agent. Defaults to nothing.
	Agents AgentWork

	// Read is told of each episode that was read, or failed, by several
	// goroutines at once. Defaults to none.
	Read func(Processed)

	// Workers is how many groups are read at once, 1 to 16. Defaults to 4.
	Workers int
}

// Work reads waiting episodes, and does what is to be done now and then, until
// ctx ends: it then lets what it reads come to an end, for twenty seconds at the
// most, and leaves the rest to others. Any number of processes may work at
// once, on any machines; a group's order is kept. See package worker.
//
// Adding an episode is enough: a worker reads it. While a model answers no request
// the episodes wait; they are tried less and less often, and after about half an
// hour they fail one by one, for [Client.Retry].
func (c *Client) Work(ctx context.Context, o WorkOptions) error {
	if err := c.unbound(); err != nil {
		return err
	}
	w, err := worker.New(worker.Options{
		Engine: c.engine, Pool: c.pool, Agents: o.Agents, Workers: o.Workers, Read: o.Read, Log: c.config.Log,
		InsecureWebhooks: c.config.InsecureWebhooks,
		Tidy: func(ctx context.Context) error {
			_, err := db.New(c.pool).RepliesExpire(ctx)
			return err
		},
	})
	if err != nil {
		return err
	}
	return w.Run(ctx)
}
