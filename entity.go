package annals

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Entity is a person or a thing that episodes mention. [graph.Entity] has its fields and methods.
type Entity = graph.Entity

// EntityEdit is a change of an entity by hand.
type EntityEdit = edit.EntityEdit

// EntityFilter selects entities. Zero fields do not narrow the selection.
type EntityFilter struct {
	GroupID string
	ValidAt time.Time // only those with a fact that held at this time; zero: all
	KnownAt time.Time // as they were known at this time; zero: as they are known now
	After   *Entity   // list those after this one, the last of the page before; nil: from the first
	Limit   int       // 1 to MaxRows; zero: DefaultRows
}

// Entities lists entities, the most mentioned first. An entity that is mentioned again between two
// pages moves forward, so that none is listed twice.
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
	return query(ctx, c, f.GroupID, func(ctx context.Context, q *db.Queries) ([]Entity, error) {
		rows, err := q.EntityList(ctx, asked)
		entities := make([]Entity, len(rows))
		for i, row := range rows {
			entities[i] = db.Entity(row.EntityRow)
			entities[i].Mentions = int(row.Mentions)
		}
		return entities, errors.Join(err, q.MarkEntities(ctx, f.GroupID, db.Nullable(f.KnownAt), entities))
	}, "list entities of %s", f.GroupID)
}

// Entity returns the entity with this id, or the only entity with this name or alias. The id of a
// merged entity stands for the entity it was merged into.
func (c *Client) Entity(ctx context.Context, groupID, idOrName string) (Entity, error) {
	return read(ctx, c, groupID, func(ctx context.Context, from source) (Entity, error) {
		return from.engine.FindEntity(ctx, groupID, idOrName)
	})
}

// EntityAt returns an entity as [Client.Entity] does, but as it was known at a time and by the
// names it had then. The zero time is now.
func (c *Client) EntityAt(ctx context.Context, groupID, idOrName string, knownAt time.Time) (Entity, error) {
	if knownAt.IsZero() {
		return c.Entity(ctx, groupID, idOrName)
	}
	if err := c.admit(groupID); err != nil {
		return Entity{}, err
	}
	if err := cmp.Or(graph.ValidateTime("known_at", knownAt), graph.ValidateText("entity", idOrName, math.MaxInt)); err != nil {
		return Entity{}, err
	}
	asked := db.EntityFindKnownParams{GroupID: groupID, KnownAt: knownAt, Name: idOrName}
	if id, err := uuid.Parse(idOrName); err == nil {
		asked.ID = &id
	}
	rows, err := query(ctx, c, groupID, func(ctx context.Context, q *db.Queries) ([]db.EntityRow, error) {
		return q.EntityFindKnown(ctx, asked)
	}, "find entity %q", idOrName)
	if err != nil {
		return Entity{}, err
	}
	if len(rows) != 1 {
		return Entity{}, notOneKnown(len(rows), groupID, idOrName, knownAt)
	}
	return db.Entity(rows[0]), nil
}

func notOneKnown(n int, groupID, idOrName string, at time.Time) error {
	when := at.UTC().Format(time.RFC3339)
	if n == 0 {
		return change.NotFound("entity", "group %s knew none called %q at %s; 'annals entities --known-at %s' lists them", groupID, idOrName, when, when)
	}
	return change.Conflict("entity", "several entities of group %s went by the name %q at %s; use the id of one", groupID, idOrName, when)
}

// AddEntities adds entities by hand and returns their ids, in order. It reads the name, labels,
// summary and attributes of each. An entity with an ID adds to that entity, which must exist. A
// name that exactly one entity of the group has adds to that entity.
func (c *Client) AddEntities(ctx context.Context, groupID string, entities []Entity) ([]uuid.UUID, error) {
	return edited(ctx, c, telemetry.CreateMemory, groupID, telemetry.Several, func(ctx context.Context) ([]uuid.UUID, error) {
		return c.engine.AddEntities(ctx, groupID, entities)
	})
}

// EditEntity changes an entity by hand. Its history keeps the version before.
func (c *Client) EditEntity(ctx context.Context, groupID string, id uuid.UUID, change EntityEdit) (Entity, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Entity, error) {
		return c.engine.EditEntity(ctx, groupID, id, change)
	})
}

// DeleteEntity removes an entity and its facts from the graph. The history keeps them, and the
// episodes stay. [Client.Erase] removes all of it.
func (c *Client) DeleteEntity(ctx context.Context, groupID string, id uuid.UUID) error {
	return c.edit(ctx, telemetry.DeleteMemory, groupID, func(ctx context.Context) error { return c.engine.DeleteEntity(ctx, groupID, id) })
}

// MergeEntities merges from into into, which takes over its names, types, attributes, facts and
// mentions. The history keeps the state before. From then on from's id stands for into.
func (c *Client) MergeEntities(ctx context.Context, groupID string, from, into uuid.UUID) (Entity, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Entity, error) {
		return c.engine.MergeEntities(ctx, groupID, from, into)
	})
}

// SplitEntity moves the listed facts of an entity to a new one, for an entity that was really two.
func (c *Client) SplitEntity(ctx context.Context, groupID string, from uuid.UUID, name string, factIDs []uuid.UUID) (Entity, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Entity, error) {
		return c.engine.SplitEntity(ctx, groupID, from, name, factIDs)
	})
}

// RenameEntity gives an entity another name; the old name stays as an alias. Versions are starts of
// [Entity].Recorded: if any are given and the entity is in none of them, it fails with
// [CodeConflict] on "version".
func (c *Client) RenameEntity(ctx context.Context, groupID string, id uuid.UUID, name string, versions ...time.Time) (Entity, error) {
	return edited(ctx, c, telemetry.UpdateMemory, groupID, one, func(ctx context.Context) (Entity, error) {
		return c.engine.RenameEntity(ctx, groupID, id, name, versions...)
	})
}
