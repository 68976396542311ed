package v3

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

var threadRoutes = project.Routes{
	"GET /threads":                          listThreads,
	"POST /threads":                         project.With(addThread),
	"DELETE /threads/{thread}":              ended(namedThread, thread.Undo),
	"GET /threads/{thread}/context":         project.On(namedThread, thread.context),
	"GET /threads/{thread}/episodes":        project.On(namedThread, thread.episodes),
	"GET /threads/{thread}/messages":        project.On(namedThread, thread.messages),
	"POST /threads/{thread}/messages":       project.OnWith(namedThread, thread.add),
	"POST /threads/{thread}/messages-batch": project.OnWith(namedThread, thread.add),
	"GET /threads/{thread}/summary":         project.On(namedThread, thread.summary),
	"PATCH /messages/{message}":             project.OnWith(namedMessage, updateMessage),
}

// thread is the thread of the path.
type thread struct{ project.Thread }

func namedThread(c *project.Call) (thread, error) {
	t, err := c.HasThread(c.PathValue("thread"))
	return thread{t}, err
}

// threadView is the JSON form of a thread.
type threadView struct {
	project.ThreadView
	ThreadID    string `json:"thread_id"`
	UserID      string `json:"user_id"`
	ProjectUUID string `json:"project_uuid"`
}

func threadViews(c *project.Call, threads []service.ThreadPlace) []threadView {
	return each.Of(threads, func(t service.ThreadPlace) threadView {
		return threadView{project.ThreadViewOf(t), t.ID, c.Local(t.GroupID), c.ProjectUUID()}
	})
}

func addThread(c *project.Call, in struct {
	ThreadID string `json:"thread_id"`
	UserID   string `json:"user_id"`
},
) (any, error) {
	u, err := c.User(in.UserID)
	if err != nil {
		return nil, err
	}
	t, err := c.All().CreateThreadWithin(c.Context(), c.Within, annals.NewThread{GroupID: u.ID, ID: in.ThreadID})
	return threadViews(c, []service.ThreadPlace{{GroupID: u.ID, ID: t.ID, CreatedAt: t.CreatedAt}})[0], err
}

func listThreads(c *project.Call) (any, error) {
	p, _, err := page(c, "created_at", "updated_at", "user_id", "thread_id")
	if err != nil {
		return nil, err
	}
	threads, total, err := c.All().ThreadsWithin(c.Context(), p)
	return map[string]any{"threads": threadViews(c, threads), "total_count": total, "response_count": len(threads)}, err
}

// latestMessages is how many messages make up the current subject of a thread.
const latestMessages = 2

func (t thread) context() (any, error) {
	text, err := t.contextBy(t.Call.URL.Query().Get("template_id"))
	return map[string]string{"context": text}, err
}

// contextBy returns the context block, in the form of a template if one is named.
func (t thread) contextBy(template string) (string, error) {
	about, err := t.About(latestMessages)
	if err != nil {
		return "", err
	}
	if template == "" {
		return t.Block(about)
	}
	form, err := templateOf(t.Call, template)
	if err != nil {
		return "", err
	}
	return t.Filled(project.Query{Query: about}, form.Row.Template)
}

func (t thread) episodes() (any, error) { return episodeList(t.NotedMessages(0, annals.MaxRows)) }

// messageView is the JSON form of a message.
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
	return messageView{e.ID.String(), e.Content, e.Role, e.Actor, e.Metadata, project.Stamp(e.OccurredAt), project.Processed(e)}
}

func (t thread) messages() (any, error) {
	skip, limit, err := stretch(t.Call, 100, annals.MaxRows)
	if err != nil {
		return nil, err
	}
	var r project.Reader
	last := r.Whole("lastn", t.Call.URL.Query().Get("lastn"), 0, 0, annals.MaxRows)
	if r.Err != nil {
		return nil, r.Err
	}
	known, err := t.Client.Thread(t.Ctx(), t.ID, t.Place.ID)
	if err != nil {
		return nil, err
	}
	total, err := t.MessageCount()
	if err != nil {
		return nil, err
	}
	if last > 0 {
		skip, limit = max(0, total-last), last
	}
	messages, err := t.Messages(skip, limit)
	return map[string]any{
		"messages": each.Of(messages, messageOf), "row_count": len(messages), "total_count": total,
		"thread_created_at": project.Stamp(known.CreatedAt), "user_id": t.Call.Local(t.ID), "user_uuid": project.GroupUUID(t.ID),
	}, err
}

// newMessage is a message to add.
type newMessage struct {
	project.Message
	CreatedAt string `json:"created_at"`
}

func (m newMessage) message() project.Message {
	m.At = m.CreatedAt
	return m.Message
}

// newMessages are messages to add.
type newMessages struct {
	Messages      []newMessage `json:"messages"`
	IgnoreRoles   []string     `json:"ignore_roles"`
	ReturnContext bool         `json:"return_context"`
}

func (t thread) add(in newMessages) (any, error) {
	episodes, err := t.Said(each.Of(in.Messages, newMessage.message), in.IgnoreRoles)
	if err != nil {
		return nil, err
	}
	ids, task, err := t.StoreOnly(episodes)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"message_uuids": each.Of(ids, uuid.UUID.String), "task_id": task}
	if in.ReturnContext {
		out["context"], err = t.contextBy("")
	}
	return out, err
}

var namedMessage = project.Holder(graph.KindEpisode, "message", project.Memory.Episode)

func updateMessage(m episode, in project.Metadata) (messageView, error) {
	e, err := project.ChangeMetadata(m, in)
	return messageOf(e), err
}

// sagaView is the JSON form of the summary of a thread.
type sagaView struct {
	project.Saga
	ThreadID string `json:"thread_id"`
}

func sagaViewOf(s project.Saga) sagaView { return sagaView{s, s.Thread} }

func (t thread) summary() (sagaView, error) {
	s, err := t.Summary()
	return sagaViewOf(s), err
}
