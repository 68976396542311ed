package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Portion bounds what [Engine.Drain] does in one go.
type Portion struct {
	// Attempts is how often an episode is tried while a model answers no request,
	// before it fails. Other failures would only repeat themselves: there is no
	// second try.
	Attempts int

	// Until is when to leave the rest to a later portion, once the episodes
	// that were begun are read. The zero value: when none is left.
	Until time.Time

	// Stop ends it at once after the episode that is being read.
	Stop <-chan struct{}
}

// wait reports whether others who work on the group are waited for.
func (p Portion) wait() bool { return p.Attempts == 0 }

func (p Portion) stopped() bool {
	select {
	case <-p.Stop:
		return true
	default:
		return false
	}
}

func (p Portion) over() bool {
	return p.stopped() || !p.Until.IsZero() && !time.Now().Before(p.Until)
}

// Drain is [Engine.Process] for a worker that others wait for: it takes waiting
// episodes for as long as the portion says, and reports whether some may be
// left. It returns [ErrBusy] at once where another process works on the group.
// After an error it is to be tried again later: the group's order is kept, and a
// model that answers no request now may answer then.
func (e *Engine) Drain(ctx context.Context, groupID string, portion Portion, report func(Processed)) (left bool, err error) {
	portion.Attempts = max(portion.Attempts, 1)
	return e.work(ctx, groupID, portion, report)
}

// drain takes waiting episodes until none is left, or the portion is over. held
// makes sure that no other process works on the group.
func (e *Engine) drain(ctx context.Context, groupID string, held func() error, portion Portion, report func(Processed)) (left bool, err error) {
	d := &drainer{engine: e, groupID: groupID, portion: portion, report: report}
	for !portion.over() {
		episodes, err := e.claim(ctx, groupID)
		if err != nil || len(episodes) == 0 {
			return err != nil, err
		}
		d.begun = 0
		if err := d.beginAnew(ctx, episodes); err != nil {
			return true, err
		}
		if err := d.putAside(ctx, episodes[0]); err != nil {
			return true, err
		}
		for _, window := range e.windows(episodes[d.begun:]) {
			if portion.over() {
				break
			}
			if err := held(); err != nil { // another process may have them now
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

// drainer reads what waits in a group.
type drainer struct {
	engine     *Engine
	groupID    string
	portion    Portion
	report     func(Processed)
	begun      int // of the claimed episodes
	unanswered int // failures in a row because the model could not be reached
}

// beginAnew lets those behind the first of what another process left behind
// start again: only that one is known to have been begun, and is to blame should
// it end every process that reads it.
func (d *drainer) beginAnew(ctx context.Context, episodes []claimed) error {
	if !episodes[0].leftBehind || len(episodes) == 1 {
		return nil
	}
	ids := make([]uuid.UUID, 0, len(episodes))
	for i := range episodes[1:] {
		e := &episodes[1+i]
		e.Attempts, e.leftBehind = 1, false
		ids = append(ids, e.ID)
	}
	err := db.New(d.engine.pool).EpisodesUnbegun(ctx, db.EpisodesUnbegunParams{GroupID: d.groupID, Ids: ids})
	if err != nil {
		return fmt.Errorf("begin anew with what was left behind in %s: %w", d.groupID, err)
	}
	return nil
}

// putAside marks the first of the claimed episodes as failed where it was begun as
// often as it may be and the process ended each time. Those behind it were not
// begun: they are read one after the other.
func (d *drainer) putAside(ctx context.Context, first claimed) error {
	if d.portion.Attempts == 0 || !first.leftBehind || first.Attempts <= d.portion.Attempts {
		return nil
	}
	d.begun++
	cause := fmt.Errorf("begun %d times and never brought to an end: the process that read it last was killed, or ran out of memory", first.Attempts-1)
	p, err := d.engine.fail(ctx, &draft{groupID: d.groupID, episodes: []graph.Episode{first.Episode}}, &analysisError{step: "read", err: cause})
	if err != nil {
		return err
	}
	d.report(p)
	return nil
}

// read takes a window of episodes into the graph.
func (d *drainer) read(ctx context.Context, window []claimed) error {
	together, err := d.engine.processTogether(ctx, window)
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
	p, err := d.engine.processOne(ctx, episode, episode.Attempts < d.portion.Attempts)
	d.begun++
	var silent *silentError
	if errors.As(err, &silent) {
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
		return fmt.Errorf("%s did not answer for %d episodes in a row; the rest of %s waits: see to the model, then run 'annals retry --group %s': %w",
			d.engine.analyst.Name(), d.unanswered, d.groupID, d.groupID, p.Err)
	}
	return nil
}

// giveUp leaves what was claimed to a later try, where no other process can have
// it by then.
func (d *drainer) giveUp(ctx context.Context, err error, left []claimed) error {
	var silent *silentError
	if errors.As(err, &silent) {
		return errors.Join(err, d.release(ctx, left, 1))
	}
	return err
}

// release puts episodes back that were claimed and not read.
func (d *drainer) release(ctx context.Context, episodes []claimed, untried int32) error {
	if len(episodes) == 0 {
		return nil
	}
	ids := make([]uuid.UUID, len(episodes))
	for i, episode := range episodes {
		ids[i] = episode.ID
	}
	err := db.New(d.engine.pool).EpisodesRelease(ctx, db.EpisodesReleaseParams{GroupID: d.groupID, Ids: ids, Untried: untried})
	if err != nil {
		return fmt.Errorf("put back episodes of %s that were not read: %w", d.groupID, err)
	}
	return nil
}

// silentError says that a model answers no request, so that episodes go on waiting.
type silentError struct {
	model string
	err   error
}

func (e *silentError) Error() string { return e.model + " does not answer: " + e.err.Error() }
func (e *silentError) Unwrap() error { return e.err }
