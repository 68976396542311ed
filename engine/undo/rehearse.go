package undo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/internal/each"
)

// rehearsal works out the graph without some episodes. It rewinds the graph to the time before the
// first of them, and places the later episodes again. It happens in a savepoint that is rolled
// back.
type rehearsal struct {
	*Undoer
	gone    []uuid.UUID
	erasing bool
	kept    []uuid.UUID // entities and facts without a reading, which stay as they are
	began   time.Time   // start of the undo, on the recorded axis
	since   time.Time
	later   []later
	reread  map[uuid.UUID]bool // messages that had one of gone as context when they were read
	traces  map[uuid.UUID][]db.TracesOfRow

	approved map[uuid.UUID][]db.ApprovedOfRow // by the episode that states the fact

	together []time.Time // when the episodes of gone came into the graph, perhaps with others
	imported []uuid.UUID // those of gone that were not read here

	droppedEntities, droppedFacts []uuid.UUID // older than since, and without any support now
}

// snapshot is what changed in a graph since a time, with the links of some episodes to it.
type snapshot struct {
	entities  []db.EntityRow
	facts     []db.FactRow
	mentions  []db.MentionsOfRow
	citations []db.CitationsOfRow
	disputes  []db.DisputesOfRow
	traces    []db.TracesOfRow
	readings  []db.ReadingListRow
	gone      []db.FactsGoneSinceRow // in a rehearsal
}

func entityID(row db.EntityRow) uuid.UUID { return row.ID }
func factID(row db.FactRow) uuid.UUID     { return row.ID }

// snapshotSince reads what changed since a time, and what is left of an earlier snapshot.
func snapshotSince(ctx context.Context, t *change.Tx, since time.Time, episodes []uuid.UUID, before snapshot) (snapshot, error) {
	var s snapshot
	var errs [7]error
	s.entities, errs[0] = t.Queries.EntitiesSince(ctx, db.EntitiesSinceParams{GroupID: t.GroupID, Since: since, Ids: each.Of(before.entities, entityID)})
	s.facts, errs[1] = t.Queries.FactsSince(ctx, db.FactsSinceParams{GroupID: t.GroupID, Since: since, Ids: each.Of(before.facts, factID)})
	s.mentions, errs[2] = t.Queries.MentionsOf(ctx, db.MentionsOfParams{GroupID: t.GroupID, EpisodeIds: episodes})
	s.citations, errs[3] = t.Queries.CitationsOf(ctx, db.CitationsOfParams{GroupID: t.GroupID, EpisodeIds: episodes})
	s.traces, errs[4] = t.Queries.TracesOf(ctx, db.TracesOfParams{GroupID: t.GroupID, EpisodeIds: episodes})
	s.readings, errs[5] = t.Queries.ReadingList(ctx, db.ReadingListParams{GroupID: t.GroupID, EpisodeIds: episodes})
	s.disputes, errs[6] = t.Queries.DisputesOf(ctx, db.DisputesOfParams{GroupID: t.GroupID, EpisodeIds: episodes, FactIds: each.Of(s.facts, factID)})
	return s, errors.Join(errs[:]...)
}

func (r *rehearsal) rehearse(ctx context.Context, tx pgx.Tx, t *change.Tx) (snapshot, error) {
	savepoint, err := tx.Begin(ctx)
	if err != nil {
		return snapshot{}, err
	}
	defer func() { _ = savepoint.Rollback(context.WithoutCancel(ctx)) }()
	t = r.In(db.New(savepoint), t.GroupID)
	changed, err := snapshotSince(ctx, t, r.since, nil, snapshot{})
	if err != nil {
		return snapshot{}, err
	}
	if err := r.rewind(ctx, t); err != nil {
		return snapshot{}, fmt.Errorf("wind back to %s: %w", r.since.Format(time.RFC3339), err)
	}
	if err := t.Queries.EpisodesDelete(ctx, db.EpisodesDeleteParams{GroupID: t.GroupID, Ids: append([]uuid.UUID{}, r.gone...)}); err != nil {
		return snapshot{}, err
	}
	if err := r.replay(ctx, savepoint, t); err != nil {
		return snapshot{}, fmt.Errorf("work out again what followed: %w", err)
	}
	rehearsed, err := snapshotSince(ctx, t, r.began, r.laterIDs(), changed)
	if err != nil {
		return snapshot{}, err
	}
	if rehearsed.gone, err = t.Queries.FactsGoneSince(ctx, db.FactsGoneSinceParams{GroupID: t.GroupID, Since: r.began}); err != nil {
		return snapshot{}, err
	}
	return rehearsed, savepoint.Rollback(ctx)
}

// replay places later episodes again. Episodes that were read together form one window.
func (r *rehearsal) replay(ctx context.Context, tx pgx.Tx, t *change.Tx) error {
	if err := t.Queries.EpisodesTakeAgain(ctx, db.EpisodesTakeAgainParams{GroupID: t.GroupID, Ids: r.laterIDs()}); err != nil {
		return err
	}
	for begin, end := 0, 0; begin < len(r.later); begin = end {
		first := r.later[begin].processedAt
		for end = begin + 1; end < len(r.later) && !first.IsZero() && r.later[end].processedAt.Equal(first); {
			end++
		}
		window := Window{Reader: r.later[begin].reader, CameAt: first}
		for _, l := range r.later[begin:end] {
			window.Approved = append(window.Approved, r.approved[l.ID]...)
			if r.reread[l.ID] {
				l.reading = nil
			}
			window.Episodes = append(window.Episodes, l.Episode)
			window.Readings, window.Traces = append(window.Readings, l.reading), append(window.Traces, r.traces[l.ID])
		}
		if err := r.Replayer.Replay(ctx, tx, window); err != nil {
			return fmt.Errorf("episode %s: %w", r.later[begin].ID, err)
		}
	}
	return nil
}

