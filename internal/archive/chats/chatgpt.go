package chats

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"
)

// A conversation of ChatGPT is a tree. Each answer that was generated again and each message that
// was edited begins a branch. current_node is the end of the branch that was shown last.
type chatGPTConversation struct {
	ID             string                 `json:"id"`
	ConversationID string                 `json:"conversation_id"`
	Title          string                 `json:"title"`
	CreatedAt      seconds                `json:"create_time"`
	Current        string                 `json:"current_node"`
	Mapping        map[string]chatGPTNode `json:"mapping"`
}

type chatGPTNode struct {
	Message *chatGPTMessage `json:"message"`
	Parent  string          `json:"parent"`
}

type chatGPTMessage struct {
	ID     string `json:"id"`
	Author struct {
		Role string `json:"role"`
	} `json:"author"`
	CreatedAt seconds  `json:"create_time"`
	Weight    *float64 `json:"weight"`
	Recipient string   `json:"recipient"`
	Content   struct {
		Type  string            `json:"content_type"`
		Parts []json.RawMessage `json:"parts"`
	} `json:"content"`
	Metadata struct {
		Hidden bool `json:"is_visually_hidden_from_conversation"`
	} `json:"metadata"`
}

// seconds is a time given as the number of seconds since 1970, or null.
type seconds struct{ time.Time }

// UnmarshalJSON reads the number. Anything else gives the zero time: a wrong time is no reason to
// omit its conversation.
func (s *seconds) UnmarshalJSON(text []byte) error {
	var written *float64
	s.Time = time.Time{}
	if json.Unmarshal(text, &written) == nil && written != nil {
		whole, part := math.Modf(*written)
		s.Time = time.Unix(int64(whole), int64(math.Round(part*1e6))*1000).UTC()
	}
	return nil
}

func (r *Reader) chatGPT(raw json.RawMessage) {
	c, ok := decode[chatGPTConversation](r, raw)
	if !ok {
		return
	}
	thread := cmp.Or(c.ConversationID, c.ID)
	if len(c.Mapping) == 0 {
		r.Unmapped.Add("conversation without messages", thread)
	}
	branch := c.branch()
	shown := map[string]bool{}
	for _, id := range branch {
		shown[id] = true
	}
	for id, node := range c.Mapping {
		if !shown[id] && node.Message != nil && node.Message.said() != "" {
			r.Unmapped.Add("message of a branch that was left", thread)
		}
	}
	at := c.CreatedAt.Time
	for _, id := range branch {
		m := c.Mapping[id].Message
		if m == nil {
			continue
		}
		if !m.CreatedAt.IsZero() {
			at = m.CreatedAt.Time
		}
		if text, ok := r.spoken(m); ok {
			r.take(message{id: cmp.Or(m.ID, id), role: m.Author.Role, text: text, at: at}, thread, c.Title)
		}
	}
}

// branch lists the nodes from the root to the current one. If none is marked as current, it ends
// with the message written last.
func (c *chatGPTConversation) branch() []string {
	id := c.Current
	if _, known := c.Mapping[id]; !known {
		var last time.Time
		for other, node := range c.Mapping {
			if m := node.Message; m != nil && (m.CreatedAt.After(last) || m.CreatedAt.Equal(last) && other > id) {
				id, last = other, m.CreatedAt.Time
			}
		}
	}
	var branch []string
	for len(branch) < len(c.Mapping) { // ends even if the parents form a loop
		node, known := c.Mapping[id]
		if !known {
			break
		}
		branch, id = append(branch, id), node.Parent
	}
	slices.Reverse(branch)
	return branch
}

// spoken returns the text of a message, if the user or the assistant said it to the other.
func (r *Reader) spoken(m *chatGPTMessage) (string, bool) {
	role, kind := m.Author.Role, m.Content.Type
	switch {
	case role != "user" && role != "assistant":
		if m.said() != "" {
			r.Unmapped.Add("message of the role "+role, m.ID)
		}
	case m.Metadata.Hidden || m.Weight != nil && *m.Weight == 0:
		r.Unmapped.Add("message that was not shown", m.ID)
	case kind != "text" && kind != "multimodal_text":
		r.Unmapped.Add("message of the kind "+kind, m.ID)
	case role == "assistant" && m.Recipient != "" && m.Recipient != "all":
		r.Unmapped.Add("message to a tool", m.ID)
	default:
		for _, part := range m.Content.Parts {
			if what := partKind(part); what != "" {
				r.Unmapped.Add("part of a message of the kind "+what, m.ID)
			}
		}
		text := m.said()
		if text == "" {
			r.Unmapped.Add("message without a text", m.ID)
		}
		return text, text != ""
	}
	return "", false
}

// said joins the texts of a message, including transcripts of speech.
func (m *chatGPTMessage) said() string {
	var texts []string
	for _, part := range m.Content.Parts {
		var text string
		var object struct{ Text string }
		switch {
		case json.Unmarshal(part, &text) == nil:
		case json.Unmarshal(part, &object) == nil:
			text = object.Text
		}
		if strings.TrimSpace(text) != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// partKind returns the kind of a part without text, or "" for a part with text.
func partKind(part json.RawMessage) string {
	var object struct {
		Type string `json:"content_type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(part, &object) != nil || object.Text != "" {
		return ""
	}
	return object.Type
}
