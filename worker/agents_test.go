package worker_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/worker"
)

// agent adds an agent to a group. It is due in wakeIn seconds; its last step ended rested seconds
// ago.
func (w *world) agent(group string, wakeIn, rested int, settings string) {
	w.t.Helper()
	const id = "01890000-0000-7000-8000-00000000a9e7"
	for _, sql := range []string{
		`INSERT INTO annals.groups (group_id) VALUES ($1)`,
		`INSERT INTO annals.agents (group_id, id, name, last_seq, steps, settings, heartbeat_seconds, heartbeat_at)
			VALUES ($1, '` + id + `', 'sam', 3, 1, '` + settings + `', 60, now() + ` + fmt.Sprint(wakeIn) + ` * interval '1 second')`,
		`INSERT INTO annals.blocks (group_id, id, label, char_limit) VALUES ($1, '` + id + `', 'human', 100)`,
		`INSERT INTO annals.agent_blocks (group_id, agent_id, block_id) VALUES ($1, '` + id + `', '` + id + `')`,
		`INSERT INTO annals.agent_steps (group_id, agent_id, step, kind, finished_at)
			VALUES ($1, '` + id + `', 1, 'answer', now() - ` + fmt.Sprint(rested) + ` * interval '1 second')`,
	} {
		if _, err := w.pool.Exec(w.t.Context(), sql, group); err != nil {
			w.t.Fatal(err)
		}
	}
}

// cared counts the work done for agents, and notes whether two workers did it at once.
type cared struct {
	mu            sync.Mutex
	under         map[string]int
	woken, tidied map[string]int
	together      bool
	all           chan struct{} // receives a value after each job
}

func (c *cared) begin(counted map[string]int, group string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	counted[group]++
	if c.under[group]++; c.under[group] > 1 {
		c.together = true
	}
}

func (c *cared) end(group string) {
	c.mu.Lock()
	c.under[group]--
	c.mu.Unlock()
	c.all <- struct{}{}
}

// looks waits for the given number of further looks for agents.
func (w *world) looks(ctx context.Context, more int) error {
	var last int64
	if err := w.pool.QueryRow(ctx, `SELECT coalesce(max(id), 0) FROM annals_internal.river_job WHERE kind = 'agents'`).Scan(&last); err != nil {
		return err
	}
	for n := 0; n < more; {
		if err := w.pool.QueryRow(ctx, `SELECT count(*) FROM annals_internal.river_job WHERE kind = 'agents' AND state = 'completed' AND id > $1`, last).Scan(&n); err != nil {
			return err
		}
	}
	return nil
}

// Two workers wake due agents and tidy up agents that have rested, with one job of each kind per
// group. They leave the other agents alone.
func TestAgentsAreCaredFor(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w := newWorld(t)
	w.agent("due", -1, 60, `{}`)
	w.agent("failing", -1, 60, `{}`)
	w.agent("early", 3600, 60, `{}`)
	w.agent("rested", 3600, 3600, `{}`)
	w.agent("forgetful", 3600, 3600, `{}`)
	if _, err := w.pool.Exec(t.Context(), `UPDATE annals.agents SET steps = steps + 1 WHERE group_id = 'forgetful'`); err != nil { // as erasing does
		t.Fatal(err)
	}
	w.agent("light sleeper", 3600, 60, `{"sleep_seconds": 30}`)
	w.agent("sleepless", 3600, 3600, `{"no_sleep": true}`)
	c := &cared{under: map[string]int{}, woken: map[string]int{}, tidied: map[string]int{}, all: make(chan struct{}, 1000)}
	agents := annals.AgentWork{
		Sleep: 10 * time.Minute,
		Wake: func(ctx context.Context, group string) error {
			c.begin(c.woken, group)
			defer c.end(group)
			if group == "failing" { // stays due, and blocks no other group
				return errors.Join(errors.New("the model does not answer"), w.looks(ctx, 3))
			}
			_, err := w.pool.Exec(ctx, `UPDATE annals.agents SET heartbeat_at = now() + interval '1 hour' WHERE group_id = $1`, group)
			return err
		},
		Tidy: func(ctx context.Context, group string) error {
			c.begin(c.tidied, group)
			defer c.end(group)
			_, err := w.pool.Exec(ctx, `UPDATE annals.agents SET consolidated_seq = last_seq WHERE group_id = $1`, group)
			return err
		},
	}
	first := w.start(worker.Settings{Options: worker.Options{Agents: agents}, Sweep: 100 * time.Millisecond}, nothing)
	second := w.start(worker.Settings{Options: worker.Options{Agents: agents}, Sweep: 100 * time.Millisecond}, nothing)
	enough := func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.woken["due"] > 0 && c.woken["failing"] > 2 && c.tidied["rested"] > 0 && c.tidied["forgetful"] > 0 && c.tidied["light sleeper"] > 0
	}
	for !enough() {
		select {
		case <-c.all:
		case <-t.Context().Done():
			t.Fatal("the test's time is up")
		}
	}
	for _, stop := range []func() error{first, second} {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
	if c.together {
		t.Error("two jobs of one kind ran for a group at once")
	}
	if c.woken["due"] != 1 || c.woken["early"]+c.woken["rested"] > 0 {
		t.Errorf("woken: %v", c.woken)
	}
	if c.tidied["rested"] != 1 || c.tidied["forgetful"] != 1 || c.tidied["light sleeper"] != 1 || len(c.tidied) != 3 {
		t.Errorf("tidied up: %v", c.tidied)
	}
}
