package agent_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/model/modeltest"
)

// Of a conversation of ten thousand messages none is ever in a prompt beyond
// the window, and each is found afterwards.
func TestTenThousandMessages(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes minutes; run without -short")
	}
	w := newWorld(t, agent.Options{})
	w.script.window, w.script.sample = 8192, 20 // the rest is held to what the agent counts itself
	w.script.answer = func(r modeltest.Request) modeltest.Reply { return say("Heard, answer " + fmt.Sprint(r.N) + ".") }
	a := w.create(agent.Settings{Window: 8192, NoGraph: true})
	const turns = 10_000 / 3 // of a message, a call and its result
	for i := range turns + 1 {
		w.tell(a, fmt.Sprintf("Entry keyword%05d of my diary: nothing much happened, it rained, and I read a book by the window.", i))
	}
	now, err := w.agents.Open(t.Context(), "g", "sam")
	w.try(err)
	if now.Messages < 10_000 {
		t.Fatalf("only %d messages", now.Messages)
	}
	w.neverOver(a, 8192-1024)
	seen := 0
	for skip := 0; ; skip += 200 {
		said, total, err := a.Recall(t.Context(), agent.RecallQuery{Roles: []string{"user"}, Skip: skip, Limit: 200})
		w.try(err)
		if seen += len(said); len(said) == 0 {
			if seen != turns+1 || skip == 0 || total > turns+1 {
				t.Errorf("paging by role gives %d of %d messages", seen, turns+1)
			}
			break
		}
	}
	for i := 0; i <= turns; i += 111 {
		w.foundEverywhere(a, i)
	}
}

// neverOver checks what was counted at every step.
func (w *world) neverOver(a *agent.Agent, room int32) {
	w.Helper()
	w.try(w.client.InGroup(w.Context(), "g", func(tx pgx.Tx) error {
		rows, err := db.New(tx).AgentSteps(w.Context(), db.AgentStepsParams{GroupID: "g", AgentID: a.ID, MaxRows: 100_000})
		evictions := 0
		for _, row := range rows {
			if row.Kind == "answer" && row.PromptTokens > room {
				w.Errorf("step %d had %d tokens, of %d", row.Step, row.PromptTokens, room)
			}
			if row.Kind == "eviction" {
				evictions++
			}
		}
		if evictions < 50 {
			w.Errorf("only %d evictions", evictions)
		}
		return err
	}))
}

// foundEverywhere looks for a message by its words, its day and its role.
func (w *world) foundEverywhere(a *agent.Agent, i int) {
	w.Helper()
	keyword := fmt.Sprintf("keyword%05d", i)
	at := time.Date(2024, 5, 1, 12, 1+i, 0, 0, time.UTC)
	for name, q := range map[string]agent.RecallQuery{
		"text":          {Text: keyword, Limit: 5},
		"text and role": {Text: keyword, Roles: []string{"user"}, Limit: 5},
		"time and role": {Roles: []string{"user"}, Since: at, Until: at.Add(time.Second), Limit: 5},
		"all of it":     {Text: keyword, Roles: []string{"user"}, Since: at, Until: at.Add(time.Second), Limit: 5},
	} {
		said, _, err := a.Recall(w.Context(), q)
		w.try(err)
		if !slices.ContainsFunc(said, func(s agent.Said) bool { return s.Role == "user" && s.OccurredAt.Equal(at) }) {
			w.Errorf("message %d is not found by %s", i, name)
		}
	}
}
