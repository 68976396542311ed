package engine

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// WithdrawFact has a fact believed no longer. The history keeps it, and the
// summaries of the entities at its ends lose its sentence.
func (e *Engine) WithdrawFact(ctx context.Context, groupID string, id uuid.UUID) error {
	err := e.edit(ctx, groupID, func(q *db.Queries) error {
		fact, err := currentFact(ctx, q, groupID, id)
		if err != nil {
			return err
		}
		ends, err := lockNodes(ctx, q, groupID, fact.SourceID, fact.TargetID)
		if err != nil {
			return err
		}
		if err := outdateCommunities(ctx, q, groupID, fact.SourceID, fact.TargetID); err != nil {
			return err
		}
		for _, end := range ends {
			summary := withoutSentence(end.Summary, fact.Fact)
			if summary == end.Summary {
				continue
			}
			end.Summary = summary
			if err := e.writeNode(ctx, q, end); err != nil {
				return err
			}
		}
		return db.Exec(q.FactExpire(ctx, []db.FactExpireParams{{GroupID: groupID, ID: id}}))
	})
	if err != nil {
		return wrapEdit(err, "withdraw fact %s", id)
	}
	return nil
}
