package otlp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/escapes"
	"github.com/annalsdb/annals/internal/service"
)

// The lengths of ids in hexadecimal digits.
const (
	traceDigits = 32
	spanDigits  = 16
)

// The flags of a span: whether the remote flag is set at all, and whether the parent is in another
// process.
const (
	knowsRemote = 0x100
	isRemote    = 0x200
)

// The limits on the parts of a span, in bytes. A run stores no more.
const (
	maxTask      = 2000
	maxArguments = 4000
	maxResult    = 2000
	maxEntries   = 50 // in the environment
)

// operations maps gen_ai.operation.name to the kind of a span. Spans with other names belong to no
// run, unless they are the first of their process.
var operations = map[string]string{
	"invoke_agent": service.SpanOfRun, "invoke_workflow": service.SpanOfRun,
	"execute_tool": service.SpanOfTool,
	"chat":         service.SpanOfModel, "text_completion": service.SpanOfModel, "generate_content": service.SpanOfModel,
	"embeddings": "", "retrieval": "", "create_agent": "",
}

// spansOf converts spans to what runs need, and returns those without valid ids as refused.
func spansOf(sent []span) (spans []service.Span, refused []service.RefusedSpans) {
	for i := range sent {
		s := &sent[i]
		if !identified(s.trace, traceDigits) || !identified(s.id, spanDigits) {
			refused = append(refused, service.RefusedSpans{Count: 1, Reason: fmt.Sprintf("the span %q has no trace id of 16 bytes and span id of 8", graph.Brief(s.name, 100))})
			continue
		}
		spans = append(spans, s.taken())
	}
	return spans, refused
}

func identified(id string, digits int) bool { return len(id) == digits && strings.Trim(id, "0") != "" }

func (s *span) taken() service.Span {
	if !identified(s.parent, spanDigits) {
		s.parent = ""
	}
	out := service.NewSpan(s.trace, s.id, s.parent)
	out.Root = s.parent == "" || s.flags&knowsRemote != 0 && s.flags&isRemote != 0
	out.Start, out.End = int64(s.start/1000), int64(s.end/1000) //nolint:gosec // a thousandth fits
	out.Of = s.tellsOf(out.Root)
	out.Error = s.failure()
	switch out.Of {
	case service.SpanOfRun:
		s.ofRun(&out)
	case service.SpanOfTool:
		out.Tool = cut(cmp.Or(s.text("gen_ai.tool.name"), strings.TrimPrefix(s.name, "execute_tool ")), graph.MaxName)
		out.Arguments = argumentsOf(s.attributes["gen_ai.tool.call.arguments"])
		out.Result = cut(textOf(s.attributes["gen_ai.tool.call.result"]), maxResult)
	case service.SpanOfModel:
		out.Task = s.task()
	}
	out.InputTokens = s.tokens("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
	out.OutputTokens = s.tokens("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
	return out
}

// tellsOf returns the kind of a span. The first span of a process is a run if it has attributes of
// generative AI and is no call of a model.
func (s *span) tellsOf(first bool) string {
	operation := s.text("gen_ai.operation.name")
	if of, known := operations[operation]; known {
		return of
	}
	if s.attributes["annals.task"] != nil {
		return service.SpanOfRun
	}
	for name := range s.attributes {
		if first && strings.HasPrefix(name, "gen_ai.") {
			return service.SpanOfRun
		}
	}
	return ""
}

func (s *span) ofRun(out *service.Span) {
	out.Task = s.task()
	out.Agent = cut(s.text("gen_ai.agent.name"), graph.MaxName)
	out.Thread = cut(s.text("gen_ai.conversation.id"), graph.MaxName)
	switch {
	case s.text("annals.outcome") != "":
		out.Outcome = s.text("annals.outcome")
	case s.failed:
		out.Outcome = "failure"
	case s.succeeded:
		out.Outcome = "success"
	}
	switch score := s.attributes["annals.score"].(type) {
	case float64:
		out.Score = &score
	case int64:
		out.Score = new(float64(score))
	}
	out.Environment = s.environment()
}

// told lists the attributes, besides vcs.*, that describe the environment of a run.
var told = []string{"service.name", "service.version", "deployment.environment.name", "deployment.environment"}

// environment describes where a run was done: the service, its repository, and all attributes with
// the prefix annals.environment.
func (s *span) environment() map[string]string {
	found := map[string]string{}
	for _, from := range []attributes{s.resource, s.attributes} {
		for _, name := range slices.Sorted(maps.Keys(from)) {
			own, isOwn := strings.CutPrefix(name, "annals.environment.")
			known := strings.HasPrefix(name, "vcs.") || slices.Contains(told, name)
			value := textOf(from[name])
			if (isOwn && own != "" || known) && value != "" && len(found) < maxEntries {
				found[cut(own, graph.MaxName)] = cut(value, graph.MaxName)
			}
		}
	}
	return found
}

// failure returns why a span failed; empty: it did not.
func (s *span) failure() string {
	kind := s.text("error.type")
	if !s.failed && kind == "" {
		return ""
	}
	message := s.message
	for _, e := range s.events {
		if message == "" && e.name == "exception" {
			message = cmp.Or(textOf(e.attributes["exception.message"]), textOf(e.attributes["exception.type"]))
		}
	}
	return cut(cmp.Or(message, cmp.Or(kind, "it failed")), maxResult)
}

func (s *span) text(name string) string { return strings.TrimSpace(textOf(s.attributes[name])) }

func (s *span) tokens(names ...string) int64 {
	for _, name := range names {
		if n, ok := s.attributes[name].(int64); ok && n > 0 {
			return min(n, 1<<40) // keeps sums from overflowing
		}
	}
	return 0
}

// argumentsOf returns the arguments of a call: JSON, or a command as text. Arguments that are too
// long to store in full are left out.
func argumentsOf(value any) string {
	if value == nil {
		return ""
	}
	text := textOf(value)
	if len(text) > maxArguments || json.Valid([]byte(text)) && escapes.Unfit([]byte(text)) != "" {
		return ""
	}
	return cut(text, maxArguments)
}

// textOf returns a value as text; lists and maps as JSON.
func textOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	}
	text, err := json.Marshal(value)
	if err != nil { // not a finite number
		return fmt.Sprint(value)
	}
	return string(text)
}

// cut removes from a text what cannot be stored, and shortens it.
func cut(text string, most int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}
