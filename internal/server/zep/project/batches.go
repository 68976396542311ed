package project

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// Batch is a batch of the project. Its memory is the project's.
type Batch struct {
	Memory
	UUID uuid.UUID
}

// Batch returns the batch of the path, without checking that it exists.
func (c *Call) Batch() (Batch, error) { return c.BatchOf(c.PathValue("batch")) }

// BatchOf returns the batch with an id, without checking that it exists.
func (c *Call) BatchOf(text string) (Batch, error) {
	m, err := c.Project()
	if err != nil {
		return Batch{}, err
	}
	id, err := uuid.Parse(text)
	if err != nil {
		return Batch{}, NotFound("batch not found: " + text)
	}
	return Batch{m, id}, nil
}

// Read reads the batch.
func (b Batch) Read() (BatchView, error) {
	read, err := b.Call.All().Batch(b.Ctx(), b.ID, b.UUID)
	return batchViewOf(read), Conflicts(err)
}

// Delete deletes the batch.
func (b Batch) Delete() error {
	return Conflicts(b.Call.All().DeleteBatch(b.Ctx(), b.ID, b.UUID))
}

// Process begins to process the batch.
func (b Batch) Process() (BatchView, error) {
	if _, err := b.Call.All().ProcessBatch(b.Ctx(), b.ID, b.UUID); err != nil {
		return BatchView{}, Conflicts(err)
	}
	return b.Read()
}

// Conflicts converts errors about batches, traces and skills to the statuses for which the clients
// have types.
func Conflicts(err error) error {
	statuses := map[annals.Code]int{annals.CodeConflict: http.StatusConflict, annals.CodeNotFound: http.StatusNotFound}
	if status := statuses[annals.CodeOf(err)]; status != 0 {
		return server.NewProblem(status, ProblemOf(err).Detail)
	}
	return err
}

// NewBatch is a batch to create.
type NewBatch struct {
	IgnoreRoles []string        `json:"ignore_roles"`
	Metadata    json.RawMessage `json:"metadata"`
}

// MakeBatch creates a batch of the project.
func (m Memory) MakeBatch(in NewBatch) (BatchView, error) {
	b, err := m.Call.All().CreateBatch(m.Ctx(), m.ID, service.Batch{IgnoredRoles: in.IgnoreRoles, Metadata: Object(in.Metadata)})
	return batchViewOf(b), err
}

// Batches lists a range of the batches of the project, in the state that the query names.
func (m Memory) Batches(skip, limit int) ([]BatchView, error) {
	state := service.BatchState(m.Call.URL.Query().Get("status"))
	batches, err := m.Call.All().Batches(m.Ctx(), m.ID, state, skip, limit)
	return each.Of(batches, batchViewOf), err
}

// BatchView is the JSON form of a batch.
type BatchView struct {
	BatchID     string          `json:"batch_id"`
	Status      string          `json:"status"`
	ItemCount   int             `json:"item_count"`
	IgnoreRoles []string        `json:"ignore_roles"`
	Metadata    json.RawMessage `json:"metadata,omitempty"`
	Progress    BatchProgress   `json:"progress"`
	CreatedAt   string          `json:"created_at"`
	UpdatedAt   string          `json:"updated_at"`
	ProcessedAt *string         `json:"processed_at,omitempty"`
	CompletedAt *string         `json:"completed_at,omitempty"`
}

// BatchProgress counts the items of a batch by state.
type BatchProgress struct {
	Total      int     `json:"total_items"`
	Queued     int     `json:"queued_items"`
	Processing int     `json:"processing_items"`
	Succeeded  int     `json:"succeeded_items"`
	Failed     int     `json:"failed_items"`
	Skipped    int     `json:"skipped_items"`
	Canceled   int     `json:"canceled_items"`
	Percent    float64 `json:"percent_complete"`
}

// batchViewOf returns the JSON form of a batch.
func batchViewOf(b service.Batch) BatchView {
	p := b.Progress
	ended := p.Done + p.Failed + p.Deferred
	view := BatchView{
		BatchID: b.ID.String(), Status: string(b.State), ItemCount: p.Episodes, IgnoreRoles: b.IgnoredRoles, Metadata: b.Metadata,
		CreatedAt: Stamp(b.CreatedAt), UpdatedAt: Stamp(b.UpdatedAt), ProcessedAt: StampOr(b.ProcessedAt),
		Progress: BatchProgress{
			Total: p.Episodes, Queued: p.Episodes - p.Processing - ended, Processing: p.Processing, Succeeded: p.Done, Failed: p.Failed, Skipped: p.Deferred,
		},
	}
	if p.Episodes > 0 {
		view.Progress.Percent = 100 * float64(ended) / float64(p.Episodes)
	}
	if !b.ProcessedAt.IsZero() && ended == p.Episodes {
		last := b.ProcessedAt
		if p.ProcessedAt.After(last) {
			last = p.ProcessedAt
		}
		view.CompletedAt = StampOr(last)
	}
	return view
}

