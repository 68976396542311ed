package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/lock"
	"github.com/annalsdb/annals/internal/guard"
)

// drainArgs names the group whose episodes wait. A database trigger writes it.
type drainArgs struct {
	GroupID string `json:"group_id"`
}

// Kind returns River's name of the job.
func (drainArgs) Kind() string { return "drain" }

const (
	busyWait = 5 * time.Second // before a group that another process works on is tried again
	lateWait = time.Second     // before a group to which an episode is being added is tried again
	maxWait  = 5 * time.Minute // at most, between two tries of a failing group
)

// drain reads the job's group for a while. River never retries the job: it ends, and inserts a new
// one if there is more to do. So at most one job waits for a group, in one state.
func (w *worker) drain(ctx context.Context, job *river.Job[drainArgs]) error {
	group := job.Args.GroupID
	portion := engine.Portion{Attempts: w.options.Attempts, Until: time.Now().Add(w.options.Portion), Stop: w.stop}
	left := false
	err := guard.Run(func() (err error) {
		left, err = w.options.Engine.Drain(ctx, group, portion, w.options.Read)
		return err
	})
	switch {
	case errors.Is(err, lock.ErrBusy):
		return w.handOn(ctx, group, busyWait, failuresOf(job.JobRow))
	case ctx.Err() != nil: // the worker was told to stop at once
		return w.handOn(context.WithoutCancel(ctx), group, 0, 0)
	case err != nil:
		return w.failed(ctx, job, err)
	case left:
		return w.handOn(ctx, group, 0, 0)
	}
	return w.finish(ctx, group)
}

// failed schedules a later try for the group, and cancels the job with its cause.
func (w *worker) failed(ctx context.Context, job *river.Job[drainArgs], err error) error {
	failures := failuresOf(job.JobRow) + 1
	wait := backoff(failures)
	w.log.WarnContext(ctx, "reading stopped; it is tried again", "group", job.Args.GroupID, "in", wait.Round(time.Second), "error", err)
	if lost := w.handOn(ctx, job.Args.GroupID, wait, failures); lost != nil {
		return errors.Join(err, lost)
	}
	return river.JobCancel(err)
}

func failuresOf(job *rivertype.JobRow) int {
	var metadata struct {
		Failures int `json:"failures"`
	}
	if json.Unmarshal(job.Metadata, &metadata) != nil {
		return 0 // another program wrote it
	}
	return metadata.Failures
}

// backoff doubles from one second up to maxWait, with a jitter of a tenth.
func backoff(failures int) time.Duration {
	wait := min(time.Second<<min(failures-1, 20), maxWait)
	return wait + time.Duration(rand.Int64N(int64(wait)/10))
}

func (w *worker) handOn(ctx context.Context, group string, wait time.Duration, failures int) error {
	err := w.queries.QueueHandOn(ctx, db.QueueHandOnParams{GroupID: group, WaitSeconds: wait.Seconds(), Failures: int32(failures)})
	if err != nil {
		return fmt.Errorf("leave %s to a later job: %w", group, err)
	}
	return nil
}

// finish ends the work on a group, unless an episode is being added. An episode that is added while
// the job exists inserts no other job.
func (w *worker) finish(ctx context.Context, group string) error {
	quiet := false
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		q := db.New(tx)
		free, err := q.QueueQuiet(ctx, group)
		if err != nil || !free {
			return err
		}
		waits, err := q.EpisodesWait(ctx, group)
		if err != nil || waits {
			return err
		}
		quiet = true
		return q.QueueForget(ctx, group)
	})
	if err != nil {
		return fmt.Errorf("end the work on %s: %w", group, err)
	}
	if quiet {
		return nil
	}
	return w.handOn(ctx, group, lateWait, 0)
}

// patience decides when River retries a job that failed nevertheless, such as when the database was
// away. It is late enough that the job waits in a state of its own, which does not collide with a
// newer job of the group.
type patience struct{}

// NextRetry returns the time ten seconds from now.
func (patience) NextRetry(*rivertype.JobRow) time.Time { return time.Now().Add(10 * time.Second) }
