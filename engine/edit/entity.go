package edit

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
)

// EntityEdit is a change to an entity. A nil field changes nothing.
type EntityEdit struct {
	Name       *string // the old one stays as an alias
	Summary    *string
	Labels     []string        // nil: unchanged
	Attributes json.RawMessage // merged into the existing ones; null removes one
}

// EditEntity changes an entity by hand.
func (e *Editor) EditEntity(ctx context.Context, groupID string, id uuid.UUID, edit EntityEdit) (graph.Entity, error) {
	return e.editEntity(ctx, groupID, "edit", id, edit, nil, func(t *change.Tx, edited *change.Entity) error {
		if err := t.HideCommunities(ctx, id); err != nil {
			return err
		}
		return t.WriteEntities(ctx, edited)
	})
}

// RenameEntity renames an entity; the old name stays as an alias. If versions are given, the entity
// must be in one of them.
func (e *Editor) RenameEntity(ctx context.Context, groupID string, id uuid.UUID, name string, versions ...time.Time) (graph.Entity, error) {
	return e.editEntity(ctx, groupID, "rename", id, EntityEdit{Name: &name}, versions, func(t *change.Tx, renamed *change.Entity) error {
		return t.WriteEntities(ctx, renamed)
	})
}

func (e *Editor) editEntity(
	ctx context.Context, groupID, action string, id uuid.UUID, edit EntityEdit, versions []time.Time, write func(*change.Tx, *change.Entity) error,
) (graph.Entity, error) {
	var vector []float32
	if edit.Name != nil {
		name, made, err := e.nameAnew(ctx, groupID, *edit.Name)
		if err != nil {
			return graph.Entity{}, err
		}
		edit.Name, vector = &name, made
	}
	var edited graph.Entity
	err := e.ByHand(ctx, groupID, action, func(t *change.Tx) error {
		entities, err := t.Lock(ctx, id)
		if err != nil {
			return err
		}
		entity := entities[id]
		if err := errors.Join(change.InVersion(entity.Name, entity.Recorded.Start, versions), t.MayChangeEntities(ctx, id)); err != nil {
			return err
		}
		old := entity.Name
		if err := edit.apply(entity); err != nil {
			return err
		}
		entity.Vector = vector
		if err := write(t, entity); err != nil {
			return err
		}
		if old != entity.Name {
			err = tellByName(ctx, t, entity, old)
		}
		edited = entity.Entity
		return err
	})
	if err != nil {
		return graph.Entity{}, change.Failed(err, "%s entity %s", action, id)
	}
	return edited, nil
}

// tellByName puts the new name of an entity into its facts. Their meaning is unchanged, so this is
// no edit of the facts.
func tellByName(ctx context.Context, t *change.Tx, e *change.Entity, old string) error {
	if err := errors.Join(t.Queries.OriginSet(ctx, graph.OriginOf(ctx).Doing("rename")), t.Queries.FactsJudged(ctx)); err != nil {
		return err
	}
	return t.TellByName(ctx, e, old, !matching.Unnamed(old))
}

// nameAnew validates a new name and makes its vector.
func (e *Editor) nameAnew(ctx context.Context, groupID, name string) (string, []float32, error) {
	name, err := validName(name)
	if err != nil {
		return "", nil, err
	}
	vectors, err := e.Embed(ctx, groupID, name)
	if err != nil {
		return "", nil, err
	}
	return name, vectors[0], nil
}

func validName(name string) (string, error) {
	clean, ok := wording.CleanText(name, graph.MaxName)
	if !ok {
		return "", graph.Invalid("name", "%q is empty, longer than %d bytes or not text", wording.Cut(name, 100), graph.MaxName)
	}
	return clean, nil
}

// apply applies the edit to an entity.
func (edit EntityEdit) apply(e *change.Entity) error {
	if edit.Name != nil && *edit.Name != e.Name {
		e.Aliases = slices.DeleteFunc(slices.Clone(e.Aliases), func(a string) bool { return a == *edit.Name })
		if !slices.Contains(e.Aliases, e.Name) {
			e.Aliases = append(e.Aliases, e.Name)
		}
		e.Name = *edit.Name
	}
	if edit.Summary != nil {
		if err := graph.ValidateText("summary", *edit.Summary, graph.MaxMetadata); err != nil {
			return err
		}
		e.Summary = strings.TrimSpace(*edit.Summary)
	}
	if edit.Labels != nil {
		for _, label := range edit.Labels {
			if err := graph.ValidateText("labels", label, graph.MaxName); err != nil {
				return err
			}
		}
		e.Labels = edit.Labels
	}
	var err error
	e.Attributes, err = changeObject("attributes", e.Attributes, edit.Attributes)
	return err
}

