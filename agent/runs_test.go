package agent_test

import (
	"fmt"
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

// An agent keeps its turns as runs if its settings say so. They are not judged. Once a person marks
// one as useful, the procedure of its task is learned.
func TestTurnsAreRuns(t *testing.T) {
	w := newWorld(t, agent.Options{})
	note := goOn("archival_memory_insert", map[string]any{"content": "Alice likes tea."})
	w.script.answer = steps(note, say("Done."), say("Hello!"), note, say("Done."))
	sam, err := w.agents.Create(t.Context(), agent.Spec{GroupID: "alice", Name: "sam", Settings: agent.Settings{RecordRuns: true}})
	w.try(err)
	bob, err := w.agents.Create(t.Context(), agent.Spec{GroupID: "alice", Name: "bob"})
	w.try(err)
	for _, told := range []struct {
		to   *agent.Agent
		said string
	}{{sam, "Note down what I like"}, {sam, "Hi"}, {bob, "Note down what I like, Bob"}} {
		_, err := told.to.Tell(t.Context(), agent.Event{Content: told.said}, nil)
		w.try(err)
	}
	w.try(w.client.Process(t.Context(), "alice", nil))
	episodes, err := w.client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "alice"})
	w.try(err)
	var runs []annals.Episode
	for _, e := range episodes {
		if e.Source == graph.SourceRun {
			runs = append(runs, e)
		}
	}
	if len(runs) != 1 || !strings.Contains(runs[0].Content, `"task":"Note down what I like"`) ||
		!strings.Contains(runs[0].Content, `"tool":"archival_memory_insert"`) || strings.Contains(runs[0].Content, "send_message") || runs[0].Authority != graph.AuthorityAssistant {
		t.Fatalf("the runs are %+v", runs)
	}
	skills, err := w.client.Skills(t.Context(), annals.SkillFilter{GroupID: "alice"})
	w.try(err)
	if len(skills) > 0 {
		t.Errorf("what nobody judged is known to work: %+v", skills)
	}
	_, err = service.New(w.client).Mark(t.Context(), "alice", service.MarkChange{IDs: []uuid.UUID{runs[0].ID}, Mark: graph.MarkUseful})
	w.try(err)
	if skills, err = w.client.Skills(t.Context(), annals.SkillFilter{GroupID: "alice", Task: "note down what I like"}); err != nil || len(skills) != 1 {
		t.Errorf("what was useful is not known: %+v, %v", skills, err)
	}
}

// A run is no message of its conversation, neither in the thread nor in the agent's search of
// messages.
func TestARunIsNoMessageOfTheConversation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{RecordRuns: true})
	w.script.answer = steps(goOn("archival_memory_insert", map[string]any{"content": "Likes tea."}), say("So do I."))
	w.tell(a, "I like tea.")
	if tasks, _ := w.recorded(); len(tasks) != 1 {
		t.Fatalf("the runs are %q", tasks)
	}
	messages, err := service.New(w.client).ThreadMessages(t.Context(), "g", "agent/"+a.ID.String(), 0, 10)
	w.try(err)
	counted, err := service.New(w.client).ThreadMessageCount(t.Context(), "g", "agent/"+a.ID.String())
	w.try(err)
	if len(messages) != 2 || counted != 2 || messages[0].Content != "I like tea." || messages[1].Content != "So do I." {
		t.Errorf("%d messages are counted, of %+v", counted, messages)
	}
	if said, n, err := a.Recall(t.Context(), agent.RecallQuery{Text: "tea"}); err != nil || n != 1 || said[0].Content != "I like tea." {
		t.Errorf("%d are recalled: %+v (%v)", n, said, err)
	}
}

// A turn ends also if PostgreSQL cannot hold the arguments of its calls; it is then no run.
func TestATurnThatIsNoRunEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		arguments string
		runs      int
	}{
		"half a surrogate": {`{"content": "a\ud800b", "request_heartbeat": true}`, 0},
		"a huge number":    {`{"content": "ab", "page": 1e200000, "request_heartbeat": true}`, 0},
		"plain":            {`{"content": "ab", "request_heartbeat": true}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, agent.Options{})
			a := w.create(agent.Settings{RecordRuns: true})
			w.script.answer = steps(modeltest.Reply{Calls: []modeltest.Call{{Name: "archival_memory_insert", Arguments: tt.arguments}}}, say("Done."))
			if turn := w.tell(a, "Keep this."); len(turn.Messages) != 1 {
				t.Errorf("it says %q", turn.Messages)
			}
			if tasks, _ := w.recorded(); len(tasks) != tt.runs {
				t.Errorf("the runs are %q", tasks)
			}
		})
	}
}

// A turn whose beginning has left the context is a run, knows what the graph has about its event, and
// does not find itself.
func TestALongTurnIsARun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	_, err := w.client.Add(t.Context(), annals.Episode{GroupID: "g", Content: "Alice works at Quillby as a baker."})
	w.try(err)
	w.try(clienttest.Open(t, annals.Config{DatabaseURL: w.url}).Process(t.Context(), "g", nil))
	a := w.create(agent.Settings{RecordRuns: true, Window: 4600, ContextTokens: 100})
	long := strings.Repeat("Many words of a passage to fill it. ", 40)
	var replies []modeltest.Reply
	for i := range 6 {
		replies = append(replies, goOn("archival_memory_insert", map[string]any{"content": long + fmt.Sprint(i)}))
	}
	w.script.answer = steps(append(replies, goOn("conversation_search", map[string]any{"query": "Alice"}), say("Done."))...)
	turn := w.tell(a, "Store where Alice works.")
	if now, err := w.agents.Open(t.Context(), "g", "sam"); err != nil || now.Messages == now.InContext || !strings.Contains(results(turn), "Nothing was found.") {
		t.Errorf("%+v, %v: %s", now, err, results(turn))
	}
	if last := w.script.last(); !strings.Contains(last.System, "Quillby") {
		t.Errorf("the model reads %s", last.System)
	}
	if tasks, _ := w.recorded(); len(tasks) != 1 || tasks[0] != "Store where Alice works." {
		t.Errorf("the runs are %q", tasks)
	}
}
