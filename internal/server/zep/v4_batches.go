package zep

import (
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var v4BatchRoutes = []route{
	{"GET", "/batches", (*call).v4ListBatches},
	{"POST", "/batches", v4With((*call).v4AddBatch)},
	{"GET", "/batches/{batch}", on((*call).batch, (*call).v4GetBatch)},
	{"DELETE", "/batches/{batch}", on((*call).batch, (*call).v4DeleteBatch)},
	{"GET", "/batches/{batch}/items", on((*call).batch, (*call).v4ListItems)},
	{"POST", "/batches/{batch}/items", v4With((*call).v4AddItems)},
	{"POST", "/batches/{batch}/process", on((*call).batch, (*call).v4ProcessBatch)},
}

// v4Batch is a batch as version 4 has it.
type v4Batch struct {
	UUID      string           `json:"uuid"`
	Status    string           `json:"status"`
	Metadata  json.RawMessage  `json:"metadata,omitempty"`
	Strict    bool             `json:"strict_ontology"`
	Progress  *v4BatchProgress `json:"progress,omitempty"`
	CreatedAt string           `json:"created_at"`
}

type v4BatchProgress struct {
	Stage      string `json:"stage"`
	Total      int    `json:"total_items"`
	Processing int    `json:"processing_items"`
	Succeeded  int    `json:"succeeded_items"`
	Failed     int    `json:"failed_items"`
}

func v4BatchOf(b batchView) v4Batch {
	view := v4Batch{UUID: b.BatchID, Status: b.Status, Metadata: b.Metadata, CreatedAt: b.CreatedAt}
	if b.ProcessedAt != nil {
		p := b.Progress
		view.Progress = &v4BatchProgress{b.Status, p.Total, p.Processing, p.Succeeded, p.Failed}
	}
	return view
}

func (c *call) v4AddBatch(in struct {
	IgnoreRoles []string        `json:"ignore_roles"`
	Metadata    json.RawMessage `json:"metadata"`
	Strict      bool            `json:"strict_ontology"`
},
) (any, error) {
	c.strict(in.Strict)
	_, project, err := c.project()
	if err != nil {
		return nil, err
	}
	b, err := c.all().CreateBatch(c.ctx(), project, service.Batch{IgnoredRoles: in.IgnoreRoles, Metadata: object(in.Metadata)})
	if err != nil {
		return nil, err
	}
	return created(v4BatchOf(batchViewOf(b)))
}

func (c *call) v4ListBatches() (any, error) {
	s, err := c.stretch4(50, v4MaxPage-1)
	if err != nil {
		return nil, err
	}
	batches, err := c.listedBatches(s.skip, s.size+1)
	return page4(s, batches, func(b service.Batch) v4Batch { return v4BatchOf(batchViewOf(b)) }), err
}

func (c *call) v4GetBatch(project string, id uuid.UUID) (any, error) {
	view, err := c.oneBatch(project, id)
	return v4BatchOf(view), err
}

func (c *call) oneBatch(project string, id uuid.UUID) (batchView, error) {
	b, err := c.all().Batch(c.ctx(), project, id)
	return batchViewOf(b), batchError(err)
}

func (c *call) v4DeleteBatch(project string, id uuid.UUID) (any, error) {
	return noContent(batchError(c.all().DeleteBatch(c.ctx(), project, id)))
}

// v4Item is an item of a batch as version 4 has it.
type v4Item struct {
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

func (c *call) v4Item(i service.BatchItem, batch uuid.UUID) v4Item {
	v := c.itemView(i, batch)
	view := v4Item{
		UUID: v.ItemID, Kind: v.Kind, Status: v.Status, Index: v.Index, EpisodeUUID: v.EpisodeUUID, SourceUUID: v.SourceUUID,
		GraphUUID: v.GraphUUID, CreatedAt: v.CreatedAt,
	}
	if v.Kind == threadMessage {
		view.ThreadUUID, view.UserUUID = threadUUID(i.GroupID, i.ThreadID), v.GraphUUID
	}
	return view
}

func (c *call) v4ListItems(project string, id uuid.UUID) (any, error) {
	s, err := c.stretch4(defaultPage, annals.MaxRows-1)
	if err != nil {
		return nil, err
	}
	items, next, err := c.items(project, id, s.skip, s.size)
	page := v4Page{Items: views(items, func(i service.BatchItem) v4Item { return c.v4Item(i, id) })}
	if next > 0 {
		page.NextCursor = cursor4(next)
	}
	return page, err
}

// v4NewItem is an item to add to a batch.
type v4NewItem struct {
	Kind       string          `json:"type"`
	GraphUUID  string          `json:"graph_uuid"`
	UserUUID   string          `json:"user_uuid"`
	ThreadUUID string          `json:"thread_uuid"`
	Data       string          `json:"data"`
	DataType   string          `json:"data_type"`
	DocumentID string          `json:"document_id"`
	SourceWhat string          `json:"source_description"`
	Content    string          `json:"content"`
	Role       string          `json:"role"`
	Name       string          `json:"name"`
	Metadata   json.RawMessage `json:"metadata"`
	Reference  string          `json:"reference_time"`
}

// item is the item as version 3 has it, beside whom it is for.
func (n v4NewItem) item(thread string) newItem {
	return newItem{
		newData: newData{Data: n.Data, CreatedAt: n.Reference, Metadata: n.Metadata, SourceWhat: n.SourceWhat, DocumentID: n.DocumentID},
		Kind:    n.Kind, DataType: n.DataType, ThreadID: thread, Content: n.Content, Role: n.Role, Name: n.Name,
	}
}

// v4Addressee is the memory that an item goes to, its speaker and its conversation.
type v4Addressee struct {
	addressee
	thread string
	err    error
}

// v4Addressee finds the memory of an item.
func (c *call) v4Addressee(n v4NewItem) (to v4Addressee) {
	switch {
	case n.Kind != threadMessage && n.Kind != graphEpisode:
		to.err = graph.Invalid("items.type", "%q is not one of graph_episode, thread_message", n.Kind)
	case n.Kind == threadMessage && n.ThreadUUID == "":
		to.err = graph.Invalid("items.thread_uuid", "is missing")
	case n.Kind == threadMessage:
		var t service.ThreadPlace
		if to.place, t, to.err = c.threadBy(n.ThreadUUID); to.err == nil {
			to.thread = t.ID
			to.speaker, to.err = c.speakerOf(to.place)
		}
	case (n.GraphUUID == "") == (n.UserUUID == ""):
		to.err = graph.Invalid("items.graph_uuid", "and user_uuid: name one of them")
	case n.UserUUID != "":
		to.place, _, to.err = c.memory("user", n.UserUUID)
	default:
		to.place, _, to.err = c.memory("graph", n.GraphUUID)
	}
	return to
}

func (c *call) v4AddItems(in struct {
	Items []v4NewItem `json:"items"`
},
) (any, error) {
	if len(in.Items) == 0 || len(in.Items) > maxItems {
		return nil, graph.Invalid("items", "are %d; send 1 to %d", len(in.Items), maxItems)
	}
	project, id, err := c.batch()
	if err != nil {
		return nil, err
	}
	var episodes []annals.Episode
	rejected := []map[string]any{}
	known := map[string]v4Addressee{} // items mostly share theirs
	for i, n := range in.Items {
		key := n.Kind + " " + n.GraphUUID + " " + n.UserUUID + " " + n.ThreadUUID
		to, ok := known[key]
		if !ok {
			to = c.v4Addressee(n)
			known[key] = to
		}
		if to.err != nil && problemOf(to.err).Status == http.StatusNotFound {
			rejected = append(rejected, map[string]any{"index": i, "reason": problemOf(to.err).Detail})
			continue
		}
		if to.err != nil {
			return nil, to.err
		}
		e, err := n.item(to.thread).episode(to.addressee)
		if err != nil {
			return nil, err
		}
		episodes = append(episodes, e)
	}
	out := map[string]any{"items": []v4Item{}, "rejected_items": rejected}
	if len(episodes) == 0 {
		return out, nil
	}
	items, err := c.all().AddToBatch(c.ctx(), project, id, episodes)
	if err != nil {
		return nil, batchError(err)
	}
	out["items"] = views(items, func(i service.BatchItem) v4Item { return c.v4Item(i, id) })
	return out, nil
}

func (c *call) v4ProcessBatch(project string, id uuid.UUID) (any, error) {
	if _, err := c.all().ProcessBatch(c.ctx(), project, id); err != nil {
		return nil, batchError(err)
	}
	b, err := c.all().Batch(c.ctx(), project, id)
	if err != nil {
		return nil, batchError(err)
	}
	return accepted(map[string]any{"batch": v4BatchOf(batchViewOf(b)), "task": v4BatchTask(b)})
}
