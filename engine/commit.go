package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

var (
	// errStale reports that rows which the draft depends on changed while it was made.
	errStale = errors.New("the graph changed while the episode was being resolved")

	// errGone reports that the episode was removed while it was processed.
	errGone = errors.New("the episode was removed while it was being processed")
)

// commit writes the draft in one transaction under the group's lock. If a row that the draft
// depends on has changed, it writes nothing and returns errStale.
func (w *walk) commit(ctx context.Context, d *draft) error {
	err := change.Locked(ctx, w.store, d.groupID, func(q *db.Queries) error {
		t := w.In(q, d.groupID)
		if err := begin(ctx, t, d); err != nil {
			return err
		}
		for _, write := range []func(context.Context, *change.Tx, *draft) error{
			checkFresh, writeEpisodes, writeEntities, writeRejections, liftRejections, writeFacts, writeProvenance, writeApprovals, tellByName, writeTrace, w.writeReadings, w.joinNew,
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
		return &analyst.Failure{Step: stepCommit, Err: err} // the draft can never be stored
	}
	return fmt.Errorf("commit: %w", err)
}

// begin sets the time of the transaction and the episodes that cause its versions. It does not wait
// for the disk: a stored episode can be read again after a crash.
func begin(ctx context.Context, t *change.Tx, d *draft) error {
	if err := t.CausedBy(ctx, d.episodeIDs()); err != nil {
		return err
	}
	if d.handed {
		_, err := t.Queries.EditBegin(ctx, db.EditBeginParams{GroupID: d.groupID, Origin: graph.OriginOf(ctx).Doing("add"), Judged: true})
		return err
	}
	return t.Queries.BeginWrite(ctx, d.groupID)
}

// checkFresh locks the stored rows that the draft depends on and compares their versions.
func checkFresh(ctx context.Context, t *change.Tx, d *draft) error {
	entities := map[uuid.UUID]temporal.Interval{}
	for _, n := range d.touched() {
		if !n.New {
			entities[n.ID] = n.Recorded
		}
	}
	facts := d.factsRestedOn()
	locked, err := t.Queries.VersionsLock(ctx, db.VersionsLockParams{GroupID: d.groupID, EntityIds: change.Keys(entities), FactIds: change.Keys(facts)})
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

// factsRestedOn returns the versions of the stored facts that the draft changes, repeats, disputes
// or summarises.
func (d *draft) factsRestedOn() map[uuid.UUID]temporal.Interval {
	facts := maps.Clone(d.rests)
	for _, k := range d.changes() {
		facts[k.ID] = k.Recorded
	}
	for _, f := range d.facts {
		for _, k := range slices.Concat([]*knownFact{f.duplicateOf}, f.disputes, f.disputedBy) {
			if k != nil && k.sibling == nil {
				facts[k.ID] = k.Recorded
			}
		}
	}
	return facts
}

// checkStillNew returns errStale if an entity got the name of a new one since the name was looked
// up.
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
	rows, err := t.Queries.EntitiesByNames(ctx, db.EntitiesByNamesParams{GroupID: d.groupID, Names: names})
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

func writeEntities(ctx context.Context, t *change.Tx, d *draft) error {
	return t.WriteEntities(ctx, d.touched()...)
}

// tellByName renames entities in what is stored, and parts speakers who are different people.
func tellByName(ctx context.Context, t *change.Tx, d *draft) error {
	for _, r := range d.renamed {
		if err := t.TellByName(ctx, r.node, r.old, !matching.Unnamed(r.old)); err != nil {
			return err
		}
	}
	for _, p := range d.parted {
		if err := t.PartFrom(ctx, p.from, p.into, d.episodes[0].ThreadID); err != nil {
			return err
		}
	}
	return nil
}

func writeFacts(ctx context.Context, t *change.Tx, d *draft) error {
	var inserts []db.FactInsertParams
	var expired []db.FactInsertExpiredParams
	var vectors []db.FactEmbeddingUpsertParams
	for _, f := range d.newFacts() {
		row := change.FactRow(f.asFact(d.groupID), f.ends)
		if f.expired {
			expired = append(expired, change.ExpiredRow(row, d.episodes[f.episode].ID, d.endersOf(f)))
			continue
		}
		inserts, vectors = append(inserts, row), append(vectors, t.FactVector(f.id, f.vector))
	}
	return errors.Join(
		db.Exec(t.Queries.FactInsert(ctx, inserts)),
		db.Exec(t.Queries.FactInsertExpired(ctx, expired)),
		db.Exec(t.Queries.FactEmbeddingUpsert(ctx, vectors)),
		writeChanges(ctx, t, d))
}

// endersOf returns the episodes of the fact that left a new fact no time, or those of the draft.
func (d *draft) endersOf(f *newFact) []uuid.UUID {
	switch k := f.lostTo; {
	case k == nil:
		return d.episodeIDs()
	case k.sibling != nil:
		return []uuid.UUID{d.episodes[k.sibling.episode].ID}
	default:
		return append([]uuid.UUID{}, k.Episodes...)
	}
}

// writeChanges writes the changes of stored facts: their end, dates, attributes and words.
func writeChanges(ctx context.Context, t *change.Tx, d *draft) error {
	var dates []db.FactDateParams
	var expired []uuid.UUID
	var learned []db.FactSetAttributesParams
	var reworded []*knownFact
	for _, k := range d.known {
		switch {
		case k.expired:
			expired = append(expired, k.ID)
			continue
		case k.reworded != "":
			reworded = append(reworded, k)
			continue
		case k.moved():
			dates = append(dates, change.DateRow(k.now()))
		}
		if k.learned {
			learned = append(learned, db.FactSetAttributesParams{GroupID: k.GroupID, ID: k.ID, Attributes: change.Object(k.Attributes)})
		}
	}
	return errors.Join(
		db.Exec(t.Queries.FactSetAttributes(ctx, learned)), db.Exec(t.Queries.FactDate(ctx, dates)), t.Expire(ctx, expired...), writeWords(ctx, t, reworded))
}

func writeWords(ctx context.Context, t *change.Tx, facts []*knownFact) error {
	for _, k := range facts {
		if err := t.Queries.FactEdit(ctx, change.EditRow(k.now())); err != nil {
			return err
		}
	}
	vectors := each.Of(facts, func(k *knownFact) db.FactEmbeddingUpsertParams { return t.FactVector(k.ID, k.vector) })
	return db.Exec(t.Queries.FactEmbeddingUpsert(ctx, vectors))
}

// writeRejections records the facts that the episodes retract. It runs before the episodes that
// state them are unlinked.
func writeRejections(ctx context.Context, t *change.Tx, d *draft) error {
	if len(d.retracted) == 0 {
		return nil
	}
	var rejections []db.RejectionInsertParams
	var ids []uuid.UUID
	for _, r := range d.retracted {
		k := r.fact
		told := []string{}
		if k.sibling != nil {
			told = append(told, toldIn(d.episodes[k.sibling.episode]))
		}
		rejections = append(rejections, db.RejectionInsertParams{
			GroupID: d.groupID, SourceID: &k.SourceID, Predicate: k.Predicate, TargetID: &k.TargetID,
			EpisodeID: d.episodes[r.episode].ID, FactID: k.ID, Fact: k.Fact.Fact, Told: told,
			ValidStart: db.Nullable(k.Valid.Start), ValidEnd: db.Nullable(k.Valid.End),
		})
		ids = append(ids, k.ID)
	}
	return errors.Join(
		db.Exec(t.Queries.RejectionInsert(ctx, rejections)),
		t.Queries.RejectionsTold(ctx, db.RejectionsToldParams{GroupID: d.groupID, FactIds: ids}),
		t.Queries.ThreadsOfFactsForget(ctx, db.ThreadsOfFactsForgetParams{GroupID: d.groupID, FactIds: ids}))
}

// writeProvenance links the episodes to the entities they mention and to the facts they
// state and end.
func writeProvenance(ctx context.Context, t *change.Tx, d *draft) error {
	mentions := db.MentionsInsertParams{GroupID: d.groupID}
	for i, episode := range d.episodes {
		for _, n := range d.mentionedBy(i) {
			mentions.EpisodeIds, mentions.EntityIds = append(mentions.EpisodeIds, episode.ID), append(mentions.EntityIds, n.ID)
		}
	}
	return errors.Join(
		t.Queries.MentionsInsert(ctx, mentions),
		db.Exec(t.Queries.FactEpisodeInsert(ctx, d.citations())),
		db.Exec(t.Queries.DisputeInsert(ctx, d.disputes())),
		d.confirm(ctx, t))
}

// confirm ends disputes of hearsay that somebody now says first-hand. Candidates and disputed facts
// that are repeated then end what they contradict, as if they had been approved.
func (d *draft) confirm(ctx context.Context, t *change.Tx) (err error) {
	if ids := d.confirmed(); len(ids) > 0 {
		err = t.Queries.DisputesConfirm(ctx, db.DisputesConfirmParams{GroupID: d.groupID, FactIds: ids})
	}
	if again := d.believedAgain(); err == nil && len(again) > 0 {
		err = edit.Settle(ctx, t, again)
	}
	return err
}

func (d *draft) citations() []db.FactEpisodeInsertParams {
	var rows []db.FactEpisodeInsertParams
	cite := func(factID uuid.UUID, episode int, role graph.EpisodeRole) {
		rows = append(rows, db.FactEpisodeInsertParams{
			GroupID: d.groupID, FactID: factID, EpisodeID: d.episodes[episode].ID, Role: role,
		})
	}
	for _, f := range d.facts {
		switch {
		case f.duplicateOf != nil && !f.duplicateOf.expired:
			cite(f.duplicateOf.ID, f.episode, graph.RoleStates)
		case f.duplicateOf == nil && !f.expired:
			cite(f.id, f.episode, graph.RoleStates)
			if f.endedBy != f.episode && !f.valid.Equal(f.claimed) {
				cite(f.id, f.endedBy, graph.RoleEnds)
			}
		}
	}
	for _, k := range d.changes() {
		if k.ended() {
			cite(k.ID, k.endedBy, graph.RoleEnds)
		}
	}
	return rows
}

// writeEpisodes stores the vectors of the episodes and marks them done. It fails with
// errGone if one was removed.
func writeEpisodes(ctx context.Context, t *change.Tx, d *draft) error {
	ids := d.episodeIDs()
	var vectors []db.EpisodeEmbeddingUpsertParams
	for i, episode := range d.episodes {
		vectors = append(vectors, db.EpisodeVectors(d.groupID, t.Embedder.Name(), episode.ID, d.episodeVectors[i])...)
	}
	if d.handed {
		if err := intake.StoreHanded(ctx, t.Queries, d.episodes); err != nil {
			return err
		}
	}
	done, err := t.Queries.EpisodesDone(ctx, db.EpisodesDoneParams{GroupID: d.groupID, Ids: ids})
	if err != nil {
		return err
	}
	if len(done) != len(ids) {
		return errGone
	}
	for _, row := range done { // a summary tells nothing of an episode that expires, as it would outlive it
		episode := &d.episodes[slices.Index(ids, row.ID)]
		if was := episode.ExpiresAt; row.ExpiresAt.IsZero() != was.IsZero() {
			episode.ExpiresAt, err = row.ExpiresAt.UTC(), errStale
		}
	}
	if err != nil {
		return err
	}
	return db.Exec(t.Queries.EpisodeEmbeddingUpsert(ctx, vectors))
}

// joinNew hides the communities of retracted facts. With Options.Communities it also adds new
// entities to the communities of their neighbours, and marks the communities of changed entities as
// out of date.
func (w *walk) joinNew(ctx context.Context, t *change.Tx, d *draft) error {
	var retracted []uuid.UUID
	for _, r := range d.retracted {
		retracted = append(retracted, r.fact.SourceID, r.fact.TargetID)
	}
	if len(retracted) > 0 {
		if err := t.HideCommunities(ctx, retracted...); err != nil {
			return err
		}
	}
	if !w.options.Communities {
		return nil
	}
	var arrived []uuid.UUID
	changed := []uuid.UUID{}
	for _, n := range d.touched() {
		if n.New {
			arrived = append(arrived, n.ID)
		} else if n.Changed {
			changed = append(changed, n.ID)
		}
	}
	if err := t.Queries.CommunitiesOfOutdate(ctx, db.CommunitiesOfOutdateParams{GroupID: d.groupID, EntityIds: changed}); err != nil {
		return err
	}
	_, err := w.communities.Join(ctx, t.Queries, d.groupID, arrived)
	return err
}
