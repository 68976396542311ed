package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// Conversation is a conversation that a model is to continue by calling
// functions.
type Conversation struct {
	Name      string // the prompt's name: agent_step
	Version   int    // the version of its text
	System    string
	Messages  []Message
	Tools     []Tool // at least one
	MaxTokens int    // limit of the answer; zero: that of the LLM
}

// Role is the sender of a message.
type Role string

// The roles. Instructions have none; see [Conversation].
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is a turn of a conversation.
type Message struct {
	Role Role
	Text string

	Call *ToolCall // for the assistant: the function it called beside its words; nil: none

	// For a tool: the call whose result is Text, and its function. It follows
	// that call directly.
	CallID, Function string
}

// Tool is a function that a model may call.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // the JSON schema of its arguments, of the type object
}

// ToolCall is a model's call of a function. The arguments are unchecked: they
// may be no JSON, or not match the schema.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
}

// Said is a model's continuation of a conversation. Text and Calls may both be
// empty.
type Said struct {
	Text  string // words beside the calls, or instead of them
	Calls []ToolCall
	Cut   bool // the answer reached its token limit
}

// spoken is the answer of a model without function calling.
type spoken struct {
	Thought   string         `json:"thought" jsonschema:"what you think, in at most 50 words"`
	Function  string         `json:"function" jsonschema:"the name of the function to call"`
	Arguments map[string]any `json:"arguments" jsonschema:"its arguments, an object"`
}

// Converse asks a model to continue a conversation by calling functions. It
// uses the provider's function calling if available, else it asks for a JSON
// object that names a function. It does not check the arguments of calls. If
// the provider does not answer, the error is a [*CallError].
func (l *LLM) Converse(ctx context.Context, c Conversation) (Said, error) {
	if !l.callsFunctions() {
		return l.converseInJSON(ctx, c)
	}
	said, err := l.converse(ctx, c)
	if err != nil && refusedRequest(err) && aboutTools(err) {
		l.known.mu.Lock()
		l.known.noTools = true
		l.known.mu.Unlock()
		return l.converseInJSON(ctx, c)
	}
	return said, err
}

// callsFunctions reports whether the model can be offered functions.
// langchaingo's client for Ollama cannot offer any, and models from [NewLLM]
// may not support them.
func (l *LLM) callsFunctions() bool {
	l.known.mu.Lock()
	defer l.known.mu.Unlock()
	return l.wired && l.provider.dialect != ollamaChat && !l.known.noTools
}

// aboutTools reports whether a refusal concerns functions.
func aboutTools(err error) bool {
	said := strings.ToLower(err.Error())
	return strings.Contains(said, "tool") || strings.Contains(said, "function")
}

func (l *LLM) converse(ctx context.Context, c Conversation) (Said, error) {
	_, refused := l.ways()
	tokens := c.MaxTokens
	if tokens == 0 {
		tokens = l.config.MaxTokens
	}
	for {
		x := &exchange{prompt: c.Name, tools: true, refused: refused}
		r, err := l.send(ctx, x, turns(c), tokens, c.Tools)
		if lost := l.book(ctx, c, r, err); lost != nil {
			return Said{}, errors.Join(lost, err)
		}
		if err == nil {
			return Said{Text: strings.TrimSpace(r.text), Calls: withIDs(r.calls), Cut: r.cut}, nil
		}
		_, next, again := l.instead(err, StructuredPrompt, refused)
		if !again || next == refused {
			return Said{}, err
		}
		refused = next
		l.known.mu.Lock()
		l.known.refused = refused
		l.known.mu.Unlock()
	}
}

// book records the attempts of a turn.
func (l *LLM) book(ctx context.Context, c Conversation, r reply, err error) error {
	d := &dialogue{llm: l, question: Question{Name: c.Name, Version: c.Version}}
	for i, a := range r.attempts {
		call := d.call(ctx, a)
		switch {
		case a.err != nil:
			call.Error = a.err.Error()
		case i == len(r.attempts)-1 && err != nil:
			call.Error = err.Error()
		}
		if lost := d.record(ctx, call); lost != nil {
			return lost
		}
	}
	return nil
}

// withIDs adds missing ids to calls.
func withIDs(calls []ToolCall) []ToolCall {
	for i := range calls {
		if calls[i].ID == "" {
			calls[i].ID = "call_" + strings.ReplaceAll(uuid.NewString(), "-", "")[:24]
		}
	}
	return calls
}

// turns returns the messages to send for a conversation.
func turns(c Conversation) []message {
	var all []message
	if c.System != "" {
		all = append(all, message{role: system, text: c.System})
	}
	for _, m := range c.Messages {
		switch m.Role {
		case RoleTool:
			all = append(all, message{role: tool, text: m.Text, callID: m.CallID, function: m.Function})
		case RoleAssistant:
			turn := message{role: assistant, text: m.Text}
			if m.Call != nil {
				turn.calls = []ToolCall{*m.Call}
			}
			all = append(all, turn)
		default:
			all = append(all, message{role: user, text: m.Text})
		}
	}
	return all
}

// converseInJSON asks a model without function calling for the name of a
// function. It sends no wrong answer back: beside a conversation of full length
// there may be no room. The agent reports the mistake to the model instead.
func (l *LLM) converseInJSON(ctx context.Context, c Conversation) (Said, error) {
	if c.MaxTokens > 0 && c.MaxTokens != l.config.MaxTokens {
		shorter := *l
		shorter.config.MaxTokens = c.MaxTokens
		l = &shorter
	}
	system, user := c.InJSON()
	answer, err := ask[spoken](ctx, l, Question{Name: c.Name, Version: c.Version, System: system, User: user}, nil, true, 0)
	if wrong, ok := errors.AsType[*AnswerError](err); ok { // an answer without a function
		return Said{Text: strings.TrimSpace(cutTo(wrong.Raw, maxQuoted))}, nil
	}
	if err != nil {
		return Said{}, err
	}
	said := Said{Text: strings.TrimSpace(answer.Thought)}
	if answer.Function == "" {
		return said, nil
	}
	arguments, err := json.Marshal(answer.Arguments)
	if err != nil {
		return Said{}, fmt.Errorf("read the arguments of %s: %w", answer.Function, err)
	}
	said.Calls = withIDs([]ToolCall{{Name: answer.Function, Arguments: string(arguments)}})
	return said, nil
}

// InJSON returns the conversation as two prompts for a model without function
// calling: system describes the functions, user holds the messages.
func (c Conversation) InJSON() (system, user string) {
	var s, u strings.Builder
	s.WriteString(c.System)
	s.WriteString("\n\nAnswer with the function you call next. The functions, each with the JSON schema of its arguments:\n")
	for _, t := range c.Tools {
		fmt.Fprintf(&s, "- %s: %s %s\n", t.Name, t.Description, t.Parameters)
	}
	u.WriteString("The conversation so far:\n")
	for _, m := range c.Messages {
		switch {
		case m.Role == RoleTool:
			fmt.Fprintf(&u, "[result of %s] %s\n", m.Function, m.Text)
		case m.Role == RoleAssistant && m.Call != nil:
			fmt.Fprintf(&u, "[you] %s\n[you call %s] %s\n", m.Text, m.Call.Name, m.Call.Arguments)
		case m.Role == RoleAssistant:
			fmt.Fprintf(&u, "[you] %s\n", m.Text)
		default:
			fmt.Fprintf(&u, "[user] %s\n", m.Text)
		}
	}
	u.WriteString("\nWhich function do you call next?")
	return s.String(), u.String()
}
