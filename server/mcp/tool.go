package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"runtime/debug"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/server"
	"github.com/annalsdb/annals/service"
)

// The bounds on how many rows a tool returns: what a model is given has to fit
// its context.
const (
	defaultRows = 10
	maxRows     = 200
)

// tool describes a tool to a host.
type tool struct {
	name, title, about string

	reads    bool // changes nothing
	destroys bool // takes something away
	empties  bool // takes all away
	repeats  bool // may be called twice with one effect
}

// needed returns the rights that a tool needs.
func (t tool) needed() service.Rights {
	switch {
	case t.reads:
		return service.RightsRead
	case t.empties:
		return service.RightsErase
	}
	return service.RightsWrite
}

// add offers a tool. Its schemas are those of In and Out, within limits.
func add[In, Out any](d *door, t tool, handler func(context.Context, In) (Out, error)) {
	addSaying(d, t, handler, nil)
}

// addSaying is add for a tool whose answer has a text of its own beside the
// structured content.
func addSaying[In, Out any](d *door, t tool, handler func(context.Context, In) (Out, error), say func(Out) string) {
	d.needs[t.name] = t.needed()
	sdk.AddTool(d.sdk, &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: inputSchema[In](),
		Annotations: &sdk.ToolAnnotations{
			Title: t.title, ReadOnlyHint: t.reads, DestructiveHint: &t.destroys, IdempotentHint: t.repeats || t.reads, OpenWorldHint: new(bool),
		},
	}, func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		out, err := handler(ctx, in)
		if err != nil {
			return nil, out, d.plain(ctx, t.name, err)
		}
		if say == nil {
			return nil, out, nil
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: say(out)}}}, out, nil
	})
}

// plain turns an error into words for the caller. It logs internal errors and
// hides their text.
func (d *door) plain(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return errors.New("the call was given up")
	}
	problem, ok := errors.AsType[*server.Problem](err)
	if !ok {
		problem = server.ProblemOf(err)
	}
	if problem.Status >= http.StatusInternalServerError {
		d.log.ErrorContext(ctx, "call failed", "call", what, "request_id", server.RequestID(ctx), "error", err)
	}
	return errors.New(problem.Detail)
}

// limits bounds arguments by their names: a name means the same in each tool.
var limits = map[string]func(*jsonschema.Schema){
	"query":        text(1, maxQuery),
	"question":     text(1, maxQuery),
	"episode_body": text(1, graph.MaxContent),
	"name":         text(0, graph.MaxName),
	"fact":         text(0, graph.MaxName),

	"group_id": text(0, graph.MaxGroupID),
	"uuid":     text(0, maxID),

	"max_nodes":    rows(defaultRows),
	"max_facts":    rows(defaultRows),
	"max_episodes": rows(defaultRows),
	"max_changes":  rows(50),
	"max_tokens":   func(s *jsonschema.Schema) { s.Minimum, s.Maximum = jsonschema.Ptr(0.0), jsonschema.Ptr(1e6) },

	"entity_types":  items(100),
	"edge_types":    items(100),
	"episode_uuids": items(20),
}

const (
	maxQuery = 8192
	maxID    = 64
)

func text(least, most int) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		s.MaxLength = &most
		if least > 0 {
			s.MinLength = &least
		}
	}
}

func rows(usual int) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		s.Minimum, s.Maximum = jsonschema.Ptr(1.0), jsonschema.Ptr(float64(maxRows))
		s.Default, _ = json.Marshal(usual) // a number
	}
}

func items(most int) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) { s.MaxItems = &most }
}

// inputSchema returns the schema of a tool's arguments. Texts without a limit
// of their own are short.
func inputSchema[In any]() *jsonschema.Schema {
	schema, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: schemas})
	if err != nil { // it is made of types above and below, and does not depend on input
		panic("mcp: " + err.Error())
	}
	for name, property := range schema.Properties {
		if limit := limits[name]; limit != nil {
			limit(property)
		} else if property.Type == "string" {
			text(0, graph.MaxName)(property)
		}
		if slices.Contains(property.Types, "null") { // as Go has nil; what is left out is left out
			property.Types = slices.DeleteFunc(property.Types, func(t string) bool { return t == "null" })
			property.Type, property.Types = property.Types[0], nil
		}
	}
	return schema
}

// careful refuses calls that the key has no right to, and arguments that are too
// much to decode. It removes arguments that are null, which models often write for what
// they leave out, and turns a panic into an error of the call. Calls do not run
// in the goroutine of an HTTP request, so that a panic would end the process.
func (d *door) careful(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if panicked := recover(); panicked != nil {
				d.log.ErrorContext(ctx, "panic", "method", method, "request_id", server.RequestID(ctx), "panic", panicked, "stack", string(debug.Stack()))
				result, err = nil, errors.New("something went wrong here; the log has what")
			}
		}()
		if call, ok := request.(*sdk.CallToolRequest); ok && call.Params != nil {
			if _, problem := server.CheckShape(call.Params.Arguments); problem != nil {
				return nil, errors.New(problem.Detail)
			}
			if err := server.Require(ctx, d.needs[call.Params.Name]); err != nil && d.needs[call.Params.Name] != "" {
				return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}, nil
			}
			call.Params.Arguments = dropNulls(call.Params.Arguments)
		}
		return next(ctx, method, request)
	}
}

func dropNulls(arguments json.RawMessage) json.RawMessage {
	if !bytes.Contains(arguments, []byte("null")) {
		return arguments
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &values); err != nil {
		return arguments // the schema says what is wrong
	}
	if values == nil { // all is left out
		return json.RawMessage("{}")
	}
	for name, value := range values {
		if string(value) == "null" {
			delete(values, name)
		}
	}
	kept, err := json.Marshal(values)
	if err != nil { // they were read from JSON
		return arguments
	}
	return kept
}
