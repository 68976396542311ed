package v4

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

var threadRoutes = project.Routes{
	"GET /threads":                               listThreads,
	"POST /threads":                              project.With(addThread),
	"POST /threads/lookup":                       project.With(lookUpThread),
	"GET /threads/{thread}":                      project.On(threadIn, thread.get),
	"DELETE /threads/{thread}":                   ended("thread.delete", threadIn, thread.Undo),
	"GET /threads/{thread}/context":              project.On(threadIn, thread.context),
	"GET /threads/{thread}/episodes":             project.On(threadIn, thread.episodes),
	"GET /threads/{thread}/messages":             project.On(threadIn, thread.messages),
	"POST /threads/{thread}/messages":            project.OnWith(threadIn, thread.add),
	"GET /threads/{thread}/messages/{message}":   project.On(messageIn, getMessage),
	"PATCH /threads/{thread}/messages/{message}": project.OnWith(messageIn, updateMessage),
	"GET /threads/{thread}/summary":              project.On(threadIn, thread.summary),
}

// threadView is the JSON form of a thread.
type threadView struct {
	project.ThreadView
	UpdatedAt string `json:"updated_at"`
}

func threadViewOf(t service.ThreadPlace) threadView {
	return threadView{project.ThreadViewOf(t), project.Stamp(t.UpdatedAt)}
}

func addThread(c *project.Call, in struct {
	UserUUID string `json:"user_uuid"`
},
) (any, error) {
	u, err := userOf(c, in.UserUUID)
	if err != nil {
		return nil, err
	}
	id := service.NewNameless()
	if _, err := c.All().CreateThreadWithin(c.Context(), c.Within, annals.NewThread{GroupID: u.ID, ID: id}); err != nil {
		return nil, err
	}
	t, err := threadBy(c, id)
	return created(threadViewOf(t.Place), err)
}

func listThreads(c *project.Call) (any, error) {
	p := service.Page{Within: c.Within}
	if user := c.URL.Query().Get("user_uuid"); user != "" {
		u, err := userOf(c, user)
		if err != nil {
			return nil, err
		}
		p.Within = service.Within{Among: []string{u.ID}}
	}
	return over(c, p, map[string]string{"created_at": "", "updated_at": "updated_at"}, c.All().ThreadsWithin, threadViewOf)
}

func (t thread) get() (any, error) { return threadViewOf(t.Place), nil }

const latestMessages = 4 // how many messages make up the current subject of a thread

func (t thread) context() (_ any, err error) {
	var form template
	if name := t.Call.URL.Query().Get("template_uuid"); name != "" {
		if form, err = templateBy(t.Call, name); err != nil {
			return nil, err
		}
	}
	text, err := t.contextBy(form.Row.Template)
	return map[string]string{"context": text}, err
}

// contextBy returns the context block, in the form of a template unless that is empty. Without
// messages it is empty.
func (t thread) contextBy(form string) (string, error) {
	about, err := t.About(latestMessages)
	switch {
	case err != nil || strings.TrimSpace(about) == "":
		return "", err
	case form == "":
		return t.Block(about)
	}
	return t.Filled(project.Query{Query: about}, form)
}

func (t thread) episodes() (any, error) {
	return ranged(t.Call, rowsPage, t.NotedMessages, episodeView)
}

