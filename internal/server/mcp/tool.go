package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// tool describes a tool to the host.
type tool struct {
	name, title, about string

	reads    bool // does not change anything
	destroys bool // removes something
	empties  bool // removes everything
	repeats  bool // a second call has no further effect
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

// answer is the result of a tool. say formats it in the short form.
type answer interface{ say() string }

// add registers a tool. Its schemas come from In and Out.
func add[In any, Out answer](d *door, t tool, handler func(context.Context, In) (Out, error)) {
	d.needs[t.name] = t.needed()
	takes := inputSchema(reflect.TypeFor[In]())
	d.sdk.AddTool(&sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: shown(reflect.TypeFor[In](), takes), OutputSchema: outputSchema[Out](),
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: t.reads, DestructiveHint: &t.destroys, IdempotentHint: t.repeats || t.reads, OpenWorldHint: new(bool),
		},
	}, func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		in, ignored, err := readArguments[In](takes, request.Params.Arguments)
		if err != nil {
			return failed(d.plain(ctx, t.name, err, request.Params.Arguments)), nil
		}
		out, err := handler(ctx, in)
		if err != nil {
			return failed(d.plain(ctx, t.name, inArguments[In](err), request.Params.Arguments)), nil
		}
		if in, ok := any(in).(interface{ ignored() []string }); ok {
			ignored = append(ignored, in.ignored()...)
		}
		return answered(d.manner(ctx), out, ignored)
	})
}

// addOne registers a tool for one group, which In names.
func addOne[In interface{ named() string }, Out answer](d *door, t tool, handler func(context.Context, client, In) (Out, error)) {
	add(d, t, func(ctx context.Context, in In) (Out, error) {
		c, err := d.one(ctx, in.named())
		if err != nil {
			var none Out
			return none, err
		}
		return handler(ctx, c, in)
	})
}

// addAlias registers a tool by a former name. It is listed only on request and can always be
// called.
func addAlias[In any, Out answer](d *door, former string, t tool, handler func(context.Context, In) (Out, error)) {
	t.name, t.about = former, "The former name of "+t.name+"."
	d.aliases[former] = true
	add(d, t, handler)
}

// answered formats an answer as the host wants it.
func answered(m manner, out answer, ignored []string) (*sdk.CallToolResult, error) {
	if !m.structured {
		said := out.say()
		if len(ignored) > 0 {
			said += "\nignored: " + strings.Join(ignored, ", ")
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: said}}}, nil
	}
	data, err := json.Marshal(out)
	if err == nil && len(ignored) > 0 {
		data, err = withIgnored(data, ignored)
	}
	if err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	said := string(data)
	if out, ok := out.(contextOutput); ok {
		said = out.Context
	}
	return &sdk.CallToolResult{StructuredContent: json.RawMessage(data), Content: []sdk.Content{&sdk.TextContent{Text: said}}}, nil
}

// withIgnored adds the names of ignored arguments to an answer.
func withIgnored(data []byte, ignored []string) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	names, err := json.Marshal(ignored)
	if err != nil {
		return nil, err
	}
	fields["ignored"] = names
	return json.Marshal(fields)
}

// failed returns an error as the answer of a tool.
func failed(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
}

// careful wraps all requests. It refuses calls that the key has no right to, and arguments that are
// too costly to decode. It lists tools as the host wants them, shortens errors of the protocol, and
// turns a panic into an error of the call. Calls do not run in the goroutine of an HTTP request, so
// a panic would end the process.
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
				return failed(errors.New(forAgents(err.Error()))), nil
			}
		}
		if list, ok := request.(*sdk.ListResourcesRequest); ok {
			result, err = d.listResources(ctx, list.Params)
			return result, brieflyFailed(err)
		}
		if prompt, ok := request.(*sdk.GetPromptRequest); ok && prompt.Params != nil && !slices.Contains(ownPrompts, prompt.Params.Name) {
			if result, err = d.skillPrompt(ctx, prompt.Params); result != nil || err != nil {
				return result, brieflyFailed(err)
			}
		}
		result, err = next(ctx, method, request)
		switch listed := result.(type) {
		case *sdk.ListToolsResult:
			d.manner(ctx).list(listed, d.aliases)
		case *sdk.ListPromptsResult:
			if listed.NextCursor == "" {
				err = d.listPrompts(ctx, listed)
			}
		}
		return result, brieflyFailed(err)
	}
}