// AddEntities adds entities by hand and returns their ids in order. An entity with an id, or with a
// name that only one entity has, is added to that entity.
func (e *Editor) AddEntities(ctx context.Context, groupID string, entities []graph.Entity) ([]uuid.UUID, error) {
	if err := db.InTx(ctx, e.Pool, func(q *db.Queries) error { return intake.EnsureGroup(ctx, q, groupID) }); err != nil {
		return nil, err
	}
	names := make([]string, len(entities))
	for i, n := range entities {
		var err error
		if names[i], err = validName(n.Name); err != nil {
			return nil, err
		}
	}
	vectors, err := e.Embed(ctx, groupID, names...)
	if err != nil {
		return nil, err
	}
	ids := make([]uuid.UUID, len(entities))
	err = e.ByHand(ctx, groupID, "add", func(t *change.Tx) error {
		for i, told := range entities {
			entity, err := known(ctx, t, told.ID, names[i])
			if err != nil {
				return err
			}
			if entity == nil {
				entity = change.NewEntity(groupID, names[i], vectors[i])
			} else if tells(told) {
				err = t.MayChangeEntities(ctx, entity.ID)
			}
			if err := errors.Join(err, learn(entity, told)); err != nil {
				return err
			}
			if err := t.WriteEntities(ctx, entity); err != nil {
				return err
			}
			ids[i] = entity.ID
		}
		return nil
	})
	if err != nil {
		return nil, change.Failed(err, "add entities to %s", groupID)
	}
	return ids, db.RefreshStatistics(ctx, e.Pool, groupID)
}

// known returns the entity with an id, or the only one with a name, locked. It returns nil if there
// is none.
func known(ctx context.Context, t *change.Tx, id uuid.UUID, name string) (*change.Entity, error) {
	if id == uuid.Nil {
		rows, err := t.Queries.EntitiesByNames(ctx, db.EntitiesByNamesParams{GroupID: t.GroupID, Names: []string{name}})
		if err != nil || len(rows) != 1 || rows[0].EntityID == uuid.Nil {
			return nil, err
		}
		id = rows[0].EntityID
	}
	entities, err := t.Lock(ctx, id)
	return entities[id], err
}

// tells reports whether an entity brings more than its name.
func tells(told graph.Entity) bool {
	return told.Summary != "" || len(told.Labels) > 0 || len(told.Attributes) > 0
}

func learn(e *change.Entity, told graph.Entity) error {
	edit := EntityEdit{Attributes: told.Attributes}
	if told.Summary != "" {
		edit.Summary = &told.Summary
	}
	labels := slices.Clone(e.Labels)
	for _, label := range told.Labels {
		if !wording.ContainsFold(labels, label) {
			labels = append(labels, label)
		}
	}
	edit.Labels = labels
	return edit.apply(e)
}

// DeleteEntity removes an entity and its facts. Episodes stay, so that a later one may
// bring it back.
func (e *Editor) DeleteEntity(ctx context.Context, groupID string, id uuid.UUID) error {
	err := e.ByHand(ctx, groupID, "remove", func(t *change.Tx) error {
		if err := t.MayChangeEntities(ctx, id); err != nil {
			return err
		}
		if _, err := t.Lock(ctx, id); err != nil {
			return err
		}
		if err := t.HideCommunities(ctx, id); err != nil {
			return err
		}
		ids, err := t.Queries.FactIDsOfEntities(ctx, db.FactIDsOfEntitiesParams{GroupID: groupID, EntityIds: []uuid.UUID{id}})
		if err != nil {
			return err
		}
		facts, err := t.Facts(ctx, ids)
		if err != nil {
			return err
		}
		if err := t.DeleteEntities(ctx, id); err != nil {
			return err
		}
		_, err = t.Retell(ctx, change.EndsOf(facts...), facts...)
		return err
	})
	return change.Failed(err, "delete entity %s", id)
}
