package agent_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/model/modeltest"
)

// An agent forgets what a user erases, wherever it wrote it, and continues with the rest.
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

// A model that repeats erased content does not bring it back: the lines are stored as [erased], and
// the tombstone stays.
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

// If something is erased during a turn, while the model is working or between two steps, the
// agent's context from the graph is fetched again.
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

// places counts the rows with a word in the tables of runs and of what is learned from them.
func (w *world) places(word string) string {
	w.Helper()
	connection := clienttest.Dial(w.T, w.url)
	var found []string
	for _, table := range []string{
		"annals.episodes", "annals.skills", "annals_internal.skills_history", "annals_internal.skill_runs", "annals.model_calls", "annals.marks",
		"annals.agent_messages", "annals.blocks", "annals_internal.blocks_history", "annals.traces", "annals_internal.readings", "annals_internal.all_postings",
	} {
		var rows int
		w.try(connection.QueryRow(w.Context(), `SELECT count(*) FROM `+table+` t WHERE t::text ILIKE '%' || $1 || '%'`, word).Scan(&rows))
		if rows > 0 {
			found = append(found, fmt.Sprintf("%s %d", table, rows))
		}
	}
	return strings.Join(found, ", ")
}

// recorded lists the tasks of the runs of the group.
func (w *world) recorded() (tasks []string, ids []uuid.UUID) {
	w.Helper()
	episodes, err := w.client.Episodes(w.Context(), annals.EpisodeFilter{GroupID: "g"})
	w.try(err)
	for _, e := range episodes {
		if e.Source == graph.SourceRun {
			var run annals.Run
			w.try(json.Unmarshal([]byte(e.Content), &run))
			tasks, ids = append(tasks, run.Task), append(ids, e.ID)
		}
	}
	slices.Sort(tasks)
	return tasks, ids
}

// The runs of an agent repeat messages, arguments and results. Erased content is removed from them
// and from what was learned from them, also if a later turn repeats it. Undone content is removed
// from its own run.
func TestRunsForgetWhatIsErased(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(w *world, told, all []uuid.UUID){
		"message erased": func(w *world, told, _ []uuid.UUID) {
			_, err := w.client.Erase(w.Context(), annals.Erasure{GroupID: "g", EpisodeIDs: told})
			w.try(err)
			if tasks, _ := w.recorded(); strings.Join(tasks, ", ") != "I like tea." {
				w.Errorf("the runs that are left are %q", tasks)
			}
		},
		"all erased": func(w *world, _, all []uuid.UUID) {
			_, err := w.client.Erase(w.Context(), annals.Erasure{GroupID: "g", EpisodeIDs: all})
			w.try(err)
			if tasks, _ := w.recorded(); strings.Join(tasks, ", ") != "I like tea." {
				w.Errorf("the runs that are left are %q", tasks)
			}
			if found := w.places("Vexelberg"); found != "" {
				w.Errorf("erased, it is still in %s", found)
			}
		},
		"message undone": func(w *world, told, _ []uuid.UUID) {
			_, err := w.client.Undo(w.Context(), "g", told[0])
			w.try(err)
			if tasks, _ := w.recorded(); strings.Join(tasks, ", ") != "I like tea., Where is home?" {
				w.Errorf("the runs that are left are %q", tasks)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, agent.Options{})
			a := w.create(agent.Settings{RecordRuns: true}, agent.Block{Label: "human", Value: "Is called Eva."})
			w.script.answer = steps(
				goOn("core_memory_append", map[string]any{"name": "human", "content": "Drinks tea."}), say("So do I."),
				goOn("core_memory_append", map[string]any{"name": "human", "content": "Moved to Vexelberg."}),
				goOn("archival_memory_insert", map[string]any{"content": "Eva moved to Vexelberg."}), say("How nice!"),
				goOn("archival_memory_search", map[string]any{"query": "home"}), say("You know best."),
			)
			w.tell(a, "I like tea.")
			w.tell(a, "I moved to Vexelberg.")
			w.tell(a, "Where is home?")
			w.try(w.client.Process(w.Context(), "g", nil))
			tasks, runs := w.recorded()
			if strings.Join(tasks, ", ") != "I like tea., I moved to Vexelberg., Where is home?" {
				t.Fatalf("the runs are %q", tasks)
			}
			for _, mark := range []graph.Mark{graph.MarkUseful, graph.MarkWrong, graph.MarkUseful} { // gives the skills former versions
				_, err := service.New(w.client).Mark(w.Context(), "g", service.MarkChange{IDs: runs, Mark: mark})
				w.try(err)
			}
			if found := w.places("Vexelberg"); !strings.Contains(found, "annals.skills ") || !strings.Contains(found, "skills_history") {
				t.Fatalf("it is only in %s", found)
			}
			var told, all []uuid.UUID
			episodes, err := w.client.Episodes(w.Context(), annals.EpisodeFilter{GroupID: "g"})
			w.try(err)
			for _, e := range episodes {
				if e.Content == "I moved to Vexelberg." {
					told = append(told, e.ID)
				}
				if e.Source != graph.SourceRun && strings.Contains(e.Content, "Vexelberg") {
					all = append(all, e.ID)
				}
			}
			forget(w, told, all)
			skills, err := w.client.Skills(w.Context(), annals.SkillFilter{GroupID: "g", Ended: true})
			w.try(err)
			if len(skills) == 0 || strings.Contains(fmt.Sprint(skills), "Vexelberg") {
				t.Errorf("the skills that are left are %+v", skills)
			}
		})
	}
}

// A turn that repeats erased content continues, and is not recorded as a run.
func TestARunDoesNotBringBackWhatWasErased(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{RecordRuns: true})
	const said = "Her doctor prescribed insulin to Eva."
	stored, err := w.client.Add(t.Context(), annals.Episode{GroupID: "g", Content: said})
	w.try(err)
	_, err = w.client.Erase(t.Context(), annals.Erasure{GroupID: "g", EpisodeIDs: []uuid.UUID{stored.ID}})
	w.try(err)
	w.script.answer = steps(goOn("archival_memory_search", map[string]any{"query": "Eva"}), say("Noted."))
	turn, err := a.Tell(t.Context(), agent.Event{Kind: agent.KindAlert, Content: said}, nil)
	w.try(err)
	if len(turn.Messages) != 1 {
		t.Errorf("it says %q", turn.Messages)
	}
	if tasks, _ := w.recorded(); len(tasks) > 0 {
		t.Errorf("the runs are %q", tasks)
	}
}
