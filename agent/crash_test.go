package agent_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// dutiful is a model that edits a block, keeps a passage and answers. Its answers depend only on
// its context, so that it continues after a crash.
func dutiful(r modeltest.Request) modeltest.Reply {
	archived := false
	for _, turn := range r.Turns {
		archived = archived || turn.Function == "archival_memory_insert"
	}
	switch {
	case !strings.Contains(r.System, "Likes tea."):
		return goOn("core_memory_append", map[string]any{"name": "human", "content": "Likes tea."})
	case !archived:
		return goOn("archival_memory_insert", map[string]any{"content": "On tea: Eva drinks it green."})
	}
	return say("Noted.")
}

// life returns all that an agent remembers, without ids and times.
func life(ctx context.Context, a *agent.Agent) ([]string, error) {
	var lines []string
	messages, err := a.MessagesFrom(ctx, 1, 100)
	if err != nil {
		return nil, err
	}
	for i, m := range messages {
		lines = append(lines, fmt.Sprintf("%d %d %s %s %s %s %v", m.Seq-int64(i), m.Step, m.Role, m.Kind, m.Function, m.Content, m.Failed))
	}
	blocks, err := a.Blocks(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		lines = append(lines, fmt.Sprintf("block %s %d %s", b.Label, b.Version, b.Value))
	}
	said, total, err := a.Recall(ctx, agent.RecallQuery{Text: "green tea noted", Limit: 50})
	if err != nil {
		return nil, err
	}
	passages, kept, err := a.SearchArchive(ctx, agent.PassageQuery{Text: "green tea", Limit: 50})
	if err != nil {
		return nil, err
	}
	return append(lines, fmt.Sprintf("%d of %d said, %d of %d kept", len(said), total, len(passages), kept)), nil
}

// A process that is killed between any two statements of a turn, or during one, leaves whole steps.
// When the caller repeats the event, the conversation continues with nothing lost or doubled.
func TestKilledBetweenAnyTwoStatements(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.script.answer = dutiful
	llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: w.modelURL, Retries: -1})
	w.try(err)
	event := agent.Event{Content: "I like green tea.", ExternalID: "one", OccurredAt: w.now}
	make := func(group string) *agent.Agent {
		a, err := w.agents.Create(t.Context(), agent.Spec{GroupID: group, Name: "sam"})
		w.try(err)
		return a
	}
	undisturbed := make("undisturbed")
	_, err = undisturbed.Tell(t.Context(), event, nil)
	w.try(err)
	want, err := life(t.Context(), undisturbed)
	w.try(err)
	if len(want) != 10 {
		t.Fatalf("an undisturbed life is %q", want)
	}
	for _, reply := range []bool{false, true} {
		late := 0
		for n, unharmed := 0, false; !unharmed; n++ {
			group := fmt.Sprintf("killed-%d-%v", n, reply)
			make(group)
			over, died := w.killedAfter(llm, group, event, n, reply)
			if unharmed = !died; over && died { // only the release of the agent is left
				late++
			}
			again, err := w.agents.Open(t.Context(), group, "sam")
			w.try(err)
			_, err = again.Tell(t.Context(), event, nil)
			w.try(err)
			got, err := life(t.Context(), again)
			w.try(err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("killed after %d statements (the next carried out: %v), -want +got:\n%s", n, reply, diff)
			}
			if unharmed && n < 40 {
				t.Errorf("a turn takes only %d statements: they are counted wrongly", n)
			}
		}
		if late > 1 {
			t.Errorf("%d times the connection died and the turn went on to its end (the next carried out: %v)", late, reply)
		}
	}
}