// rewind sets the graph back to just before since.
func (r *rehearsal) rewind(ctx context.Context, t *change.Tx) error {
	told, err := r.toldByImported(ctx, t)
	if err != nil {
		return err
	}
	episodes := append(r.laterIDs(), r.gone...)
	touched, err := t.Queries.RewindProvenance(ctx, db.RewindProvenanceParams{GroupID: t.GroupID, EpisodeIds: episodes})
	if err != nil {
		return err
	}
	if err := t.Queries.RewindRejections(ctx, db.RewindRejectionsParams{GroupID: t.GroupID, EpisodeIds: episodes}); err != nil {
		return err
	}
	if err := r.dropNew(ctx, t); err != nil {
		return err
	}
	entities, err := t.Queries.RewindEntities(ctx, db.RewindEntitiesParams{GroupID: t.GroupID, Since: r.since})
	if err != nil {
		return err
	}
	if err := t.Queries.RewindFactsChanged(ctx, db.RewindFactsChangedParams{GroupID: t.GroupID, Since: r.since}); err != nil {
		return err
	}
	facts, err := t.Queries.RewindFactsGone(ctx, db.RewindFactsGoneParams{GroupID: t.GroupID, Since: r.since})
	if err != nil {
		return err
	}
	var v change.Vectors
	for _, row := range entities {
		v.Entity(row.ID, row.Name)
	}
	for _, row := range facts {
		v.Fact(row.ID, row.Fact, row.Predicate)
	}
	back := append([]uuid.UUID{}, v.Facts...)
	return errors.Join(
		t.Queries.CitationsRestore(ctx, db.CitationsRestoreParams{GroupID: t.GroupID, Ids: back, ExceptIds: episodes}),
		v.Write(ctx, t), r.drop(ctx, t, slices.Concat(touched, v.Entities, v.Facts), told), takeOutAgain(ctx, t, back))
}

// takeOutAgain removes facts again that were removed by hand since, so that they end nothing of
// what is placed after them.
func takeOutAgain(ctx context.Context, t *change.Tx, back []uuid.UUID) error {
	ids, err := t.Queries.FactsTakenOut(ctx, db.FactsTakenOutParams{GroupID: t.GroupID, Ids: back})
	if err != nil || len(ids) == 0 {
		return err
	}
	for _, id := range ids {
		facts, err := t.Facts(ctx, []uuid.UUID{id}) // each as the previous removal left it
		if err != nil {
			return err
		}
		for _, f := range facts {
			if err := t.TakeOut(ctx, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *rehearsal) dropNew(ctx context.Context, t *change.Tx) error {
	facts, err := t.Queries.RewindFactsNew(ctx, db.RewindFactsNewParams{GroupID: t.GroupID, Since: r.since})
	if err != nil {
		return err
	}
	if err := t.Expire(ctx, facts...); err != nil {
		return err
	}
	entities, err := t.Queries.RewindEntitiesNew(ctx, db.RewindEntitiesNewParams{GroupID: t.GroupID, Since: r.since})
	if err != nil {
		return err
	}
	return t.DeleteEntities(ctx, entities...)
}

// drop removes facts and entities that have lost their support. Facts that they had ended hold
// again. touched are the ids to check. The summaries of told are remade in any case.
func (r *rehearsal) drop(ctx context.Context, t *change.Tx, touched, told []uuid.UUID) error {
	rows, err := t.Queries.FactsUnsupported(ctx, db.FactsUnsupportedParams{GroupID: t.GroupID, Ids: touched})
	if err != nil {
		return err
	}
	dropped := change.FactsIn(rows)
	r.droppedFacts = each.Of(rows, factID)
	reopened, err := t.Queries.FactsBoundedBy(ctx, db.FactsBoundedByParams{GroupID: t.GroupID, Ids: r.droppedFacts})
	if err != nil {
		return err
	}
	ends := slices.Concat(told, change.EndsOf(dropped...), change.EndsOf(change.FactsIn(reopened)...))
	if len(rows) > 0 {
		if _, err := t.Queries.FactsLetGo(ctx, db.FactsLetGoParams{GroupID: t.GroupID, Ids: r.droppedFacts}); err != nil {
			return fmt.Errorf("take out what nothing supports: %w", err)
		}
	}
	if _, err := t.Retell(ctx, ends, dropped...); err != nil {
		return fmt.Errorf("make summaries anew: %w", err)
	}
	r.droppedEntities, err = t.DropUnsupported(ctx, slices.Concat(touched, ends))
	return err
}

// toldByImported lists entities of imported episodes that are erased: another program wrote their
// summaries.
func (r *rehearsal) toldByImported(ctx context.Context, t *change.Tx) ([]uuid.UUID, error) {
	if !r.erasing || len(r.imported) == 0 {
		return nil, nil
	}
	rows, err := t.Queries.MentionsOf(ctx, db.MentionsOfParams{GroupID: t.GroupID, EpisodeIds: r.imported})
	return each.Of(rows, func(row db.MentionsOfRow) uuid.UUID { return row.EntityID }), err
}
