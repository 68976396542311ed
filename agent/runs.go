package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// recordRun stores the turn that ends as a run, if the settings ask for it: its task, and the
// functions that were called. The outcome is unknown. Turns without a call other than send_message
// are not recorded, nor are turns that the memory refuses to store. The external id contains the episode of
// the event: see RunsOf in queries/undo.sql.
func (t *turn) recordRun(ctx context.Context, w *writing) error {
	event := t.state.event
	if !t.settings.RecordRuns || event.Kind != KindMessage && event.Kind != KindAlert {
		return nil
	}
	rows, err := w.q.AgentMessagesFrom(ctx, db.AgentMessagesFromParams{GroupID: w.groupID, AgentID: t.agent.ID, First: event.Seq, MaxRows: maxQueue})
	if err != nil {
		return fmt.Errorf("read the turn: %w", err)
	}
	run := annals.Run{Agent: t.agent.Name}
	for _, m := range append(wellFormed(each.Of(rows, readMessage)), w.messages...) {
		switch {
		case m.Function == sendMessage:
		case m.Kind == KindCall:
			run.Steps = append(run.Steps, annals.RunStep{Tool: m.Function, Arguments: json.RawMessage(validArguments(m.Arguments))})
		case m.Kind == KindResult && len(run.Steps) > 0:
			step := &run.Steps[len(run.Steps)-1]
			if step.Result = m.Content; m.Failed {
				step.Result, step.Error = "", m.Content
			}
		}
	}
	if len(run.Steps) == 0 {
		return nil
	}
	run.Task = event.Content
	run.DurationMS = max(0, t.now.Sub(event.OccurredAt).Milliseconds())
	episode, err := run.Episode(w.groupID, event.OccurredAt)
	if err == nil {
		of := event.ID
		if event.episodeID != uuid.Nil {
			of = event.episodeID
		}
		episode.ThreadID, episode.ExternalID = runsThread(t.agent.ID), fmt.Sprintf("run:%s", of)
		err = w.tryStore(ctx, episode, nil)
	}
	if refused, ok := errors.AsType[*graph.Error](err); ok { // it is too long, repeats what was erased, or PostgreSQL cannot hold its arguments
		t.agent.agents.options.Log.WarnContext(ctx, "a turn of an agent is not recorded as a run", "agent", t.agent.ID, "error", refused)
		return nil
	}
	return err
}
