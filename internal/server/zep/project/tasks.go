package project

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// A task is the reading of a series of episodes. Its id contains the first and the last of them and
// their group, so it needs no storage.

// TaskOf returns the id of the task of reading a series of episodes.
func (m Memory) TaskOf(first, last uuid.UUID) string {
	return first.String() + "." + last.String() + "." + graph.EscapeGroupID(m.Call.Local(m.ID))
}

// TaskView is the JSON form of a task, as far as it is the same in all generations.
type TaskView struct {
	Type        string  `json:"type"`
	Status      string  `json:"status"`
	CreatedAt   *string `json:"created_at,omitempty"`
	StartedAt   *string `json:"started_at,omitempty"`
	UpdatedAt   *string `json:"updated_at,omitempty"`
	CompletedAt *string `json:"completed_at,omitempty"`
}

// DoneTask returns a task that was finished at once.
func DoneTask(kind string, at time.Time) TaskView {
	s := StampOr(at)
	return TaskView{Type: kind, Status: "succeeded", CreatedAt: s, UpdatedAt: s, CompletedAt: s}
}

// NoTask returns the error for an unknown task.
func NoTask(id string) error { return NotFound("task not found: " + id) }

// Reading returns the progress of a task of reading episodes.
func (c *Call) Reading(id, kind string) (view TaskView, progress service.Progress, err error) {
	parts := strings.SplitN(id, ".", 3)
	if len(parts) != 3 {
		return view, progress, NoTask(id)
	}
	first, err1 := uuid.Parse(parts[0])
	last, err2 := uuid.Parse(parts[1])
	g, err := c.Existing(graph.UnescapeGroupID(parts[2]))
	if err1 != nil || err2 != nil || err != nil {
		return view, progress, NoTask(id)
	}
	progress, err = g.Service.Progress(c.Context(), g.ID, first, last)
	if err == nil && progress.Episodes == 0 {
		err = NoTask(id)
	}
	return reading(kind, progress), progress, err
}

// Existing returns a user or a graph by their name in the project.
func (c *Call) Existing(local string) (g Graph, err error) {
	group, err := c.group("task", local)
	if err != nil {
		return g, err
	}
	return c.Open("task", local, group)
}

// reading returns the JSON form of a task of reading.
func reading(kind string, p service.Progress) TaskView {
	view := TaskView{Type: kind, Status: "pending", CreatedAt: StampOr(p.CreatedAt)}
	switch {
	case p.Ended() && p.Failed > 0:
		view.Status = "failed"
	case p.Ended():
		view.Status = "succeeded"
	case p.Done+p.Processing > 0:
		view.Status = "processing"
	}
	view.UpdatedAt = view.CreatedAt
	if p.ProcessedAt.Year() > 1 {
		view.UpdatedAt = StampOr(p.ProcessedAt)
	}
	if p.Ended() {
		view.CompletedAt = view.UpdatedAt
	}
	return view
}

// ProgressText describes the progress of reading in words.
func ProgressText(p service.Progress) string {
	return fmt.Sprintf("%d read, %d failed, %d waiting", p.Done, p.Failed, p.Episodes-p.Done-p.Failed-p.Deferred)
}
