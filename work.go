package annals

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/worker"
)

// AgentWork is what workers do for agents; see [WorkOptions].
type AgentWork = worker.Agents

// WorkOptions says how [Client.Work] works. The zero value is ready to use.
type WorkOptions struct {
	// Agents is what is done for agents that manage a memory of their own, made by
	// the package agent. Defaults to nothing.
	Agents AgentWork

	// Read is told of each episode that was read, or failed, by several
	// goroutines at once. Defaults to nobody.
	Read func(Processed)

	// Workers is how many groups are read at once, 1 to 16. Defaults to 4.
	Workers int
}

// Work reads waiting episodes, and does what is to be done now and then, until
// ctx ends: it then lets what it reads come to an end, for twenty seconds at the
// most, and leaves the rest to others. Any number of processes may work at
// once, on any machines; a group's order is kept. See package worker.
//
// Whoever adds an episode need do no more than that. While a model answers
// nobody its episodes wait; they are tried less and less often, and after about
// half an hour they fail one by one, for [Client.Retry].
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

// Queue says how much waits to be read.
type Queue struct {
	Episodes int           // that wait, or are being read
	Oldest   time.Duration // how long the first of them has waited
	Groups   int           // they belong to
	Waiting  int           // jobs: groups that wait for a worker
	Running  int           // jobs that workers have, or had when they died
	Retrying int           // jobs that failed and are tried again
}

// Queue asks how much waits to be read in all groups.
func (c *Client) Queue(ctx context.Context) (Queue, error) {
	if err := c.unbound(); err != nil {
		return Queue{}, err
	}
	row, err := db.New(c.pool).QueueState(ctx)
	if err != nil {
		return Queue{}, fmt.Errorf("look at the queue: %w", err)
	}
	return Queue{
		Episodes: int(row.Episodes), Oldest: time.Duration(row.OldestSeconds * float64(time.Second)), Groups: int(row.Groups),
		Waiting: int(row.Waiting), Running: int(row.Running), Retrying: int(row.Retrying),
	}, nil
}

// Progress says how far a stretch of a group's episodes has come.
type Progress struct {
	Episodes    int
	Done        int
	Failed      int
	Processing  int
	Deferred    int       // that wait for nothing
	CreatedAt   time.Time // of the first
	ProcessedAt time.Time // of the last that is done
	Error       string    // of one that failed
}

// Ended reports whether nothing of it waits any more.
func (p Progress) Ended() bool { return p.Done+p.Failed+p.Deferred >= p.Episodes }

// Progress says how far the episodes have come that were stored from one to
// another, both included.
func (c *Client) Progress(ctx context.Context, groupID string, first, last uuid.UUID) (Progress, error) {
	if err := c.admit(groupID); err != nil {
		return Progress{}, err
	}
	row, err := db.New(c.pool).EpisodeProgress(ctx, db.EpisodeProgressParams{GroupID: groupID, FirstID: first, LastID: last})
	if err != nil {
		return Progress{}, fmt.Errorf("ask how far episodes of %s have come: %w", groupID, err)
	}
	return Progress{
		Episodes: int(row.Episodes), Done: int(row.Done), Failed: int(row.Failed), Processing: int(row.Processing), Deferred: int(row.Deferred),
		CreatedAt: row.CreatedAt.UTC(), ProcessedAt: row.ProcessedAt.UTC(), Error: row.Error,
	}, nil
}
