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
func (e *Engine) commit(ctx context.Context, d *draft) error {
	err := db.InTx(ctx, e.store, func(q *db.Queries) error {
		if err := q.GroupLock(ctx, d.groupID); err != nil {
			return err
		}
		if err := begin(ctx, q, d); err != nil {
			return err
		}
		for _, write := range []func(context.Context, *db.Queries, *draft) error{
			checkFresh, e.writeEpisodes, e.writeEntities, writeRejections, liftRejections, e.writeFacts, writeProvenance, writeTrace, e.writeReadings, e.joinNew,
		} {
			if err := write(ctx, q, d); err != nil {
				return err
			}
		}
		if d.handed {
			if err := q.ObservationsCount(ctx, db.ObservationsCountParams{GroupID: d.groupID}); err != nil {
				return err
			}
			return errors.Join(q.ChangeNote(ctx, db.ChangeNoteParams{
				GroupID: d.groupID, Action: "triple", Detail: fmt.Appendf(nil, `{"episode_id": %q, "facts": %d}`, d.episodes[0].ID, len(d.facts)),
			}), q.NoteDone(ctx))
		}
		return nil
	})
	if err == nil || errors.Is(err, errStale) || errors.Is(err, errGone) {
		return err
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (strings.HasPrefix(pg.Code, "22") || strings.HasPrefix(pg.Code, "23")) {
		return &analysisError{step: stepCommit, err: err} // what was worked out can never be stored
	}
	return fmt.Errorf("commit: %w", err)
}

// begin begins the transaction's time on the recorded axis and names the
// episodes that cause its versions. The graph of a stored episode need not wait
// for the disk: it would be worked out again.
func begin(ctx context.Context, q *db.Queries, d *draft) error {
	ids := make([]uuid.UUID, len(d.episodes))
	for i, episode := range d.episodes {
		ids[i] = episode.ID
	}
	if err := q.CausesSet(ctx, ids); err != nil {
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
func checkFresh(ctx context.Context, q *db.Queries, d *draft) error {
	entities := map[uuid.UUID]temporal.Interval{}
	for _, n := range d.touched() {
		if !n.isNew {
			entities[n.ID] = n.Recorded
		}
	}
	facts := d.factsRestedOn()
	locked, err := q.VersionsLock(ctx, db.VersionsLockParams{GroupID: d.groupID, EntityIds: keys(entities), FactIds: keys(facts)})
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
	return errors.Join(checkStillNew(ctx, q, d), checkNotWithdrawn(ctx, q, d))
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
func checkStillNew(ctx context.Context, q *db.Queries, d *draft) error {
	names := []string{}
	for _, n := range d.mentioned() {
		if n.isNew {
			names = append(names, n.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	rows, err := q.EntitiesByNames(ctx, db.EntitiesByNamesParams{GroupID: d.groupID, Names: names})
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

func keys[V any](m map[uuid.UUID]V) []uuid.UUID {
	ids := make([]uuid.UUID, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	return ids
}
