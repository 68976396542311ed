// Package undo removes episodes, and makes the graph what it would be had they never
// come: it winds the graph back to the time before them, has what followed placed again,
// and writes what is different.
package undo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/lock"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// Undoer undoes episodes.
type Undoer struct {
	*change.Writer
	Locks    *lock.Locks
	Replayer Replayer
	Reader   string // whoever reads episodes now
	Previous int    // earlier messages that a message is shown with, where it does not say
}

// Replayer places episodes in the graph again.
type Replayer interface {
	// Replay does so within a transaction, and leaves communities alone.
	Replay(ctx context.Context, tx pgx.Tx, window Window) error
}

// Window is what came into the graph together: an episode, or several messages.
type Window struct {
	Episodes []graph.Episode
	Reader   string             // who read them
	Readings []json.RawMessage  // what was read in each; nil or null: it is read again
	Traces   [][]db.TracesOfRow // of each
	Approved []db.ApprovedOfRow // what was approved of what they say
	CameAt   time.Time          // into the graph first
}

// Undoing names episodes to undo.
type Undoing struct {
	GroupID    string
	EpisodeIDs []uuid.UUID

	// AnyReader lets the present analyst judge what followed the episodes, even
	// where another one read it. Else that is refused: another analyst may see
	// another graph in the same words.
	AnyReader bool

	outlived bool // they are kept no longer; nobody says that they are wrong
}

// Undone says what undoing episodes did.
type Undone struct {
	Episodes        int `json:"episodes" doc:"That were undone"`
	Replayed        int `json:"replayed" doc:"Later ones, placed again"`
	FactsRemoved    int `json:"facts_removed"`
	FactsReopened   int `json:"facts_reopened" doc:"That hold on without them"`
	FactsChanged    int `json:"facts_changed"` // in any other way
	FactsAdded      int `json:"facts_added"`   // that were taken for a repetition of what is gone, or were ended by it
	EntitiesRemoved int `json:"entities_removed"`
	EntitiesChanged int `json:"entities_changed"` // in names, types, attributes or summary
}

// With is what two undoings did.
func (u Undone) With(other Undone) Undone {
	u.Episodes += other.Episodes
	u.Replayed += other.Replayed
	u.EntitiesRemoved += other.EntitiesRemoved
	u.EntitiesChanged += other.EntitiesChanged
	u.FactsRemoved += other.FactsRemoved
	u.FactsReopened += other.FactsReopened
	u.FactsChanged += other.FactsChanged
	u.FactsAdded += other.FactsAdded
	return u
}

// Traces are where undone episodes had left traces.
type Traces struct {
	Entities, Facts []uuid.UUID // removed or changed
	Since           time.Time   // since when the graph rested on the episodes
	Began           time.Time   // when the undo began, on the recorded axis
}

// Undo removes episodes and what came of them: the graph becomes what it would be
// had they never come. What only they support goes, what they ended holds on, and
// what was said after them is placed again without them. The run that an agent recorded
// of what it did about one goes with it. The history keeps what was believed until now.
// All of it is one transaction.
//
// The episodes that followed are placed again by what was read in them at the time; only
// messages that were read with one of the removed in view are read again. A model is
// asked again where its question has changed. What stays keeps its id and its history,
// and what was edited by hand since is left alone. An imported episode that another
// program read is never read again: what it alone supports goes, and the other imported
// ones stand as they came. It costs as much as processing the later episodes without
// reading them; during that time no other process writes to the group.
func (u *Undoer) Undo(ctx context.Context, undoing Undoing) (Undone, error) {
	if err := graph.ValidateGroupID(undoing.GroupID); err != nil {
		return Undone{}, err
	}
	var done Undone
	err := u.Locks.Hold(ctx, undoing.GroupID, func() (err error) {
		done, err = u.undoHeld(ctx, undoing)
		return err
	})
	return done, err
}

// Outlive is [Undoer.Undo] of what is kept no longer: the history does not call it taken
// back.
func (u *Undoer) Outlive(ctx context.Context, undoing Undoing) (Undone, error) {
	undoing.outlived = true
	return u.Undo(ctx, undoing)
}

