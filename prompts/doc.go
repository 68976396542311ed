// Package prompts is not an API: it may change with every release. It says what
// the pipeline asks of an analyst and what comes back: one file per question, with
// its typed input, its typed output and the text that puts it to a language model.
// The offline rules answer the same questions.
//
// Things are pointed at by small integers, never by uuid: they are counted
// from 1, so that 0 means none. Dates in an answer are either ISO 8601 or the
// words of the text as they stand ("last Saturday"); code reads them.
//
// A [Prompt] has two parts. The system part holds one task, its rules and
// worked examples; it is constant, so that providers can cache it. The user part
// holds the data, between tags like <message>, which nothing that was said can
// close: what tries is disarmed (safe.go). What is only context is cut, so that
// a prompt does not grow with the graph. The schema of the answer is added by
// who sends the prompt.
//
// The files in testdata pin every word. To change a text, raise its version and
// run go test ./prompts -update.
package prompts

import "time"

// Message is one utterance.
type Message struct {
	Speaker    string    `json:"speaker"`
	Role       string    `json:"role"` // user, assistant …; may be empty
	Content    string    `json:"content"`
	Note       string    `json:"note,omitempty"` // what became of it: "in part taken back"
	OccurredAt time.Time `json:"occurred_at"`
}

// Episode is what is being read.
type Episode struct {
	Source       string      `json:"source"`      // message, text or json
	Description  string      `json:"description"` // of where it comes from; empty: not said
	Speaker      string      `json:"speaker"`     // empty: nobody in particular
	Role         string      `json:"role"`
	Content      string      `json:"content"`
	OccurredAt   time.Time   `json:"occurred_at"`  // dates in the content are relative to it
	Previous     []Message   `json:"previous"`     // what was said before, as context only; oldest first
	Known        []TimedFact `json:"known"`        // what is known of those who speak and are named, as context only
	Window       []Message   `json:"window"`       // several messages read at once, oldest first; then Speaker, Role and Content are empty
	Instructions string      `json:"instructions"` // what the owner of the memory wants heeded
}

// Reading is the time at which what is read stands: of several messages that of the
// last, which sees all before it as done.
func (e Episode) Reading() time.Time {
	at := e.OccurredAt
	for _, m := range e.Window {
		if m.OccurredAt.After(at) {
			at = m.OccurredAt
		}
	}
	return at
}

// ReadingOf is when what the episode says was said: of several messages each has its own time.
func (e Episode) ReadingOf(f KnownFact) time.Time {
	if f.Said.IsZero() {
		return e.OccurredAt
	}
	return f.Said
}

// Attribute is a property of an entity or a fact, as the text has it.
type Attribute struct {
	Name  string `json:"name"`
	Value string `json:"value"` // a list has one Attribute for each of its members
}

// AttributeType says what a property holds.
type AttributeType struct {
	Name        string   `json:"name"`
	Kind        string   `json:"kind"` // string, number, integer, boolean, date or list
	Description string   `json:"description"`
	Values      []string `json:"values"` // the only ones allowed; empty: any
}
