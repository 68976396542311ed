package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/telemetry"
)

// drain reads waiting episodes until none is left or the portion is used up. held fails if the lock
// was lost.
func (d *drainer) drain(ctx context.Context, held func() error) (left bool, err error) {
	for !d.portion.over() {
		episodes, err := d.claim(ctx)
		if err != nil || len(episodes) == 0 {
			return err != nil, err
		}
		d.begun = 0
		if err := d.restartOthers(ctx, episodes); err != nil {
			return true, err
		}
		if err := d.failEndless(ctx, episodes[0]); err != nil {
			return true, err
		}
		for _, window := range d.windows(episodes[d.begun:]) {
			if d.portion.over() {
				break
			}
			if err := held(); err != nil { // another process may hold them now
				return true, err
			}
			if err := d.read(ctx, window); err != nil {
				return true, d.giveUp(ctx, err, episodes[d.begun:])
			}
		}
		if err := d.release(ctx, episodes[d.begun:], 1); err != nil {
			return true, err
		}
	}
	return true, nil
}

// drainer reads the waiting episodes of a group.
type drainer struct {
	*walk
	undoer     *undo.Undoer
	groupID    string
	portion    Portion
	report     func(Processed)
	begun      int // how many of the claimed episodes were begun
	unanswered int // failures in a row because the model could not be reached
}

// restartOthers resets all but the first of the episodes that a dead process left. Only the first
// is known to have been begun, so only it may have killed the process.
func (d *drainer) restartOthers(ctx context.Context, episodes []claimed) error {
	if !episodes[0].leftBehind || len(episodes) == 1 {
		return nil
	}
	others := episodes[1:]
	for i := range others {
		others[i].Attempts, others[i].leftBehind = 1, false
	}
	ids := each.Of(others, claimedID)
	err := db.New(d.Pool).EpisodesUnbegun(ctx, db.EpisodesUnbegunParams{GroupID: d.groupID, Ids: ids})
	if err != nil {
		return fmt.Errorf("begin anew with what was left behind in %s: %w", d.groupID, err)
	}
	return nil
}

// failEndless fails the first episode if it was begun too often by processes that died.
func (d *drainer) failEndless(ctx context.Context, first claimed) error {
	if d.portion.Attempts == 0 || !first.leftBehind || first.Attempts <= d.portion.Attempts {
		return nil
	}
	d.begun++
	cause := fmt.Errorf("begun %s and never brought to an end: the process that read it last was killed, or ran out of memory", each.Count(first.Attempts-1, "time"))
	p, err := d.fail(ctx, &draft{groupID: d.groupID, episodes: []graph.Episode{first.Episode}}, &analyst.Failure{Step: "read", Err: cause})
	if err != nil {
		return err
	}
	d.report(p)
	return nil
}

func (d *drainer) read(ctx context.Context, window []claimed) error {
	together, err := d.readTogether(ctx, window)
	if err != nil {
		return err
	}
	for _, p := range together {
		d.report(p)
		d.begun++
		d.unanswered = 0
	}
	for _, episode := range window[len(together):] {
		if d.portion.stopped() {
			return nil
		}
		if err := d.readOne(ctx, episode); err != nil {
			return err
		}
	}
	return nil
}

func (d *drainer) readOne(ctx context.Context, episode claimed) error {
	p, err := d.ingestOne(ctx, episode, episode.Attempts < d.portion.Attempts)
	d.begun++
	if _, silent := errors.AsType[*unansweredError](err); silent {
		return errors.Join(err, d.release(ctx, []claimed{episode}, 0))
	}
	if err != nil {
		return err
	}
	d.report(p)
	if d.portion.Attempts > 0 {
		return nil
	}
	if d.unanswered = countUnanswered(d.unanswered, p.Err); d.unanswered == maxUnanswered {
		return fmt.Errorf("%s did not answer for %s in a row; the rest of %s waits: see to the model, then run 'annals retry --group %s': %w",
			d.analyst.Name(), each.Count(d.unanswered, "episode"), d.groupID, d.groupID, p.Err)
	}
	return nil
}

// giveUp puts claimed episodes back if the model does not answer.
func (d *drainer) giveUp(ctx context.Context, err error, left []claimed) error {
	if _, silent := errors.AsType[*unansweredError](err); silent {
		return errors.Join(err, d.release(ctx, left, 1))
	}
	return err
}

