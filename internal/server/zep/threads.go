package zep

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var threadRoutes = []route{
	{"GET", "/threads", (*call).listThreads},
	{"POST", "/threads", with((*call).addThread)},
	{"DELETE", "/threads/{thread}", on((*call).namedThread, (*call).deleteThread)},
	{"GET", "/threads/{thread}/context", (*call).userContext},
	{"GET", "/threads/{thread}/episodes", on((*call).namedThread, (*call).threadEpisodes)},
	{"GET", "/threads/{thread}/messages", (*call).threadMessages},
	{"POST", "/threads/{thread}/messages", with((*call).addMessages)},
	{"POST", "/threads/{thread}/messages-batch", with((*call).addMessages)},
	{"GET", "/threads/{thread}/summary", on((*call).namedThread, (*call).threadSummary)},
	{"PATCH", "/messages/{message}", with((*call).updateMessage)},
}

// threadView is a conversation on the wire.
type threadView struct {
	UUID        string `json:"uuid"`
	ThreadID    string `json:"thread_id"`
	UserID      string `json:"user_id"`
	UserUUID    string `json:"user_uuid"`
	GraphUUID   string `json:"graph_uuid"`
	ProjectUUID string `json:"project_uuid"`
	CreatedAt   string `json:"created_at"`
}

func (c *call) threadView(t service.ThreadPlace) threadView {
	return threadView{
		UUID: threadUUID(t.GroupID, t.ID), ThreadID: t.ID, UserID: c.realm.local(t.GroupID), UserUUID: groupUUID(t.GroupID),
		GraphUUID: groupUUID(t.GroupID), ProjectUUID: c.realm.projectUUID(), CreatedAt: stamp(t.CreatedAt),
	}
}

func (c *call) addThread(in struct {
	ThreadID string `json:"thread_id"`
	UserID   string `json:"user_id"`
},
) (any, error) {
	p, _, err := c.user(in.UserID)
	if err != nil {
		return nil, err
	}
	t, err := c.all().CreateThreadWithin(c.ctx(), c.realm.Within, annals.NewThread{GroupID: p.group, ID: in.ThreadID})
	if err != nil {
		return nil, err
	}
	return c.threadView(service.ThreadPlace{GroupID: p.group, ID: t.ID, CreatedAt: t.CreatedAt}), nil
}

func (c *call) listThreads() (any, error) {
	page, _, err := c.page(50, "created_at", "updated_at", "user_id", "thread_id")
	if err != nil {
		return nil, err
	}
	threads, total, err := c.all().ThreadsWithin(c.ctx(), page)
	if err != nil {
		return nil, err
	}
	return map[string]any{"threads": views(threads, c.threadView), "total_count": total, "response_count": len(threads)}, nil
}

func (c *call) userThreads(p place, _ service.User) (any, error) {
	threads, _, err := c.all().ThreadsWithin(c.ctx(), service.Page{
		Within: service.Within{Among: []string{p.group}}, Limit: annals.MaxRows,
	})
	return views(threads, c.threadView), err
}

// namedThread returns the memory and the name of the conversation in the path.
func (c *call) namedThread() (place, string, error) {
	thread := c.PathValue("thread")
	p, err := c.thread(thread)
	return p, thread, err
}

// deleteThread undoes the episodes of a conversation.
func (c *call) deleteThread(p place, thread string) (any, error) {
	_, err := p.DeleteThread(c.ctx(), p.group, thread, true)
	return done, err
}

