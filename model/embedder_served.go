package model

import (
	"cmp"
	"context"
	"strings"
	"sync/atomic"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// EmbedderConfig says which embedding model to ask and how. Only Config.Model
// is required.
type EmbedderConfig struct {
	// Config names the model and how to reach it. MaxTokens and Structured mean
	// nothing to an embedder.
	//
	// Model is "provider:model" as in openai:text-embedding-3-small,
	// gemini:gemini-embedding-001 (or google:), mistral:mistral-embed or
	// ollama:nomic-embed-text. Beside the providers of language models there is
	// tei for text-embeddings-inference. Any other server that speaks OpenAI's
	// protocol is openai with a BaseURL.
	Config

	// BatchTexts is how many texts go into one request at most. Less go where
	// the texts are long, or the answer would be. Defaults to 256, and to what
	// the provider takes where that is known to be less.
	BatchTexts int

	// CachedTexts is how many texts keep their vectors in memory, those used
	// last: about 60 MB for the default with vectors of 1536 numbers. Defaults
	// to 10,000; negative: none.
	CachedTexts int

	// Dimensions is how many numbers a vector has to have. A server that speaks
	// OpenAI's protocol is asked to make that many; vectors of another number
	// are refused. Defaults to what the model makes by itself, which is not
	// known before the first answer; see [ServedEmbedder.Probe].
	Dimensions int

	// MaxBytes is how much of a text is read: what follows is left out, at the
	// boundary of a character. Defaults to 24 KiB, which is less than the 8192
	// tokens that most models read, in nearly all languages.
	MaxBytes int
}

const (
	defaultBatchTexts  = 256
	defaultCachedTexts = 10_000
	defaultMaxBytes    = 24 << 10
)

// ServedEmbedder makes vectors with a model that a provider or a server of
// one's own runs. It is safe for concurrent use.
//
// It does not go through langchaingo, whose clients lose what counts here:
// that of OpenAI takes vectors in the order they come in and not by their
// index, and does not tell how many tokens they cost; that of Ollama sends a
// request for every text. What is left is one JSON request, which goes through
// the same transport as the language models', and so shares its limits and
// retries.
type ServedEmbedder struct {
	served
	config  EmbedderConfig
	cache   *vectorCache
	learned *learned
}

// learned is what the answers of a server revealed.
type learned struct {
	dimensions   atomic.Int64 // 0: no answer yet
	noDimensions atomic.Bool  // it refuses requests that name the dimensions
}

// OpenEmbedder returns the embedder that c names. It does not call it yet. A
// configuration that cannot be understood is a [graph.Error] of code invalid
// with the field embedder.
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

// batchTextsOf are the most texts that providers take at once, where they take
// less than the default.
var batchTextsOf = map[string]int{"gemini": 100, "tei": 32}

// parseEmbedderSpec knows, beside the providers of language models, one of
// embedding models only, and Google by its name.
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
		// A server runs one model, so that its name is only for the records.
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

// Dimensions is how many numbers a vector has: what was asked for, or what the
// first answer had. 0: neither.
func (e *ServedEmbedder) Dimensions() int {
	return cmp.Or(e.config.Dimensions, int(e.learned.dimensions.Load()))
}

// With returns the same embedder, which records every request in the ledger.
// Both share what they have in memory.
func (e *ServedEmbedder) With(ledger Ledger) Embedder {
	other := *e
	other.ledger = ledger
	return &other
}

// EmbedderWith returns e recording its requests in the ledger, if it makes any
// that count; else e.
func EmbedderWith(e Embedder, ledger Ledger) Embedder {
	if recording, ok := e.(interface{ With(ledger Ledger) Embedder }); ok {
		return recording.With(ledger)
	}
	return e
}

// Probe asks for the vector of a short text, to learn whether the server is
// there and how many dimensions its vectors have. It asks only once.
func (e *ServedEmbedder) Probe(ctx context.Context) (dimensions int, err error) {
	if e.learned.dimensions.Load() == 0 {
		if _, err := e.Embed(ctx, []string{"annals"}); err != nil {
			return 0, err
		}
	}
	return e.Dimensions(), nil
}

// Embed returns one vector of length one for each text, in order. Texts alike
// are sent once, those that were embedded lately not at all. A text longer than
// MaxBytes is cut there, and further where the model takes less; one of nothing
// but space is embedded as a dash, since most providers refuse it.
//
// A provider that does not answer, or not with vectors, is a [*CallError];
// vectors of the wrong dimension are a [graph.Error] of code invalid; a context
// that ends is its own error.
func (e *ServedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	readable := each.Of(texts, func(text string) string { return readableText(text, e.config.MaxBytes) })
	return e.cache.embed(ctx, readable, e.request)
}

// readableText is what a model can be asked to embed of a text.
func readableText(text string, most int) string {
	text = beginning(strings.ToValidUTF8(text, "\uFFFD"), most)
	if strings.TrimSpace(text) == "" {
		return "-"
	}
	return text
}

// beginning is at most the given number of bytes of a text in UTF-8, and whole
// characters.
func beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
