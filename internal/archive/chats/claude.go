package chats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/annalsdb/annals/graph"
)

// A conversation of Claude is a list of messages, each with its parent. If a message was edited,
// both versions have the same parent.
type claudeConversation struct {
	UUID     string          `json:"uuid"`
	Name     string          `json:"name"`
	Messages []claudeMessage `json:"chat_messages"`
}

type claudeMessage struct {
	UUID      string `json:"uuid"`
	Parent    string `json:"parent_message_uuid"`
	Sender    string `json:"sender"`
	Text      string `json:"text"`
	CreatedAt moment `json:"created_at"`
	Content   []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Attachments []struct {
		Name    string `json:"file_name"`
		Content string `json:"extracted_content"`
	} `json:"attachments"`
	Files []struct {
		Name string `json:"file_name"`
	} `json:"files"`
}

// moment is a time, or the zero time if it cannot be read: a wrong time is no reason to omit its
// conversation.
type moment struct{ time.Time }

// UnmarshalJSON reads the time.
func (m *moment) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &m.Time) != nil {
		m.Time = time.Time{}
	}
	return nil
}

// claudeRoles maps Claude's senders to roles.
var claudeRoles = map[string]string{"human": "user", "assistant": "assistant"}

func (r *Reader) claude(raw json.RawMessage) {
	c, ok := decode[claudeConversation](r, raw)
	if !ok {
		return
	}
	if len(c.Messages) == 0 {
		r.Unmapped.Add("conversation without messages", c.UUID)
	}
	left := c.left()
	for _, m := range c.Messages {
		role, known := claudeRoles[m.Sender]
		switch {
		case left[m.UUID]:
			r.Unmapped.Add("message of a branch that was left", m.UUID)
			continue
		case !known:
			r.Unmapped.Add(fmt.Sprintf("message of the sender %q", m.Sender), m.UUID)
			continue
		}
		r.given(m, c)
		if text := r.written(m); text != "" {
			r.take(message{id: m.UUID, role: role, text: text, at: m.CreatedAt.Time}, c.UUID, c.Name)
		} else if len(m.Attachments)+len(m.Files) == 0 {
			r.Unmapped.Add("message without a text", m.UUID)
		}
	}
}

// left returns the messages of abandoned branches. The last message ends the current branch;
// siblings of its messages and their descendants are abandoned.
func (c *claudeConversation) left() map[string]bool {
	byID := map[string]claudeMessage{}
	last := ""
	for _, m := range c.Messages {
		byID[m.UUID] = m
		if latest, ok := byID[last]; !ok || !m.CreatedAt.Before(latest.CreatedAt.Time) {
			last = m.UUID
		}
	}
	branch, follows := map[string]bool{}, map[string]bool{} // the messages of the branch, and their parents
	for range c.Messages {
		m, known := byID[last]
		if !known {
			break
		}
		branch[m.UUID] = true
		if m.Parent != "" {
			follows[m.Parent] = true
		}
		last = m.Parent
	}
	left := map[string]bool{}
	for _, m := range c.Messages { // a message comes after its parent
		if !branch[m.UUID] && (follows[m.Parent] || left[m.Parent]) {
			left[m.UUID] = true
		}
	}
	return left
}

// written joins the texts of a message, without Claude's thoughts and calls of tools.
func (r *Reader) written(m claudeMessage) string {
	var texts []string
	for _, block := range m.Content {
		if block.Type != "text" {
			r.Unmapped.Add("part of a message of the kind "+cmp.Or(block.Type, "none"), m.UUID)
		} else if strings.TrimSpace(block.Text) != "" {
			texts = append(texts, block.Text)
		}
	}
	if len(texts) == 0 && strings.TrimSpace(m.Text) != "" { // the form of older exports
		texts = append(texts, m.Text)
	}
	return strings.Join(texts, "\n\n")
}

// given queues the texts attached to a message, each as a document.
func (r *Reader) given(m claudeMessage, c claudeConversation) {
	for i, a := range m.Attachments {
		if m.UUID == "" {
			r.Unmapped.Add("attachment of a message without an id", c.UUID+" "+a.Name)
			continue
		}
		if strings.TrimSpace(a.Content) == "" {
			r.Unmapped.Add("attachment without its text", m.UUID+" "+a.Name)
			continue
		}
		if r.keep(graph.Episode{
			GroupID: r.GroupID, Source: graph.SourceText, Content: a.Content, Name: shortened(a.Name), SourceDescription: "a file given in a conversation",
			ThreadID: c.UUID, OccurredAt: m.CreatedAt.Time, ExternalID: fmt.Sprintf("claude:%s:%d", m.UUID, i),
		}, "attachment") {
			r.Counts.Attachments++
		}
	}
	for _, f := range m.Files {
		r.Unmapped.Add("file without its content", m.UUID+" "+f.Name)
	}
}
