package onnx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gomlx/go-huggingface/hub"
)

var hubName = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*$`)

// smallFiles are the files beside the network that are used where they exist.
var smallFiles = []string{
	"config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
	"sentence_bert_config.json", "1_Pooling/config.json",
}

// find is the folder of a model, downloading it if need be.
func find(ctx context.Context, config Config) (string, error) {
	if config.Model == "" {
		return "", errors.New("no embedding model is named: give a folder with model.onnx and tokenizer.json, or a name on the Hugging Face hub")
	}
	info, err := os.Stat(config.Model)
	switch {
	case err == nil && info.IsDir():
		return filepath.Abs(config.Model)
	case err == nil:
		return "", fmt.Errorf("%s is a file: name the folder that holds model.onnx and tokenizer.json", config.Model)
	case !hubName.MatchString(config.Model):
		return "", fmt.Errorf("there is no folder %s to read a model from: name one that holds model.onnx and tokenizer.json", config.Model)
	case config.CacheDir == "":
		return "", fmt.Errorf("there is no folder %s, and to download a model of that name from the Hugging Face hub "+
			"a folder to keep it in must be set", config.Model)
	}
	return fromHub(ctx, config)
}

// fromHub is the folder of a model of the hub.
func fromHub(ctx context.Context, config Config) (string, error) {
	if config.Revision == "" {
		config.Revision = "main"
	}
	if folder, ok := downloaded(config); ok {
		return folder, nil
	}
	if _, err := findLibrary(config.Library); err != nil { // so that nothing is downloaded in vain
		return "", err
	}
	type result struct {
		folder string
		err    error
	}
	// The library's request for the list of files does not heed a context.
	done := make(chan result, 1)
	go func() {
		folder, err := download(ctx, config)
		done <- result{folder, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case got := <-done:
		if got.err != nil {
			return "", fmt.Errorf("download the embedding model %s from the Hugging Face hub: %w "+
				"(without a network, copy the model's folder here and name that folder instead)", config.Model, got.err)
		}
		return got.folder, nil
	}
}

// cacheOf is the folder of one model in the layout of huggingface_hub.
func cacheOf(config Config) string {
	return filepath.Join(config.CacheDir, "models--"+strings.ReplaceAll(config.Model, "/", "--"))
}

// downloaded is the folder of a model that was downloaded before. Its commit is
// written down under refs only once all of its files are there.
func downloaded(config Config) (string, bool) {
	commit, err := os.ReadFile(filepath.Join(cacheOf(config), "refs", config.Revision))
	if err != nil {
		return "", false
	}
	folder := filepath.Join(cacheOf(config), "snapshots", strings.TrimSpace(string(commit)))
	_, err = findNetwork(folder, config.File)
	return folder, err == nil && isFile(filepath.Join(folder, "tokenizer.json"))
}

func download(ctx context.Context, config Config) (string, error) {
	repo := hub.New(config.Model).WithCacheDir(config.CacheDir).WithRevision(config.Revision).WithAuth(config.Token)
	repo.Verbosity = 0
	if config.Endpoint != "" {
		repo = repo.WithEndpoint(strings.TrimSuffix(config.Endpoint, "/"))
	}
	names, err := listFiles(repo)
	if err != nil {
		return "", err
	}
	wanted, err := wantedFiles(names, config.File)
	if err != nil {
		return "", err
	}
	// One after the other: the library counts those it fetches side by side
	// without a lock, and nearly all of the bytes are in one file.
	for _, name := range wanted {
		if _, err := repo.DownloadFileCtx(ctx, name); err != nil {
			return "", err
		}
	}
	return keepRef(config, repo.Info().CommitHash)
}

func listFiles(repo *hub.Repo) ([]string, error) {
	var names []string
	for name, err := range repo.IterFileNames() {
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// wantedFiles are the files of a model to download.
func wantedFiles(names []string, file string) ([]string, error) {
	candidates := []string{"model.onnx", "onnx/model.onnx"}
	if file != "" {
		candidates = []string{filepath.ToSlash(file)}
	}
	at := slices.IndexFunc(candidates, func(name string) bool { return slices.Contains(names, name) })
	if at < 0 {
		return nil, fmt.Errorf("it has no %s: choose a model that comes in ONNX form", strings.Join(candidates, " or "))
	}
	if !slices.Contains(names, "tokenizer.json") {
		return nil, errors.New("it has no tokenizer.json: choose a model that comes with one")
	}
	network := candidates[at]
	wanted := []string{network}
	for _, name := range append([]string{network + "_data"}, smallFiles...) {
		if slices.Contains(names, name) {
			wanted = append(wanted, name)
		}
	}
	return wanted, nil
}

// keepRef notes which commit is complete and returns its folder.
func keepRef(config Config, commit string) (string, error) {
	ref := filepath.Join(cacheOf(config), "refs", config.Revision)
	if err := os.MkdirAll(filepath.Dir(ref), 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(ref, []byte(commit), 0o600); err != nil {
		return "", err
	}
	return filepath.Join(cacheOf(config), "snapshots", commit), nil
}
