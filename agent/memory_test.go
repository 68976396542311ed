package agent_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/modeltest"
)

func TestUndoAndRedoOfABlock(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{}, agent.Block{Label: "human", Value: "one"})
	block := w.block(a, "human")
	var moments []time.Time
	for _, value := range []string{"two", "three"} {
		b := block
		b.Value, b.Version, b.EditedBy = value, 0, "me"
		edited, err := w.agents.EditBlock(t.Context(), "g", b)
		w.try(err)
		moments = append(moments, edited.Since)
	}
	want := func(did func() (agent.Block, error), value string, code graph.Code) {
		t.Helper()
		b, err := did()
		if code != "" && graph.CodeOf(err) == code {
			return
		}
		if err != nil || b.Value != value {
			t.Fatalf("%+v, %v, want %q", b, err, value)
		}
	}
	undo := func() (agent.Block, error) { return w.agents.Undo(t.Context(), "g", block.ID, "me") }
	redo := func() (agent.Block, error) { return w.agents.Redo(t.Context(), "g", block.ID, "me") }
	want(redo, "", graph.CodeConflict)
	want(undo, "two", "")
	want(undo, "one", "")
	want(undo, "", graph.CodeConflict)
	want(redo, "two", "")
	want(redo, "three", "")
	want(undo, "two", "")
	b := w.block(a, "human")
	b.Value = "four"
	_, err := w.agents.EditBlock(t.Context(), "g", b)
	w.try(err)
	want(redo, "", graph.CodeConflict) // an edit leaves nothing to redo
	want(undo, "two", "")
	want(undo, "one", "")
	if _, err := w.agents.EditBlock(t.Context(), "g", b); graph.CodeOf(err) != graph.CodeConflict {
		t.Errorf("an edit of an older version: %v", err)
	}
	history, err := w.agents.BlockHistory(t.Context(), "g", block.ID)
	if err != nil || len(history) != 11 || history[0].Value != "one" || history[10].Value != "one" || history[10].Until.IsZero() {
		t.Errorf("%d versions, %v: %+v", len(history), err, history)
	}
	for i, value := range []string{"two", "three"} {
		then, err := a.BlocksAt(t.Context(), moments[i])
		if err != nil || len(then) != 1 || then[0].Value != value {
			t.Errorf("at %v the block said %+v, %v, want %q", moments[i], then, err, value)
		}
	}
}

func TestBlocksAreShared(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	shared, err := w.agents.CreateBlock(t.Context(), "g", agent.Block{Label: "team", Value: "Ship on Friday."})
	w.try(err)
	make := func(name string) *agent.Agent {
		a, err := w.agents.Create(t.Context(), agent.Spec{GroupID: "g", Name: name, Shared: []uuid.UUID{shared.ID}})
		w.try(err)
		return a
	}
	ann, bob := make("ann"), make("bob")
	w.script.answer = steps(goOn("memory_replace", map[string]any{"label": "team", "old_string": "Friday", "new_string": "Monday"}), say("Done."))
	w.tell(ann, "We ship on Monday.")
	if got := w.block(bob, "team"); got.Value != "Ship on Monday." || got.EditedBy != "ann" {
		t.Errorf("bob sees %+v", got)
	}
	if err := bob.Share(t.Context(), shared.ID); err != nil {
		t.Errorf("shared again: %v", err)
	}
	twin, err := w.agents.CreateBlock(t.Context(), "g", agent.Block{Label: "team"})
	w.try(err)
	if err := bob.Share(t.Context(), twin.ID); graph.CodeOf(err) != graph.CodeConflict {
		t.Errorf("two blocks of one label: %v", err)
	}
	w.try(bob.Unshare(t.Context(), shared.ID))
	if _, err := bob.Block(t.Context(), "team"); graph.CodeOf(err) != graph.CodeNotFound {
		t.Errorf("bob still sees it: %v", err)
	}
	if _, err := w.agents.Create(t.Context(), agent.Spec{GroupID: "g", Name: "ann"}); graph.CodeOf(err) != graph.CodeConflict {
		t.Errorf("a name that is taken: %v", err)
	}
}

