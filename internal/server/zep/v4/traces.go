package v4

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

// traceRoutes are the routes for traces. An open trace is a draft batch of the agent's group that
// collects its events. A closed trace is a run: an episode with the same UUID.
var traceRoutes = project.Routes{
	"POST /agents/{agent}/traces":                project.OnWith(agentIn, addTrace),
	"POST /agents/{agent}/traces/list":           project.OnWith(agentIn, listTraces),
	"GET /agents/{agent}/traces/{trace}":         project.On(traceIn, getTrace),
	"DELETE /agents/{agent}/traces/{trace}":      project.OnWith(traceIn, removeTrace),
	"POST /agents/{agent}/traces/{trace}/close":  project.OnWith(traceIn, closeTrace),
	"GET /agents/{agent}/traces/{trace}/events":  project.On(traceIn, listEvents),
	"POST /agents/{agent}/traces/{trace}/events": project.OnWith(traceIn, addEvent),
}

// begun is the part of a trace that is stored in the metadata of its batch or episode.
type begun struct {
	Objective    string          `json:"objective,omitempty"` // only while it is open; then it becomes the task of the run
	TraceID      string          `json:"trace_id,omitempty"`
	Metadata     json.RawMessage `json:"metadata,omitempty"`
	Outcome      string          `json:"outcome,omitempty"`
	Verification string          `json:"verification,omitempty"`
}

const traceKey = "zep_trace" // in the metadata

func keptOf(metadata json.RawMessage) begun {
	var kept struct {
		Trace begun `json:"zep_trace"`
	}
	if json.Unmarshal(metadata, &kept) != nil { // the application's own metadata
		return begun{}
	}
	return kept.Trace
}

// trace is a trace of an agent with its JSON form.
type trace struct {
	project.Graph `json:"-"`
	id            uuid.UUID
	events        int         // the number of events, if it is open
	run           annals.Run  // if it is closed
	state         graph.State // the state of its episode; empty: it is open
	begun
	UUID      string  `json:"uuid"`
	AgentUUID string  `json:"agent_uuid"`
	Status    string  `json:"status"`
	LearnFrom bool    `json:"learn_from"`
	Revision  int64   `json:"revision"` // 1 while it is open, 2 once it is closed
	CreatedAt string  `json:"created_at"`
	UpdatedAt string  `json:"updated_at"`
	ClosedAt  *string `json:"closed_at,omitempty"`
}

func openTrace(a project.Graph, b service.Batch) trace {
	return trace{
		Graph: a, id: b.ID, events: b.Items, begun: keptOf(b.Metadata), UUID: b.ID.String(), AgentUUID: project.GroupUUID(a.ID), Status: "open", LearnFrom: true,
		Revision: 1, CreatedAt: project.Stamp(b.CreatedAt), UpdatedAt: project.Stamp(b.UpdatedAt),
	}
}

// closedTrace converts a run. It leaves out values of another type than their field, which SQL may
// have written.
func closedTrace(a project.Graph, e annals.Episode) (t trace, err error) {
	at := project.Stamp(e.CreatedAt)
	t = trace{
		Graph: a, id: e.ID, state: e.State, begun: keptOf(e.Metadata), UUID: e.ID.String(), AgentUUID: project.GroupUUID(a.ID), Status: "closed",
		LearnFrom: true, Revision: 2, CreatedAt: project.Stamp(e.OccurredAt), UpdatedAt: at, ClosedAt: &at,
	}
	if err = json.Unmarshal([]byte(e.Content), &t.run); errors.As(err, new(*json.UnmarshalTypeError)) {
		err = nil
	}
	t.Objective, t.Outcome = t.run.Task, cmp.Or(t.Outcome, outcomes[t.run.Outcome])
	return t, err
}

// outcomes maps outcomes of runs to those of traces.
var outcomes = map[string]string{"success": "succeeded", "failure": "failed", "unknown": "unknown", "": "unknown"}

func traceIn(c *project.Call) (t trace, err error) {
	a, err := agentIn(c)
	if err != nil {
		return t, err
	}
	return traceBy(a, c.PathValue("trace"))
}

func traceBy(a project.Graph, text string) (t trace, err error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return t, graph.Invalid("trace_uuid", "%q is no UUID", text)
	}
	batch, err := a.Call.All().Batch(a.Ctx(), a.ID, id)
	if err == nil {
		if t = openTrace(a, batch); t.Objective != "" { // else it is another batch, or its words were erased
			return t, nil
		}
	}
	if err != nil && annals.CodeOf(err) != annals.CodeNotFound {
		return t, err
	}
	found, err := closedTraces(a, service.List{Mentions: []uuid.UUID{id}, Limit: 1})
	if err == nil && len(found) == 0 {
		err = project.NotFound("trace not found: " + text)
	}
	if err != nil {
		return t, err
	}
	return found[0], nil
}

