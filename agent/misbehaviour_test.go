package agent_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/modeltest"
)

// A model is told of its errors and continues by itself, and the agent stays usable.
func TestWrongCallsAreToldToTheModel(t *testing.T) {
	t.Parallel()
	world := newWorld(t, agent.Options{})
	for name, tt := range map[string]struct {
		wrong modeltest.Reply
		told  string
	}{
		"an unknown function":      {call("destroy_world", map[string]any{}), `there is none called "destroy_world"; there are send_message`},
		"no JSON":                  {modeltest.Reply{Calls: []modeltest.Call{{Name: "send_message", Arguments: `{"message": "half`}}}, "are no JSON object"},
		"a list":                   {modeltest.Reply{Calls: []modeltest.Call{{Name: "send_message", Arguments: `["a"]`}}}, "are no JSON object"},
		"another argument":         {call("send_message", map[string]any{"text": "Hi"}), "do not fit send_message"},
		"another type":             {call("send_message", map[string]any{"message": 7}), "do not fit send_message"},
		"an empty message":         {call("send_message", map[string]any{"message": " "}), "is empty; say something"},
		"a replace with no match":  {call("core_memory_replace", map[string]any{"name": "human", "old_content": "Bob", "new_content": ""}), `"Bob" does not stand in human`},
		"a block that is not":      {call("core_memory_append", map[string]any{"name": "alien", "content": "x"}), `"alien" is no block`},
		"a read-only block":        {call("core_memory_append", map[string]any{"name": "rules", "content": "x"}), "is read-only"},
		"an over-limit append":     {call("core_memory_append", map[string]any{"name": "human", "content": strings.Repeat("é", 2001)}), "would have 2011 characters; its limit is 2000"},
		"an ambiguous replace":     {call("memory_replace", map[string]any{"label": "human", "old_string": "a", "new_string": "b"}), "stands in human 3 times, in the lines 1, 1, 1"},
		"an insert out of range":   {call("memory_insert", map[string]any{"label": "human", "new_string": "x", "insert_line": 9}), "is 9; human has 1 line"},
		"too long a pause":         {call("pause_heartbeats", map[string]any{"minutes": 361}), "it must be 1 to 360"},
		"a negative page":          {call("conversation_search", map[string]any{"query": "x", "page": -1}), "the first is 0"},
		"no date":                  {call("conversation_search_date", map[string]any{"start_date": "yesterday", "end_date": ""}), `"yesterday" is no date`},
		"an unknown role":          {call("conversation_search", map[string]any{"query": "x", "roles": []string{"tool"}}), `"tool" is neither user nor assistant`},
		"nothing to keep":          {call("archival_memory_insert", map[string]any{"content": "  "}), "content"},
		"neither any nor all":      {call("archival_memory_search", map[string]any{"query": "x", "tags": []string{"a"}, "tag_match_mode": "some"}), "is neither any nor all"},
		"what is not allowed":      {call("http_request", map[string]any{"url": "http://example.com"}), "there is none called"},
		"nine calls in one answer": {modeltest.Reply{Calls: many(9)}, "only the first 8 calls"},
		"a name that is none":      {call("send message!", map[string]any{}), `there is none called "send_message_"`},
		"no name at all":           {call("", map[string]any{}), `there is none called "unnamed"`},
		"no arguments":             {modeltest.Reply{Calls: []modeltest.Call{{Name: "send_message", Arguments: "null"}}}, "are no JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			w := *world
			w.T = t
			a, err := w.agents.Create(t.Context(), agent.Spec{
				GroupID: "g", Name: name, Blocks: []agent.Block{{Label: "human", Value: "Eva, a, a"}, {Label: "rules", ReadOnly: true}},
			})
			w.try(err)
			w.script.answer = steps(tt.wrong, say("Sorry."))
			turn := w.tell(a, "Hi.")
			last := turn.Steps[len(turn.Steps)-1]
			failed := turn.Steps[len(turn.Steps)-2]
			if !failed.Failed || !strings.Contains(failed.Result, tt.told) || last.Message != "Sorry." {
				t.Errorf("the steps are %+v, want a failure with %q and then an apology", turn.Steps, tt.told)
			}
			if !strings.Contains(lastTurn(w.script.last()), `"status":"Failed"`) {
				t.Errorf("the model was told %s", lastTurn(w.script.last()))
			}
			if got := w.block(a, "human").Value; got != "Eva, a, a" {
				t.Errorf("human says %q", got)
			}
		})
	}
}

func many(n int) []modeltest.Call {
	var calls []modeltest.Call
	for i := range n {
		calls = append(calls, modeltest.Call{Name: "archival_memory_insert", Arguments: map[string]any{"content": fmt.Sprint("Thing ", i)}})
	}
	return calls
}

func TestEndlessHeartbeatsAreStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{MaxSteps: 5})
	w.script.answer = func(modeltest.Request) modeltest.Reply {
		return goOn("conversation_search", map[string]any{"query": "what"})
	}
	turn := w.tell(a, "Hi.")
	if !turn.Stopped || len(turn.Steps) != 6 || len(turn.Messages) != 0 {
		t.Errorf("turn %+v", turn)
	}
	w.script.answer = steps(say("Here I am."))
	if turn := w.tell(a, "Still there?"); turn.Stopped || cmp.Diff([]string{"Here I am."}, turn.Messages) != "" {
		t.Errorf("next turn %+v", turn)
	}
}

func TestWordsWithoutACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	w.script.answer = steps(modeltest.Reply{Text: "I think I like Eva."}, say("Hello."))
	turn := w.tell(a, "Hi.")
	if len(turn.Steps) != 2 || turn.Steps[0].Kind != agent.StepThought || turn.Steps[0].Message != "" || turn.Messages[0] != "Hello." {
		t.Errorf("turn %+v", turn)
	}
	w.script.answer = steps(modeltest.Reply{Text: "I only think."})
	if turn := w.tell(a, "Say something."); len(turn.Messages) != 0 || len(turn.Steps) != 2 || turn.Stopped {
		t.Errorf("turn %+v", turn)
	}
}

// A model that says nothing is told that nobody heard it. Content that providers refuse is not
// stored.
func TestAnswersThatAreEmptyOrCannotBeStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	w.script.answer = steps(
		modeltest.Reply{}, modeltest.Reply{Text: "I th\x00ink.", Calls: []modeltest.Call{{Name: "send\x00_message", Arguments: `{"message": "Hi"}`}}},
		say(`A literal \u0000 and a real `+"\x00one."),
	)
	turn := w.tell(a, "Hi.")
	if len(turn.Messages) != 1 || turn.Messages[0] != `A literal \u0000 and a real one.` {
		t.Errorf("turn %+v", turn)
	}
	for _, m := range w.messages(a) {
		if m.Content+m.Thought+m.Function == "" || strings.ContainsRune(m.Function, 0) {
			t.Errorf("it remembers %+v", m)
		}
	}
	for _, turn := range w.script.last().Turns {
		if turn.Role == "assistant" && turn.Text == "" && turn.Function == "" {
			t.Errorf("the model is shown an empty answer of its own: %+v", w.script.last().Turns)
		}
	}
}

func TestSummarisersThatFail(t *testing.T) {
	t.Parallel()
	for name, summary := range map[string]func(modeltest.Request) modeltest.Reply{
		"answers an error": func(modeltest.Request) modeltest.Reply {
			return modeltest.Reply{Status: http.StatusInternalServerError}
		},
		"answers no JSON": func(modeltest.Request) modeltest.Reply { return modeltest.Reply{Text: "No."} },
		"answers nothing": func(modeltest.Request) modeltest.Reply {
			return modeltest.Reply{JSON: map[string]string{"summary": " "}}
		},
		"answers more than it got": func(r modeltest.Request) modeltest.Reply {
			return modeltest.Reply{JSON: map[string]string{"summary": strings.Repeat(r.User, 3)}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, agent.Options{})
			w.script.window, w.script.summary, w.script.answer = small, summary, idle
			a := w.create(agent.Settings{Window: small, Answer: 500})
			w.chatter(a, 60)
			now, err := w.agents.Open(t.Context(), "g", "sam")
			w.try(err)
			if now.InContext == now.Messages || now.Summary == "" || len(now.Summary) > 4000 {
				t.Errorf("%d of %d messages in context, summary %q", now.InContext, now.Messages, now.Summary)
			}
			if turn := w.tell(a, "Still there?"); len(turn.Messages) != 1 {
				t.Errorf("turn %+v", turn)
			}
		})
	}
}

// A message larger than the window is cut in the context and kept whole in recall storage. Nothing
// loops.
func TestAMessageLargerThanTheWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.script.window, w.script.answer = small, idle
	a := w.create(agent.Settings{Window: small, Answer: 500})
	long := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 2000)
	for range 4 {
		if turn := w.tell(a, long); len(turn.Messages) != 1 {
			t.Errorf("turn %+v", turn.Messages)
		}
	}
	if got := w.messages(a)[0].Content; got != long {
		t.Errorf("recall storage has %d bytes, of %d", len(got), len(long))
	}
}

func TestInstructionsLargerThanTheWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.script.answer = idle
	a := w.create(agent.Settings{Window: small})
	w.try(a.Configure(t.Context(), strings.Repeat("Be kind. ", 5000), a.Settings))
	_, err := a.Tell(t.Context(), agent.Event{Content: "Hi."}, nil)
	if graph.CodeOf(err) != graph.CodeInvalid || !strings.Contains(err.Error(), "window") {
		t.Errorf("error %v", err)
	}
	w.try(a.Configure(t.Context(), "Be kind.", a.Settings))
	turn, err := a.Resume(t.Context(), nil)
	if err != nil || len(turn.Messages) != 1 {
		t.Errorf("resumed: %+v, %v", turn, err)
	}
}

// After an error of the model the turn can be resumed.
func TestAModelThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	w.script.answer = func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Status: http.StatusInternalServerError}
	}
	if _, err := a.Tell(t.Context(), agent.Event{Content: "Hi."}, nil); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Errorf("error %v", err)
	}
	w.script.answer = steps(say("Hello."))
	turn, err := a.Resume(t.Context(), nil)
	if err != nil || len(turn.Messages) != 1 || len(w.messages(a)) != 3 {
		t.Errorf("resumed: %+v, %v, %d messages", turn, err, len(w.messages(a)))
	}
	if turn, err = a.Resume(t.Context(), nil); err != nil || len(turn.Steps) != 0 {
		t.Errorf("resumed again: %+v, %v", turn, err)
	}
}

func TestAnEventToldTwiceIsHeardOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	w.script.answer = idle
	for range 2 {
		_, err := a.Tell(t.Context(), agent.Event{Content: "Hi.", ExternalID: "one", OccurredAt: time.Now()}, nil)
		w.try(err)
	}
	if got := len(w.messages(a)); got != 3 {
		t.Errorf("%d messages, want 3", got)
	}
}
