package annals

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
)

// The bounds on how many rows a list returns.
const (
	DefaultRows = graph.DefaultRows
	MaxRows     = graph.MaxRows
)

// Search finds facts, entities and episodes that fit the query, the best of
// each first.
func (c *Client) Search(ctx context.Context, q Query) (Result, error) {
	for _, group := range append([]string{q.GroupID}, q.AlsoIn...) {
		if err := c.admit(group); err != nil {
			return Result{}, err
		}
	}
	c.watch.look(ctx)
	return readAll(ctx, c, append([]string{q.GroupID}, q.AlsoIn...), func(ctx context.Context, from source) (Result, error) {
		return from.searcher.Search(ctx, q)
	})
}

// Context is Search put into a string for a model's prompt, in the default
// form and as long as it takes. [Client.ContextAs] has the choice.
func (c *Client) Context(ctx context.Context, q Query) (string, error) {
	return c.ContextAs(ctx, q, Construction{})
}

// ContextAs is [Client.Context] within a budget of tokens, by a template, with
// citations.
func (c *Client) ContextAs(ctx context.Context, q Query, as Construction) (string, error) {
	if err := as.Validate(); err != nil {
		return "", err
	}
	found, err := c.Search(ctx, q)
	if err != nil {
		return "", err
	}
	return as.Construct(found)
}

// FactFilter chooses facts. Its zero fields choose nothing out.
type FactFilter struct {
	GroupID  string
	ValidAt  time.Time // that held at this time; zero: of all times
	KnownAt  time.Time // as we believed then; zero: as we believe now
	EntityID uuid.UUID // with this entity at either end
	After    *Fact     // that come after this one, the last that was listed; nil: from the first
	Limit    int       // 1 to MaxRows; zero: DefaultRows
}

// Facts lists facts in the order in which they began to hold.
func (c *Client) Facts(ctx context.Context, f FactFilter) ([]Fact, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err != nil {
		return nil, err
	}
	rows, err := read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]db.FactListRow, error) {
		return f.rows(ctx, db.New(from.pool), limit)
	})
	if err != nil {
		return nil, fmt.Errorf("list facts of %s: %w", f.GroupID, err)
	}
	facts := make([]Fact, len(rows))
	for i, row := range rows {
		facts[i] = db.Fact(f.GroupID, db.FactsByIDsRow(row))
	}
	return facts, nil
}

func (f FactFilter) rows(ctx context.Context, q *db.Queries, limit int32) ([]db.FactListRow, error) {
	if f.EntityID != uuid.Nil { // perhaps merged into another by then
		var err error
		if f.EntityID, err = q.EntityMergedInto(ctx, db.EntityMergedIntoParams{
			GroupID: f.GroupID, ID: f.EntityID, KnownAt: db.Nullable(f.KnownAt),
		}); err != nil {
			return nil, fmt.Errorf("find entity %s: %w", f.EntityID, err)
		}
	}
	var afterValid *time.Time
	var afterID *uuid.UUID
	if f.After != nil {
		afterValid, afterID = db.Nullable(f.After.Valid.Start), &f.After.ID
	}
	validAt := db.Nullable(f.ValidAt)
	switch {
	case !f.KnownAt.IsZero():
		rows, err := q.FactListKnown(ctx, db.FactListKnownParams{
			GroupID: f.GroupID, ValidAt: validAt, KnownAt: f.KnownAt, EntityID: db.Nullable(f.EntityID),
			AfterValid: afterValid, AfterID: afterID, MaxRows: limit,
		})
		return convert(rows, func(r db.FactListKnownRow) db.FactListRow { return db.FactListRow(r) }), err
	case f.EntityID != uuid.Nil:
		rows, err := q.FactListOf(ctx, db.FactListOfParams{
			GroupID: f.GroupID, ValidAt: validAt, EntityID: f.EntityID, AfterValid: afterValid, AfterID: afterID, MaxRows: limit,
		})
		return convert(rows, func(r db.FactListOfRow) db.FactListRow { return db.FactListRow(r) }), err
	}
	return q.FactList(ctx, db.FactListParams{GroupID: f.GroupID, ValidAt: validAt, AfterValid: afterValid, AfterID: afterID, MaxRows: limit})
}

// convert is a list in the type of another that has the same columns.
func convert[From, To any](rows []From, to func(From) To) []To {
	out := make([]To, len(rows))
	for i, row := range rows {
		out[i] = to(row)
	}
	return out
}

// EpisodeFilter chooses episodes. Its zero fields choose nothing out.
type EpisodeFilter struct {
	GroupID  string
	State    graph.State
	ThreadID string
	After    *Episode // that come after this one, the last that was listed; nil: from the first
	Limit    int      // 1 to MaxRows; zero: DefaultRows
}

// Episodes lists episodes, the latest first.
func (c *Client) Episodes(ctx context.Context, f EpisodeFilter) ([]Episode, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err != nil {
		return nil, err
	}
	rows, err := read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]db.EpisodeListRow, error) {
		return f.rows(ctx, db.New(from.pool), limit)
	})
	if err != nil {
		return nil, fmt.Errorf("list episodes of %s: %w", f.GroupID, err)
	}
	episodes := make([]Episode, len(rows))
	for i, row := range rows {
		episodes[i] = db.Episode(f.GroupID, row)
	}
	return episodes, nil
}

