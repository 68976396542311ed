package agent_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/modeltest"
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

// What the graph told an agent of a turn is asked again where something is erased
// in that turn: while the model thinks, and between two steps.
func TestAnAgentIsNotShownWhatWasErasedInItsTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	offline, err := annals.Open(t.Context(), annals.Config{DatabaseURL: w.url})
	w.try(err)
	t.Cleanup(offline.Close)
	var secrets []uuid.UUID
	for _, said := range []string{"I live in Vexelberg.", "I work at Quillby."} {
		stored, err := offline.Add(t.Context(), annals.Episode{GroupID: "g", Actor: "Alice", Content: said})
		w.try(err)
		secrets = append(secrets, stored.ID)
	}
	w.try(offline.Process(t.Context(), "g", nil))
	erase := func(id uuid.UUID) {
		_, err := offline.Erase(t.Context(), annals.Erasure{GroupID: "g", EpisodeIDs: []uuid.UUID{id}, AnyReader: true})
		w.try(err)
	}
	a := w.create(agent.Settings{ContextTokens: 300})
	var read []string
	w.script.answer = func(r modeltest.Request) modeltest.Reply {
		shown := ""
		for _, secret := range []string{"Vexelberg", "Quillby"} {
			if strings.Contains(r.System, secret) {
				shown += secret
			}
		}
		switch read = append(read, shown); len(read) {
		case 1:
			erase(secrets[0])
			return say("You live in Vexelberg.")
		case 2:
			return goOn("core_memory_append", map[string]any{"name": "human", "content": "Has a job."})
		}
		return say("I do not know.")
	}
	_, err = a.Tell(t.Context(), agent.Event{Content: "Where do I live and work, Alice?", Actor: "Alice"}, func(s agent.Step) {
		if s.Function == "core_memory_append" {
			erase(secrets[1])
		}
	})
	w.try(err)
	if got := strings.Join(read, ", "); got != "VexelbergQuillby, Quillby, " {
		t.Errorf("the model reads, one time after the other, %q", got)
	}
	for _, m := range w.messages(a) {
		if strings.Contains(m.Content+m.Thought+m.Arguments, "Vexelberg") {
			t.Errorf("it remembers %+v", m)
		}
	}
}
