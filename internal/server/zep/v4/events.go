package v4

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

// event is an event of a trace.
type event struct {
	Type       string          `json:"event_type"`
	Content    string          `json:"content,omitempty"`
	Context    *eventContext   `json:"context,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	OccurredAt string          `json:"occurred_at,omitempty"`
	CallID     string          `json:"tool_call_id,omitempty"`
}

// eventContext lists the tools, environments, artifacts and the model of an event.
type eventContext struct {
	Artifacts    []resource `json:"artifacts,omitempty"`
	Environments []resource `json:"environments,omitempty"`
	Model        *resource  `json:"model,omitempty"`
	Tools        []resource `json:"tools,omitempty"`
}

type resource struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// maxEventText is the limit in bytes on the content of an event, and on its metadata.
const maxEventText = 64 << 10

// The types of events that are steps of a run.
const (
	toolCall   = "tool_call"
	toolResult = "tool_result"
	decision   = "decision"
)

var eventTypes = []string{
	toolCall, toolResult, decision, "input_reference", "observation", "artifact", "checkpoint", "feedback", "correction", "reflection", "verification",
}

func (e event) validate(task string) error {
	switch place := slices.Index(eventTypes, e.Type); {
	case place < 0:
		return graph.Invalid("event_type", "%q is not one of %s", e.Type, strings.Join(eventTypes, ", "))
	case e.CallID != "" && place > 1:
		return graph.Invalid("tool_call_id", "does not go with %s", e.Type)
	case e.Content == "" && e.tool() == "" && place < 3:
		return graph.Invalid("content", "is empty; say what was done, or name the tool in context.tools")
	}
	alone := annals.Run{Task: task} // refuse now what a run cannot hold, not when the trace is closed
	alone.Steps, alone.Environment, _ = steps([]eventView{{event: e}})
	_, err := alone.Episode("", time.Time{})
	_, err1 := graph.ParseTime("occurred_at", e.OccurredAt)
	return cmp.Or(err, err1, graph.ValidateObject("metadata", e.Metadata), graph.ValidateText("metadata", string(e.Metadata), maxEventText),
		graph.ValidateText("content", e.Content, maxEventText))
}

// tool returns the tool of a call or a result; empty: none is named.
func (e event) tool() string {
	if e.Context == nil || len(e.Context.Tools) == 0 {
		return ""
	}
	return e.Context.Tools[0].Name
}

// eventView is the JSON form of an event.
type eventView struct {
	event
	UUID      string `json:"uuid,omitempty"`
	TraceUUID string `json:"trace_uuid"`
	AgentUUID string `json:"agent_uuid"`
	Sequence  int    `json:"sequence"`
	State     string `json:"processing_state"`
	CreatedAt string `json:"created_at,omitempty"`
}

// eventsOf decodes the events of an open trace.
func eventsOf(items []service.BatchItem, collected map[int]annals.Episode) ([]eventView, error) {
	views := make([]eventView, len(items))
	for i, item := range items {
		if err := json.Unmarshal([]byte(collected[item.Place].Content), &views[i].event); err != nil {
			return nil, err
		}
		views[i].UUID, views[i].Sequence, views[i].CreatedAt = item.EpisodeID.String(), item.Place+1, project.Stamp(item.CreatedAt)
	}
	return views, nil
}

func addEvent(t trace, in event) (any, error) {
	in.Metadata = project.Object(in.Metadata)
	if err := in.validate(t.Objective); err != nil {
		return nil, err
	}
	if t.events >= graph.MaxRunSteps {
		return nil, graph.Invalid("trace", "has %d events, the most; close it and begin another one", t.events)
	}
	text, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	noted := []annals.Episode{{GroupID: t.ID, Source: graph.SourceJSON, Content: string(text)}}
	items, err := t.Call.All().AddToBatch(t.Ctx(), t.ID, t.id, noted)
	if code := annals.CodeOf(err); code == annals.CodeNotFound || code == annals.CodeConflict {
		err = conflict("trace", "is closed; begin another one")
	}
	if err != nil {
		return nil, err
	}
	views, err := eventsOf(items, map[int]annals.Episode{items[0].Place: noted[0]})
	if err != nil {
		return nil, err
	}
	return t.shown(views)[0], nil
}

// shown fills in the owners and the states of the events of a trace.
func (t trace) shown(views []eventView) []eventView {
	states := map[graph.State]string{graph.StateDone: "processed", graph.StateProcessing: "processing", graph.StateFailed: "failed"}
	for i := range views {
		views[i].TraceUUID, views[i].AgentUUID, views[i].State = t.UUID, t.AgentUUID, cmp.Or(states[t.state], "pending")
	}
	return views
}

// listEvents lists the events of an open trace. For a closed trace it lists those that can be
// derived from its run, with new numbers.
func listEvents(t trace) (any, error) {
	views := eventsIn(t.run)
	if t.state == "" {
		items, collected, err := t.Call.All().BatchEpisodes(t.Ctx(), t.ID, t.id)
		if err != nil {
			return nil, err
		}
		if views, err = eventsOf(items, collected); err != nil {
			return nil, err
		}
	}
	return among(t.Call, rowsPage, t.shown(views), same)
}

// waiting is a call without a result.
type waiting struct {
	id, tool string
	step     int // index of its step
}

// answered returns the index of the call that a result answers: the first with its id; if the
// result has no id, the first of its tool; if it names no tool either, the last call. -1: there is
// none.
func answered(calls []waiting, result eventView) int {
	of := func(c waiting) bool { return c.id == result.CallID && (c.id != "" || c.tool == result.tool()) }
	if i := slices.IndexFunc(calls, of); i >= 0 || result.CallID != "" || result.tool() != "" {
		return i
	}
	return len(calls) - 1
}

// steps converts events to the steps of a run and the versions of what they used. lost reports that
// a result belongs to no call and names no tool.
func steps(events []eventView) (out []graph.RunStep, environment map[string]string, lost bool) {
	environment = map[string]string{}
	var calls []waiting
	for _, e := range events {
		e.Context.note(environment)
		step := graph.RunStep{Tool: e.tool()}
		switch e.Type {
		case toolResult:
			if i := answered(calls, e); i >= 0 {
				out[calls[i].step].Result = e.Content
				calls = slices.Delete(calls, i, i+1)
				continue
			}
			if step.Result = e.Content; step.Tool == "" {
				lost = true
				continue
			}
		case toolCall:
			if step.Tool == "" {
				step.Action = e.Content
			} else if e.Content != "" {
				step.Arguments, _ = json.Marshal(e.Content) // encoding a string never fails
			}
		case decision:
			step = graph.RunStep{Action: cmp.Or(e.Content, step.Tool)}
		default:
			continue
		}
		if len(out) == graph.MaxRunSteps { // concurrent requests may add more
			continue
		}
		if out = append(out, step); e.Type == toolCall {
			calls = append(calls, waiting{e.CallID, e.tool(), len(out) - 1})
		}
	}
	return out, environment, lost
}

// note adds the versions in a context to an environment.
func (c *eventContext) note(environment map[string]string) {
	if c == nil {
		return
	}
	all := slices.Concat(c.Tools, c.Environments)
	if c.Model != nil {
		all = append(all, resource{"model", strings.TrimSpace(c.Model.Name + " " + c.Model.Version)})
	}
	for _, r := range all {
		if r.Name != "" && r.Version != "" && len(environment) < 50 { // the limit of a run
			environment[r.Name] = r.Version
		}
	}
}

// eventsIn derives events from a run.
func eventsIn(run annals.Run) (views []eventView) {
	add := func(e event) { views = append(views, eventView{event: e, Sequence: len(views) + 1}) }
	for _, s := range run.Steps {
		if s.Tool == "" {
			add(event{Type: decision, Content: s.Action})
			continue
		}
		with, arguments := &eventContext{Tools: []resource{{Name: s.Tool}}}, ""
		if json.Unmarshal(s.Arguments, &arguments) != nil { // not a string
			arguments = string(s.Arguments)
		}
		add(event{Type: toolCall, Content: arguments, Context: with})
		if result := cmp.Or(s.Error, s.Result); result != "" {
			add(event{Type: toolResult, Content: result, Context: with})
		}
	}
	return views
}
