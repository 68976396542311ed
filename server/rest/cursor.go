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
	Skip    int        `json:"s,omitempty"`
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
	if err != nil || c.List != list || c.Skip < 0 || graph.ValidateTime("cursor", c.At) != nil || graph.ValidateTime("cursor", c.Created) != nil {
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

// skipped lists a page of what can only be listed from its beginning.
func skipped[T any](list string, p Paged, rows func(limit int) ([]T, error)) ([]T, string, error) {
	c, err := parseCursor(list, p.Cursor)
	if err != nil {
		return nil, "", err
	}
	skip := 0
	if c != nil {
		skip = c.Skip
	}
	if skip+p.Limit >= annals.MaxRows {
		return nil, "", graph.Invalid("cursor", "this list ends at its first %d rows; search finds the others", annals.MaxRows)
	}
	all, err := rows(skip + p.Limit + 1)
	if err != nil {
		return nil, "", err
	}
	cut, next := page(all[min(skip, len(all)):], p.Limit, func(T) cursor { return cursor{List: list, Skip: skip + p.Limit} })
	return cut, next, nil
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
	return &annals.Fact{ID: *c.ID, CreatedAt: c.Created, Valid: temporal.Interval{Start: c.At}}
}
