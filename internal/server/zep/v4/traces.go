package v4

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

// traceRoutes are about traces. A trace is a run of the agent: while it is open it waits,
// and when it is closed it is stored as an episode, which has its UUID.
var traceRoutes = project.Routes{
	"POST /agents/{agent}/traces":                 onWith(agentIn, addTrace),
	"POST /agents/{agent}/traces/list":            onWith(agentIn, listTraces),
	"GET /agents/{agent}/traces/{trace}":          on(traceIn, getTrace),
	"DELETE /agents/{agent}/traces/{trace}":       onWith(traceIn, removeTrace),
	"POST /agents/{agent}/traces/{trace}/close":   onWith(traceIn, closeTrace),
	"POST /agents/{agent}/traces/{trace}/abandon": onWith(traceIn, abandonTrace),
	"GET /agents/{agent}/traces/{trace}/events":   on(traceIn, listEvents),
	"POST /agents/{agent}/traces/{trace}/events":  onWith(traceIn, addEvent),
}

// traceView is a trace on the wire.
type traceView struct {
	UUID         string          `json:"uuid"`
	AgentUUID    string          `json:"agent_uuid"`
	TraceID      string          `json:"trace_id,omitempty"`
	Objective    string          `json:"objective"`
	Status       string          `json:"status"`
	Outcome      string          `json:"outcome,omitempty"`
	Verification string          `json:"verification,omitempty"`
	LearnFrom    bool            `json:"learn_from"`
	Metadata     json.RawMessage `json:"metadata,omitempty"`
	Revision     int64           `json:"revision"`
	CreatedAt    string          `json:"created_at"`
	UpdatedAt    string          `json:"updated_at"`
	ClosedAt     *string         `json:"closed_at,omitempty"`
	AbandonedAt  *string         `json:"abandoned_at,omitempty"`
}

// A trace is opened and closed once; what is appended does not count as a revision.
const (
	openRevision   = 1
	closedRevision = 2
)

func openView(run service.OpenRun, agent string) traceView {
	return traceView{
		UUID: run.ID.String(), AgentUUID: project.GroupUUID(agent), TraceID: run.Name, Objective: run.Task, Status: "open", LearnFrom: true,
		Metadata: run.Metadata, Revision: openRevision, CreatedAt: project.Stamp(run.CreatedAt), UpdatedAt: project.Stamp(run.UpdatedAt),
	}
}

// ended is what the metadata of an episode keep of a trace beside its run.
type ended struct {
	TraceID      string          `json:"trace_id,omitempty"`
	Outcome      string          `json:"outcome,omitempty"`
	Verification string          `json:"verification,omitempty"`
	Reason       string          `json:"reason,omitempty"`
	Abandoned    bool            `json:"abandoned,omitempty"`
	Metadata     json.RawMessage `json:"metadata,omitempty"`
	Sequences    [][2]int        `json:"sequences,omitempty"` // of each step its call and result
}

const endedKey = "zep_trace" // in the metadata

// closedTrace reads the run of an episode, and what else is kept of its trace.
func closedTrace(e annals.Episode) (run annals.Run, rest ended, view traceView, err error) {
	var kept map[string]json.RawMessage
	if err = json.Unmarshal([]byte(e.Content), &run); err == nil && len(e.Metadata) > 0 {
		err = json.Unmarshal(e.Metadata, &kept)
	}
	if err == nil && len(kept[endedKey]) > 0 {
		if json.Unmarshal(kept[endedKey], &rest) != nil { // it is the application's own
			rest = ended{}
		}
	}
	at := project.StampOr(e.CreatedAt)
	view = traceView{
		UUID: e.ID.String(), AgentUUID: project.GroupUUID(e.GroupID), TraceID: rest.TraceID, Objective: run.Task, Status: "closed",
		Outcome: cmp.Or(rest.Outcome, outcomes[run.Outcome]), Verification: rest.Verification, LearnFrom: true, Metadata: rest.Metadata,
		Revision: closedRevision, CreatedAt: project.Stamp(e.OccurredAt), UpdatedAt: *at, ClosedAt: at,
	}
	if rest.Abandoned {
		view.Status, view.AbandonedAt, view.ClosedAt = "abandoned", at, nil
	}
	return run, rest, view, err
}

// outcomes maps outcomes of runs to those of traces.
var outcomes = map[string]string{"success": "succeeded", "failure": "failed", "unknown": "unknown", "": "unknown"}

