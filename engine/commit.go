package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

var (
	// errStale says that rows the draft rests on changed while it was worked out.
	errStale = errors.New("the graph changed while the episode was being resolved")

	// errGone says that the episode was removed while it was worked on.
	errGone = errors.New("the episode was removed while it was being processed")
)

// commit writes the draft in one transaction under the group's lock. It writes
// nothing and returns errStale when a row it rests on has changed since it was read.
func (w *walk) commit(ctx context.Context, d *draft) error {
	err := change.Locked(ctx, w.store, d.groupID, func(q *db.Queries) error {
		if err := begin(ctx, q, d); err != nil {
			return err
		}
		t := w.In(q, d.groupID)
		for _, write := range []func(context.Context, *change.Tx, *draft) error{
			checkFresh, writeEpisodes, writeEntities, writeRejections, liftRejections, writeFacts, writeProvenance, writeTrace, w.writeReadings, w.joinNew,
		} {
			if err := write(ctx, t, d); err != nil {
				return err
			}
		}
		if !d.handed {
			return nil
		}
		return errors.Join(
			q.ObservationsCount(ctx, db.ObservationsCountParams{GroupID: d.groupID}),
			q.ChangeNote(ctx, db.ChangeNoteParams{
				GroupID: d.groupID, Action: "triple", Detail: fmt.Appendf(nil, `{"episode_id": %q, "facts": %d}`, d.episodes[0].ID, len(d.facts)),
			}), q.NoteDone(ctx))
	})
	if err == nil || errors.Is(err, errStale) || errors.Is(err, errGone) {
		return err
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (strings.HasPrefix(pg.Code, "22") || strings.HasPrefix(pg.Code, "23")) {
		return &analyst.Failure{Step: stepCommit, Err: err} // what was worked out can never be stored
	}
	return fmt.Errorf("commit: %w", err)
}

// begin begins the transaction's time on the recorded axis and names the
// episodes that cause its versions. The graph of a stored episode need not wait
// for the disk: it would be worked out again.
func begin(ctx context.Context, q *db.Queries, d *draft) error {
	if err := q.CausesSet(ctx, d.episodeIDs()); err != nil {
		return err
	}
	if d.handed {
		_, err := q.EditBegin(ctx, db.EditBeginParams{GroupID: d.groupID, Origin: graph.OriginOf(ctx).Doing("add"), Judged: true})
		return err
	}
	_, err := q.WriteBegin(ctx, d.groupID)
	return err
}

// checkFresh locks the stored rows that the draft rests on and compares their versions.
func checkFresh(ctx context.Context, t *change.Tx, d *draft) error {
	entities := map[uuid.UUID]temporal.Interval{}
	for _, n := range d.touched() {
		if !n.New {
			entities[n.ID] = n.Recorded
		}
	}
	facts := d.factsRestedOn()
	locked, err := t.VersionsLock(ctx, db.VersionsLockParams{GroupID: d.groupID, EntityIds: change.Keys(entities), FactIds: change.Keys(facts)})
	if err != nil {
		return err
	}
	for _, row := range locked {
		version, isEntity := entities[row.ID]
		if !isEntity {
			version = facts[row.ID]
		}
		if !db.Interval(row.Recorded).Equal(version) {
			return errStale
		}
	}
	if len(locked) != len(entities)+len(facts) {
		return errStale
	}
	return errors.Join(checkStillNew(ctx, t, d), checkNotWithdrawn(ctx, t, d))
}

// factsRestedOn are the versions of the stored facts that the draft changes, repeats
// or tells in summaries.
func (d *draft) factsRestedOn() map[uuid.UUID]temporal.Interval {
	facts := maps.Clone(d.rests)
	for _, k := range d.changes() {
		facts[k.ID] = k.Recorded
	}
	for _, f := range d.facts {
		if k := f.duplicateOf; k != nil && k.sibling == nil {
			facts[k.ID] = k.Recorded
		}
	}
	return facts
}

// checkStillNew makes sure that no entity was given the name of a new one, by hand,
// since that name was looked up.
func checkStillNew(ctx context.Context, t *change.Tx, d *draft) error {
	names := []string{}
	for _, n := range d.mentioned() {
		if n.New {
			names = append(names, n.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	rows, err := t.EntitiesByNames(ctx, db.EntitiesByNamesParams{GroupID: d.groupID, Names: names})
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.EntityID != uuid.Nil && !d.shown[row.EntityID] {
			return errStale
		}
	}
	return nil
}
