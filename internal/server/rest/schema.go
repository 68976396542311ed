package rest

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
)

var problemType = reflect.TypeFor[server.Problem]()

// strictJSON is JSON without what the database cannot store.
var strictJSON = huma.Format{
	Marshal: func(w io.Writer, v any) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(v)
	},
	Unmarshal: func(data []byte, v any) error {
		if !utf8.Valid(data) {
			return errors.New("is not valid UTF-8")
		}
		if err := json.Unmarshal(data, v); err != nil {
			return err
		}
		if read, ok := v.(*any); ok && holdsNUL(*read) {
			return errors.New(`holds \u0000, which text cannot; remove it`)
		}
		return nil
	},
}

func holdsNUL(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.ContainsRune(v, 0)
	case []any:
		for _, member := range v {
			if holdsNUL(member) {
				return true
			}
		}
	case map[string]any:
		for key, member := range v {
			if holdsNUL(key) || holdsNUL(member) {
				return true
			}
		}
	}
	return false
}

// object is a JSON object that is stored as it was written.
type object struct{ json.RawMessage }

// Schema describes it.
func (object) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// ids are UUIDs in a body as they were sent, so that a wrong one is refused by the name
// of the field.
type ids []string

func (sent ids) parse(field string) ([]uuid.UUID, error) {
	var all []uuid.UUID
	for _, text := range sent {
		id, err := uuid.Parse(text)
		if err != nil {
			return nil, graph.Invalid(field, "%q is no UUID", graph.Brief(text, 40))
		}
		all = append(all, id)
	}
	return all, nil
}

// InGroup names the group of a request.
type InGroup struct {
	Group string `path:"group" maxLength:"200" doc:"The memory" example:"alice"`
}

// Paged is the input of routes that list in pages.
type Paged struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many at the most"`
	Cursor string `query:"cursor" maxLength:"1000" doc:"next_cursor of the page before; left out: the first page"`
}

// KnownAt is the input of routes that can read what was believed at another
// time.
type KnownAt struct {
	KnownAt string `query:"known_at" maxLength:"64" doc:"As we believed it at this time"`
}

// AsOf is the input of routes that can read another time on both axes.
type AsOf struct {
	KnownAt
	AsOf string `query:"as_of" maxLength:"64" doc:"As it was in the world at this time: RFC 3339, 2024-03-15 or 2024-03-15T09:30"`
}

func (k KnownAt) time() (time.Time, error) { return graph.ParseTime("known_at", k.KnownAt) }

func (a AsOf) times() (validAt, knownAt time.Time, err error) {
	if validAt, err = graph.ParseTime("as_of", a.AsOf); err != nil {
		return
	}
	knownAt, err = a.time()
	return
}

// body is an answer without headers.
type body[T any] struct{ Body T }

func answer[T any](v T, err error) (*body[T], error) {
	if err != nil {
		return nil, err
	}
	return &body[T]{v}, nil
}

func views[Row, View any](rows []Row, view func(Row) View) []View {
	out := make([]View, len(rows))
	for i, row := range rows {
		out[i] = view(row)
	}
	return out
}
