package annals

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Entity is a person or a thing that episodes speak of.
// [graph.Entity] has its fields and methods.
type Entity = graph.Entity

// EntityEdit is a change to an entity by hand.
type EntityEdit = edit.EntityEdit

// EntityFilter chooses entities. Fields that are zero do not narrow the choice.
type EntityFilter struct {
	GroupID string
	ValidAt time.Time // with a fact that held at this time; zero: all
	KnownAt time.Time // as they were known then; zero: as they are known now
	After   *Entity   // that come after this one, the last that was listed; nil: from the first
	Limit   int       // 1 to MaxRows; zero: DefaultRows
}

// Entities lists entities, the most mentioned first. One that is mentioned again
// between two pages moves towards the first, so none is listed twice.
func (c *Client) Entities(ctx context.Context, f EntityFilter) ([]Entity, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err == nil {
		err = validateTimes(f.ValidAt, f.KnownAt)
	}
	if err != nil {
		return nil, err
	}
	asked := db.EntityListParams{GroupID: f.GroupID, ValidAt: db.Nullable(f.ValidAt), KnownAt: db.Nullable(f.KnownAt), MaxRows: limit}
	if f.After != nil {
		asked.AfterMentions, asked.AfterName, asked.AfterID = new(int32(f.After.Mentions)), &f.After.Name, &f.After.ID
	}
	entities, err := read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]Entity, error) {
		q := db.New(from.pool)
		rows, err := q.EntityList(ctx, asked)
		entities := make([]Entity, len(rows))
		for i, row := range rows {
			entities[i] = db.Entity(row.EntityRow)
			entities[i].Mentions = int(row.Mentions)
		}
		return entities, errors.Join(err, q.MarkEntities(ctx, f.GroupID, db.Nullable(f.KnownAt), entities))
	})
	if err != nil {
		return nil, fmt.Errorf("list entities of %s: %w", f.GroupID, err)
	}
	return entities, nil
}

// Entity returns the entity with this id, or the only one that goes by this
// name. An id that was merged away stands for the entity it went into.
func (c *Client) Entity(ctx context.Context, groupID, idOrName string) (Entity, error) {
	return read(ctx, c, groupID, func(ctx context.Context, from source) (Entity, error) {
		return from.engine.FindEntity(ctx, groupID, idOrName)
	})
}

// EntityAt is [Client.Entity] as it was known at a time, by the names it had
// then; the zero time is now.
func (c *Client) EntityAt(ctx context.Context, groupID, idOrName string, knownAt time.Time) (Entity, error) {
	if knownAt.IsZero() {
		return c.Entity(ctx, groupID, idOrName)
	}
	if err := c.admit(groupID); err != nil {
		return Entity{}, err
	}
	if err := graph.ValidateTime("known_at", knownAt); err != nil {
		return Entity{}, err
	}
	asked := db.EntityFindKnownParams{GroupID: groupID, KnownAt: knownAt, Name: idOrName}
	if id, err := uuid.Parse(idOrName); err == nil {
		asked.ID = &id
	}
	rows, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]db.EntityRow, error) {
		return db.New(from.pool).EntityFindKnown(ctx, asked)
	})
	if err != nil {
		return Entity{}, fmt.Errorf("find entity %q: %w", idOrName, err)
	}
	if len(rows) != 1 {
		return Entity{}, notOneKnown(len(rows), groupID, idOrName, knownAt)
	}
	return db.Entity(rows[0]), nil
}

func notOneKnown(n int, groupID, idOrName string, at time.Time) error {
	when := at.UTC().Format(time.RFC3339)
	if n == 0 {
		return &Error{
			Code: CodeNotFound, Field: "entity",
			Message: fmt.Sprintf("group %s knew none called %q at %s; 'annals entities --known-at %s' lists them", groupID, idOrName, when, when),
		}
	}
	return &Error{
		Code: CodeConflict, Field: "entity",
		Message: fmt.Sprintf("several entities of group %s went by the name %q at %s; use the id of one", groupID, idOrName, when),
	}
}

// AddEntities takes entities into the graph by hand. Of each, the name, labels,
// summary and attributes are read. One whose name the group knows, of a single
// entity, adds to that one; one with an ID adds to the entity of that, which must
// be there. It returns their ids, in order.
func (c *Client) AddEntities(ctx context.Context, groupID string, entities []Entity) ([]uuid.UUID, error) {
	return edited(ctx, c, telemetry.CreateMemory, groupID, telemetry.Several, func(ctx context.Context) ([]uuid.UUID, error) {
		return c.engine.AddEntities(ctx, groupID, entities)
	})
}

// EditEntity changes an entity by hand. The history keeps what it was.
func (c *Client) EditEntity(ctx context.Context, groupID string, id uuid.UUID, change EntityEdit) (Entity, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Entity, error) {
		return c.engine.EditEntity(ctx, groupID, id, change)
	})
}

// DeleteEntity takes an entity and its facts out of the graph. The history
// keeps them, and what was said of it stays; [Client.Erase] removes all of it.
func (c *Client) DeleteEntity(ctx context.Context, groupID string, id uuid.UUID) error {
	return c.edit(ctx, telemetry.DeleteMemory, groupID, func(ctx context.Context) error { return c.engine.DeleteEntity(ctx, groupID, id) })
}

// MergeEntities makes two entities one: into takes over what from is called
// and known by, its facts and its mentions. The history keeps all as it was,
// and from's id goes on standing for into.
func (c *Client) MergeEntities(ctx context.Context, groupID string, from, into uuid.UUID) (Entity, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Entity, error) {
		return c.engine.MergeEntities(ctx, groupID, from, into)
	})
}

// SplitEntity makes a new entity of the listed facts of one that was two.
func (c *Client) SplitEntity(ctx context.Context, groupID string, from uuid.UUID, name string, factIDs []uuid.UUID) (Entity, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Entity, error) {
		return c.engine.SplitEntity(ctx, groupID, from, name, factIDs)
	})
}

// RenameEntity gives an entity another name; the old one stays as an alias.
// Given versions, the starts of [Entity].Recorded, it does so only while the
// entity is in one of them, and else fails with [CodeConflict] on "version".
func (c *Client) RenameEntity(ctx context.Context, groupID string, id uuid.UUID, name string, versions ...time.Time) (Entity, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Entity, error) {
		return c.engine.RenameEntity(ctx, groupID, id, name, versions...)
	})
}
