package graph

import (
	"cmp"
	"time"
)

// GroupKind says whose memory a group is.
type GroupKind string

// The kinds of groups. They are read alike.
const (
	GroupGraph GroupKind = "graph" // of a team, an agent, a subject
	GroupUser  GroupKind = "user"  // of one person
)

// Group is one memory.
type Group struct {
	ID          string    `json:"id"`
	Kind        GroupKind `json:"kind"`
	Name        string    `json:"name,omitempty"`        // a title; may be empty
	Description string    `json:"description,omitempty"` // what it is for; may be empty
	TimeZone    string    `json:"time_zone,omitempty"`   // an IANA name; may be empty
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`

	// Force makes a group again that was erased.
	Force bool `json:"-"`
}

// Validate checks a group before it is made.
func (g Group) Validate() error {
	switch g.Kind {
	case GroupGraph, GroupUser:
	default:
		return Invalid("kind", "%q is not one of graph, user", g.Kind)
	}
	return cmp.Or(
		ValidateGroupID(g.ID),
		ValidateText("name", g.Name, MaxName),
		ValidateText("description", g.Description, MaxDescription),
		ValidateTimeZone(g.TimeZone),
	)
}
