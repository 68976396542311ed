package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Deletion names episodes to undo.
type Deletion struct {
	GroupID    string
	EpisodeIDs []uuid.UUID

	// AnyReader lets the present analyst judge what followed the episodes, even
	// where another one read it. Else that is refused: another analyst may see
	// another graph in the same words.
	AnyReader bool

	erasing bool // nothing that may tell of the episodes stays
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

	entities []uuid.UUID // removed or changed
	facts    []uuid.UUID
	since    time.Time
	began    time.Time // of the undo, on the recorded axis
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

// Undo removes episodes and what came of them: the graph becomes what it would be
// had they never come. What only they support goes, what they ended holds on, and
// what was said after them is placed again without them. The history keeps what was
// believed until now. All of it is one transaction.
//
// The graph is wound back to the time before the first of them, and the
// episodes that followed are placed in it again, by what was read in them at
// the time; only messages that were read with one of the removed in view are
// read again. A model is asked again where its question has changed.
// The difference to the graph as it is is then written, so that what stays
// keeps its id and its history, and what was edited by hand since is left
// alone. An imported episode that another program read is never read again: what
// it alone supports goes, and the other imported ones stand as they came. It costs as much as processing the later episodes without reading
// them; during that time no other process writes to the group.
func (e *Engine) Undo(ctx context.Context, deletion Deletion) (Undone, error) {
	if err := graph.ValidateGroupID(deletion.GroupID); err != nil {
		return Undone{}, err
	}
	var done Undone
	err := e.lockGroup(ctx, deletion.GroupID, Portion{}, func(func() error) (err error) {
		done, err = e.undoLocked(ctx, deletion)
		return err
	})
	return done, err
}

// undoLocked is [Engine.Undo] for whom no other process works on the group.
func (e *Engine) undoLocked(ctx context.Context, deletion Deletion) (done Undone, err error) {
	err = db.Retrying(ctx, func() error {
		return pgx.BeginFunc(ctx, e.pool, func(tx pgx.Tx) error {
			done, err = e.undo(ctx, tx, deletion, func([]db.UndoneEpisodesRow) error { return nil })
			return err
		})
	})
	if err != nil {
		return Undone{}, wrapEdit(err, "undo episodes of %s", deletion.GroupID)
	}
	return done, db.RefreshStatistics(ctx, e.pool, deletion.GroupID)
}

// undo does the work within a transaction, while no other process works on the
// group. It calls leaving before the episodes themselves go.
func (e *Engine) undo(ctx context.Context, tx pgx.Tx, deletion Deletion, leaving func([]db.UndoneEpisodesRow) error) (Undone, error) {
	q := db.New(tx)
	if err := q.GroupLock(ctx, deletion.GroupID); err != nil {
		return Undone{}, err
	}
	began, err := q.EditBegin(ctx, db.EditBeginParams{
		GroupID: deletion.GroupID, Origin: graph.OriginOf(ctx).Doing("undo"), Judged: true, // what comes back was believed before
	})
	if err != nil {
		return Undone{}, err
	}
	gone, err := episodesToUndo(ctx, q, deletion)
	if err != nil {
		return Undone{}, err
	}
	r := &rehearsal{groupID: deletion.GroupID, erasing: deletion.erasing, reread: map[uuid.UUID]bool{}, traces: map[uuid.UUID][]db.TracesOfRow{}}
	for _, row := range gone {
		r.gone = append(r.gone, row.ID)
	}
	inGraph, err := e.findSince(ctx, q, r, gone, began)
	if err != nil {
		return Undone{}, err
	}
	done := Undone{Episodes: len(gone), since: began}
	if inGraph {
		if err := e.findLater(ctx, q, r, deletion.AnyReader); err != nil {
			return Undone{}, err
		}
		if done, err = e.undoInGraph(ctx, tx, r, began); err != nil {
			return Undone{}, err
		}
	}
	if err := noteUndone(ctx, q, r, inGraph); err != nil {
		return Undone{}, err
	}
	if err := leaving(gone); err != nil {
		return Undone{}, err
	}
	done.began = began
	return done, errors.Join(removeEpisodes(ctx, q, r, gone), e.weighAtLast(ctx, q, deletion.GroupID), q.ObservationsCount(ctx, db.ObservationsCountParams{GroupID: deletion.GroupID, Anew: true}))
}

func episodesToUndo(ctx context.Context, q *db.Queries, deletion Deletion) ([]db.UndoneEpisodesRow, error) {
	if len(deletion.EpisodeIDs) == 0 {
		return nil, graph.Invalid("episode", "is missing; name at least one")
	}
	rows, err := q.UndoneEpisodes(ctx, db.UndoneEpisodesParams{GroupID: deletion.GroupID, Ids: deletion.EpisodeIDs})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if own := graph.OriginOf(ctx).Cap; own.Below(row.Authority) {
			return nil, beneath("episode", row.Authority, own)
		}
	}
	for _, id := range deletion.EpisodeIDs {
		if !slices.ContainsFunc(rows, func(row db.UndoneEpisodesRow) bool { return row.ID == id }) {
			return nil, &graph.Error{
				Code: graph.CodeNotFound, Field: "episode",
				Message: fmt.Sprintf("group %s has no episode %s; 'annals episodes' lists them", deletion.GroupID, id),
			}
		}
	}
	return rows, nil
}

