package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// maxQueue bounds the messages that are read of a queue. A window of 200,000
// tokens holds fewer, as each takes twenty at the least.
const maxQueue = 10_000

// state is an agent as it stands between two steps.
type state struct {
	row    db.AgentGetRow
	blocks []Block
	queue  []Message
	files  []db.AgentFilesOpenRow
	listed []File
}

// load reads the state.
func (a *Agent) load(ctx context.Context) (*state, error) {
	s := &state{}
	err := a.read(ctx, func(q *db.Queries) error {
		var err error
		if s.row, err = q.AgentGet(ctx, db.AgentGetParams{GroupID: a.GroupID, Called: a.ID.String()}); err != nil {
			return err
		}
		if s.blocks, err = readBlocks(ctx, q, a.GroupID, a.ID); err != nil {
			return err
		}
		if s.files, err = q.AgentFilesOpen(ctx, db.AgentFilesOpenParams{GroupID: a.GroupID, AgentID: a.ID}); err != nil {
			return err
		}
		files, err := q.AgentFiles(ctx, db.AgentFilesParams{GroupID: a.GroupID, AgentID: a.ID})
		if err != nil {
			return err
		}
		for _, f := range files {
			s.listed = append(s.listed, readFile(f))
		}
		rows, err := q.AgentMessagesFrom(ctx, db.AgentMessagesFromParams{
			GroupID: a.GroupID, AgentID: a.ID, First: s.row.QueueStart, MaxRows: maxQueue,
		})
		for _, row := range rows {
			s.queue = append(s.queue, readMessage(row))
		}
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, &graph.Error{Code: graph.CodeNotFound, Field: "agent", Message: a.Name + " is not there any more"}
	}
	if err != nil {
		return nil, fmt.Errorf("read what %s has in mind: %w", a.Name, err)
	}
	s.queue = wellFormed(s.queue)
	fresh, err := a.agents.agent(a.GroupID, s.row)
	if err == nil {
		a.Instructions, a.Settings = fresh.Instructions, fresh.Settings
	}
	return s, err
}

// wellFormed leaves out calls without a result and results without a call,
// which providers refuse: parts of what was said may have been erased.
func wellFormed(queue []Message) []Message {
	whole := queue[:0]
	for i, m := range queue {
		switch m.Kind {
		case KindCall:
			if i+1 == len(queue) || queue[i+1].Kind != KindResult || queue[i+1].CallID != m.CallID {
				continue
			}
		case KindResult:
			if len(whole) == 0 || whole[len(whole)-1].Kind != KindCall || whole[len(whole)-1].CallID != m.CallID {
				continue
			}
		}
		whole = append(whole, m)
	}
	return whole
}

// turnStart is the number of the message that the turn began with.
func (s *state) turnStart() int64 {
	for i := len(s.queue) - 1; i >= 0; i-- {
		if s.queue[i].Step == 0 {
			return s.queue[i].Seq
		}
	}
	return s.row.LastSeq + 1
}

// writing is a transaction that changes an agent.
type writing struct {
	tx       pgx.Tx
	q        *db.Queries
	agent    *Agent
	groupID  string
	now      time.Time
	row      db.AgentLockRow // as it is to be written
	passages int64           // that were added
	spoken   string          // what the call says to the user
	vector   []float32       // of that
	messages []Message       // to be added
}

// errMoved is that somebody else has taken a step meanwhile.
var errMoved = errors.New("another step was taken meanwhile")

// change runs do in a transaction, with the agent to itself, and writes what
// it makes of the agent. steps is how many the agent had taken when what do
// works with was read; negative: that does not matter.
func (a *Agent) change(ctx context.Context, steps int64, do func(*writing) error) error {
	err := a.client().InGroup(ctx, a.GroupID, func(tx pgx.Tx) error {
		w := &writing{tx: tx, q: db.New(tx), agent: a, groupID: a.GroupID, now: a.agents.options.Now()}
		var err error
		if w.row, err = w.q.AgentLock(ctx, db.AgentLockParams{GroupID: a.GroupID, ID: a.ID}); err != nil {
			return err
		}
		if steps >= 0 && w.row.Steps != steps {
			return errMoved
		}
		return do(w)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return &graph.Error{Code: graph.CodeNotFound, Field: "agent", Message: a.Name + " is not there any more"}
	}
	return err
}

// add numbers a message and puts it at the end.
func (w *writing) add(m Message) {
	w.row.LastSeq++
	m.Seq, m.tokens = w.row.LastSeq, countMessage(m.wire(w.agent.Settings.location()))
	w.messages = append(w.messages, m)
}

// flush writes the messages that were added.
func (w *writing) flush(ctx context.Context) error {
	rows := make([]db.AgentMessageInsertParams, len(w.messages))
	for i, m := range w.messages {
		rows[i] = m.row(w.groupID, w.agent.ID)
	}
	if len(rows) == 0 {
		return nil
	}
	if err := db.Exec(w.q.AgentMessageInsert(ctx, rows)); err != nil {
		return fmt.Errorf("keep the messages of %s: %w", w.agent.Name, err)
	}
	return nil
}

// step writes what a step came to.
func (w *writing) step(ctx context.Context, s db.AgentStepInsertParams) error {
	if err := w.flush(ctx); err != nil {
		return err
	}
	s.GroupID, s.AgentID, s.Step = w.groupID, w.agent.ID, w.row.Steps+1
	if err := w.q.AgentStepInsert(ctx, s); err != nil {
		return fmt.Errorf("note the step: %w", err)
	}
	changed, err := w.q.AgentStep(ctx, db.AgentStepParams{
		GroupID: w.groupID, ID: w.agent.ID, LastSeq: w.row.LastSeq, TurnSteps: w.row.TurnSteps, Awaiting: w.row.Awaiting, Warned: w.row.Warned,
		QueueStart: w.row.QueueStart, Summary: w.row.Summary, Passages: w.row.Passages + w.passages, ExpectedSteps: w.row.Steps,
	})
	if err == nil && changed == 0 {
		err = errMoved
	}
	return err
}

// release has the graph read what was said up to a message.
func (w *writing) release(ctx context.Context, first, last int64) error {
	if w.agent.Settings.NoGraph || last < first {
		return nil
	}
	if _, err := w.q.AgentEpisodesRelease(ctx, db.AgentEpisodesReleaseParams{
		GroupID: w.groupID, AgentID: w.agent.ID, First: first, Last: last,
	}); err != nil {
		return fmt.Errorf("give what was said to the graph: %w", err)
	}
	return nil
}

// store keeps an episode with its vector, where there is one.
func (w *writing) store(ctx context.Context, e graph.Episode, vector []float32) error {
	savepoint, err := w.tx.Begin(ctx)
	if err != nil {
		return fmt.Errorf("keep a text: %w", err)
	}
	_, err = w.agent.client().AddTx(ctx, savepoint, e)
	if err == nil && vector != nil {
		err = db.Exec(db.New(savepoint).EpisodeEmbeddingUpsert(ctx, []db.EpisodeEmbeddingUpsertParams{{
			GroupID: w.groupID, Model: w.agent.client().Embedder(), EpisodeID: e.ID, Embedding: db.Vector(vector),
		}}))
	}
	if err != nil {
		return errors.Join(err, savepoint.Rollback(ctx))
	}
	return savepoint.Commit(ctx)
}

// block is one that the agent sees, for the length of the transaction.
func (w *writing) block(ctx context.Context, label string) (db.BlockLockRow, error) {
	b, err := w.q.BlockLock(ctx, db.BlockLockParams{GroupID: w.groupID, AgentID: w.agent.ID, Label: label})
	if errors.Is(err, pgx.ErrNoRows) {
		return b, graph.Invalid("name", "%q is no block of your working context", label)
	}
	if err != nil {
		return b, fmt.Errorf("read the block %s: %w", label, err)
	}
	return b, nil
}

// vector is what a text is found by its meaning with. Without one it is found
// by its words only, until it is made with others that are missing.
func (a *Agent) vector(ctx context.Context, text string) []float32 {
	vectors, err := a.client().EmbedTexts(ctx, a.GroupID, []string{text})
	if err != nil {
		a.agents.options.Log.WarnContext(ctx, "a text of an agent has no vector yet", "agent", a.ID, "error", err)
		return nil
	}
	return vectors[0]
}

// episode is what was said, to be found by searching and, once the turn is
// over, to be read into the graph.
func (a *Agent) episode(m Message) (graph.Episode, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return graph.Episode{}, fmt.Errorf("make an id: %w", err)
	}
	actor := m.Actor
	if m.Role == roleAssistant {
		actor = a.Name
	}
	return graph.Episode{
		GroupID: a.GroupID, ID: id, Source: graph.SourceMessage, Content: m.Content, Actor: actor, Role: m.Role,
		ThreadID: talkThread(a.ID), OccurredAt: m.OccurredAt, Deferred: true, Force: m.Role == roleAssistant,
	}, nil
}
