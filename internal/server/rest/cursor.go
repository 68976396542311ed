package rest

import (
	"encoding/base64"
	"encoding/json"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
)

// cursor marks the end of a page.
type cursor = paging.Cursor

// parseCursor decodes the cursor of a list; nil if the text is empty.
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

// pageOf reads a page of a list, and returns its rows as they are shown. It reads one row more than
// the page has, to see whether another page follows.
func pageOf[Row, View any](
	l paging.List[Row], view func(Row) View, in input.Page, read func(after *Row, limit int) ([]Row, error),
) (shown []View, next string, err error) {
	last, err := parseCursor(l.Name, in.Cursor)
	if err != nil {
		return nil, "", err
	}
	var after *Row
	if last != nil {
		after = new(l.Row(*last))
	}
	rows, err := read(after, in.Limit+1)
	if len(rows) > in.Limit {
		rows, next = rows[:in.Limit], l.After(&rows[in.Limit-1])
	}
	return each.Of(rows, view), next, err
}

// itself shows a row as it is.
func itself[Row any](row Row) Row { return row }
