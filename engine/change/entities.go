package change

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// Entity is an entity in memory, to be changed and stored.
type Entity struct {
	graph.Entity
	Written string // summary text written by hand, which comes before the derived one
	New     bool
	Changed bool      // differs from the stored row
	Vector  []float32 // of the name, if the name is new
}

// EntityOf returns a stored entity.
func EntityOf(row db.EntityRow) *Entity { return &Entity{Entity: db.Entity(row), Written: row.Written} }

// NewEntity returns an entity that the group does not have yet.
func NewEntity(groupID, name string, vector []float32) *Entity {
	return &Entity{
		Entity: graph.Entity{GroupID: groupID, ID: NewID(), Name: name, Aliases: []string{}, Labels: []string{}},
		New:    true, Changed: true, Vector: vector,
	}
}

// NewID returns a new id.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// GoesUnder reports whether the entity has a name.
func (e *Entity) GoesUnder(name string) bool {
	return strings.EqualFold(e.Name, name) || wording.ContainsFold(e.Aliases, name)
}

// AddName adds an alias, unless the entity has the name.
func (e *Entity) AddName(alias string) {
	if !e.GoesUnder(alias) {
		e.Aliases, e.Changed = append(slices.Clone(e.Aliases), alias), true
	}
}

// AddLabel adds a type, unless the entity has it.
func (e *Entity) AddLabel(label string) {
	if !wording.ContainsFold(e.Labels, label) {
		e.Labels, e.Changed = append(slices.Clone(e.Labels), label), true
	}
}

// SetSummary gives the entity a summary.
func (e *Entity) SetSummary(s string) {
	if s != e.Summary {
		e.Summary, e.Changed = s, true
	}
}

// Forget drops the text written by hand if it may tell of a fact, because it names the fact's other
// end.
func (e *Entity) Forget(f graph.Fact) {
	other := f.Target
	if e.ID == f.TargetID {
		other = f.Source
	}
	if e.Written != "" && strings.Contains(wording.BareWords(e.Written), wording.BareWords(other)) {
		e.Written, e.Changed = "", true
	}
}

// row returns the entity as a row to insert.
func (e *Entity) row() db.EntityInsertParams {
	return db.EntityInsertParams{
		GroupID: e.GroupID, ID: e.ID, Name: e.Name, Aliases: e.Aliases, Labels: e.Labels, Summary: e.Summary, Written: e.Written,
		Attributes: Object(e.Attributes),
	}
}

// EntityUpdate returns the update of the stored row.
func EntityUpdate(row db.EntityInsertParams) db.EntityUpdateParams {
	return db.EntityUpdateParams{
		GroupID: row.GroupID, ID: row.ID, Name: row.Name, Aliases: row.Aliases, Labels: row.Labels, Summary: row.Summary, Written: row.Written,
		Attributes: row.Attributes,
	}
}

// WriteEntities stores the entities that are new or changed.
func (t *Tx) WriteEntities(ctx context.Context, entities ...*Entity) error {
	var inserts []db.EntityInsertParams
	var updates []db.EntityUpdateParams
	var vectors []db.EntityEmbeddingUpsertParams
	for _, e := range entities {
		switch row := e.row(); {
		case e.New:
			inserts = append(inserts, row)
		case e.Changed:
			updates = append(updates, EntityUpdate(row))
		}
		if e.Vector != nil {
			vectors = append(vectors, t.entityVector(e.ID, e.Vector))
		}
	}
	return errors.Join(
		db.Exec(t.Queries.EntityInsert(ctx, inserts)),
		db.Exec(t.Queries.EntityUpdate(ctx, updates)),
		db.Exec(t.Queries.EntityEmbeddingUpsert(ctx, vectors)))
}

func (t *Tx) held(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]*Entity, error) {
	if _, err := t.Queries.VersionsLock(ctx, db.VersionsLockParams{GroupID: t.GroupID, EntityIds: ids}); err != nil {
		return nil, err
	}
	rows, err := t.Queries.EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: t.GroupID, Ids: ids})
	return each.Map(rows, func(row db.EntityRow) (uuid.UUID, *Entity) { return row.ID, EntityOf(row) }), err
}

// Lock reads and locks entities that are to be changed. It fails if one does not exist.
func (t *Tx) Lock(ctx context.Context, ids ...uuid.UUID) (map[uuid.UUID]*Entity, error) {
	entities, err := t.held(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if entities[id] == nil {
			return nil, NoEntity(t.GroupID, id)
		}
		entities[id].Changed = true
	}
	return entities, nil
}

// NoEntity returns the error for an id that no entity of a group has.
func NoEntity(groupID string, id uuid.UUID) error {
	return NotFound("entity", "group %s has no entity %s; 'annals entities' lists them", groupID, id)
}

// DropUnsupported removes the entities without support, and returns their ids.
func (t *Tx) DropUnsupported(ctx context.Context, ids []uuid.UUID) ([]uuid.UUID, error) {
	dropped, err := t.Queries.EntitiesUnsupported(ctx, db.EntitiesUnsupportedParams{GroupID: t.GroupID, Ids: ids})
	if err != nil {
		return nil, err
	}
	return dropped, t.DeleteEntities(ctx, dropped...)
}

// DeleteEntities removes entities with their facts.
func (t *Tx) DeleteEntities(ctx context.Context, ids ...uuid.UUID) error {
	_, err := t.Queries.EntitiesDelete(ctx, db.EntitiesDeleteParams{GroupID: t.GroupID, Ids: append([]uuid.UUID{}, ids...)})
	return err
}

// Object returns the attributes, or an empty object if there are none.
func Object(attributes json.RawMessage) json.RawMessage {
	if len(attributes) == 0 {
		return json.RawMessage("{}")
	}
	return attributes
}

// SameJSON compares attributes. None and {} are equal.
func SameJSON(a, b json.RawMessage) bool {
	var x, y map[string]any
	_ = json.Unmarshal(a, &x)
	_ = json.Unmarshal(b, &y)
	return len(x) == len(y) && reflect.DeepEqual(x, y) || len(x) == 0 && len(y) == 0
}

// Value returns the value of a pointer, or the zero value for nil.
func Value[T any](v *T) T {
	if v == nil {
		v = new(T)
	}
	return *v
}
