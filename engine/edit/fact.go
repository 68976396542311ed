package edit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// EditFact corrects a current fact, and remakes the summaries of its entities. If versions are
// given, the fact must be in one of them.
func (e *Editor) EditFact(ctx context.Context, groupID string, id uuid.UUID, edit graph.FactEdit, versions ...time.Time) (graph.Fact, error) {
	edited, err := e.EditFacts(ctx, groupID, []uuid.UUID{id}, edit, versions...)
	if err != nil {
		return graph.Fact{}, err
	}
	return edited[0], nil
}

// EditFacts is [Editor.EditFact] for several facts: all of them, or none.
func (e *Editor) EditFacts(ctx context.Context, groupID string, ids []uuid.UUID, edit graph.FactEdit, versions ...time.Time) ([]graph.Fact, error) {
	return e.EditEach(ctx, groupID, each.Of(ids, func(id uuid.UUID) FactEdit { return FactEdit{id, edit} }), versions...)
}

// FactEdit is the edit of one fact.
type FactEdit struct {
	ID   uuid.UUID
	Edit graph.FactEdit
}

var (
	// errChanged reports that a fact was changed after it was read.
	errChanged = errors.New("the fact was changed while it was being edited")

	errContended = change.Conflict("fact", "others change it all the time; read it again, and try then")
)

// attempts is how often facts are edited again because others changed them meanwhile.
const attempts = 3

// EditEach edits facts, each with its own edit: all of them, or none.
func (e *Editor) EditEach(ctx context.Context, groupID string, edits []FactEdit, versions ...time.Time) ([]graph.Fact, error) {
	return e.editEach(ctx, groupID, edits, versions, func(*change.Tx) error { return nil })
}

// editEach is EditEach with a check in the transaction that writes.
func (e *Editor) editEach(ctx context.Context, groupID string, edits []FactEdit, versions []time.Time, check func(*change.Tx) error) ([]graph.Fact, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return nil, err
	}
	for range attempts {
		edited, err := e.editFacts(ctx, groupID, edits, versions, check)
		if !errors.Is(err, errChanged) {
			return edited, change.Failed(err, "edit fact %s", edits[0].ID)
		}
	}
	return nil, errContended
}

// editedFact is a fact before and after an edit.
type editedFact struct {
	old, edited graph.Fact
	vector      []float32 // of its new words; nil: unchanged
}

// editFacts reads the facts, embeds their new words, and writes them if they have not changed
// meanwhile. It returns the facts as written.
func (e *Editor) editFacts(ctx context.Context, groupID string, edits []FactEdit, versions []time.Time, check func(*change.Tx) error) ([]graph.Fact, error) {
	now := make([]graph.Fact, len(edits))
	var changed []editedFact
	for i, edit := range edits {
		f, err := e.edited(ctx, groupID, edit, versions)
		if err != nil {
			return nil, err
		}
		if now[i] = f.old; !f.edited.SameAs(f.old) {
			changed = append(changed, f)
		}
	}
	if len(changed) == 0 {
		return now, check(e.In(db.New(e.Pool), groupID))
	}
	err := e.ByHand(ctx, groupID, "edit", func(t *change.Tx) error {
		if err := check(t); err != nil {
			return err
		}
		for _, f := range changed {
			if err := f.write(ctx, t); err != nil {
				return err
			}
		}
		var err error
		now, err = believed(ctx, t, each.Of(edits, func(edit FactEdit) uuid.UUID { return edit.ID }))
		return err
	})
	return now, err
}

func (e *Editor) edited(ctx context.Context, groupID string, edit FactEdit, versions []time.Time) (f editedFact, err error) {
	t := e.In(db.New(e.Pool), groupID)
	if f.old, err = t.Fact(ctx, edit.ID); err != nil {
		return f, err
	}
	if err := errors.Join(change.InVersion("the fact", f.old.Recorded.Start, versions), t.MayChange(ctx, edit.ID)); err != nil {
		return f, err
	}
	if f.edited, err = apply(ctx, t, f.old, edit.Edit); err != nil {
		return f, err
	}
	if err := clean(&f.edited); err != nil {
		return f, err
	}
	if f.edited.Fact == f.old.Fact && f.edited.Predicate == f.old.Predicate {
		return f, nil
	}
	vectors, err := e.Embed(ctx, groupID, graph.SearchText(f.edited.Fact, f.edited.Predicate))
	if err == nil {
		f.vector = vectors[0]
	}
	return f, err
}

// apply returns a fact after an edit, or as it was believed at another time.
func apply(ctx context.Context, t *change.Tx, old graph.Fact, edit graph.FactEdit) (graph.Fact, error) {
	if err := edit.Alone(); err != nil {
		return old, err
	}
	if edit.AsKnownAt.IsZero() {
		return edit.Of(old)
	}
	rows, err := t.Queries.FactsKnownByIDs(ctx, db.FactsKnownByIDsParams{GroupID: t.GroupID, Ids: []uuid.UUID{old.ID}, KnownAt: edit.AsKnownAt})
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
	bounding, err := t.Facts(ctx, []uuid.UUID{was.BoundedBy})
	if len(bounding) == 0 { // the fact that gave it its end is no longer believed
		was.BoundedBy = uuid.Nil
	}
	return was, err
}

func clean(f *graph.Fact) error {
	predicate := wording.Predicate(f.Predicate)
	if predicate == "" {
		return graph.Invalid("predicate", "%q holds no letter and no digit", wording.Cut(f.Predicate, 100))
	}
	sentence, ok := wording.Sentence(f.Fact, wording.MaxFact)
	if !ok {
		return graph.Invalid("fact", "is empty, longer than %d bytes or not text", wording.MaxFact)
	}
	f.Predicate, f.Fact = predicate, sentence
	return nil
}

func (f editedFact) write(ctx context.Context, t *change.Tx) error {
	_, err := t.Lock(ctx, f.old.SourceID, f.old.TargetID)
	if graph.CodeOf(err) == graph.CodeNotFound { // merged into another entity meanwhile
		return errChanged
	}
	if err != nil {
		return err
	}
	locked, err := t.Queries.VersionsLock(ctx, db.VersionsLockParams{GroupID: t.GroupID, FactIds: []uuid.UUID{f.old.ID}})
	if err != nil {
		return err
	}
	if len(locked) != 1 || !db.Interval(locked[0].Recorded).Equal(f.old.Recorded) {
		return errChanged
	}
	if err := t.Queries.FactEdit(ctx, change.EditRow(f.edited)); err != nil {
		return err
	}
	var gone []graph.Fact
	if f.edited.Fact != f.old.Fact || !f.edited.Valid.Equal(f.old.Valid) {
		gone = append(gone, f.old)
	}
	if _, err := t.Retell(ctx, change.EndsOf(f.old), gone...); err != nil || f.vector == nil {
		return err
	}
	return db.Exec(t.Queries.FactEmbeddingUpsert(ctx, []db.FactEmbeddingUpsertParams{t.FactVector(f.old.ID, f.vector)}))
}
