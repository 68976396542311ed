package erase

import (
	"context"
	"errors"
	"slices"

	"github.com/annalsdb/annals/db"
)

// eraseFromAgents removes text that agents wrote since the episodes were stored and that repeats
// them or names the entity.
func (x *erasure) eraseFromAgents(ctx context.Context, t *traced) error {
	if !t.heardAt.IsZero() {
		gone, err := x.Queries.WordsOfGone(ctx, db.WordsOfGoneParams{GroupID: x.GroupID, Ids: t.entities})
		if err != nil {
			return err
		}
		if err := errors.Join(x.eraseRuns(ctx, t, gone), x.counts(x.Queries.EraseFromAgents(ctx, db.EraseFromAgentsParams{
			GroupID: x.GroupID, Words: list(gone), Terms: list(t.terms), Since: &t.heardAt,
		}))); err != nil {
			return err
		}
	}
	if len(t.words) > 0 {
		if err := x.counts(x.Queries.EraseFromAgents(ctx, db.EraseFromAgentsParams{GroupID: x.GroupID, Words: t.words, Terms: []string{}})); err != nil {
			return err
		}
	}
	return x.Queries.PassagesCount(ctx, x.GroupID)
}

// eraseRuns removes runs that agents recorded about themselves since the episodes were stored and
// that repeat them. No facts are read from a run, so the graph does not change.
func (x *erasure) eraseRuns(ctx context.Context, t *traced, gone []string) error {
	runs, err := x.Queries.RunsRepeating(ctx, db.RunsRepeatingParams{GroupID: x.GroupID, Words: list(gone), Terms: list(t.terms), Since: t.heardAt})
	if err != nil || len(runs) == 0 {
		return err
	}
	x.episodes = joined(x.episodes, runs)
	x.certificate.Episodes += len(runs)
	x.removed["episodes"] += int64(len(runs))
	return errors.Join(x.bury(ctx, runs), x.Queries.EpisodesDelete(ctx, db.EpisodesDeleteParams{GroupID: x.GroupID, Ids: runs}))
}

// eraseVersions removes former versions of entities and facts that depended on the episodes.
func (x *erasure) eraseVersions(ctx context.Context, t *traced) error {
	if t.heardAt.IsZero() {
		return nil
	}
	return errors.Join(
		x.removes("entities_history")(x.Queries.EntityVersionsDelete(ctx, db.EntityVersionsDeleteParams{GroupID: x.GroupID, Ids: t.entities, Since: t.since})),
		x.removes("facts_history")(x.Queries.FactVersionsDelete(ctx, db.FactVersionsDeleteParams{
			GroupID: x.GroupID, Ids: list(t.facts), EpisodeIds: list(x.episodes), Since: t.since,
		})))
}

// eraseObservations recounts observations, and removes those, and versions of them, that may tell
// of what is erased.
func (x *erasure) eraseObservations(ctx context.Context, t *traced) error {
	return errors.Join(
		x.Queries.ObservationsCount(ctx, db.ObservationsCountParams{GroupID: x.GroupID, Anew: true}),
		x.removes("observations")(x.Queries.ObservationsNamingDelete(ctx, db.ObservationsNamingDeleteParams{GroupID: x.GroupID, Words: list(t.words)})),
		x.removes("observations_history")(x.Queries.ObservationVersionsDelete(ctx, db.ObservationVersionsDeleteParams{
			GroupID: x.GroupID, SubjectIds: list(t.entities), FactIds: list(t.facts), Since: t.since, Words: list(t.words),
		})))
}

// eraseSkills removes former versions of skills that depended on the episodes or name the entity.
// The present skills follow from the remaining runs.
func (x *erasure) eraseSkills(ctx context.Context, t *traced) error {
	return x.removes("skills_history")(x.Queries.SkillVersionsDelete(ctx, db.SkillVersionsDeleteParams{
		GroupID: x.GroupID, EpisodeIds: list(x.episodes), Words: list(t.words),
	}))
}

// eraseCommunities removes communities that may tell of what is erased. The next build makes them
// anew.
func (x *erasure) eraseCommunities(ctx context.Context, t *traced) error {
	if len(t.communities) == 0 {
		return nil
	}
	x.removed["communities"] += int64(len(t.communities))
	return errors.Join(
		x.eraseReferences(ctx, "community_id", t.communities),
		x.Queries.CommunitiesDelete(ctx, db.CommunitiesDeleteParams{GroupID: x.GroupID, Ids: t.communities}),
		x.Queries.CommunityBuildForget(ctx, x.GroupID),
		x.removes("communities_history")(x.Queries.CommunityVersionsDelete(ctx, db.CommunityVersionsDeleteParams{GroupID: x.GroupID, Ids: t.communities})))
}

// eraseStanding removes standing answers whose question names the entity, and former versions of
// others.
func (x *erasure) eraseStanding(ctx context.Context, t *traced) error {
	ids := slices.Concat(list(x.episodes), t.facts, t.entities, t.communities)
	return errors.Join(
		x.removes("answers")(x.Queries.AnswersNamingDelete(ctx, db.AnswersNamingDeleteParams{GroupID: x.GroupID, Words: list(t.words)})),
		x.Queries.AnswersNamingHide(ctx, db.AnswersNamingHideParams{GroupID: x.GroupID, Words: list(t.words)}),
		x.removes("answers_history")(x.Queries.AnswerVersionsDelete(ctx, db.AnswerVersionsDeleteParams{
			GroupID: x.GroupID, Words: list(t.words), Ids: list(ids), Since: t.heardAt,
		})))
}

// eraseAnswers removes the answers of models since the episodes were stored. Running calls keep
// only their cost; see ModelCallInsert.
func (x *erasure) eraseAnswers(ctx context.Context, t *traced) error {
	if t.heardAt.IsZero() {
		return nil
	}
	return x.empties(x.Queries.ModelCallsEmpty(ctx, db.ModelCallsEmptyParams{GroupID: x.GroupID, Since: t.heardAt}))
}

// eraseRest removes marks, and whatever else may tell of what is erased: past vectors, terms,
// saved replies, spans that wait for their runs, and the errors of failures and failed jobs.
func (x *erasure) eraseRest(ctx context.Context, t *traced) error {
	return errors.Join(
		x.removes("embeddings_history")(x.Queries.PastVectorsForget(ctx, x.GroupID)),
		x.Queries.FailuresEmpty(ctx, x.GroupID), x.Queries.FrequentTermsForget(ctx, x.GroupID),
		x.removes("replies")(x.Queries.RepliesDelete(ctx, x.GroupID)),
		x.removes("run_spans")(x.Queries.RunSpansErase(ctx, x.GroupID)),
		x.Queries.JobsForget(ctx, x.GroupID),
		x.removes("marks")(x.Queries.MarksErase(ctx, db.MarksEraseParams{
			GroupID: x.GroupID, Ids: list(slices.Concat(x.episodes, t.entity)), GoneIds: list(slices.Concat(t.facts, t.entities)),
		})))
}
