// Package onnx makes vectors of texts with a sentence-embedding model that
// runs inside this process: no server, no key, no network once the model's
// files are there.
//
// A model is a folder as sentence-transformers and Hugging Face's optimum write
// it: model.onnx (the network, at the top or in the folder onnx) and
// tokenizer.json (how text becomes tokens), and beside them the small files
// that say how long a text may be (config.json, tokenizer_config.json,
// sentence_bert_config.json) and how the vectors of its tokens become one
// (1_Pooling/config.json). [Open] takes such a folder, or the name of a model
// on the Hugging Face hub, which it downloads once.
//
// A text goes through four steps: it is cut into tokens, of which the model
// reads the first 512 or fewer; the network makes a vector of each token; the
// vectors of a text are averaged (Reimers and Gurevych, Sentence-BERT, EMNLP
// 2019, section 3); and the average is scaled to length one.
//
// ONNX Runtime's shared library runs the network, without cgo, on Linux: see
// package native. docs/models.md has the figures.
package onnx

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/gomlx/go-huggingface/tokenizers/hftokenizer"
)

// Config says which model to run. Only Model is required.
type Config struct {
	// Model is a folder with the model's files, or the name of a model on the
	// Hugging Face hub: "sentence-transformers/all-MiniLM-L6-v2". A folder of
	// that name wins.
	Model string

	// CacheDir is the folder that models of the hub are downloaded to, each by its
	// name. Required for the name of a hub; a model that is there already is opened
	// without touching the network.
	CacheDir string

	// File is the network's file within the model, for models that come in
	// several: "onnx/model_O2.onnx". Defaults to model.onnx, then
	// onnx/model.onnx, then the only .onnx file of a folder.
	File string

	// Endpoint is the address of the hub or of a mirror of it. Defaults to
	// https://huggingface.co.
	Endpoint string

	// Token lets the hub hand out models that are not public. It is not needed
	// for public ones.
	Token string

	// Library is ONNX Runtime's shared library, or the folder that holds it.
	// Defaults to the one next to the program or in one of the usual folders; see
	// [native.Find].
	Library string
}

// Embedder makes vectors with one model. It is safe for concurrent use, but
// runs one batch at a time: the network uses all processors by itself.
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

// Open loads a model, downloading it first where Config.Model names one of the
// hub that is not in Config.CacheDir, and runs it once to learn its dimension.
// A model of 90 MB takes less than a second. It fails where ONNX Runtime's library
// is missing, and says how to get it. Cancelling ctx stops the download, not the
// embedder that Open returns.
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

// modelName is the last part of a folder or of a name on the hub.
func modelName(model string) string {
	if abs, err := filepath.Abs(model); err == nil {
		model = abs
	}
	return filepath.Base(model)
}

// Name is "onnx:" and the last part of the model's folder or name:
// "onnx:all-MiniLM-L6-v2".
func (e *Embedder) Name() string { return e.name }

// Dimensions is how many numbers a vector has: 384 for all-MiniLM-L6-v2.
func (e *Embedder) Dimensions() int { return e.dimensions }

// MaxTokens is the longest text that is read, in tokens, among them the two or
// so that the model adds by itself.
func (e *Embedder) MaxTokens() int { return e.limit }

// Runtime is what runs the network: "ONNX Runtime 1.32.0, /usr/lib/libonnxruntime.so".
func (e *Embedder) Runtime() string { return e.network.name }

var errClosed = errors.New("the embedding model is closed")

// Close frees the model, after the batch that is running. Embed fails from
// then on. Closing twice does nothing.
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
