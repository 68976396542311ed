package v4

import (
	"encoding/json"
	"net/http"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
)

var batchRoutes = project.Routes{
	"GET /batches":                  listBatches,
	"POST /batches":                 project.With(addBatch),
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

func addBatch(c *project.Call, in struct {
	project.NewBatch
	strict
},
) (any, error) {
	in.note(c)
	b, err := c.MakeBatch(in.NewBatch)
	return created(batchViewOf(b), err)
}

func listBatches(c *project.Call) (any, error) {
	return ranged(c, ownPage, c.Batches, batchViewOf)
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
