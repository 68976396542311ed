package v4

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
)

var batchRoutes = project.Routes{
	"GET /batches":                  project.On((*project.Call).Project, listBatches),
	"POST /batches":                 project.OnWith((*project.Call).Project, addBatch),
	"GET /batches/{batch}":          project.On((*project.Call).Batch, getBatch),
	"DELETE /batches/{batch}":       project.On((*project.Call).Batch, removeBatch),
	"GET /batches/{batch}/items":    project.On((*project.Call).Batch, listItems),
	"POST /batches/{batch}/items":   project.OnWith((*project.Call).Batch, addItems),
	"POST /batches/{batch}/process": project.On((*project.Call).Batch, processBatch),
	"GET /tasks/{task}":             getTask,
}

// batchView is the JSON form of a batch.
type batchView struct {
	UUID      string          `json:"uuid"`
	Status    string          `json:"status"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
	Progress  *batchProgress  `json:"progress,omitempty"`
	CreatedAt string          `json:"created_at"`
	strict
}

type batchProgress struct {
	Stage      string `json:"stage"`
	Total      int    `json:"total_items"`
	Processing int    `json:"processing_items"`
	Succeeded  int    `json:"succeeded_items"`
	Failed     int    `json:"failed_items"`
}

func batchViewOf(b project.BatchView) batchView {
	view := batchView{UUID: b.BatchID, Status: b.Status, Metadata: b.Metadata, CreatedAt: b.CreatedAt}
	if b.ProcessedAt != nil {
		p := b.Progress
		view.Progress = &batchProgress{b.Status, p.Total, p.Processing, p.Succeeded, p.Failed}
	}
	return view
}

func addBatch(m project.Memory, in struct {
	project.NewBatch
	strict
},
) (any, error) {
	in.note(m.Call)
	b, err := m.MakeBatch(in.NewBatch)
	return created(batchViewOf(b), err)
}

func listBatches(m project.Memory) (any, error) {
	return ranged(m.Call, ownPage, m.Batches, batchViewOf)
}

func getBatch(b project.Batch) (any, error) {
	view, err := b.Read()
	return batchViewOf(view), err
}

func removeBatch(b project.Batch) (any, error) { return noContent(b.Delete()) }

func processBatch(b project.Batch) (any, error) {
	view, err := b.Process()
	return accepted(map[string]any{"batch": batchViewOf(view), "task": batchTask(view)}, err)
}

// itemView is the JSON form of an item.
type itemView struct {
	UUID        string `json:"uuid"`
	Kind        string `json:"type"`
	Status      string `json:"status"`
	Index       int    `json:"sequence_index"`
	EpisodeUUID string `json:"episode_uuid"`
	SourceUUID  string `json:"source_uuid"`
	ThreadUUID  string `json:"thread_uuid,omitempty"`
	UserUUID    string `json:"user_uuid,omitempty"`
	GraphUUID   string `json:"graph_uuid"`
	CreatedAt   string `json:"created_at"`
}

func itemViewOf(i project.ItemView) itemView {
	view := itemView{
		UUID: i.ItemID, Kind: i.Kind, Status: i.Status, Index: i.Index, EpisodeUUID: i.EpisodeUUID, SourceUUID: i.SourceUUID,
		GraphUUID: i.GraphUUID, CreatedAt: i.CreatedAt,
	}
	if i.Kind == project.ThreadMessage {
		view.ThreadUUID, view.UserUUID = project.ThreadUUID(i.GroupID, i.ThreadID), i.GraphUUID
	}
	return view
}

func listItems(b project.Batch) (any, error) {
	s, err := stretchOf(b.Call, rowsPage, annals.MaxRows-1)
	if err != nil {
		return nil, err
	}
	items, next, err := b.Items(s.skip, s.size)
	p := page{Items: each.Of(items, itemViewOf)}
	if next > 0 {
		p.NextCursor = cursorAt(next)
	}
	return p, err
}

// address names the memory of an item.
type address struct {
	Kind       string `json:"type"`
	GraphUUID  string `json:"graph_uuid"`
	UserUUID   string `json:"user_uuid"`
	ThreadUUID string `json:"thread_uuid"`
}

// newItem is an item to add to a batch.
type newItem struct {
	address
	project.Item
	Reference string `json:"reference_time"`
}

// addressee returns the memory at an address.
func (a address) addressee(c *project.Call) (to project.Addressee, err error) {
	switch {
	case a.Kind != project.ThreadMessage && a.Kind != project.GraphEpisode:
		return to, graph.Invalid("items.type", "%q is not one of graph_episode, thread_message", a.Kind)
	case a.Kind == project.ThreadMessage && a.ThreadUUID == "":
		return to, graph.Invalid("items.thread_uuid", "is missing")
	case a.Kind == project.ThreadMessage:
		t, err := threadBy(c, a.ThreadUUID)
		if err != nil {
			return to, err
		}
		return t.Addressee()
	case (a.GraphUUID == "") == (a.UserUUID == ""):
		return to, graph.Invalid("items.graph_uuid", "and user_uuid: name one of them")
	case a.UserUUID != "":
		u, err := userOf(c, a.UserUUID)
		return project.Addressee{Memory: u.Memory}, err
	}
	g, err := graphOf(c, "graph", a.GraphUUID)
	return project.Addressee{Memory: g.Memory}, err
}

// addItems adds items to a batch. Items whose memory does not exist are rejected.
func addItems(b project.Batch, in struct {
	Items []newItem `json:"items"`
},
) (any, error) {
	if err := project.Counted("items", len(in.Items), project.MaxItems); err != nil {
		return nil, err
	}
	var episodes []annals.Episode
	rejected := []map[string]any{}
	known := project.Addressees[address]{}
	for i, n := range in.Items {
		n.At = n.Reference
		e, err := known.Episode(n.Item, n.address, func() (project.Addressee, error) { return n.addressee(b.Call) })
		if err == nil {
			episodes = append(episodes, e)
			continue
		}
		p := project.ProblemOf(err)
		if p.Status != http.StatusNotFound {
			return nil, err
		}
		rejected = append(rejected, map[string]any{"index": i, "reason": p.Detail})
	}
	added := []project.ItemView{}
	if len(episodes) > 0 {
		var err error
		if added, err = b.Add(episodes); err != nil {
			return nil, err
		}
	}
	return map[string]any{"items": each.Of(added, itemViewOf), "rejected_items": rejected}, nil
}

// task is the JSON form of a task.
type task struct {
	UUID string `json:"uuid"`
	project.TaskView
	Progress map[string]string `json:"progress"`
	Error    *failure          `json:"error,omitempty"`
	Result   *taskResult       `json:"result,omitempty"`
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

func stage(text string) map[string]string { return map[string]string{"stage": text} }

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
		UUID: kind + typeMark + atMark + strconv.FormatInt(at.UnixMilli(), 36), TaskView: project.DoneTask(kind, at), Progress: stage("succeeded"),
	}
	t.StartedAt = t.CreatedAt
	return t
}

// readingTask returns the task of reading episodes.
func readingTask(c *project.Call, id, kind string) (task, error) {
	shown, p, err := c.Reading(id, kind)
	t := task{UUID: kind + typeMark + id, TaskView: shown, Progress: stage(project.ProgressText(p))}
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
		UUID: "batch.process" + typeMark + batchMark + b.BatchID, Progress: stage(b.Status),
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
	b, err := c.BatchOf(batch)
	if err != nil {
		return nil, err
	}
	view, err := b.Read()
	return batchTask(view), err
}