// trace is a trace of an agent: an open one, or the episode of one that is closed.
type trace struct {
	project.Graph
	id     uuid.UUID
	view   traceView
	open   *service.OpenRun
	closed annals.Episode
}

func traceIn(c *project.Call) (t trace, err error) {
	a, err := agentIn(c)
	if err != nil {
		return t, err
	}
	return traceBy(a, c.PathValue("trace"))
}

func traceBy(a project.Graph, text string) (t trace, err error) {
	t.Graph = a
	if t.id, err = uuid.Parse(text); err != nil {
		return t, graph.Invalid("trace_uuid", "%q is no UUID", text)
	}
	run, err := a.Service.OpenRun(a.Ctx(), a.ID, t.id)
	if err == nil {
		t.open, t.view = &run, openView(run, a.ID)
		return t, nil
	}
	if annals.CodeOf(err) != annals.CodeNotFound {
		return t, err
	}
	found, err := runsOf(a, service.List{Mentions: []uuid.UUID{t.id}, Limit: 1})
	if err == nil && len(found) == 0 {
		err = project.NotFound("trace not found: " + text)
	}
	if err != nil {
		return t, err
	}
	t.closed = found[0]
	_, _, t.view, err = closedTrace(t.closed)
	return t, err
}

// runsOf lists runs of an agent that nothing withholds.
func runsOf(a project.Graph, l service.List) ([]annals.Episode, error) {
	l.GroupID, l.OrderBy, l.Filter.Sources = a.ID, "occurred_at", []graph.Source{graph.SourceRun}
	return a.Service.ListEpisodes(a.Ctx(), l)
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
	if _, err := (graph.Run{Task: in.Objective}).Episode(a.ID, time.Time{}); err != nil {
		return nil, graph.Invalid("objective", "cannot be the task of a run: %v", err)
	}
	if err := cmp.Or(graph.ValidateText("trace_id", in.TraceID, graph.MaxName), graph.ValidateText("metadata", string(in.Metadata), graph.MaxMetadata/2)); err != nil {
		return nil, err
	}
	if in.TaskFamily != "" {
		a.Call.Ignore("task_family")
	}
	begun := service.OpenRun{Task: in.Objective, Name: in.TraceID, Metadata: project.Object(in.Metadata)}
	if in.TraceID != "" {
		was, err := closedAs(a, begun)
		if was != nil || err != nil {
			return was, err
		}
	}
	run, err := a.Service.BeginRun(a.Ctx(), a.ID, begun)
	return openView(run, a.ID), project.Conflicts(err)
}

// closedAs finds the trace that was closed under the name of one to begin; nil: there is none.
func closedAs(a project.Graph, begun service.OpenRun) (any, error) {
	called := annals.Condition{Path: []string{endedKey, "trace_id"}, Op: annals.OpEqual, Value: begun.Name}
	found, err := runsOf(a, service.List{Filter: annals.Filter{Metadata: &called}, Limit: 1})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	_, rest, view, err := closedTrace(found[0])
	if err == nil && !begun.Says(service.OpenRun{Task: view.Objective, Metadata: rest.Metadata}) {
		err = project.Conflicts(&annals.Error{Code: annals.CodeConflict, Field: "trace_id", Message: "is that of a closed trace, which says something else"})
	}
	return view, err
}

func getTrace(t trace) (any, error) { return t.view, nil }

// endedBy maps the states of traces that have ended to how being abandoned is compared.
var endedBy = map[string]annals.Op{"": "", "closed": annals.OpNotEqual, "abandoned": annals.OpEqual}

// listTraces lists those that are open, then those that are closed, the newest of each first.
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
		return nil, graph.Invalid("order", "%q by %q is not how traces are listed: by created_at, desc", order, by)
	}
	var views []traceView
	var before int // open ones, which come first
	if in.Status == "" || in.Status == "open" {
		open, err := a.Service.OpenRuns(a.Ctx(), a.ID)
		if err != nil {
			return nil, err
		}
		before = len(open)
		for _, run := range open[min(s.skip, before):] {
			views = append(views, openView(run, a.ID))
		}
	}
	if op, ok := endedBy[in.Status]; ok && len(views) <= s.size {
		l := service.List{Skip: max(0, s.skip-before), Limit: s.size + 1 - len(views)}
		if op != "" {
			l.Filter.Metadata = &annals.Condition{Path: []string{endedKey, "abandoned"}, Op: op, Value: true}
		}
		found, err := runsOf(a, l)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			_, _, view, err := closedTrace(e)
			if err != nil {
				return nil, err
			}
			views = append(views, view)
		}
	}
	return pageOf(s, views, same), nil
}

