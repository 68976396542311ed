package zep

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var batchRoutes = []route{
	{"GET", "/batches", (*call).listBatches},
	{"POST", "/batches", with((*call).addBatch)},
	{"GET", "/batches/{batch}", on((*call).batch, (*call).getBatch)},
	{"DELETE", "/batches/{batch}", on((*call).batch, (*call).deleteBatch)},
	{"GET", "/batches/{batch}/items", (*call).listBatchItems},
	{"POST", "/batches/{batch}/items", with((*call).addBatchItems)},
	{"POST", "/batches/{batch}/process", on((*call).batch, (*call).processBatch)},
}

// batchView is a batch on the wire.
type batchView struct {
	BatchID     string          `json:"batch_id"`
	Status      string          `json:"status"`
	ItemCount   int             `json:"item_count"`
	IgnoreRoles []string        `json:"ignore_roles"`
	Metadata    json.RawMessage `json:"metadata,omitempty"`
	Progress    batchProgress   `json:"progress"`
	CreatedAt   string          `json:"created_at"`
	UpdatedAt   string          `json:"updated_at"`
	ProcessedAt *string         `json:"processed_at,omitempty"`
	CompletedAt *string         `json:"completed_at,omitempty"`
}

type batchProgress struct {
	Total      int     `json:"total_items"`
	Queued     int     `json:"queued_items"`
	Processing int     `json:"processing_items"`
	Succeeded  int     `json:"succeeded_items"`
	Failed     int     `json:"failed_items"`
	Skipped    int     `json:"skipped_items"`
	Canceled   int     `json:"canceled_items"`
	Percent    float64 `json:"percent_complete"`
}

// The states of an item.
const (
	itemPending    = "pending"
	itemQueued     = "queued"
	itemProcessing = "processing"
	itemSucceeded  = "succeeded"
	itemFailed     = "failed"
	itemSkipped    = "skipped"
)

func itemState(i service.BatchItem) string {
	switch {
	case i.State == "":
		return itemPending
	case i.Deferred:
		return itemSkipped
	case i.State == graph.StateDone:
		return itemSucceeded
	case i.State == graph.StateFailed:
		return itemFailed
	case i.State == graph.StateProcessing:
		return itemProcessing
	}
	return itemQueued
}

func progressOf(p service.Progress) batchProgress {
	out := batchProgress{Total: p.Episodes, Processing: p.Processing, Succeeded: p.Done, Failed: p.Failed, Skipped: p.Deferred}
	out.Queued = out.Total - out.Processing - out.ended()
	if out.Total > 0 {
		out.Percent = 100 * float64(out.ended()) / float64(out.Total)
	}
	return out
}

// ended counts the items that are finished, one way or another.
func (p batchProgress) ended() int { return p.Succeeded + p.Failed + p.Skipped }

func batchViewOf(b service.Batch) batchView {
	p := progressOf(b.Progress)
	view := batchView{
		BatchID: b.ID.String(), Status: string(b.State), ItemCount: b.Items, IgnoreRoles: b.IgnoredRoles, Metadata: b.Metadata, Progress: p,
		CreatedAt: stamp(b.CreatedAt), UpdatedAt: stamp(b.UpdatedAt), ProcessedAt: stampOr(b.ProcessedAt),
	}
	if !b.ProcessedAt.IsZero() && p.ended() == p.Total {
		last := b.ProcessedAt
		if b.Progress.ProcessedAt.After(last) {
			last = b.Progress.ProcessedAt
		}
		view.CompletedAt = stampOr(last)
	}
	return view
}

// batchError turns errors about batches into the statuses that the clients have
// types for.
func batchError(err error) error {
	switch annals.CodeOf(err) {
	case annals.CodeConflict:
		return conflict(problemOf(err).Detail)
	case annals.CodeNotFound:
		return notFound(problemOf(err).Detail)
	}
	return err
}

func (c *call) addBatch(in struct {
	IgnoreRoles []string        `json:"ignore_roles"`
	Metadata    json.RawMessage `json:"metadata"`
},
) (any, error) {
	_, project, err := c.project()
	if err != nil {
		return nil, err
	}
	b, err := c.all().CreateBatch(c.ctx(), project, service.Batch{IgnoredRoles: in.IgnoreRoles, Metadata: object(in.Metadata)})
	return batchViewOf(b), err
}

