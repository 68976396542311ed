package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

const maxRounds = 50 // limit for one agent in one call

var errNoModel = change.Conflict("llm", "tidying up needs a language model")

// Consolidation is the outcome of tidying up the memory of an agent.
type Consolidation struct {
	Agent          string   `json:"agent"`
	Messages       int      `json:"messages"`       // number of messages that were read
	Edited         []string `json:"edited"`         // labels of edited blocks
	Contradictions []string `json:"contradictions"` // also stored in its archive
	Busy           bool     `json:"busy"`           // it was busy and has to be tidied up later
}

// Consolidate tidies up the memory of the agents of a group (sleep-time compute). The small model
// reads new messages, rewrites blocks, and stores contradictions in the archive with the tag
// contradiction. Busy agents are skipped, with Busy set. Agents without new messages need no model
// call. The errors of single agents are joined. Without a language model it fails with
// [graph.CodeConflict].
func (s *Agents) Consolidate(ctx context.Context, groupID string) ([]Consolidation, error) {
	if s.small == nil {
		return nil, errNoModel
	}
	t := tidied{done: []Consolidation{}}
	for after := ""; ; {
		agents, err := s.List(ctx, groupID, after, annals.DefaultRows)
		if err != nil {
			return t.done, err
		}
		for _, a := range agents {
			after = a.Name
			t.add(a.consolidate(ctx))
		}
		if len(agents) < annals.DefaultRows {
			return t.done, errors.Join(t.failures...)
		}
	}
}

// ConsolidateRested is [Agents.Consolidate] for the agents that have rested as long as their
// [Settings].SleepSeconds say.
func (s *Agents) ConsolidateRested(ctx context.Context, groupID string) ([]Consolidation, error) {
	if s.small == nil {
		return nil, errNoModel
	}
	rested, err := ask(ctx, s.client.InGroup, groupID, func(q *db.Queries) ([]uuid.UUID, error) {
		return q.AgentsRested(ctx, db.AgentsRestedParams{GroupID: groupID, At: s.options.Now(), SleepSeconds: defaultSleep, MaxRows: annals.MaxRows})
	})
	if err != nil {
		return nil, fmt.Errorf("look for agents of %s that rest: %w", groupID, err)
	}
	t := tidied{done: []Consolidation{}}
	for _, id := range rested {
		a, err := s.Open(ctx, groupID, id.String())
		if graph.CodeOf(err) == graph.CodeNotFound { // it was deleted meanwhile
			continue
		}
		if err != nil {
			return t.done, err
		}
		t.add(a.consolidate(ctx))
	}
	return t.done, errors.Join(t.failures...)
}

// tidied collects the outcomes of several agents.
type tidied struct {
	done     []Consolidation
	failures []error
}

func (t *tidied) add(c Consolidation, err error) {
	if err != nil {
		t.failures = append(t.failures, fmt.Errorf("tidy up the memory of %s: %w", c.Agent, err))
	}
	if c.Messages > 0 || c.Busy {
		t.done = append(t.done, c)
	}
}

