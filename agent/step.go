package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// turn is the work of an agent from an event until it rests.
type turn struct {
	agent     *Agent
	functions *functions
	settings  Settings
	zone      *time.Location
	state     *state
	now       time.Time
	retrieved string // what the graph has about the event
	asked     int64  // the number of the event for which the graph was queried; zero: it has to be queried
	rests     bool   // the last step ended the turn
}

const (
	maxCalls      = 8        // calls in one answer; more are refused
	maxResult     = 16 << 10 // bytes of the result of a function
	nudge         = "You called no function, so that the user has read nothing. Call send_message to be heard, or another function."
	stoppedByRule = "You have taken as many steps as a turn may have, and rest until you are told something."
)

// answer asks the model, and stores its calls and their results in one transaction.
func (t *turn) answer(ctx context.Context, p prompt) ([]Step, error) {
	said, err := t.agent.agents.llm.Converse(t.agent.onAccount(ctx), p.conversation)
	if err != nil {
		return nil, err
	}
	said.Text = storable(said.Text)
	calls := t.prepare(ctx, said)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var steps []Step
	err = t.agent.change(ctx, t.state.row.Steps, func(w *writing) error {
		var err error
		steps, err = t.commit(ctx, w, p, said, calls)
		return err
	})
	return steps, err
}

// prepare does the work of calls that needs no transaction.
func (t *turn) prepare(ctx context.Context, said model.Said) []*call {
	calls := make([]*call, len(said.Calls))
	for i, c := range said.Calls {
		c.ID, c.Name, c.Arguments = storable(c.ID), acceptable(c.Name), storable(c.Arguments)
		calls[i] = &call{ToolCall: c}
		if i == 0 {
			calls[i].thought = said.Text
		}
		if i >= maxCalls {
			calls[i].failure = graph.Invalid("function", "is the %d. that one answer calls; only the first %d calls are carried out, so call it again", i+1, maxCalls)
			continue
		}
		calls[i].effect, calls[i].failure = t.prepareOne(ctx, calls[i])
	}
	return calls
}

func (t *turn) prepareOne(ctx context.Context, c *call) (effect, error) {
	f, err := t.functions.named(c.Name)
	if err != nil {
		return nil, err
	}
	raw, again, err := f.read(c.Arguments)
	if err != nil {
		return nil, err
	}
	c.again = again
	return f.prepare(ctx, t, json.RawMessage(raw))
}

// commit executes the calls and stores the step.
func (t *turn) commit(ctx context.Context, w *writing, p prompt, said model.Said, calls []*call) ([]Step, error) {
	number := w.row.Steps + 1
	heard := w.row.LastSeq > t.state.row.LastSeq // an event arrived while the model was answering
	var steps []Step
	again, failures := false, 0
	for _, c := range calls {
		text, failure, err := c.run(ctx, w)
		if err != nil {
			return nil, err
		}
		again = again || c.again || failure
		if failure {
			failures++
		}
		if err := t.record(ctx, w, number, c, text, failure); err != nil {
			return nil, err
		}
		steps = append(steps, Step{
			Number: number, Kind: StepCall, Thought: c.thought, Function: c.Name, Arguments: c.Arguments, Result: text, Failed: failure,
			Message: w.spoken, PromptTokens: p.tokens, At: t.now,
		})
		w.spoken, w.vectors = "", nil
	}
	if len(calls) == 0 {
		again = t.thought(w, number, said.Text)
		steps = append(steps, Step{Number: number, Kind: StepThought, Thought: said.Text, PromptTokens: p.tokens, At: t.now})
	}
	w.row.TurnSteps++
	w.row.Awaiting = again || heard
	if t.rests = !w.row.Awaiting; t.rests {
		w.release(w.row.QueueStart, w.row.LastSeq)
		if err := t.recordRun(ctx, w); err != nil {
			return nil, err
		}
	}
	return steps, w.step(ctx, db.AgentStepParams{
		Kind: "answer", Model: t.agent.agents.llm.Name(), PromptTokens: int32(p.tokens), Failures: int32(failures),
	})
}

// run executes a call. failure reports an error that the model sees; err ends the step.
func (c *call) run(ctx context.Context, w *writing) (text string, failure bool, err error) {
	err = c.failure
	if err == nil {
		text, err = c.effect(ctx, w)
	}
	if err != nil {
		told, ok := failed(err)
		if !ok {
			return "", false, fmt.Errorf("call %s: %w", c.Name, err)
		}
		text, failure = told, true
	}
	if len(text) > maxResult {
		text = strings.ToValidUTF8(text[:maxResult], "") + " … [cut]"
	}
	return storable(text), failure, nil
}

func (t *turn) record(ctx context.Context, w *writing, number int64, c *call, text string, failure bool) error {
	m := Message{
		Step: number, Role: roleAssistant, Kind: KindCall, Content: w.spoken, Thought: c.thought, Function: c.Name,
		Arguments: c.Arguments, CallID: c.ID, OccurredAt: t.now,
	}
	if err := w.withoutErased(ctx, &m); err != nil {
		return err
	}
	if w.spoken != "" { // makes it searchable
		e := t.agent.episode(m)
		m.episodeID = e.ID
		vectors := w.vectors
		if m.Content != w.spoken {
			vectors = nil // they belong to other words
		}
		if err := w.store(ctx, e, vectors); err != nil {
			return err
		}
	}
	w.add(m)
	w.add(Message{
		Step: number, Role: roleTool, Kind: KindResult, Content: text, Function: c.Name, CallID: c.ID, Failed: failure, OccurredAt: t.now,
	})
	return nil
}

// withoutErased removes erased text that the model repeats.
func (w *writing) withoutErased(ctx context.Context, m *Message) error {
	texts, err := w.q.WithoutErased(ctx, db.WithoutErasedParams{GroupID: w.groupID, Texts: []string{m.Content, m.Thought, m.Arguments}})
	if err != nil {
		return fmt.Errorf("look for what was erased: %w", err)
	}
	spoken := texts[0] != m.Content
	m.Content, m.Thought = texts[0], texts[1]
	if spoken || texts[2] != m.Arguments {
		arguments, err := json.Marshal(map[string]string{"message": m.Content})
		if err != nil {
			return err
		}
		m.Arguments = string(arguments)
	}
	return nil
}

// thought records an answer without a call. The model is reminded once that nobody has heard it;
// after that the turn is over. Empty answers are not stored, because providers refuse them.
func (t *turn) thought(w *writing, number int64, text string) (again bool) {
	told := len(t.state.queue) > 0 && t.state.queue[len(t.state.queue)-1].Content == nudge
	if text != "" {
		w.add(Message{Step: number, Role: roleAssistant, Kind: KindThought, Thought: text, OccurredAt: t.now})
	}
	if !told {
		w.add(Message{Step: number, Role: roleSystem, Kind: KindAlert, Content: nudge, OccurredAt: t.now})
	}
	return !told
}

func (t *turn) warn(ctx context.Context, p prompt) ([]Step, error) {
	text := fmt.Sprintf("Your context holds %d of %d tokens. Before the oldest messages leave it, save what matters: in the blocks, or in the archive.",
		p.tokens, t.settings.room())
	step := Step{Kind: StepPressure, Result: text, PromptTokens: p.tokens}
	return t.take(ctx, step, db.AgentStepParams{Kind: "pressure"}, func(w *writing, number int64) {
		w.add(Message{Step: number, Role: roleSystem, Kind: KindPressure, Content: text, OccurredAt: t.now})
		w.row.Warned = true
	})
}

// evict removes the first n messages from the context.
func (t *turn) evict(ctx context.Context, p prompt, n int) ([]Step, error) {
	leaving, kept := t.state.queue[:n], t.state.queue[n:]
	summary, note := t.agent.summarise(ctx, t.state.row.Summary, leaving)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	step := Step{Kind: StepEviction, Result: summary, Evicted: n, PromptTokens: p.tokens, Note: note}
	return t.take(ctx, step, db.AgentStepParams{Kind: "eviction", Evicted: int32(n), Note: note}, func(w *writing, _ int64) {
		first := w.row.QueueStart
		w.row.QueueStart, w.row.Summary, w.row.Warned = kept[0].Seq, summary, false
		w.release(first, w.row.QueueStart-1)
	})
}

// closeFiles closes the open documents, which leave no room for the turn.
func (t *turn) closeFiles(ctx context.Context, p prompt) ([]Step, error) {
	const text = "Your open documents left no room, and were closed. Open fewer of their lines."
	s := Step{Kind: StepPressure, Result: text, PromptTokens: p.tokens, At: t.now}
	err := t.agent.change(ctx, t.state.row.Steps, func(w *writing) error {
		if _, err := w.closeFiles(ctx, 0); err != nil {
			return err
		}
		s.Number, w.row.Warned = w.row.Steps+1, false
		w.add(Message{Step: s.Number, Role: roleSystem, Kind: KindPressure, Content: text, OccurredAt: t.now})
		return w.step(ctx, db.AgentStepParams{Kind: "pressure", PromptTokens: int32(p.tokens)})
	})
	return []Step{s}, err
}

func (t *turn) stop(ctx context.Context) ([]Step, error) {
	row := db.AgentStepParams{Kind: "answer", Note: stoppedByRule}
	return t.take(ctx, Step{Kind: StepStopped, Result: stoppedByRule}, row, func(w *writing, number int64) {
		w.add(Message{Step: number, Role: roleSystem, Kind: KindAlert, Content: stoppedByRule, OccurredAt: t.now})
		w.row.Awaiting, t.rests = false, true
		w.release(w.row.QueueStart, w.row.LastSeq)
	})
}

// take stores a step that asks no model.
func (t *turn) take(ctx context.Context, s Step, row db.AgentStepParams, change func(w *writing, number int64)) ([]Step, error) {
	s.At, row.PromptTokens = t.now, int32(s.PromptTokens)
	err := t.agent.change(ctx, t.state.row.Steps, func(w *writing) error {
		s.Number = w.row.Steps + 1
		change(w, s.Number)
		return w.step(ctx, row)
	})
	return []Step{s}, err
}