// The kinds of items.
const (
	ThreadMessage = "thread_message"
	GraphEpisode  = "graph_episode"
)

// itemState returns the state of an item as Zep names it.
func itemState(i service.BatchItem) string {
	if i.Deferred && i.State != "" {
		return "skipped"
	}
	for status, state := range itemStates {
		if state == i.State {
			return status
		}
	}
	return "queued"
}

// itemStates maps Zep's states of items to those of episodes. The items of an unprocessed batch
// have no episodes.
var itemStates = map[string]graph.State{
	"pending": "", "queued": graph.StatePending, "processing": graph.StateProcessing, "succeeded": graph.StateDone, "failed": graph.StateFailed,
}

// ItemView is the JSON form of an item.
type ItemView struct {
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
	GroupID     string            `json:"-"`
}

func (b Batch) itemView(i service.BatchItem) ItemView {
	view := ItemView{
		ItemID: named("item", b.UUID.String(), strconv.Itoa(i.Place)), Index: i.Place, Kind: GraphEpisode, Status: itemState(i),
		EpisodeUUID: i.EpisodeID.String(), SourceUUID: i.EpisodeID.String(), ThreadID: i.ThreadID, GraphUUID: GroupUUID(i.GroupID),
		CreatedAt: Stamp(i.CreatedAt), UpdatedAt: Stamp(i.UpdatedAt), GroupID: i.GroupID,
	}
	if i.ThreadID != "" && i.Source == graph.SourceMessage {
		view.Kind, view.UserID = ThreadMessage, b.Call.Local(i.GroupID)
	} else {
		view.GraphID = b.Call.Local(i.GroupID)
	}
	if isDocument(i.ThreadID) {
		view.DocumentID, view.ThreadID = strings.TrimPrefix(i.ThreadID, documentMark), ""
	}
	if i.Error != "" {
		view.Error = map[string]string{"message": i.Error}
	}
	return view
}

// Items lists items from an index on, in the state that the query names. next is the index of the
// next page; zero: there is none.
func (b Batch) Items(from, limit int) (items []ItemView, next int, err error) {
	l := service.BatchItemList{From: from, Limit: limit}
	if status := b.Call.URL.Query().Get("status"); status != "" {
		state, known := itemStates[status]
		skipped := status == "skipped"
		if !known && !skipped {
			return []ItemView{}, 0, nil
		}
		if l.Deferred = &skipped; known {
			l.State = &state
		}
	}
	found, err := b.Call.All().BatchItems(b.Ctx(), b.ID, b.UUID, l)
	if err != nil {
		return nil, 0, Conflicts(err)
	}
	if len(found) == limit {
		next = found[limit-1].Place + 1
	}
	return each.Of(found, b.itemView), next, nil
}

// MaxItems is how many items one request may add to a batch.
const MaxItems = 1000

// Item is an item to add to a batch.
type Item struct {
	Data       string          `json:"data"`
	DataType   string          `json:"data_type"`
	SourceWhat string          `json:"source_description"`
	DocumentID string          `json:"document_id"`
	Content    string          `json:"content"`
	Role       string          `json:"role"`
	Name       string          `json:"name"`
	Metadata   json.RawMessage `json:"metadata"`
	At         string          `json:"-"` // each generation has its own name for it
}

// Addressee is the memory that an item goes to. For a message it also has the thread and the
// speaker.
type Addressee struct {
	Memory
	thread, speaker string
}

// Addressee returns the addressee of messages to the thread.
func (t Thread) Addressee() (Addressee, error) {
	speaker, err := t.speaker()
	return Addressee{Memory: t.Memory, thread: t.Place.ID, speaker: speaker}, err
}

// Addressees looks up the addressees of items, each of them once. Key is what names one.
type Addressees[Key comparable] map[Key]func() (Addressee, error)

// Episode converts an item to an episode for the addressee that key names and find looks up.
func (a Addressees[Key]) Episode(i Item, key Key, find func() (Addressee, error)) (annals.Episode, error) {
	if a[key] == nil {
		a[key] = sync.OnceValues(find)
	}
	to, err := a[key]()
	if err != nil {
		return annals.Episode{}, err
	}
	if to.thread != "" {
		return Message{i.Content, i.Role, i.Name, i.Metadata, i.At}.episode(to.ID, to.thread, to.speaker)
	}
	return Data{i.Data, i.DataType, i.Metadata, i.SourceWhat, i.DocumentID, i.At}.episode(to.ID)
}

// Add adds episodes to the batch.
func (b Batch) Add(episodes []annals.Episode) ([]ItemView, error) {
	items, err := b.Call.All().AddToBatch(b.Ctx(), b.ID, b.UUID, episodes)
	return each.Of(items, b.itemView), Conflicts(err)
}

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
