package agent

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/model"
)

// Kind is the kind of a message.
type Kind string

// The kinds of messages. The first five are events from outside.
const (
	KindMessage   Kind = "message"   // the user says something
	KindLogin     Kind = "login"     // the user is present
	KindUpload    Kind = "upload"    // a document was attached
	KindAlert     Kind = "alert"     // the program informs the agent
	KindHeartbeat Kind = "heartbeat" // time has passed
	KindPressure  Kind = "pressure"  // the context is filling up
	KindCall      Kind = "call"      // the agent calls a function; Thought holds its reasoning
	KindThought   Kind = "thought"   // the agent thinks and calls no function
	KindResult    Kind = "result"    // the result of a function
)

// Message is an entry of recall storage.
type Message struct {
	Seq        int64     `json:"seq"` // counts from 1
	ID         uuid.UUID `json:"id"`
	Step       int64     `json:"step"` // the number of its step; 0: it is an event
	Role       string    `json:"role"` // user, assistant, system or tool
	Kind       Kind      `json:"kind"`
	Actor      string    `json:"actor,omitempty"`
	Content    string    `json:"content"` // what was said, or the result of a function
	Thought    string    `json:"thought,omitempty"`
	Function   string    `json:"function,omitempty"`
	Arguments  string    `json:"arguments,omitempty"` // as the model wrote them
	CallID     string    `json:"call_id,omitempty"`
	Failed     bool      `json:"failed,omitempty"`
	OccurredAt time.Time `json:"occurred_at"`

	tokens     int
	episodeID  uuid.UUID
	externalID string
}

// The roles of messages.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
	roleSystem    = "system"
	roleTool      = "tool"
)

func readMessage(r db.MessageRow) Message {
	m := Message{
		Seq: r.Seq, ID: r.ID, Step: r.Step, Role: r.Role, Kind: Kind(r.Kind), Actor: r.Actor, Content: r.Content, Thought: r.Thought,
		Function: r.Function, Arguments: r.Arguments, CallID: r.CallID, Failed: r.Failed, OccurredAt: r.OccurredAt.UTC(), tokens: int(r.Tokens),
	}
	if r.EpisodeID != nil {
		m.episodeID = *r.EpisodeID
	}
	return m
}

func (m Message) row(groupID string, agentID uuid.UUID) db.AgentMessageInsertParams {
	return db.AgentMessageInsertParams{
		GroupID: groupID, AgentID: agentID, Seq: m.Seq, ID: m.ID, Step: m.Step, Role: m.Role, Kind: string(m.Kind), Actor: m.Actor,
		Content: m.Content, Thought: m.Thought, Function: m.Function, Arguments: m.Arguments, CallID: m.CallID, Failed: m.Failed,
		Tokens: int32(m.tokens), OccurredAt: m.OccurredAt, EpisodeID: db.Nullable(m.episodeID), ExternalID: db.Nullable(m.externalID),
	}
}

// said reports whether recall searches the message, because the user or the agent said it.
func (m Message) said() bool {
	return m.Kind == KindMessage || m.Kind == KindCall && m.Function == sendMessage && m.Content != ""
}

// wire returns the message as the model reads it. Events are JSON, so that their text cannot pose
// as the system.
func (m Message) wire(zone *time.Location) model.Message {
	switch m.Role {
	case roleAssistant:
		w := model.Message{Role: model.RoleAssistant, Text: fenced.Text(m.Thought)}
		if m.Function != "" {
			w.Call = &model.ToolCall{ID: m.CallID, Name: m.Function, Arguments: validArguments(m.Arguments)}
		}
		return w
	case roleTool:
		return model.Message{Role: model.RoleTool, Text: packed(result{m.status(), m.Content}), CallID: m.CallID, Function: m.Function}
	}
	return model.Message{Role: model.RoleUser, Text: packed(told{string(m.Kind), m.Actor, m.Content, stamp(m.OccurredAt, zone)})}
}

func (m Message) status() string {
	if m.Failed {
		return "Failed"
	}
	return "OK"
}

// validArguments makes arguments valid JSON, which providers require.
func validArguments(arguments string) string {
	if strings.TrimSpace(arguments) == "" {
		return "{}"
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &object) == nil && object != nil {
		return fenced.Text(arguments)
	}
	return packed(map[string]string{"unreadable": arguments})
}

// told is an event as the model reads it.
type told struct {
	Type    string `json:"type"`
	From    string `json:"from,omitempty"`
	Message string `json:"message"`
	Time    string `json:"time"`
}

// result is the result of a function as the model reads it.
type result struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

// fenced keeps texts from being read as turns, calls or tags.
var fenced = fence.New()

// packed encodes a value as JSON without HTML escapes. Every text for the model passes through it,
// and loses markup that models would treat as structure.
func packed(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil { // texts and numbers
		panic("agent: " + err.Error())
	}
	return fenced.Text(strings.TrimSpace(b.String()))
}

func stamp(at time.Time, zone *time.Location) string {
	return at.In(zone).Format("2006-01-02 15:04:05 MST")
}

// Event is an input for an agent.
type Event struct {
	// Kind is KindMessage, KindLogin, KindUpload, KindAlert or KindHeartbeat. Empty: KindMessage.
	Kind Kind

	// Content is the text. It may be empty, except for KindMessage and KindAlert.
	Content string

	// Actor is the name of the speaker; may be empty.
	Actor string

	// OccurredAt is when it was said. Zero: now.
	OccurredAt time.Time

	// ExternalID is the sender's own id of the event. A second event with the same id changes
	// nothing, so a sender that got no answer can send it again. Empty: none.
	ExternalID string
}

var defaultContent = map[Kind]string{
	KindLogin:     "The user logged in.",
	KindUpload:    "The user attached a document.",
	KindHeartbeat: "Time has passed. You may think, tidy up your memory, or say something.",
}

func (e Event) message(now time.Time) (Message, error) {
	if e.Kind == "" {
		e.Kind = KindMessage
	}
	role := roleSystem
	switch e.Kind {
	case KindMessage:
		role = roleUser
	case KindLogin, KindUpload, KindHeartbeat:
		if strings.TrimSpace(e.Content) == "" {
			e.Content = defaultContent[e.Kind]
		}
	case KindAlert:
	default:
		return Message{}, graph.Invalid("kind", "%q is no event; it is one of message, login, upload, alert, heartbeat", e.Kind)
	}
	if e.OccurredAt.IsZero() {
		e.OccurredAt = now
	}
	// The rules for episodes apply: the message becomes one.
	episode := graph.Episode{
		GroupID: "g", Content: e.Content, Actor: e.Actor, OccurredAt: e.OccurredAt, ExternalID: e.ExternalID, Source: graph.SourceMessage,
	}
	if err := episode.Validate(); err != nil {
		return Message{}, err
	}
	return Message{
		ID: uuid.Must(uuid.NewV7()), Role: role, Kind: e.Kind, Actor: e.Actor, Content: e.Content, OccurredAt: e.OccurredAt.UTC().Truncate(time.Microsecond),
		externalID: e.ExternalID,
	}, nil
}
