package agent_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/model/modeltest"
)

// inJSON returns the answer of a model without function calling.
func inJSON(thought, function string, arguments map[string]any) modeltest.Reply {
	return modeltest.Reply{JSON: map[string]any{"thought": thought, "function": function, "arguments": arguments}}
}

// A model without function calling is asked for JSON that names a function. The agent works the
// same: it calls, fails, gets the error, continues and answers, and never exceeds its window.
func TestAModelWithoutFunctionCalling(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	offered, step, talks := 0, 0, false
	w.script.answer = func(modeltest.Request) modeltest.Reply {
		offered++
		return modeltest.Reply{Status: http.StatusBadRequest, Text: "this model does not support tools"}
	}
	replies := []modeltest.Reply{
		inJSON("Her name.", "core_memory_append", map[string]any{"name": "human", "content": "Is called Eva.", "request_heartbeat": true}),
		inJSON("Once more.", "core_memory_replace", map[string]any{"name": "human", "old_content": "Bob", "new_content": ""}),
		inJSON("No Bob there.", "send_message", map[string]any{"message": "Hello Eva!"}),
	}
	w.script.summary = func(r modeltest.Request) modeltest.Reply {
		if r.Prompt != "agent_step" {
			return modeltest.Reply{JSON: map[string]string{"summary": "I talked with Eva."}}
		}
		if r.Repair != "" {
			t.Errorf("an answer is sent back beside the conversation: %s", r.Repair)
		}
		if talks {
			talks = false
			return modeltest.Reply{Text: "I would rather talk about the weather."}
		}
		if step++; step > len(replies) {
			return inJSON("Small talk.", "send_message", map[string]any{"message": "I see."})
		}
		if step == 3 && !strings.Contains(r.User, `"Bob\" does not stand in human`) {
			t.Errorf("the failure is not told: %s", r.User)
		}
		return replies[step-1]
	}
	a := w.create(agent.Settings{Window: small, Answer: 500})
	turn := w.tell(a, "Hi, I am Eva.")
	if len(turn.Messages) != 1 || turn.Messages[0] != "Hello Eva!" || len(turn.Steps) != 3 || turn.Steps[0].Thought != "Her name." || !turn.Steps[1].Failed {
		t.Errorf("turn %+v", turn)
	}
	if got := w.block(a, "human").Value; got != "Is called Eva." {
		t.Errorf("human says %q", got)
	}
	if offered != 1 {
		t.Errorf("functions were offered %d times to a model that refuses them", offered)
	}
	w.script.window = small
	for i := range 40 {
		w.tell(a, fmt.Sprintf("Small talk number %d: the weather is fair, the coffee is warm, the train was on time, and nothing else happened.", i))
	}
	talks = true
	turn = w.tell(a, "Say something.")
	if len(turn.Messages) != 1 || turn.Steps[0].Kind != agent.StepThought || turn.Steps[0].Thought != "I would rather talk about the weather." {
		t.Errorf("of a model that only talks: %+v", turn)
	}
	now, err := w.agents.Open(t.Context(), "g", "sam")
	w.try(err)
	if now.Summary != "I talked with Eva." || now.InContext == now.Messages || w.script.widest < small/2 {
		t.Errorf("%d of %d messages in context, the widest request had %d tokens, summary %q", now.InContext, now.Messages, w.script.widest, now.Summary)
	}
}
