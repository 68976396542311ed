// Package agent runs agents that manage their own memory: MemGPT (Packer et al., arXiv 2310.08560)
// on PostgreSQL.
//
//	agents := agent.New(client, agent.Options{})
//	sam, err := agents.Create(ctx, agent.Spec{GroupID: "alice", Name: "sam"})
//	turn, err := sam.Tell(ctx, agent.Event{Content: "I moved to Lisbon."}, nil)
//
// # What the model sees
//
// The main context has three parts (context.go): the instructions; the blocks, which the agent
// edits by calling functions; and a queue of messages. The queue begins with a summary of the
// messages that have left it. Outside the context are recall storage, which holds every message,
// the archive, which holds passages and documents (recall.go), and the graph of the group.
//
// # How a turn runs
//
// An event begins a turn (loop.go). A turn is a series of steps. In each step the queue is kept
// within the window (summary.go), the model answers, and the functions that it calls are executed
// (function.go, functions_*.go). Each step is one transaction (step.go). Slow work, and requests to
// the outside, are done before the transaction. If the process dies, only whole steps are stored,
// and [Agent.Resume] continues the turn.
//
// Only one process at a time runs an agent. What an agent says to the user is separate from what it
// thinks; see [Step].
package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/lock"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
)

// Agents gives access to the agents of a memory. It is safe for concurrent use.
type Agents struct {
	client  *annals.Client
	options Options
	llm     *model.LLM
	small   *model.LLM
	turns   *lock.Turns
	sets    *sync.Map // *functions by functionSet
}

// Options define what agents may use outside their memory. The zero value allows nothing.
type Options struct {
	// Folder is the only folder in which agents may read files and append to
	// them, if their settings allow it. Empty: none.
	Folder string

	// FolderOfGroup restricts agents to the folder within Folder that has the name of their group,
	// so that groups cannot read each other's files. Agents of a group without such a folder have
	// no files.
	FolderOfGroup bool

	// Hosts are the hosts to which agents may send requests, if their settings allow it:
	// example.com, or example.com:8443. Empty: none.
	Hosts []string

	// Now returns the current time. Defaults to [time.Now].
	Now func() time.Time

	// Log receives messages for operators. Defaults to no log.
	Log *slog.Logger
}

// New returns the agents of a memory. They use the LLM of the client's configuration. Without an
// LLM, agents can be read and edited, but not run.
func New(client *annals.Client, o Options) *Agents {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	main, small := client.LLMs()
	return &Agents{client: client, options: o, llm: main, small: small, turns: &lock.Turns{}, sets: &sync.Map{}}
}

// With returns the same agents for another client, such as one that is bound to a tenant.
func (s *Agents) With(client *annals.Client) *Agents {
	other := &Agents{client: client, options: s.options, turns: s.turns, sets: s.sets}
	other.llm, other.small = client.LLMs()
	return other
}

// Agent is one agent of a group. Its whole state is in the database; the fields show the state at
// the time it was read.
type Agent struct {
	GroupID      string    `json:"group"`
	ID           uuid.UUID `json:"id"`
	Name         string    `json:"name"`
	Instructions string    `json:"instructions"` // in addition to the description of its memory
	Settings     Settings  `json:"settings"`
	Summary      string    `json:"summary"`  // of the messages that have left its context
	Messages     int64     `json:"messages"` // number of messages in recall storage
	InContext    int64     `json:"in_context"`
	Passages     int64     `json:"passages"` // number of passages in its archive
	Steps        int64     `json:"steps"`
	Awaiting     bool      `json:"awaiting"` // whether a turn is unfinished
	CreatedAt    time.Time `json:"created_at"`

	agents *Agents
}

// Spec describes an agent to create.
type Spec struct {
	GroupID      string
	Name         string
	Instructions string
	Settings     Settings

	// Blocks are the blocks of its working context. Nil: [DefaultBlocks].
	Blocks []Block

	// Shared lists the ids of existing blocks of the group that the agent also sees.
	Shared []uuid.UUID
}

// DefaultBlocks returns two empty blocks, persona and human.
func DefaultBlocks() []Block {
	return []Block{
		{Label: "persona", Description: "Who you are: how you speak, what you hold to."},
		{Label: "human", Description: "Who the user is: name, life, likes, what matters to them."},
	}
}