// findSince finds the earliest time at which the episodes changed the graph, and
// the messages that were read with them in view. It is false where they never
// changed it. For an imported one, that is when the first that was read was
// placed into what the import had brought, or now.
func (e *Engine) findSince(ctx context.Context, q *db.Queries, r *rehearsal, gone []db.UndoneEpisodesRow, began time.Time) (bool, error) {
	var times []time.Time
	for _, row := range gone {
		if row.ProcessedAt != nil && row.Read {
			times = append(times, *row.ProcessedAt)
			r.together = append(r.together, *row.ProcessedAt)
		} else if row.ProcessedAt != nil {
			r.imported = append(r.imported, row.ID)
			first, err := q.ReadSince(ctx, db.ReadSinceParams{GroupID: r.groupID, Since: *row.ProcessedAt})
			if errors.Is(err, pgx.ErrNoRows) {
				first = began
			} else if err != nil {
				return false, err
			}
			times = append(times, first)
		}
		if row.Source != graph.SourceMessage {
			continue
		}
		shown, err := q.EpisodesShown(ctx, db.EpisodesShownParams{
			GroupID: r.groupID, ThreadID: row.ThreadID, OccurredAt: row.OccurredAt, ID: row.ID, MaxRows: graph.MaxPrevious,
		})
		if err != nil {
			return false, err
		}
		for i, next := range shown {
			if i < e.mayShow(next.Previous) && sawIt(next, row) && !slices.Contains(r.gone, next.ID) {
				r.reread[next.ID] = true
				times = append(times, *next.ProcessedAt)
			}
		}
	}
	if len(times) == 0 {
		return false, nil
	}
	r.since = slices.MinFunc(times, time.Time.Compare)
	return true, e.skipUndone(ctx, q, r)
}

// mayShow is how many earlier messages a message may have been shown with.
func (e *Engine) mayShow(own *int32) int {
	if own != nil {
		return int(*own)
	}
	return max(e.options.Previous, DefaultPrevious)
}

// sawIt reports whether a message was read when the other was there already.
func sawIt(next db.EpisodesShownRow, gone db.UndoneEpisodesRow) bool {
	return next.Read && next.ProcessedAt != nil && !next.ProcessedAt.Before(gone.CreatedAt)
}

// skipUndone moves the time back out of those in which what was believed
// rested on episodes that were undone since.
func (e *Engine) skipUndone(ctx context.Context, q *db.Queries, r *rehearsal) error {
	undone, err := q.UndoneList(ctx, r.groupID)
	if err != nil {
		return err
	}
	for moved := true; moved; {
		moved = false
		for _, u := range undone {
			if u.Since.Before(r.since) && r.since.Before(u.UndoneAt) {
				r.since, moved = u.Since, true
			}
		}
	}
	return nil
}

