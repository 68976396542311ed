package model

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
)

// dialect is the protocol of a provider.
type dialect uint8

const (
	openAI dialect = iota // chat completions, offered by nearly all providers
	anthropicMessages
	ollamaChat
)

// provider is an operator of models and its address.
type provider struct {
	name     string
	baseURL  string
	variable string // the environment variable of its key; empty: no key
	dialect  dialect
}

// providers holds the providers by their names in specifications.
var providers = map[string]provider{
	"openai":     {baseURL: "https://api.openai.com/v1", variable: "OPENAI_API_KEY"},
	"anthropic":  {baseURL: "https://api.anthropic.com/v1", variable: "ANTHROPIC_API_KEY", dialect: anthropicMessages},
	"gemini":     {baseURL: "https://generativelanguage.googleapis.com/v1beta/openai", variable: "GEMINI_API_KEY"},
	"mistral":    {baseURL: "https://api.mistral.ai/v1", variable: "MISTRAL_API_KEY"},
	"groq":       {baseURL: "https://api.groq.com/openai/v1", variable: "GROQ_API_KEY"},
	"openrouter": {baseURL: "https://openrouter.ai/api/v1", variable: "OPENROUTER_API_KEY"},
	"ollama":     {baseURL: "http://localhost:11434", dialect: ollamaChat},
	"vllm":       {baseURL: "http://localhost:8000/v1"},
	"llamacpp":   {baseURL: "http://localhost:8080/v1"},
	"lmstudio":   {baseURL: "http://localhost:1234/v1"},
}

// local reports whether the provider is a program on the user's own machines, whose
// tokens cost nothing.
func (p provider) local() bool { return p.variable == "" }

// APIKeyVariable returns the environment variable that holds the key of a provider
// ("openai" → OPENAI_API_KEY). It is empty for an unknown provider or one without keys.
// This package does not read the environment: programs do, and set [Config.APIKey].
func APIKeyVariable(provider string) string {
	if provider == "google" { // embedders may use this name
		provider = "gemini"
	}
	return providers[provider].variable
}

// needsKey refuses a remote provider without a key, which would reject every call. A
// server with a BaseURL may need none.
func (p provider) needsKey(field string, c Config) error {
	if c.APIKey != "" || c.BaseURL != "" || p.local() {
		return nil
	}
	return graph.Invalid(field, "%s needs a key, and there is none: set %s", p.name, p.variable)
}

// examples holds the specification that an error shows, by field.
var examples = map[string]string{"embedder": "openai:text-embedding-3-small or ollama:nomic-embed-text"}

// parseSpec reads a specification "provider:model". field is its name in errors.
func parseSpec(field, spec, baseURL string) (p provider, model string, err error) {
	name, model, _ := strings.Cut(strings.TrimSpace(spec), ":")
	p, known := providers[name]
	if !known || model == "" {
		return provider{}, "", graph.Invalid(field, "%q is not a model: write provider:model, as in %s; providers are %s. Any other server that speaks the OpenAI protocol is openai:MODEL with a base URL of its own. "+
			"What needs no model is just offline",
			spec, cmp.Or(examples[field], "openai:gpt-5-mini or ollama:qwen3:8b"), strings.Join(slices.Sorted(maps.Keys(providers)), ", "))
	}
	p.name = name
	p.baseURL = strings.TrimRight(cmp.Or(baseURL, p.baseURL), "/")
	if p.dialect == ollamaChat { // users paste the addresses of its other interfaces
		p.baseURL = strings.TrimSuffix(strings.TrimSuffix(p.baseURL, "/v1"), "/api")
	}
	if u, err := url.Parse(p.baseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return provider{}, "", graph.Invalid(field, "the base URL must be a whole address such as http://localhost:8000/v1")
	}
	return p, model, nil
}
