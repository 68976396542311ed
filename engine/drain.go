package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// drain takes waiting episodes until none is left, or the portion is over. held
// makes sure that no other process works on the group.
func (d *drainer) drain(ctx context.Context, held func() error) (left bool, err error) {
	for !d.portion.over() {
		episodes, err := d.claim(ctx)
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
		for _, window := range d.windows(episodes[d.begun:]) {
			if d.portion.over() {
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
	*walk
	undoer     *undo.Undoer
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
	err := db.New(d.Pool).EpisodesUnbegun(ctx, db.EpisodesUnbegunParams{GroupID: d.groupID, Ids: ids})
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
	p, err := d.fail(ctx, &draft{groupID: d.groupID, episodes: []graph.Episode{first.Episode}}, &analyst.Failure{Step: "read", Err: cause})
	if err != nil {
		return err
	}
	d.report(p)
	return nil
}

// read takes a window of episodes into the graph.
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
	if _, silent := errors.AsType[*silentError](err); silent {
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
			d.analyst.Name(), d.unanswered, d.groupID, d.groupID, p.Err)
	}
	return nil
}

// giveUp leaves what was claimed to a later try, where no other process can have
// it by then.
func (d *drainer) giveUp(ctx context.Context, err error, left []claimed) error {
	if _, silent := errors.AsType[*silentError](err); silent {
		return errors.Join(err, d.release(ctx, left, 1))
	}
	return err
}

// release puts episodes back that were claimed and not read.
func (d *drainer) release(ctx context.Context, episodes []claimed, untried int32) error {
	if len(episodes) == 0 {
		return nil
	}
	ids := change.Each(episodes, func(c claimed) uuid.UUID { return c.ID })
	err := db.New(d.Pool).EpisodesRelease(ctx, db.EpisodesReleaseParams{GroupID: d.groupID, Ids: ids, Untried: untried})
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

// How many episodes in a row may fail because a model cannot be reached before
// the others are left waiting.
const maxUnanswered = 3

func countUnanswered(before int, err error) int {
	if !outage(err) {
		return 0
	}
	return before + 1
}

// outage reports whether a model answers no request, rather than not this one.
func outage(err error) bool {
	var call *model.CallError
	if !errors.As(err, &call) {
		return false
	}
	switch call.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return false
	}
	return call.Status == 0 || call.Status >= 400
}
