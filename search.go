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

// Query is what is searched for.
// [retrieval.Query] has its fields and methods.
type Query = retrieval.Query

// QueryInput is a query as users write it at every door: its times, lengths of
// time and entities are texts.
// [retrieval.QueryInput] has its fields and methods.
type QueryInput = retrieval.QueryInput

// ParseFilter reads a [Filter] from a JSON object. Nothing written is nil.
func ParseFilter(text string) (*Filter, error) { return retrieval.ParseFilter(text) }

// Filter narrows a search, before hits are counted.
// [retrieval.Filter] has its fields and methods.
type Filter = retrieval.Filter

// Result is what was found, the best first.
// [retrieval.Result] has its fields and methods.
type Result = retrieval.Result

// Construction says how what was found becomes a string for a model's prompt.
// [construct.Construction] has its fields and methods.
type Construction = construct.Construction

// The parts of a [Query], explained in package retrieval.
type (
	// TimeCondition is a test of a time in a [Filter].
	TimeCondition = retrieval.TimeCondition
	// TimeTest compares a time.
	TimeTest = retrieval.TimeTest
	// Method is a way of finding rows.
	Method = retrieval.Method
	// Rerank is a way of putting what was found into another order.
	Rerank = retrieval.Rerank
	// Condition is a test of a value in a JSON document.
	Condition = retrieval.Condition
	// Op is how a value or a time is compared.
	Op = retrieval.Op
	// FactHit is a fact that was found.
	FactHit = retrieval.FactHit
	// EntityHit is an entity that was found.
	EntityHit = retrieval.EntityHit
	// EpisodeHit is an episode that was found.
	EpisodeHit = retrieval.EpisodeHit
	// ObservationHit is an observation that was found.
	ObservationHit = retrieval.ObservationHit
	// ThreadHit is a conversation that was found.
	ThreadHit = retrieval.ThreadHit
	// Explanation tells how a search came to its result.
	Explanation = retrieval.Explanation
	// Placed is the rank and the score that a method gave a hit.
	Placed = retrieval.Placed
)

// The methods, rerankers and comparisons, explained in package retrieval.
const (
	// DefaultLimit is how many hits a search gives of each scope.
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

// The bounds of a [Query].
const (
	MaxLimit = retrieval.MaxLimit
	MaxSeeds = retrieval.MaxSeeds
)

// Recipes lists the names that [Query.With] knows, sorted.
func Recipes() []string { return retrieval.Recipes() }

// Search finds facts, entities and episodes that fit the query, the best of
// each first.
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

// Annotate adds to rows that no search found what became of them, as Query.Changes does
// to those of a search: a fact is a hit with what disputes it, an episode with what ended,
// was corrected or taken back of what it says, an entity with what it is no longer. The
// rows are of the query's group; of its other settings the times of reading matter. Call it
// in [Client.InSnapshot], where the rows may be read, too.
func Annotate(ctx context.Context, tx pgx.Tx, q Query, rows *Result) error {
	return retrieval.Annotate(ctx, db.New(tx), q, rows)
}

// Context is Search put into a string for a model's prompt, in the default
// form and as long as it takes. [Client.ContextAs] has the choice.
func (c *Client) Context(ctx context.Context, q Query) (string, error) {
	return c.ContextAs(ctx, q, Construction{})
}

// CountTokens counts the tokens of a text as a context's are counted; an empty
// encoding is that of [Construction].
func CountTokens(text, encoding string) (int, error) { return construct.CountTokens(text, encoding) }

// ContextAs is [Client.Context] within a budget of tokens, by a template, with
// citations. Where the query says no limit, as many hits are looked for as the
// budget may have room for ([construct.Construction.For]).
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
