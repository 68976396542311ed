package rest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/escapes"
	"github.com/annalsdb/annals/internal/input"
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

// calling makes the handler of a call of the library, which gets the request as it takes it: the
// body, or the parameters where there is none.
func calling[In, Taken, T any](do func(context.Context, *In, Taken) (T, error)) func(context.Context, *In) (*body[T], error) {
	return func(ctx context.Context, in *In) (*body[T], error) {
		var said any = in
		if body := reflect.ValueOf(in).Elem().FieldByName("Body"); body.IsValid() {
			said = body.Interface()
		}
		taken, err := input.Read(said, *new(Taken))
		if err != nil {
			return nil, err
		}
		return answer(do(ctx, in, taken))
	}
}

// orNull returns a time, or null for the zero time.
func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
