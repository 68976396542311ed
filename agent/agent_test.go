package agent_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// script answers the calls of an agent's model, and checks its context.
type script struct {
	t      *testing.T
	window int  // the maximum tokens of a request; 0: no maximum
	forget bool // count requests, but do not keep them

	mu      sync.Mutex
	answer  func(modeltest.Request) modeltest.Reply // answers a step
	summary func(modeltest.Request) modeltest.Reply // answers other calls
	asked   []modeltest.Request
	counted int
	widest  int
}

// call returns an answer that calls one function.
func call(name string, arguments map[string]any) modeltest.Reply {
	return modeltest.Reply{Text: "I call " + name + ".", Calls: []modeltest.Call{{Name: name, Arguments: arguments}}}
}

func say(text string) modeltest.Reply { return call("send_message", map[string]any{"message": text}) }

// goOn returns a call that asks for a heartbeat.
func goOn(name string, arguments map[string]any) modeltest.Reply {
	arguments["request_heartbeat"] = true
	return call(name, arguments)
}

// steps answers each step with the next reply, and steps after the last reply with that.
func steps(replies ...modeltest.Reply) func(modeltest.Request) modeltest.Reply {
	n := 0
	return func(modeltest.Request) modeltest.Reply {
		n++
		return replies[min(n, len(replies))-1]
	}
}

func (s *script) reply(r modeltest.Request) modeltest.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counted++; !s.forget {
		s.asked = append(s.asked, r)
	}
	if n := tokensOf(s.t, r); n > s.window && s.window > 0 {
		s.t.Errorf("a request has %d tokens, the window only %d", n, s.window)
	} else {
		s.widest = max(s.widest, n)
	}
	if r.Tools != nil {
		return s.answer(r)
	}
	if s.summary != nil {
		return s.summary(r)
	}
	return modeltest.Reply{JSON: map[string]string{"summary": "I talked with the user."}}
}

// last returns the last request with functions.
func (s *script) last() modeltest.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.asked) - 1; i >= 0; i-- {
		if s.asked[i].Tools != nil {
			return s.asked[i]
		}
	}
	s.t.Fatal("the model was not asked")
	return modeltest.Request{}
}

// world is a memory with a scripted model.
type world struct {
	*testing.T
	url      string
	modelURL string
	client   *annals.Client
	agents   *agent.Agents
	script   *script
	now      time.Time
}

func newWorld(t *testing.T, options agent.Options) *world {
	t.Helper()
	w := &world{T: t, url: pgtest.New(t), script: &script{t: t}, now: time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)}
	server := modeltest.NewServer(t, w.script.reply)
	w.modelURL = server.URL
	llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: server.URL, Retries: -1})
	w.try(err)
	w.client, err = annals.Open(t.Context(), annals.Config{DatabaseURL: w.url, LLM: llm})
	w.try(err)
	t.Cleanup(w.client.Close)
	if options.Now == nil {
		options.Now = func() time.Time { return w.now }
	}
	w.agents = agent.New(w.client, options)
	return w
}

func (w *world) try(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) create(settings agent.Settings, blocks ...agent.Block) *agent.Agent {
	w.Helper()
	a, err := w.agents.Create(w.Context(), agent.Spec{GroupID: "g", Name: "sam", Settings: settings, Blocks: blocks})
	w.try(err)
	return a
}

// tell sends a message to an agent, a minute after the previous one.
func (w *world) tell(a *agent.Agent, text string) agent.Turn {
	w.Helper()
	w.now = w.now.Add(time.Minute)
	turn, err := a.Tell(w.Context(), agent.Event{Content: text}, nil)
	w.try(err)
	return turn
}

func (w *world) messages(a *agent.Agent) []agent.Message {
	w.Helper()
	messages, err := a.MessagesFrom(context.WithoutCancel(w.Context()), 1, annals.MaxRows)
	w.try(err)
	return messages
}

func (w *world) block(a *agent.Agent, label string) agent.Block {
	w.Helper()
	b, err := a.Block(w.Context(), label)
	w.try(err)
	return b
}

// results returns the results of functions in a turn.
func results(turn agent.Turn) string {
	var all []string
	for _, s := range turn.Steps {
		if s.Kind == agent.StepCall {
			all = append(all, s.Result)
		}
	}
	return strings.Join(all, "\n")
}

func TestAnAgentAnswersAndRemembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	w.script.answer = steps(
		goOn("core_memory_append", map[string]any{"name": "human", "content": "Is called Eva."}),
		say("Hello Eva!"),
	)
	turn := w.tell(a, "Hi, I am Eva.")
	if len(turn.Messages) != 1 || turn.Messages[0] != "Hello Eva!" || len(turn.Steps) != 2 {
		t.Fatalf("turn %+v", turn)
	}
	if got := w.block(a, "human"); got.Value != "Is called Eva." || got.Version != 2 || got.EditedBy != "sam" {
		t.Errorf("block %+v", got)
	}
	if last := w.script.last(); !strings.Contains(last.System, "Is called Eva.") || strings.Contains(last.System, "Hello Eva") {
		t.Errorf("the model reads %s", last.System)
	}
	var kinds []string
	for _, m := range w.messages(a) {
		kinds = append(kinds, m.Role+" "+string(m.Kind)+" "+m.Function)
	}
	want := "user message ,assistant call core_memory_append,tool result core_memory_append,assistant call send_message,tool result send_message"
	if got := strings.Join(kinds, ","); got != want {
		t.Errorf("messages %s, want %s", got, want)
	}
}
