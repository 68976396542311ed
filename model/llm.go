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
	served // of a model of one's own its name and configuration
	own    Continue
	known  *knowledge
}

// Continue has a model of one's own continue a conversation.
type Continue func(context.Context, Conversation) (Reply, error)

// Reply is what a model of one's own said, and how many tokens that took.
type Reply struct {
	Said
	InputTokens, OutputTokens, CachedTokens int // input counts the cached ones too
}

// knowledge is what earlier calls revealed about a model.
type knowledge struct {
	mu      sync.Mutex
	mode    Structured // how JSON is asked for; empty: nothing learned
	noTools bool       // the server or the model takes no functions
	refused refused
}

// OpenLLM returns the model that c names. It does not call it yet. A
// specification that cannot be understood is a [graph.Error] of code invalid
// with the field llm.
func OpenLLM(c Config) (*LLM, error) {
	p, name, err := parseSpec("llm", c.Model, c.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := c.validate(); err != nil {
		return nil, err
	}
	return &LLM{served: newServed(p, name, c.withDefaults()), known: &knowledge{}}, nil
}

// NewLLM is a model of one's own. Of c it heeds MaxTokens, Timeout and Prices; limits,
// retries and enforced schemas are for those that [OpenLLM] opens, so the schema goes into
// the instructions, and it is offered no functions.
func NewLLM(name string, own Continue, c Config) *LLM {
	return &LLM{served: served{name: name, provider: provider{name: name}, reached: c.withDefaults()}, own: own, known: &knowledge{}}
}

// Name returns "provider:model".
func (l *LLM) Name() string { return l.name }

// With returns the same model, which answers from the ledger what it was asked
// before and records every call in it.
func (l *LLM) With(ledger Ledger) *LLM {
	other := *l
	other.ledger = ledger
	return &other
}

// reply is what a model said, and the attempts that it took: at least one, unless it could
// not be asked.
type reply struct {
	Said
	attempts []attempt
}

// last is the attempt the reply came with.
func (r reply) last() attempt { return r.attempts[len(r.attempts)-1] }

// errNoAnswer is an answer without content.
var errNoAnswer = errors.New("an empty answer")

// generate sends the dialogue. When the model refuses a parameter or a way of
// asking for JSON, it asks again without. The attempts are returned with an
// error, too.
func (l *LLM) generate(ctx context.Context, d *dialogue, maxTokens int) (reply, error) {
	w := wishes{shape: d.shape}
	w.mode, w.refused = l.ways()
	var all []attempt
	for {
		r, err := l.send(ctx, w, l.conversation(d, w.mode, maxTokens))
		all = append(all, r.attempts...)
		r.attempts = all
		if err == nil {
			l.learn(w.mode, w.refused)
			return r, nil
		}
		next, without, again := l.instead(err, w.mode, w.refused)
		if !again {
			return r, err
		}
		w.mode, w.refused = next, without
	}
}

// send asks once, of a provider as often as it takes.
func (l *LLM) send(ctx context.Context, w wishes, c Conversation) (r reply, err error) {
	x := &exchange{}
	if l.own != nil {
		r, err = l.askOwn(ctx, c)
	} else {
		r.Said, err = l.ask(withExchange(ctx, x), w, c)
		r.attempts, r.Cut = x.attempts, x.cut
	}
	switch {
	case r.Cut && errors.Is(err, errNoAnswer): // it thought until there was no room to answer
		err = nil
	case err == nil && c.Tools == nil && !r.Cut && strings.TrimSpace(r.Text) == "":
		err = errNoAnswer
	}
	if err = l.explain(ctx, x, err); err != nil && len(r.attempts) > 0 && r.last().err == nil {
		r.attempts[len(r.attempts)-1].err = err
	}
	return r, err
}

// ask sends one request. Where a function was to be called in place of an answer, its
// arguments are the answer.
func (l *LLM) ask(ctx context.Context, w wishes, c Conversation) (Said, error) {
	data, _, err := l.post(ctx, l.provider.chatPath(), l.provider.chatBody(l.model, c, w))
	if err != nil {
		return Said{}, err
	}
	said, err := l.provider.dialect.readChat(data)
	if c.Tools == nil && len(said.Calls) > 0 {
		said.Text, said.Calls = said.Calls[0].Arguments, nil
	}
	return said, err
}

func (l *LLM) askOwn(ctx context.Context, c Conversation) (reply, error) {
	within, cancel := context.WithTimeout(ctx, l.reached.Timeout)
	defer cancel()
	started := time.Now()
	said, err := l.own(within, c)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		err = &CallError{Provider: l.name, Message: fmt.Sprintf("no answer within %s", l.reached.Timeout), Err: errTimeout}
	}
	took := usage{said.InputTokens, said.OutputTokens, said.CachedTokens}
	return reply{said.Said, []attempt{{latency: time.Since(started), usage: took}}}, err
}

