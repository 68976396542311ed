package engine

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
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// rehearsal works out what the graph would be without some episodes: it winds
// the group back to the time before the first of them came into the graph, and
// places what followed again. All of it happens within a savepoint that is
// rolled back; only what the graph was like is kept.
type rehearsal struct {
	engine  *Engine // that works within the savepoint
	groupID string
	gone    []uuid.UUID
	erasing bool
	kept    []uuid.UUID // entities and facts that no reading tells, which stay as they are
	since   time.Time
	later   []later
	reread  map[uuid.UUID]bool // the messages that were read with one of those gone in view
	traces  map[uuid.UUID][]db.TracesOfRow

	together []time.Time // when those gone came into the graph, perhaps with others
	imported []uuid.UUID // those gone that were not read here

	droppedEntities, droppedFacts []uuid.UUID // that were there before since, and that nothing supports any more
}

// keptSince is since when nothing is made anew of what no reading tells; nil: ever.
func (r *rehearsal) keptSince() *time.Time {
	if r.since.Equal(beginning) {
		return nil
	}
	return &r.since
}

// later is an episode that followed, with what was read in it.
type later struct {
	graph.Episode
	processedAt time.Time
	reader      string
	reading     *reading // nil: not kept
}

func laterOf(groupID string, row db.EpisodesProcessedSinceRow) (later, error) {
	l := later{
		Episode: db.ClaimedEpisode(groupID, db.EpisodesClaimRow{
			ID: row.ID, Source: row.Source, Content: row.Content, Actor: row.Actor, Role: row.Role, Name: row.Name,
			SourceDescription: row.SourceDescription, ThreadID: row.ThreadID, OccurredAt: row.OccurredAt, Previous: row.Previous,
			Authority: row.Authority, ExpiresAt: row.ExpiresAt,
		}),
		processedAt: row.ProcessedAt, reader: row.Reader,
	}
	if err := json.Unmarshal(row.Reading, &l.reading); err != nil {
		return later{}, fmt.Errorf("read what was found in episode %s: %w", row.ID, err)
	}
	return l, nil
}

// sight is what a group's graph holds, as far as it changed since a time, and
// how some episodes are tied to it.
type sight struct {
	entities  []db.EntityRow
	facts     []db.FactRow
	mentions  []db.MentionsOfRow
	citations []db.CitationsOfRow
	traces    []db.TracesOfRow
	readings  []db.ReadingListRow
}

// rehearse returns what the graph would be, as far as it may differ from what
// it is.
func (e *Engine) rehearse(ctx context.Context, tx pgx.Tx, r *rehearsal, began time.Time) (sight, error) {
	savepoint, err := tx.Begin(ctx)
	if err != nil {
		return sight{}, err
	}
	defer func() { _ = savepoint.Rollback(context.WithoutCancel(ctx)) }()
	r.engine = e.within(savepoint)
	q := db.New(savepoint)
	changed, err := lookSince(ctx, q, r.groupID, r.since, nil, sight{})
	if err != nil {
		return sight{}, err
	}
	if err := r.rewind(ctx, q); err != nil {
		return sight{}, fmt.Errorf("wind back to %s: %w", r.since.Format(time.RFC3339), err)
	}
	if err := q.EpisodesDelete(ctx, db.EpisodesDeleteParams{GroupID: r.groupID, Ids: append([]uuid.UUID{}, r.gone...)}); err != nil {
		return sight{}, err
	}
	if err := r.replay(ctx, q); err != nil {
		return sight{}, fmt.Errorf("work out again what followed: %w", err)
	}
	seen, err := lookSince(ctx, q, r.groupID, began, r.laterIDs(), changed)
	if err != nil {
		return sight{}, err
	}
	return seen, savepoint.Rollback(ctx)
}

// within is the same engine at work inside a transaction. It leaves the
// communities alone.
func (e *Engine) within(tx pgx.Tx) *Engine {
	options := e.options
	options.Communities = false
	inside := New(e.pool, e.analyst, e.embedder, options)
	inside.store = tx
	return inside
}