// listedBatches lists the batches that the request asks for.
func (c *call) listedBatches(skip, limit int) ([]service.Batch, error) {
	_, project, err := c.project()
	if err != nil {
		return nil, err
	}
	return c.all().Batches(c.ctx(), project, service.BatchState(c.URL.Query().Get("status")), skip, limit)
}

func (c *call) listBatches() (any, error) {
	skip, limit, err := c.stretch(50, annals.MaxRows)
	if err != nil {
		return nil, err
	}
	batches, err := c.listedBatches(skip, limit)
	if err != nil {
		return nil, err
	}
	answer := map[string]any{"batches": views(batches, batchViewOf)}
	if len(batches) == limit {
		answer["next_cursor"] = skip + limit
	}
	return answer, nil
}

// batch returns the namespace and the id of the batch that the path names.
func (c *call) batch() (string, uuid.UUID, error) {
	_, project, err := c.project()
	if err != nil {
		return "", uuid.Nil, err
	}
	id, err := uuid.Parse(c.PathValue("batch"))
	if err != nil {
		return "", id, notFound("batch not found: " + c.PathValue("batch"))
	}
	return project, id, nil
}

func (c *call) getBatch(project string, id uuid.UUID) (any, error) {
	return c.oneBatch(project, id)
}

func (c *call) deleteBatch(project string, id uuid.UUID) (any, error) {
	if err := c.all().DeleteBatch(c.ctx(), project, id); err != nil {
		return nil, batchError(err)
	}
	return done, nil
}

// itemView is an item of a batch on the wire.
type itemView struct {
	ItemID      string            `json:"item_id"`
	Index       int               `json:"sequence_index"`
	Kind        string            `json:"kind"`
	Status      string            `json:"status"`
	EpisodeUUID string            `json:"episode_uuid"`
	SourceUUID  string            `json:"source_uuid"`
	UserID      string            `json:"user_id,omitempty"`
	GraphID     string            `json:"graph_id,omitempty"`
	ThreadID    string            `json:"thread_id,omitempty"`
	DocumentID  string            `json:"document_id,omitempty"`
	GraphUUID   string            `json:"graph_uuid"`
	Error       map[string]string `json:"error,omitempty"`
	CreatedAt   string            `json:"created_at"`
	UpdatedAt   string            `json:"updated_at"`
}

const (
	threadMessage = "thread_message"
	graphEpisode  = "graph_episode"
)

func (c *call) itemView(i service.BatchItem, batch uuid.UUID) itemView {
	view := itemView{
		ItemID: named("item", batch.String(), strconv.Itoa(i.Place)), Index: i.Place, Kind: graphEpisode, Status: itemState(i),
		EpisodeUUID: i.EpisodeID.String(), SourceUUID: i.EpisodeID.String(), ThreadID: i.ThreadID, GraphUUID: groupUUID(i.GroupID),
		CreatedAt: stamp(i.CreatedAt), UpdatedAt: stamp(i.UpdatedAt),
	}
	if i.ThreadID != "" && i.Source == graph.SourceMessage {
		view.Kind, view.UserID = threadMessage, c.realm.local(i.GroupID)
	} else {
		view.GraphID = c.realm.local(i.GroupID)
	}
	if isDocument(i.ThreadID) {
		view.DocumentID, view.ThreadID = strings.TrimPrefix(i.ThreadID, documentMark), ""
	}
	if i.Error != "" {
		view.Error = map[string]string{"message": i.Error}
	}
	return view
}

// itemsIn says which items are in a state of the wire.
func itemsIn(status string) (l service.BatchItemList, known bool) {
	added, deferred := graph.StatePending, status == itemSkipped
	switch status {
	case "":
		return l, true
	case itemSkipped:
		return service.BatchItemList{Deferred: &deferred}, true
	case itemPending:
		added = ""
	case itemQueued:
	case itemProcessing:
		added = graph.StateProcessing
	case itemSucceeded:
		added = graph.StateDone
	case itemFailed:
		added = graph.StateFailed
	default:
		return l, false
	}
	return service.BatchItemList{State: &added, Deferred: &deferred}, true
}

