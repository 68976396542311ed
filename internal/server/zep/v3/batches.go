package v3

import (
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
)

var batchRoutes = project.Routes{
	"GET /batches":                  project.On((*project.Call).Project, listBatches),
	"POST /batches":                 project.OnWith((*project.Call).Project, project.Memory.MakeBatch),
	"GET /batches/{batch}":          project.On((*project.Call).Batch, project.Batch.Read),
	"DELETE /batches/{batch}":       ended((*project.Call).Batch, project.Batch.Delete),
	"GET /batches/{batch}/items":    project.On((*project.Call).Batch, listItems),
	"POST /batches/{batch}/items":   project.OnWith((*project.Call).Batch, addItems),
	"POST /batches/{batch}/process": project.On((*project.Call).Batch, project.Batch.Process),
	"GET /tasks/{task}":             getTask,
}

func listBatches(m project.Memory) (any, error) {
	skip, limit, err := stretch(m.Call, 50, annals.MaxRows)
	if err != nil {
		return nil, err
	}
	batches, err := m.Batches(skip, limit)
	answer := map[string]any{"batches": batches}
	if len(batches) == limit {
		answer["next_cursor"] = skip + limit
	}
	return answer, err
}

func listItems(b project.Batch) (any, error) {
	from, limit, err := stretch(b.Call, 100, annals.MaxRows)
	if err != nil {
		return nil, err
	}
	items, next, err := b.Items(from, limit)
	answer := map[string]any{"items": items}
	if next > 0 {
		answer["next_cursor"] = next
	}
	return answer, err
}

// address names the memory of an item.
type address struct {
	target
	Kind     string `json:"type"`
	ThreadID string `json:"thread_id"`
}

// newItem is an item to add to a batch.
type newItem struct {
	address
	project.Item
	CreatedAt string `json:"created_at"`
}

func addItems(b project.Batch, in struct {
	Items []newItem `json:"items"`
},
) (any, error) {
	if err := project.Counted("items", len(in.Items), project.MaxItems); err != nil {
		return nil, err
	}
	known := project.Addressees[address]{}
	episodes, err := each.Try(in.Items, func(n newItem) (annals.Episode, error) {
		n.At = n.CreatedAt
		return known.Episode(n.Item, n.address, func() (project.Addressee, error) { return n.addressee(b.Call) })
	})
	if err != nil {
		return nil, err
	}
	return b.Add(episodes)
}

// addressee returns the memory at an address.
func (a address) addressee(c *project.Call) (to project.Addressee, err error) {
	switch a.Kind {
	case project.ThreadMessage:
		t, err := c.HasThread(a.ThreadID)
		if err != nil {
			return to, err
		}
		return t.Addressee()
	case project.GraphEpisode:
		to.Memory, err = c.Either(a.UserID, a.GraphID)
		return to, err
	}
	return to, graph.Invalid("type", "%q is not one of graph_episode, thread_message", a.Kind)
}

// The ids of tasks that were finished at once begin with these.
const (
	cloneMark = "clone."
	doneMark  = "done."
)

// taskView is the JSON form of a task.
type taskView struct {
	TaskID string `json:"task_id"`
	project.TaskView
	Progress map[string]string `json:"progress,omitempty"`
	Error    map[string]string `json:"error,omitempty"`
	Params   map[string]any    `json:"params,omitempty"`
}

func getTask(c *project.Call) (any, error) {
	id := c.PathValue("task")
	for kind, mark := range map[string]string{"clone_graph": cloneMark, "add_nodes": doneMark} {
		if local, ok := strings.CutPrefix(id, mark); ok {
			g, err := c.Existing(graph.UnescapeGroupID(local))
			if err != nil {
				return nil, project.NoTask(id)
			}
			return taskView{TaskID: id, TaskView: project.DoneTask(kind, g.Group.CreatedAt)}, nil
		}
	}
	shown, p, err := c.Reading(id, "process_episodes")
	view := taskView{
		TaskID: id, TaskView: shown, Params: map[string]any{"episodes": p.Episodes, "done": p.Done, "failed": p.Failed},
		Progress: map[string]string{"stage": shown.Status, "message": project.ProgressText(p)},
	}
	if shown.Status == "failed" {
		view.Error = map[string]string{"code": string(graph.StateFailed), "message": p.Error}
	}
	return view, err
}