func (r *rehearsal) laterIDs() []uuid.UUID {
	ids := make([]uuid.UUID, len(r.later))
	for i, l := range r.later {
		ids[i] = l.ID
	}
	return ids
}

// rewind sets the graph back to what was believed just before since.
func (r *rehearsal) rewind(ctx context.Context, q *db.Queries) error {
	told, err := r.toldByImported(ctx, q)
	if err != nil {
		return err
	}
	touched, err := q.RewindProvenance(ctx, db.RewindProvenanceParams{GroupID: r.groupID, EpisodeIds: append(r.laterIDs(), r.gone...)})
	if err != nil {
		return err
	}
	if err := q.RewindRejections(ctx, db.RewindRejectionsParams{GroupID: r.groupID, EpisodeIds: append(r.laterIDs(), r.gone...)}); err != nil {
		return err
	}
	if err := r.dropNew(ctx, q); err != nil {
		return err
	}
	entities, err := q.RewindEntities(ctx, db.RewindEntitiesParams{GroupID: r.groupID, Since: r.since})
	if err != nil {
		return err
	}
	if err := q.RewindFactsChanged(ctx, db.RewindFactsChangedParams{GroupID: r.groupID, Since: r.since}); err != nil {
		return err
	}
	facts, err := q.RewindFactsGone(ctx, db.RewindFactsGoneParams{GroupID: r.groupID, Since: r.since})
	if err != nil {
		return err
	}
	back := make([]uuid.UUID, len(facts))
	for i, row := range facts {
		back[i] = row.ID
	}
	if err := q.CitationsRestore(ctx, db.CitationsRestoreParams{GroupID: r.groupID, Ids: back, ExceptIds: append(r.laterIDs(), r.gone...)}); err != nil {
		return err
	}
	var v vectors
	for _, row := range entities {
		v.entity(row.ID, row.Name)
	}
	for _, row := range facts {
		v.fact(row.ID, row.Fact, row.Predicate)
	}
	if err := v.write(ctx, r.engine, q, r.groupID); err != nil {
		return err
	}
	return r.drop(ctx, q, slices.Concat(touched, v.entities, v.facts), told)
}

// dropNew removes what was not believed yet.
func (r *rehearsal) dropNew(ctx context.Context, q *db.Queries) error {
	facts, err := q.RewindFactsNew(ctx, db.RewindFactsNewParams{GroupID: r.groupID, Since: r.since})
	if err != nil {
		return err
	}
	if err := expire(ctx, q, r.groupID, facts); err != nil {
		return err
	}
	entities, err := q.RewindEntitiesNew(ctx, db.RewindEntitiesNewParams{GroupID: r.groupID, Since: r.since})
	if err != nil {
		return err
	}
	_, err = q.EntitiesDelete(ctx, db.EntitiesDeleteParams{GroupID: r.groupID, Ids: entities})
	return err
}

// replay places the later episodes, those that were read together in one go.
func (r *rehearsal) replay(ctx context.Context, q *db.Queries) error {
	if err := q.EpisodesTakeAgain(ctx, db.EpisodesTakeAgainParams{GroupID: r.groupID, Ids: r.laterIDs()}); err != nil {
		return err
	}
	for window := range windowsOf(r.later) {
		if err := r.replayWindow(ctx, window); err != nil {
			return fmt.Errorf("episode %s: %w", window[0].ID, err)
		}
	}
	return nil
}

// windowsOf yields the episodes that came into the graph together.
func windowsOf(all []later) func(yield func([]later) bool) {
	return func(yield func([]later) bool) {
		for begin := 0; begin < len(all); {
			end := begin + 1
			for end < len(all) && !all[end].processedAt.IsZero() && all[end].processedAt.Equal(all[begin].processedAt) {
				end++
			}
			if !yield(all[begin:end]) {
				return
			}
			begin = end
		}
	}
}

