package graph

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Source is the form of an episode.
type Source string

// The sources.
const (
	SourceMessage Source = "message" // one utterance; Actor said it
	SourceText    Source = "text"    // a document or a note
	SourceJSON    Source = "json"    // a JSON document
	SourceRun     Source = "run"     // the record of an agent's work: a [Run] as JSON
)

// State is the progress of an episode on its way into the graph.
type State string

// The states. A new episode is pending and ends as done or failed. A failed episode
// keeps its error and can be retried.
const (
	StatePending    State = "pending"
	StateProcessing State = "processing"
	StateDone       State = "done"
	StateFailed     State = "failed"
)

// Episode is a stored message, text, document or run. Its content is kept word for
// word, and everything derived from it refers back to it.
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

	// OccurredAt is the time at which it was said. Relative dates in the content are
	// read against it. Zero means the time of storing.
	OccurredAt time.Time

	// Metadata is a JSON object that is stored and returned unchanged. Empty means
	// {}.
	Metadata json.RawMessage

	// ExternalID is the caller's own id, unique in the group. Adding an episode with
	// the same external id again changes nothing. Empty means none.
	ExternalID string

	// Deferred stores the episode without reading it by the language model. It is
	// found by its words and by its vector, which a served embedder makes of the
	// content. A retry reads it into the graph.
	Deferred bool

	// Previous is the number of earlier messages of the thread that the model sees
	// with this one, 0 to MaxPrevious. Nil means the engine's setting.
	Previous *int

	// ExpiresAt is when the episode is hidden from readers, together with everything
	// that only it supports. It is undone soon after. Zero means never; a time in the
	// past is refused.
	ExpiresAt time.Time

	// Force stores an episode even if its content or external id was erased. Without
	// it such an episode is refused with CodeConflict. An erased group is refused
	// even with Force; see [Group].
	Force bool

	// Annals sets the following fields.
	CreatedAt time.Time
	State     State
	Attempts  int
	Error     string // why it failed, when State is StateFailed

	TakenBack string    // TakenBackWhole or TakenBackInPart if its statements were withdrawn since; else empty
	Door      string    // the interface that stored it: library, cli, rest, mcp, zep, graphiti, agent, import or sql
	WrittenBy string    // the API key or database user that stored it; may be empty
	Authority Authority // the authority of its statements, at most that of the door and the key
	Marks     Marks     // its expiry, pin and judgements
}

// Speaker returns the name of the speaker: the actor, else the role with a capital
// letter ("User"), else empty.
func (e Episode) Speaker() string {
	if e.Actor != "" || e.Role == "" {
		return e.Actor
	}
	return titleCase(e.Role)
}

// ByPerson reports whether a person said it: it is a message, and its role is not
// that of an assistant, a tool or the system.
func (e Episode) ByPerson() bool {
	switch strings.ToLower(strings.Trim(e.Role, " ")) {
	case "assistant", "ai", "agent", "bot", "model", "tool", "function", "system":
		return false
	}
	return e.Source == SourceMessage
}

// The values of [Episode.TakenBack]: all or some of the statements were withdrawn or
// taken back by a later episode.
const (
	TakenBackWhole  = "all"
	TakenBackInPart = "part"
)

// TakenBackNote returns the note that a model sees beside an episode with this
// TakenBack value. It is empty if nothing was taken back.
func TakenBackNote(takenBack string) string {
	switch takenBack {
	case TakenBackWhole:
		return "taken back"
	case TakenBackInPart:
		return "in part taken back"
	}
	return ""
}