// Create creates an agent, and its group if there is none. It fails with [graph.CodeConflict] if
// the name is taken.
func (s *Agents) Create(ctx context.Context, spec Spec) (*Agent, error) {
	if spec.Name == "" || len(spec.Name) > 512 {
		return nil, graph.Invalid("name", "must have 1 to 512 bytes")
	}
	if err := cmp.Or(graph.ValidateText("name", spec.Name, 512), valid(spec.Instructions, spec.Settings)); err != nil {
		return nil, err
	}
	if spec.Blocks == nil {
		spec.Blocks = DefaultBlocks()
	}
	id := uuid.Must(uuid.NewV7())
	if _, err := s.client.CreateGroup(ctx, annals.Group{ID: spec.GroupID}); err != nil && !isTaken(err) {
		return nil, err
	}
	err := s.client.InGroup(ctx, spec.GroupID, func(tx pgx.Tx) error { return s.create(ctx, db.New(tx), id, spec) })
	if uniqueViolation(err) {
		return nil, change.Conflict("name", "there is an agent %q already", spec.Name)
	}
	if erased := db.RefusedText(err); erased != nil {
		return nil, erased
	}
	if err != nil {
		return nil, err
	}
	return s.Open(ctx, spec.GroupID, id.String())
}

// valid returns an error if an agent cannot have these instructions and settings.
func valid(instructions string, settings Settings) error {
	return cmp.Or(validText("instructions", instructions), settings.Validate())
}

// validText checks that PostgreSQL can hold a text, of whatever length.
func validText(field, text string) error { return graph.ValidateText(field, text, math.MaxInt) }

// isTaken reports whether an error says that a group exists already, and not that it was erased.
func isTaken(err error) bool {
	var e *graph.Error
	return errors.As(err, &e) && e.Code == graph.CodeConflict && e.Field == "id"
}

func (s *Agents) create(ctx context.Context, q *db.Queries, id uuid.UUID, spec Spec) error {
	settings, err := spec.Settings.json()
	if err != nil {
		return err
	}
	if err := saysWho(ctx, q); err != nil {
		return err
	}
	if err := q.AgentInsert(ctx, db.AgentInsertParams{
		GroupID: spec.GroupID, ID: id, Name: spec.Name, Instructions: spec.Instructions, Settings: settings,
		HeartbeatSeconds: db.Nullable(int32(spec.Settings.HeartbeatSeconds)),
	}); err != nil {
		return fmt.Errorf("make the agent %s: %w", spec.Name, err)
	}
	for _, block := range spec.Blocks {
		blockID, err := insertBlock(ctx, q, spec.GroupID, block, "")
		if err != nil {
			return err
		}
		spec.Shared = append(spec.Shared, blockID)
	}
	for _, blockID := range spec.Shared {
		if err := attachBlock(ctx, q, spec.GroupID, id, blockID); err != nil {
			return err
		}
	}
	return nil
}

// saysWho records in a transaction who edits an agent or a block.
func saysWho(ctx context.Context, q *db.Queries) error {
	return q.OriginSet(ctx, graph.OriginOf(ctx).Doing("edit"))
}

// Open returns an agent by its name or id. It fails with [graph.CodeNotFound] if there is none.
func (s *Agents) Open(ctx context.Context, groupID, called string) (*Agent, error) {
	if err := validText("agent", called); err != nil {
		return nil, err
	}
	wanted := db.AgentGetParams{GroupID: groupID, Name: called}
	if id, err := uuid.Parse(called); err == nil {
		wanted.ID = &id
	}
	row, err := ask(ctx, s.client.InGroup, groupID, func(q *db.Queries) (db.AgentRow, error) { return q.AgentGet(ctx, wanted) })
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, change.NotFound("agent", "group %s has none called %q; 'annals agent list' lists them", groupID, called)
	}
	if err != nil {
		return nil, fmt.Errorf("read the agent %s: %w", called, err)
	}
	return s.agent(groupID, row)
}

// List lists the agents of a group by name, beginning after the given name. limit is 1 to
// [annals.MaxRows]; zero: [annals.DefaultRows].
func (s *Agents) List(ctx context.Context, groupID, after string, limit int) ([]*Agent, error) {
	if limit == 0 {
		limit = annals.DefaultRows
	}
	if limit < 1 || limit > annals.MaxRows {
		return nil, graph.Invalid("limit", "is %d; it must be 1 to %d", limit, annals.MaxRows)
	}
	if err := validText("after", after); err != nil {
		return nil, err
	}
	rows, err := ask(ctx, s.client.InGroup, groupID, func(q *db.Queries) ([]db.AgentRow, error) {
		return q.AgentList(ctx, db.AgentListParams{GroupID: groupID, After: after, MaxRows: int32(limit)})
	})
	if err != nil {
		return nil, fmt.Errorf("list the agents of %s: %w", groupID, err)
	}
	return each.Try(rows, func(row db.AgentRow) (*Agent, error) { return s.agent(groupID, row) })
}

