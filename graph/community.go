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

// Membership is a community and who belongs to it.
type Membership struct {
	Community
	Members []Member // by name
	Size    int      // how many they are; only lists that are ordered by it set it
}

// MembershipJSON is a community with its members as every door shows it.
type MembershipJSON struct {
	CommunityJSON
	Members []MemberJSON `json:"members"`
}

// MemberJSON is a member as every door shows it.
type MemberJSON struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"`
}

// JSON is the community with its members as every door shows it.
func (m Membership) JSON() MembershipJSON {
	members := each.Of(m.Members, func(member Member) MemberJSON { return MemberJSON(member) })
	return MembershipJSON{CommunityJSON: m.Community.JSON(), Members: members}
}
