package v4

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server/zep/project"
)

// task is the JSON form of a task.
type task struct {
	UUID string `json:"uuid"`
	project.TaskView
	Progress progress    `json:"progress"`
	Error    *failure    `json:"error,omitempty"`
	Result   *taskResult `json:"result,omitempty"`
}

type progress struct {
	Stage string `json:"stage"`
}

// taskResult holds the ids of what a task wrote.
type taskResult struct {
	resultEdge
	HyperedgeUUID string       `json:"hyperedge_uuid,omitempty"`
	Edges         []resultEdge `json:"edges,omitempty"`
}

type resultEdge struct {
	EdgeUUID   string `json:"edge_uuid,omitempty"`
	SourceUUID string `json:"source_node_uuid,omitempty"`
	TargetUUID string `json:"target_node_uuid,omitempty"`
}

// The id of a task contains its type, and the series of episodes that is read, as in version 3, or
// a batch, or, if the task was finished at once, the time of that.
const (
	typeMark  = "~" // after the type
	atMark    = "at."
	batchMark = "batch."
)

// ended makes a handler whose response is a task that is done already.
func ended[What any](kind string, find func(*project.Call) (What, error), do func(What) error) project.Answer {
	return project.On(find, func(what What) (any, error) { return finished(kind, do(what)) })
}

// finished returns a task that is done already.
func finished(kind string, err error) (any, error) {
	return accepted(map[string]any{"task": doneAt(kind, time.Now())}, err)
}

func doneAt(kind string, at time.Time) task {
	at = at.UTC().Truncate(time.Millisecond)
	t := task{
		UUID: kind + typeMark + atMark + strconv.FormatInt(at.UnixMilli(), 36), TaskView: project.DoneTask(kind, at), Progress: progress{"succeeded"},
	}
	t.StartedAt = t.CreatedAt
	return t
}

// readingTask returns the task of reading episodes.
func readingTask(c *project.Call, id, kind string) (task, error) {
	shown, p, err := c.Reading(id, kind)
	t := task{UUID: kind + typeMark + id, TaskView: shown, Progress: progress{project.ProgressText(p)}}
	if shown.Status != "pending" {
		t.StartedAt = shown.CreatedAt
	}
	if shown.Status == "failed" {
		t.Error = &failure{Code: string(graph.StateFailed), Message: p.Error}
		if p.Failed < p.Episodes {
			t.Status = "partial"
		}
	}
	return t, err
}

// withTask adds the task of reading episodes to a response.
func withTask(c *project.Call, out map[string]any, kind, id string, result *taskResult) (map[string]any, error) {
	t, err := readingTask(c, id, kind)
	t.Result = result
	out["task"] = t
	return out, err
}

// batchTask returns the task of processing a batch.
func batchTask(b project.BatchView) task {
	t := task{
		UUID: "batch.process" + typeMark + batchMark + b.BatchID, Progress: progress{b.Status},
		TaskView: project.TaskView{
			Type: "batch.process", Status: b.Status, CreatedAt: b.ProcessedAt, StartedAt: b.ProcessedAt, UpdatedAt: &b.UpdatedAt, CompletedAt: b.CompletedAt,
		},
	}
	if b.Status == "queued" || b.Status == "draft" {
		t.Status = "pending"
	}
	return t
}

func getTask(c *project.Call) (any, error) {
	id := c.PathValue("task")
	kind, rest, ok := strings.Cut(id, typeMark)
	if !ok {
		return nil, project.NoTask(id)
	}
	if when, ok := strings.CutPrefix(rest, atMark); ok {
		ms, err := strconv.ParseInt(when, 36, 64)
		if err != nil || ms < 0 || ms > time.Now().UnixMilli() {
			return nil, project.NoTask(id)
		}
		return doneAt(kind, time.UnixMilli(ms)), nil
	}
	batch, ok := strings.CutPrefix(rest, batchMark)
	if !ok {
		return readingTask(c, rest, kind)
	}
	m, err := c.Project()
	if err != nil {
		return nil, err
	}
	b, err := uuid.Parse(batch)
	if err != nil {
		return nil, project.NoTask(id)
	}
	view, err := project.Batch{Memory: m, UUID: b}.Read()
	return batchTask(view), err
}