// killedAfter sends an event to an agent over a connection that dies. It returns whether the turn
// finished, and whether the connection died. Both are true if only releasing the lock was left.
func (w *world) killedAfter(llm *model.LLM, group string, event agent.Event, n int, reply bool) (over, died bool) {
	w.Helper()
	wire := pgtest.NewWire(w.T, w.url)
	client, err := annals.Open(w.Context(), annals.Config{DatabaseURL: wire.URL, LLM: llm})
	w.try(err)
	a, err := agent.New(client, agent.Options{Now: func() time.Time { return w.now }}).Open(w.Context(), group, "sam")
	w.try(err)
	harm := pgtest.Before
	if reply {
		harm = pgtest.Answered
	}
	wire.HarmAfter(n, harm)
	defer client.Close()
	_, err = a.Tell(w.Context(), event, nil)
	if over, died = err == nil, wire.Done(); !over && !died {
		w.Errorf("after %d statements: %v, and the connection did not die", n, err)
	}
	return over, died
}

const childURL, childModel = "ANNALS_AGENT_TEST_DATABASE", "ANNALS_AGENT_TEST_MODEL"

// TestChild is the process that TestKilledProcess kills.
func TestChild(t *testing.T) {
	url := os.Getenv(childURL)
	if url == "" {
		t.Skip("only run by TestKilledProcess")
	}
	llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: os.Getenv(childModel), Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url, LLM: llm})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	a, err := agent.New(client, agent.Options{}).Open(t.Context(), "g", "sam")
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Tell(t.Context(), agent.Event{Content: "I like green tea.", ExternalID: "one"}, nil)
	t.Fatalf("it was not killed: %v", err)
}

func TestKilledProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$")
	child.Env = append(os.Environ(), childURL+"="+w.url, childModel+"="+w.modelURL)
	asked, killed := 0, make(chan struct{})
	w.script.answer = func(r modeltest.Request) modeltest.Reply {
		if asked++; asked == 2 { // the first step is stored, the second is not
			w.try(child.Process.Kill())
			_ = child.Wait()
			close(killed)
		}
		return dutiful(r)
	}
	w.try(child.Start())
	for deadline := time.After(time.Minute); ; {
		if _, err := a.Blocks(t.Context()); err != nil {
			t.Fatal(err)
		}
		select {
		case <-killed:
		case <-deadline:
			t.Fatal("it was not killed within a minute")
		default:
			continue
		}
		break
	}
	if len(w.messages(a)) != 3 {
		t.Fatalf("when it was killed there were %d messages", len(w.messages(a)))
	}
	turn, err := a.Resume(t.Context(), nil)
	if err != nil || len(turn.Messages) != 1 || turn.Messages[0] != "Noted." {
		t.Fatalf("resumed: %+v, %v", turn, err)
	}
	got, err := life(t.Context(), a)
	w.try(err)
	if len(got) != 10 || !strings.Contains(got[8], "human 2 Likes tea.") {
		t.Errorf("it remembers %q", got)
	}
}

// An agent runs one turn at a time; events wait meanwhile.
func TestTurnsDoNotOverlap(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	other, err := agent.New(w.client, agent.Options{}).Open(t.Context(), "g", "sam") // as another process would
	w.try(err)
	w.script.answer = idle
	done := make(chan error)
	for i, teller := range []*agent.Agent{a, other, a, other} {
		go func() {
			_, err := teller.Tell(t.Context(), agent.Event{Content: fmt.Sprint("Hello ", i)}, nil)
			done <- err
		}()
	}
	for range 4 {
		w.try(<-done)
	}
	for i, m := range w.messages(a) {
		if want := []string{"user", "assistant", "tool"}[i%3]; m.Role != want || m.Seq != int64(i)+1 {
			t.Errorf("message %d is number %d of %s, want %s", i, m.Seq, m.Role, want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = w.client.RunExclusively(t.Context(), "g", "agent/"+a.ID.String(), func(func() error) error {
		_, err := other.Tell(ctx, agent.Event{Content: "Now?"}, nil)
		return err
	})
	if err == nil || graph.CodeOf(err) == graph.CodeInvalid {
		t.Errorf("told while the agent is busy: %v", err)
	}
}
