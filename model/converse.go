package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// Conversation is what a model is to continue, by calling functions.
type Conversation struct {
	Name      string // of the prompt: agent_step
	Version   int    // of its text
	System    string
	Messages  []Message
	Tools     []Tool // at least one
	MaxTokens int    // of the answer; zero: that of the LLM
}

// Role is who a message is from.
type Role string

// The roles. Instructions are not among them; see [Conversation].
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is a turn of a conversation.
type Message struct {
	Role Role
	Text string

	Call *ToolCall // of the assistant: the function it called beside its words; nil: none

	// Of a tool: the call whose result Text is. It comes right after that.
	CallID, Function string
}

// Tool is a function that a model may call.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // the JSON schema of its arguments, of the type object
}

// ToolCall is a function called by a model. The arguments are as it wrote
// them, which may be no JSON, or not what the schema asks for.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
}

// Said is how a model continued a conversation. A model may have said nothing.
type Said struct {
	Text  string // beside the calls, or in place of them
	Calls []ToolCall
	Cut   bool // it stopped at its maximal length
}

// spoken is what a model without function calling answers.
type spoken struct {
	Thought   string         `json:"thought" jsonschema:"what you think, in at most 50 words"`
	Function  string         `json:"function" jsonschema:"the name of the function to call"`
	Arguments map[string]any `json:"arguments" jsonschema:"its arguments, an object"`
}

// Converse asks a model to continue a conversation by calling functions:
// through the provider's function calling where there is one, and else by
// asking for a JSON object that names a function. It does not check the
// arguments of calls. A provider that does not answer is a [*CallError].
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

// callsFunctions reports whether functions may be offered. langchaingo's client
// for Ollama supports none, and models of other origin may not.
func (l *LLM) callsFunctions() bool {
	l.known.mu.Lock()
	defer l.known.mu.Unlock()
	return l.wired && l.provider.dialect != ollamaChat && !l.known.noTools
}

// aboutTools reports whether a refusal is about functions.
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
		l.learnRefused(refused)
	}
}

// learnRefused keeps what a model does not take.
func (l *LLM) learnRefused(r refused) {
	l.known.mu.Lock()
	defer l.known.mu.Unlock()
	l.known.refused = r
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

// withIDs gives calls ids where the model gave none.
func withIDs(calls []ToolCall) []ToolCall {
	for i := range calls {
		if calls[i].ID == "" {
			calls[i].ID = "call_" + strings.ReplaceAll(uuid.NewString(), "-", "")[:24]
		}
	}
	return calls
}

// turns are the messages of a conversation.
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

// converseInJSON asks a model without function calling for the name of one
// function. Where it names none, the agent tells it so: a repair would not fit
// beside a conversation of full length.
func (l *LLM) converseInJSON(ctx context.Context, c Conversation) (Said, error) {
	if c.MaxTokens > 0 && c.MaxTokens != l.config.MaxTokens {
		shorter := *l
		shorter.config.MaxTokens = c.MaxTokens
		l = &shorter
	}
	system, user := c.InJSON()
	answer, err := ask[spoken](ctx, l, Question{Name: c.Name, Version: c.Version, System: system, User: user}, nil, true, 0)
	if wrong, ok := errors.AsType[*AnswerError](err); ok { // it only talks
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

// InJSON returns the conversation for a model without function calling: the
// functions are in the instructions, the turns in one text.
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