// undoHeld is [Undoer.Undo] while no other process works on the group.
func (u *Undoer) undoHeld(ctx context.Context, undoing Undoing) (done Undone, err error) {
	err = u.InTx(ctx, func(tx pgx.Tx) error {
		done, _, err = u.Within(ctx, tx, undoing, nil)
		return err
	})
	if err != nil {
		return Undone{}, change.Failed(err, "undo episodes of %s", undoing.GroupID)
	}
	return done, db.RefreshStatistics(ctx, u.Pool, undoing.GroupID)
}

// Within undoes episodes in a transaction while no other process works on the group. To
// erase them it calls leaving before they go, and keeps nothing that may tell of them;
// else leaving is nil.
func (u *Undoer) Within(ctx context.Context, tx pgx.Tx, undoing Undoing, leaving func([]db.UndoneEpisodesRow) error) (Undone, Traces, error) {
	r := &rehearsal{Undoer: u, erasing: leaving != nil}
	t := u.In(db.New(tx), undoing.GroupID)
	if err := r.begin(ctx, t); err != nil {
		return Undone{}, Traces{}, err
	}
	runs, err := t.Queries.RunsOf(ctx, db.RunsOfParams{GroupID: t.GroupID, Ids: append([]uuid.UUID{}, undoing.EpisodeIDs...)})
	if err != nil {
		return Undone{}, Traces{}, err
	}
	undoing.EpisodeIDs = slices.Concat(undoing.EpisodeIDs, runs)
	gone, err := episodesToUndo(ctx, t, undoing)
	if err != nil {
		return Undone{}, Traces{}, err
	}
	r.gone = each.Of(gone, func(row db.UndoneEpisodesRow) uuid.UUID { return row.ID })
	done, traces := Undone{Episodes: len(gone)}, Traces{Since: r.began, Began: r.began}
	inGraph, err := r.findSince(ctx, t, gone)
	if err == nil && inGraph {
		done, traces, err = r.undo(ctx, tx, t, undoing)
	}
	if err != nil {
		return Undone{}, Traces{}, err
	}
	if leaving != nil {
		if err := leaving(gone); err != nil {
			return Undone{}, Traces{}, err
		}
	}
	return done, traces, errors.Join(removeEpisodes(ctx, t, gone, r.gone), r.finish(ctx, t))
}

func (r *rehearsal) undo(ctx context.Context, tx pgx.Tx, t *change.Tx, undoing Undoing) (Undone, Traces, error) {
	if err := r.findLater(ctx, t, undoing.AnyReader); err != nil {
		return Undone{}, Traces{}, err
	}
	d, err := r.makeSo(ctx, tx, t)
	if err != nil {
		return Undone{}, Traces{}, err
	}
	done, traces := d.undone(len(r.gone), len(r.later)), d.traces()
	traces.Began = r.began
	if len(r.imported) == 0 { // else the graph rested on them from its beginning
		traces.Since = r.since
	}
	return done, traces, t.Queries.UndoneInsert(ctx, db.UndoneInsertParams{GroupID: t.GroupID, Since: r.since, Ids: r.gone, Outlived: undoing.outlived})
}

// begin begins the transaction's time. What comes back was believed before.
func (r *rehearsal) begin(ctx context.Context, t *change.Tx) error {
	if err := t.Queries.GroupLock(ctx, t.GroupID); err != nil {
		return err
	}
	var err error
	r.began, err = t.Queries.EditBegin(ctx, db.EditBeginParams{GroupID: t.GroupID, Origin: graph.OriginOf(ctx).Doing("undo"), Judged: true})
	return err
}

// makeSo rehearses the graph and writes the difference.
func (r *rehearsal) makeSo(ctx context.Context, tx pgx.Tx, t *change.Tx) (*difference, error) {
	rehearsed, err := r.rehearse(ctx, tx, t)
	if err != nil {
		return nil, err
	}
	d, err := r.compare(ctx, t, rehearsed)
	if err != nil {
		return nil, err
	}
	if err := t.Queries.WeighLater(ctx, true); err != nil { // links of what stays go, and come back
		return nil, err
	}
	if err := d.write(ctx, t); err != nil {
		return nil, fmt.Errorf("write what is different: %w", err)
	}
	return d, nil
}

