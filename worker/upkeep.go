package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/community"
	"github.com/annalsdb/annals/engine/upkeep"
	"github.com/annalsdb/annals/graph"
)

// sweepArgs is the job that looks for groups without a job.
type sweepArgs struct{}

// Kind returns River's name of the job.
func (sweepArgs) Kind() string { return "sweep" }

// upkeepArgs is the job of regular upkeep.
type upkeepArgs struct{}

// Kind returns River's name of the job.
func (upkeepArgs) Kind() string { return "upkeep" }

const (
	upkeepEvery    = time.Minute    // how often to look for due work
	retentionEvery = 24 * time.Hour // how often a group's retention is applied
	tidyEvery      = time.Hour
)

// periodic lists the jobs that the leading worker puts into the queue. None of them is unique: a job whose worker died would
// block the next one.
func (w *worker) periodic() []*river.PeriodicJob {
	every := func(d time.Duration, args river.JobArgs, queue string) *river.PeriodicJob {
		make := func() (river.JobArgs, *river.InsertOpts) {
			return args, &river.InsertOpts{Queue: queue, MaxAttempts: 1}
		}
		return river.NewPeriodicJob(river.PeriodicInterval(d), make, &river.PeriodicJobOpts{RunOnStart: true})
	}
	jobs := []*river.PeriodicJob{
		every(w.options.Sweep, sweepArgs{}, queueSweep), every(upkeepEvery, upkeepArgs{}, queueUpkeep),
	}
	if w.options.Agents.Wake != nil {
		jobs = append(jobs, every(w.options.Sweep, agentsArgs{}, queueLook))
	}
	return jobs
}

// sweep gives a job to stranded groups, and to groups whose standing answers are due.
func (w *worker) sweep(ctx context.Context, _ *river.Job[sweepArgs]) error {
	groups, err := w.queries.QueueStranded(ctx)
	if err != nil {
		return fmt.Errorf("look for stranded groups: %w", err)
	}
	due, err := w.queries.AnswersDue(ctx)
	if err != nil {
		return fmt.Errorf("look for questions to be asked again: %w", err)
	}
	for _, group := range append(groups, due...) {
		if err := w.handOn(ctx, group, 0, 0); err != nil {
			return err
		}
	}
	return nil
}

type upkeepWorker struct {
	river.WorkerDefaults[upkeepArgs]
	worker *worker
	tidied time.Time
}

// Work does the upkeep that is due: expired episodes and facts, retention, drifted communities, missed batches, old
// deliveries, tables that erasures touched, moved shards, and old replies. A failure of one does not stop the others.
func (u *upkeepWorker) Work(ctx context.Context, _ *river.Job[upkeepArgs]) error {
	return errors.Join(u.sweep(ctx), u.retain(ctx), u.rebuild(ctx), u.tell(ctx), u.expire(ctx), u.vacuum(ctx), u.show(ctx), u.tidy(ctx))
}

// sweep removes what has expired.
func (u *upkeepWorker) sweep(ctx context.Context) error {
	groups, err := u.worker.queries.MarksDueGroups(ctx)
	if err != nil {
		return fmt.Errorf("look for what has expired: %w", err)
	}
	for _, group := range groups {
		if _, err := u.worker.options.Engine.Sweep(ctx, group); err != nil {
			u.worker.log.WarnContext(ctx, "what has expired was not taken out; 'annals retention apply' says more", "group", group, "error", err)
		}
	}
	return ctx.Err()
}

// retain applies the retention policies of groups.
func (u *upkeepWorker) retain(ctx context.Context) error {
	groups, err := u.worker.queries.RetentionDue(ctx, retentionEvery.Seconds())
	if err != nil {
		return fmt.Errorf("look for policies of retention: %w", err)
	}
	for _, group := range groups {
		if _, err := upkeep.ApplyRetention(graph.WithOrigin(ctx, graph.Origin{Door: "worker"}), u.worker.options.Pool, u.worker.options.Engine, group, false); err != nil {
			u.worker.log.WarnContext(ctx, "retention not applied; 'annals retention apply' says more", "group", group, "error", err)
		}
	}
	return ctx.Err()
}

// rebuild rebuilds communities of groups that many entities joined.
func (u *upkeepWorker) rebuild(ctx context.Context) error {
	groups, err := u.worker.queries.CommunitiesDue(ctx, community.DriftPercent/100.)
	if err != nil {
		return fmt.Errorf("look for communities that drifted: %w", err)
	}
	for _, group := range groups {
		if _, err := u.worker.options.Engine.BuildCommunities(ctx, group); err != nil {
			u.worker.log.WarnContext(ctx, "communities not built", "group", group, "error", err)
		}
	}
	return ctx.Err()
}

func (u *upkeepWorker) tidy(ctx context.Context) error {
	if time.Since(u.tidied) < tidyEvery {
		return nil
	}
	u.tidied = time.Now()
	_, err := u.worker.queries.RepliesExpire(ctx)
	return err
}

// tell reports batches whose end was missed, because it fell into the moment when their last episode was read.
func (u *upkeepWorker) tell(ctx context.Context) error {
	groups, err := u.worker.queries.WebhookBatchesOpen(ctx)
	if err != nil {
		return fmt.Errorf("look for batches: %w", err)
	}
	for _, group := range groups {
		if _, err := u.worker.queries.WebhookBatchesComplete(ctx, group); err != nil {
			return fmt.Errorf("tell of the batches of %s: %w", group, err)
		}
	}
	return nil
}

// vacuum finishes erasures.
func (u *upkeepWorker) vacuum(ctx context.Context) error {
	_, err := db.VacuumErased(ctx, u.worker.options.Pool, false)
	return err
}

// show makes moved shards readable where they are now.
func (u *upkeepWorker) show(ctx context.Context) error {
	if err := db.ShowMoved(ctx, u.worker.options.Pool); err != nil {
		u.worker.log.WarnContext(ctx, "shards that were moved are read by way of the coordinator; 'annals distribute --run' as their owner mends that", "error", err)
	}
	return ctx.Err()
}

// expire removes old deliveries.
func (u *upkeepWorker) expire(ctx context.Context) error {
	if _, err := u.worker.queries.DeliveriesExpire(ctx); err != nil {
		return fmt.Errorf("remove old deliveries: %w", err)
	}
	return nil
}
