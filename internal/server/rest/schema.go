package rest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/escapes"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

var problemType = reflect.TypeFor[server.Problem]()

// strictJSON is JSON without values that the database cannot store.
var strictJSON = huma.Format{
	Marshal: func(w io.Writer, v any) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		if found, is := v.(annals.Result); is {
			v = service.Written(found)
		}
		return encoder.Encode(v)
	},
	Unmarshal: func(data []byte, v any) error {
		if !utf8.Valid(data) {
			return errors.New("is not valid UTF-8")
		}
		if err := json.Unmarshal(data, v); err != nil {
			return err
		}
		if unfit := escapes.Unfit(data); unfit != "" {
			return errors.New(unfit)
		}
		return nil
	},
}

// object describes [input.Object].
type object struct{}

// Schema returns an object with any properties.
func (object) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// InGroup is the group of a path.
type InGroup struct {
	Group string `path:"group" maxLength:"200" doc:"The memory" example:"alice"`
}

// toGroup is a request with a body about a group.
type toGroup[T any] struct {
	InGroup
	Body T
}

// body is a response without headers.
type body[T any] struct{ Body T }

func answer[T any](v T, err error) (*body[T], error) {
	if err != nil {
		return nil, err
	}
	return &body[T]{v}, nil
}

// calling makes the handler of a call of the library, which gets what the request says as it takes it.
func calling[In, Taken, T any](do func(context.Context, *In, Taken) (T, error)) func(context.Context, *In) (*body[T], error) {
	return func(ctx context.Context, in *In) (*body[T], error) {
		taken, err := input.Read(said(in), *new(Taken))
		if err != nil {
			return nil, err
		}
		return answer(do(ctx, in, taken))
	}
}

// said returns what a request says: its body, or its parameters where it has none.
func said(in any) any {
	if body := reflect.ValueOf(in).Elem().FieldByName("Body"); body.IsValid() {
		return body.Interface()
	}
	return in
}

// orNull returns a time, or null for the zero time.
func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

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

// pageOf reads a page of a list, and returns its rows as they are shown. after and limit are those of
// the filter by which read reads. It reads one row more than the page has, to see whether another
// page follows.
func pageOf[Row, View any](
	l paging.List[Row], view func(Row) View, in input.Page, after **Row, limit *int, read func() ([]Row, error),
) (shown []View, next string, err error) {
	last, err := parseCursor(l.Name, in.Cursor)
	if err != nil {
		return nil, "", err
	}
	if last != nil {
		*after = new(l.Row(*last))
	}
	*limit = in.Limit + 1
	rows, err := read()
	if len(rows) > in.Limit {
		rows, next = rows[:in.Limit], l.After(&rows[in.Limit-1])
	}
	return each.Of(rows, view), next, err
}

// itself shows a row as it is.
func itself[Row any](row Row) Row { return row }
