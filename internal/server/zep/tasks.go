package zep

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var taskRoutes = []route{
	{"GET", "/tasks/{task}", (*call).getTask},
}

// A task is the reading of a series of episodes. Its id names the first, the
// last and their group, so that it needs no storage. Tasks that are done at
// once have ids that say so.
const (
	cloneMark = "clone."
	doneMark  = "done."
)

func taskOf(first, last uuid.UUID, local string) string {
	return first.String() + "." + last.String() + "." + graph.EscapeGroupID(local)
}
func cloneTask(local string) string { return cloneMark + graph.EscapeGroupID(local) }
func doneTask(local string) string  { return doneMark + graph.EscapeGroupID(local) }

// taskView is a task on the wire.
type taskView struct {
	TaskID      string         `json:"task_id"`
	Type        string         `json:"type"`
	Status      string         `json:"status"`
	Progress    *progressView  `json:"progress,omitempty"`
	Error       *taskError     `json:"error,omitempty"`
	Params      map[string]any `json:"params,omitempty"`
	CreatedAt   *string        `json:"created_at,omitempty"`
	StartedAt   *string        `json:"started_at,omitempty"`
	UpdatedAt   *string        `json:"updated_at,omitempty"`
	CompletedAt *string        `json:"completed_at,omitempty"`
}

type progressView struct {
	Stage   string `json:"stage"`
	Message string `json:"message"`
}

type taskError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (c *call) getTask() (any, error) {
	id := c.PathValue("task")
	absent := notFound("task not found: " + id)
	for kind, mark := range map[string]string{"clone_graph": cloneMark, "add_nodes": doneMark} {
		if local, ok := strings.CutPrefix(id, mark); ok {
			g, err := c.existing(graph.UnescapeGroupID(local))
			if err != nil {
				return nil, absent
			}
			at := stampOr(g.CreatedAt)
			return taskView{TaskID: id, Type: kind, Status: "succeeded", CreatedAt: at, CompletedAt: at, UpdatedAt: at}, nil
		}
	}
	progress, err := c.progressOf(id)
	if err != nil {
		return nil, err
	}
	return reading(id, progress), nil
}

// progressOf tells how far the reading of the episodes of a task has come.
func (c *call) progressOf(id string) (service.Progress, error) {
	absent := notFound("task not found: " + id)
	parts := strings.SplitN(id, ".", 3)
	if len(parts) != 3 {
		return service.Progress{}, absent
	}
	first, err1 := uuid.Parse(parts[0])
	last, err2 := uuid.Parse(parts[1])
	g, err := c.existing(graph.UnescapeGroupID(parts[2]))
	if err1 != nil || err2 != nil || err != nil {
		return service.Progress{}, absent
	}
	p, err := c.in(g.ID)
	if err != nil {
		return service.Progress{}, err
	}
	progress, err := p.Progress(c.ctx(), g.ID, first, last)
	if err == nil && progress.Episodes == 0 {
		return progress, absent
	}
	return progress, err
}

// existing returns a group that the key opens.
func (c *call) existing(local string) (annals.Group, error) {
	group, err := c.realm.group("task", local)
	if err != nil {
		return annals.Group{}, err
	}
	p, err := c.in(group)
	if err != nil {
		return annals.Group{}, err
	}
	return p.Group(c.ctx(), group)
}

// reading returns the task of reading episodes.
func reading(id string, p service.Progress) taskView {
	view := taskView{
		TaskID: id, Type: "process_episodes", Status: "pending", CreatedAt: stampOr(p.CreatedAt),
		Params: map[string]any{"episodes": p.Episodes, "done": p.Done, "failed": p.Failed},
	}
	switch {
	case p.Ended() && p.Failed > 0:
		view.Status = "failed"
		view.Error = &taskError{Code: string(graph.StateFailed), Message: p.Error}
	case p.Ended():
		view.Status = "succeeded"
	case p.Done+p.Processing > 0:
		view.Status = "processing"
	}
	view.Progress = &progressView{Stage: view.Status, Message: progressText(p)}
	at := p.ProcessedAt
	if at.Year() <= 1 {
		at = time.Time{}
	}
	if view.UpdatedAt = stampOr(at); view.UpdatedAt == nil {
		view.UpdatedAt = view.CreatedAt
	}
	if p.Ended() {
		view.CompletedAt = view.UpdatedAt
	}
	return view
}

func progressText(p service.Progress) string {
	return strings.Join([]string{counted(p.Done, "read"), counted(p.Failed, "failed"), counted(p.Episodes-p.Done-p.Failed-p.Deferred, "waiting")}, ", ")
}

func counted(n int, what string) string { return strconv.Itoa(n) + " " + what }
