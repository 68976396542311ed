package onnx

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// highestLimit is the most tokens read of a text: time and memory grow quadratically.
const highestLimit = 512

// pooling is the method of combining token vectors to a text's vector.
type pooling int

const (
	meanPooling pooling = iota // averages the vectors of all tokens
	clsPooling                 // takes the vector of the first token, as BGE models require
)

// folder describes a model before it is loaded.
type folder struct {
	path    string
	network string // path of the .onnx file
	limit   int    // in tokens
	pooling pooling
}

// readFolder checks that the files exist and reads the small ones.
func readFolder(path string, config Config) (folder, error) {
	network, err := findNetwork(path, config.File)
	if err != nil {
		return folder{}, err
	}
	if !isFile(filepath.Join(path, "tokenizer.json")) {
		return folder{}, fmt.Errorf("the embedding model %s has no tokenizer.json: "+
			"export it with the tokenizers library (\"fast\" tokenizer), vocab.txt alone is not enough", path)
	}
	limit, err := readLimit(path)
	if err != nil {
		return folder{}, err
	}
	pooling, err := readPooling(path)
	if err != nil {
		return folder{}, err
	}
	return folder{path: path, network: network, limit: limit, pooling: pooling}, nil
}

// findNetwork returns the path of the .onnx file to run.
func findNetwork(path, file string) (string, error) {
	if file != "" {
		if network := filepath.Join(path, file); isFile(network) {
			return network, nil
		}
		return "", fmt.Errorf("the embedding model %s has no file %s", path, file)
	}
	for _, name := range []string{"model.onnx", "onnx/model.onnx"} {
		if network := filepath.Join(path, name); isFile(network) {
			return network, nil
		}
	}
	networks, err := filepath.Glob(filepath.Join(path, "*.onnx"))
	switch {
	case err != nil || len(networks) == 0:
		return "", fmt.Errorf("the embedding model %s has no model.onnx: export it to ONNX, "+
			"for example with \"optimum-cli export onnx\", or choose a model that comes with one", path)
	case len(networks) > 1:
		return "", fmt.Errorf("the embedding model %s has several .onnx files and none is called model.onnx: "+
			"say which one to run", path)
	}
	return networks[0], nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// readLimit returns the lowest token limit in the model's files, as
// sentence-transformers does, at most highestLimit.
func readLimit(path string) (int, error) {
	var model struct {
		Type      string  `json:"model_type"`
		Positions float64 `json:"max_position_embeddings"`
	}
	var tokeniser struct {
		Longest float64 `json:"model_max_length"`
	}
	var sentences struct {
		Longest float64 `json:"max_seq_length"`
	}
	err := errors.Join(
		readJSON(filepath.Join(path, "config.json"), &model),
		readJSON(filepath.Join(path, "tokenizer_config.json"), &tokeniser),
		readJSON(filepath.Join(path, "sentence_bert_config.json"), &sentences))
	if err != nil {
		return 0, err
	}
	if slices.Contains([]string{"roberta", "xlm-roberta", "camembert", "mpnet"}, model.Type) {
		model.Positions -= 2 // The first two positions are for padding.
	}
	limit := float64(highestLimit) // Some files write 1e30 for "no limit".
	for _, longest := range []float64{model.Positions, tokeniser.Longest, sentences.Longest} {
		if longest > 0 {
			limit = min(limit, longest)
		}
	}
	return int(limit), nil
}

// readPooling returns the pooling that the model states; the default is the mean.
func readPooling(path string) (pooling, error) {
	modes := map[string]any{}
	if err := readJSON(filepath.Join(path, "1_Pooling", "config.json"), &modes); err != nil {
		return 0, err
	}
	var on []string
	for mode, value := range modes {
		if value == true && strings.HasPrefix(mode, "pooling_mode_") {
			on = append(on, strings.TrimPrefix(mode, "pooling_mode_"))
		}
	}
	slices.Sort(on)
	switch strings.Join(on, "+") {
	case "", "mean_tokens":
		return meanPooling, nil
	case "cls_token":
		return clsPooling, nil
	}
	return 0, fmt.Errorf("the embedding model %s pools by %s, which is not supported: choose a model that pools by mean or cls",
		path, strings.Join(on, " and "))
}

// readJSON reads a file, if it exists.
func readJSON(path string, into any) error {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		return fmt.Errorf("read %s of the embedding model: %w", path, err)
	}
	return nil
}
