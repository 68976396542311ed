package annals

import "github.com/annalsdb/annals/retrieval"

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
	// ThreadHit is a conversation that was found.
	ThreadHit = retrieval.ThreadHit
	// Explanation tells how a search came to its result.
	Explanation = retrieval.Explanation
)

// The methods, rerankers and comparisons, explained in package retrieval.
const (
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