// explain is the error to return: the context's own, what the transport saw, or what
// there is.
func (l *LLM) explain(ctx context.Context, x *exchange, err error) error {
	switch {
	case x.refusal != "":
		return &CallError{Provider: l.name, Message: "no answer: " + redact(cutTo(x.refusal, 500), l.reached.APIKey)}
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
	return &CallError{Provider: l.name, Message: "its answer cannot be read: " + redact(cutTo(err.Error(), 500), l.reached.APIKey), Err: errNoAnswer}
}

// fenced keeps what an answer quotes, which may be of what it read, from being
// taken for structure when it is shown again.
var fenced = fence.New()

// conversation is the dialogue as the model is to see it.
func (l *LLM) conversation(d *dialogue, mode Structured, maxTokens int) Conversation {
	c := Conversation{Name: d.question.Name, System: d.question.System, MaxTokens: maxTokens, Messages: []Message{{Role: RoleUser, Text: d.question.User}}}
	if l.provider.inPrompt(mode) {
		c.System = withSchema(c.System, c.Name, d.shape)
	}
	if d.violation == "" {
		return c
	}
	if strings.TrimSpace(d.said) != "" { // providers refuse a turn without words
		c.Messages = append(c.Messages, Message{Role: RoleAssistant, Text: fenced.Text(d.said)})
	}
	c.Messages = append(c.Messages, Message{Role: RoleUser, Text: "This answer cannot be used: " + fenced.Text(d.violation) +
		"\nGive the whole answer again, with this put right: one JSON object and nothing else."})
	return c
}

// ways returns how to ask now.
func (l *LLM) ways() (Structured, refused) {
	l.known.mu.Lock()
	defer l.known.mu.Unlock()
	switch {
	case l.own != nil:
		return StructuredPrompt, l.known.refused
	case l.reached.Structured != StructuredAuto:
		return l.reached.Structured, l.known.refused
	default:
		return cmp.Or(l.known.mode, StructuredSchema), l.known.refused
	}
}

// learn keeps what worked.
func (l *LLM) learn(mode Structured, refused refused) {
	l.known.mu.Lock()
	defer l.known.mu.Unlock()
	l.known.mode, l.known.refused = mode, refused
}

// instead returns how to ask after a refusal, and whether there is another way.
func (l *LLM) instead(err error, mode Structured, without refused) (Structured, refused, bool) {
	if l.own != nil || !refusedRequest(err) {
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
	case l.reached.Structured != StructuredAuto || !aboutFormat(said):
		return mode, without, false
	case mode == StructuredSchema:
		return StructuredJSON, without, true
	case mode == StructuredJSON:
		return StructuredPrompt, without, true
	}
	return mode, without, false
}

// aboutFormat reports whether a refusal may be about how JSON was asked for,
// unlike one of a content filter.
func aboutFormat(said string) bool {
	for _, sign := range []string{"format", "schema", "json", "tool", "structured", "unsupported", "not supported", "unknown", "unrecognized", "unexpected", "extra"} {
		if strings.Contains(said, sign) {
			return true
		}
	}
	return false
}

// refusedRequest reports whether a provider rejected the request itself.
func refusedRequest(err error) bool {
	call, ok := errors.AsType[*CallError](err)
	return ok && (call.Status == http.StatusBadRequest || call.Status == http.StatusUnprocessableEntity)
}

// tooLong reports whether a request was refused for its length; some servers
// answer 500 to that.
func tooLong(said string) bool {
	said = strings.ToLower(said)
	for _, sign := range []string{"context length", "context_length", "maximum context", "context window", "too long", "too large", "too many tokens"} {
		if strings.Contains(said, sign) {
			return true
		}
	}
	return false
}
