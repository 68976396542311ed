// Package prompts is not an API: it may change with every release. It holds the questions of the
// pipeline to an analyst, one file per question, each with its typed input, its typed output and
// the text for a language model. The offline rules answer the same questions.
//
// Questions and answers refer to things by small integers, never by uuid. They count from 1, so
// that 0 means none. Dates in an answer are either ISO 8601 or the words of the text ("last
// Saturday"); code reads them.
//
// A [Prompt] has two parts. The system part holds one task, its rules and worked examples; it is
// constant, so that providers can cache it. The user part holds the data, between tags like
// <message>. Nothing in the data can close a tag: such text is disarmed (safe.go). Context is cut,
// so that a prompt does not grow with the graph. Whoever sends the prompt adds the schema of the
// answer.
//
// The files in testdata pin every word. To change a text, raise its version and run go test
// ./prompts -update.
package prompts

import "time"

// Message is one utterance.
type Message struct {
	Speaker    string    `json:"speaker"`
	Role       string    `json:"role"` // user, assistant or another; may be empty
	Content    string    `json:"content"`
	Note       string    `json:"note,omitempty"` // its later fate: "in part taken back"
	OccurredAt time.Time `json:"occurred_at"`
}

// Episode is the text that is being read.
type Episode struct {
	Source       string      `json:"source"`      // message, text or json
	Description  string      `json:"description"` // of its origin; empty: unknown
	Speaker      string      `json:"speaker"`     // empty: none in particular
	Role         string      `json:"role"`
	Content      string      `json:"content"`
	OccurredAt   time.Time   `json:"occurred_at"`  // dates in the content are relative to it
	Previous     []Message   `json:"previous"`     // earlier messages, as context only; oldest first
	Known        []TimedFact `json:"known"`        // known facts about the speakers and the entities named, as context only
	Window       []Message   `json:"window"`       // several messages read at once, oldest first; then Speaker, Role and Content are empty
	Instructions string      `json:"instructions"` // from the owner of the memory
}

// Reading returns the time of the episode. For a window it is that of the last message, which comes
// after all others.
func (e Episode) Reading() time.Time {
	at := e.OccurredAt
	for _, m := range e.Window {
		if m.OccurredAt.After(at) {
			at = m.OccurredAt
		}
	}
	return at
}

// ReadingOf returns when a fact was said. In a window each message has its own time.
func (e Episode) ReadingOf(f KnownFact) time.Time {
	if f.Said.IsZero() {
		return e.OccurredAt
	}
	return f.Said
}

// Attribute is a property of an entity or a fact, as stated in the text.
type Attribute struct {
	Name  string `json:"name"`
	Value string `json:"value"` // a list has one Attribute for each of its members
}

// AttributeType describes a property.
type AttributeType struct {
	Name        string   `json:"name"`
	Kind        string   `json:"kind"` // string, number, integer, boolean, date or list
	Description string   `json:"description"`
	Values      []string `json:"values"` // the only ones allowed; empty: any
}
