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

	"github.com/spf13/cobra"

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

const modelsHelp = `Models that run inside Annals, without a server: embedders and rerankers in ONNX
form, and tables with a vector for each token. 'annals models pull' fetches one by
its name into the data folder; ANNALS_EMBEDDER and ANNALS_RERANKER name it by what
stands under USE. 'annals doctor' says what runs them.`

func modelsCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "models",
		Short:   "Fetch and list models that run inside Annals",
		Long:    modelsHelp,
		Example: "  annals models pull all-MiniLM-L6-v2\n  annals models list",
		RunE:    showHelp,
	}
	cmd.AddCommand(modelsPullCommand(a), modelsListCommand(a))
	return cmd
}

func modelsPullCommand(a *app) *cobra.Command {
	var config hub.Config
	cmd := &cobra.Command{
		Use:   "pull NAME",
		Short: "Fetch a model by its name",
		Long: `Fetches a model from huggingface.co, from a mirror that has its addresses, or from
a folder that holds it. Every file is compared with the checksum that the hub
states. What broke off goes on where it was.`,
		Example: `  annals models pull all-MiniLM-L6-v2
  annals models pull cross-encoder/ms-marco-MiniLM-L6-v2
  annals models pull minishlab/potion-base-8M --from https://mirror.example
  annals models pull all-MiniLM-L6-v2 --from /media/models`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			config.Name = args[0]
			return a.pullModel(cmd.Context(), config)
		},
	}
	cmd.Flags().StringVar(&config.From, "from", "", "address of a hub or a mirror, or a folder (default HF_ENDPOINT, or https://huggingface.co)")
	cmd.Flags().StringVar(&config.File, "file", "", "the network's file where a model has several, such as onnx/model_O2.onnx")
	cmd.Flags().BoolVar(&config.Unchecked, "unchecked", false, "take files too of which the source says neither size nor checksum")
	cmd.Flags().StringVar(&config.Revision, "revision", "", "branch, tag or commit (default main)")
	return cmd
}

func (a *app) pullModel(ctx context.Context, config hub.Config) error {
	if _, err := hub.FullName(config.Name); err != nil {
		return graph.Invalid("name", "%v", err)
	}
	folder, err := a.config.modelsDir()
	if err != nil {
		return err
	}
	config.Folder, config.From, config.Token = folder, cmp.Or(config.From, a.config.HubEndpoint), a.config.HubToken
	shown := &pullProgress{app: a}
	config.Progress = shown.show
	model, err := hub.Pull(ctx, config)
	shown.finish()
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(model)
	}
	a.say("%s is in %s (%s). Use it as %s.", model.Name, model.Folder, megabytes(model.Bytes), model.Use)
	return nil
}

// pullProgress shows the progress of a download.
type pullProgress struct {
	app  *app
	file string
	had  int64
	line *progress
}

func (p *pullProgress) show(file string, bytes, of int64) {
	if p.file != file {
		p.finish()
		p.file, p.had, p.line = file, 0, p.app.progress(file, of, megabytes)
	}
	p.line.add(int(bytes - p.had))
	p.had = bytes
}

func (p *pullProgress) finish() {
	if p.line != nil {
		p.line.finish()
	}
}

func modelsListCommand(a *app) *cobra.Command {
	var verify bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the models that were pulled",
		Example: "  annals models list --verify",
		RunE: func(*cobra.Command, []string) error {
			folder, err := a.config.modelsDir()
			if err != nil {
				return err
			}
			return a.listModels(folder, verify)
		},
	}
	cmd.Flags().BoolVar(&verify, "verify", false, "compare every file with its checksum")
	return cmd
}

func (p *printer) listModels(folder string, verify bool) error {
	models, err := hub.List(folder)
	if err != nil {
		return err
	}
	var wrong []string
	for _, model := range models {
		if !verify {
			break
		}
		if err := model.Verify(); err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %s", model.Name, strings.Join(strings.Fields(err.Error()), " ")))
		}
	}
	err = listing[hub.Model]{
		key: "models", header: "USE\tBYTES\tREVISION\tPULLED\tFROM",
		cells: func(m hub.Model, _ string) []string {
			return []string{m.Use, megabytes(m.Bytes), cmp.Or(m.Revision[:min(len(m.Revision), 12)], "-"), m.Pulled.Format("2006-01-02"), m.Source}
		},
		none: "No model was pulled into " + folder + "; 'annals models pull NAME' fetches one.",
	}.print(p, models)
	if err == nil && len(wrong) > 0 {
		err = fmt.Errorf("damaged: %s; pull again", strings.Join(wrong, "; "))
	}
	return err
}

// judgeRuntime checks ONNX Runtime. A library that cannot run models is a warning; if a model is
// configured, any failure is a fault.
func (c config) judgeRuntime() checkJSON {
	runs, err := onnx.Runtime(c.ONNXRuntime)
	if err == nil {
		return checkJSON{Name: "onnx", State: checkFine, Found: "models run on " + runs}
	}
	found := strings.Join(strings.Fields(err.Error()), " ")
	used := strings.HasPrefix(c.Embedder, onnxPrefix) || strings.HasPrefix(c.Reranker, onnxPrefix)
	if used {
		return judge("onnx", true, checkBroken, found, "models named onnx: cannot run until then")
	}
	return judge("onnx", c.ONNXRuntime != "", checkWarning, "no models run on ONNX Runtime: "+found, "correct ANNALS_ONNXRUNTIME, or unset it")
}
