package annals

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// EntityFilter chooses entities. Its zero fields choose nothing out.
type EntityFilter struct {
	GroupID string
	ValidAt time.Time // of which some fact held at this time; zero: all
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
	rows, err := read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]db.EntityListRow, error) {
		return f.rows(ctx, db.New(from.pool), limit)
	})
	if err != nil {
		return nil, fmt.Errorf("list entities of %s: %w", f.GroupID, err)
	}
	entities := make([]Entity, len(rows))
	for i, row := range rows {
		entities[i] = db.Entity(f.GroupID, db.EntitiesByIDsRow{
			ID: row.ID, Name: row.Name, Aliases: row.Aliases, Labels: row.Labels, Summary: row.Summary, Attributes: row.Attributes,
			CreatedAt: row.CreatedAt, Recorded: row.Recorded,
		})
		entities[i].Mentions = int(row.Mentions)
	}
	return entities, nil
}

func (f EntityFilter) rows(ctx context.Context, q *db.Queries, limit int32) ([]db.EntityListRow, error) {
	now := db.EntityListParams{GroupID: f.GroupID, ValidAt: db.Nullable(f.ValidAt), MaxRows: limit}
	if f.After != nil {
		now.AfterMentions, now.AfterName, now.AfterID = new(int32(f.After.Mentions)), &f.After.Name, &f.After.ID
	}
	if f.KnownAt.IsZero() {
		return q.EntityList(ctx, now)
	}
	then := db.EntityListKnownParams{GroupID: f.GroupID, KnownAt: f.KnownAt, ValidAt: now.ValidAt, MaxRows: limit}
	if f.After != nil {
		then.AfterMentions, then.AfterName, then.AfterID = new(int64(f.After.Mentions)), now.AfterName, now.AfterID
	}
	rows, err := q.EntityListKnown(ctx, then)
	return convert(rows, func(r db.EntityListKnownRow) db.EntityListRow { return db.EntityListRow(r) }), err
}

// Entity returns the entity with this id, or the only one that goes by this
// name. An id that was merged away stands for the entity it went into.
func (c *Client) Entity(ctx context.Context, groupID, idOrName string) (Entity, error) {
	if err := c.admit(groupID); err != nil {
		return Entity{}, err
	}
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
	rows, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]db.EntityFindKnownRow, error) {
		return db.New(from.pool).EntityFindKnown(ctx, asked)
	})
	if err != nil {
		return Entity{}, fmt.Errorf("find entity %q: %w", idOrName, err)
	}
	if len(rows) != 1 {
		return Entity{}, notOneKnown(len(rows), groupID, idOrName, knownAt)
	}
	return db.Entity(groupID, db.EntitiesByIDsRow(rows[0])), nil
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
