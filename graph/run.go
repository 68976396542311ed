package graph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxRunSteps is the most steps of a run.
const MaxRunSteps = 500

// The other limits on a run.
const (
	maxRunTask = 2000 // bytes
	maxRunText = 2000 // bytes kept of a result or an error
	maxRunEnv  = 50   // entries of the environment
)

// Run is the record of an agent's work on a task and its outcome. Skills are learned from
// runs. A run is stored as an episode with the source [SourceRun]; see [Run.Episode].
type Run struct {
	Task        string            `json:"task" minLength:"1" maxLength:"2000" doc:"What was to be done, in words" example:"Deploy billing to staging"`
	Agent       string            `json:"agent,omitempty" maxLength:"512" doc:"Who did it"`
	Steps       []RunStep         `json:"steps,omitempty" maxItems:"500" doc:"What was done, in order"`
	Outcome     string            `json:"outcome,omitempty" enum:"success,failure,unknown" doc:"How it ended; left out: unknown, from which nothing is learned"`
	Error       string            `json:"error,omitempty" doc:"Why it failed; 2,000 bytes are kept"`
	Score       *float64          `json:"score,omitempty" minimum:"0" maximum:"1" doc:"How well it was done"`
	JudgedBy    string            `json:"judged_by,omitempty" maxLength:"512" doc:"Who says how it ended: a user, a test, the agent itself"`
	DurationMS  int64             `json:"duration_ms,omitempty" minimum:"0" doc:"Milliseconds that it took"`
	InputTokens int64             `json:"input_tokens,omitempty" minimum:"0" doc:"Tokens that models read"`
	OutTokens   int64             `json:"output_tokens,omitempty" minimum:"0" doc:"Tokens that models wrote"`
	Environment map[string]string `json:"environment,omitempty" doc:"Where it was done, at most 50 entries: repository, branch, commit, versions of tools"`
}

// RunStep is one action of an agent in a run.
type RunStep struct {
	Action     string          `json:"action,omitempty" doc:"What was done, in words; 2,000 bytes are kept"`
	Tool       string          `json:"tool,omitempty" maxLength:"512" doc:"The tool that was called"`
	Arguments  json.RawMessage `json:"arguments,omitempty" doc:"What it was called with: an object, or a command as text; beyond 4,000 bytes it is left out"`
	Result     string          `json:"result,omitempty" doc:"What came out; 2,000 bytes are kept"`
	Error      string          `json:"error,omitempty" doc:"Why it failed; left out: it did not"`
	DurationMS int64           `json:"duration_ms,omitempty" minimum:"0" doc:"Milliseconds that it took"`
}

// Episode returns the episode that stores the run in a group; add it like any other. Long
// results are cut. It fails with [CodeInvalid] if the run has no task or exceeds a limit.
func (r Run) Episode(groupID string, occurredAt time.Time) (Episode, error) {
	r = r.shortened()
	if err := r.validate(); err != nil {
		return Episode{}, err
	}
	var content bytes.Buffer
	encoder := json.NewEncoder(&content)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil {
		return Episode{}, Invalid("steps", "cannot be written as JSON: %v", err)
	}
	return Episode{
		GroupID: groupID, Source: SourceRun, Content: strings.TrimSuffix(content.String(), "\n"), Actor: r.Agent, OccurredAt: occurredAt,
	}, nil
}

// shortened cuts long texts, and decodes arguments that are JSON in a string.
func (r Run) shortened() Run {
	r.Task, r.Error = strings.TrimSpace(r.Task), cutText(r.Error)
	steps := make([]RunStep, len(r.Steps))
	for i, s := range r.Steps {
		s.Action, s.Result, s.Error = cutText(s.Action), cutText(s.Result), cutText(s.Error)
		var text string
		if json.Unmarshal(s.Arguments, &text) == nil && strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text)) {
			s.Arguments = json.RawMessage(text)
		}
		if len(s.Arguments) > 2*maxRunText || string(s.Arguments) == "null" || bytes.Contains(s.Arguments, []byte(`\u0000`)) {
			s.Arguments = nil
		}
		steps[i] = s
	}
	r.Steps = steps
	return r
}

func cutText(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
	if len(s) <= maxRunText {
		return s
	}
	s = s[:maxRunText]
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s + " …"
}

func (r Run) validate() error {
	switch {
	case r.Task == "":
		return Invalid("task", "is empty; say what was to be done")
	case len(r.Steps) > MaxRunSteps:
		return Invalid("steps", "has %d steps; the limit is %d", len(r.Steps), MaxRunSteps)
	case len(r.Environment) > maxRunEnv:
		return Invalid("environment", "has %d entries; the limit is %d", len(r.Environment), maxRunEnv)
	case r.Outcome != "" && r.Outcome != "success" && r.Outcome != "failure" && r.Outcome != "unknown":
		return Invalid("outcome", "%q is not one of success, failure, unknown", r.Outcome)
	case r.Score != nil && !(*r.Score >= 0 && *r.Score <= 1):
		return Invalid("score", "is %g; it must be 0 to 1", *r.Score)
	}
	if err := ValidateText("task", r.Task, maxRunTask); err != nil {
		return err
	}
	texts := []text{{"agent", r.Agent}, {"judged_by", r.JudgedBy}}
	for i, s := range r.Steps {
		if s.Action == "" && s.Tool == "" {
			return Invalid(fmt.Sprintf("steps[%d]", i), "has neither an action nor a tool")
		}
		texts = append(texts, text{fmt.Sprintf("steps[%d].tool", i), s.Tool})
	}
	for name, value := range r.Environment {
		texts = append(texts, text{"environment", name}, text{"environment." + name, value})
	}
	return validateNames(texts...)
}

// validateRun checks the content of an episode with the source run.
func validateRun(content string) error {
	var r Run
	decoder := json.NewDecoder(strings.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return Invalid("content", "is not the record of a run: %v; it is a JSON object with task, steps and outcome", err)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal([]byte(content), &keys); err != nil || keys["task"] == nil {
		return Invalid("content", "is not the record of a run: one JSON object with task, in small letters, and nothing after it")
	}
	if strings.Contains(content, `\u0000`) {
		return Invalid("content", "holds a NUL character, which text cannot; remove it")
	}
	r.Task = strings.TrimSpace(r.Task)
	return r.validate()
}