func TestArchiveTagsAndDates(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	for i, tags := range [][]string{{"work"}, {"home"}, {"work", "urgent"}, {"homework"}, nil} {
		w.now = w.now.AddDate(0, 0, 1)
		w.try(a.Archive(t.Context(), fmt.Sprintf("A note about tea number %d.", i), tags...))
	}
	for name, tt := range map[string]struct {
		arguments map[string]any
		want      string
	}{
		"any":    {map[string]any{"tags": []string{"Work", "home"}}, "0 1 2"},
		"all":    {map[string]any{"tags": []string{"work", "urgent"}, "tag_match_mode": "all"}, "2"},
		"whole":  {map[string]any{"tags": []string{"home"}}, "1"},
		"until":  {map[string]any{"end_datetime": "2024-05-03"}, "0 1"},
		"since":  {map[string]any{"start_datetime": "2024-05-05"}, "3 4"},
		"within": {map[string]any{"start_datetime": "2024-05-03", "end_datetime": "2024-05-04T12:00:00Z"}, "1 2"},
		"none":   {map[string]any{"tags": []string{"nothing"}}, ""},
	} {
		tt.arguments["query"] = "tea"
		w.script.answer = steps(goOn("archival_memory_search", tt.arguments), say("Well."))
		found := results(w.tell(a, "Look it up."))
		var got []string
		for i := range 5 {
			if strings.Contains(found, fmt.Sprintf("number %d.", i)) {
				got = append(got, fmt.Sprint(i))
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: found %q, want %q:\n%s", name, got, tt.want, found)
		}
	}
}

func TestRecallByRoleAndDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.script.answer = func(r modeltest.Request) modeltest.Reply { return say("You said tea, and I heard it.") }
	a := w.create(agent.Settings{TimeZone: "Europe/Berlin"})
	for i := range 4 {
		w.tell(a, fmt.Sprintf("I drink tea, cup %d.", i))
		w.now = w.now.AddDate(0, 0, 1)
	}
	day := func(n int) time.Time { return time.Date(2024, 5, n, 0, 0, 0, 0, time.UTC) }
	for name, tt := range map[string]struct {
		query agent.RecallQuery
		want  int
	}{
		"all":            {agent.RecallQuery{Text: "tea"}, 8},
		"the user":       {agent.RecallQuery{Text: "tea", Roles: []string{"user"}}, 4},
		"the agent":      {agent.RecallQuery{Text: "tea", Roles: []string{"assistant"}}, 4},
		"two days":       {agent.RecallQuery{Text: "tea", Since: day(2), Until: day(4)}, 4},
		"a day's user":   {agent.RecallQuery{Roles: []string{"user"}, Since: day(3), Until: day(4)}, 1},
		"without a text": {agent.RecallQuery{}, 8},
	} {
		tt.query.Limit = 100
		found, total, err := a.Recall(t.Context(), tt.query)
		if err != nil || total != tt.want || len(found) != tt.want {
			t.Errorf("%s: %d of %d found, %v, want %d", name, len(found), total, err, tt.want)
		}
	}
	w.script.answer = steps(goOn("conversation_search_date", map[string]any{"start_date": "2024-05-02", "end_date": "2024-05-02"}), say("Well."))
	if got := results(w.tell(a, "What was on the second?")); !strings.Contains(got, "Showing 2 of 2") || !strings.Contains(got, "CEST") {
		t.Errorf("on the last day, which counts too, there was %s", got)
	}
}

// A page after the last one has the total of all pages.
func TestAPageAfterTheLast(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	w.script.answer = steps(say("Hello!"))
	w.tell(a, "Hi.")
	if _, total, err := a.Recall(t.Context(), agent.RecallQuery{Skip: 100}); err != nil || total != 2 {
		t.Errorf("there are %d, %v", total, err)
	}
	if _, _, err := a.Recall(t.Context(), agent.RecallQuery{Skip: 1 << 31}); graph.CodeOf(err) != graph.CodeInvalid {
		t.Error(err)
	}
	w.script.answer = steps(
		goOn("conversation_search_date", map[string]any{"start_date": "2024-05-01", "end_date": "2024-05-01", "page": 2}),
		call("conversation_search", map[string]any{"query": "", "page": 429_496_730}), say("Well."))
	if got := results(w.tell(a, "Look.")); !strings.Contains(got, "Found 2 results on 1 page; page 2 has none.") || !strings.Contains(got, "page is 429496730; the first is 0") {
		t.Error(got)
	}
}

func TestHeartbeats(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.now = time.Now()
	a := w.create(agent.Settings{HeartbeatSeconds: 60})
	w.script.answer = steps(call("pause_heartbeats", map[string]any{"minutes": 10}), say("Hello?"))
	beat := func(after time.Duration, want int) {
		t.Helper()
		w.now = w.now.Add(after)
		if woken, err := w.agents.Beat(t.Context(), "g"); err != nil || woken != want {
			t.Errorf("after %v %d were woken, %v, want %d", after, woken, err, want)
		}
	}
	beat(0, 0)
	beat(2*time.Minute, 1) // the agent then asks for ten minutes of rest
	beat(time.Second, 0)
	beat(5*time.Minute, 0)
	busy, err := w.client.RunExclusively(t.Context(), "g", "agent/"+a.ID.String(), func(func() error) error {
		beat(6*time.Minute, 0) // it is busy
		return nil
	})
	if err != nil || !busy {
		t.Fatal(busy, err)
	}
	beat(time.Minute, 1)
	var heard int
	for _, m := range w.messages(a) {
		if m.Kind == agent.KindHeartbeat {
			heard++
		}
	}
	if heard != 2 {
		t.Errorf("it heard %d heartbeats, want 2", heard)
	}
}

