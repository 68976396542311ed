package archive

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/annalsdb/annals/graph"
)

// MaxElement is the longest value of another program's export that is read at
// once: a conversation, an episode, an edge.
const MaxElement = 64 << 20

// Elements reads JSON value by value, so that a file of any length is never whole in
// memory.
type Elements struct {
	*json.Decoder
	source *portion
}

// portion bounds what is read for one value.
type portion struct {
	io.Reader
	left int64
}

var errPortion = graph.Invalid("import", "one of its values is longer than %d MiB", MaxElement>>20)

// Read fails once the value is too long.
func (p *portion) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, errPortion
	}
	n, err := p.Reader.Read(b[:min(int64(len(b)), p.left)])
	p.left -= int64(n)
	return n, err
}

// NewElements reads from r. Numbers stay as they are written.
func NewElements(r io.Reader) *Elements {
	source := &portion{r, MaxElement}
	e := &Elements{json.NewDecoder(source), source}
	e.UseNumber()
	return e
}

// List calls do with each element of the list that comes next; null is an empty one.
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

// Rest calls do with each element of the list that was opened.
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

// End reads the end of a list or an object that was opened.
func (e *Elements) End() error {
	_, err := e.Next()
	if errors.Is(err, io.EOF) {
		return explainJSON(io.ErrUnexpectedEOF)
	}
	return err
}

// Next reads a token. At the end it is [io.EOF].
func (e *Elements) Next() (json.Token, error) {
	e.source.left = MaxElement
	token, err := e.Token()
	return token, explainJSON(err)
}

// Value reads a whole value.
func (e *Elements) Value() (json.RawMessage, error) {
	e.source.left = MaxElement
	var raw json.RawMessage
	err := e.Decode(&raw)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return raw, explainJSON(err)
}

// explainJSON says what is wrong with a file that is no JSON.
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
