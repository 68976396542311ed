package retrieval

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
)

// What a search lacks if a model does not answer. Words and relations need no vector, and hits have
// an order before a model reranks them.
const (
	withoutVectors  = "vectors: the embedder did not answer, so that words and relations alone were searched"
	withoutReranker = "cross_encoder: the reranking model did not answer, so that the order is that of the search"
)

// KindSearch is the Kind of the calls that [Searcher.Telling] reports when a search goes on without
// a model's answer. Prompt says what it lacks.
const KindSearch = "search"

// lacking collects what a search went without. The searches of several groups share it.
type lacking struct {
	mu   sync.Mutex
	said []string
}

// SearchedWithout says in sentences which models were missing; empty: none.
func (r Result) SearchedWithout() string { return SearchedWithout(r.Without) }

// SearchedWithout says in sentences what a search went without.
func SearchedWithout(models []string) string {
	return strings.Join(each.Of(models, func(missing string) string { return "Searched without " + missing + "." }), " ")
}

// note records once what a search goes without, logs it and counts it.
func (w *lacking) note(ctx context.Context, s *Searcher, what string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.Contains(w.said, what) {
		return
	}
	w.said = append(w.said, what)
	if s.log != nil {
		s.log.WarnContext(ctx, "a search goes without a model", "without", what, "error", err)
	}
	if s.calls != nil {
		missing, _, _ := strings.Cut(what, ":")
		s.calls(model.Call{Kind: KindSearch, Prompt: missing, Error: err.Error()})
	}
}

func (w *lacking) list() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.said)
}
