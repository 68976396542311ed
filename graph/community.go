package graph

import (
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/internal/each"
)

// Community is a cluster of strongly connected entities.
type Community struct {
	GroupID   string
	ID        uuid.UUID
	Name      string // key terms and topics
	Summary   string
	CreatedAt time.Time
}

// Member is an entity as part of a community.
type Member struct {
	ID   uuid.UUID
	Name string
}

// Membership is a community with its members.
type Membership struct {
	Community
	Members []Member // by name
	Size    int      // the number of members; set only by lists that are ordered by it
}

// MembershipJSON is the JSON form of a community with its members, the same at
// every door.
type MembershipJSON struct {
	CommunityJSON
	Members []MemberJSON `json:"members"`
}

// MemberJSON is the JSON form of a member, the same at every door.
type MemberJSON struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"`
}

// JSON returns the JSON form of the community and its members.
func (m Membership) JSON() MembershipJSON {
	members := each.Of(m.Members, func(member Member) MemberJSON { return MemberJSON(member) })
	return MembershipJSON{CommunityJSON: m.Community.JSON(), Members: members}
}
