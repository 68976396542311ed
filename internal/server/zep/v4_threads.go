package zep

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var v4ThreadRoutes = []route{
	{"GET", "/threads", (*call).v4ListThreads},
	{"POST", "/threads", v4With((*call).v4AddThread)},
	{"POST", "/threads/lookup", v4With((*call).v4LookUpThread)},
	{"GET", "/threads/{thread}", on((*call).threadIn, (*call).v4GetThread)},
	{"DELETE", "/threads/{thread}", on((*call).threadIn, (*call).v4DeleteThread)},
	{"GET", "/threads/{thread}/context", on((*call).threadIn, (*call).v4ThreadContext)},
	{"GET", "/threads/{thread}/episodes", on((*call).threadIn, (*call).v4ThreadEpisodes)},
	{"GET", "/threads/{thread}/messages", on((*call).threadIn, (*call).v4ThreadMessages)},
	{"POST", "/threads/{thread}/messages", v4With((*call).v4AddMessages)},
	{"GET", "/threads/{thread}/messages/{message}", on((*call).messageIn, (*call).v4GetMessage)},
	{"PATCH", "/threads/{thread}/messages/{message}", v4With((*call).v4UpdateMessage)},
	{"GET", "/threads/{thread}/summary", on((*call).threadIn, (*call).v4ThreadSummary)},
}

