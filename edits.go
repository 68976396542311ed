package annals

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/engine"
)

// EntityEdit is what becomes different about an entity by hand.
type EntityEdit = engine.EntityEdit

// AddEntities takes entities into the graph by hand. Of each, the name, labels,
// summary and attributes are read. One whose name the group knows, of a single
// entity, adds to that one. It returns their ids, in order.
func (c *Client) AddEntities(ctx context.Context, groupID string, entities []Entity) ([]uuid.UUID, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	defer c.wrote(groupID)
	return c.engine.AddEntities(ctx, groupID, entities)
}

// EditEntity changes an entity by hand. The history keeps what it was.
func (c *Client) EditEntity(ctx context.Context, groupID string, id uuid.UUID, change EntityEdit) (Entity, error) {
	if err := c.admit(groupID); err != nil {
		return Entity{}, err
	}
	defer c.wrote(groupID)
	return c.engine.EditEntity(ctx, groupID, id, change)
}

// DeleteEntity takes an entity and its facts out of the graph. The history
// keeps them, and what was said of it stays; [Client.Erase] removes all of it.
func (c *Client) DeleteEntity(ctx context.Context, groupID string, id uuid.UUID) error {
	if err := c.admit(groupID); err != nil {
		return err
	}
	defer c.wrote(groupID)
	return c.engine.DeleteEntity(ctx, groupID, id)
}

// SetMetadata merges an object into the metadata of an episode; null takes a
// key away.
func (c *Client) SetMetadata(ctx context.Context, groupID string, id uuid.UUID, metadata json.RawMessage) error {
	if err := c.admit(groupID); err != nil {
		return err
	}
	defer c.wrote(groupID)
	return c.engine.SetMetadata(ctx, groupID, id, metadata)
}
