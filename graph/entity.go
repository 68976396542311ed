package graph

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/temporal"
)

// Entity is somebody or something episodes speak of.
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
}
