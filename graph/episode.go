package graph

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Source is the form an episode came in.
type Source string

// The sources.
const (
	SourceMessage Source = "message" // one utterance; Actor said it
	SourceText    Source = "text"    // a document or a note
	SourceJSON    Source = "json"    // a JSON document
	SourceRun     Source = "run"     // what an agent did: a [Run] as JSON
)

// State is how far an episode has come on its way into the graph.
type State string

// The states. An episode that is accepted is pending and ends as done or
// failed; failed is kept with its error and can be retried.
const (
	StatePending    State = "pending"
	StateProcessing State = "processing"
	StateDone       State = "done"
	StateFailed     State = "failed"
)

// Episode is one raw unit of what was taken in. It is kept word for word;
// everything derived points back to it.
type Episode struct {
	GroupID string
	ID      uuid.UUID // UUIDv7; zero: one is made

	Source            Source // empty: SourceMessage
	Content           string // never empty, at most MaxContent bytes
	Actor             string // who said or wrote it; may be empty
	Role              string // user, assistant, system, tool …; may be empty
	Name              string // a title; may be empty
	SourceDescription string // where it comes from, in words; may be empty
	ThreadID          string // the conversation it belongs to; may be empty

	// OccurredAt is the reference time: when it was said. Relative dates in
	// the content are read against it. Zero: the time of storing.
	OccurredAt time.Time

	// Metadata is a JSON object that is stored and returned untouched.
	// Empty: {}.
	Metadata json.RawMessage

	// ExternalID is the caller's own name for the episode, unique in its
	// group. Adding it again changes nothing. Empty: none.
	ExternalID string

	// Deferred keeps the episode from the language model: it is stored, found by
	// its words and its vector (which a served embedder makes of its content),
	// and read into the graph once a retry asks for it.
	Deferred bool

	// Previous is how many earlier messages of the thread are shown to the model that
	// reads this one, 0 to MaxPrevious. Nil: as many as the engine is set to.
	Previous *int

	// ExpiresAt is when it is hidden from readers, with what only it supports; it is
	// undone soon after. Zero: never. A time that has passed is refused.
	ExpiresAt time.Time

	// Force takes in again what was erased: without it an erased content or
	// external id is refused with CodeConflict. An erased group is refused with
	// it too; see [Group].
	Force bool

	// The rest is set by Annals.
	CreatedAt time.Time
	State     State
	Attempts  int
	Error     string // why it failed, when State is StateFailed

	TakenBack string    // whether what it says was withdrawn since: TakenBackWhole, TakenBackInPart; empty: no
	Door      string    // the way it came in: library, cli, rest, mcp, zep, graphiti, agent, import or sql
	WrittenBy string    // the API key or the user of the database that stored it; may be empty
	Authority Authority // whose word it is, at most that of the door and the key
	Marks     Marks     // whether it expires, is pinned, and how it was found
}

// Speaker is the name the episode's speaker goes by: the actor, else the role
// with a capital letter ("User"), else empty.
func (e Episode) Speaker() string {
	if e.Actor != "" || e.Role == "" {
		return e.Actor
	}
	return titleCase(e.Role)
}

// ByPerson reports whether it is what a person said: a message that is not of an
// assistant, a tool or the system.
func (e Episode) ByPerson() bool {
	switch strings.ToLower(strings.Trim(e.Role, " ")) {
	case "assistant", "ai", "agent", "bot", "model", "tool", "function", "system":
		return false
	}
	return e.Source == SourceMessage
}

// Whether what an episode says was withdrawn since, or taken back by a later one.
const (
	TakenBackWhole  = "all"
	TakenBackInPart = "part"
)

// TakenBackNote is what is noted beside such an episode where it is shown to a model;
// empty: nothing of it was taken back.
func TakenBackNote(takenBack string) string {
	switch takenBack {
	case TakenBackWhole:
		return "taken back"
	case TakenBackInPart:
		return "in part taken back"
	}
	return ""
}