// messageView is the JSON form of a message.
type messageView struct {
	UUID       string          `json:"uuid"`
	Content    string          `json:"content"`
	Role       string          `json:"role,omitempty"`
	Name       string          `json:"name,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	CreatedAt  string          `json:"created_at"`
	Reference  string          `json:"reference_time"`
	Processed  bool            `json:"processed"`
	ThreadUUID string          `json:"thread_uuid"`
}

func messageOf(e annals.Episode) messageView {
	return messageView{
		UUID: e.ID.String(), Content: e.Content, Role: roleOf(e), Name: e.Actor, Metadata: e.Metadata, CreatedAt: project.Stamp(e.CreatedAt),
		Reference: project.Stamp(e.OccurredAt), Processed: project.Processed(e), ThreadUUID: project.ThreadUUID(e.GroupID, e.ThreadID),
	}
}

// roleOf returns the role of a message; empty if version 4 does not have it.
func roleOf(e annals.Episode) string {
	if slices.Contains(project.Roles[1:], e.Role) {
		return e.Role
	}
	return ""
}

func (t thread) messages() (any, error) {
	q := t.Call.URL.Query()
	if by := q.Get("order_by"); by != "" && by != "created_at" {
		return nil, graph.Invalid("order_by", "%q is not created_at", by)
	}
	earliestFirst, err := isAscending(q.Get("order"), true)
	if err != nil {
		return nil, err
	}
	return counted(t.Call, rowsPage, func(skip, limit int) ([]annals.Episode, int, error) {
		total, err := t.MessageCount()
		if err != nil || skip >= total {
			return nil, total, err
		}
		if earliestFirst {
			messages, err := t.Messages(skip, limit)
			return messages, total, err
		}
		begin := max(0, total-skip-limit)
		messages, err := t.Messages(begin, total-skip-begin)
		slices.Reverse(messages)
		return messages, total, err
	}, messageOf)
}

// newMessage is a message to add.
type newMessage struct {
	project.Message
	UUID      string `json:"uuid"`
	Reference string `json:"reference_time"`
}

func (m newMessage) message() project.Message {
	m.At = m.Reference
	return m.Message
}

func (t thread) add(in struct {
	Messages      []newMessage `json:"messages"`
	IgnoreRoles   []string     `json:"ignore_roles"`
	ReturnContext bool         `json:"return_context"`
	strict
},
) (any, error) {
	if slices.ContainsFunc(in.Messages, func(m newMessage) bool { return m.UUID != "" }) {
		return nil, graph.Invalid("messages.uuid", "must be left out: messages get theirs here")
	}
	in.note(t.Call)
	episodes, err := t.Said(each.Of(in.Messages, newMessage.message), in.IgnoreRoles)
	if err != nil {
		return nil, err
	}
	stored, id, err := t.Store(episodes)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"messages": each.Of(stored, messageOf)}
	if in.ReturnContext {
		if out["context"], err = t.contextBy(""); err != nil {
			return nil, err
		}
	}
	return accepted(withTask(t.Call, out, "thread.add_messages", id, nil))
}

// strict asks for a strict ontology.
type strict struct {
	Strict bool `json:"strict_ontology"`
}

// note records that this has no effect: entities of other types are stored all the same.
func (s strict) note(c *project.Call) {
	if s.Strict {
		c.Ignore("strict_ontology")
	}
}

// message is the message of the path, with its memory.
type message = project.At[annals.Episode]

func messageIn(c *project.Call) (m message, err error) {
	t, err := threadIn(c)
	if err != nil {
		return m, err
	}
	id, err := uuidIn(c, "message")
	if err != nil {
		return m, err
	}
	e, err := t.Client.Episode(t.Ctx(), t.ID, id)
	if err == nil && e.ThreadID != t.Place.ID {
		err = project.NotFound("message not found: " + id.String())
	}
	return message{Memory: t.Memory, Row: e}, project.OrAbsent(err, "message", id.String())
}

func getMessage(m message) (any, error) { return messageOf(m.Row), nil }

func updateMessage(m message, in project.Metadata) (any, error) {
	e, err := project.ChangeMetadata(m, in)
	return messageOf(e), err
}

// summary is the JSON form of the summary of a thread.
type summary struct {
	project.Saga
	ThreadUUID string `json:"thread_uuid"`
	GraphUUID  string `json:"graph_uuid"`
}

func sagaView(s project.Saga) summary { return summary{s, s.UUID, s.Owner.GraphUUID} }

func (t thread) summary() (any, error) {
	s, err := t.Summary()
	return sagaView(s), err
}