// messageView is a message on the wire.
type messageView struct {
	UUID      string          `json:"uuid,omitempty"`
	Content   string          `json:"content"`
	Role      string          `json:"role"`
	Name      string          `json:"name,omitempty"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
	CreatedAt string          `json:"created_at,omitempty"`
	Processed bool            `json:"processed"`
}

func messageOf(e annals.Episode) messageView {
	return messageView{
		UUID: e.ID.String(), Content: e.Content, Role: e.Role, Name: e.Actor, Metadata: e.Metadata, CreatedAt: stamp(e.OccurredAt),
		Processed: processed(e),
	}
}

// processed reports whether an episode is finished: read, failed or deferred.
func processed(e annals.Episode) bool {
	return e.State == graph.StateDone || e.State == graph.StateFailed || e.Deferred
}

func (c *call) threadMessages() (any, error) {
	skip, limit, err := c.stretch(100, annals.MaxRows)
	if err != nil {
		return nil, err
	}
	last, err := whole("lastn", c.URL.Query().Get("lastn"), 0, 0, annals.MaxRows)
	if err != nil {
		return nil, err
	}
	p, err := c.thread(c.PathValue("thread"))
	if err != nil {
		return nil, err
	}
	t, err := p.Thread(c.ctx(), p.group, c.PathValue("thread"))
	if err != nil {
		return nil, err
	}
	if last > 0 {
		skip, limit = max(0, t.Messages-last), last
	}
	messages, err := p.ThreadMessages(c.ctx(), p.group, t.ID, skip, limit)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"messages": views(messages, messageOf), "row_count": len(messages), "total_count": t.Messages,
		"thread_created_at": stamp(t.CreatedAt), "user_id": c.realm.local(p.group), "user_uuid": groupUUID(p.group),
	}, nil
}

// newMessages are messages to add.
type newMessages struct {
	Messages      []messageView `json:"messages"`
	IgnoreRoles   []string      `json:"ignore_roles"`
	ReturnContext bool          `json:"return_context"`
}

// roles are those that a message may have.
var roles = []string{"norole", "system", "assistant", "user", "function", "tool"}

const maxMessages = 1000 // of one request

func (c *call) addMessages(in newMessages) (any, error) {
	if len(in.Messages) == 0 || len(in.Messages) > maxMessages {
		return nil, graph.Invalid("messages", "are %d; send 1 to %d", len(in.Messages), maxMessages)
	}
	thread := c.PathValue("thread")
	p, err := c.thread(thread)
	if err != nil {
		return nil, err
	}
	episodes, err := c.said(p, thread, in.Messages, in.IgnoreRoles)
	if err != nil {
		return nil, err
	}
	added, err := service.AddEach(c.ctx(), p.Client, episodes, nil)
	if err != nil {
		return nil, err
	}
	stored := added.Stored
	out := map[string]any{
		"message_uuids": views(stored, func(s annals.Stored) string { return s.ID.String() }),
		"task_id":       taskOf(stored[0].ID, stored[len(stored)-1].ID, c.realm.local(p.group)),
	}
	if in.ReturnContext {
		if out["context"], err = c.contextOf(p, thread, ""); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// said turns messages into episodes of a conversation.
func (c *call) said(p place, thread string, messages []messageView, ignored []string) ([]annals.Episode, error) {
	speaker, err := c.speakerOf(p)
	if err != nil {
		return nil, err
	}
	episodes := make([]annals.Episode, len(messages))
	for i, m := range messages {
		if episodes[i], err = m.episode(p.group, thread, speaker); err != nil {
			return nil, err
		}
		episodes[i].Deferred = slices.Contains(ignored, m.Role)
	}
	return episodes, nil
}

// speakerOf returns the speaker of user messages without a name.
func (c *call) speakerOf(p place) (string, error) {
	user, err := p.User(c.ctx(), p.group)
	if annals.CodeOf(err) == annals.CodeNotFound && err != nil {
		return "", nil
	}
	return c.nameOf(user), err
}

func (m messageView) episode(group, thread, speaker string) (annals.Episode, error) {
	at, err := graph.ParseTime("created_at", m.CreatedAt)
	if err != nil {
		return annals.Episode{}, err
	}
	if !slices.Contains(roles, m.Role) {
		return annals.Episode{}, graph.Invalid("role", "%q is not one of norole, system, assistant, user, function, tool", m.Role)
	}
	e := annals.Episode{
		GroupID: group, Source: graph.SourceMessage, Content: m.Content, Actor: m.Name, Role: m.Role, ThreadID: thread, OccurredAt: at,
		Metadata: object(m.Metadata),
	}
	if e.Actor == "" && m.Role == "user" {
		e.Actor = speaker
	}
	return e, nil
}

func (c *call) updateMessage(in struct {
	Metadata json.RawMessage `json:"metadata"`
},
) (any, error) {
	p, id, err := c.holding(graph.KindEpisode, c.PathValue("message"))
	if err != nil {
		return nil, err
	}
	e, err := c.changeMetadata(p, id, in.Metadata)
	return messageOf(e), err
}

func (c *call) changeMetadata(p place, id uuid.UUID, metadata json.RawMessage) (annals.Episode, error) {
	if len(object(metadata)) == 0 {
		return annals.Episode{}, graph.Invalid("metadata", "is missing")
	}
	if err := p.SetMetadata(c.ctx(), p.group, id, metadata); err != nil {
		return annals.Episode{}, err
	}
	return p.Episode(c.ctx(), p.group, id)
}

func (c *call) threadEpisodes(p place, thread string) (any, error) {
	messages, err := p.ThreadMessages(c.ctx(), p.group, thread, 0, annals.MaxRows)
	if err != nil {
		return nil, err
	}
	messages, err = c.noted(p, messages)
	return map[string]any{"episodes": views(messages, c.episodeView)}, err
}

// summaryView is the summary of a conversation on the wire.
type summaryView struct {
	UUID              string  `json:"uuid"`
	ThreadID          string  `json:"thread_id"`
	Summary           string  `json:"summary"`
	CreatedAt         string  `json:"created_at"`
	SummarisedAt      *string `json:"last_summarized_at,omitempty"`
	SummarisedThrough *string `json:"last_summarized_episode_valid_at,omitempty"`
}

// begun returns when a conversation was created, or else when it was last used.
func begun(t annals.Thread) time.Time {
	if t.CreatedAt.IsZero() {
		return t.LastAt
	}
	return t.CreatedAt
}

func summaryID(group string, t annals.Thread) string { return threadUUID(group, t.ID) }

func summaryOf(group string, t annals.Thread) summaryView {
	return summaryView{
		UUID: summaryID(group, t), ThreadID: t.ID, Summary: t.Summary, CreatedAt: stamp(begun(t)),
		SummarisedAt: stampOr(t.SummarisedAt), SummarisedThrough: stampOr(t.SummarisedThrough),
	}
}

// threadSummary answers with the summary, and makes one where there is none
// yet.
func (c *call) threadSummary(p place, thread string) (any, error) {
	t, err := c.summarise(p, thread)
	return summaryOf(p.group, t), err
}

func (c *call) summarise(p place, thread string) (annals.Thread, error) {
	t, err := p.Thread(c.ctx(), p.group, thread)
	if err != nil || t.Summary != "" || t.Messages == 0 {
		return t, err
	}
	if _, err := p.SummariseThread(c.ctx(), p.group, t.ID); err != nil {
		return t, err
	}
	return p.Thread(c.ctx(), p.group, t.ID)
}

// stretch reads how many rows of a list to skip and how many to return.
func (c *call) stretch(usual, most int) (skip, limit int, err error) {
	q := c.URL.Query()
	if limit, err = whole("limit", q.Get("limit"), usual, 1, most); err != nil {
		return 0, 0, err
	}
	skip, err = whole("cursor", q.Get("cursor"), 0, 0, 1<<30)
	return skip, limit, err
}

// whole reads a whole number between two bounds; an empty text is the default.
func whole(field, text string, otherwise, least, most int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, graph.Invalid(field, "%s", fmt.Sprintf("is %q; it must be %d to %d", text, least, most))
	}
	return n, nil
}