func (f EpisodeFilter) rows(ctx context.Context, q *db.Queries, limit int32) ([]db.EpisodeListRow, error) {
	var beforeAt *time.Time // the latest come first
	var beforeID *uuid.UUID
	if f.After != nil {
		beforeAt, beforeID = &f.After.OccurredAt, &f.After.ID
	}
	switch {
	case f.ThreadID != "":
		rows, err := q.EpisodeListOfThread(ctx, db.EpisodeListOfThreadParams{
			GroupID: f.GroupID, ThreadID: f.ThreadID, State: db.Nullable(f.State), BeforeAt: beforeAt, BeforeID: beforeID, MaxRows: limit,
		})
		return convert(rows, func(r db.EpisodeListOfThreadRow) db.EpisodeListRow { return db.EpisodeListRow(r) }), err
	case f.State != "" && f.State != graph.StateDone:
		rows, err := q.EpisodeListUnread(ctx, db.EpisodeListUnreadParams{
			GroupID: f.GroupID, State: f.State, BeforeAt: beforeAt, BeforeID: beforeID, MaxRows: limit,
		})
		return convert(rows, func(r db.EpisodeListUnreadRow) db.EpisodeListRow { return db.EpisodeListRow(r) }), err
	}
	return q.EpisodeList(ctx, db.EpisodeListParams{
		GroupID: f.GroupID, Done: f.State == graph.StateDone, BeforeAt: beforeAt, BeforeID: beforeID, MaxRows: limit,
	})
}

// EpisodeCounts says how many of the group's episodes are in each state.
func (c *Client) EpisodeCounts(ctx context.Context, groupID string) (map[graph.State]int, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]db.EpisodeCountsRow, error) {
		return db.New(from.pool).EpisodeCounts(ctx, groupID)
	})
	if err != nil {
		return nil, fmt.Errorf("count episodes of %s: %w", groupID, err)
	}
	counts := map[graph.State]int{}
	for _, row := range rows {
		counts[row.State] = int(row.Episodes)
	}
	return counts, nil
}

func (c *Client) listBounds(groupID string, limit int) (int32, error) {
	rows, err := graph.RowLimit(limit)
	if err != nil {
		return 0, err
	}
	return rows, c.admit(groupID)
}

// Ontology returns the kinds of entities and facts that a group was given.
func (c *Client) Ontology(ctx context.Context, groupID string) (Ontology, error) {
	if err := c.admit(groupID); err != nil {
		return Ontology{}, err
	}
	return read(ctx, c, groupID, func(ctx context.Context, from source) (Ontology, error) {
		return from.engine.Ontology(ctx, groupID)
	})
}

// TraceEntry is one decision taken about an episode on its way into the graph.
type TraceEntry = engine.TraceEntry

// Trace says why the graph has of an episode what it has, in the order in
// which it was decided. It is empty before the episode was processed.
func (c *Client) Trace(ctx context.Context, groupID string, episodeID uuid.UUID) ([]TraceEntry, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	return read(ctx, c, groupID, func(ctx context.Context, from source) ([]TraceEntry, error) {
		return from.engine.Trace(ctx, groupID, episodeID)
	})
}

// Episode returns one episode, or a [CodeNotFound].
func (c *Client) Episode(ctx context.Context, groupID string, id uuid.UUID) (Episode, error) {
	if err := c.admit(groupID); err != nil {
		return Episode{}, err
	}
	rows, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]db.EpisodesByIDsRow, error) {
		return db.New(from.pool).EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: groupID, Ids: []uuid.UUID{id}})
	})
	if err != nil {
		return Episode{}, fmt.Errorf("read episode %s: %w", id, err)
	}
	if len(rows) == 0 {
		return Episode{}, &Error{
			Code: CodeNotFound, Field: "episode",
			Message: fmt.Sprintf("group %s has no episode %s; 'annals episodes' lists them", groupID, id),
		}
	}
	return db.Episode(groupID, db.EpisodeListRow(rows[0])), nil
}

// Usage is what was asked of one model with one prompt.
type Usage struct {
	Kind         string // chat, embedding or rerank
	Prompt       string
	Model        string
	Calls        int // that reached the model
	Cached       int // answered from the ledger at no cost
	Repairs      int // calls that asked to mend the answer before
	Failed       int
	InputTokens  int
	OutputTokens int
	Cost         float64 // US dollars, of the calls whose price is known
	Unpriced     int     // calls whose price is not known
}

// Usage says what a group has cost so far, by prompt and model.
func (c *Client) Usage(ctx context.Context, groupID string) ([]Usage, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]db.ModelUsageRow, error) {
		return db.New(from.pool).ModelUsage(ctx, groupID)
	})
	if err != nil {
		return nil, fmt.Errorf("read what %s cost: %w", groupID, err)
	}
	usage := make([]Usage, len(rows))
	for i, row := range rows {
		usage[i] = Usage{
			Kind: row.Kind, Prompt: row.Prompt, Model: row.Model, Calls: int(row.Calls), Cached: int(row.Cached),
			Repairs: int(row.Repairs), Failed: int(row.Failed), InputTokens: int(row.InputTokens),
			OutputTokens: int(row.OutputTokens), Cost: row.Cost, Unpriced: int(row.Unpriced),
		}
	}
	return usage, nil
}
