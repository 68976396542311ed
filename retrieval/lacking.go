package retrieval

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
)

// What a search goes without where a model does not answer: words and relations need no
// vector, and what was found has an order before a model gives it another.
const (
	withoutVectors  = "vectors: the embedder did not answer, so that words and relations alone were searched"
	withoutReranker = "cross_encoder: the reranking model did not answer, so that the order is that of the search"
)

// KindSearch is the Kind of what is told to [Searcher.Telling]'s calls: no question to a
// model, but a search that went on without its answer. Prompt says without what.
const KindSearch = "search"

// lacking is what a search went without. The searches of several groups share it.
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

// note notes once what a search goes without, tells the log, and has it counted.
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
