package retrieve

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/eval/ranking"
)

// Turn is an utterance of a haystack.
type Turn struct {
	ID      string // unique in its haystack
	Session string
	Speaker string // may be empty
	Role    string // user or assistant; may be empty
	Text    string
	At      time.Time

	Metadata json.RawMessage // of the episode; may be empty
}

// hit returns the turn as a context shows it: "Ann: I moved. (2024-03-15)".
func (t Turn) hit() ranking.Hit {
	line := episodeLine(annals.Episode{Content: t.Text, Actor: t.Speaker, Role: t.Role, OccurredAt: t.At})
	return ranking.Hit{Sources: []ranking.Source{{Turn: t.ID, Session: t.Session}}, Line: line, Tokens: Tokens(line)}
}

// Haystack is the content of a memory.
type Haystack struct {
	Group string
	Turns []Turn // in the order of speaking
}

// Options configures how haystacks are filled and asked. The zero value stores the
// words without reading them into the graph.
type Options struct {
	Graph bool // also read the turns into the graph
	Limit int  // requested hits of each scope; zero: DefaultLimit

	// Rerank lists the ways of reranking to measure beside the default.
	Rerank []annals.Rerank

	// Budgets are the sizes of the measured contexts, in tokens. Nil:
	// DefaultBudgets.
	Budgets []int

	// Say receives progress messages. Nil: none.
	Say func(format string, args ...any)
}

// DefaultLimit is enough for the first 50 turns and for 2,000 tokens.
const DefaultLimit = 100

// Validate checks the options.
func (o Options) Validate() error {
	if o.Limit < 0 {
		return graph.Invalid("limit", "is %d; give how many hits of each scope to ask for, or 0 for %d", o.Limit, DefaultLimit)
	}
	for _, r := range o.Rerank {
		if r != annals.RerankModel && r != annals.RerankMMR {
			return graph.Invalid("rerank", "%q puts no episodes into another order; use %s or %s", r, annals.RerankModel, annals.RerankMMR)
		}
	}
	return checkBudgets(o.Budgets)
}

func (o Options) withDefaults() Options {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	if o.Budgets == nil {
		o.Budgets = DefaultBudgets
	}
	if o.Say == nil {
		o.Say = func(string, ...any) {}
	}
	return o
}

// Memory is a filled haystack.
type Memory struct {
	client  *annals.Client
	options Options
	group   string
	turns   []Turn
	hits    map[uuid.UUID]ranking.Hit // of each episode
}

// batchSize is how many turns are stored in one transaction.
const batchSize = 500

// Fill stores the turns that the group lacks and processes waiting ones. It
// refuses a group with other episodes, which could hide the evidence or add to it.
func Fill(ctx context.Context, client *annals.Client, h Haystack, options Options) (*Memory, error) {
	m := &Memory{
		client: client, options: options.withDefaults(), group: h.Group, turns: h.Turns,
		hits: make(map[uuid.UUID]ranking.Hit, len(h.Turns)),
	}
	added := 0
	for start := 0; start < len(h.Turns); start += batchSize {
		n, err := m.store(ctx, h.Turns[start:min(start+batchSize, len(h.Turns))])
		if err != nil {
			return nil, fmt.Errorf("fill %s: %w", h.Group, err)
		}
		added += n
	}
	return m, m.process(ctx, added)
}

// store stores turns and returns how many were new.
func (m *Memory) store(ctx context.Context, turns []Turn) (int, error) {
	episodes := make([]annals.Episode, len(turns))
	for i, t := range turns {
		episodes[i] = annals.Episode{
			GroupID: m.group, Source: graph.SourceMessage, Content: t.Text, Actor: t.Speaker, Role: t.Role,
			ThreadID: t.Session, OccurredAt: t.At, ExternalID: t.ID, Metadata: t.Metadata, Deferred: !m.options.Graph,
		}
	}
	stored, err := m.client.AddAll(ctx, episodes)
	if err != nil {
		return 0, err
	}
	added := 0
	for i, s := range stored {
		m.hits[s.ID] = turns[i].hit()
		if s.New {
			added++
		}
	}
	return added, nil
}

func (m *Memory) process(ctx context.Context, added int) error {
	counts, err := m.client.EpisodeCounts(ctx, m.group)
	if err != nil {
		return err
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	if total != len(m.turns) {
		return fmt.Errorf("the group %s holds %d episodes and not the %d turns of this file; choose another prefix for the groups",
			m.group, total, len(m.turns))
	}
	waiting := counts[graph.StatePending] + counts[graph.StateProcessing]
	if !m.options.Graph {
		waiting = added
	}
	if waiting > 0 {
		m.options.Say("%s: reading %d turns", m.group, waiting)
	}
	var failed error
	err = m.client.Process(ctx, m.group, func(p annals.Processed) {
		if p.Err != nil && failed == nil {
			failed = p.Err
		}
	})
	if err != nil {
		return err
	}
	if counts[graph.StateFailed] > 0 && failed == nil {
		return fmt.Errorf("the group %s has episodes that could not be read; run 'annals retry --group %s'", m.group, m.group)
	}
	return failed
}
