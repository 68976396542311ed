package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
)

// How many episodes are claimed at a time.
const claimSize = 16

// claimed is an episode that no other process works on.
type claimed struct {
	graph.Episode
	origin     trace.SpanContext // of the request that stored it
	leftBehind bool              // by a process that ended while it had it
}

func (d *drainer) claim(ctx context.Context) ([]claimed, error) {
	rows, err := db.New(d.Pool).EpisodesClaim(ctx, db.EpisodesClaimParams{GroupID: d.groupID, MaxRows: claimSize})
	if err != nil {
		return nil, fmt.Errorf("claim waiting episodes of %s: %w", d.groupID, err)
	}
	episodes := change.Each(rows, func(row db.EpisodesClaimRow) claimed {
		return claimed{db.ClaimedEpisode(d.groupID, row), telemetry.Origin(row.TraceContext), row.LeftBehind}
	})
	slices.SortFunc(episodes, func(a, b claimed) int { return change.CompareIDs(a.ID, b.ID) })
	return episodes, nil
}

// The most content of the messages that are read in one go, in bytes.
const maxWindowBytes = 6000

// windows divides claimed episodes into those that are read in one go: short
// messages of one thread, where the engine is set to, else each by itself.
func (d *drainer) windows(episodes []claimed) [][]claimed {
	var windows [][]claimed
	size := 0
	for i, episode := range episodes {
		last := len(windows) - 1
		joins := i > 0 && len(windows[last]) < d.options.Window && size+len(episode.Content) <= maxWindowBytes &&
			windowed(episodes[i-1]) && windowed(episode) && episodes[i-1].ThreadID == episode.ThreadID
		if joins {
			windows[last] = append(windows[last], episode)
			size += len(episode.Content)
			continue
		}
		windows = append(windows, []claimed{episode})
		size = len(episode.Content)
	}
	return windows
}

// windowed reports whether an episode may be read with others. One that several
// processes left behind may not: it may be what ended them, and must show.
func windowed(e claimed) bool {
	return e.Source == graph.SourceMessage && e.Previous == nil && (!e.leftBehind || e.Attempts <= trustedAttempts)
}

const trustedAttempts = 3

// readTogether reads the messages of a window in one go and returns what became
// of them. It returns nothing where that fails: each is then tried by itself, so
// that one cannot spoil the others.
func (d *drainer) readTogether(ctx context.Context, window []claimed) ([]Processed, error) {
	if len(window) == 1 {
		return nil, nil
	}
	draft, err := d.ingest(askedIn(ctx, window[0].origin), change.Each(window, func(c claimed) graph.Episode { return c.Episode }))
	if err == nil {
		done := make([]Processed, len(window))
		for i := range window {
			done[i] = draft.processed(i)
		}
		return done, nil
	}
	_, failed := errors.AsType[*analyst.Failure](err)
	if !failed && !errors.Is(err, errGone) && !errors.Is(err, errStale) {
		return nil, fmt.Errorf("process episodes %s to %s: %w", window[0].ID, window[len(window)-1].ID, err)
	}
	d.log.WarnContext(ctx, "messages could not be read together", "group", d.groupID, "episodes", len(window), "error", err)
	return nil, nil
}

// ingestOne reads one episode and records a failure of its own. With patient, a
// model that answers no request is no such failure: the episode waits for it.
func (d *drainer) ingestOne(ctx context.Context, c claimed, patient bool) (Processed, error) {
	draft, err := d.ingest(askedIn(ctx, c.origin), []graph.Episode{c.Episode})
	if errors.Is(err, errStale) && d.sweptMeanwhile(ctx) {
		draft, err = d.ingest(askedIn(ctx, c.origin), []graph.Episode{c.Episode})
	}
	switch {
	case err == nil:
		return draft.processed(0), nil
	case errors.Is(err, errGone):
		return Processed{Episode: c.Episode, Err: err}, nil
	case errors.Is(err, errStale):
		err = &analyst.Failure{Step: stepCommit, Err: err}
	}
	failure, failed := errors.AsType[*analyst.Failure](err)
	switch {
	case !failed:
		return Processed{}, fmt.Errorf("process episode %s: %w", c.ID, err)
	case patient && outage(failure):
		return Processed{}, &silentError{model: d.analyst.Name(), err: failure}
	}
	return d.fail(ctx, draft, failure)
}

// sweptMeanwhile takes out what expired while an episode was read, and reports whether
// there was something: it is hidden from reading, but keeps what says it again from
// being stored.
func (d *drainer) sweptMeanwhile(ctx context.Context) bool {
	done, err := d.undoer.SweepHeld(ctx, d.groupID)
	if err != nil {
		d.log.WarnContext(ctx, "what has expired was not taken out", "group", d.groupID, "error", err)
	}
	return done.Episodes+done.FactsRemoved > 0
}

// fail records why the draft's only episode failed, and how far it came.
func (d *drainer) fail(ctx context.Context, failed *draft, cause *analyst.Failure) (Processed, error) {
	episode := failed.episodes[0]
	reason := wording.Cut(cause.Error(), analyst.MaxError)
	failed.note(note{step: cause.Step, decision: decidedFailed, reason: reason})
	err := db.InTx(ctx, d.Pool, func(q *db.Queries) error {
		return errors.Join(
			q.EpisodeFail(ctx, db.EpisodeFailParams{GroupID: d.groupID, ID: episode.ID, Error: reason}),
			writeTrace(ctx, d.In(q, d.groupID), failed))
	})
	if err != nil {
		return Processed{}, fmt.Errorf("mark episode %s as failed: %w", episode.ID, err)
	}
	d.log.WarnContext(ctx, "episode failed", "group", d.groupID, "episode", episode.ID, "error", cause)
	return Processed{Episode: episode, Err: cause}, nil
}
