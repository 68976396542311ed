package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
)

type function struct {
	tool     model.Tool
	resolved *jsonschema.Resolved
	prepare  func(ctx context.Context, t *turn, arguments json.RawMessage) (effect, error)
}

// effect is what a call does within the transaction of its step. Slow work is done before that, in
// prepare. The model sees errors of package graph; other errors end the step.
type effect func(ctx context.Context, w *writing) (string, error)

func answered(text string) effect {
	return func(context.Context, *writing) (string, error) { return text, nil }
}

// reads makes a function that changes nothing.
func reads[Arguments any](name, description string, find func(context.Context, *turn, Arguments) (string, error)) function {
	return define(name, description, func(ctx context.Context, t *turn, a Arguments) (effect, error) {
		text, err := find(ctx, t, a)
		return answered(text), err
	})
}

// heartbeat is the argument that every function has.
const heartbeat = "request_heartbeat"

// define makes a function with the arguments of a struct.
func define[Arguments any](name, description string, prepare func(context.Context, *turn, Arguments) (effect, error)) function {
	schema, err := jsonschema.For[Arguments](nil)
	if err == nil {
		if schema.Properties == nil {
			schema.Properties = map[string]*jsonschema.Schema{}
		}
		schema.Properties[heartbeat] = &jsonschema.Schema{
			Type: "boolean", Description: "whether you go on at once, with another call, when this one is done",
		}
		schema.PropertyOrder = append(schema.PropertyOrder, heartbeat)
	}
	var resolved *jsonschema.Resolved
	if err == nil {
		resolved, err = schema.Resolve(nil)
	}
	var wire []byte
	if err == nil {
		wire, err = json.Marshal(schema)
	}
	if err != nil { // a mistake in this package
		panic("agent: the arguments of " + name + ": " + err.Error())
	}
	return function{
		tool: model.Tool{Name: name, Description: description, Parameters: wire}, resolved: resolved,
		prepare: func(ctx context.Context, t *turn, raw json.RawMessage) (effect, error) {
			var arguments Arguments
			if err := json.Unmarshal(raw, &arguments); err != nil {
				return nil, graph.Invalid("arguments", "cannot be read: %v", err)
			}
			return prepare(ctx, t, arguments)
		},
	}
}

// read checks arguments against the schema, and reports whether they request a heartbeat.
func (f function) read(arguments string) (json.RawMessage, bool, error) {
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}"
	}
	decoder := json.NewDecoder(strings.NewReader(arguments))
	var value any
	if err := decoder.Decode(&value); err != nil || decoder.More() {
		return nil, false, graph.Invalid("arguments", "are no JSON object: write %s", f.tool.Parameters)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, false, graph.Invalid("arguments", "are no JSON object: write %s", f.tool.Parameters)
	}
	for name, member := range object { // models write null for arguments that they leave out
		if member == nil {
			delete(object, name)
		}
	}
	if err := f.resolved.Validate(object); err != nil {
		return nil, false, graph.Invalid("arguments", "do not fit %s: %v", f.tool.Name, err)
	}
	again, _ := object[heartbeat].(bool)
	delete(object, heartbeat)
	raw, err := json.Marshal(withoutNUL(object))
	return raw, again, err
}

// withoutNUL removes NUL characters, which PostgreSQL does not store.
func withoutNUL(value any) any {
	switch v := value.(type) {
	case string:
		return strings.ReplaceAll(v, "\x00", "")
	case []any:
		for i := range v {
			v[i] = withoutNUL(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = withoutNUL(v[name])
		}
	}
	return value
}

func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

const maxFunctionName = 64 // bytes; the limit of OpenAI and Anthropic

// acceptable converts the name of a function to one that providers accept in later requests. A
// made-up name would make every later turn fail.
func acceptable(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "unnamed"
	}
	return name[:min(len(name), maxFunctionName)]
}

// functions are the functions of an agent, in the order in which the model sees them.
type functions struct {
	all    []function
	tools  []model.Tool
	tokens int
}

func newFunctions(all []function) *functions {
	tools := each.Of(all, func(f function) model.Tool { return f.tool })
	return &functions{all: all, tools: tools, tokens: countTools(tools)}
}

func (f *functions) named(name string) (function, error) {
	at := slices.IndexFunc(f.all, func(one function) bool { return one.tool.Name == name })
	if at >= 0 {
		return f.all[at], nil
	}
	names := each.Of(f.tools, func(t model.Tool) string { return t.Name })
	return function{}, graph.Invalid("function", "there is none called %q; there are %s", name, strings.Join(names, ", "))
}

// call is a call that is being executed.
type call struct {
	model.ToolCall
	thought string
	again   bool // it requests a heartbeat
	effect  effect
	failure error // the reason if there is no effect
}

// failed returns the text of an error for the model; false: the model cannot act on it.
func failed(err error) (string, bool) {
	var e *graph.Error
	if !errors.As(err, &e) {
		return "", false
	}
	if e.Field == "" {
		return "Error: " + e.Message, true
	}
	return fmt.Sprintf("Error: %s %s", e.Field, e.Message), true
}