func (s *Agents) agent(groupID string, row db.AgentRow) (*Agent, error) {
	a := &Agent{
		GroupID: groupID, ID: row.ID, Name: row.Name, Instructions: row.Instructions, Summary: row.Summary, Messages: row.LastSeq,
		InContext: row.LastSeq - row.QueueStart + 1, Passages: row.Passages, Steps: row.Steps, Awaiting: row.Awaiting,
		CreatedAt: row.CreatedAt.UTC(), agents: s,
	}
	if err := json.Unmarshal(row.Settings, &a.Settings); err != nil {
		return nil, fmt.Errorf("read the settings of %s: %w", row.Name, err)
	}
	return a, nil
}

// Configure replaces the instructions and the settings of an agent, from its next step on.
func (a *Agent) Configure(ctx context.Context, instructions string, settings Settings) error {
	if err := valid(instructions, settings); err != nil {
		return err
	}
	text, err := settings.json()
	if err != nil {
		return err
	}
	err = a.change(ctx, -1, func(w *writing) error {
		if err := saysWho(ctx, w.q); err != nil {
			return err
		}
		if _, err := w.q.AgentConfigure(ctx, db.AgentConfigureParams{
			GroupID: a.GroupID, ID: a.ID, Instructions: instructions, Settings: text, HeartbeatSeconds: db.Nullable(int32(settings.HeartbeatSeconds)),
		}); err != nil {
			return err
		}
		return w.recount(ctx, settings.location())
	})
	if err != nil {
		return fmt.Errorf("configure %s: %w", a.Name, err)
	}
	a.Instructions, a.Settings = instructions, settings
	return nil
}

// Delete removes an agent with its messages, archive and documents. Its blocks stay, since other
// agents may see them, and so do its runs and what the graph learned from it.
func (a *Agent) Delete(ctx context.Context) error {
	err := a.write(ctx, func(q *db.Queries) error {
		if err := saysWho(ctx, q); err != nil {
			return err
		}
		if _, err := q.AgentDelete(ctx, db.AgentDeleteParams{GroupID: a.GroupID, ID: a.ID}); err != nil {
			return err
		}
		_, err := q.AgentEpisodesDelete(ctx, db.AgentEpisodesDeleteParams{
			GroupID: a.GroupID, Threads: []string{archiveThread(a.ID), filesThread(a.ID)},
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("delete the agent %s: %w", a.Name, err)
	}
	return nil
}

func (a *Agent) client() *annals.Client { return a.agents.client }

func (a *Agent) write(ctx context.Context, do func(*db.Queries) error) error {
	return a.client().InGroup(ctx, a.GroupID, func(tx pgx.Tx) error { return do(db.New(tx)) })
}

// read runs a query in a snapshot of the database.
func read[T any](ctx context.Context, a *Agent, question func(*db.Queries) (T, error)) (T, error) {
	return ask(ctx, a.client().InSnapshot, a.GroupID, question)
}

// ask runs a query in a transaction that in opens for a group.
func ask[T any](
	ctx context.Context, in func(context.Context, string, func(pgx.Tx) error) error, groupID string, question func(*db.Queries) (T, error),
) (answer T, err error) {
	err = in(ctx, groupID, func(tx pgx.Tx) (err error) {
		answer, err = question(db.New(tx))
		return err
	})
	return answer, err
}

// onAccount makes the ledger record calls of models for the agent's group.
func (a *Agent) onAccount(ctx context.Context) context.Context {
	return model.WithSubject(ctx, model.Subject{GroupID: a.GroupID})
}

// The threads of the episodes of an agent: what is said, its archive, its documents and its runs.
func talkThread(id uuid.UUID) string    { return "agent/" + id.String() }
func archiveThread(id uuid.UUID) string { return "agent/" + id.String() + "/archive" }
func filesThread(id uuid.UUID) string   { return "agent/" + id.String() + "/files" }
func runsThread(id uuid.UUID) string    { return "agent/" + id.String() + "/runs" }
