package model

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"github.com/annalsdb/annals/graph"
)

// Structured is the method of making a model answer in JSON.
type Structured string

// The methods, strictest first.
const (
	// StructuredAuto starts with StructuredSchema and falls back to the next
	// method if the server refuses. The LLM remembers the method that worked.
	// The zero Structured means StructuredAuto.
	StructuredAuto Structured = "auto"

	// StructuredSchema has the provider enforce the schema during generation.
	StructuredSchema Structured = "schema"

	// StructuredJSON has the provider enforce JSON, and puts the schema into the
	// prompt. Anthropic has no such mode: there, the model must call a tool with
	// that schema.
	StructuredJSON Structured = "json"

	// StructuredPrompt only puts the schema into the prompt.
	StructuredPrompt Structured = "prompt"
)

// Config selects a model and how to reach it. Only Model is required.
type Config struct {
	// APIKey is the provider's key; empty for servers without keys. It never
	// appears in an error or a log.
	APIKey string

	// Backoff is the pause before the second try. It doubles with each try, up
	// to 30 s or Backoff if that is longer, and varies at random by up to half.
	// A Retry-After header of the provider takes precedence; one of more than
	// two minutes fails the call. Defaults to 500 ms.
	Backoff time.Duration

	// BaseURL replaces the provider's own address. It includes the version:
	// …/v1.
	BaseURL string

	// Concurrency is the limit of simultaneous calls to the provider at this
	// base URL, for the whole process. The latest LLM opened with a number sets
	// it. Defaults to 8.
	Concurrency int

	// HTTPClient provides the transport of requests; tests set it. Defaults to a
	// transport like [http.DefaultTransport].
	HTTPClient *http.Client

	// Log receives warnings for operators: retried calls, texts that are cut.
	// Defaults to no log.
	Log *slog.Logger

	// MaxTokens limits an answer. After a truncated answer the question is asked
	// once more with twice the limit. Defaults to 4096.
	MaxTokens int

	// Model is "provider:model". Providers are openai, anthropic and ollama, and
	// by the OpenAI protocol gemini, mistral, groq, openrouter, vllm, llamacpp
	// and lmstudio. For any other server with that protocol, use openai and a
	// BaseURL.
	Model string

	// Prices, by "provider:model", take precedence over the shipped ones.
	Prices Prices

	// RequestsPerMinute and TokensPerMinute limit the rate of the whole process
	// at this base URL. Tokens of prompts are estimated from their length; those
	// of answers are counted afterwards. 0: no limit. The latest LLM opened with
	// a number sets it.
	RequestsPerMinute, TokensPerMinute int

	// Retries is the number of further tries after a failure that may pass:
	// status 408, 425, 429 or 5xx except 501, or a broken connection. A timeout
	// is retried only once. Defaults to 4; negative: no retries.
	Retries int

	// Structured is the method of asking for JSON. Defaults to StructuredAuto.
	Structured Structured

	// Timeout limits each try, from sending to the last byte. Defaults to 120 s.
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