// v4Thread is a conversation as version 4 has it.
type v4Thread struct {
	UUID      string `json:"uuid"`
	ThreadID  string `json:"thread_id,omitempty"`
	UserUUID  string `json:"user_uuid"`
	GraphUUID string `json:"graph_uuid"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
}

func v4ThreadOf(t service.ThreadPlace) v4Thread {
	return v4Thread{
		UUID: threadUUID(t.GroupID, t.ID), ThreadID: ownName(t.ID), UserUUID: groupUUID(t.GroupID), GraphUUID: groupUUID(t.GroupID),
		CreatedAt: stamp(t.CreatedAt), UpdatedAt: stamp(t.UpdatedAt),
	}
}

func (c *call) v4AddThread(in struct {
	UserUUID string `json:"user_uuid"`
},
) (any, error) {
	p, _, err := c.memory("user", in.UserUUID)
	if err != nil {
		return nil, err
	}
	id := service.NewNameless()
	if _, err := c.all().CreateThreadWithin(c.ctx(), c.realm.Within, annals.NewThread{GroupID: p.group, ID: id}); err != nil {
		return nil, err
	}
	_, t, err := c.threadBy(id)
	if err != nil {
		return nil, err
	}
	return created(v4ThreadOf(t))
}

func (c *call) v4ListThreads() (any, error) {
	page, s, err := c.page4Of("", map[string]string{"created_at": "", "updated_at": "updated_at"})
	if err != nil {
		return nil, err
	}
	if user := c.URL.Query().Get("user_uuid"); user != "" {
		p, _, err := c.memory("user", user)
		if err != nil {
			return nil, err
		}
		page.Within = service.Within{Among: []string{p.group}}
	}
	threads, total, err := c.all().ThreadsWithin(c.ctx(), page)
	if err != nil {
		return nil, err
	}
	out := page4(s, threads, v4ThreadOf)
	out.TotalSize = &total
	return out, nil
}

func (c *call) v4GetThread(_ place, t service.ThreadPlace) (any, error) { return v4ThreadOf(t), nil }

func (c *call) v4DeleteThread(p place, t service.ThreadPlace) (any, error) {
	if _, err := p.DeleteThread(c.ctx(), p.group, t.ID, true); err != nil {
		return nil, err
	}
	return acceptedTask("thread.delete")
}

// v4ThreadContext answers with the context block; without messages there is none.
func (c *call) v4ThreadContext(p place, t service.ThreadPlace) (any, error) {
	template := c.URL.Query().Get("template_uuid")
	if template != "" {
		known, err := c.templateBy(template)
		if err != nil {
			return nil, err
		}
		template = known.ID
	}
	about, err := c.about(p, t.ID)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(about) == "" {
		return map[string]string{"context": ""}, nil
	}
	text, err := c.contextOf(p, t.ID, template)
	return map[string]string{"context": text}, err
}

func (c *call) v4ThreadEpisodes(p place, t service.ThreadPlace) (any, error) {
	s, err := c.stretch4(defaultPage, annals.MaxRows-1)
	if err != nil {
		return nil, err
	}
	messages, err := p.ThreadMessages(c.ctx(), p.group, t.ID, s.skip, s.size+1)
	if err != nil {
		return nil, err
	}
	messages, err = c.noted(p, messages)
	return page4(s, messages, p.v4Episode), err
}

// v4Message is a message as version 4 has it.
type v4Message struct {
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

func v4MessageOf(e annals.Episode) v4Message {
	return v4Message{
		UUID: e.ID.String(), Content: e.Content, Role: v4Role(e), Name: e.Actor, Metadata: e.Metadata, CreatedAt: stamp(e.CreatedAt),
		Reference: stamp(e.OccurredAt), Processed: processed(e), ThreadUUID: threadUUID(e.GroupID, e.ThreadID),
	}
}

// v4Role is the role of a message, if it is one that version 4 knows.
func v4Role(e annals.Episode) string {
	if slices.Contains(roles[1:], e.Role) {
		return e.Role
	}
	return ""
}

func (c *call) v4ThreadMessages(p place, t service.ThreadPlace) (any, error) {
	s, err := c.stretch4(defaultPage, annals.MaxRows-1)
	if err != nil {
		return nil, err
	}
	q := c.URL.Query()
	if by := q.Get("order_by"); by != "" && by != "created_at" {
		return nil, graph.Invalid("order_by", "%q is not created_at", by)
	}
	known, err := p.Thread(c.ctx(), p.group, t.ID)
	if err != nil {
		return nil, err
	}
	var page v4Page
	switch order := q.Get("order"); order {
	case "", "asc":
		messages, err := p.ThreadMessages(c.ctx(), p.group, t.ID, s.skip, s.size+1)
		if err != nil {
			return nil, err
		}
		page = page4(s, messages, v4MessageOf)
	case "desc":
		messages, err := c.latestFirst(p, known, s)
		if err != nil {
			return nil, err
		}
		page = page4(s, messages, v4MessageOf)
	default:
		return nil, graph.Invalid("order", "%q is not one of asc, desc", order)
	}
	page.TotalSize = &known.Messages
	return page, nil
}

// latestFirst lists a stretch of messages from the end of a conversation, and one
// more where there is one.
func (c *call) latestFirst(p place, t annals.Thread, s v4Stretch) ([]annals.Episode, error) {
	end := max(0, t.Messages-s.skip)
	begin := max(0, end-s.size-1)
	if begin == end {
		return nil, nil
	}
	messages, err := p.ThreadMessages(c.ctx(), p.group, t.ID, begin, end-begin)
	slices.Reverse(messages)
	return messages, err
}

// v4NewMessage is a message to add.
type v4NewMessage struct {
	UUID      string          `json:"uuid"`
	Content   string          `json:"content"`
	Role      string          `json:"role"`
	Name      string          `json:"name"`
	Metadata  json.RawMessage `json:"metadata"`
	Reference string          `json:"reference_time"`
}

func (m v4NewMessage) message() messageView {
	return messageView{Content: m.Content, Role: m.Role, Name: m.Name, Metadata: m.Metadata, CreatedAt: m.Reference}
}

func (c *call) v4AddMessages(in struct {
	Messages       []v4NewMessage `json:"messages"`
	IgnoreRoles    []string       `json:"ignore_roles"`
	ReturnContext  bool           `json:"return_context"`
	StrictOntology bool           `json:"strict_ontology"`
},
) (any, error) {
	if len(in.Messages) == 0 || len(in.Messages) > maxMessages {
		return nil, graph.Invalid("messages", "are %d; send 1 to %d", len(in.Messages), maxMessages)
	}
	for _, m := range in.Messages {
		if m.UUID != "" {
			return nil, graph.Invalid("messages.uuid", "must be left out: messages get theirs here")
		}
	}
	c.strict(in.StrictOntology)
	p, t, err := c.threadIn()
	if err != nil {
		return nil, err
	}
	episodes, err := c.said(p, t.ID, views(in.Messages, v4NewMessage.message), in.IgnoreRoles)
	if err != nil {
		return nil, err
	}
	stored, id, err := c.store(p, episodes)
	if err != nil {
		return nil, err
	}
	task, err := c.v4TaskOf(id, "thread.add_messages")
	if err != nil {
		return nil, err
	}
	out := map[string]any{"messages": views(stored, v4MessageOf), "task": task}
	if in.ReturnContext {
		if out["context"], err = c.contextOf(p, t.ID, ""); err != nil {
			return nil, err
		}
	}
	return accepted(out)
}

// strict notes that a strict ontology was asked for: an entity of none of the types
// is kept all the same.
func (c *call) strict(asked bool) {
	if asked {
		c.ignore("strict_ontology")
	}
}

// messageIn returns the message that the path names, and its memory.
func (c *call) messageIn() (place, annals.Episode, error) {
	p, t, err := c.threadIn()
	if err != nil {
		return p, annals.Episode{}, err
	}
	id, err := c.uuidIn("message")
	if err != nil {
		return p, annals.Episode{}, err
	}
	e, err := p.Episode(c.ctx(), p.group, id)
	if err != nil && annals.CodeOf(err) == annals.CodeNotFound || err == nil && e.ThreadID != t.ID {
		return p, e, notFound("message not found: " + id.String())
	}
	return p, e, err
}

func (c *call) v4GetMessage(_ place, e annals.Episode) (any, error) { return v4MessageOf(e), nil }

func (c *call) v4UpdateMessage(in struct {
	Metadata json.RawMessage `json:"metadata"`
},
) (any, error) {
	p, e, err := c.messageIn()
	if err != nil {
		return nil, err
	}
	e, err = c.changeMetadata(p, e.ID, in.Metadata)
	return v4MessageOf(e), err
}

// v4Summary is the summary of a conversation as version 4 has it.
type v4Summary struct {
	UUID              string  `json:"uuid"`
	ThreadUUID        string  `json:"thread_uuid"`
	GraphUUID         string  `json:"graph_uuid"`
	Summary           string  `json:"summary"`
	CreatedAt         string  `json:"created_at"`
	SummarisedAt      *string `json:"last_summarized_at,omitempty"`
	SummarisedThrough *string `json:"last_summarized_episode_valid_at,omitempty"`
	scored
}

func (p place) v4Summary(t annals.Thread) v4Summary {
	s := summaryOf(p.group, t)
	return v4Summary{
		UUID: s.UUID, ThreadUUID: threadUUID(p.group, t.ID), GraphUUID: groupUUID(p.group), Summary: s.Summary, CreatedAt: s.CreatedAt,
		SummarisedAt: s.SummarisedAt, SummarisedThrough: s.SummarisedThrough,
	}
}

func (c *call) v4ThreadSummary(p place, t service.ThreadPlace) (any, error) {
	summarised, err := c.summarise(p, t.ID)
	return p.v4Summary(summarised), err
}

// v4Episode is an episode as version 4 has it.
type v4Episode struct {
	UUID       string          `json:"uuid"`
	Content    string          `json:"content"`
	Source     string          `json:"source"`
	SourceWhat string          `json:"source_description,omitempty"`
	Role       string          `json:"role,omitempty"`
	RoleName   string          `json:"role_name,omitempty"`
	ThreadUUID string          `json:"thread_uuid,omitempty"`
	DocumentID string          `json:"document_id,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	Processed  bool            `json:"processed"`
	CreatedAt  string          `json:"created_at"`
	Reference  string          `json:"reference_time"`
	v4Owner
	scored
}

func (p place) v4Episode(e annals.Episode) v4Episode {
	view := v4Episode{
		UUID: e.ID.String(), Content: e.Content, Source: sourceOf(e), SourceWhat: e.SourceDescription, Role: v4Role(e), RoleName: e.Actor,
		Metadata: e.Metadata, Processed: processed(e), CreatedAt: stamp(e.CreatedAt), Reference: stamp(e.OccurredAt), v4Owner: p.owner(),
	}
	if id, ok := documentOf(e); ok {
		view.DocumentID = id
	} else if e.ThreadID != "" {
		view.ThreadUUID = threadUUID(e.GroupID, e.ThreadID)
	}
	return view
}
