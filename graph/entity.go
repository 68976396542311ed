package graph

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/temporal"
)

// Entity is a person or a thing that episodes speak of.
type Entity struct {
	GroupID    string
	ID         uuid.UUID
	Name       string   // the most complete name known
	Aliases    []string // other names it goes by
	Labels     []string // its types, such as Person
	Summary    string   // what is known of it, in a few sentences
	Attributes json.RawMessage
	CreatedAt  time.Time
	Recorded   temporal.Interval // when this version was believed; an open end means now

	// Mentions is the number of episodes that mention the entity. For a past
	// version it is at most 100. Only lists ordered by it set it.
	Mentions int

	Marks Marks // whether it is pinned
}

// EntityVersion is a state of an entity, with the time during which it was
// believed.
type EntityVersion struct {
	Entity
	Current bool // whether this version is believed now

	// CausedBy are the episodes whose processing made this version. EndedBy are
	// the episodes that made the next version or removed the entity. Both are
	// empty after an edit by hand or an undo.
	CausedBy, EndedBy []uuid.UUID
}