// closedTraces lists runs that are not in quarantine, the latest first.
func closedTraces(a project.Graph, l service.List) ([]trace, error) {
	l.GroupID, l.OrderBy, l.Filter.Sources = a.ID, "occurred_at", []graph.Source{graph.SourceRun}
	runs, err := a.Service.ListEpisodes(a.Ctx(), l)
	if err != nil {
		return nil, err
	}
	return each.Try(runs, func(e annals.Episode) (trace, error) { return closedTrace(a, e) })
}

// openTraces lists the newest open traces.
func openTraces(a project.Graph) (traces []trace, _ error) {
	batches, err := a.Call.All().Batches(a.Ctx(), a.ID, service.BatchDraft, 0, annals.MaxRows)
	for _, b := range batches {
		if t := openTrace(a, b); t.Objective != "" {
			traces = append(traces, t)
		}
	}
	return traces, err
}

func addTrace(a project.Graph, in struct {
	Objective  string          `json:"objective"`
	TraceID    string          `json:"trace_id"`
	TaskFamily string          `json:"task_family"`
	LearnFrom  *bool           `json:"learn_from"`
	Metadata   json.RawMessage `json:"metadata"`
},
) (any, error) {
	if in.LearnFrom != nil && !*in.LearnFrom {
		return nil, graph.Invalid("learn_from", "is false; skills are learned from all traces, so leave this one out")
	}
	_, err := (graph.Run{Task: in.Objective}).Episode(a.ID, time.Time{})
	if err := cmp.Or(err, graph.ValidateText("trace_id", in.TraceID, graph.MaxName), graph.ValidateObject("metadata", project.Object(in.Metadata)),
		graph.ValidateText("metadata", string(in.Metadata), graph.MaxMetadata/2)); err != nil { // it is stored within other metadata
		return nil, err
	}
	if in.TaskFamily != "" {
		a.Call.Ignore("task_family")
	}
	kept := begun{Objective: strings.TrimSpace(in.Objective), TraceID: in.TraceID, Metadata: project.Object(in.Metadata)}
	if in.TraceID == "" {
		return begin(a, kept)
	}
	var out any
	alone, err := a.Client.RunExclusively(a.Ctx(), a.ID, "zep trace "+in.TraceID, func(func() error) (err error) {
		if out, err = sameTrace(a, kept); out == nil && err == nil {
			out, err = begin(a, kept)
		}
		return err
	})
	if err == nil && !alone {
		err = conflict("trace_id", "is that of a trace that is being begun; ask again")
	}
	return out, err
}

func begin(a project.Graph, kept begun) (any, error) {
	text, err := json.Marshal(map[string]begun{traceKey: kept})
	if err != nil {
		return nil, err
	}
	batch, err := a.Call.All().CreateBatch(a.Ctx(), a.ID, service.Batch{Metadata: text})
	return openTrace(a, batch), err
}

// sameTrace returns the trace with the trace_id of a new one; nil: there is none. It fails if that
// trace has another content.
func sameTrace(a project.Graph, kept begun) (any, error) {
	known, err := openTraces(a)
	if err != nil {
		return nil, err
	}
	closed, err := closedTraces(a, service.List{
		Filter: annals.Filter{Metadata: &annals.Condition{Path: []string{traceKey, "trace_id"}, Op: annals.OpEqual, Value: kept.TraceID}}, Limit: 1,
	})
	for _, t := range append(known, closed...) {
		if t.TraceID == kept.TraceID {
			if t.Objective != kept.Objective || !sameJSON(t.Metadata, kept.Metadata) {
				err = conflict("trace_id", "is that of another trace, which says something else")
			}
			return t, err
		}
	}
	return nil, err
}

func getTrace(t trace) (any, error) { return t, nil }

