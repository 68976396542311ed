package retrieval

import (
	"context"
	"log/slog"
	"slices"
	"sync"
)

// What a search goes without where a model does not answer: words and relations need no
// vector, and what was found has an order before a model gives it another.
const (
	withoutVectors  = "vectors: the embedder did not answer, so that words and relations alone were searched"
	withoutReranker = "cross_encoder: the reranking model did not answer, so that the order is that of the search"
)

// lacking is what a search went without. The searches of several groups share it.
type lacking struct {
	mu   sync.Mutex
	said []string
}

func (w *lacking) note(ctx context.Context, log *slog.Logger, what string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.Contains(w.said, what) {
		return
	}
	w.said = append(w.said, what)
	if log != nil {
		log.WarnContext(ctx, "a search goes without a model", "without", what, "error", err)
	}
}

func (w *lacking) list() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.said)
}
