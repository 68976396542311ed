package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// WithdrawFact ends the belief in a fact, which never held, and keeps that it was
// rejected: what says it again makes no fact, until [Engine.RestoreFact]. The
// history keeps it, and the summaries of the entities at its ends lose its
// sentence. Given versions, the fact must be in the one that began then.
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
	ends, err := lockNodes(ctx, q, groupID, fact.SourceID, fact.TargetID)
	if err != nil {
		return err
	}
	if err := outdateCommunities(ctx, q, groupID, fact.SourceID, fact.TargetID); err != nil {
		return err
	}
	for _, end := range ends {
		summary, err := summaryWithout(ctx, q, end, fact)
		if err != nil {
			return err
		}
		if summary == end.Summary {
			continue
		}
		end.Summary = summary
		if err := e.writeNode(ctx, q, end); err != nil {
			return err
		}
	}
	if err := errors.Join(
		q.RejectionOfFact(ctx, db.RejectionOfFactParams{GroupID: groupID, FactID: id}),
		q.RejectionsTold(ctx, db.RejectionsToldParams{GroupID: groupID, FactIds: []uuid.UUID{id}}),
		q.ThreadsOfFactsForget(ctx, db.ThreadsOfFactsForgetParams{GroupID: groupID, FactIds: []uuid.UUID{id}}),
	); err != nil {
		return err
	}
	if err := reopenBounded(ctx, q, fact); err != nil {
		return err
	}
	if err := expire(ctx, q, groupID, []uuid.UUID{id}); err != nil {
		return err
	}
	// An end that no episode mentions, and no other fact has, went with it.
	ids := []uuid.UUID{fact.SourceID, fact.TargetID}
	if _, err := dropUnsupported(ctx, q, groupID, ids); err != nil {
		return err
	}
	return q.WithdrawnUnsay(ctx, groupID)
}

// summaryWithout is the summary of an entity without what a fact says. Where it
// says that in other words, as far as it names the other end, it becomes the
// sentences of the latest facts about the entity.
func summaryWithout(ctx context.Context, q *db.Queries, end *node, fact graph.Fact) (string, error) {
	other := fact.Target
	if end.ID == fact.TargetID {
		other = fact.Source
	}
	summary := withoutSentence(end.Summary, fact.Told())
	if summary != end.Summary || !strings.Contains(bareWords(summary), bareWords(other)) {
		return summary, nil
	}
	return summaryOfFacts(ctx, q, end, fact.ID)
}

// summaryOfFacts is a summary of an entity made of the sentences of the latest facts
// about it that still hold, without one of them.
func summaryOfFacts(ctx context.Context, q *db.Queries, n *node, without uuid.UUID) (string, error) {
	rows, err := q.FactsLatestOf(ctx, db.FactsLatestOfParams{GroupID: n.GroupID, EntityIds: []uuid.UUID{n.ID}, MaxRows: maxSentences})
	if err != nil {
		return "", err
	}
	var told []string
	for _, row := range slices.Backward(rows) {
		if f := db.Fact(row); f.ID != without && f.Trust != graph.TrustCandidate && !f.Ended(time.Now()) && !slices.Contains(told, f.Told()) {
			told = append(told, f.Told())
		}
	}
	return latestWords(join("", told), DefaultSummaryLimit), nil
}

// The most facts that a summary is made of anew.
const maxSentences = 20

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
