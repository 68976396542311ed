package project

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

// ThreadView is the JSON form of a thread, as far as it is the same in all generations.
type ThreadView struct {
	UUID      string `json:"uuid"`
	ThreadID  string `json:"thread_id,omitempty"`
	UserUUID  string `json:"user_uuid"`
	GraphUUID string `json:"graph_uuid"`
	CreatedAt string `json:"created_at"`
}

// ThreadViewOf returns the JSON form of a thread.
func ThreadViewOf(t service.ThreadPlace) ThreadView {
	owner := GroupUUID(t.GroupID)
	return ThreadView{UUID: ThreadUUID(t.GroupID, t.ID), ThreadID: OwnName(t.ID), UserUUID: owner, GraphUUID: owner, CreatedAt: Stamp(t.CreatedAt)}
}

// Roles lists the roles that a message may have.
var Roles = []string{"norole", "system", "assistant", "user", "function", "tool"}

// MaxMessages is how many messages or episodes one request may add.
const MaxMessages = 1000

// Message is a message to add.
type Message struct {
	Content  string          `json:"content"`
	Role     string          `json:"role"`
	Name     string          `json:"name"`
	Metadata json.RawMessage `json:"metadata"`
	At       string          `json:"-"` // each generation has its own name for it
}

func (m Message) episode(group, thread, speaker string) (annals.Episode, error) {
	var r Reader
	if !slices.Contains(Roles, m.Role) {
		r.refuse("role", "%q is not one of norole, system, assistant, user, function, tool", m.Role)
	}
	e := annals.Episode{
		GroupID: group, Source: graph.SourceMessage, Content: m.Content, Actor: m.Name, Role: m.Role, ThreadID: thread,
		OccurredAt: r.Time("created_at", m.At), Metadata: Object(m.Metadata),
	}
	if e.Actor == "" && m.Role == "user" {
		e.Actor = speaker
	}
	return e, r.Err
}

// Thread is an existing thread with its memory.
type Thread struct {
	Memory
	Place service.ThreadPlace
}

// Said converts messages to episodes of the thread. Messages with ignored roles are stored, but not
// read.
func (t Thread) Said(messages []Message, ignored []string) ([]annals.Episode, error) {
	if err := Counted("messages", len(messages), MaxMessages); err != nil {
		return nil, err
	}
	speaker, err := t.speaker()
	if err != nil {
		return nil, err
	}
	return each.Try(messages, func(said Message) (annals.Episode, error) {
		e, err := said.episode(t.ID, t.Place.ID, speaker)
		e.Deferred = slices.Contains(ignored, said.Role)
		return e, err
	})
}

// Messages lists a range of the messages, the earliest first.
func (t Thread) Messages(skip, limit int) ([]annals.Episode, error) {
	return t.Service.ThreadMessages(t.Ctx(), t.ID, t.Place.ID, skip, limit)
}

// MessageCount returns the number of messages.
func (t Thread) MessageCount() (int, error) {
	return t.Service.ThreadMessageCount(t.Ctx(), t.ID, t.Place.ID)
}

// NotedMessages lists a range of the messages, with notes on what has become of them.
func (t Thread) NotedMessages(skip, limit int) ([]Episode, error) {
	return t.Episodes(t.Messages(skip, limit))
}

// Undo undoes the episodes of the thread.
func (t Thread) Undo() error {
	_, err := t.Client.UndoThread(t.Ctx(), t.ID, t.Place.ID, true)
	return err
}

// Summary returns the summary of the thread, and makes it if there is none.
func (t Thread) Summary() (Saga, error) {
	known, err := t.Client.Thread(t.Ctx(), t.ID, t.Place.ID)
	if err == nil && known.Summary == "" && known.Messages > 0 {
		if _, err = t.Client.SummariseThread(t.Ctx(), t.ID, known.ID); err == nil {
			known, err = t.Client.Thread(t.Ctx(), t.ID, known.ID)
		}
	}
	return t.Saga(known), err
}

// speaker returns the name of the user, who says user messages without a name.
func (m Memory) speaker() (string, error) {
	user, err := m.Service.User(m.Ctx(), m.ID)
	if missing(err) {
		return "", nil
	}
	return m.Call.nameOf(user), err
}

// Metadata is a change of the metadata of an episode.
type Metadata struct {
	Metadata json.RawMessage `json:"metadata"`
}

// ChangeMetadata changes the metadata of an episode.
func ChangeMetadata(e At[annals.Episode], in Metadata) (annals.Episode, error) {
	if len(Object(in.Metadata)) == 0 {
		return e.Row, graph.Invalid("metadata", "is missing")
	}
	if err := e.Client.SetMetadata(e.Ctx(), e.ID, e.Row.ID, in.Metadata); err != nil {
		return e.Row, err
	}
	return e.Client.Episode(e.Ctx(), e.ID, e.Row.ID)
}

