package zep

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

var v4TaskRoutes = []route{
	{"GET", "/tasks/{task}", (*call).v4GetTask},
}

// v4Task is a task as version 4 has it.
type v4Task struct {
	UUID        string        `json:"uuid"`
	Type        string        `json:"type"`
	Status      string        `json:"status"`
	Progress    *v4Progress   `json:"progress,omitempty"`
	Error       *v4Error      `json:"error,omitempty"`
	Result      *v4TaskResult `json:"result,omitempty"`
	CreatedAt   *string       `json:"created_at,omitempty"`
	StartedAt   *string       `json:"started_at,omitempty"`
	UpdatedAt   *string       `json:"updated_at,omitempty"`
	CompletedAt *string       `json:"completed_at,omitempty"`
}

type v4Progress struct {
	Stage string `json:"stage"`
}

// v4TaskResult is what a task wrote.
type v4TaskResult struct {
	EdgeUUID      string         `json:"edge_uuid,omitempty"`
	SourceUUID    string         `json:"source_node_uuid,omitempty"`
	TargetUUID    string         `json:"target_node_uuid,omitempty"`
	HyperedgeUUID string         `json:"hyperedge_uuid,omitempty"`
	Edges         []v4ResultEdge `json:"edges,omitempty"`
}

type v4ResultEdge struct {
	EdgeUUID   string `json:"edge_uuid"`
	SourceUUID string `json:"source_node_uuid"`
	TargetUUID string `json:"target_node_uuid"`
}

// A task of version 4 is known by its type and either by the series of episodes
// that is read, as in version 3, by a batch, or, if it was done at once, by when
// that was.
const (
	typeMark  = "~" // after the type
	atMark    = "at."
	batchMark = "batch."
)

// acceptedTask answers with a task that is done already.
func acceptedTask(kind string) (any, error) {
	return accepted(map[string]any{"task": doneAt(kind, time.Now())})
}

func doneAt(kind string, at time.Time) v4Task {
	when := at.UTC().Truncate(time.Millisecond)
	s := stamp(when)
	return v4Task{
		UUID: kind + typeMark + atMark + strconv.FormatInt(when.UnixMilli(), 36), Type: kind, Status: "succeeded",
		Progress: &v4Progress{"succeeded"}, CreatedAt: &s, StartedAt: &s, UpdatedAt: &s, CompletedAt: &s,
	}
}

// v4TaskOf is a task of reading episodes.
func (c *call) v4TaskOf(id, kind string) (v4Task, error) {
	progress, err := c.progressOf(id)
	if err != nil {
		return v4Task{}, err
	}
	view := reading(id, progress)
	t := v4Task{
		UUID: kind + typeMark + id, Type: kind, Status: view.Status, Progress: &v4Progress{view.Progress.Message},
		CreatedAt: view.CreatedAt, UpdatedAt: view.UpdatedAt, CompletedAt: view.CompletedAt,
	}
	if view.Status != "pending" {
		t.StartedAt = view.CreatedAt
	}
	if view.Error != nil {
		t.Error = &v4Error{Code: view.Error.Code, Message: view.Error.Message}
		if progress.Failed < progress.Episodes {
			t.Status = "partial"
		}
	}
	return t, nil
}

// v4BatchTask is the task of processing a batch.
func v4BatchTask(b service.Batch) v4Task {
	view := batchViewOf(b)
	t := v4Task{
		UUID: "batch.process" + typeMark + batchMark + view.BatchID, Type: "batch.process", Status: view.Status,
		Progress: &v4Progress{view.Status}, CreatedAt: view.ProcessedAt, StartedAt: view.ProcessedAt, UpdatedAt: &view.UpdatedAt, CompletedAt: view.CompletedAt,
	}
	if view.Status == "queued" || view.Status == "draft" {
		t.Status = "pending"
	}
	return t
}

func (c *call) v4GetTask() (any, error) {
	id := c.PathValue("task")
	absent := notFound("task not found: " + id)
	kind, rest, ok := strings.Cut(id, typeMark)
	if !ok {
		return nil, absent
	}
	if when, ok := strings.CutPrefix(rest, atMark); ok {
		ms, err := strconv.ParseInt(when, 36, 64)
		if err != nil || ms < 0 || ms > time.Now().UnixMilli() {
			return nil, absent
		}
		return doneAt(kind, time.UnixMilli(ms)), nil
	}
	if batch, ok := strings.CutPrefix(rest, batchMark); ok {
		_, project, err := c.project()
		if err != nil {
			return nil, err
		}
		id, err := uuid.Parse(batch)
		if err != nil {
			return nil, absent
		}
		b, err := c.all().Batch(c.ctx(), project, id)
		if annals.CodeOf(err) == annals.CodeNotFound && err != nil {
			return nil, absent
		}
		if err != nil {
			return nil, err
		}
		return v4BatchTask(b), nil
	}
	return c.v4TaskOf(rest, kind)
}
