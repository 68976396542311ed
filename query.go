package annals

import "github.com/annalsdb/annals/retrieval"

// The parts of a [Query], explained in package retrieval.
type (
	// Filter narrows a search before anything is ranked.
	Filter = retrieval.Filter
	// TimeCondition is a test of a time in a [Filter].
	TimeCondition = retrieval.TimeCondition
	// TimeTest compares a time.
	TimeTest = retrieval.TimeTest
	// Method is a way of finding rows.
	Method = retrieval.Method
	// Rerank is a way of putting what was found into another order.
	Rerank = retrieval.Rerank
	// ThreadHit is a conversation that was found.
	ThreadHit = retrieval.ThreadHit
	// Explanation tells how a search came to its result.
	Explanation = retrieval.Explanation
)

// Recipes lists the names that [Query.With] knows, sorted.
func Recipes() []string { return retrieval.Recipes() }
