// Package undo removes episodes, and turns the graph into what it would be had they never come. It
// rewinds the graph to the time before them, places the later episodes again, and writes the
// difference.
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
	Reader   string // the present analyst
	Previous int    // earlier messages shown as context, unless an episode says otherwise
}

// Replayer places episodes in the graph again.
type Replayer interface {
	// Replay does so within a transaction, and does not change communities.
	Replay(ctx context.Context, tx pgx.Tx, window Window) error
}

// Window is one episode or several messages that came into the graph together.
type Window struct {
	Episodes []graph.Episode
	Reader   string             // who read them
	Readings []json.RawMessage  // of each episode; nil or null: it is read again
	Traces   [][]db.TracesOfRow // of each episode
	Approved []db.ApprovedOfRow // approvals of their facts
	CameAt   time.Time          // when they first came into the graph
}

// Undoing names episodes to undo.
type Undoing struct {
	GroupID    string
	EpisodeIDs []uuid.UUID

	// AnyReader lets the present analyst judge the later episodes even if another one read them.
	// Otherwise Undo refuses: another analyst may make another graph of the same words.
	AnyReader bool

	outlived bool // they are past their retention or expired, and not called wrong
}

// Undone reports what undoing episodes did.
type Undone struct {
	Episodes        int `json:"episodes" doc:"That were undone"`
	Replayed        int `json:"replayed" doc:"Later ones, placed again"`
	FactsRemoved    int `json:"facts_removed"`
	FactsReopened   int `json:"facts_reopened" doc:"That hold on without them"`
	FactsChanged    int `json:"facts_changed"` // in any other way
	FactsAdded      int `json:"facts_added"`   // repetitions of a removed fact, or facts that it had ended
	EntitiesRemoved int `json:"entities_removed"`
	EntitiesChanged int `json:"entities_changed"` // in names, types, attributes or summary
}

// With adds the counts of another undoing.
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

// Traces are the traces that undone episodes had left.
type Traces struct {
	Entities, Facts []uuid.UUID // removed or changed
	Since           time.Time   // from when the graph depended on the episodes
	Began           time.Time   // when the undo began, on the recorded axis
}

// Undo removes episodes and their effects: the graph becomes what it would be had they never come.
// Facts that only they support are removed, and facts that they ended hold on. Episodes after them
// are placed again. A run that an agent recorded about one of them is removed with it. The history
// keeps what was believed until now. The undo is one transaction.
//
// The later episodes are placed by their stored readings. Only messages that had a removed one as
// context are read again. A model is asked again only if its question has changed. Rows that stay
// keep their ids and history, and later edits by hand are kept. An imported episode that another
// program read is never read again: if it is undone, the facts that it alone supports go, and the
// other imported ones stay as they are. An undo costs as much as processing the later episodes
// without reading them. During that time no other process writes to the group.
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

// Outlive is [Undoer.Undo] for episodes past their retention: the history does not call them
// retracted.
func (u *Undoer) Outlive(ctx context.Context, undoing Undoing) (Undone, error) {
	undoing.outlived = true
	return u.Undo(ctx, undoing)
}

// undoHeld is [Undoer.Undo] for a caller that holds the group's lock.
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

// Within undoes episodes in a transaction, for a caller that holds the group's lock. An erasure
// passes leaving, which is called before the episodes go; nothing that may tell of them is then
// kept. Otherwise leaving is nil.
func (u *Undoer) Within(ctx context.Context, tx pgx.Tx, undoing Undoing, leaving func([]db.UndoneEpisodesRow) error) (Undone, Traces, error) {
	r := &rehearsal{Undoer: u, erasing: leaving != nil, reread: map[uuid.UUID]bool{}}
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
	if len(r.imported) == 0 { // otherwise the graph depended on them from its beginning
		traces.Since = r.since
	}
	return done, traces, t.Queries.UndoneInsert(ctx, db.UndoneInsertParams{GroupID: t.GroupID, Since: r.since, Ids: r.gone, Outlived: undoing.outlived})
}

// begin sets the time of the transaction, as the recorded time of its changes.
func (r *rehearsal) begin(ctx context.Context, t *change.Tx) error {
	if err := t.Queries.GroupLock(ctx, t.GroupID); err != nil {
		return err
	}
	var err error
	r.began, err = t.Queries.EditBegin(ctx, db.EditBeginParams{GroupID: t.GroupID, Origin: graph.OriginOf(ctx).Doing("undo"), Judged: true})
	return err
}

// makeSo rehearses the new graph and writes the difference.
func (r *rehearsal) makeSo(ctx context.Context, tx pgx.Tx, t *change.Tx) (*difference, error) {
	rehearsed, err := r.rehearse(ctx, tx, t)
	if err != nil {
		return nil, err
	}
	d, err := r.compare(ctx, t, rehearsed)
	if err != nil {
		return nil, err
	}
	if err := t.Queries.WeighLater(ctx, true); err != nil { // links of facts that stay are deleted and inserted again
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

// removeEpisodes removes episodes, the summaries of their conversations, and disputes that only
// they caused.
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

// Look reads the graph as undoing or erasing would leave it, in a transaction that is rolled back.
// before is the recorded time just before the change.
type Look func(ctx context.Context, tx pgx.Tx, before time.Time) error

// errPreviewed makes the transaction of a preview roll back.
var errPreviewed = errors.New("this was a preview")

// PreviewUndo undoes episodes, calls look, and rolls back. It costs as much as the undo, and other
// writes wait. The answers of models are kept for the real undo.
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

// Preview runs work as a write to a group, and rolls it back.
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

// Before returns the last recorded time before the undo.
func (tr Traces) Before() time.Time {
	began := tr.Began
	if began.IsZero() {
		began = time.Now()
	}
	return began.Add(-time.Microsecond)
}
