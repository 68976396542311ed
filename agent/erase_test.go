package agent_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
)

// What a user takes back the agent forgets, wherever it wrote it, and it goes
// on with what is left.
func TestAnAgentForgetsWhatIsErased(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{}, agent.Block{Label: "human", Value: "Is called Eva."})
	w.script.answer = steps(
		goOn("core_memory_append", map[string]any{"name": "human", "content": "Moved to Vexelberg."}),
		goOn("archival_memory_insert", map[string]any{"content": "Eva moved to Vexelberg."}),
		say("How nice!"),
	)
	w.tell(a, "I moved to Vexelberg.")
	var erase []uuid.UUID
	episodes, err := w.client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "g"})
	w.try(err)
	for _, e := range episodes {
		if strings.Contains(e.Content, "Vexelberg") {
			erase = append(erase, e.ID)
		}
	}
	if len(erase) != 2 {
		t.Fatalf("%d of %d episodes speak of it", len(erase), len(episodes))
	}
	_, err = w.client.Erase(t.Context(), annals.Erasure{GroupID: "g", EpisodeIDs: erase})
	w.try(err)
	block := w.block(a, "human")
	if block.Value != "Is called Eva." {
		t.Errorf("the block says %q", block.Value)
	}
	for name, back := range map[string]func() (agent.Block, error){
		"undo": func() (agent.Block, error) { return w.agents.Undo(t.Context(), "g", block.ID, "me") },
		"redo": func() (agent.Block, error) { return w.agents.Redo(t.Context(), "g", block.ID, "me") },
	} {
		if b, err := back(); graph.CodeOf(err) != graph.CodeConflict {
			t.Errorf("%s: %+v (%v), want a conflict", name, b, err)
		}
	}
	var left []string
	for _, m := range w.messages(a) {
		left = append(left, string(m.Kind)+" "+m.Function)
		if strings.Contains(m.Content+m.Thought+m.Arguments, "Vexelberg") {
			t.Errorf("it remembers %+v", m)
		}
	}
	if want := "call send_message, result send_message"; strings.Join(left, ", ") != want {
		t.Errorf("of what happened it remembers %q, want %q", left, want)
	}
	_, passages, err := a.SearchArchive(t.Context(), agent.PassageQuery{})
	if err != nil || passages != 0 {
		t.Errorf("%d passages are left (%v)", passages, err)
	}
	w.script.answer = steps(say("Hello again!"))
	if turn := w.tell(a, "Hello?"); len(turn.Messages) != 1 || turn.Messages[0] != "Hello again!" {
		t.Errorf("it goes on with %+v", turn)
	}
	if first := w.script.last().Turns[0]; first.Role != "user" {
		t.Errorf("the model hears %+v first, which some providers refuse", first)
	}
}

// A model that is asked to repeat what was erased does not bring it back: the
// lines are kept as [erased], and the tombstone stays.
func TestAModelDoesNotBringBackWhatWasErased(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	const said = "Her doctor prescribed insulin to Eva."
	stored, err := w.client.Add(t.Context(), annals.Episode{GroupID: "g", Content: said})
	w.try(err)
	_, err = w.client.Erase(t.Context(), annals.Erasure{GroupID: "g", EpisodeIDs: []uuid.UUID{stored.ID}})
	w.try(err)
	for name, repeated := range map[string]string{
		"[erased]":                   said,
		"Of course:\n[erased]\nBye.": "Of course:\nher d\u043ector prescribed ins\u00adulin to Eva\nBye.",
	} {
		w.script.answer = steps(say(repeated))
		w.tell(a, "Repeat what I told you.")
		messages := w.messages(a)
		kept := false
		for _, m := range messages {
			kept = kept || m.Kind == agent.KindCall && m.Content == name
		}
		if !kept {
			t.Errorf("it remembers %+v, want %q among it", messages, name)
		}
	}
	episodes, err := w.client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "g"})
	w.try(err)
	for _, e := range episodes {
		if strings.Contains(e.Content, "doctor") || strings.Contains(e.Content, "d\u043ector") {
			t.Errorf("the memory has %q again", e.Content)
		}
	}
	if _, err := w.client.Add(t.Context(), annals.Episode{GroupID: "g", Content: said}); !graph.IsErased(err) {
		t.Errorf("it is let in again: %v", err)
	}
}
