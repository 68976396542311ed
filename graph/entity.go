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
	Recorded   temporal.Interval // since when this version is what we believe

	// Mentions is how many episodes mention it; of a version that is past, at
	// most 100. Only lists that are ordered by it set it.
	Mentions int

	Marks Marks // whether it is pinned
}

// EntityVersion is one state an entity was in: what we knew of it, and for how
// long.
type EntityVersion struct {
	Entity
	Current bool // it is what we know now

	// CausedBy are the episodes whose processing made this version, EndedBy
	// those that made the next one or removed the entity. None: a hand edit.
	CausedBy, EndedBy []uuid.UUID
}
