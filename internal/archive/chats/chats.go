// Package chats reads the conversations that ChatGPT and Claude export, as messages in order. It
// reads one conversation at a time, whatever the length of the file.
package chats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/each"
)

// From names the program that wrote an export.
type From string

// The programs whose exports the package reads.
const (
	FromChatGPT From = "chatgpt"
	FromClaude  From = "claude"
)

// Options says where the conversations come from and where they go.
type Options struct {
	From    From
	GroupID string // the group they are added to
	Actor   string // the name of the person in the conversations; empty: none is set
}

// Counts counts what was read.
type Counts struct {
	Conversations int64 `json:"conversations"`
	Messages      int64 `json:"messages"`
	Attachments   int64 `json:"attachments"` // texts attached to messages
}

// Reader returns the messages of an export one by one, as episodes to store. Their external ids
// come from those of the export, so that adding them again changes nothing.
type Reader struct {
	Options
	Counts   Counts
	Unmapped archive.Unmapped

	next    func() (*archive.Elements, error) // the next file; io.EOF after the last
	in      *archive.Elements                 // the file being read; nil if none is
	waiting []graph.Episode                   // of the last conversation read
	close   func() error
}

// NewReader reads the file conversations.json of an export.
func NewReader(r io.Reader, o Options) (*Reader, error) {
	given := false
	return newReader(o, func() (*archive.Elements, error) {
		if given {
			return nil, io.EOF
		}
		given = true
		return archive.NewElements(r), nil
	})
}

func newReader(o Options, next func() (*archive.Elements, error)) (*Reader, error) {
	if o.From != FromChatGPT && o.From != FromClaude {
		return nil, graph.Invalid("from", "%q is not one of chatgpt, claude", o.From)
	}
	if err := graph.ValidateGroupID(o.GroupID); err != nil {
		return nil, err
	}
	if err := graph.ValidateText("actor", o.Actor, graph.MaxName); err != nil {
		return nil, err
	}
	return &Reader{Options: o, next: next, close: func() error { return nil }}, nil
}

// Close closes what [Open] opened.
func (r *Reader) Close() error { return r.close() }

// Next returns the next message, and 0 since there are no line numbers. After the last message it
// returns [io.EOF].
func (r *Reader) Next() (graph.Episode, int, error) {
	for len(r.waiting) == 0 {
		if err := r.read(); err != nil {
			return graph.Episode{}, 0, err
		}
	}
	episode := r.waiting[0]
	r.waiting = r.waiting[1:]
	return episode, 0, nil
}

// read reads one conversation, or opens the next file.
func (r *Reader) read() error {
	if r.in == nil {
		in, err := r.next()
		if err != nil {
			return err
		}
		opening, err := in.Next()
		if errors.Is(err, io.EOF) || err == nil && opening != json.Delim('[') {
			return graph.Invalid("import", "the file is no export of %s: conversations.json must be a list", r.From)
		}
		r.in = in
		return err
	}
	if !r.in.More() {
		err := r.in.End()
		r.in = nil
		return err
	}
	raw, err := r.in.Value()
	if err != nil {
		return err
	}
	if err := r.foreign(raw); err != nil {
		return err
	}
	if r.From == FromClaude {
		r.claude(raw)
	} else {
		r.chatGPT(raw)
	}
	return nil
}

// foreign rejects a conversation of the other program, which would seem to have no messages.
func (r *Reader) foreign(raw json.RawMessage) error {
	var has struct {
		ChatGPT json.RawMessage `json:"mapping"`
		Claude  json.RawMessage `json:"chat_messages"`
	}
	if json.Unmarshal(raw, &has) != nil {
		return nil // decode counts it as unreadable
	}
	for _, other := range []struct {
		from      From
		own, have json.RawMessage
	}{{FromClaude, has.ChatGPT, has.Claude}, {FromChatGPT, has.Claude, has.ChatGPT}} {
		if r.From != other.from && other.own == nil && other.have != nil {
			return graph.Invalid("from", "is %s, but the export is one of %s: say --from %s", r.From, other.from, other.from)
		}
	}
	return nil
}

// message is the part of a message that both exports have.
type message struct {
	id, role, text string
	at             time.Time
}

// take queues a message of a conversation.
func (r *Reader) take(m message, thread, title string) {
	if m.id == "" {
		r.Unmapped.Add("message without an id", thread)
		return
	}
	e := graph.Episode{
		GroupID: r.GroupID, Source: graph.SourceMessage, Content: m.text, Role: m.role, Actor: r.Actor, Name: shortened(title), ThreadID: thread,
		OccurredAt: m.at, ExternalID: string(r.From) + ":" + m.id,
	}
	if m.role == "assistant" {
		e.Actor = map[From]string{FromChatGPT: "ChatGPT", FromClaude: "Claude"}[r.From]
	}
	if r.keep(e, "message") {
		r.Counts.Messages++
	}
}

// keep queues an episode if it can be stored, and reports whether it did.
func (r *Reader) keep(e graph.Episode, kind string) bool {
	if e.OccurredAt.IsZero() { // the present time would be wrong
		r.Unmapped.Add(kind+" without a time", e.ExternalID)
		return false
	}
	if !r.Unmapped.Storable(e, kind, e.ExternalID) {
		return false
	}
	r.waiting = append(r.waiting, e)
	return true
}

// shortened cuts a title to the length of a name.
func shortened(title string) string {
	for len(title) > graph.MaxName {
		runes := []rune(title)
		title = string(runes[:len(runes)*3/4])
	}
	return title
}

// decode decodes a conversation and reports whether that succeeded.
func decode[T any](r *Reader, raw json.RawMessage) (T, bool) {
	r.Counts.Conversations++
	var out T
	if err := json.Unmarshal(raw, &out); err != nil {
		r.Unmapped.Add("conversation that cannot be read", fmt.Sprintf("the %d. of the file: %v", r.Counts.Conversations, err))
		return out, false
	}
	return out, true
}

// String returns the counts in words.
func (c Counts) String() string {
	text := fmt.Sprintf("%s of %s", each.Count(c.Messages, "message"), each.Count(c.Conversations, "conversation"))
	if c.Attachments > 0 {
		text += fmt.Sprintf(" and %s given with them", each.Count(c.Attachments, "text"))
	}
	return text
}