func TestConsolidate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{}, agent.Block{Label: "human", Value: "Lives in Paris."}, agent.Block{Label: "rules", Value: "Be kind.", ReadOnly: true})
	w.script.answer = idle
	w.tell(a, "I moved to Lisbon last week.")
	asked := 0
	w.script.summary = func(r modeltest.Request) modeltest.Reply {
		if asked++; r.Prompt != "consolidate_blocks" || !strings.Contains(r.User, "Lives in Paris.") || !strings.Contains(r.User, "moved to Lisbon") || strings.Contains(r.User, "Be kind") {
			t.Errorf("asked %s: %s", r.Prompt, r.User)
		}
		return modeltest.Reply{JSON: map[string]any{
			"contradictions": []string{"The user lived in Paris and now lives in Lisbon."},
			"blocks":         []any{map[string]string{"label": "human", "value": "Lives in Lisbon."}},
		}}
	}
	done, err := w.agents.Consolidate(t.Context(), "g")
	if err != nil || len(done) != 1 || len(done[0].Edited) != 1 || len(done[0].Contradictions) != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if got := w.block(a, "human"); got.Value != "Lives in Lisbon." || got.EditedBy != "sam (asleep)" {
		t.Errorf("human says %+v", got)
	}
	kept, _, err := a.SearchArchive(t.Context(), agent.PassageQuery{Text: "Lisbon", Tags: []string{"contradiction"}})
	if err != nil || len(kept) != 1 {
		t.Errorf("kept %+v, %v", kept, err)
	}
	if done, err = w.agents.Consolidate(t.Context(), "g"); err != nil || len(done) != 0 || asked != 1 {
		t.Errorf("again: %+v, %v, asked %d times", done, err, asked)
	}
}

// An agent that is being tidied serves a caller at once, and is tidied later.
func TestAnAgentIsToldSomethingInItsSleep(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{}, agent.Block{Label: "human", Value: "Lives in Paris."})
	w.script.answer = idle
	w.tell(a, "I moved to Lisbon last week.")
	asked := 0
	w.script.summary = func(modeltest.Request) modeltest.Reply {
		if asked++; asked == 1 {
			w.script.mu.Unlock() // it answers the agent meanwhile
			defer w.script.mu.Lock()
			if turn := w.tell(a, "No, to Porto."); len(turn.Messages) != 1 {
				t.Errorf("turn %+v", turn)
			}
		}
		return modeltest.Reply{JSON: map[string]any{
			"contradictions": []string{}, "blocks": []any{map[string]string{"label": "human", "value": fmt.Sprintf("As of reading %d.", asked)}},
		}}
	}
	done, err := w.agents.Consolidate(t.Context(), "g")
	if err != nil || len(done) != 1 || !done[0].Busy || done[0].Messages != 0 || len(done[0].Edited) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	if got := w.block(a, "human").Value; got != "Lives in Paris." {
		t.Errorf("human says %q, by what was said before", got)
	}
	done, err = w.agents.Consolidate(t.Context(), "g")
	if err != nil || len(done) != 1 || done[0].Busy || done[0].Messages != 6 || w.block(a, "human").Value != "As of reading 2." {
		t.Errorf("%+v, %v, and human says %q", done, err, w.block(a, "human").Value)
	}
}

// Only idle agents are tidied, also after something was erased.
func TestConsolidateRested(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	w.script.answer = idle
	w.tell(a, "My secret is Vexelberg.")
	w.tell(a, "I like tea.")
	w.script.summary = func(r modeltest.Request) modeltest.Reply {
		if strings.Contains(r.User, "Vexelberg") || !strings.Contains(r.User, "I like tea.") {
			t.Errorf("asked %s", r.User)
		}
		return modeltest.Reply{JSON: map[string]any{"contradictions": []string{}, "blocks": []any{}}}
	}
	secret, _, err := a.Recall(t.Context(), agent.RecallQuery{Text: "Vexelberg", Limit: 1})
	w.try(err)
	_, err = w.client.Erase(t.Context(), annals.Erasure{GroupID: "g", EpisodeIDs: []uuid.UUID{secret[0].EpisodeID}})
	w.try(err)
	w.now = time.Now()
	if done, err := w.agents.ConsolidateRested(t.Context(), "g"); err != nil || len(done) != 0 {
		t.Errorf("before it has rested: %+v, %v", done, err)
	}
	w.now = w.now.Add(time.Hour)
	if done, err := w.agents.ConsolidateRested(t.Context(), "g"); err != nil || len(done) != 1 || done[0].Messages == 0 {
		t.Errorf("after an hour: %+v, %v", done, err)
	}
	if done, err := w.agents.ConsolidateRested(t.Context(), "g"); err != nil || len(done) != 0 {
		t.Errorf("again: %+v, %v", done, err)
	}
}

