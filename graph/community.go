package graph

import (
	"time"

	"github.com/google/uuid"
)

// Community is a cluster of strongly connected entities.
type Community struct {
	GroupID   string
	ID        uuid.UUID
	Name      string // key terms and topics
	Summary   string
	CreatedAt time.Time
}
