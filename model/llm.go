package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/annalsdb/annals/internal/fence"
)

// LLM is a language model that answers questions in JSON; see [Ask]. It is safe
// for concurrent use.
type LLM struct {
	name     string
	chat     chat
	provider provider
	wired    bool // its requests pass through our transport
	config   Config
	ledger   Ledger
	known    *knowledge
}

// knowledge is what earlier calls revealed about a model.
type knowledge struct {
	mu      sync.Mutex
	mode    Structured // how JSON is asked for; empty: nothing learned
	noTools bool       // the server or the model takes no functions
	refused refused
}

// OpenLLM returns the model that c names, without calling it. An invalid
// configuration is a [graph.Error] of code invalid with the field llm, or
// structured for an unknown Structured.
func OpenLLM(c Config) (*LLM, error) {
	p, name, err := parseSpec("llm", c.Model, c.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(c.validate(), p.needsKey("llm", c)); err != nil {
		return nil, err
	}
	c = c.withDefaults()
	chat, err := openChat(p, name, c)
	if err != nil {
		return nil, fmt.Errorf("open the model %s: %w", c.Model, err)
	}
	return &LLM{name: p.name + ":" + name, chat: chat, provider: p, wired: true, config: c, known: &knowledge{}}, nil
}

// Name returns "provider:model".
func (l *LLM) Name() string { return l.name }

// With returns the same model with a ledger. The model answers repeated
// questions from the ledger and records every call there.
func (l *LLM) With(ledger Ledger) *LLM {
	other := *l
	other.ledger = ledger
	return &other
}

// message is one turn of a conversation.
type message struct {
	role role
	text string

	calls    []ToolCall // of the assistant
	callID   string     // of the tool: the call that this is the result of
	function string     // of the tool
}

type role uint8

const (
	system role = iota
	user
	assistant
	tool
)

// chat sends messages to a model, with the functions it may call, and returns
// its reply of at most maxTokens tokens. A reply without content is
// errNoAnswer.
type chat func(ctx context.Context, messages []message, maxTokens int, tools []Tool) (reply, error)

type reply struct {
	text     string
	calls    []ToolCall
	cut      bool  // the answer reached its token limit
	usage    usage // as langchaingo reports it
	attempts []attempt
}

// last returns the attempt that brought the reply.
func (r reply) last() attempt { return r.attempts[len(r.attempts)-1] }

var (
	// errNoAnswer is the error of an answer without content.
	errNoAnswer = errors.New("an empty answer")

	// errUnreadable is the error of a response that is none of a model's, perhaps of a proxy.
	errUnreadable = fmt.Errorf("%w: nothing can be read", errNoAnswer)
)

// generate sends the dialogue. If the model refuses a parameter or a method of
// asking for JSON, it asks again without it. It returns the attempts also with
// an error.
func (l *LLM) generate(ctx context.Context, d *dialogue, maxTokens int) (reply, error) {
	mode, refused := l.ways()
	var all []attempt
	for {
		x := &exchange{prompt: d.question.Name, shape: d.shape, mode: mode, refused: refused}
		r, err := l.send(ctx, x, l.messages(d, mode), maxTokens, nil)
		all = append(all, r.attempts...)
		r.attempts = all
		if err == nil {
			l.learn(mode, refused)
			return r, nil
		}
		next, without, again := l.instead(err, mode, refused)
		if !again {
			return r, err
		}
		mode, refused = next, without
	}
}

// send makes one langchaingo call, which is one attempt, or several with our
// transport.
func (l *LLM) send(ctx context.Context, x *exchange, messages []message, maxTokens int, tools []Tool) (reply, error) {
	sending := withExchange(ctx, x)
	if !l.wired {
		var cancel context.CancelFunc
		sending, cancel = context.WithTimeout(sending, l.config.Timeout)
		defer cancel()
	}
	started := time.Now()
	r, err := l.chat(sending, messages, maxTokens, tools)
	r.attempts, r.cut = x.attempts, r.cut || x.cut
	if !l.wired {
		r.attempts = []attempt{{latency: time.Since(started), usage: r.usage}}
		if err != nil && ctx.Err() == nil && sending.Err() != nil {
			err = &CallError{Provider: l.name, Message: fmt.Sprintf("no answer within %s", l.config.Timeout), Err: errTimeout}
		}
	}
	if r.cut && errors.Is(err, errNoAnswer) { // reasoning used up the tokens
		err = nil
	}
	if err = l.explain(ctx, x, err); err != nil && len(r.attempts) > 0 && r.last().err == nil {
		r.attempts[len(r.attempts)-1].err = err
	}
	return r, err
}

// explain replaces langchaingo's error, which has lost its cause, by the
// context's error, the transport's error, or a [*CallError].
func (l *LLM) explain(ctx context.Context, x *exchange, err error) error {
	switch {
	case x.refusal != "":
		return &CallError{Provider: l.name, Message: "no answer: " + redact(cutTo(x.refusal, 500), l.config.APIKey)}
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("ask %s: %w", l.name, ctx.Err())
	case x.err != nil:
		return x.err
	case errors.Is(err, errNoAnswer):
		return &CallError{Provider: l.name, Message: "the model gave an empty answer", Err: errNoAnswer}
	}
	if call, ok := errors.AsType[*CallError](err); ok {
		return call
	}
	cause := errUnreadable
	if x.answered {
		cause = errNoAnswer
	}
	return &CallError{Provider: l.name, Message: "its answer cannot be read: " + redact(cutTo(err.Error(), 500), l.config.APIKey), Err: cause}
}

// fenced escapes quotations in an answer, which may come from a prompt, before
// the model sees them again, so that it does not take them for structure.
var fenced = fence.New()

// messages returns the dialogue as messages to the model.
func (l *LLM) messages(d *dialogue, mode Structured) []message {
	instructions := d.question.System
	if l.provider.inPrompt(mode) {
		instructions = withSchema(instructions, d.question.Name, d.shape)
	}
	var all []message
	if instructions != "" {
		all = append(all, message{role: system, text: instructions})
	}
	all = append(all, message{role: user, text: d.question.User})
	if d.violation == "" {
		return all
	}
	if strings.TrimSpace(d.said) != "" { // providers refuse an empty turn
		all = append(all, message{role: assistant, text: fenced.Text(d.said)})
	}
	return append(all, message{role: user, text: "This answer cannot be used: " + fenced.Text(d.violation) +
		"\nGive the whole answer again, with this put right: one JSON object and nothing else."})
}

// ways returns the method of asking for JSON and the refused parameters.
func (l *LLM) ways() (Structured, refused) {
	l.known.mu.Lock()
	defer l.known.mu.Unlock()
	switch {
	case !l.wired:
		return StructuredPrompt, l.known.refused
	case l.config.Structured != StructuredAuto:
		return l.config.Structured, l.known.refused
	default:
		return cmp.Or(l.known.mode, StructuredSchema), l.known.refused
	}
}

// learn remembers a method that worked.
func (l *LLM) learn(mode Structured, refused refused) {
	l.known.mu.Lock()
	defer l.known.mu.Unlock()
	l.known.mode, l.known.refused = mode, refused
}

// instead returns how to ask after a refusal, and whether there is another way
// to try.
func (l *LLM) instead(err error, mode Structured, without refused) (Structured, refused, bool) {
	if !l.wired || !refusedRequest(err) {
		return mode, without, false
	}
	said := strings.ToLower(err.Error())
	switch {
	case tooLong(said), errors.Is(err, errNoAnswer):
		return mode, without, false
	case strings.Contains(said, "temperature") && !without.temperature:
		without.temperature = true
		return mode, without, true
	case strings.Contains(said, "max_tokens") || strings.Contains(said, "max_completion_tokens"):
		again := !without.tokensField && l.provider.dialect == openAI
		without.tokensField = true
		return mode, without, again
	case l.config.Structured != StructuredAuto || !aboutFormat(said):
		return mode, without, false
	case mode == StructuredSchema:
		return StructuredJSON, without, true
	case mode == StructuredJSON:
		return StructuredPrompt, without, true
	}
	return mode, without, false
}

// aboutFormat reports whether a refusal may concern the method of asking for
// JSON, and not, for instance, a content filter.
func aboutFormat(said string) bool {
	return containsAny(said, "format", "schema", "json", "tool", "structured", "unsupported", "not supported", "unknown", "unrecognized", "unexpected", "extra")
}

// refusedRequest reports whether a provider rejected the request itself.
func refusedRequest(err error) bool {
	call, ok := errors.AsType[*CallError](err)
	return ok && (call.Status == http.StatusBadRequest || call.Status == http.StatusUnprocessableEntity)
}

// tooLong reports whether a message refuses a request for its length. Some
// servers use status 500.
func tooLong(said string) bool {
	return containsAny(strings.ToLower(said), "context length", "context_length", "maximum context", "context window", "too long", "too large", "too many tokens")
}