// Undo undoes an episode: the graph is as if it had never been added.
func (m Memory) Undo(id uuid.UUID) error {
	_, err := m.Client.UndoAll(m.Ctx(), annals.Undoing{GroupID: m.ID, EpisodeIDs: []uuid.UUID{id}, AnyReader: true})
	return err
}

// Episode is the JSON form of an episode. Each generation has its own names for its speaker, thread
// and times.
type Episode struct {
	UUID       string          `json:"uuid"`
	Content    string          `json:"content"`
	Source     string          `json:"source"`
	SourceWhat string          `json:"source_description,omitempty"`
	DocumentID string          `json:"document_id,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	Processed  bool            `json:"processed"`
	Scored

	Row    annals.Episode `json:"-"`
	Thread string         `json:"-"` // empty: it is in none
	Owner  Owner          `json:"-"`
}

// EpisodeOf converts an episode.
func (m Memory) EpisodeOf(e annals.Episode) Episode {
	view := Episode{
		UUID: e.ID.String(), Content: e.Content, Source: string(e.Source), SourceWhat: e.SourceDescription, Metadata: e.Metadata, Processed: Processed(e),
		Row: e, Thread: e.ThreadID, Owner: m.Owner(),
	}
	if e.Name == tripleName && e.Source == graph.SourceText {
		view.Source = tripleSource
	}
	if id, ok := strings.CutPrefix(e.ThreadID, documentMark); ok && id == e.Name {
		view.DocumentID, view.Thread = id, ""
	}
	return view
}

// Processed reports whether an episode is finished: read, failed or deferred.
func Processed(e annals.Episode) bool {
	return e.State == graph.StateDone || e.State == graph.StateFailed || e.Deferred
}

// isDocument reports whether a thread id is that of a document.
func isDocument(threadID string) bool { return strings.HasPrefix(threadID, documentMark) }

// Saga is the JSON form of the summary of a thread. It has the UUID of the thread.
type Saga struct {
	UUID              string  `json:"uuid"`
	Summary           string  `json:"summary"`
	CreatedAt         string  `json:"created_at"`
	SummarisedAt      *string `json:"last_summarized_at,omitempty"`
	SummarisedThrough *string `json:"last_summarized_episode_valid_at,omitempty"`
	Scored

	Thread string `json:"-"` // the id of the thread
	Owner  Owner  `json:"-"`
}

// Saga returns the JSON form of the summary of a thread.
func (m Memory) Saga(t annals.Thread) Saga {
	return Saga{
		UUID: ThreadUUID(m.ID, t.ID), Thread: t.ID, Summary: t.Summary, CreatedAt: Stamp(begun(t)),
		SummarisedAt: StampOr(t.SummarisedAt), SummarisedThrough: StampOr(t.SummarisedThrough), Owner: m.Owner(),
	}
}

// begun returns when a thread was created, or, if that is not known, when it was last used.
func begun(t annals.Thread) time.Time {
	if t.CreatedAt.IsZero() {
		return t.LastAt
	}
	return t.CreatedAt
}

// SagaPage lists the summaries of threads.
func (m Memory) SagaPage(in Listing) ([]Saga, error) {
	l, err := in.List(m.ID, "created_at", "valid_at")
	if err != nil {
		return nil, err
	}
	threads, err := m.summarised(math.MaxInt)
	if err != nil {
		return nil, err
	}
	id := func(t annals.Thread) uuid.UUID { return service.ThreadUUID(m.ID, t.ID) }
	sortBy(threads, l, id, map[string]func(annals.Thread) time.Time{
		"created_at": begun, "valid_at": func(t annals.Thread) time.Time { return t.SummarisedThrough },
	})
	return each.Of(cut(m, l, threads, id), m.Saga), nil
}

// summarised lists the latest threads of a memory that have a summary.
func (m Memory) summarised(most int) ([]annals.Thread, error) {
	var all []annals.Thread
	for f := (annals.ThreadFilter{GroupID: m.ID, Limit: annals.MaxRows}); ; {
		threads, err := m.Client.Threads(m.Ctx(), f)
		if err != nil {
			return nil, err
		}
		for _, t := range threads {
			if t.Summary != "" && !isDocument(t.ID) {
				all = append(all, t)
			}
		}
		if len(all) >= most || len(threads) < annals.MaxRows {
			return all[:min(most, len(all))], nil
		}
		f.After = &threads[len(threads)-1]
	}
}
