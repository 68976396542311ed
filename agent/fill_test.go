package agent_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/modeltest"
)

// The reported size of a context matches what the model reads, except for the few tokens around
// messages. It shrinks after messages have left.
func TestFillIsWhatTheModelReads(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	const window, answer = 8000, 1000
	a := w.create(agent.Settings{Window: window, Answer: answer}, agent.Block{Label: "human", Value: "Nora, who rows."})
	empty, err := a.Fill(t.Context())
	w.try(err)
	if empty.Tokens != empty.Fixed || empty.Fixed < 100 || empty.Room != window-answer {
		t.Errorf("before anything is said it is %+v", empty)
	}
	most, fell := 0, false
	w.script.answer = func(r modeltest.Request) modeltest.Reply {
		fill, err := a.Fill(t.Context())
		if read := tokensOf(t, r) - answer; err != nil || fill.Tokens < read || fill.Tokens > read+read/10+50 {
			t.Errorf("the model reads %d tokens, told are %+v (%v)", read, fill, err)
		}
		if fill.Tokens > fill.Room || fill.Fixed < empty.Fixed {
			t.Errorf("the model is asked with %+v", fill)
		}
		fell = fell || fill.Tokens < most
		most = max(most, fill.Tokens)
		return say("I see.")
	}
	for range 12 {
		w.tell(a, strings.Repeat("The boat was out on the lake again today. ", 60))
	}
	if !fell {
		t.Errorf("nothing has left a context of %d tokens", most)
	}
	w.try(a.Delete(t.Context()))
	if _, err := a.Fill(t.Context()); graph.CodeOf(err) != graph.CodeNotFound {
		t.Errorf("an agent that is gone: %v", err)
	}
}
