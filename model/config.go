package model

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"github.com/annalsdb/annals/graph"
)

// Structured is the way in which a model is made to answer in JSON.
type Structured string

// The ways, from the strictest to the one that needs nothing of the provider.
const (
	// StructuredAuto begins with StructuredSchema, and goes down to the next
	// where the server refuses; what works is remembered by the LLM. The zero
	// Structured is this one.
	StructuredAuto Structured = "auto"

	// StructuredSchema asks the provider to enforce the schema while it
	// generates.
	StructuredSchema Structured = "schema"

	// StructuredJSON asks the provider to enforce JSON, and puts the schema
	// into the prompt. For Anthropic, which has no such mode, it is a tool with
	// that schema which the model must call.
	StructuredJSON Structured = "json"

	// StructuredPrompt only puts the schema into the prompt.
	StructuredPrompt Structured = "prompt"
)

// Config says which model to ask and how. Only Model is required.
type Config struct {
	// APIKey is what the provider wants to see; empty for servers that need
	// none. It never appears in an error or a log.
	APIKey string

	// Backoff is the pause before the second try; later ones double it, each
	// moved at random by up to half. A provider that names a time (Retry-After)
	// is waited for instead. Defaults to 500 ms.
	Backoff time.Duration

	// BaseURL replaces the provider's own address. With its version: …/v1.
	BaseURL string

	// Concurrency is how many calls are in flight at once for the provider and
	// base URL, in the whole process. The latest LLM opened with a number
	// decides. Defaults to 8.
	Concurrency int

	// HTTPClient provides the transport of requests; tests set it. Defaults to
	// one like [http.DefaultTransport].
	HTTPClient *http.Client

	// Log receives what an operator wants to know: calls that are tried again,
	// texts that are cut. Defaults to nothing.
	Log *slog.Logger

	// MaxTokens bounds an answer. One that does not fit is asked for once more
	// with twice as many. Defaults to 4096.
	MaxTokens int

	// Model is "provider:model". Providers are openai, anthropic and ollama, and
	// by the OpenAI protocol gemini, mistral, groq, openrouter, vllm, llamacpp
	// and lmstudio. Any other server that speaks it is openai with a BaseURL.
	Model string

	// Prices are looked up before the shipped ones, by "provider:model".
	Prices Prices

	// RequestsPerMinute and TokensPerMinute keep the process within the rate the
	// provider allows to this base URL. Tokens are those of the prompts, guessed
	// from their length, and those of the answers once they are there. 0: no
	// limit. The latest LLM opened with a number decides.
	RequestsPerMinute, TokensPerMinute int

	// Retries is how often a call is tried again after a failure that may pass:
	// 408, 429, 5xx, a broken connection; a timeout only once. Defaults to 4;
	// negative: never.
	Retries int

	// Structured says how JSON is asked for. Defaults to StructuredAuto.
	Structured Structured

	// Timeout bounds one try, from sending to the last byte. Defaults to 120 s.
	Timeout time.Duration
}

const (
	defaultBackoff     = 500 * time.Millisecond
	defaultConcurrency = 8
	defaultMaxTokens   = 4096
	defaultRetries     = 4
	defaultTimeout     = 120 * time.Second
)

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Backoff = cmp.Or(c.Backoff, defaultBackoff)
	c.MaxTokens = cmp.Or(c.MaxTokens, defaultMaxTokens)
	c.Retries = cmp.Or(c.Retries, defaultRetries)
	c.Structured = cmp.Or(c.Structured, StructuredAuto)
	c.Timeout = cmp.Or(c.Timeout, defaultTimeout)
	return c
}

func (c Config) validate() error {
	switch {
	case c.Timeout < 0 || c.Backoff < 0:
		return graph.Invalid("llm", "a timeout or backoff cannot be negative")
	case c.MaxTokens < 0 || c.RequestsPerMinute < 0 || c.TokensPerMinute < 0 || c.Concurrency < 0:
		return graph.Invalid("llm", "the limits (answer tokens, requests and tokens a minute, calls at once) cannot be negative")
	}
	switch cmp.Or(c.Structured, StructuredAuto) {
	case StructuredAuto, StructuredSchema, StructuredJSON, StructuredPrompt:
		return nil
	}
	return graph.Invalid("structured", "%q is not one of auto, schema, json, prompt", c.Structured)
}
