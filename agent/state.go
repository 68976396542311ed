package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
)

// maxQueue is how many messages of a queue are read. A longer queue has to evict messages first.
const maxQueue = 10_000

// state is the state of an agent between two steps.
type state struct {
	row    db.AgentRow
	blocks []Block
	queue  []Message
	files  []db.AgentFilesOpenRow
	listed []File
	told   []annals.StandingAnswer
	event  Message // it began the turn; it may have left the queue

	crowded bool // the queue is longer than maxQueue
}

// load reads the state.
func (a *Agent) load(ctx context.Context) (*state, error) {
	mind, err := read(ctx, a, func(q *db.Queries) (db.AgentMind, error) { return q.ReadAgentMind(ctx, a.GroupID, a.ID, maxQueue) })
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, a.gone()
	}
	if err != nil {
		return nil, fmt.Errorf("read what %s has in mind: %w", a.Name, err)
	}
	s := &state{
		row: mind.Agent, blocks: each.Of(mind.Blocks, readBlock), queue: wellFormed(each.Of(mind.Messages, readMessage)),
		files: mind.Open, listed: each.Of(mind.Files, readFile), crowded: len(mind.Messages) >= maxQueue,
	}
	s.event = s.began()
	if s.told, err = a.client().StandingAnswers(ctx, annals.StandingFilter{GroupID: a.GroupID}); err != nil {
		return nil, err
	}
	fresh, err := a.agents.agent(a.GroupID, s.row)
	if err == nil {
		a.Instructions, a.Settings = fresh.Instructions, fresh.Settings
	}
	return s, err
}

func (a *Agent) gone() error { return change.NotFound("agent", "%s is not there any more", a.Name) }

// wellFormed removes calls without a result and results without a call. Erasing may leave them, and
// providers refuse them.
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

// began returns the event that began the turn; the zero message if it is not in the queue.
func (s *state) began() Message {
	for _, m := range slices.Backward(s.queue) {
		if m.Step == 0 {
			return m
		}
	}
	return Message{}
}

// turnStart returns the number of the message that began the turn.
func (s *state) turnStart() int64 { return cmp.Or(s.event.Seq, s.row.LastSeq+1) }

// writing is a transaction that changes an agent.
type writing struct {
	tx       pgx.Tx
	q        *db.Queries
	agent    *Agent
	groupID  string
	now      time.Time
	row      db.AgentRow                    // the row to write
	passages int64                          // number of new passages
	spoken   string                         // what the current call says to the user
	vectors  [][]float32                    // the vectors of spoken
	messages []Message                      // messages to add
	released *db.AgentEpisodesReleaseParams // episodes that the graph may read now
}

var errMoved = errors.New("another step was taken meanwhile")

// change runs do in a transaction that locks the agent. steps is the number of steps that the
// caller has seen: if the agent has another, change returns [errMoved]. A negative number matches
// any.
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
		return a.gone()
	}
	return err
}

// add appends a message.
func (w *writing) add(m Message) {
	if m.ID == uuid.Nil {
		m.ID = uuid.Must(uuid.NewV7())
	}
	w.row.LastSeq++
	m.Seq, m.tokens = w.row.LastSeq, countMessage(m.wire(w.agent.Settings.location()))
	w.messages = append(w.messages, m)
}

// recount updates the token counts of the queue after the time zone of its timestamps has changed.
func (w *writing) recount(ctx context.Context, zone *time.Location) error {
	rows, err := w.q.AgentQueue(ctx, db.AgentQueueParams{GroupID: w.groupID, AgentID: w.agent.ID, MaxRows: maxQueue})
	if err != nil {
		return err
	}
	var changed []db.AgentMessageRecountParams
	for _, row := range rows {
		m := readMessage(row)
		if n := countMessage(m.wire(zone)); n != m.tokens {
			changed = append(changed, db.AgentMessageRecountParams{GroupID: w.groupID, AgentID: w.agent.ID, Seq: m.Seq, Tokens: int32(n)})
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return db.Exec(w.q.AgentMessageRecount(ctx, changed))
}

func (w *writing) rows() []db.AgentMessageInsertParams {
	return each.Of(w.messages, func(m Message) db.AgentMessageInsertParams { return m.row(w.groupID, w.agent.ID) })
}

func (w *writing) step(ctx context.Context, s db.AgentStepParams) error {
	s.GroupID, s.AgentID, s.ExpectedSteps = w.groupID, w.agent.ID, w.row.Steps
	s.LastSeq, s.TurnSteps, s.Awaiting, s.Warned = w.row.LastSeq, w.row.TurnSteps, w.row.Awaiting, w.row.Warned
	s.QueueStart, s.Summary, s.Passages = w.row.QueueStart, w.row.Summary, w.row.Passages+w.passages
	taken, err := w.q.WriteAgentStep(ctx, db.AgentWriting{Messages: w.rows(), Release: w.released, Step: s})
	if err == nil && !taken {
		err = errMoved
	}
	return err
}

// release lets the graph read what was said between two messages.
func (w *writing) release(first, last int64) {
	if !w.agent.Settings.NoGraph && last >= first {
		w.released = &db.AgentEpisodesReleaseParams{GroupID: w.groupID, AgentID: w.agent.ID, First: first, Last: last}
	}
}

// tryStore is [writing.store] in a savepoint.
func (w *writing) tryStore(ctx context.Context, e graph.Episode, vectors [][]float32) error {
	return pgx.BeginFunc(ctx, w.tx, func(savepoint pgx.Tx) error { return w.storeIn(ctx, savepoint, e, vectors) })
}

// store stores an episode with its vectors.
func (w *writing) store(ctx context.Context, e graph.Episode, vectors [][]float32) error {
	return w.storeIn(ctx, w.tx, e, vectors)
}

func (w *writing) storeIn(ctx context.Context, tx pgx.Tx, e graph.Episode, vectors [][]float32) error {
	if _, err := w.agent.client().AddTx(ctx, tx, e); err != nil || len(vectors) == 0 {
		return err
	}
	return db.Exec(db.New(tx).EpisodeEmbeddingUpsert(ctx, db.EpisodeVectors(w.groupID, w.agent.client().Embedder().Name(), e.ID, vectors)))
}

// block reads and locks a block that the agent sees.
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

func (a *Agent) embed(ctx context.Context, episodes ...graph.Episode) ([][][]float32, error) {
	texts := each.Of(episodes, func(e graph.Episode) []string { return engine.EpisodeTexts(a.client().Embedder(), e) })
	return model.VectorLists(a.onAccount(ctx), a.client().Embedder(), texts)
}

// vectors embeds an episode. If that fails, only words find the episode until missing vectors are
// computed.
func (a *Agent) vectors(ctx context.Context, e graph.Episode) [][]float32 {
	vectors, err := a.embed(ctx, e)
	if err != nil {
		a.agents.options.Log.WarnContext(ctx, "a text of an agent has no vector yet", "agent", a.ID, "error", err)
		return nil
	}
	return vectors[0]
}

// episode makes the episode of a message. Search finds it at once; the graph reads it after the
// turn.
func (a *Agent) episode(m Message) graph.Episode {
	actor := m.Actor
	if m.Role == roleAssistant {
		actor = a.Name
	}
	return graph.Episode{
		GroupID: a.GroupID, ID: uuid.Must(uuid.NewV7()), Source: graph.SourceMessage, Content: m.Content, Actor: actor, Role: m.Role,
		ThreadID: talkThread(a.ID), OccurredAt: m.OccurredAt, Deferred: true,
	}
}