// removeTrace removes an open trace, or undoes the run of a closed one: what only it taught
// is gone when the answer comes.
func removeTrace(t trace, in revised) (any, error) {
	err := in.check(t.view.Revision)
	if err != nil {
		return nil, err
	}
	if t.open != nil {
		err = t.Service.DropRun(t.Ctx(), t.ID, t.id)
	} else {
		err = t.UndoEpisode(t.id)
	}
	t.view.Status = "deleted"
	return accepted(map[string]any{"trace": t.view, "skill_repair_task": doneAt("agent.trace.delete", time.Now())}, err)
}

// ending is how a trace ends.
type ending struct {
	Revision     *int64 `json:"expected_revision"`
	Missing      []gap  `json:"missing_sequence_ranges"`
	Reason       string `json:"reason"`
	Verification string `json:"verification"`
}

type gap struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

func closeTrace(t trace, in struct {
	ending
	Outcome string `json:"outcome"`
	Closing *int64 `json:"closing_sequence"`
},
) (any, error) {
	if in.Outcome != "" && !slices.Contains([]string{"succeeded", "failed", "partial", "abandoned", "unknown"}, in.Outcome) {
		return nil, graph.Invalid("outcome", "%q is not one of succeeded, failed, partial, abandoned, unknown", in.Outcome)
	}
	return t.end(in.ending, "closing_sequence", in.Closing, ended{Outcome: cmp.Or(in.Outcome, "unknown")})
}

func abandonTrace(t trace, in struct {
	ending
	Highest *int64 `json:"highest_accepted_sequence"`
},
) (any, error) {
	return t.end(in.ending, "highest_accepted_sequence", in.Highest, ended{Outcome: "abandoned", Abandoned: true})
}

// end stores an open trace as a run. Its last event must be the one that is named, if one is.
func (t trace) end(in ending, field string, last *int64, how ended) (any, error) {
	if in.Verification != "" && !slices.Contains(verifications, in.Verification) {
		return nil, graph.Invalid("verification", "%q is not one of none, agent, tool, customer, external", in.Verification)
	}
	if err := graph.ValidateText("reason", in.Reason, graph.MaxName); err != nil {
		return nil, err
	}
	if len(in.Missing) > 0 {
		return nil, graph.Invalid("missing_sequence_ranges", "cannot be: events are taken in their order alone, and none is missing")
	}
	if err := asExpected("expected_revision", in.Revision, t.view.Revision); err != nil {
		return nil, err
	}
	how.Verification, how.Reason = in.Verification, in.Reason
	e, err := t.Service.EndRun(t.Ctx(), t.ID, t.id, func(run service.OpenRun, count int) (annals.Episode, error) {
		if err := asExpected(field, last, int64(count)); err != nil {
			return annals.Episode{}, err
		}
		return how.episode(t.ID, run)
	})
	if annals.CodeOf(err) == annals.CodeNotFound {
		err = &annals.Error{Code: annals.CodeConflict, Field: "trace", Message: "is closed already"}
	}
	if err != nil {
		return nil, project.Conflicts(err)
	}
	after, err := traceBy(t.Graph, t.id.String())
	if err != nil {
		return nil, err
	}
	out, err := withTask(t.Call, map[string]any{"trace": after.view}, "agent.trace.close", t.TaskOf(e.ID, e.ID), nil)
	return accepted(out, err)
}

var verifications = []string{"none", "agent", "tool", "customer", "external"}

// episode makes the episode of a trace that has ended.
func (how ended) episode(group string, open service.OpenRun) (annals.Episode, error) {
	run := annals.Run{Task: open.Task, Outcome: "unknown"}
	switch how.Outcome {
	case "succeeded":
		run.Outcome = "success"
	case "failed":
		run.Outcome, run.Error = "failure", how.Reason
	}
	if how.Verification != "none" {
		run.JudgedBy = how.Verification
	}
	var err error
	if how.Sequences, err = steps(&run, open.Notes); err != nil {
		return annals.Episode{}, err
	}
	how.TraceID, how.Metadata = open.Name, open.Metadata
	e, err := service.RunEpisode(run, group, open.CreatedAt)
	if err != nil {
		return e, err
	}
	e.Metadata, err = json.Marshal(map[string]ended{endedKey: how})
	return e, err
}
