package v4

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

// event is what is noted in a trace, as it is kept while it is open.
type event struct {
	Type       string          `json:"event_type"`
	Content    string          `json:"content,omitempty"`
	Context    *eventContext   `json:"context,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	OccurredAt string          `json:"occurred_at,omitempty"`
	CallID     string          `json:"tool_call_id,omitempty"`
}

// eventContext is with what something was done.
type eventContext struct {
	Artifacts    []resource `json:"artifacts,omitempty"`
	Environments []resource `json:"environments,omitempty"`
	Model        *resource  `json:"model,omitempty"`
	Tools        []resource `json:"tools,omitempty"`
	Verification string     `json:"verification,omitempty"`
}

type resource struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// The events that become steps of a run.
const (
	toolCall   = "tool_call"
	toolResult = "tool_result"
	decision   = "decision"
)

var eventTypes = []string{
	"input_reference", "observation", decision, toolCall, toolResult, "artifact", "checkpoint", "feedback", "correction", "reflection", "verification",
}

func (e event) validate() error {
	switch {
	case !slices.Contains(eventTypes, e.Type):
		return graph.Invalid("event_type", "%q is not one of %s", e.Type, strings.Join(eventTypes, ", "))
	case e.CallID != "" && e.Type != toolCall && e.Type != toolResult:
		return graph.Invalid("tool_call_id", "does not go with %s", e.Type)
	case e.Content == "" && e.tool() == "" && (e.Type == toolCall || e.Type == toolResult || e.Type == decision):
		return graph.Invalid("content", "is empty; say what was done, or name the tool in context.tools")
	case e.Context != nil && e.Context.Verification != "" && !slices.Contains(verifications, e.Context.Verification):
		return graph.Invalid("context.verification", "%q is not one of none, agent, tool, customer, external", e.Context.Verification)
	}
	_, err := graph.ParseTime("occurred_at", e.OccurredAt)
	return cmp.Or(err, graph.ValidateObject("metadata", e.Metadata), graph.ValidateText("context.tools", e.tool(), graph.MaxName))
}

// tool is the tool that is called, or whose result it is; empty: none is named.
func (e event) tool() string {
	if e.Context == nil || len(e.Context.Tools) == 0 {
		return ""
	}
	return e.Context.Tools[0].Name
}

// eventView is an event on the wire.
type eventView struct {
	event
	UUID      string `json:"uuid"`
	TraceUUID string `json:"trace_uuid"`
	AgentUUID string `json:"agent_uuid"`
	EventID   string `json:"event_id,omitempty"`
	Sequence  int    `json:"sequence"`
	State     string `json:"processing_state"`
	CreatedAt string `json:"created_at,omitempty"`
}

func (t trace) eventView(e event, place int, at time.Time) eventView {
	return eventView{
		event: e, UUID: project.EventUUID(t.id, place), TraceUUID: t.view.UUID, AgentUUID: t.view.AgentUUID, Sequence: place, State: "pending",
		CreatedAt: project.Stamp(at),
	}
}

func (t trace) noteView(n service.RunNote) (eventView, error) {
	var e event
	err := json.Unmarshal(n.Note, &e)
	view := t.eventView(e, n.Place, n.At)
	view.EventID = n.Name
	return view, err
}

func addEvent(t trace, in struct {
	event
	EventID  string `json:"event_id"`
	Sequence *int   `json:"sequence"`
},
) (any, error) {
	in.Metadata = project.Object(in.Metadata)
	if err := cmp.Or(in.validate(), graph.ValidateText("event_id", in.EventID, graph.MaxName)); err != nil {
		return nil, err
	}
	if in.Sequence != nil && *in.Sequence < 1 {
		return nil, graph.Invalid("sequence", "is %d; the first event is 1", *in.Sequence)
	}
	text, err := json.Marshal(in.event)
	if err != nil {
		return nil, err
	}
	alone := ended{Outcome: "unknown"} // what cannot be in a run is refused now, and not when it is closed
	if _, err := alone.episode(t.ID, service.OpenRun{Task: t.view.Objective, Notes: []service.RunNote{{Place: 1, Note: text}}}); err != nil {
		return nil, err
	}
	note, err := t.Service.NoteInRun(t.Ctx(), t.ID, t.id, service.RunNote{Place: project.OrZero(in.Sequence), Name: in.EventID, Note: text})
	if annals.CodeOf(err) == annals.CodeNotFound {
		err = &annals.Error{Code: annals.CodeConflict, Field: "trace", Message: "is closed; begin another one"}
	}
	if err != nil {
		return nil, project.Conflicts(err)
	}
	return t.noteView(note)
}

// listEvents lists the events of an open trace; of a closed one what its run has of them.
func listEvents(t trace) (any, error) {
	s, err := stretchOf(t.Call, rowsPage, maxPage)
	if err != nil {
		return nil, err
	}
	var views []eventView
	if t.open == nil {
		views, err = t.told()
	} else {
		notes, err := t.Service.RunNotes(t.Ctx(), t.ID, t.id)
		if err != nil {
			return nil, err
		}
		for _, note := range notes {
			view, err := t.noteView(note)
			if err != nil {
				return nil, err
			}
			views = append(views, view)
		}
	}
	return among(s, views, same), err
}

// steps adds the steps of events to a run, and returns which events each of them is: its
// call and its result, or 0. Versions of what it was done with are its environment.
func steps(run *annals.Run, notes []service.RunNote) (sequences [][2]int, _ error) {
	calls := map[string]int{} // whose result has not come, by their ids
	run.Environment = map[string]string{}
	for _, n := range notes {
		var e event
		if err := json.Unmarshal(n.Note, &e); err != nil {
			return nil, err
		}
		e.Context.note(run.Environment)
		called, known := calls[e.CallID]
		switch {
		case e.Type == toolResult && known:
			run.Steps[called].Result, sequences[called][1] = e.Content, n.Place
			delete(calls, e.CallID)
		case e.Type == toolResult && e.tool() != "":
			run.Steps, sequences = append(run.Steps, graph.RunStep{Tool: e.tool(), Result: e.Content}), append(sequences, [2]int{0, n.Place})
		case e.Type == toolCall, e.Type == decision:
			step := graph.RunStep{Action: e.Content}
			if e.Type == toolCall {
				calls[e.CallID] = len(run.Steps)
			}
			if e.Type == toolCall && e.tool() != "" {
				step = graph.RunStep{Tool: e.tool()}
				if e.Content != "" {
					step.Arguments, _ = json.Marshal(e.Content) // a text always can be
				}
			}
			run.Steps, sequences = append(run.Steps, step), append(sequences, [2]int{n.Place, 0})
		}
	}
	return sequences, nil
}

const mostNoted = 50 // of an environment, which has no more

// note adds the versions of what something was done with to an environment.
func (c *eventContext) note(environment map[string]string) {
	if c == nil {
		return
	}
	all := slices.Concat(c.Tools, each.Of(c.Environments, func(r resource) resource {
		return resource{r.Name, cmp.Or(r.Version, "yes")}
	}))
	if c.Model != nil {
		all = append(all, resource{"model", strings.TrimSpace(c.Model.Name + " " + c.Model.Version)})
	}
	for _, r := range all {
		if r.Name != "" && r.Version != "" && len(environment) < mostNoted {
			environment[r.Name] = r.Version
		}
	}
}

// told are the events that the run of a closed trace tells of.
func (t trace) told() (views []eventView, _ error) {
	run, rest, _, err := closedTrace(t.closed)
	last := 0
	for i, step := range run.Steps {
		at := [2]int{last + 1, last + 2}
		if i < len(rest.Sequences) {
			at = rest.Sequences[i]
		} else if step.Tool == "" || step.Result+step.Error == "" {
			at[1] = 0
		}
		last = max(at[0], at[1])
		with := &eventContext{Tools: []resource{{Name: step.Tool}}}
		call := event{Type: toolCall, Content: textOf(step.Arguments), Context: with}
		if step.Tool == "" {
			call, with = event{Type: decision, Content: step.Action}, nil
		}
		for k, e := range []event{call, {Type: toolResult, Content: cmp.Or(step.Error, step.Result), Context: with}} {
			if at[k] != 0 {
				view := t.eventView(e, at[k], time.Time{})
				view.State, view.CreatedAt = processing[t.closed.State], ""
				views = append(views, view)
			}
		}
	}
	each.Sort(views, func(a, b eventView) int { return cmp.Compare(a.Sequence, b.Sequence) })
	return views, err
}

var processing = map[graph.State]string{graph.StateDone: "processed", graph.StateProcessing: "processing", graph.StateFailed: "failed", graph.StatePending: "pending"}

// textOf is JSON as text; a text in it as it is.
func textOf(raw json.RawMessage) (text string) {
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}
