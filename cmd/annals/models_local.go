package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/hub"
	"github.com/annalsdb/annals/model/onnx"
)

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