// Heartbeats do not pile up while the model fails: the agent still has the first one to answer.
func TestNoHeartbeatIsAddedToAnUnfinishedTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.now = time.Now()
	a := w.create(agent.Settings{HeartbeatSeconds: 10})
	down := true
	w.script.answer = func(modeltest.Request) modeltest.Reply {
		if down {
			return modeltest.Reply{Status: 503}
		}
		return say("Hello!")
	}
	beat := func() error {
		w.now = w.now.Add(11 * time.Second)
		_, err := w.agents.Beat(t.Context(), "g")
		return err
	}
	for range 3 {
		if err := beat(); err == nil {
			t.Error("the model did not fail")
		}
	}
	if all := w.messages(a); len(all) != 1 || all[0].Kind != agent.KindHeartbeat {
		t.Errorf("messages %+v", all)
	}
	down = false
	w.try(beat())
	if all := w.messages(a); len(all) != 3 {
		t.Errorf("messages %+v", all)
	}
}

// The tokens of a message are counted as it is shown now, also in another time zone.
func TestMessagesAreCountedAnewInAnotherTimeZone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.script.answer = idle
	counted := func(name string, before, after agent.Settings) []int32 {
		a, err := w.agents.Create(t.Context(), agent.Spec{GroupID: "g", Name: name, Settings: before})
		w.try(err)
		for i := range 3 {
			_, err = a.Tell(t.Context(), agent.Event{Content: fmt.Sprint("Hello ", i), OccurredAt: w.now}, nil)
			w.try(err)
		}
		w.try(a.Configure(t.Context(), "", after))
		var tokens []int32
		w.try(w.client.InGroup(t.Context(), "g", func(tx pgx.Tx) error {
			rows, err := db.New(tx).AgentQueue(t.Context(), db.AgentQueueParams{GroupID: "g", AgentID: a.ID, MaxRows: 100})
			for _, row := range rows {
				tokens = append(tokens, row.Tokens)
			}
			return err
		}))
		return tokens
	}
	utc, there := agent.Settings{}, agent.Settings{TimeZone: "America/Sao_Paulo"}
	want, old := counted("born there", there, there), counted("never there", utc, utc)
	if diff := cmp.Diff(want, counted("moved there", utc, there)); diff != "" || cmp.Equal(want, old) {
		t.Errorf("-want +got:\n%s\nin UTC: %v", diff, old)
	}
}

// Messages of finished turns, or that left the context, are read into the group's graph. Context
// from the graph is put before the next turn.
func TestTheGraphIsFedAndAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	offline, err := annals.Open(t.Context(), annals.Config{DatabaseURL: w.url})
	w.try(err)
	t.Cleanup(offline.Close)
	a := w.create(agent.Settings{ContextTokens: 300})
	w.script.answer = func(r modeltest.Request) modeltest.Reply {
		if counts, err := offline.EpisodeCounts(t.Context(), "g"); err != nil || counts[graph.StateDone] != 0 {
			t.Errorf("during the turn %v, %v", counts, err)
		}
		w.try(offline.Process(t.Context(), "g", nil))
		return say("Nice.")
	}
	_, err = a.Tell(t.Context(), agent.Event{Content: "I live in Lisbon.", Actor: "Alice"}, nil)
	w.try(err)
	w.try(offline.Process(t.Context(), "g", nil))
	facts, err := offline.Facts(t.Context(), annals.FactFilter{GroupID: "g"})
	if err != nil || len(facts) == 0 || facts[0].Target != "Lisbon" {
		t.Fatalf("the graph has %+v, %v", facts, err)
	}
	w.script.answer = steps(
		goOn("memory_search", map[string]any{"query": "Where does Alice live?"}),
		goOn("memory_as_of", map[string]any{"query": "Where does Alice live?", "at": "2001-01-01"}), say("In Lisbon."),
	)
	turn, err := a.Tell(t.Context(), agent.Event{Content: "Where do I live?", Actor: "Alice"}, nil)
	w.try(err)
	if !strings.Contains(turn.Steps[0].Result, "Lisbon") || strings.Contains(turn.Steps[1].Result, "lives in Lisbon") {
		t.Errorf("the graph answers %s\nand of 2001 %s", turn.Steps[0].Result, turn.Steps[1].Result)
	}
	if system := w.script.last().System; !strings.Contains(system, "<graph>") || !strings.Contains(system, "Lisbon") {
		t.Errorf("the model reads %s", system)
	}
}
