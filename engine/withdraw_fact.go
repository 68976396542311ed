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

// WithdrawFact ends the belief in a fact, which never held, and keeps that it was
// rejected: what says it again makes no fact, until [Engine.RestoreFact]. The
// history keeps it, and the summaries of the entities at its ends are made anew
// without it. Given versions, the fact must be in the one that began then.
func (e *Engine) WithdrawFact(ctx context.Context, groupID string, id uuid.UUID, versions ...time.Time) error {
	err := e.edit(ctx, groupID, "withdraw", func(q *db.Queries) error { return e.withdraw(ctx, q, groupID, id, versions) })
	if err != nil {
		return wrapEdit(err, "withdraw fact %s", id)
	}
	return nil
}

// WithdrawFacts is [Engine.WithdrawFact] of several facts at once: all of them, or
// none.
func (e *Engine) WithdrawFacts(ctx context.Context, groupID string, ids []uuid.UUID) error {
	err := e.edit(ctx, groupID, "withdraw", func(q *db.Queries) error {
		for _, id := range ids {
			if err := e.withdraw(ctx, q, groupID, id, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return wrapEdit(err, "withdraw %d facts", len(ids))
	}
	return nil
}

func (e *Engine) withdraw(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID, versions []time.Time) error {
	fact, err := currentFact(ctx, q, groupID, id)
	if err != nil {
		return err
	}
	if err := errors.Join(inOneOf(fact, versions), mayChange(ctx, q, groupID, id)); err != nil {
		return err
	}
	if _, err := lockNodes(ctx, q, groupID, fact.SourceID, fact.TargetID); err != nil {
		return err
	}
	if err := outdateCommunities(ctx, q, groupID, fact.SourceID, fact.TargetID); err != nil {
		return err
	}
	if err := errors.Join(
		q.RejectionOfFact(ctx, db.RejectionOfFactParams{GroupID: groupID, FactID: id}),
		q.RejectionsTold(ctx, db.RejectionsToldParams{GroupID: groupID, FactIds: []uuid.UUID{id}}),
		q.ThreadsOfFactsForget(ctx, db.ThreadsOfFactsForgetParams{GroupID: groupID, FactIds: []uuid.UUID{id}}),
	); err != nil {
		return err
	}
	if err := e.takeOut(ctx, q, fact); err != nil {
		return err
	}
	return q.WithdrawnUnsay(ctx, groupID)
}

// takeOut ends the belief in a fact: what it had ended holds again, and summaries tell
// of that and no more of the fact. An end that no episode mentions, and no other fact
// has, goes with it.
func (e *Engine) takeOut(ctx context.Context, q *db.Queries, fact graph.Fact) error {
	reopened, err := reopenBounded(ctx, q, fact)
	if err != nil {
		return err
	}
	if err := expire(ctx, q, fact.GroupID, []uuid.UUID{fact.ID}); err != nil {
		return err
	}
	if _, err := e.retell(ctx, q, fact.GroupID, append(reopened, endsOf(fact)...), fact); err != nil {
		return err
	}
	_, err = dropUnsupported(ctx, q, fact.GroupID, endsOf(fact))
	return err
}

// reopenBounded gives the facts that a withdrawn one had ended back their time,
// up to where it had been ended itself. It returns the entities at their ends.
func reopenBounded(ctx context.Context, q *db.Queries, fact graph.Fact) ([]uuid.UUID, error) {
	rows, before, err := boundBy(ctx, q, fact.GroupID, []uuid.UUID{fact.ID})
	if err != nil {
		return nil, err
	}
	var ends []uuid.UUID
	var dates []db.FactDateParams
	for _, row := range rows {
		k := known(row)
		k.unbound = before[row.ID]
		k.reopen(fact.Valid, fact.BoundedBy)
		dates, ends = append(dates, k.dates()), append(ends, k.SourceID, k.TargetID)
	}
	return ends, db.Exec(q.FactDate(ctx, dates))
}

// inOneOf fails with a conflict where a fact is in none of the versions that began
// then. Without versions it never fails.
func inOneOf(fact graph.Fact, versions []time.Time) error {
	if len(versions) > 0 && !slices.ContainsFunc(versions, fact.Recorded.Start.Equal) {
		return &graph.Error{Code: graph.CodeConflict, Field: "version", Message: "the fact was changed in the meantime; read it again"}
	}
	return nil
}
