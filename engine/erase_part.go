package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// erasePart erases episodes, or an entity with those that mention it.
func (x *eraser) erasePart(ctx context.Context) error {
	if err := x.q.GroupLock(ctx, x.GroupID); err != nil {
		return err
	}
	entity, words, err := x.findEntity(ctx)
	if err != nil {
		return err
	}
	if err := x.eraseFiles(ctx, words); err != nil {
		return err
	}
	t, err := x.findTraces(ctx, entity)
	if err != nil {
		return err
	}
	t.words = words
	if err := x.undo(ctx, t); err != nil {
		return err
	}
	if x.look != nil {
		if err := x.look(ctx, x.tx, justBefore(x.undone.began)); err != nil {
			return err
		}
	}
	if err := x.begin(ctx); err != nil { // also where there was nothing to undo
		return err
	}
	for _, step := range []func(context.Context, *traced) error{
		x.eraseEntity, x.eraseFromAgents, x.eraseVersions, x.eraseObservations, x.eraseCommunities, x.eraseStanding, x.eraseVectors, x.eraseAnswers, x.eraseTerms,
		x.eraseReplies, x.eraseJobs, x.eraseMarks,
	} {
		if err := step(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// findEntity finds all ids and names of the entity to be erased, and the
// episodes that speak of it. Without one they are nil.
func (x *eraser) findEntity(ctx context.Context) (ids []uuid.UUID, words []string, err error) {
	if x.EntityID == uuid.Nil {
		return nil, nil, nil
	}
	now, err := x.q.EntityMergedInto(ctx, db.EntityMergedIntoParams{GroupID: x.GroupID, ID: x.EntityID})
	if err != nil {
		return nil, nil, err
	}
	if _, err := lockNodes(ctx, x.q, x.GroupID, now); err != nil {
		return nil, nil, err
	}
	if ids, err = x.q.EntityWithMerged(ctx, db.EntityWithMergedParams{GroupID: x.GroupID, ID: now}); err != nil {
		return nil, nil, err
	}
	if words, err = x.q.WordsOfEntity(ctx, db.WordsOfEntityParams{GroupID: x.GroupID, Ids: ids}); err != nil {
		return nil, nil, err
	}
	x.EpisodeIDs, err = x.q.EpisodesOfEntity(ctx, db.EpisodesOfEntityParams{GroupID: x.GroupID, Ids: ids, Words: words})
	return ids, words, err
}

// traced lists where the erased may have left traces.
type traced struct {
	entity      []uuid.UUID // to be erased, by all its ids
	words       []string    // that it goes by
	entities    []uuid.UUID // told of, with those merged into them
	facts       []uuid.UUID
	communities []uuid.UUID
	terms       []string  // of the episodes; see TermsTold
	heardAt     time.Time // when the first of the episodes was stored; zero: there is none
	since       time.Time // since when the graph rested on them
}

func (x *eraser) findTraces(ctx context.Context, entity []uuid.UUID) (*traced, error) {
	t := &traced{entity: entity}
	var err error
	if t.entities, err = x.q.EntitiesTold(ctx, db.EntitiesToldParams{GroupID: x.GroupID, EpisodeIds: x.episodes()}); err != nil {
		return nil, err
	}
	t.entities = append(t.entities, entity...)
	if t.facts, err = x.q.FactsTold(ctx, db.FactsToldParams{GroupID: x.GroupID, EpisodeIds: x.episodes()}); err != nil {
		return nil, err
	}
	t.communities, err = x.q.CommunitiesOfEntities(ctx, db.CommunitiesOfEntitiesParams{GroupID: x.GroupID, EntityIds: t.entities})
	return t, err
}

func (x *eraser) episodes() []uuid.UUID { return append([]uuid.UUID{}, x.EpisodeIDs...) }

// undo undoes the episodes, and counts what goes with them.
func (x *eraser) undo(ctx context.Context, t *traced) error {
	if len(x.EpisodeIDs) == 0 {
		return nil
	}
	deletion := Deletion{GroupID: x.GroupID, EpisodeIDs: x.EpisodeIDs, AnyReader: x.AnyReader, erasing: true}
	done, err := x.engine.undo(ctx, x.tx, deletion, func(gone []db.UndoneEpisodesRow) error { return x.leave(ctx, t, gone) })
	if err != nil {
		return err
	}
	x.undone = done
	x.certificate.Episodes = done.Episodes
	x.count("episodes", int64(done.Episodes))
	x.count("facts", int64(done.FactsRemoved))
	x.count("entities", int64(done.EntitiesRemoved))
	t.since = done.since
	t.entities, t.facts = append(t.entities, done.entities...), append(t.facts, done.facts...)
	more, err := x.q.CommunitiesOfEntities(ctx, db.CommunitiesOfEntitiesParams{GroupID: x.GroupID, EntityIds: append([]uuid.UUID{}, done.entities...)})
	t.tellIn(more)
	return err
}

// tellIn adds communities that may tell of the erased.
func (t *traced) tellIn(communities []uuid.UUID) {
	for _, id := range communities {
		if !slices.Contains(t.communities, id) {
			t.communities = append(t.communities, id)
		}
	}
}

// leave erases what refers to the episodes, before they go.
func (x *eraser) leave(ctx context.Context, t *traced, gone []db.UndoneEpisodesRow) error {
	t.heardAt = slices.MinFunc(gone, func(a, b db.UndoneEpisodesRow) int { return a.CreatedAt.Compare(b.CreatedAt) }).CreatedAt
	buried, err := x.q.TombstoneEpisodes(ctx, db.TombstoneEpisodesParams{GroupID: x.GroupID, Ids: x.EpisodeIDs})
	if err != nil {
		return err
	}
	x.tombstones(buried...)
	rejections, err := x.q.RejectionsErase(ctx, db.RejectionsEraseParams{
		GroupID: x.GroupID, FactIds: append([]uuid.UUID{}, t.facts...), EntityIds: append([]uuid.UUID{}, t.entity...), EpisodeIds: x.episodes(),
	})
	x.count("rejections", rejections)
	if err != nil {
		return err
	}
	if t.terms, err = x.q.TermsTold(ctx, db.TermsToldParams{GroupID: x.GroupID, Ids: x.EpisodeIDs, Since: t.heardAt}); err != nil {
		return err
	}
	if err := x.eraseNames(ctx, t); err != nil {
		return err
	}
	calls, err := x.q.ModelCallsDelete(ctx, db.ModelCallsDeleteParams{GroupID: x.GroupID, EpisodeIds: x.EpisodeIDs})
	x.count("model_calls", calls)
	if err != nil {
		return err
	}
	return x.eraseReferences(ctx, "episode_id", x.EpisodeIDs)
}

// eraseNames takes the names that only the episodes tell from entities that others
// were merged into. The next name takes the place of the first.
func (x *eraser) eraseNames(ctx context.Context, t *traced) error {
	rows, err := x.q.EntitiesLosingNames(ctx, db.EntitiesLosingNamesParams{
		GroupID: x.GroupID, EpisodeIds: x.episodes(), Ids: append([]uuid.UUID{}, t.entities...),
	})
	if err != nil {
		return err
	}
	var v vectors
	for _, row := range rows {
		if err := x.q.EntityCall(ctx, db.EntityCallParams{GroupID: x.GroupID, ID: row.ID, Name: row.Names[0], Aliases: row.Names[1:]}); err != nil {
			return err
		}
		v.entity(row.ID, row.Names[0])
		x.edited["entities"]++
	}
	return v.write(ctx, x.engine, x.q, x.GroupID)
}

func (x *eraser) eraseReferences(ctx context.Context, column string, ids []uuid.UUID) error {
	rows, err := x.q.EraseReferences(ctx, db.EraseReferencesParams{GroupID: x.GroupID, Reference: column, Ids: append([]uuid.UUID{}, ids...)})
	x.countBoth(rows)
	return err
}

// eraseEntity removes what is left of the entity without its episodes: what
// was written by hand, and its history.
func (x *eraser) eraseEntity(ctx context.Context, t *traced) error {
	if len(t.entity) == 0 {
		return nil
	}
	facts, err := x.q.FactsOfEntities(ctx, db.FactsOfEntitiesParams{GroupID: x.GroupID, EntityIds: t.entity})
	if err != nil {
		return err
	}
	telling, err := x.q.EntitiesTelling(ctx, db.EntitiesTellingParams{GroupID: x.GroupID, Ids: t.entity, Words: t.words})
	if err != nil {
		return err
	}
	x.count("facts", int64(len(facts)))
	if err := errors.Join(
		x.eraseReferences(ctx, "fact_id", facts), x.eraseReferences(ctx, "entity_id", t.entity),
		x.eraseReferences(ctx, "merged_into", t.entity),
	); err != nil {
		return err
	}
	gone, err := x.q.EntitiesDelete(ctx, db.EntitiesDeleteParams{GroupID: x.GroupID, Ids: t.entity})
	if err != nil {
		return err
	}
	x.count("entities", gone)
	versions, err := x.q.EntityVersionsDelete(ctx, db.EntityVersionsDeleteParams{GroupID: x.GroupID, Ids: t.entity})
	if err != nil {
		return err
	}
	x.count("entities_history", versions)
	versions, err = x.q.FactVersionsOfEntityDelete(ctx, db.FactVersionsOfEntityDeleteParams{GroupID: x.GroupID, EntityIds: t.entity})
	x.count("facts_history", versions)
	if err != nil {
		return err
	}
	if err := x.eraseNaming(ctx, t); err != nil {
		return err
	}
	_, err = x.engine.retell(ctx, x.q, x.GroupID, telling)
	return err
}

// eraseNaming removes what names the entity, except episodes.
func (x *eraser) eraseNaming(ctx context.Context, t *traced) error {
	communities, err := x.q.CommunitiesNaming(ctx, db.CommunitiesNamingParams{GroupID: x.GroupID, Words: t.words})
	if err != nil {
		return err
	}
	t.tellIn(communities)
	rows, err := x.q.EraseNaming(ctx, db.EraseNamingParams{GroupID: x.GroupID, Words: t.words})
	if err != nil {
		return err
	}
	x.countBoth(rows)
	calls, err := x.q.ModelCallsNamingEmpty(ctx, db.ModelCallsNamingEmptyParams{GroupID: x.GroupID, Words: t.words})
	x.certificate.Emptied += int(calls)
	return err
}

// eraseVersions removes what was believed of entities and facts while the
// graph rested on the episodes.
func (x *eraser) eraseVersions(ctx context.Context, t *traced) error {
	if t.heardAt.IsZero() {
		return nil
	}
	entities, err := x.q.EntityVersionsDelete(ctx, db.EntityVersionsDeleteParams{GroupID: x.GroupID, Ids: t.entities, Since: t.since})
	if err != nil {
		return err
	}
	x.count("entities_history", entities)
	facts, err := x.q.FactVersionsDelete(ctx, db.FactVersionsDeleteParams{
		GroupID: x.GroupID, Ids: append([]uuid.UUID{}, t.facts...), EpisodeIds: x.episodes(), Since: t.since,
	})
	x.count("facts_history", facts)
	return err
}

// eraseCommunities removes the communities that may speak of the erased; they
// are worked out anew at the next build.
func (x *eraser) eraseCommunities(ctx context.Context, t *traced) error {
	if len(t.communities) == 0 {
		return nil
	}
	x.count("communities", int64(len(t.communities)))
	if err := errors.Join(
		x.eraseReferences(ctx, "community_id", t.communities),
		x.q.CommunitiesDelete(ctx, db.CommunitiesDeleteParams{GroupID: x.GroupID, Ids: t.communities}),
		x.q.CommunityBuildForget(ctx, x.GroupID),
	); err != nil {
		return err
	}
	versions, err := x.q.CommunityVersionsDelete(ctx, db.CommunityVersionsDeleteParams{GroupID: x.GroupID, Ids: t.communities})
	x.count("communities_history", versions)
	return err
}

// eraseVectors removes those of the versions that were removed.
func (x *eraser) eraseVectors(ctx context.Context, _ *traced) error {
	vectors, err := x.q.PastVectorsForget(ctx, x.GroupID)
	x.count("embeddings_history", vectors)
	return err
}

// eraseAnswers removes what models answered since the episodes were heard. Of calls
// that are under way only the cost will be kept; see ModelCallInsert.
func (x *eraser) eraseAnswers(ctx context.Context, t *traced) error {
	if t.heardAt.IsZero() {
		return nil
	}
	emptied, err := x.q.ModelCallsEmpty(ctx, db.ModelCallsEmptyParams{GroupID: x.GroupID, Since: t.heardAt})
	x.certificate.Emptied += int(emptied)
	return err
}

func (x *eraser) eraseTerms(ctx context.Context, _ *traced) error {
	return errors.Join(x.q.FailuresEmpty(ctx, x.GroupID), x.q.FrequentTermsForget(ctx, x.GroupID))
}

// eraseReplies removes what was answered to requests: it may speak of the erased.
func (x *eraser) eraseReplies(ctx context.Context, _ *traced) error {
	replies, err := x.q.RepliesDelete(ctx, x.GroupID)
	x.count("replies", replies)
	return err
}

// eraseMarks removes what was noted about the erased.
func (x *eraser) eraseMarks(ctx context.Context, t *traced) error {
	marks, err := x.q.MarksErase(ctx, db.MarksEraseParams{
		GroupID: x.GroupID, Ids: append(x.episodes(), t.entity...), GoneIds: append(append([]uuid.UUID{}, t.facts...), t.entities...),
	})
	x.count("marks", marks)
	return err
}

// eraseJobs removes what the queue keeps of jobs that failed: why may quote the erased.
func (x *eraser) eraseJobs(ctx context.Context, _ *traced) error {
	_, err := x.q.JobsForget(ctx, x.GroupID)
	return err
}
