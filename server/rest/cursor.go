package rest

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// cursor is where a page ended. To callers it is an opaque word.
type cursor struct {
	List    string     `json:"l"` // which list it belongs to
	ID      *uuid.UUID `json:"i,omitempty"`
	At      time.Time  `json:"a,omitzero"`
	Created time.Time  `json:"c,omitzero"`
	Name    string     `json:"n,omitempty"`
	Count   int        `json:"k,omitempty"` // what the list is ordered by, such as mentions
}

func (c cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil { // the times are those of rows, which can be written
		panic("rest: " + err.Error())
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// parseCursor reads the cursor of a list; nil: there is none.
func parseCursor(list, text string) (*cursor, error) {
	if text == "" {
		return nil, nil
	}
	var c cursor
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(decoded, &c)
	}
	if err != nil || c.List != list || c.ID == nil && c.Name == "" || graph.ValidateTime("cursor", c.At) != nil || graph.ValidateTime("cursor", c.Created) != nil {
		return nil, graph.Invalid("cursor", "is not one of this list; give back next_cursor as it is, or leave it out")
	}
	return &c, nil
}

// page cuts a list that was asked for one more row than the page may have.
func page[T any](rows []T, limit int, ended func(last T) cursor) ([]T, string) {
	if len(rows) <= limit {
		return rows, ""
	}
	rows = rows[:limit]
	return rows, ended(rows[limit-1]).String()
}

func afterEntity(c *cursor) *annals.Entity {
	if c == nil || c.ID == nil {
		return nil
	}
	return &annals.Entity{ID: *c.ID, Name: c.Name, Mentions: c.Count}
}

func afterThread(c *cursor) *annals.Thread {
	if c == nil {
		return nil
	}
	return &annals.Thread{ID: c.Name, LastAt: c.At}
}

func afterChange(c *cursor) *annals.Change {
	if c == nil || c.ID == nil {
		return nil
	}
	return &annals.Change{FactID: *c.ID, At: c.At, Event: c.Name}
}

func afterCommunity(c *cursor) *annals.Membership {
	if c == nil || c.ID == nil {
		return nil
	}
	return &annals.Membership{Community: annals.Community{ID: *c.ID, Name: c.Name}, Size: c.Count}
}

func afterEpisode(c *cursor) *annals.Episode {
	if c == nil || c.ID == nil {
		return nil
	}
	return &annals.Episode{ID: *c.ID, OccurredAt: c.At}
}

func afterFact(c *cursor) *annals.Fact {
	if c == nil || c.ID == nil {
		return nil
	}
	return &annals.Fact{ID: *c.ID, CreatedAt: c.Created, Valid: temporal.Validity{Interval: temporal.Interval{Start: c.At}}}
}
