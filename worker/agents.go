package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

const (
	tidyAgentsEvery = 5 * time.Minute // how often to look for idle agents
	agentsAtOnce    = 4               // groups whose agents one process wakes or tidies up
)

// agentsArgs is the job that looks for groups with due agents, and inserts a job for each.
type agentsArgs struct{}

// Kind returns River's name of the job.
func (agentsArgs) Kind() string { return "agents" }

// wakeArgs names the group whose agents are to be woken.
type wakeArgs struct {
	GroupID string `json:"group_id"`
}

// Kind returns River's name of the job.
func (wakeArgs) Kind() string { return "wake_agents" }

// tidyArgs names the group whose idle agents are to be tidied.
type tidyArgs struct {
	GroupID string `json:"group_id"`
}

// Kind returns River's name of the job.
func (tidyArgs) Kind() string { return "tidy_agents" }

// onceAGroup lets one job of a kind wait or run for a group. A job that fails is not retried: its
// group stays due, and the next look finds it.
var onceAGroup = &river.InsertOpts{
	Queue: queueAgents, MaxAttempts: 1,
	UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}},
}

// agentsWorker finds the groups with due agents.
type agentsWorker struct {
	river.WorkerDefaults[agentsArgs]
	worker *worker
	looked time.Time // when it last looked for idle agents
}

// Work inserts a job for each group with due agents.
func (a *agentsWorker) Work(ctx context.Context, _ *river.Job[agentsArgs]) error {
	due, err := a.worker.queries.AgentGroupsDue(ctx)
	if err != nil {
		return fmt.Errorf("look for agents to wake: %w", err)
	}
	for _, group := range due {
		if err := leave(ctx, wakeArgs{group}); err != nil {
			return err
		}
	}
	if time.Since(a.looked) < tidyAgentsEvery {
		return nil
	}
	a.looked = time.Now()
	rested, err := a.worker.queries.AgentGroupsRested(ctx, int32(a.worker.options.Agents.Sleep.Seconds()))
	if err != nil {
		return fmt.Errorf("look for agents that rest: %w", err)
	}
	for _, group := range rested {
		if err := leave(ctx, tidyArgs{group}); err != nil {
			return err
		}
	}
	return nil
}

func leave(ctx context.Context, args river.JobArgs) error {
	if _, err := river.ClientFromContext[pgx.Tx](ctx).Insert(ctx, args, onceAGroup); err != nil {
		return fmt.Errorf("leave a job for agents: %w", err)
	}
	return nil
}

// wake wakes the agents of the job's group.
func (w *worker) wake(ctx context.Context, job *river.Job[wakeArgs]) error {
	if err := w.options.Agents.Wake(ctx, job.Args.GroupID); err != nil {
		w.log.WarnContext(ctx, "agents not woken", "group", job.Args.GroupID, "error", err)
	}
	return ctx.Err()
}

// tidyAgents tidies up the memory of the agents of the job's group.
func (w *worker) tidyAgents(ctx context.Context, job *river.Job[tidyArgs]) error {
	if err := w.options.Agents.Tidy(ctx, job.Args.GroupID); err != nil {
		w.log.WarnContext(ctx, "the memory of agents not tidied up", "group", job.Args.GroupID, "error", err)
	}
	return ctx.Err()
}