// findLater reads what came into the graph since, and what of it no reading tells.
func (e *Engine) findLater(ctx context.Context, q *db.Queries, r *rehearsal, anyReader bool) error {
	rows, err := q.EpisodesProcessedSince(ctx, db.EpisodesProcessedSinceParams{GroupID: r.groupID, Since: r.since})
	if err != nil {
		return err
	}
	for _, row := range rows {
		if slices.Contains(r.gone, row.ID) {
			continue
		}
		l, err := laterOf(r.groupID, row)
		if err != nil {
			return err
		}
		if l.reader != "" && l.reader != e.analyst.Name() && !anyReader {
			return &graph.Error{
				Code: graph.CodeConflict, Field: "llm",
				Message: fmt.Sprintf("episode %s, which came later and has to be placed again, was read by %s, and now %s would judge it; "+
					"name that model, or allow any reader", l.ID, l.reader, e.analyst.Name()),
			}
		}
		if slices.ContainsFunc(r.together, l.processedAt.Equal) {
			r.reread[l.ID] = true
		}
		r.later = append(r.later, l)
	}
	if r.kept, err = q.RebuildKept(ctx, db.RebuildKeptParams{GroupID: r.groupID, Since: r.keptSince(), ExceptIds: append([]uuid.UUID{}, r.gone...)}); err != nil {
		return err
	}
	traces, err := q.TracesOf(ctx, db.TracesOfParams{GroupID: r.groupID, EpisodeIds: r.laterIDs()})
	for _, row := range traces {
		r.traces[row.EpisodeID] = append(r.traces[row.EpisodeID], row)
	}
	return err
}

// undoInGraph rehearses the graph without the episodes and makes it so.
func (e *Engine) undoInGraph(ctx context.Context, tx pgx.Tx, r *rehearsal, began time.Time) (Undone, error) {
	q := db.New(tx)
	without, err := e.rehearse(ctx, tx, r, began)
	if err != nil {
		return Undone{}, err
	}
	d, err := e.compare(ctx, q, r, without, began)
	if err != nil {
		return Undone{}, err
	}
	if err := q.WeighLater(ctx, true); err != nil { // links of what stays go, and come back
		return Undone{}, err
	}
	if err := d.write(ctx, e, q); err != nil {
		return Undone{}, fmt.Errorf("write what is different: %w", err)
	}
	done := d.undone(len(r.gone), len(r.later), r.since)
	if len(r.imported) > 0 {
		done.since = time.Time{} // the graph rested on them from its beginning
	}
	return done, nil
}

// weighAtLast weighs all facts after their links were written anew: their trust is no
// more than these tell. Summaries as they were once may tell what is to expire now:
// they are made anew.
func (e *Engine) weighAtLast(ctx context.Context, q *db.Queries, groupID string) error {
	if err := errors.Join(e.weigh(ctx, q, groupID, nil), q.WeighLater(ctx, false)); err != nil {
		return err
	}
	ids, err := q.EntitiesOfExpiring(ctx, groupID)
	if err != nil {
		return err
	}
	_, err = e.retell(ctx, q, groupID, ids)
	return err
}

// noteUndone records the time during which the graph rested on the episodes.
func noteUndone(ctx context.Context, q *db.Queries, r *rehearsal, inGraph bool) error {
	if !inGraph {
		return nil
	}
	return q.UndoneInsert(ctx, db.UndoneInsertParams{GroupID: r.groupID, Since: r.since, Ids: r.gone})
}

// removeEpisodes removes the episodes themselves, the summaries of their
// conversations, which are made anew, and the disputes that rested on their word.
func removeEpisodes(ctx context.Context, q *db.Queries, r *rehearsal, gone []db.UndoneEpisodesRow) error {
	threads := []string{}
	for _, row := range gone {
		if row.ThreadID != "" && !slices.Contains(threads, row.ThreadID) {
			threads = append(threads, row.ThreadID)
		}
	}
	if _, err := q.ThreadsForget(ctx, db.ThreadsForgetParams{GroupID: r.groupID, Ids: threads}); err != nil {
		return err
	}
	if err := q.EpisodesDelete(ctx, db.EpisodesDeleteParams{GroupID: r.groupID, Ids: r.gone}); err != nil {
		return err
	}
	_, err := q.DisputesSettle(ctx, r.groupID)
	return err
}