// finish brings trust, summaries and observations up to date.
func (r *rehearsal) finish(ctx context.Context, t *change.Tx) error {
	return errors.Join(t.WeighAll(ctx), t.Queries.ObservationsCount(ctx, db.ObservationsCountParams{GroupID: t.GroupID, Anew: true}))
}

func episodesToUndo(ctx context.Context, t *change.Tx, undoing Undoing) ([]db.UndoneEpisodesRow, error) {
	if len(undoing.EpisodeIDs) == 0 {
		return nil, graph.Invalid("episode", "is missing; name at least one")
	}
	if _, err := t.MayChangeEpisodes(ctx, undoing.EpisodeIDs...); err != nil {
		return nil, err
	}
	rows, err := t.Queries.UndoneEpisodes(ctx, db.UndoneEpisodesParams{GroupID: t.GroupID, Ids: undoing.EpisodeIDs})
	if err != nil {
		return nil, err
	}
	for _, id := range undoing.EpisodeIDs {
		if !slices.ContainsFunc(rows, func(row db.UndoneEpisodesRow) bool { return row.ID == id }) {
			return nil, change.NotFound("episode", "group %s has no episode %s; 'annals episodes' lists them", t.GroupID, id)
		}
	}
	return rows, nil
}

// removeEpisodes removes episodes, summaries of their conversations and disputes by their
// word.
func removeEpisodes(ctx context.Context, t *change.Tx, gone []db.UndoneEpisodesRow, ids []uuid.UUID) error {
	threads := []string{}
	for _, row := range gone {
		if row.ThreadID != "" && !slices.Contains(threads, row.ThreadID) {
			threads = append(threads, row.ThreadID)
		}
	}
	if _, err := t.Queries.ThreadsForget(ctx, db.ThreadsForgetParams{GroupID: t.GroupID, Ids: threads}); err != nil {
		return err
	}
	if err := t.Queries.EpisodesDelete(ctx, db.EpisodesDeleteParams{GroupID: t.GroupID, Ids: ids}); err != nil {
		return err
	}
	_, err := t.Queries.DisputesSettle(ctx, t.GroupID)
	return err
}

// Look sees the graph as undoing or erasing would leave it, in a transaction that is
// rolled back. before is a recorded time just before it.
type Look func(ctx context.Context, tx pgx.Tx, before time.Time) error

// errPreviewed rolls the transaction of a preview back.
var errPreviewed = errors.New("this was a preview")

// PreviewUndo undoes episodes, lets look see the graph, and rolls back. It costs as much
// as undoing, and other writes wait. Answers of models are kept for the real undo.
func (u *Undoer) PreviewUndo(ctx context.Context, undoing Undoing, look Look) (Undone, error) {
	if err := graph.ValidateGroupID(undoing.GroupID); err != nil {
		return Undone{}, err
	}
	var done Undone
	err := u.Preview(ctx, undoing.GroupID, func(tx pgx.Tx) (err error) {
		var traces Traces
		if done, traces, err = u.Within(ctx, tx, undoing, nil); err != nil {
			return err
		}
		return look(ctx, tx, traces.Before())
	})
	if err != nil {
		return Undone{}, change.Failed(err, "rehearse undoing episodes of %s", undoing.GroupID)
	}
	return done, nil
}

// Preview runs work on a group as a write would, and rolls it back.
func (u *Undoer) Preview(ctx context.Context, groupID string, work func(tx pgx.Tx) error) error {
	err := u.Locks.Hold(ctx, groupID, func() error {
		return u.InTx(ctx, func(tx pgx.Tx) error {
			if err := work(tx); err != nil {
				return err
			}
			return errPreviewed
		})
	})
	if errors.Is(err, errPreviewed) {
		return nil
	}
	return err
}

// Before is the last time on the recorded axis before the undo.
func (tr Traces) Before() time.Time {
	began := tr.Began
	if began.IsZero() {
		began = time.Now()
	}
	return began.Add(-time.Microsecond)
}
