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
	edited, err := e.EditFacts(ctx, groupID, []uuid.UUID{id}, edit, versions...)
	if err != nil {
		return graph.Fact{}, err
	}
	return edited[0], nil
}

// EditFacts is [Engine.EditFact] of several facts at once: all of them, or none.
func (e *Engine) EditFacts(ctx context.Context, groupID string, ids []uuid.UUID, edit graph.FactEdit, versions ...time.Time) ([]graph.Fact, error) {
	edits := make([]EditOfFact, len(ids))
	for i, id := range ids {
		edits[i] = EditOfFact{id, edit}
	}
	return e.EditEach(ctx, groupID, edits, versions...)
}

// EditOfFact is what is to be changed of one fact.
type EditOfFact struct {
	ID   uuid.UUID
	Edit graph.FactEdit
}

// EditEach edits facts, each in its own way: all of them, or none.
func (e *Engine) EditEach(ctx context.Context, groupID string, edits []EditOfFact, versions ...time.Time) ([]graph.Fact, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		edited, err := e.editFacts(ctx, groupID, edits, versions)
		if err == nil {
			return edited, nil
		}
		if !errors.Is(err, errStale) {
			return nil, wrapEdit(err, "edit fact %s", edits[0].ID)
		}
		if attempt == resolveAttempts {
			return nil, &graph.Error{Code: graph.CodeConflict, Field: "fact", Message: "others change it all the time; read it again, and try then"}
		}
	}
}

// editedFact is a fact as it is to be.
type editedFact struct {
	old, edited graph.Fact
	vector      []float32 // of its new words; nil: they are as they were
}

// editFacts reads the facts, embeds their new words, and writes them while they are
// still as they were read. It returns the facts as they are then, whatever others do
// next.
func (e *Engine) editFacts(ctx context.Context, groupID string, edits []EditOfFact, versions []time.Time) ([]graph.Fact, error) {
	now := make([]graph.Fact, len(edits))
	var changed []editedFact
	for i, edit := range edits {
		f, err := e.editOf(ctx, groupID, edit.ID, edit.Edit, versions)
		if err != nil {
			return nil, err
		}
		if now[i] = f.old; !f.edited.SameAs(f.old) {
			changed = append(changed, f)
		}
	}
	if len(changed) == 0 {
		return now, nil
	}
	err := e.edit(ctx, groupID, "edit", func(q *db.Queries) error {
		for _, f := range changed {
			if err := e.writeEdited(ctx, q, f.old, f.edited, f.vector); err != nil {
				return err
			}
		}
		for i, edit := range edits {
			var err error
			if now[i], err = currentFact(ctx, q, groupID, edit.ID); err != nil {
				return err
			}
		}
		return nil
	})
	return now, err
}

// editOf reads a fact and applies an edit to it.
func (e *Engine) editOf(ctx context.Context, groupID string, id uuid.UUID, edit graph.FactEdit, versions []time.Time) (editedFact, error) {
	old, err := currentFact(ctx, db.New(e.pool), groupID, id)
	if err != nil {
		return editedFact{}, err
	}
	if err := errors.Join(inOneOf(old, versions), mayChange(ctx, db.New(e.pool), groupID, id)); err != nil {
		return editedFact{}, err
	}
	f := editedFact{old: old}
	if f.edited, err = e.edited(ctx, old, edit); err != nil {
		return f, err
	}
	if f.edited.Predicate, f.edited.Fact, err = cleanFact(f.edited); err != nil {
		return f, err
	}
	if f.edited.Fact != old.Fact || f.edited.Predicate != old.Predicate {
		vectors, err := e.embed(model.WithSubject(ctx, model.Subject{GroupID: groupID}), []string{graph.SearchText(f.edited.Fact, f.edited.Predicate)})
		if err != nil {
			return f, err
		}
		f.vector = vectors[0]
	}
	return f, nil
}

// edited is a fact as an edit makes it, or as it was believed at another time.
func (e *Engine) edited(ctx context.Context, old graph.Fact, edit graph.FactEdit) (graph.Fact, error) {
	if err := edit.Alone(); err != nil {
		return old, err
	}
	if edit.AsKnownAt.IsZero() {
		return edit.Of(old)
	}
	q := db.New(e.pool)
	rows, err := q.FactsKnownByIDs(ctx, db.FactsKnownByIDsParams{GroupID: old.GroupID, Ids: []uuid.UUID{old.ID}, KnownAt: edit.AsKnownAt})
	if err != nil {
		return old, fmt.Errorf("read fact %s as it was: %w", old.ID, err)
	}
	if len(rows) == 0 {
		return old, graph.Invalid("as_known_at", "is no time at which fact %s was believed; 'annals history' lists its versions", old.ID)
	}
	was := old.As(db.Fact(rows[0]))
	if was.BoundedBy == uuid.Nil {
		return was, nil
	}
	bounding, err := q.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: old.GroupID, Ids: []uuid.UUID{was.BoundedBy}})
	if len(bounding) == 0 { // what its end came from is believed no longer
		was.BoundedBy = uuid.Nil
	}
	return was, err
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
		GroupID: old.GroupID, ID: old.ID, Predicate: edited.Predicate, Fact: edited.Fact, Told: edited.Told(), Attributes: object(edited.Attributes),
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
