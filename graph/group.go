package graph

import "time"

// GroupKind says whose memory a group is.
type GroupKind string

// The kinds of groups. They are read alike.
const (
	GroupGraph GroupKind = "graph" // of a team, an agent, a subject
	GroupUser  GroupKind = "user"  // of one person
)

// Group is one memory.
type Group struct {
	ID        string    `json:"id"`
	Kind      GroupKind `json:"kind"`
	CreatedAt time.Time `json:"created_at"`
}

// Validate checks a group before it is made.
func (g Group) Validate() error {
	switch g.Kind {
	case GroupGraph, GroupUser:
		return ValidateGroupID(g.ID)
	}
	return Invalid("kind", "%q is not one of graph, user", g.Kind)
}
