// Package onnx makes vectors of texts with a sentence-embedding model on this machine.
// It needs no server and no key, and no network once the model's files are there.
//
// A model is a folder in the form of sentence-transformers and Hugging Face's optimum.
// It holds the network (model.onnx, at the top or in the folder onnx) and the
// tokeniser (tokenizer.json). Small files beside them give the limit of a text
// (config.json, tokenizer_config.json, sentence_bert_config.json) and the pooling of
// token vectors (1_Pooling/config.json). [Open] takes such a folder, or the name of a
// model on the Hugging Face hub, which it downloads once.
//
// A text takes four steps. It is cut into tokens, of which the model reads the first
// 512 or fewer. The network makes a vector of each token. These vectors are averaged
// (Reimers and Gurevych, Sentence-BERT, EMNLP 2019, section 3), or the first is taken
// if the model asks for that. The result is scaled to length one.
//
// ONNX Runtime's shared library runs the network on Linux, without cgo, in a process
// of its own: see package native. docs/models.md has the figures.
package onnx

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/gomlx/go-huggingface/tokenizers/hftokenizer"
)

// Config selects the model to run. Only Model is required.
type Config struct {
	// Model is a folder with the model's files, or the name of a model on the Hugging
	// Face hub: "sentence-transformers/all-MiniLM-L6-v2". An existing folder takes
	// precedence.
	Model string

	// CacheDir is the folder for downloaded models, each by its name. It is required
	// for a name of the hub. A model that is already there is opened without the
	// network.
	CacheDir string

	// File is the network's file within the model, for models with several:
	// "onnx/model_O2.onnx". Defaults to model.onnx, then onnx/model.onnx, then the
	// only .onnx file of a folder.
	File string

	// Endpoint is the URL of the hub or of a mirror. Defaults to
	// https://huggingface.co.
	Endpoint string

	// Token authorises the download of models that are not public.
	Token string

	// Library is the path of ONNX Runtime's shared library, or of its folder. Defaults
	// to the usual folders; see [native.Find].
	Library string
}

// Embedder makes vectors with a model. It is safe for concurrent use, but runs one
// batch at a time, on at most two threads.
type Embedder struct {
	name       string
	dimensions int
	limit      int
	pooling    pooling
	network    *network
	tokeniser  *hftokenizer.Tokenizer

	// turn holds one token. Its holder may use the network.
	turn   chan struct{}
	closed atomic.Bool
}

// Open loads a model and runs it once to learn its dimension. It first downloads a
// model of the hub that is not in Config.CacheDir. Loading a model of 90 MB takes less
// than a second. It fails if ONNX Runtime's library is missing; the error says how to
// get it. Cancelling ctx stops the download, not the returned embedder.
func Open(ctx context.Context, config Config) (*Embedder, error) {
	folder, err := find(ctx, config)
	if err != nil {
		return nil, err
	}
	about, err := readFolder(folder, config)
	if err != nil {
		return nil, err
	}
	e, err := load(about, config)
	if err != nil {
		return nil, fmt.Errorf("load the embedding model %s: %w", about.network, err)
	}
	e.name = "onnx:" + modelName(config.Model)
	if err := e.probe(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("try the embedding model %s: %w", about.network, err), e.Close())
	}
	return e, nil
}

// modelName returns the last element of a folder or of a name on the hub.
func modelName(model string) string {
	if abs, err := filepath.Abs(model); err == nil {
		model = abs
	}
	return filepath.Base(model)
}

// Name returns "onnx:" and the last element of the model's folder or name:
// "onnx:all-MiniLM-L6-v2".
func (e *Embedder) Name() string { return e.name }

// Dimensions returns the length of a vector: 384 for all-MiniLM-L6-v2.
func (e *Embedder) Dimensions() int { return e.dimensions }

// MaxTokens returns the limit of a text in tokens, including the two or so special
// tokens that the model adds.
func (e *Embedder) MaxTokens() int { return e.limit }

// Runtime returns the version and path of the library: "ONNX Runtime 1.32.0,
// /usr/lib/libonnxruntime.so".
func (e *Embedder) Runtime() string { return e.network.name }

var errClosed = errors.New("the embedding model is closed")

// Close frees the model after the running batch. Later calls of Embed fail. A second
// Close does nothing.
func (e *Embedder) Close() error {
	<-e.turn
	defer e.pass()
	if e.closed.Swap(true) {
		return nil
	}
	if err := e.network.close(); err != nil {
		return fmt.Errorf("close the embedding model: %w", err)
	}
	return nil
}

func (e *Embedder) pass() { e.turn <- struct{}{} }

// probe learns the dimension.
func (e *Embedder) probe(ctx context.Context) error {
	vectors, err := e.Embed(ctx, []string{"annals"})
	if err != nil {
		return err
	}
	e.dimensions = len(vectors[0])
	return nil
}
