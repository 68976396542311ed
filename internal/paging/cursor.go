// Package paging has the cursors that end pages of lists. REST and its client both
// use it.
package paging

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// Cursor marks the end of a page. For callers it is an opaque string.
type Cursor struct {
	List    string     `json:"l"` // which list it belongs to
	ID      *uuid.UUID `json:"i,omitempty"`
	At      time.Time  `json:"a,omitzero"`
	Created time.Time  `json:"c,omitzero"`
	Name    string     `json:"n,omitempty"`
	Count   int        `json:"k,omitempty"` // the value that the list is ordered by, such as mentions
}

// String returns the opaque form of the cursor.
func (c Cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil { // times of rows can always be written
		panic("paging: " + err.Error())
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// Row returns the id in a cursor, or the zero id.
func (c Cursor) Row() uuid.UUID {
	if c.ID == nil {
		return uuid.Nil
	}
	return *c.ID
}