func (d *drainer) release(ctx context.Context, episodes []claimed, untried int32) error {
	if len(episodes) == 0 {
		return nil
	}
	ids := each.Of(episodes, claimedID)
	err := db.New(d.Pool).EpisodesRelease(ctx, db.EpisodesReleaseParams{GroupID: d.groupID, Ids: ids, Untried: untried})
	if err != nil {
		return fmt.Errorf("put back episodes of %s that were not read: %w", d.groupID, err)
	}
	return nil
}

// unansweredError reports that a model does not answer, so that the episodes keep waiting.
type unansweredError struct {
	model string
	err   error
}

func (e *unansweredError) Error() string { return e.model + " does not answer: " + e.err.Error() }
func (e *unansweredError) Unwrap() error { return e.err }

// maxUnanswered is how many episodes in a row may fail because a model does not answer.
const maxUnanswered = 3

func countUnanswered(before int, err error) int {
	if !analyst.Outage(err) {
		return 0
	}
	return before + 1
}

// claimSize is how many episodes are claimed at a time.
const claimSize = 16

// claimed is an episode that no other process works on.
type claimed struct {
	graph.Episode
	origin     trace.SpanContext // of the request that stored it
	leftBehind bool              // by a process that ended while it held it
	shown      bool              // it is not in quarantine
}

// claim takes the next waiting episodes for this process.
func (d *drainer) claim(ctx context.Context) ([]claimed, error) {
	rows, err := db.New(d.Pool).EpisodesClaim(ctx, db.EpisodesClaimParams{GroupID: d.groupID, MaxRows: claimSize})
	if err != nil {
		return nil, fmt.Errorf("claim waiting episodes of %s: %w", d.groupID, err)
	}
	episodes := each.Of(rows, func(row db.EpisodesClaimRow) claimed {
		return claimed{db.ClaimedEpisode(d.groupID, row), telemetry.Origin(row.TraceContext), row.LeftBehind, row.Shown}
	})
	slices.SortFunc(episodes, func(a, b claimed) int { return change.CompareIDs(a.ID, b.ID) })
	return episodes, nil
}

// maxWindowBytes bounds the content of messages that are read together.
const maxWindowBytes = 6000

func claimedID(c claimed) uuid.UUID { return c.ID }

// windows groups short messages of one thread that are read together. Messages in quarantine form
// windows of their own.
func (d *drainer) windows(episodes []claimed) [][]claimed {
	var windows [][]claimed
	size := 0
	for i, episode := range episodes {
		last := len(windows) - 1
		joins := i > 0 && len(windows[last]) < d.options.Window && size+len(episode.Content) <= maxWindowBytes &&
			windowed(episodes[i-1]) && windowed(episode) && episodes[i-1].ThreadID == episode.ThreadID &&
			episodes[i-1].shown == episode.shown
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

// windowed reports whether an episode may be read with others. An episode that processes left
// behind several times is read alone, to find out whether it is the cause.
func windowed(e claimed) bool {
	return e.Source == graph.SourceMessage && e.Previous == nil && (!e.leftBehind || e.Attempts <= trustedAttempts)
}

const trustedAttempts = 3

// readTogether reads a window of messages in one go. If that fails, it returns nothing, and each
// message is read alone.
func (d *drainer) readTogether(ctx context.Context, window []claimed) (done []Processed, err error) {
	if len(window) == 1 {
		return nil, nil
	}
	draft, err := d.ingest(askedIn(ctx, window[0].origin), each.Of(window, func(c claimed) graph.Episode { return c.Episode }))
	if err == nil {
		for i := range window {
			done = append(done, draft.processed(i))
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

// ingestOne reads one episode and records its failure. If patient, an episode is not failed while a
// model does not answer.
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
	case patient && analyst.Outage(failure):
		return Processed{}, &unansweredError{model: d.analyst.Name(), err: failure}
	}
	return d.fail(ctx, draft, failure)
}

// sweptMeanwhile removes what expired while an episode was read, and reports whether it removed
// anything. An expired fact is hidden from readers, but its row still keeps a repetition from being
// stored.
func (d *drainer) sweptMeanwhile(ctx context.Context) bool {
	done, err := d.undoer.SweepHeld(ctx, d.groupID)
	if err != nil {
		d.log.WarnContext(ctx, "what has expired was not taken out", "group", d.groupID, "error", err)
	}
	return done.Episodes+done.FactsRemoved > 0
}

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
