package agent

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/public"
	"github.com/annalsdb/annals/model"
)

// StepKind is the kind of a step.
type StepKind string

// The kinds of steps.
const (
	StepCall     StepKind = "call"     // the model called a function
	StepThought  StepKind = "thought"  // the model called no function
	StepPressure StepKind = "pressure" // the model was told that its context fills up, or that its documents were closed
	StepEviction StepKind = "eviction" // messages left the context
	StepStopped  StepKind = "stopped"  // the turn reached [Settings].MaxSteps
)

// Step is one step of an agent, or one call of a step with several.
type Step struct {
	Number       int64     `json:"number"` // calls in the same answer share it
	Kind         StepKind  `json:"kind"`
	Thought      string    `json:"thought,omitempty"` // inner monologue
	Function     string    `json:"function,omitempty"`
	Arguments    string    `json:"arguments,omitempty"`
	Result       string    `json:"result,omitempty"` // of the function; or the summary, or the warning
	Failed       bool      `json:"failed,omitempty"`
	Message      string    `json:"message,omitempty"` // for the user
	Evicted      int       `json:"evicted,omitempty"` // number of messages that left the context
	PromptTokens int       `json:"prompt_tokens"`     // of the whole context
	Note         string    `json:"note,omitempty"`
	At           time.Time `json:"at"`
}

// Turn is what an agent did after an event.
type Turn struct {
	Messages []string `json:"messages"` // for the user
	Steps    []Step   `json:"steps"`
	Stopped  bool     `json:"stopped"` // whether it reached [Settings].MaxSteps
}

// Tell gives an event to an agent and runs it until it rests. It waits while the agent is busy.
// report, if not nil, is called with each stored step. If the model fails, the turn is unfinished:
// [Agent.Resume] or the next event continues it.
func (a *Agent) Tell(ctx context.Context, e Event, report func(Step)) (Turn, error) {
	m, err := e.message(a.agents.options.Now())
	if err != nil {
		return Turn{}, err
	}
	return a.withTurn(ctx, report, func() error { return a.receive(ctx, m) })
}

// Resume continues an unfinished turn. Without one it does nothing.
func (a *Agent) Resume(ctx context.Context, report func(Step)) (Turn, error) {
	return a.withTurn(ctx, report, func() error { return nil })
}

// Stream is [Agent.Tell] for a range loop. An error comes last. Breaking out of the loop leaves the
// turn unfinished; [Agent.Resume] continues it.
func (a *Agent) Stream(ctx context.Context, e Event) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		left := false
		_, err := a.Tell(ctx, e, func(s Step) {
			if !left && !yield(s, nil) {
				left = true
				cancel()
			}
		})
		if err != nil && !left {
			yield(Step{}, err)
		}
	}
}

func (a *Agent) withTurn(ctx context.Context, report func(Step), begin func() error) (Turn, error) {
	if a.agents.llm == nil {
		return Turn{}, change.Conflict("llm", "an agent needs a language model: set ANNALS_LLM, or give the client one")
	}
	t := Turn{Messages: []string{}, Steps: []Step{}}
	told := func(s Step) {
		t.Steps = append(t.Steps, s)
		if s.Message != "" {
			t.Messages = append(t.Messages, s.Message)
		}
		t.Stopped = t.Stopped || s.Kind == StepStopped
		if report != nil {
			report(s)
		}
	}
	err := a.alone(ctx, func(held func() error) error {
		if err := begin(); err != nil {
			return err
		}
		acting := graph.Origin{Door: "agent", Key: a.Name}.Capped(graph.AuthorityAssistant)
		return a.run(graph.WithOrigin(ctx, acting), held, told)
	})
	return t, err
}

func (a *Agent) lockName() string { return "agent/" + a.ID.String() }

// alone runs work under the agent's lock, and waits for it.
func (a *Agent) alone(ctx context.Context, work func(held func() error) error) error {
	leave, err := a.agents.turns.Take(ctx, a.GroupID+" "+a.ID.String(), true, nil)
	if err != nil {
		return err
	}
	defer leave()
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 20*time.Millisecond, time.Second
	_, err = backoff.Retry(ctx, func() (struct{}, error) {
		ran, err := a.client().RunExclusively(ctx, a.GroupID, a.lockName(), work)
		if err != nil {
			return struct{}{}, backoff.Permanent(err)
		}
		if !ran {
			return struct{}{}, errBusy
		}
		return struct{}{}, nil
	}, backoff.WithBackOff(wait), backoff.WithMaxElapsedTime(0))
	return err
}

var errBusy = errors.New("the agent is busy")

// receive stores an event, which begins a turn.
func (a *Agent) receive(ctx context.Context, m Message) error {
	e := a.episode(m)
	vectors := a.vectors(ctx, e)
	err := a.change(ctx, -1, func(w *writing) error {
		if m.externalID != "" {
			known, err := w.q.AgentMessageExists(ctx, db.AgentMessageExistsParams{GroupID: a.GroupID, AgentID: a.ID, ExternalID: m.externalID})
			if err != nil || known {
				return err
			}
		}
		if m.Role == roleUser {
			if err := w.store(ctx, e, vectors); err != nil {
				return err
			}
			m.episodeID = e.ID
		}
		w.add(m)
		return w.q.WriteAgentEvent(ctx, w.rows()[0])
	})
	if err != nil {
		return fmt.Errorf("tell %s: %w", a.Name, err)
	}
	return nil
}

// maxLost is how often in a row a step may be repeated because of a concurrent one.
const maxLost = 3

