package erase

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/internal/each"
)

func (x *erasure) erasePart(ctx context.Context) error {
	if err := x.Queries.GroupLock(ctx, x.GroupID); err != nil {
		return err
	}
	t := &traced{}
	if err := x.findEntity(ctx, t); err != nil {
		return err
	}
	if err := x.eraseFiles(ctx, t); err != nil {
		return err
	}
	if err := x.findTraces(ctx, t); err != nil {
		return err
	}
	undone, err := x.undo(ctx, t)
	if err != nil {
		return err
	}
	if x.look != nil {
		if err := x.look(ctx, x.tx, undone.Before()); err != nil {
			return err
		}
	}
	if err := x.begin(ctx); err != nil { // needed even if there was nothing to undo
		return err
	}
	for _, step := range []func(context.Context, *traced) error{
		x.eraseEntity, x.eraseFromAgents, x.eraseVersions, x.eraseObservations, x.eraseSkills, x.eraseCommunities, x.eraseStanding, x.eraseAnswers, x.eraseRest,
	} {
		if err := step(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// traced lists where traces of what is erased may be.
type traced struct {
	entity      []uuid.UUID // all ids of the entity to be erased
	words       []string    // the words of its names
	entities    []uuid.UUID // entities that the episodes tell of, with those merged into them
	facts       []uuid.UUID
	communities []uuid.UUID
	terms       []string  // of the episodes; see TermsTold
	heardAt     time.Time // when the first of the episodes was stored; zero: there are none
	since       time.Time // from when the graph depended on them
}

// findEntity finds all ids and names of the entity, and the episodes that name it.
func (x *erasure) findEntity(ctx context.Context, t *traced) error {
	if x.what.EntityID == uuid.Nil {
		return nil
	}
	now, err := x.Queries.EntityMergedInto(ctx, db.EntityMergedIntoParams{GroupID: x.GroupID, ID: x.what.EntityID})
	if err != nil {
		return err
	}
	if _, err := x.Lock(ctx, now); err != nil {
		return err
	}
	if err := x.MayChangeEntities(ctx, now); err != nil {
		return err
	}
	if t.entity, err = x.Queries.EntityWithMerged(ctx, db.EntityWithMergedParams{GroupID: x.GroupID, ID: now}); err != nil {
		return err
	}
	if t.words, err = x.Queries.WordsOfEntity(ctx, db.WordsOfEntityParams{GroupID: x.GroupID, Ids: t.entity}); err != nil {
		return err
	}
	x.episodes, err = x.Queries.EpisodesOfEntity(ctx, db.EpisodesOfEntityParams{GroupID: x.GroupID, Ids: t.entity, Words: t.words})
	return err
}

// eraseFiles removes agents' documents that contain an episode or name the entity, and adds their
// other parts to the episodes.
func (x *erasure) eraseFiles(ctx context.Context, t *traced) error {
	files, err := x.Queries.AgentFilesErase(ctx, db.AgentFilesEraseParams{GroupID: x.GroupID, Words: list(t.words), EpisodeIds: list(x.episodes)})
	if err != nil {
		return err
	}
	x.removed["agent_files"] += int64(len(files))
	for _, f := range files {
		parts, err := x.Queries.EpisodesOfFile(ctx, db.EpisodesOfFileParams{GroupID: x.GroupID, AgentID: f.AgentID, Name: f.Name})
		if err != nil {
			return err
		}
		x.episodes = joined(x.episodes, parts)
	}
	return nil
}

func joined(ids, more []uuid.UUID) []uuid.UUID {
	for _, id := range more {
		if !slices.Contains(ids, id) {
			ids = append(slices.Clip(ids), id)
		}
	}
	return ids
}

func (x *erasure) findTraces(ctx context.Context, t *traced) (err error) {
	if t.entities, err = x.Queries.EntitiesTold(ctx, db.EntitiesToldParams{GroupID: x.GroupID, EpisodeIds: list(x.episodes)}); err != nil {
		return err
	}
	t.entities = append(t.entities, t.entity...)
	if t.facts, err = x.Queries.FactsTold(ctx, db.FactsToldParams{GroupID: x.GroupID, EpisodeIds: list(x.episodes)}); err != nil {
		return err
	}
	return x.findCommunities(ctx, t, t.entities)
}

func (x *erasure) findCommunities(ctx context.Context, t *traced, entities []uuid.UUID) error {
	found, err := x.Queries.CommunitiesOfEntities(ctx, db.CommunitiesOfEntitiesParams{GroupID: x.GroupID, EntityIds: list(entities)})
	t.communities = joined(t.communities, found)
	return err
}

func (x *erasure) undo(ctx context.Context, t *traced) (undo.Traces, error) {
	if len(x.episodes) == 0 {
		return undo.Traces{}, nil
	}
	undoing := undo.Undoing{GroupID: x.GroupID, EpisodeIDs: x.episodes, AnyReader: x.what.AnyReader}
	done, traces, err := x.undoer.Within(ctx, x.tx, undoing, func(gone []db.UndoneEpisodesRow) error { return x.leave(ctx, t, gone) })
	if err != nil {
		return traces, err
	}
	x.undone = done
	x.certificate.Episodes = done.Episodes
	x.removed["episodes"] += int64(done.Episodes)
	x.removed["facts"] += int64(done.FactsRemoved)
	x.removed["entities"] += int64(done.EntitiesRemoved)
	t.since = traces.Since
	t.entities, t.facts = append(t.entities, traces.Entities...), append(t.facts, traces.Facts...)
	return traces, x.findCommunities(ctx, t, traces.Entities)
}

// leave erases the references to the episodes before they are removed.
func (x *erasure) leave(ctx context.Context, t *traced, gone []db.UndoneEpisodesRow) error {
	t.heardAt = slices.MinFunc(gone, func(a, b db.UndoneEpisodesRow) int { return a.CreatedAt.Compare(b.CreatedAt) }).CreatedAt
	asked := x.episodes // without their runs, which repeat other text of the turn
	x.episodes = joined(x.episodes, each.Of(gone, func(row db.UndoneEpisodesRow) uuid.UUID { return row.ID }))
	if err := x.removes("rejections")(x.Queries.RejectionsErase(ctx, db.RejectionsEraseParams{
		GroupID: x.GroupID, FactIds: list(t.facts), EntityIds: list(t.entity), EpisodeIds: list(x.episodes),
	})); err != nil {
		return err
	}
	var err error
	if t.terms, err = x.Queries.TermsTold(ctx, db.TermsToldParams{GroupID: x.GroupID, Ids: asked, Since: t.heardAt}); err != nil {
		return err
	}
	return errors.Join(x.eraseNames(ctx, t), x.bury(ctx, x.episodes))
}

// bury writes tombstones that refuse the episodes from now on, and erases references to them.
func (x *erasure) bury(ctx context.Context, episodes []uuid.UUID) error {
	buried, err := x.Queries.TombstoneEpisodes(ctx, db.TombstoneEpisodesParams{GroupID: x.GroupID, Ids: episodes})
	if err != nil {
		return err
	}
	x.tombstones(buried...)
	return errors.Join(
		x.removes("model_calls")(x.Queries.ModelCallsDelete(ctx, db.ModelCallsDeleteParams{GroupID: x.GroupID, EpisodeIds: episodes})),
		x.eraseReferences(ctx, "episode_id", episodes))
}

// eraseNames removes names of merged entities that come only from the episodes.
func (x *erasure) eraseNames(ctx context.Context, t *traced) error {
	rows, err := x.Queries.EntitiesLosingNames(ctx, db.EntitiesLosingNamesParams{GroupID: x.GroupID, EpisodeIds: list(x.episodes), Ids: list(t.entities)})
	if err != nil {
		return err
	}
	var v change.Vectors
	for _, row := range rows {
		if err := x.Queries.EntityCall(ctx, db.EntityCallParams{GroupID: x.GroupID, ID: row.ID, Name: row.Names[0], Aliases: row.Names[1:]}); err != nil {
			return err
		}
		v.Entity(row.ID, row.Names[0])
		x.edited["entities"]++
	}
	return v.Write(ctx, x.Tx)
}

func (x *erasure) eraseReferences(ctx context.Context, column string, ids []uuid.UUID) error {
	return x.counts(x.Queries.EraseReferences(ctx, db.EraseReferencesParams{GroupID: x.GroupID, Reference: column, Ids: list(ids)}))
}

// eraseEntity removes what was written about the entity by hand, and its history.
func (x *erasure) eraseEntity(ctx context.Context, t *traced) error {
	if len(t.entity) == 0 {
		return nil
	}
	facts, err := x.Queries.FactsOfEntities(ctx, db.FactsOfEntitiesParams{GroupID: x.GroupID, EntityIds: t.entity})
	if err != nil {
		return err
	}
	telling, err := x.Queries.EntitiesTelling(ctx, db.EntitiesTellingParams{GroupID: x.GroupID, Ids: t.entity, Words: t.words})
	if err != nil {
		return err
	}
	x.removed["facts"] += int64(len(facts))
	if err := errors.Join(
		x.eraseReferences(ctx, "fact_id", facts), x.eraseReferences(ctx, "entity_id", t.entity), x.eraseReferences(ctx, "merged_into", t.entity),
		x.removes("entities")(x.Queries.EntitiesDelete(ctx, db.EntitiesDeleteParams{GroupID: x.GroupID, Ids: t.entity})),
		x.removes("entities_history")(x.Queries.EntityVersionsDelete(ctx, db.EntityVersionsDeleteParams{GroupID: x.GroupID, Ids: t.entity})),
		x.removes("facts_history")(x.Queries.FactVersionsOfEntityDelete(ctx, db.FactVersionsOfEntityDeleteParams{GroupID: x.GroupID, EntityIds: t.entity})),
		x.eraseNaming(ctx, t)); err != nil {
		return err
	}
	_, err = x.Retell(ctx, telling)
	return err
}

func (x *erasure) eraseNaming(ctx context.Context, t *traced) error {
	communities, err := x.Queries.CommunitiesNaming(ctx, db.CommunitiesNamingParams{GroupID: x.GroupID, Words: t.words})
	if err != nil {
		return err
	}
	t.communities = joined(t.communities, communities)
	return errors.Join(
		x.counts(x.Queries.EraseNaming(ctx, db.EraseNamingParams{GroupID: x.GroupID, Words: t.words})),
		x.empties(x.Queries.ModelCallsNamingEmpty(ctx, db.ModelCallsNamingEmptyParams{GroupID: x.GroupID, Words: t.words})))
}
