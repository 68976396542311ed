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
	"github.com/annalsdb/annals/internal/each"
)

// RerankerConfig selects a reranking model and how to reach it. Config.Model is
// required, and for the provider rerank also Config.BaseURL.
type RerankerConfig struct {
	// Config names the model and how to reach it. A reranker ignores MaxTokens
	// and Structured.
	//
	// Model is "provider:model" as in jina:jina-reranker-v2-base-multilingual,
	// cohere:rerank-v3.5, voyage:rerank-2.5, vllm:BAAI/bge-reranker-v2-m3 or
	// llamacpp:bge-reranker-v2-m3. tei is text-embeddings-inference, whose
	// server has only one model ("tei:"). For any other server with such a POST
	// /rerank, use rerank:MODEL and a BaseURL.
	Config

	// BatchTexts is the most texts of one request. A request has fewer if the
	// texts are long. Defaults to 100; for tei to 32, its own default limit.
	BatchTexts int

	// MaxBytes is the number of bytes read of a text and of the query; the rest
	// is cut off at a character boundary. Defaults to 8 KiB, about 2,000 tokens.
	// Most rerankers read 512 tokens of query and text together; newer ones read
	// many more, and paid ones bill all of them.
	MaxBytes int
}

const (
	defaultRerankTexts = 100
	defaultRerankBytes = 8 << 10
)

// rerankers holds the providers by their names in specifications. Their
// protocols are nearly the same; see reranker_served_wire.go.
var rerankers = map[string]provider{
	"cohere":   {baseURL: "https://api.cohere.com/v2", variable: "COHERE_API_KEY"},
	"jina":     {baseURL: "https://api.jina.ai/v1", variable: "JINA_API_KEY"},
	"voyage":   {baseURL: "https://api.voyageai.com/v1", variable: "VOYAGE_API_KEY"},
	"tei":      {baseURL: "http://localhost:8080"},
	"vllm":     {baseURL: "http://localhost:8000/v1"},
	"llamacpp": {baseURL: "http://localhost:8080/v1"},
	"rerank":   {},
}

// RerankerKeyVariable returns the environment variable that holds the key of a
// provider of rerankers ("jina" → JINA_API_KEY). It is empty for an unknown
// provider or one without keys.
func RerankerKeyVariable(provider string) string { return rerankers[provider].variable }

// ServedReranker scores texts with a model at a provider or on a server of one's
// own. It shares the transport of the other models, with its retries, limits and
// errors. It is safe for concurrent use.
type ServedReranker struct {
	served
	config RerankerConfig
	logits *atomic.Bool // its answers showed that its scores are logits
}

// OpenReranker returns the reranker that c names, without calling it. An invalid
// configuration is a [graph.Error] of code invalid with the field reranker, or
// structured for an unknown Structured.
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

// parseRerankerSpec reads a specification and finds the base URL of /rerank.
func parseRerankerSpec(spec, baseURL string) (provider, string, error) {
	const field = "reranker"
	name, model, _ := strings.Cut(strings.TrimSpace(spec), ":")
	p, known := rerankers[name]
	if name == "tei" { // A server runs one model, so the name serves only the records.
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
	p.baseURL = strings.TrimSuffix(p.baseURL, "/rerank") // users paste the whole URL
	if name == "tei" {
		p.baseURL = strings.TrimSuffix(p.baseURL, "/v1") // the base of its embeddings
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

// With returns the same reranker, recording every request in the ledger.
func (r *ServedReranker) With(ledger Ledger) Reranker {
	other := *r
	other.ledger = ledger
	return &other
}

// Rerank returns one score for each text, in order. A text or query longer than
// MaxBytes is cut there, and further if the model takes less. A blank one is
// sent as a dash, since some providers refuse it.
//
// Most servers return scores between 0 and 1. Some return logits, as llama.cpp
// does with most models. A score outside of 0 to 1 reveals them; that call's
// scores and all later ones then pass through [Sigmoid].
//
// If the provider does not answer, or without a usable score for each text, the
// error is a [*CallError]. If the context ends, it wraps the context's error.
func (r *ServedReranker) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	readable := each.Of(texts, func(text string) string { return readableText(text, r.config.MaxBytes) })
	scores, err := r.request(ctx, readableText(query, r.config.MaxBytes), readable)
	if err != nil {
		return nil, err
	}
	r.scale(scores)
	return scores, nil
}

// outside is the tolerance for rounding errors beyond 0 and 1.
const outside = 1e-3

// scale maps a server's scores to 0 to 1, in place.
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
