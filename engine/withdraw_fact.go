package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// WithdrawFact ends the belief in a fact. The history keeps it, and the
// summaries of the entities at its ends lose its sentence. Given versions, the
// fact must be in the one that began then.
func (e *Engine) WithdrawFact(ctx context.Context, groupID string, id uuid.UUID, versions ...time.Time) error {
	err := e.edit(ctx, groupID, "withdraw", func(q *db.Queries) error {
		fact, err := currentFact(ctx, q, groupID, id)
		if err != nil {
			return err
		}
		if err := errors.Join(inOneOf(fact, versions), mayChange(ctx, q, groupID, id)); err != nil {
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
			summary := withoutSentence(end.Summary, fact.Told())
			if summary == end.Summary {
				continue
			}
			end.Summary = summary
			if err := e.writeNode(ctx, q, end); err != nil {
				return err
			}
		}
		if err := reopenBounded(ctx, q, fact); err != nil {
			return err
		}
		return db.Exec(q.FactExpire(ctx, []db.FactExpireParams{{GroupID: groupID, ID: id}}))
	})
	if err != nil {
		return wrapEdit(err, "withdraw fact %s", id)
	}
	return nil
}

// reopenBounded gives the facts that a withdrawn one had ended back their time,
// up to where it had been ended itself.
func reopenBounded(ctx context.Context, q *db.Queries, fact graph.Fact) error {
	rows, before, err := boundBy(ctx, q, fact.GroupID, []uuid.UUID{fact.ID})
	if err != nil {
		return err
	}
	var dates []db.FactDateParams
	for _, row := range rows {
		k := known(row)
		k.unbound = before[row.ID]
		k.reopen(fact.Valid, fact.BoundedBy)
		dates = append(dates, k.dates())
	}
	return db.Exec(q.FactDate(ctx, dates))
}

// inOneOf fails with a conflict where a fact is in none of the versions that began
// then. Without versions it never fails.
func inOneOf(fact graph.Fact, versions []time.Time) error {
	if len(versions) > 0 && !slices.ContainsFunc(versions, fact.Recorded.Start.Equal) {
		return &graph.Error{Code: graph.CodeConflict, Field: "version", Message: "the fact was changed in the meantime; read it again"}
	}
	return nil
}