func (a *Agent) run(ctx context.Context, held func() error, told func(Step)) error {
	t := &turn{agent: a}
	for lost := 0; ; {
		if err := t.look(ctx); err != nil {
			return err
		}
		if !t.state.row.Awaiting {
			return nil
		}
		steps, err := t.next(ctx)
		if errors.Is(err, errMoved) && lost < maxLost {
			lost++
			t.rests, t.asked = false, 0
			continue
		}
		if err != nil {
			return err
		}
		lost = 0
		for _, s := range steps {
			told(s)
		}
		if t.rests {
			return nil
		}
		if err := held(); err != nil {
			return err
		}
	}
}

// look reads the state. If it differs from the state after the turn's last step, something was
// erased meanwhile, so the graph is queried again.
func (t *turn) look(ctx context.Context) error {
	s, err := t.agent.load(ctx)
	if err != nil {
		return err
	}
	if s.event.Seq == 0 && s.row.Awaiting {
		if s.event, err = t.agent.eventBefore(ctx, s.row.QueueStart); err != nil {
			return err
		}
	}
	if t.state != nil && s.row.Steps != t.state.row.Steps+1 {
		t.asked = 0
	}
	t.state, t.settings = s, t.agent.Settings.withDefaults()
	t.zone, t.now = t.settings.location(), t.agent.agents.options.Now().UTC().Truncate(time.Microsecond)
	t.functions = t.agent.agents.functionsFor(t.agent, s)
	return t.retrieve(ctx)
}

// next takes one step: it stops the turn, evicts messages, closes documents, warns the model, or asks
// it.
func (t *turn) next(ctx context.Context) ([]Step, error) {
	if int(t.state.row.TurnSteps) >= t.settings.MaxSteps {
		return t.stop(ctx)
	}
	p := t.agent.compose(t.state, t.functions, t.retrieved)
	room, open := t.settings.room(), len(t.state.files) > 0
	if give := t.surplus(p); give > 0 && (p.fixed <= room || !open) {
		if n := cut(t.state.queue, give, t.settings.Protect); n > 0 {
			return t.evict(ctx, p, n)
		}
	}
	if p.tokens > room && open {
		return t.closeFiles(ctx, p)
	}
	if p.tokens > room {
		return nil, p.tooLarge(room)
	}
	if p.tokens > int(t.settings.Warn*float64(room)) && !t.state.row.Warned && len(t.state.queue) > 1 {
		return t.warn(ctx, p)
	}
	steps, err := t.answer(ctx, p)
	if err != nil && model.TooLong(err) { // the provider counts more tokens than we do
		if n := cut(t.state.queue, p.tokens/4, t.settings.Protect); n > 0 {
			return t.evict(ctx, p, n)
		}
		if open {
			return t.closeFiles(ctx, p)
		}
	}
	return steps, err
}

// retrieve queries the graph about the event, once in a turn.
func (t *turn) retrieve(ctx context.Context) error {
	start := t.state.turnStart()
	if t.settings.ContextTokens == 0 || t.asked == start {
		return nil
	}
	t.asked, t.retrieved = start, ""
	if t.state.event.Kind != KindMessage {
		return nil
	}
	text, err := t.agent.client().ContextAs(ctx, annals.Query{
		GroupID: t.agent.GroupID, Text: t.state.event.Content, Scopes: graphScopes, AskedAt: t.now,
	}, annals.Construction{Tokens: t.settings.ContextTokens})
	if err != nil {
		return fmt.Errorf("ask the graph about the turn: %w", err)
	}
	t.retrieved = text
	return nil
}

type functionSet struct {
	documents, http bool
	folder          string // empty: none
}

func (s *Agents) functionsFor(a *Agent, st *state) *functions {
	set := functionSet{
		documents: len(st.listed) > 0, http: a.Settings.AllowHTTP && len(s.options.Hosts) > 0,
	}
	if a.Settings.AllowFiles {
		set.folder = s.options.folderOf(a.GroupID)
	}
	if known, ok := s.sets.Load(set); ok {
		return known.(*functions)
	}
	all := append(append(append(coreFunctions(), recallFunctions()...), archivalFunctions()...), graphFunctions()...)
	if set.documents {
		all = append(all, fileFunctions()...)
	}
	if set.folder != "" {
		all = append(all, folderFunctions(set.folder)...)
	}
	if set.http {
		all = append(all, httpFunctions(newFetcher(s.options.Hosts, public.Is, fetchTimeout))...)
	}
	made := newFunctions(all)
	s.sets.Store(set, made)
	return made
}

// eventBefore reads the last event before a message, the zero message if there is none.
func (a *Agent) eventBefore(ctx context.Context, seq int64) (Message, error) {
	row, err := read(ctx, a, func(q *db.Queries) (db.MessageRow, error) {
		return q.AgentEventBefore(ctx, db.AgentEventBeforeParams{GroupID: a.GroupID, AgentID: a.ID, Before: seq})
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return Message{}, nil
	}
	if err != nil {
		return Message{}, fmt.Errorf("read what began the turn of %s: %w", a.Name, err)
	}
	return readMessage(row), nil
}

// MessagesFrom lists messages in order, beginning with the number first. limit is 1 to
// [annals.MaxRows].
func (a *Agent) MessagesFrom(ctx context.Context, first int64, limit int) ([]Message, error) {
	if limit < 1 || limit > annals.MaxRows {
		return nil, graph.Invalid("limit", "is %d; it must be 1 to %d", limit, annals.MaxRows)
	}
	rows, err := read(ctx, a, func(q *db.Queries) ([]db.MessageRow, error) {
		return q.AgentMessagesFrom(ctx, db.AgentMessagesFromParams{GroupID: a.GroupID, AgentID: a.ID, First: first, MaxRows: int32(limit)})
	})
	if err != nil {
		return nil, fmt.Errorf("read the messages of %s: %w", a.Name, err)
	}
	return each.Of(rows, readMessage), nil
}
