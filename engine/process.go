package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// How many episodes are claimed at a time.
const claimSize = 16

// Processed says what became of one episode.
type Processed struct {
	Episode  graph.Episode
	Entities int   // entities it mentions
	Facts    int   // facts it states, new and known
	Closed   int   // facts that ended by it
	Err      error // why it failed; nil: it is done
}

// Process takes the group's waiting episodes, in the order they came, through
// the pipeline until none is left, and calls report after each. One process
// works on a group at a time; a second one waits and then finds nothing to do.
//
// An episode whose analysis fails is marked failed and the next is taken. An
// error is returned only when the work cannot go on, such as a lost database;
// the episode in hand is then taken up again by the next Process.
func (e *Engine) Process(ctx context.Context, groupID string, report func(Processed)) error {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return err
	}
	lock, err := e.pool.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin processing %s: %w", groupID, err)
	}
	// The lock's transaction writes nothing: rolling it back only lets go.
	defer func() { _ = lock.Rollback(context.WithoutCancel(ctx)) }()
	if err := db.New(lock).GroupLockProcessing(ctx, groupID); err != nil {
		return fmt.Errorf("wait for the other process that works on %s: %w", groupID, err)
	}
	for {
		claimed, err := e.claim(ctx, groupID)
		if err != nil {
			return err
		}
		if len(claimed) == 0 {
			return e.refreshStatistics(ctx, groupID)
		}
		for _, episode := range claimed {
			done, err := e.processOne(ctx, episode)
			if err != nil {
				return err
			}
			report(done)
		}
	}
}

func (e *Engine) claim(ctx context.Context, groupID string) ([]graph.Episode, error) {
	rows, err := db.New(e.pool).EpisodesClaim(ctx, db.EpisodesClaimParams{GroupID: groupID, MaxRows: claimSize})
	if err != nil {
		return nil, fmt.Errorf("claim waiting episodes of %s: %w", groupID, err)
	}
	episodes := make([]graph.Episode, len(rows))
	for i, row := range rows {
		episodes[i] = db.ClaimedEpisode(groupID, row)
	}
	slices.SortFunc(episodes, func(a, b graph.Episode) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return episodes, nil
}

// processOne ingests one episode and records a failure that is the episode's own.
func (e *Engine) processOne(ctx context.Context, episode graph.Episode) (Processed, error) {
	done, err := e.ingest(ctx, episode)
	switch {
	case err == nil:
		return done, nil
	case errors.Is(err, errGone):
		return Processed{Episode: episode, Err: err}, nil
	case errors.Is(err, errStale):
		err = &analysisError{step: "commit", err: err}
	}
	var analysis *analysisError
	if !errors.As(err, &analysis) {
		return Processed{}, fmt.Errorf("process episode %s: %w", episode.ID, err)
	}
	if err := e.fail(ctx, episode, analysis); err != nil {
		return Processed{}, err
	}
	e.log.WarnContext(ctx, "episode failed", "group", episode.GroupID, "episode", episode.ID, "error", analysis)
	return Processed{Episode: episode, Err: analysis}, nil
}

func (e *Engine) fail(ctx context.Context, episode graph.Episode, cause error) error {
	err := db.New(e.pool).EpisodeFail(ctx, db.EpisodeFailParams{
		GroupID: episode.GroupID, ID: episode.ID, Error: cause.Error(),
	})
	if err != nil {
		return fmt.Errorf("mark episode %s as failed: %w", episode.ID, err)
	}
	return nil
}

// Retry makes the group's failed episodes wait again and returns how many.
func (e *Engine) Retry(ctx context.Context, groupID string) (int, error) {
	n, err := db.New(e.pool).EpisodesRetry(ctx, groupID)
	if err != nil {
		return 0, fmt.Errorf("retry the failed episodes of %s: %w", groupID, err)
	}
	return int(n), nil
}

func (e *Engine) refreshStatistics(ctx context.Context, groupID string) error {
	if err := db.New(e.pool).StatisticsRefresh(ctx, groupID); err != nil {
		return fmt.Errorf("count the documents of %s: %w", groupID, err)
	}
	return nil
}

// analysisError is a failure that is the episode's own: another episode may
// well succeed.
type analysisError struct {
	step string
	err  error
}

func (e *analysisError) Error() string { return e.step + ": " + e.err.Error() }
func (e *analysisError) Unwrap() error { return e.err }

// analysed wraps the error of a step, unless it is the caller who gave up.
func analysed(ctx context.Context, step string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &analysisError{step: step, err: err}
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }
