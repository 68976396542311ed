package model

import (
	"context"
	"math"
)

// Reranker judges how well texts answer a query. Where an [Embedder] makes
// vectors of query and text apart, which can be compared by the thousand, a
// reranker reads both together: slower, and better (Nogueira and Cho, Passage
// Re-ranking with BERT, arXiv 1901.04085). So it is given the first hits of a
// search only.
type Reranker interface {
	// Name identifies the model and its version.
	Name() string

	// Rerank returns one score for each text, in the order of the texts, from 0
	// (unrelated to the query) to 1 (answers it). Higher is better; scores of
	// different models mean different things. No texts give no scores. It must
	// be safe for concurrent use.
	Rerank(ctx context.Context, query string, texts []string) ([]float64, error)
}

// KindRerank is the kind of calls that rerank.
const KindRerank = "rerank"

// RerankerWith returns r recording its requests in the ledger, if it makes any
// that count; else r.
func RerankerWith(r Reranker, ledger Ledger) Reranker {
	if recording, ok := r.(interface{ With(ledger Ledger) Reranker }); ok {
		return recording.With(ledger)
	}
	return r
}

// Sigmoid maps a logit, which may be any number, to (0, 1), without changing
// the order: 1/(1+e^-x), as cross-encoders are trained to be read.
func Sigmoid(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }
