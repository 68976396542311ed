package model

import (
	"context"
	"math"
)

// Reranker scores how well texts answer a query. An [Embedder] makes separate
// vectors of query and text, which can be compared by the thousand. A reranker
// reads both together, which is slower and more accurate (Nogueira and Cho,
// Passage Re-ranking with BERT, arXiv 1901.04085). It therefore gets only the
// first hits of a search.
type Reranker interface {
	// Name identifies the model and its version.
	Name() string

	// Rerank returns one score for each text, in order, from 0 (unrelated to
	// the query) to 1 (answers it). Scores of different models are not
	// comparable. Without texts it returns no scores. It must be safe for
	// concurrent use.
	Rerank(ctx context.Context, query string, texts []string) ([]float64, error)
}

// KindRerank is the kind of calls to rerankers.
const KindRerank = "rerank"

// RerankerWith returns r with its requests recorded in the ledger. It returns r
// itself if r has no method With, as a reranker that makes no requests.
func RerankerWith(r Reranker, ledger Ledger) Reranker {
	if recording, ok := r.(interface{ With(ledger Ledger) Reranker }); ok {
		return recording.With(ledger)
	}
	return r
}

// Sigmoid returns 1/(1+e^-x), which maps any logit to (0, 1) and preserves the
// order. Cross-encoders are trained for this scale.
func Sigmoid(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }
