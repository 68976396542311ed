package db

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
)

// AgentMind holds all that an agent's next step works with.
type AgentMind struct {
	Agent    AgentRow
	Blocks   []BlockRow
	Open     []AgentFilesOpenRow
	Files    []AgentFilesRow
	Messages []MessageRow
}

// ReadAgentMind reads what an agent has in mind, in one round trip: each statement takes next to no
// time, but a step would wait for each in turn. It fails with [pgx.ErrNoRows] if there is no such
// agent.
func (q *Queries) ReadAgentMind(ctx context.Context, groupID string, id uuid.UUID, maxMessages int32) (AgentMind, error) {
	var m AgentMind
	together := q.Together()
	_, _ = New(together).AgentGet(ctx, AgentGetParams{GroupID: groupID, ID: &id})
	together.then(only(&m.Agent))
	Ask(together, (*Queries).BlocksOfAgent, BlocksOfAgentParams{GroupID: groupID, AgentID: id}, &m.Blocks)
	Ask(together, (*Queries).AgentFilesOpen, AgentFilesOpenParams{GroupID: groupID, AgentID: id}, &m.Open)
	Ask(together, (*Queries).AgentFiles, AgentFilesParams{GroupID: groupID, AgentID: id}, &m.Files)
	Ask(together, (*Queries).AgentQueue, AgentQueueParams{GroupID: groupID, AgentID: id, MaxRows: maxMessages}, &m.Messages)
	err := together.Send(ctx)
	return m, err
}

// WriteAgentEvent stores what an agent is told, which begins a turn, in one round trip.
func (q *Queries) WriteAgentEvent(ctx context.Context, m AgentMessageInsertParams) error {
	var together queued
	queue := New(&together)
	queue.AgentMessageInsert(ctx, []AgentMessageInsertParams{m})
	_ = queue.AgentTold(ctx, AgentToldParams{GroupID: m.GroupID, ID: m.AgentID, LastSeq: m.Seq})
	return q.db.SendBatch(ctx, &together.batch).Close()
}

// AgentWriting holds what a step leaves behind.
type AgentWriting struct {
	Messages []AgentMessageInsertParams
	Release  *AgentEpisodesReleaseParams // episodes that the graph may read now; nil: none
	Step     AgentStepParams
}

// WriteAgentStep writes a step in one round trip, and reports whether it could. It returns false if
// another step was taken meanwhile; the transaction must then be rolled back.
func (q *Queries) WriteAgentStep(ctx context.Context, w AgentWriting) (bool, error) {
	var together queued
	queue := New(&together)
	queue.AgentMessageInsert(ctx, w.Messages)
	if w.Release != nil {
		_, _ = queue.AgentEpisodesRelease(ctx, *w.Release)
	}
	_, _ = queue.AgentStep(ctx, w.Step)
	stepped := false
	together.batch.QueuedQueries[together.batch.Len()-1].Exec(func(tag pgconn.CommandTag) error {
		stepped = tag.RowsAffected() > 0
		return nil
	})
	if err := q.db.SendBatch(ctx, &together.batch).Close(); err != nil {
		return false, fmt.Errorf("keep what an agent did: %w", err)
	}
	return stepped, nil
}
