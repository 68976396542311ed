package annals

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
)

// Query is a search: the text, the groups and the settings. [retrieval.Query] has its fields and
// methods.
type Query = retrieval.Query

// QueryInput is a query as users write it in the CLI, REST and MCP: its times, durations and
// entities are texts. [retrieval.QueryInput] has its fields and methods.
type QueryInput = retrieval.QueryInput

// ParseFilter parses a [Filter] from a JSON object. It returns nil for an empty text.
func ParseFilter(text string) (*Filter, error) { return retrieval.ParseFilter(text) }

// Filter restricts the rows that a search considers, before hits are counted. [retrieval.Filter]
// has its fields and methods.
type Filter = retrieval.Filter

// Result is the result of a search, the best hits first. [retrieval.Result] has its fields and
// methods.
type Result = retrieval.Result

// Construction says how the result of a search is formatted for a model's prompt.
// [construct.Construction] has its fields and methods.
type Construction = construct.Construction

// The types of the fields of [Query] and [Result]; see package retrieval.
type (
	// TimeCondition is a condition on a time in a [Filter].
	TimeCondition = retrieval.TimeCondition
	// TimeTest compares a time.
	TimeTest = retrieval.TimeTest
	// Method is a way to find rows.
	Method = retrieval.Method
	// Rerank is a way to reorder hits.
	Rerank = retrieval.Rerank
	// Condition is a condition on a value in a JSON document.
	Condition = retrieval.Condition
	// Op is a comparison of values or times.
	Op = retrieval.Op
	// FactHit is a fact that a search found.
	FactHit = retrieval.FactHit
	// EntityHit is an entity that a search found.
	EntityHit = retrieval.EntityHit
	// EpisodeHit is an episode that a search found.
	EpisodeHit = retrieval.EpisodeHit
	// ObservationHit is an observation that a search found.
	ObservationHit = retrieval.ObservationHit
	// ThreadHit is a thread that a search found.
	ThreadHit = retrieval.ThreadHit
	// Explanation records how a search came to its result.
	Explanation = retrieval.Explanation
	// Placed is the rank and the score that a method gave a hit.
	Placed = retrieval.Placed
)

// The methods, rerankers and comparisons; see package retrieval.
const (
	// DefaultLimit is the number of hits that a search returns of each scope by default.
	DefaultLimit = retrieval.DefaultLimit

	MethodTerms  = retrieval.MethodTerms
	MethodVector = retrieval.MethodVector
	MethodGraph  = retrieval.MethodGraph

	RerankMMR      = retrieval.RerankMMR
	RerankMentions = retrieval.RerankMentions
	RerankSalience = retrieval.RerankSalience
	RerankDistance = retrieval.RerankDistance
	RerankModel    = retrieval.RerankModel

	OpEqual        = retrieval.OpEqual
	OpNotEqual     = retrieval.OpNotEqual
	OpGreater      = retrieval.OpGreater
	OpGreaterEqual = retrieval.OpGreaterEqual
	OpLess         = retrieval.OpLess
	OpLessEqual    = retrieval.OpLessEqual
	OpIn           = retrieval.OpIn
	OpContains     = retrieval.OpContains
	OpExists       = retrieval.OpExists
	OpNull         = retrieval.OpNull
	OpNotNull      = retrieval.OpNotNull
)

// The limits of a [Query].
const (
	MaxLimit = retrieval.MaxLimit
	MaxSeeds = retrieval.MaxSeeds
)

// Recipes lists the names that [Query.With] accepts, sorted.
func Recipes() []string { return retrieval.Recipes() }

// Search finds facts, entities and episodes that match the query, the best of each first.
func (c *Client) Search(ctx context.Context, q Query) (Result, error) {
	for _, group := range append([]string{q.GroupID}, q.AlsoIn...) {
		if err := c.admit(group); err != nil {
			return Result{}, err
		}
	}
	c.watch.look(ctx)
	return telemetry.Memory(ctx, telemetry.SearchMemory, q.GroupID, hits, func(ctx context.Context) (Result, error) {
		return readAll(ctx, c, append([]string{q.GroupID}, q.AlsoIn...), func(ctx context.Context, from source) (Result, error) {
			return from.searcher.Search(ctx, q)
		})
	})
}

// Annotate adds to rows that no search found what Query.Changes adds to hits. A fact becomes a hit
// with the facts that dispute it. An episode gets the parts that have since ended, or were
// corrected or taken back, and an entity the facts about it that no longer hold. The rows must
// belong to the query's group; of its other settings only the times are used. Call it in
// [Client.InSnapshot], and read the rows in the same snapshot.
func Annotate(ctx context.Context, tx pgx.Tx, q Query, rows *Result) error {
	return retrieval.Annotate(ctx, db.New(tx), q, rows)
}

// Context searches and formats the result for a model's prompt, in the default form and without a
// limit of tokens. [Client.ContextAs] has the options.
func (c *Client) Context(ctx context.Context, q Query) (string, error) {
	return c.ContextAs(ctx, q, Construction{})
}

// CountTokens returns the number of tokens of a text, counted as for a context. An empty encoding
// stands for that of [Construction].
func CountTokens(text, encoding string) (int, error) { return construct.CountTokens(text, encoding) }

// ContextAs returns a context as [Client.Context] does, with options such as a token budget, a
// template and citations. If the query sets no limit, it looks for as many hits as the budget may
// have room for; see [construct.Construction.For].
func (c *Client) ContextAs(ctx context.Context, q Query, as Construction) (string, error) {
	if err := as.Validate(); err != nil {
		return "", err
	}
	if len(q.Scopes) > 0 && !slices.ContainsFunc(q.Scopes, func(k graph.Kind) bool { return k != graph.KindThread && k != graph.KindObservation }) {
		return "", graph.Invalid("scope", "has only threads and observations, of which a context shows nothing; leave it out, or search")
	}
	if as.Task {
		as.Task = false
		skills, err := c.Skills(ctx, SkillFilter{GroupID: q.GroupID, Task: q.Text, ValidAt: q.ValidAt, KnownAt: q.KnownAt, Limit: construct.MaxSkills})
		if err != nil {
			return "", err
		}
		return as.WithSkills(skills, func(rest Construction) (string, error) { return c.ContextAs(ctx, q, rest) })
	}
	found, err := c.Search(ctx, as.For(q))
	if err != nil {
		return "", err
	}
	if as.ShowsAnswers() {
		if found.Answers, err = c.standingAnswers(ctx, q); err != nil {
			return "", err
		}
	}
	return as.Construct(found)
}
