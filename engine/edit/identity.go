package edit

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/graph"
)

// MergeEntities merges one entity into another, which takes over its names, types, attributes,
// facts and mentions. Facts between the two are removed. From then on the id of from stands for
// into.
func (e *Editor) MergeEntities(ctx context.Context, groupID string, from, into uuid.UUID) (graph.Entity, error) {
	if from == into {
		return graph.Entity{}, graph.Invalid("entity", "%s cannot be merged into itself", from)
	}
	var merged graph.Entity
	err := e.ByHand(ctx, groupID, "merge", func(t *change.Tx) error {
		if err := t.MayChangeEntities(ctx, from, into); err != nil {
			return err
		}
		entities, err := t.Lock(ctx, from, into)
		if err != nil {
			return err
		}
		whole := entities[into]
		absorb(whole, entities[from])
		err = errors.Join(
			t.HideCommunities(ctx, from, into), t.WriteEntities(ctx, whole), moveEverything(ctx, t, from, into),
			t.Queries.EntityMergeInsert(ctx, db.EntityMergeInsertParams{GroupID: groupID, ID: from, MergedInto: into}),
			t.DeleteEntities(ctx, from), t.RetellEntity(ctx, whole))
		if role := entities[from].Name; err == nil && matching.Unnamed(role) && !matching.Unnamed(whole.Name) {
			err = tellByName(ctx, t, whole, role)
		}
		merged = whole.Entity
		return err
	})
	if err != nil {
		return graph.Entity{}, change.Failed(err, "merge entity %s into %s", from, into)
	}
	return merged, nil
}

// absorb adds the names and attributes of another entity. If both have an attribute, its own value
// stays.
func absorb(e, other *change.Entity) {
	for _, name := range append([]string{other.Name}, other.Aliases...) {
		e.AddName(name)
	}
	for _, label := range other.Labels {
		e.AddLabel(label)
	}
	e.Attributes = graph.MergeAttributes(other.Attributes, e.Attributes)
	e.Written = strings.TrimSpace(e.Written + " " + other.Written)
}

func moveEverything(ctx context.Context, t *change.Tx, from, into uuid.UUID) error {
	between, err := t.Queries.FactsBetween(ctx, db.FactsBetweenParams{GroupID: t.GroupID, One: from, Other: into})
	if err != nil {
		return err
	}
	if err := t.Expire(ctx, between...); err != nil {
		return err
	}
	_, err = t.Queries.FactsMove(ctx, db.FactsMoveParams{GroupID: t.GroupID, FromID: from, ToID: into, EveryFact: true, Ids: []uuid.UUID{}})
	if err != nil {
		return err
	}
	folded, err := t.Queries.FactsFold(ctx, db.FactsFoldParams{GroupID: t.GroupID, EntityID: into})
	if err != nil {
		return err
	}
	return errors.Join(
		t.Expire(ctx, folded...),
		t.Queries.RejectionsMove(ctx, db.RejectionsMoveParams{GroupID: t.GroupID, FromID: from, IntoID: into}),
		t.Queries.MentionsCopy(ctx, db.MentionsCopyParams{GroupID: t.GroupID, FromID: from, ToID: into}))
}

// SplitEntity moves facts of an entity to a new one, and removes an alias that is the new one's
// name.
func (e *Editor) SplitEntity(ctx context.Context, groupID string, from uuid.UUID, name string, factIDs []uuid.UUID) (graph.Entity, error) {
	if len(factIDs) == 0 {
		return graph.Entity{}, graph.Invalid("facts", "is empty; name the facts that belong to %s", name)
	}
	name, vector, err := e.nameAnew(ctx, groupID, name)
	if err != nil {
		return graph.Entity{}, err
	}
	part := change.NewEntity(groupID, name, vector)
	err = e.ByHand(ctx, groupID, "split", func(t *change.Tx) error {
		if err := t.MayChangeEntities(ctx, from); err != nil {
			return err
		}
		entities, err := t.Lock(ctx, from)
		if err != nil {
			return err
		}
		whole := entities[from]
		if err := mustHave(ctx, t, whole, factIDs); err != nil {
			return err
		}
		if err := t.HideCommunities(ctx, from); err != nil {
			return err
		}
		part.Labels = whole.Labels
		whole.Aliases = slices.DeleteFunc(slices.Clone(whole.Aliases), func(a string) bool { return strings.EqualFold(a, part.Name) })
		if err := t.WriteEntities(ctx, whole, part); err != nil {
			return err
		}
		_, err = t.Queries.FactsMove(ctx, db.FactsMoveParams{GroupID: groupID, FromID: from, ToID: part.ID, Ids: factIDs})
		if err != nil {
			return err
		}
		return errors.Join(
			t.Queries.MentionsMove(ctx, db.MentionsMoveParams{GroupID: groupID, FactIds: factIDs, FromID: from, ToID: part.ID}),
			t.Reword(ctx, part, whole.Name, factIDs, from))
	})
	if err != nil {
		return graph.Entity{}, change.Failed(err, "split %q off entity %s", name, from)
	}
	return part.Entity, nil
}

func mustHave(ctx context.Context, t *change.Tx, e *change.Entity, ids []uuid.UUID) error {
	own, err := t.Queries.FactsOfEntity(ctx, db.FactsOfEntityParams{GroupID: t.GroupID, Ids: ids, EntityID: e.ID})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.Contains(own, id) {
			return change.NotFound("facts", "%s has no current fact %s; 'annals facts --entity %s' lists them", e.Name, id, e.ID)
		}
	}
	return nil
}