// items lists so many items of a batch from a place on, in the state that the
// request asks for, and says at which place the next page begins; zero: there is
// none.
func (c *call) items(project string, id uuid.UUID, from, limit int) (items []service.BatchItem, next int, err error) {
	l, known := itemsIn(c.URL.Query().Get("status"))
	if !known {
		return nil, 0, nil
	}
	l.From, l.Limit = from, limit
	if items, err = c.all().BatchItems(c.ctx(), project, id, l); err != nil {
		return nil, 0, batchError(err)
	}
	if len(items) == limit {
		next = items[limit-1].Place + 1
	}
	return items, next, nil
}

func (c *call) listBatchItems() (any, error) {
	from, limit, err := c.stretch(100, annals.MaxRows)
	if err != nil {
		return nil, err
	}
	project, id, err := c.batch()
	if err != nil {
		return nil, err
	}
	items, next, err := c.items(project, id, from, limit)
	answer := map[string]any{"items": views(items, func(i service.BatchItem) itemView { return c.itemView(i, id) })}
	if next > 0 {
		answer["next_cursor"] = next
	}
	return answer, err
}

// newItem is an item to add to a batch.
type newItem struct {
	target
	newData
	Kind     string `json:"type"`
	DataType string `json:"data_type"`
	ThreadID string `json:"thread_id"`
	Content  string `json:"content"`
	Role     string `json:"role"`
	Name     string `json:"name"`
}

const maxItems = 1000 // of one request

func (c *call) addBatchItems(in struct {
	Items []newItem `json:"items"`
},
) (any, error) {
	if len(in.Items) == 0 || len(in.Items) > maxItems {
		return nil, graph.Invalid("items", "are %d; send 1 to %d", len(in.Items), maxItems)
	}
	project, id, err := c.batch()
	if err != nil {
		return nil, err
	}
	episodes := make([]annals.Episode, len(in.Items))
	known := map[string]addressee{}
	for i, item := range in.Items {
		to, err := c.addressee(item, known)
		if err != nil {
			return nil, err
		}
		if episodes[i], err = item.episode(to); err != nil {
			return nil, err
		}
	}
	items, err := c.all().AddToBatch(c.ctx(), project, id, episodes)
	if err != nil {
		return nil, batchError(err)
	}
	return views(items, func(i service.BatchItem) itemView { return c.itemView(i, id) }), nil
}

// addressee is the memory that an item goes to, and its speaker.
type addressee struct {
	place
	speaker string
}

// addressee finds the memory of an item, once for all items of a request that
// share it.
func (c *call) addressee(item newItem, known map[string]addressee) (to addressee, err error) {
	key := strings.Join([]string{item.Kind, item.ThreadID, item.UserID, item.GraphID}, "\x00")
	if to, ok := known[key]; ok {
		return to, nil
	}
	switch item.Kind {
	case threadMessage:
		if to.place, err = c.thread(item.ThreadID); err == nil {
			to.speaker, err = c.speakerOf(to.place)
		}
	case graphEpisode:
		to.place, err = c.either(item.UserID, item.GraphID)
	default:
		err = graph.Invalid("type", "%q is not one of graph_episode, thread_message", item.Kind)
	}
	known[key] = to
	return to, err
}

// episode turns an item into an episode.
func (item newItem) episode(to addressee) (annals.Episode, error) {
	if item.Kind == threadMessage {
		m := messageView{Content: item.Content, Role: item.Role, Name: item.Name, Metadata: item.Metadata, CreatedAt: item.CreatedAt}
		return m.episode(to.group, item.ThreadID, to.speaker)
	}
	item.newData.Type = item.DataType
	return item.newData.episode(to.group)
}

func (c *call) processBatch(project string, id uuid.UUID) (any, error) {
	if _, err := c.all().ProcessBatch(c.ctx(), project, id); err != nil {
		return nil, batchError(err)
	}
	return c.getBatch(project, id)
}
