package agent

import (
	"context"
	"time"

	"github.com/annalsdb/annals"
)

// Work returns what workers do for agents in the background, for
// package worker: wake those that are due, and tidy up the memory of
// those that have rested. Without a language model it is nil.
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
		Sleep: DefaultSleep * time.Second,
	}
}
