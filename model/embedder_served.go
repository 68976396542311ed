package model

import (
	"cmp"
	"context"
	"strings"
	"sync/atomic"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// EmbedderConfig selects an embedding model and how to reach it. Only
// Config.Model is required.
type EmbedderConfig struct {
	// Config names the model and how to reach it. An embedder ignores MaxTokens
	// and Structured.
	//
	// Model is "provider:model" as in openai:text-embedding-3-small,
	// gemini:gemini-embedding-001 (or google:), mistral:mistral-embed or
	// ollama:nomic-embed-text. Beside the providers of language models there is
	// tei for text-embeddings-inference; anthropic and groq offer no embedding
	// models. For any other server with OpenAI's protocol, use openai and a
	// BaseURL.
	Config

	// BatchTexts is the most texts of one request. A request has fewer if the
	// texts or the answer would be long. Defaults to 256, or to the provider's
	// known limit if that is lower (gemini 100, tei 32).
	BatchTexts int

	// CachedTexts is the number of recently used texts whose vectors stay in
	// memory. The default, 10,000, takes about 60 MB with vectors of 1536
	// numbers. Negative: no cache.
	CachedTexts int

	// Dimensions is the required length of a vector. A server with OpenAI's
	// protocol is asked for it; vectors of another length are refused. Defaults
	// to the model's own length, which is not known before the first answer;
	// see [ServedEmbedder.Probe].
	Dimensions int

	// MaxBytes is the number of bytes read of a text; the rest is cut off at a
	// character boundary. Defaults to 24 KiB, which in nearly all languages is
	// less than the 8192 tokens that most models read.
	MaxBytes int
}

const (
	defaultBatchTexts  = 256
	defaultCachedTexts = 10_000
	defaultMaxBytes    = 24 << 10
)

// ServedEmbedder makes vectors with a model at a provider or on a server of
// one's own. It is safe for concurrent use.
//
// It does not use langchaingo, whose clients lose information: the OpenAI
// client ignores the index of vectors and their token counts, the Ollama client
// sends one request per text. ServedEmbedder sends one JSON request through the
// transport of the language models, and so shares its limits and retries.
type ServedEmbedder struct {
	served
	config  EmbedderConfig
	cache   *vectorCache
	learned *learned
}

// learned holds what a server's answers revealed.
type learned struct {
	dimensions   atomic.Int64 // 0: no answer yet
	noDimensions atomic.Bool  // it refuses requests that name the dimensions
}

// OpenEmbedder returns the embedder that c names, without calling it. An
// invalid configuration is a [graph.Error] of code invalid with the field
// embedder, or structured for an unknown Structured.
func OpenEmbedder(c EmbedderConfig) (*ServedEmbedder, error) {
	p, name, err := parseEmbedderSpec(c.Model, c.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(c.validate(), p.needsKey("embedder", c.Config)); err != nil {
		return nil, err
	}
	c.Config = c.withDefaults()
	c.BatchTexts = cmp.Or(c.BatchTexts, batchTextsOf[p.name], defaultBatchTexts)
	c.MaxBytes = cmp.Or(c.MaxBytes, defaultMaxBytes)
	return &ServedEmbedder{
		served: newServed(p, name, c.Config), config: c,
		cache: newVectorCache(max(cmp.Or(c.CachedTexts, defaultCachedTexts), 0)), learned: &learned{},
	}, nil
}

// batchTextsOf holds the provider's limit of texts per request, if lower than
// the default.
var batchTextsOf = map[string]int{"gemini": 100, "tei": 32}

// parseEmbedderSpec reads a specification. Beside the providers of language
// models it accepts tei, and google for gemini.
func parseEmbedderSpec(spec, baseURL string) (provider, string, error) {
	const field = "embedder"
	name, model, _ := strings.Cut(strings.TrimSpace(spec), ":")
	switch name {
	case "google":
		return parseSpec(field, "gemini:"+model, baseURL)
	case "anthropic", "groq":
		return provider{}, "", graph.Invalid(field, "%s offers no embedding models: choose another, such as openai:text-embedding-3-small, "+
			"or ollama:nomic-embed-text on your own machine", name)
	case "tei":
		// A server runs one model, so the name serves only the records.
		p, model, err := parseSpec(field, "vllm:"+cmp.Or(model, "default"), cmp.Or(baseURL, "http://localhost:8080/v1"))
		p.name = name
		return p, model, err
	}
	return parseSpec(field, spec, baseURL)
}

func (c EmbedderConfig) validate() error {
	if c.BatchTexts < 0 || c.Dimensions < 0 || c.MaxBytes < 0 {
		return graph.Invalid("embedder", "the limits (texts in a request, dimensions, bytes of a text) cannot be negative")
	}
	return c.validateAs("embedder")
}

// Name returns "provider:model".
func (e *ServedEmbedder) Name() string { return e.name }

// Dimensions returns the configured length of a vector, else the length in the
// first answer, else 0.
func (e *ServedEmbedder) Dimensions() int {
	return cmp.Or(e.config.Dimensions, int(e.learned.dimensions.Load()))
}

// With returns the same embedder, recording every request in the ledger. Both
// share the cache.
func (e *ServedEmbedder) With(ledger Ledger) Embedder {
	other := *e
	other.ledger = ledger
	return &other
}

// EmbedderWith returns e with its requests recorded in the ledger. It returns e
// itself if e has no method With, as an embedder that makes no requests.
func EmbedderWith(e Embedder, ledger Ledger) Embedder {
	if recording, ok := e.(interface{ With(ledger Ledger) Embedder }); ok {
		return recording.With(ledger)
	}
	return e
}

// Probe embeds a short text, to check that the server answers and to learn the
// length of its vectors. Once that is known, it makes no request.
func (e *ServedEmbedder) Probe(ctx context.Context) (dimensions int, err error) {
	if e.learned.dimensions.Load() == 0 {
		if _, err := e.Embed(ctx, []string{"annals"}); err != nil {
			return 0, err
		}
	}
	return e.Dimensions(), nil
}

// Embed returns one vector of length one for each text, in order. Equal texts
// are sent once, cached ones not at all. A text longer than MaxBytes is cut
// there, and further if the model takes less. A blank text is embedded as a
// dash, since most providers refuse it.
//
// If the provider does not answer, or without usable vectors, the error is a
// [*CallError]. For vectors of the wrong length it is a [graph.Error] of code
// invalid. If the context ends, it wraps the context's error.
func (e *ServedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	readable := each.Of(texts, func(text string) string { return readableText(text, e.config.MaxBytes) })
	return e.cache.embed(ctx, readable, e.request)
}

// readableText returns the text that is sent for a text: valid UTF-8 of at most
// most bytes, not blank.
func readableText(text string, most int) string {
	text = beginning(strings.ToValidUTF8(text, "\uFFFD"), most)
	if strings.TrimSpace(text) == "" {
		return "-"
	}
	return text
}

// beginning returns at most most bytes of a text, ending at a character
// boundary.
func beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
