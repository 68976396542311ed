package archive

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/annalsdb/annals/graph"
)

// MaxElement is the limit in bytes on one value of another program's export: a conversation, an
// episode, an edge.
const MaxElement = 64 << 20

// Elements reads JSON value by value, so that the whole file need not fit into memory.
type Elements struct {
	*json.Decoder
	source *portion
}

// portion limits the bytes of one value.
type portion struct {
	io.Reader
	left int64
}

var errPortion = graph.Invalid("import", "one of its values is longer than %d MiB", MaxElement>>20)

// Read returns an error once the value is too long.
func (p *portion) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, errPortion
	}
	n, err := p.Reader.Read(b[:min(int64(len(b)), p.left)])
	p.left -= int64(n)
	return n, err
}

// NewElements returns a reader of r. It keeps numbers as they are written.
func NewElements(r io.Reader) *Elements {
	source := &portion{r, MaxElement}
	e := &Elements{json.NewDecoder(source), source}
	e.UseNumber()
	return e
}

// List calls do for each element of the next list; null counts as an empty list.
func (e *Elements) List(do func(json.RawMessage) error) error {
	opening, err := e.Next()
	switch {
	case err != nil:
		return err
	case opening == nil:
		return nil
	case opening != json.Delim('['):
		return graph.Invalid("import", "the file has another value where a list stands")
	}
	return e.Rest(do)
}

// Rest calls do for each element of a list that was opened.
func (e *Elements) Rest(do func(json.RawMessage) error) error {
	for e.More() {
		raw, err := e.Value()
		if err != nil {
			return err
		}
		if err := do(raw); err != nil {
			return err
		}
	}
	return e.End()
}

// End reads the end of a list or an object.
func (e *Elements) End() error {
	_, err := e.Next()
	if errors.Is(err, io.EOF) {
		return explainJSON(io.ErrUnexpectedEOF)
	}
	return err
}

// Next returns the next token, or [io.EOF].
func (e *Elements) Next() (json.Token, error) {
	e.source.left = MaxElement
	token, err := e.Token()
	return token, explainJSON(err)
}

// Value returns the next whole value.
func (e *Elements) Value() (json.RawMessage, error) {
	e.source.left = MaxElement
	var raw json.RawMessage
	err := e.Decode(&raw)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return raw, explainJSON(err)
}

// explainJSON describes what is wrong with a file that is not JSON.
func explainJSON(err error) error {
	var wrong *json.SyntaxError
	switch {
	case errors.As(err, &wrong):
		return graph.Invalid("import", "the file is no JSON object: %v, at byte %d", err, wrong.Offset)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return graph.Invalid("import", "the file is cut short: it ends within a value")
	}
	return err
}