// replayWindow places episodes by what was read in them, or reads them again
// where that is not known or would be different now.
func (r *rehearsal) replayWindow(ctx context.Context, window []later) error {
	d := &draft{groupID: r.groupID, reader: window[0].reader}
	again := false
	readings := make([]reading, len(window))
	for i, l := range window {
		d.episodes = append(d.episodes, l.Episode)
		if l.reading == nil || r.reread[l.ID] {
			again = true
			continue
		}
		readings[i] = *l.reading
		d.read = append(d.read, readNotes(i, r.traces[l.ID])...)
	}
	if again {
		_, err := r.engine.ingest(ctx, d.episodes)
		return err
	}
	ctx = model.WithSubject(ctx, model.Subject{GroupID: d.groupID, EpisodeID: subjectOf(d.episodes)})
	if err := r.engine.prepare(ctx, d); err != nil {
		return err
	}
	d.load(readings)
	for _, step := range []func(context.Context, *draft) error{r.engine.embedNames, r.engine.embedFacts, r.engine.settle} {
		if err := step(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// readNotes is the part of a trace that tells how the episode was read.
func readNotes(episode int, trace []db.TracesOfRow) []note {
	var notes []note
	for _, row := range trace {
		if slices.Contains(readSteps, row.Step) {
			notes = append(notes, note{episodes: []int{episode}, step: row.Step, decision: row.Decision, subject: row.Subject, reason: row.Reason})
		}
	}
	return notes
}

// lookSince reads what changed since a time and what is there of what was seen
// before, and how the episodes are tied to the graph.
func lookSince(ctx context.Context, q *db.Queries, groupID string, since time.Time, episodes []uuid.UUID, before sight) (sight, error) {
	var s sight
	var errs [6]error
	s.entities, errs[0] = q.EntitiesSince(ctx, db.EntitiesSinceParams{GroupID: groupID, Since: since, Ids: idsOf(before.entities, entityID)})
	s.facts, errs[1] = q.FactsSince(ctx, db.FactsSinceParams{GroupID: groupID, Since: since, Ids: idsOf(before.facts, factID)})
	s.mentions, errs[2] = q.MentionsOf(ctx, db.MentionsOfParams{GroupID: groupID, EpisodeIds: episodes})
	s.citations, errs[3] = q.CitationsOf(ctx, db.CitationsOfParams{GroupID: groupID, EpisodeIds: episodes})
	s.traces, errs[4] = q.TracesOf(ctx, db.TracesOfParams{GroupID: groupID, EpisodeIds: episodes})
	s.readings, errs[5] = q.ReadingList(ctx, db.ReadingListParams{GroupID: groupID, EpisodeIds: episodes})
	return s, errors.Join(errs[:]...)
}

// vectors collects the names and facts to make vectors of.
type vectors struct {
	entities, facts []uuid.UUID
	texts           []string // of the entities, then of the facts
	factTexts       []string
}

func (v *vectors) entity(id uuid.UUID, name string) {
	v.entities, v.texts = append(v.entities, id), append(v.texts, name)
}

func (v *vectors) fact(id uuid.UUID, fact, predicate string) {
	v.facts, v.factTexts = append(v.facts, id), append(v.factTexts, graph.SearchText(fact, predicate))
}

func (v *vectors) write(ctx context.Context, e *Engine, q *db.Queries, groupID string) error {
	if len(v.entities)+len(v.facts) == 0 {
		return nil
	}
	made, err := e.embed(model.WithSubject(ctx, model.Subject{GroupID: groupID}), append(v.texts, v.factTexts...))
	if err != nil {
		return err
	}
	var entities []db.EntityEmbeddingUpsertParams
	var facts []db.FactEmbeddingUpsertParams
	for i, id := range v.entities {
		entities = append(entities, db.EntityEmbeddingUpsertParams{
			GroupID: groupID, Model: e.embedder.Name(), EntityID: id, Embedding: db.Vector(made[i]),
		})
	}
	for i, id := range v.facts {
		facts = append(facts, db.FactEmbeddingUpsertParams{
			GroupID: groupID, Model: e.embedder.Name(), FactID: id, Embedding: db.Vector(made[len(v.entities)+i]),
		})
	}
	return errors.Join(db.Exec(q.EntityEmbeddingUpsert(ctx, entities)), db.Exec(q.FactEmbeddingUpsert(ctx, facts)))
}
