package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
)

// Beat wakes the agents of a group that are due, and returns their number. Busy agents are skipped
// until their next time. The errors of single agents are joined.
func (s *Agents) Beat(ctx context.Context, groupID string) (int, error) {
	now := s.options.Now()
	due, err := ask(ctx, s.client.InGroup, groupID, func(q *db.Queries) ([]uuid.UUID, error) {
		return q.AgentsDue(ctx, db.AgentsDueParams{GroupID: groupID, At: now, MaxRows: annals.MaxRows})
	})
	if err != nil {
		return 0, fmt.Errorf("look for agents to wake in %s: %w", groupID, err)
	}
	woken := 0
	var failures []error
	for _, id := range due {
		a, err := s.Open(ctx, groupID, id.String())
		if err == nil {
			var did bool
			did, err = a.beat(ctx)
			if did {
				woken++
			}
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("wake agent %s: %w", id, err))
		}
	}
	return woken, errors.Join(failures...)
}

// beat wakes the agent, unless it is busy or has paused its heartbeats.
func (a *Agent) beat(ctx context.Context) (bool, error) {
	now := a.agents.options.Now()
	wake, err := ask(ctx, a.client().InGroup, a.GroupID, func(q *db.Queries) (bool, error) {
		return q.AgentBeat(ctx, db.AgentBeatParams{GroupID: a.GroupID, ID: a.ID, At: now})
	})
	if errors.Is(err, pgx.ErrNoRows) || err == nil && !wake { // another process has woken it, or it is paused
		return false, nil
	}
	if err != nil || a.agents.llm == nil {
		return false, err
	}
	m, err := Event{Kind: KindHeartbeat}.message(now)
	if err != nil {
		return false, err
	}
	return a.client().RunExclusively(ctx, a.GroupID, a.lockName(), func(held func() error) error {
		if now, err := a.agents.Open(ctx, a.GroupID, a.ID.String()); err != nil {
			return err
		} else if !now.Awaiting { // otherwise it continues its unfinished turn
			if err := a.receive(ctx, m); err != nil {
				return err
			}
		}
		return a.run(ctx, held, func(Step) {})
	})
}

// Work returns the work of workers for agents, for [annals.WorkOptions]: waking them, and tidying
// up their memory. Without a language model it is empty.
func (s *Agents) Work() annals.AgentWork {
	if s.llm == nil {
		return annals.AgentWork{}
	}
	return annals.AgentWork{
		Wake: func(ctx context.Context, groupID string) error {
			_, err := s.Beat(ctx, groupID)
			return err
		},
		Tidy: func(ctx context.Context, groupID string) error {
			done, err := s.ConsolidateRested(ctx, groupID)
			for _, c := range done {
				s.options.Log.InfoContext(ctx, "an agent tidied up its memory", "group", groupID, "agent", c.Agent,
					"messages", c.Messages, "blocks", len(c.Edited), "contradictions", len(c.Contradictions))
			}
			return err
		},
		Sleep: defaultSleep * time.Second,
	}
}
