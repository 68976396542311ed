package annals

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
)

// Query is what is searched for.
//
//	type Query struct {
//		GroupID      string             // the memory that is searched
//		Text         string             // what is asked, in plain words; "a phrase" in double quotation marks
//		Conversation bool               // Text is the last of a conversation and not a question
//		AlsoIn       []string           // more groups to search
//		Limit        int                // hits of each scope at the most; zero: retrieval.DefaultLimit
//		Scopes       []graph.Kind       // kinds of things to find; empty: facts, entities, episodes, communities
//		Methods      []retrieval.Method // how to find them; empty: by terms and vectors
//		Rerank       []retrieval.Rerank // how to order them anew; empty: not
//		Lambda       float64            // of RerankMMR: 1 is relevance alone
//		Seeds        []uuid.UUID        // the entities that MethodGraph starts from; empty: those of the first hits
//		SeedRecent   int                // from the entities of so many of the latest episodes too
//		Hops         int                // how far MethodGraph goes
//		Center       uuid.UUID          // the entity that RerankDistance measures from
//		ValidAt      time.Time          // only facts that held then; zero: those that have not ended
//		KnownAt      time.Time          // as it was believed then; zero: now
//		AskedAt      time.Time          // what dates in Text are read against; zero: now
//		IncludeEnded bool               // facts that have ended as well
//		Trust        graph.Trust        // graph.TrustCandidate, TrustDisputed or TrustAll; empty: what is believed or disputed
//		Filter       retrieval.Filter   // what else hits must be
//		MinScore     float64            // leaves out hits whose score is less
//		MinFit       float64            // finds nothing where not even the best hit fits so well
//		Recency      time.Duration      // the half-life of memories; zero: age does not matter
//		MentionBoost float64            // how much it counts to be stated or mentioned often
//		Replies      bool               // adds to episodes of a few words the question before them
//		Former       bool               // adds to what answers up to three facts that have ended
//		Changes      bool               // adds to hits what became of them: what ended, disputes them or was taken back
//		SaidByThen   bool               // leaves out what was said after ValidAt, if that has passed
//		Pinned       bool               // puts what is pinned before what was found, whatever is asked
//		Explain      bool               // adds to the result how each hit was found
//	}
//
// See [retrieval.Query].
type Query = retrieval.Query

// QueryInput is a query as users write it at every door: its times, lengths of
// time and entities are texts.
//
// See [retrieval.QueryInput].
type QueryInput = retrieval.QueryInput

// ParseFilter reads a [Filter] from a JSON object. Nothing written is nil.
func ParseFilter(text string) (*Filter, error) { return retrieval.ParseFilter(text) }

// Filter narrows a search, before hits are counted.
//
//	type Filter struct {
//		Labels             []string                // of entities, and of facts at both ends: any of them is enough
//		ExcludedLabels     []string
//		Predicates         []string                // of facts
//		ExcludedPredicates []string
//		ToldBy             []string                // speakers, by any name: only what they told
//		Attributes         *retrieval.Condition    // on the attributes of facts and entities
//		Valid              retrieval.TimeCondition // when facts began to hold
//		Invalid            retrieval.TimeCondition // when facts ended
//		Created            retrieval.TimeCondition // when we learned of facts and entities
//		Expired            retrieval.TimeCondition // when we learned that facts had ended
//		Sources            []graph.Source          // of episodes, as all that follow
//		Threads            []string
//		Actors             []string
//		Roles              []string
//		Occurred           retrieval.TimeCondition // when they were said
//		Metadata           *retrieval.Condition    // on their metadata
//		Users              []string                // user_id of their metadata; found by index, as are the next two
//		Agents             []string                // agent_id
//		Runs               []string                // run_id
//	}
//
// See [retrieval.Filter].
type Filter = retrieval.Filter

// Result is what was found, the best first.
//
//	type Result struct {
//		Facts        []retrieval.FactHit        // a Fact each, with its Score
//		Entities     []retrieval.EntityHit      // an Entity each, with its Score
//		Episodes     []retrieval.EpisodeHit     // an Episode each, with its Score
//		Communities  []retrieval.CommunityHit   // a Community each, with its Score
//		Observations []retrieval.ObservationHit // what several facts show, where the scopes name it
//		Threads      []retrieval.ThreadHit      // conversations, where the scopes name them
//		Answers      []graph.Answered           // standing answers, where the template of a context shows them
//		Asked        string                     // the text of the query
//		AsOf         time.Time                  // when the facts are read: planned, since, until
//		ValidAt      time.Time                  // that the query asked about; zero: none
//		KnownOf      []string                   // of whom Facts tell, where nothing is known of what is asked
//		Explanation  *retrieval.Explanation     // nil unless Query.Explain
//	}
//
// See [retrieval.Result].
type Result = retrieval.Result

// Construction says how what was found becomes a string for a model's prompt.
//
//	type Construction struct {
//		Tokens    int    // the most the string may have; zero: no limit
//		Hits      int    // how many of what was found it shows in all; 0: every one
//		Template  string // its form, as text/template reads it; empty: the default one
//		Within    string // a text that it becomes a part of, whose tags nothing stored can close
//		Citations bool   // ends each line with a short id of what it comes from
//		Words     bool   // says dates in words: since 8 March 2024
//		Encoding  string // what counts tokens, o200k_base or cl100k_base; empty: the first
//	}
//
// See [construct.Construction].
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
	return readAll(ctx, c, append([]string{q.GroupID}, q.AlsoIn...), func(ctx context.Context, from source) (Result, error) {
		return from.searcher.Search(ctx, q)
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
