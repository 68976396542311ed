package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// EditFact corrects what a current fact says, also in the summaries of its two
// entities. The history keeps all as it was. Given versions, the fact must be in
// one that began then.
func (e *Engine) EditFact(ctx context.Context, groupID string, id uuid.UUID, edit graph.FactEdit, versions ...time.Time) (graph.Fact, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return graph.Fact{}, err
	}
	for attempt := 1; ; attempt++ {
		err := e.editFact(ctx, groupID, id, edit, versions)
		if err == nil {
			return currentFact(ctx, db.New(e.pool), groupID, id)
		}
		if !errors.Is(err, errStale) || attempt == resolveAttempts {
			return graph.Fact{}, wrapEdit(err, "edit fact %s", id)
		}
	}
}

// editFact reads the fact, embeds its new words, and writes it while it is still
// as it was read.
func (e *Engine) editFact(ctx context.Context, groupID string, id uuid.UUID, edit graph.FactEdit, versions []time.Time) error {
	old, err := currentFact(ctx, db.New(e.pool), groupID, id)
	if err != nil {
		return err
	}
	if err := errors.Join(inOneOf(old, versions), mayChange(ctx, db.New(e.pool), groupID, id)); err != nil {
		return err
	}
	edited, err := edit.Of(old)
	if err != nil {
		return err
	}
	if edited.Predicate, edited.Fact, err = cleanFact(edited); err != nil || edited.SameAs(old) {
		return err
	}
	var vector []float32
	if edited.Fact != old.Fact || edited.Predicate != old.Predicate {
		vectors, err := e.embed(model.WithSubject(ctx, model.Subject{GroupID: groupID}), []string{graph.SearchText(edited.Fact, edited.Predicate)})
		if err != nil {
			return err
		}
		vector = vectors[0]
	}
	return e.edit(ctx, groupID, "edit", func(q *db.Queries) error { return e.writeEdited(ctx, q, old, edited, vector) })
}

func cleanFact(f graph.Fact) (predicate, sentence string, err error) {
	predicate = strings.Trim(notPredicate().ReplaceAllString(strings.ToUpper(f.Predicate), "_"), "_")
	if predicate == "" {
		return "", "", graph.Invalid("predicate", "%q holds no letter", cut(f.Predicate, 100))
	}
	sentence, ok := cleanText(f.Fact, maxFactBytes)
	if !ok {
		return "", "", graph.Invalid("fact", "is empty, longer than %d bytes or not text", maxFactBytes)
	}
	return predicate, sentence, nil
}

func currentFact(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID) (graph.Fact, error) {
	rows, err := q.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: []uuid.UUID{id}})
	if err != nil {
		return graph.Fact{}, fmt.Errorf("read fact %s: %w", id, err)
	}
	if len(rows) == 0 {
		return graph.Fact{}, &graph.Error{
			Code: graph.CodeNotFound, Field: "fact",
			Message: fmt.Sprintf("group %s has no current fact %s; 'annals facts' lists them", groupID, id),
		}
	}
	return db.Fact(rows[0]), nil
}

// writeEdited writes an edited fact and what was said of it elsewhere.
func (e *Engine) writeEdited(ctx context.Context, q *db.Queries, old, edited graph.Fact, vector []float32) error {
	ends, err := lockNodes(ctx, q, old.GroupID, old.SourceID, old.TargetID)
	if graph.CodeOf(err) == graph.CodeNotFound { // merged into another since
		return errStale
	}
	if err != nil {
		return err
	}
	locked, err := q.VersionsLock(ctx, db.VersionsLockParams{GroupID: old.GroupID, FactIds: []uuid.UUID{old.ID}})
	if err != nil {
		return err
	}
	if len(locked) != 1 || !db.Interval(locked[0].Recorded).Equal(old.Recorded) {
		return errStale
	}
	if edited.Fact != old.Fact {
		if err := e.replaceSentence(ctx, q, ends, old.Told(), edited.Told()); err != nil {
			return err
		}
	}
	if err := q.FactEdit(ctx, db.FactEditParams{
		GroupID: old.GroupID, ID: old.ID, Predicate: edited.Predicate, Fact: edited.Fact, Attributes: object(edited.Attributes),
		ValidStart: db.Nullable(edited.Valid.Start), ValidEnd: db.Nullable(edited.Valid.End),
		FromBasis: db.Basis(edited.Valid.From), FromPrecision: db.Exactness(edited.Valid.From),
		UntilBasis: db.Basis(edited.Valid.Until), UntilPrecision: db.Exactness(edited.Valid.Until), BoundedBy: db.Nullable(edited.BoundedBy),
	}); err != nil || vector == nil {
		return err
	}
	return db.Exec(q.FactEmbeddingUpsert(ctx, []db.FactEmbeddingUpsertParams{
		{GroupID: old.GroupID, Model: e.embedder.Name(), FactID: old.ID, Embedding: db.Vector(vector)},
	}))
}

// replaceSentence replaces a sentence in the summaries of entities, and marks
// their communities as out of date.
func (e *Engine) replaceSentence(ctx context.Context, q *db.Queries, ends map[uuid.UUID]*node, before, after string) error {
	for id, n := range ends {
		without := withoutSentence(n.Summary, before)
		if without == n.Summary { // the summary does not say it, or not in these words
			continue
		}
		n.Summary = latestWords(join(without, []string{after}), overlongSummary)
		if err := e.writeNode(ctx, q, n); err != nil {
			return err
		}
		if err := outdateCommunities(ctx, q, n.GroupID, id); err != nil {
			return err
		}
	}
	return nil
}
