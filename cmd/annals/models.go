package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/hub"
	"github.com/annalsdb/annals/model/onnx"
	"github.com/annalsdb/annals/model/static"
	"github.com/annalsdb/annals/retrieval"
)

// cachedTexts is how many texts have their vectors cached in memory.
const cachedTexts = 10_000

// offline is the name of the offline rules and embedder.
const offline = "offline"

// llms opens the configured language models; nil: none.
func (c config) llms() (main, small *model.LLM, err error) {
	if isOffline(c.LLM) && !isOffline(c.SmallLLM) {
		return nil, nil, graph.Invalid("ANNALS_SMALL_LLM", "is set but ANNALS_LLM is not: name the model that reads episodes as well")
	}
	if main, err = c.llm("ANNALS_LLM", c.LLM); err != nil {
		return nil, nil, err
	}
	small, err = c.llm("ANNALS_SMALL_LLM", c.SmallLLM)
	return main, small, err
}

func isOffline(spec string) bool { return spec == "" || spec == offline }

func (c config) llm(variable, spec string) (*model.LLM, error) {
	if isOffline(spec) {
		return nil, nil
	}
	reach, err := c.reach(spec, c.LLMBaseURL, cmp.Or(c.LLMKey, c.environ[model.APIKeyVariable(providerOf(spec))]))
	if err != nil {
		return nil, err
	}
	reach.RequestsPerMinute, reach.TokensPerMinute, reach.Structured = c.RPM, c.TPM, model.Structured(c.Structured)
	llm, err := model.OpenLLM(reach)
	return llm, named(variable, err)
}

// nameOfflineEmbedder accepts the name that doctor shows for the offline embedder, and sets the
// dimensions from it.
func (c *config) nameOfflineEmbedder() error {
	kept, ok := strings.CutPrefix(c.Embedder, "offline:hash-1-")
	if !ok {
		return nil
	}
	dimension, err := strconv.Atoi(kept)
	if err != nil || dimension <= 0 {
		return graph.Invalid("ANNALS_EMBEDDER", "%q has no number of dimensions; write offline, or offline:hash-1-384", c.Embedder)
	}
	if c.EmbeddingDim != 0 && c.EmbeddingDim != dimension {
		return graph.Invalid("ANNALS_EMBEDDER", "%q makes %d dimensions, and ANNALS_EMBEDDING_DIM says %d", c.Embedder, dimension, c.EmbeddingDim)
	}
	c.Embedder, c.EmbeddingDim = offline, dimension
	return nil
}

// embedder opens the configured embedder; nil is the offline one. dimensions is that of the
// database. If it is 0, as for a new database, the model is asked once for its dimensions.
func (c config) embedder(ctx context.Context, dimensions int) (model.Embedder, error) {
	spec := c.Embedder
	switch {
	case spec == "" || spec == offline:
		return nil, nil
	case strings.HasPrefix(spec, onnxPrefix):
		local, err := c.onnx(spec)
		if err != nil {
			return nil, err
		}
		e, err := onnx.Open(ctx, local)
		if err != nil {
			return nil, named("ANNALS_EMBEDDER", err)
		}
		return model.NewCachedEmbedder(e, cachedTexts), nil
	case strings.HasPrefix(spec, staticPrefix):
		e, err := static.Open(c.pulled(strings.TrimPrefix(spec, staticPrefix)))
		if err != nil {
			return nil, named("ANNALS_EMBEDDER", err)
		}
		return e, nil
	}
	reach, err := c.reach(spec, c.EmbedderBaseURL, cmp.Or(c.EmbedderKey, c.environ[model.APIKeyVariable(providerOf(spec))]))
	if err != nil {
		return nil, err
	}
	reach.RequestsPerMinute, reach.TokensPerMinute = c.RPM, c.TPM
	e, err := model.OpenEmbedder(model.EmbedderConfig{Dimensions: dimensions, Config: reach})
	if err != nil {
		return nil, named("ANNALS_EMBEDDER", err)
	}
	if dimensions == 0 {
		_, err = e.Probe(ctx)
	}
	return e, err
}

// The prefixes of models that run on this machine.
const onnxPrefix, staticPrefix = "onnx:", "static:"

// onnx returns the configuration of the ONNX model in spec.
func (c config) onnx(spec string) (onnx.Config, error) {
	cache, err := c.cacheDir()
	return onnx.Config{
		Model: c.pulled(strings.TrimPrefix(spec, onnxPrefix)), CacheDir: cache, Endpoint: c.HubEndpoint, Token: c.HubToken, Library: c.ONNXRuntime,
	}, err
}

// pulled returns the folder of a pulled model. An existing folder of that name takes precedence.
func (c config) pulled(name string) string {
	if _, err := os.Stat(name); err == nil {
		return name
	}
	if folder, err := c.modelsDir(); err == nil {
		if folder, ok := hub.Folder(folder, name); ok {
			return folder
		}
	}
	return name
}

// reranker opens the configured reranker; nil if there is none. "llm" means the language model
// itself.
func (c config) reranker(ctx context.Context, llm *model.LLM) (model.Reranker, error) {
	spec := c.Reranker
	switch {
	case spec == "" || spec == offline:
		return nil, nil
	case spec == "llm" && llm == nil:
		return nil, graph.Invalid("ANNALS_RERANKER", "is llm but ANNALS_LLM is not set: name the model")
	case spec == "llm":
		return retrieval.NewLLMReranker(llm), nil
	case strings.HasPrefix(spec, onnxPrefix):
		local, err := c.onnx(spec)
		if err != nil {
			return nil, err
		}
		r, err := onnx.OpenReranker(ctx, local)
		return r, named("ANNALS_RERANKER", err)
	}
	reach, err := c.reach(spec, c.RerankerBaseURL, cmp.Or(c.RerankerKey, c.environ[model.RerankerKeyVariable(providerOf(spec))]))
	if err != nil {
		return nil, err
	}
	r, err := model.OpenReranker(model.RerankerConfig{Config: reach})
	return r, named("ANNALS_RERANKER", err)
}

// reach returns how to connect to a model. The key is the one configured for Annals, or that of the
// provider's own programs.
func (c config) reach(spec, baseURL, key string) (model.Config, error) {
	prices, err := c.prices()
	return model.Config{
		Model: spec, BaseURL: baseURL, APIKey: key, Timeout: c.Timeout, Concurrency: c.Concurrency, Prices: prices, Log: c.log,
	}, err
}

func providerOf(spec string) string {
	provider, _, _ := strings.Cut(spec, ":")
	return provider
}

// named sets the field of an error to the name of a variable.
func named(variable string, err error) error {
	var e *annals.Error
	switch {
	case !errors.As(err, &e):
	case e.Field == "structured":
		e.Field = "ANNALS_LLM_STRUCTURED"
	default:
		e.Field = variable
	}
	return err
}

// prices reads the user's price list, a JSON file.
func (c config) prices() (model.Prices, error) {
	if c.Prices == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.Prices)
	if err != nil {
		return nil, fmt.Errorf("read the prices that ANNALS_PRICES names: %w", err)
	}
	var prices model.Prices
	if err := json.Unmarshal(text, &prices); err != nil {
		return nil, graph.Invalid("ANNALS_PRICES", `%s is no price list: write {"openai:gpt-x": {"input": 1.25, "cached": 0.125, "output": 10}}, in US dollars per million tokens`, c.Prices)
	}
	return prices, nil
}
