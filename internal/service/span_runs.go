package service

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// The kinds of spans.
const (
	SpanOfRun   = "run"   // an agent at work
	SpanOfTool  = "tool"  // a call of a tool
	SpanOfModel = "model" // a call of a model
)

// spanID identifies a span; both parts are hexadecimal.
type spanID struct {
	Trace string `json:"trace"`
	ID    string `json:"id"`
}

// Span holds the parts of an OpenTelemetry span that a run needs.
type Span struct {
	spanID
	Parent string `json:"parent,omitempty"` // empty: none
	Root   bool   `json:"root,omitempty"`   // whether it is the first span in its process; its parent, if any, is in another one
	Of     string `json:"of,omitempty"`     // SpanOfRun, SpanOfTool or SpanOfModel; empty: anything else

	Start int64  `json:"start,omitempty"` // microseconds since 1970
	End   int64  `json:"end,omitempty"`
	Error string `json:"error,omitempty"`

	InputTokens  int64 `json:"input_tokens,omitempty"`
	OutputTokens int64 `json:"output_tokens,omitempty"`

	// Task to Environment describe runs. The Task of a call of a model is used if the run has none.
	Task        string            `json:"task,omitempty"`
	Agent       string            `json:"agent,omitempty"`
	Thread      string            `json:"thread,omitempty"`
	Outcome     string            `json:"outcome,omitempty"`
	Score       *float64          `json:"score,omitempty"`
	Environment map[string]string `json:"environment,omitempty"`

	// Tool to Result describe calls of tools.
	Tool      string `json:"tool,omitempty"`
	Arguments string `json:"arguments,omitempty"` // JSON, or a command as text
	Result    string `json:"result,omitempty"`

	kept, stale bool // kept: it is stored already; stale: it has waited too long
}

// NewSpan creates a span; trace, id and parent are hexadecimal.
func NewSpan(trace, id, parent string) Span { return Span{spanID: spanID{trace, id}, Parent: parent} }

// spanRun is a run with the spans that belong to it.
type spanRun struct {
	Span
	within []Span // calls of tools and models
}

// settle splits spans into the runs that are over, with their spans, and the spans that have to
// wait. A run is over when the outermost span above it in its process has arrived, or when nothing
// arrived for long.
func settle(spans []Span) (runs []spanRun, waiting []Span) {
	byID := map[spanID]*Span{}
	var order []*Span
	for i := range spans {
		if span := &spans[i]; byID[span.spanID] == nil { // else it is a repetition
			byID[span.spanID], order = span, append(order, span)
		}
	}
	found := map[spanID]*ancestors{}
	ended := map[string]bool{} // traces whose first span has arrived
	for _, span := range order {
		ended[span.Trace] = ended[span.Trace] || span.stale || span.Root && span.Parent == ""
	}
	at := map[spanID]int{} // the index of each run in runs
	var over []*Span
	for _, span := range order {
		above := ancestorsOf(span, byID, found)
		switch {
		case !above.rooted && !ended[span.Trace]:
			waiting = append(waiting, *span)
		case above.run == span:
			at[span.spanID], runs = len(runs), append(runs, spanRun{Span: *span})
		case span.Of == SpanOfTool || span.Of == SpanOfModel:
			over = append(over, span)
		}
	}
	for _, span := range over {
		if i := ownerOf(span, found[span.spanID].run, at, runs); i >= 0 {
			runs[i].within = append(runs[i].within, *span)
		}
	}
	return runs, waiting
}

// ancestors describes the spans above a span.
type ancestors struct {
	run    *Span // the outermost run, which may be the span itself; nil: none
	rooted bool  // whether all spans up to the first one in its process are known
}

func ancestorsOf(span *Span, byID map[spanID]*Span, found map[spanID]*ancestors) *ancestors {
	if known := found[span.spanID]; known != nil {
		return known // still empty if the span is its own ancestor
	}
	above := &ancestors{rooted: span.Root}
	found[span.spanID] = above
	if parent := byID[spanID{span.Trace, span.Parent}]; parent != nil && !span.Root {
		*above = *ancestorsOf(parent, byID, found)
	}
	if above.run == nil && span.Of == SpanOfRun {
		above.run = span
	}
	return above
}

// ownerOf returns the index of the run that a span belongs to: the run above it, or, if spans
// between them are missing, the run during which it began; -1: none.
func ownerOf(span, run *Span, at map[spanID]int, runs []spanRun) int {
	if run != nil {
		if i, ok := at[run.spanID]; ok {
			return i
		}
		return -1
	}
	return slices.IndexFunc(runs, func(r spanRun) bool {
		return r.Trace == span.Trace && r.Start <= span.Start && span.Start <= r.End
	})
}

// episode builds the episode of a run, and returns how many steps it leaves out.
func (r *spanRun) episode(groupID string) (_ annals.Episode, left int, _ error) {
	each.Sort(r.within, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	run := graph.Run{
		Task: r.Task, Agent: r.Agent, Outcome: r.Outcome, Error: r.Error, Score: r.Score, DurationMS: r.milliseconds(), Environment: r.Environment,
	}
	for _, span := range r.within {
		switch span.Of {
		case SpanOfTool:
			run.Steps = append(run.Steps, span.step())
		case SpanOfModel:
			run.InputTokens, run.OutTokens = run.InputTokens+span.InputTokens, run.OutTokens+span.OutputTokens
			run.Task = cmp.Or(run.Task, span.Task)
		}
	}
	if run.InputTokens == 0 && run.OutTokens == 0 {
		run.InputTokens, run.OutTokens = r.InputTokens, r.OutputTokens
	}
	if run.Task == "" {
		return annals.Episode{}, 0, graph.Invalid("task", "the run has none; set the attribute annals.task of its span, or have gen_ai.input.messages captured")
	}
	if left = max(0, len(run.Steps)-graph.MaxRunSteps); left > 0 {
		run.Steps = run.Steps[:graph.MaxRunSteps]
	}
	var occurred time.Time
	if r.Start > 0 {
		occurred = time.UnixMicro(r.Start).UTC()
	}
	episode, err := RunEpisode(run, groupID, occurred)
	episode.ThreadID, episode.ExternalID = r.Thread, "otlp:"+r.Trace+":"+r.ID
	return episode, left, err
}

// shortAction is the length in bytes to which actions are cut if a run is too long.
const shortAction = 300

// RunEpisode is [graph.Run.Episode], but shortens a run that is too long. It drops the results of
// steps first, then their arguments, then it cuts their actions: actions say more than results.
func RunEpisode(run graph.Run, groupID string, occurred time.Time) (episode annals.Episode, err error) {
	run.Steps = slices.Clone(run.Steps)
	for _, shorten := range []func(*graph.RunStep){
		func(*graph.RunStep) {}, func(s *graph.RunStep) { s.Result = "" }, func(s *graph.RunStep) { s.Arguments = nil },
		func(s *graph.RunStep) { s.Action = strings.ToValidUTF8(s.Action[:min(len(s.Action), shortAction)], "") },
	} {
		for i := range run.Steps {
			shorten(&run.Steps[i])
		}
		if episode, err = run.Episode(groupID, occurred); err != nil || len(episode.Content) <= graph.MaxContent {
			break
		}
	}
	return episode, err
}

func (s *Span) step() graph.RunStep {
	step := graph.RunStep{Tool: s.Tool, Result: s.Result, Error: s.Error, DurationMS: s.milliseconds()}
	if s.Arguments != "" {
		step.Arguments, _ = json.Marshal(s.Arguments) // a string never fails
	}
	return step
}

func (s *Span) milliseconds() int64 { return max(0, (s.End-s.Start)/1000) }
