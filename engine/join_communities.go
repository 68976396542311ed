package engine

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/community"
)

// BuildCommunities works out the group's communities from its current facts;
// see [community.Builder.Build].
func (e *Engine) BuildCommunities(ctx context.Context, groupID string) (community.Built, error) {
	return e.communities().Build(ctx, groupID)
}

func (e *Engine) communities() *community.Builder {
	return community.New(e.pool, e.analyst, e.embedder, e.log)
}

// joinNew hides the communities that may tell what is taken back. Where the
// engine is set to, it puts new entities into the communities of their neighbours
// and marks those as out of date whose members changed.
func (e *Engine) joinNew(ctx context.Context, q *db.Queries, d *draft) error {
	var retracted []uuid.UUID
	for _, r := range d.retracted {
		retracted = append(retracted, r.fact.SourceID, r.fact.TargetID)
	}
	if len(retracted) > 0 {
		if err := outdateCommunities(ctx, q, d.groupID, retracted...); err != nil {
			return err
		}
	}
	if !e.options.Communities {
		return nil
	}
	var arrived []uuid.UUID
	changed := []uuid.UUID{}
	for _, n := range d.touched() {
		if n.isNew {
			arrived = append(arrived, n.ID)
		} else if n.changed {
			changed = append(changed, n.ID)
		}
	}
	if err := q.CommunitiesOfOutdate(ctx, db.CommunitiesOfOutdateParams{GroupID: d.groupID, EntityIds: changed}); err != nil {
		return err
	}
	_, err := e.communities().Join(ctx, q, d.groupID, arrived)
	return err
}

// tendCommunities keeps the communities up to date, where the engine is set to.
// A model that fails leaves them for the next time.
func (e *Engine) tendCommunities(ctx context.Context, groupID string) error {
	if !e.options.Communities {
		return nil
	}
	err := e.communities().Tend(ctx, groupID)
	unanswered, ok := errors.AsType[*community.QuestionError](err)
	if !ok {
		return err
	}
	if _, ok := errors.AsType[*analysisError](analysed(ctx, unanswered.Question, unanswered.Err)); !ok {
		return err
	}
	e.log.WarnContext(ctx, "communities left as they were", "group", groupID, "error", err)
	return nil
}