// listTraces lists open traces, then closed ones, the newest of each first.
func listTraces(a project.Graph, in struct {
	Status string `json:"status"`
},
) (any, error) {
	s, err := stretchOf(a.Call, ownPage, maxPage-1)
	if err != nil {
		return nil, err
	}
	q := a.Call.URL.Query()
	if order, by := q.Get("order"), q.Get("order_by"); order != "" && order != "desc" || by != "" && by != "created_at" {
		return nil, graph.Invalid("order", "is %q by %q; traces are listed by created_at, desc", order, by)
	}
	var open []trace
	if in.Status != "closed" {
		if open, err = openTraces(a); err != nil {
			return nil, err
		}
	}
	listed := open[min(s.skip, len(open)):]
	if len(listed) <= s.size && in.Status != "open" {
		closed, err := closedTraces(a, service.List{Skip: max(0, s.skip-len(open)), Limit: s.size + 1 - len(listed)})
		if err != nil {
			return nil, err
		}
		listed = append(listed, closed...)
	}
	if in.Status != "" {
		listed = slices.DeleteFunc(listed, func(t trace) bool { return t.Status != in.Status })
	}
	return pageOf(s, listed, same), nil
}

// removeTrace removes an open trace, or undoes the run of a closed one. Skills that rest only on
// that run are gone when the response is sent.
func removeTrace(t trace, in revised) (any, error) {
	err := in.check(t.Revision)
	switch {
	case err != nil:
	case t.state == "":
		err = t.Call.All().DeleteBatch(t.Ctx(), t.ID, t.id)
	default:
		err = t.Undo(t.id)
	}
	t.Status = "deleted"
	return accepted(map[string]any{"trace": t, "skill_repair_task": doneAt("agent.trace.delete", time.Now())}, err)
}

var verifications = []string{"", "none", "agent", "tool", "customer", "external"}

// closeTrace stores an open trace as a run.
func closeTrace(t trace, in struct {
	Revision     *int64 `json:"expected_revision"`
	Closing      *int64 `json:"closing_sequence"`
	Outcome      string `json:"outcome"`
	Reason       string `json:"reason"`
	Verification string `json:"verification"`
},
) (any, error) {
	kept, run := t.begun, annals.Run{Task: t.Objective, Outcome: "unknown"}
	switch in.Outcome {
	case "succeeded":
		run.Outcome = "success"
	case "failed":
		run.Outcome, run.Error = "failure", in.Reason
	case "", "partial", "abandoned", "unknown":
	default:
		return nil, graph.Invalid("outcome", "%q is not one of succeeded, failed, partial, abandoned, unknown", in.Outcome)
	}
	if !slices.Contains(verifications, in.Verification) {
		return nil, graph.Invalid("verification", "%q is not one of none, agent, tool, customer, external", in.Verification)
	}
	if in.Reason != "" && run.Error == "" {
		t.Call.Ignore("reason")
	}
	if in.Verification != "none" {
		run.JudgedBy = in.Verification
	}
	if err := asExpected("expected_revision", in.Revision, t.Revision); err != nil {
		return nil, err
	}
	kept.Objective, kept.Outcome, kept.Verification = "", cmp.Or(in.Outcome, "unknown"), in.Verification
	err := t.Call.All().EndBatch(t.Ctx(), t.ID, t.id, func(items []service.BatchItem, collected map[int]annals.Episode) (e annals.Episode, err error) {
		events, err := eventsOf(items, collected)
		if err != nil {
			return e, err
		}
		if in.Closing != nil && (len(events) == 0 && *in.Closing != 0 || len(events) > 0 && *in.Closing != int64(events[len(events)-1].Sequence)) {
			return e, conflict("closing_sequence", "is %d, and is not that of the last event", *in.Closing)
		}
		lost := false
		if run.Steps, run.Environment, lost = steps(events); lost {
			t.Call.Ignore("tool_result")
		}
		began, err := graph.ParseTime("created_at", t.CreatedAt)
		if err != nil {
			return e, err
		}
		if e, err = service.RunEpisode(run, t.ID, began); err == nil {
			e.Metadata, err = json.Marshal(map[string]begun{traceKey: kept})
		}
		return e, err
	})
	if annals.CodeOf(err) == annals.CodeNotFound {
		err = conflict("trace", "is closed already")
	}
	if err != nil {
		return nil, err
	}
	stored, err := t.Episode(t.id) // works even if the group withholds it from here on
	if err != nil {
		return nil, err
	}
	after, err := closedTrace(t.Graph, stored)
	if err != nil {
		return nil, err
	}
	out, err := withTask(t.Call, map[string]any{"trace": after}, "agent.trace.close", t.TaskOf(t.id, t.id), nil)
	return accepted(out, err)
}

// sameJSON reports whether two values are equal, regardless of the order of keys.
func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	_, _ = json.Unmarshal(a, &x), json.Unmarshal(b, &y) // an empty text decodes as nil
	return reflect.DeepEqual(x, y)
}
