package agent_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model/modeltest"
)

const (
	longTurns  = 10_000/3 + 1 // of a message, a call and its result
	longWindow = 8192
)

// In a conversation of ten thousand messages no prompt exceeds the window, and each message is
// found afterwards by its words, its day and its role.
func TestTenThousandMessages(t *testing.T) {
	t.Parallel()
	if !slow.Long() {
		t.Skip("takes minutes: ANNALS_TEST_LONG=1 runs it")
	}
	w := newWorld(t, agent.Options{})
	w.script.window, w.script.forget = longWindow, true
	said := 0
	w.script.answer = func(modeltest.Request) modeltest.Reply {
		said++
		return say(fmt.Sprintf("Heard as reply%05d.", said-1))
	}
	a := w.create(agent.Settings{Window: longWindow, NoGraph: true})
	for i := range longTurns {
		if turn := w.tell(a, fmt.Sprintf("Entry keyword%05d of my diary: nothing much happened, it rained, and I read a book by the window.", i)); len(turn.Messages) != 1 {
			t.Fatalf("turn %d: %+v", i, turn)
		}
	}
	now, err := w.agents.Open(t.Context(), "g", "sam")
	w.try(err)
	if now.Messages < 10_000 {
		t.Fatalf("only %d messages", now.Messages)
	}
	if w.script.counted < longTurns || w.script.widest < longWindow*9/10 { // the window was full, but never exceeded
		t.Errorf("%d requests were counted, the widest had %d tokens", w.script.counted, w.script.widest)
	}
	t.Logf("%d requests, each counted; the widest had %d of %d tokens", w.script.counted, w.script.widest, longWindow)
	w.countedRight(a)
	w.listedByRole(a)
	searches, ctx := errgroup.WithContext(t.Context())
	searches.SetLimit(4)
	for i := range longTurns {
		searches.Go(func() error { return found(ctx, a, i) })
	}
	w.try(searches.Wait())
}

// countedRight checks the agent's own counts at every step.
func (w *world) countedRight(a *agent.Agent) {
	w.Helper()
	w.try(w.client.InGroup(w.Context(), "g", func(tx pgx.Tx) error {
		rows, err := tx.Query(w.Context(), `SELECT step, kind, prompt_tokens FROM annals.agent_steps WHERE group_id = 'g' AND agent_id = $1`, a.ID)
		if err != nil {
			return err
		}
		var step, tokens int
		var kind string
		evictions := 0
		_, err = pgx.ForEachRow(rows, []any{&step, &kind, &tokens}, func() error {
			if kind == "answer" && tokens > longWindow-1024 {
				w.Errorf("step %d had %d tokens, of %d", step, tokens, longWindow-1024)
			}
			if kind == "eviction" {
				evictions++
			}
			return nil
		})
		if evictions < 50 {
			w.Errorf("only %d evictions", evictions)
		}
		return err
	}))
}

// listedByRole pages through the messages of each role, the newest first.
func (w *world) listedByRole(a *agent.Agent) {
	w.Helper()
	for _, role := range []string{"user", "assistant"} {
		seen := map[string]bool{}
		for skip := 0; ; skip += 200 {
			page, total, err := a.Recall(w.Context(), agent.RecallQuery{Roles: []string{role}, Skip: skip, Limit: 200})
			w.try(err)
			if len(page) == 0 {
				break
			}
			if total != longTurns {
				w.Errorf("page %d of %s says that there are %d", skip/200, role, total)
			}
			for _, one := range page {
				seen[one.Content] = one.Role == role
			}
		}
		if len(seen) != longTurns {
			w.Errorf("paging gives %d messages of %s, of %d", len(seen), role, longTurns)
		}
	}
}

// found searches both messages of a turn by their words and by their time.
func found(ctx context.Context, a *agent.Agent, i int) error {
	at := time.Date(2024, 5, 1, 12, 1+i, 0, 0, time.UTC)
	for name, q := range map[string]agent.RecallQuery{
		"words": {Text: fmt.Sprintf("keyword%05d reply%05d", i, i), Limit: 2},
		"time":  {Since: at, Until: at.Add(time.Second), Limit: 2},
	} {
		said, _, err := a.Recall(ctx, q)
		if err != nil {
			return err
		}
		for _, role := range []string{"user", "assistant"} {
			if !slices.ContainsFunc(said, func(s agent.Said) bool { return s.Role == role && s.OccurredAt.Equal(at) }) {
				return fmt.Errorf("message %d of %s is not found by its %s", i, role, name)
			}
		}
	}
	return nil
}