func (a *Agent) consolidate(ctx context.Context) (Consolidation, error) {
	c := Consolidation{Agent: a.Name, Edited: []string{}, Contradictions: []string{}}
	ran, err := a.client().RunExclusively(ctx, a.GroupID, a.lockName()+"/asleep", func(held func() error) error {
		for range maxRounds {
			if err := held(); err != nil {
				return err
			}
			if more, err := a.consolidateSome(ctx, &c); err != nil || !more {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, errMoved) { // an event arrived meanwhile, or something was erased, perhaps what was read
		c.Busy, err = true, nil
	}
	c.Busy = c.Busy || !ran && err == nil
	return c, err
}

// consolidateSome reads as many messages as fit into the window, and reports whether there may be
// more. It returns [errMoved] if an event arrives meanwhile.
func (a *Agent) consolidateSome(ctx context.Context, c *Consolidation) (bool, error) {
	s, err := a.load(ctx)
	if err != nil || len(s.blocks) == 0 {
		return false, err
	}
	if s.row.Awaiting {
		return false, errMoved
	}
	recent, err := a.MessagesFrom(ctx, s.row.ConsolidatedSeq+1, annals.DefaultRows)
	if err != nil || len(recent) == 0 {
		return false, err
	}
	question, read, said := a.consolidateQuestion(s.blocks, recent)
	answer := prompts.ConsolidatedBlocks{}
	if said && len(question.Blocks) > 0 {
		if answer, err = model.Ask(a.onAccount(ctx), a.agents.small, model.Question(question.Prompt()), func(answer *prompts.ConsolidatedBlocks) error {
			return fits(answer, s.blocks)
		}); err != nil {
			return false, err
		}
	}
	last := recent[read-1].Seq
	made := Consolidation{}
	err = a.change(ctx, s.row.Steps, func(w *writing) error {
		if w.row.Awaiting {
			return errMoved
		}
		made = Consolidation{}
		return a.applyConsolidation(ctx, w, &made, s.blocks, answer, last)
	})
	if err != nil {
		return false, err
	}
	c.Messages += read
	c.Edited, c.Contradictions = append(c.Edited, made.Edited...), append(c.Contradictions, made.Contradictions...)
	return true, nil
}

// consolidateQuestion puts messages into a question for the model, and returns how many it read.
// said reports whether the user or the agent said any of them.
func (a *Agent) consolidateQuestion(blocks []Block, recent []Message) (q prompts.ConsolidateBlocks, read int, said bool) {
	settings := a.Settings.withDefaults()
	for _, block := range blocks {
		if !block.ReadOnly {
			q.Blocks = append(q.Blocks, block.shown())
		}
	}
	const aside = 256 // for the schema of the answer
	p := q.Prompt()
	room := settings.room() - countTokens(p.System) - countTokens(p.User) - aside
	for i, m := range recent {
		if !m.said() {
			continue
		}
		text := cutToTokens(line(m, settings.location()), max(room/2, 64), " …")
		n := countTokens(text) + 1
		if n > room && len(q.Messages) > 0 {
			return q, i, true
		}
		room -= n
		q.Messages = append(q.Messages, text)
	}
	return q, len(recent), len(q.Messages) > 0
}

// fits checks the blocks that a model returned.
func fits(answer *prompts.ConsolidatedBlocks, blocks []Block) error {
	for _, one := range answer.Blocks {
		b := blockNamed(blocks, one.Label)
		switch {
		case b == nil || b.ReadOnly:
			return fmt.Errorf("there is no block %q that may be changed", one.Label)
		case utf8.RuneCountInString(one.Value) > b.limit():
			return fmt.Errorf("the block %s has %d characters; its limit is %d", one.Label, utf8.RuneCountInString(one.Value), b.limit())
		}
	}
	return nil
}

func blockNamed(blocks []Block, label string) *Block {
	if i := slices.IndexFunc(blocks, func(b Block) bool { return b.Label == label }); i >= 0 {
		return &blocks[i]
	}
	return nil
}

func (a *Agent) applyConsolidation(ctx context.Context, w *writing, c *Consolidation, blocks []Block, answer prompts.ConsolidatedBlocks, last int64) error {
	if err := saysWho(ctx, w.q); err != nil {
		return err
	}
	for _, one := range answer.Blocks {
		b := blockNamed(blocks, one.Label)
		if b.Value == one.Value {
			continue
		}
		kept, err := w.q.WithoutErased(ctx, db.WithoutErasedParams{GroupID: a.GroupID, Texts: []string{one.Value}})
		if err != nil {
			return fmt.Errorf("look for what was erased: %w", err)
		}
		changed, err := w.q.BlockEdit(ctx, db.BlockEditParams{
			GroupID: a.GroupID, ID: b.ID, Version: b.Version, Label: b.Label, Description: b.Description, Value: kept[0],
			CharLimit: int32(b.limit()), ReadOnly: b.ReadOnly, EditedBy: a.Name + " (asleep)",
		})
		if err != nil {
			return fmt.Errorf("edit the block %s: %w", b.Label, err)
		}
		if changed > 0 {
			c.Edited = append(c.Edited, b.Label)
		}
	}
	for _, text := range answer.Contradictions {
		e, err := a.passage(archiveThread(a.ID), text, map[string]any{"tags": []string{"contradiction"}})
		if err != nil {
			continue // an empty text
		}
		e.OccurredAt = w.now
		if err := w.store(ctx, e, a.vectors(ctx, e)); err != nil {
			return err
		}
		w.passages++
		c.Contradictions = append(c.Contradictions, text)
	}
	return w.q.AgentConsolidated(ctx, db.AgentConsolidatedParams{GroupID: a.GroupID, ID: a.ID, Seq: last, Added: w.passages})
}
