package model

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/annalsdb/annals/graph"
)

// RerankerConfig says which reranking model to ask and how. Only Config.Model
// is required, and with some models Config.BaseURL.
type RerankerConfig struct {
	// Config names the model and how to reach it. MaxTokens and Structured mean
	// nothing to a reranker.
	//
	// Model is "provider:model" as in jina:jina-reranker-v2-base-multilingual,
	// cohere:rerank-v3.5, voyage:rerank-2.5, vllm:BAAI/bge-reranker-v2-m3 or
	// llamacpp:bge-reranker-v2-m3. tei is text-embeddings-inference, whose
	// server knows its one model itself ("tei:"). Any other server that answers
	// POST /rerank as these do is rerank:MODEL with a BaseURL.
	Config

	// BatchTexts is how many texts go into one request at most. Less go where
	// the texts are long. Defaults to 100, and to 32 for tei, which takes no
	// more unless it is told to.
	BatchTexts int

	// MaxBytes is how much of a text, and of the query, is read: what follows is
	// left out, at the boundary of a character. Defaults to 8 KiB, about 2,000
	// tokens: most rerankers read 512 of query and text together, newer ones
	// many more, and those that bill, bill for all of them.
	MaxBytes int
}

const (
	defaultRerankTexts = 100
	defaultRerankBytes = 8 << 10
)

// rerankers are the names a specification may begin with. All of them speak
// nearly the same; see reranker_served_wire.go.
var rerankers = map[string]provider{
	"cohere":   {baseURL: "https://api.cohere.com/v2", variable: "COHERE_API_KEY"},
	"jina":     {baseURL: "https://api.jina.ai/v1", variable: "JINA_API_KEY"},
	"voyage":   {baseURL: "https://api.voyageai.com/v1", variable: "VOYAGE_API_KEY"},
	"tei":      {baseURL: "http://localhost:8080"},
	"vllm":     {baseURL: "http://localhost:8000/v1"},
	"llamacpp": {baseURL: "http://localhost:8080/v1"},
	"rerank":   {},
}

// RerankerKeyVariable returns the environment variable in which users keep the
// key of a provider of rerankers ("jina" → JINA_API_KEY). Empty: unknown
// provider, or one that needs no key.
func RerankerKeyVariable(provider string) string { return rerankers[provider].variable }

// ServedReranker scores texts with a model that a provider or a server of
// one's own runs, through the transport of the other models: their retries,
// limits and errors. It is safe for concurrent use.
type ServedReranker struct {
	served
	config RerankerConfig
	logits *atomic.Bool // its scores are not between 0 and 1, as its answers told
}

// OpenReranker returns the reranker that c names. It does not call it yet. A
// configuration that cannot be understood is a [graph.Error] of code invalid
// with the field reranker.
func OpenReranker(c RerankerConfig) (*ServedReranker, error) {
	p, name, err := parseRerankerSpec(c.Model, c.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := c.validate(); err != nil {
		return nil, err
	}
	c.Config = c.withDefaults()
	most := defaultRerankTexts
	if p.name == "tei" {
		most = 32
	}
	c.BatchTexts = cmp.Or(c.BatchTexts, most)
	c.MaxBytes = cmp.Or(c.MaxBytes, defaultRerankBytes)
	return &ServedReranker{served: newServed(p, name, c.Config), config: c, logits: &atomic.Bool{}}, nil
}

// parseRerankerSpec reads a specification as users write it, and finds the
// address whose /rerank is to be asked.
func parseRerankerSpec(spec, baseURL string) (provider, string, error) {
	const field = "reranker"
	name, model, _ := strings.Cut(strings.TrimSpace(spec), ":")
	p, known := rerankers[name]
	if name == "tei" { // A server runs one model, so that its name is only for the records.
		model = cmp.Or(model, "default")
	}
	if !known || model == "" {
		return provider{}, "", graph.Invalid(field, "%q is not a reranker: write provider:model, as in cohere:rerank-v3.5 or "+
			"tei: on your own machine; providers are %s. Any other server that answers POST /rerank is rerank:MODEL with a base URL of its own",
			spec, strings.Join(slices.Sorted(maps.Keys(rerankers)), ", "))
	}
	if name == "rerank" && baseURL == "" {
		return provider{}, "", graph.Invalid(field, "%s is on a server of your own: say where, with its base URL such as http://localhost:8000/v1", spec)
	}
	p.name = name
	p.baseURL = strings.TrimRight(cmp.Or(baseURL, p.baseURL), "/")
	p.baseURL = strings.TrimSuffix(p.baseURL, "/rerank") // people paste the whole of it
	if name == "tei" {
		p.baseURL = strings.TrimSuffix(p.baseURL, "/v1") // where its embeddings are
	}
	if u, err := url.Parse(p.baseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return provider{}, "", graph.Invalid(field, "the base URL must be a whole address such as http://localhost:8000/v1")
	}
	return p, model, nil
}

func (c RerankerConfig) validate() error {
	if c.BatchTexts < 0 || c.MaxBytes < 0 {
		return graph.Invalid("reranker", "the limits (texts in a request, bytes of a text) cannot be negative")
	}
	return c.validateAs("reranker")
}

// Name returns "provider:model".
func (r *ServedReranker) Name() string { return r.name }

// With returns the same reranker, which records every request in the ledger.
func (r *ServedReranker) With(ledger Ledger) Reranker {
	other := *r
	other.ledger = ledger
	return &other
}

// Rerank returns one score for each text, in order. A text or query longer
// than MaxBytes is cut there, and further where the model takes less; one of
// nothing but space is sent as a dash, since some providers refuse it.
//
// Most servers give scores between 0 and 1. One that gives logits, as llama.cpp
// does with most models, gives itself away by a number outside of them; from
// then on its numbers go through [Sigmoid], those of the same call included.
//
// A provider that does not answer, or not with one usable score for each text,
// is a [*CallError]; a context that ends is its own error.
func (r *ServedReranker) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	readable := make([]string, len(texts))
	for i, text := range texts {
		readable[i] = readableText(text, r.config.MaxBytes)
	}
	scores, err := r.request(ctx, readableText(query, r.config.MaxBytes), readable)
	if err != nil {
		return nil, err
	}
	r.scale(scores)
	return scores, nil
}

// outside is how far from 0 and 1 a score may be that was only rounded badly.
const outside = 1e-3

// scale brings what a server gave between 0 and 1, in place.
func (r *ServedReranker) scale(scores []float64) {
	if slices.Min(scores) < -outside || slices.Max(scores) > 1+outside {
		r.logits.Store(true)
	}
	logits := r.logits.Load()
	for i, score := range scores {
		if logits {
			score = Sigmoid(score)
		}
		scores[i] = min(max(score, 0), 1)
	}
}
