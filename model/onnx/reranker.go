package onnx

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
)

// Reranker scores texts against a query with a cross-encoder, a network that
// reads both together and returns one number (Nogueira and Cho, Passage
// Re-ranking with BERT, arXiv 1901.04085, section 2). It is safe for concurrent
// use, but runs one batch at a time, on at most two threads.
type Reranker struct {
	name    string
	network *Embedder // supplies the network, tokeniser and turn
	pairing pairing
}

// OpenReranker loads a cross-encoder from a folder or the Hugging Face hub, as
// [Open] does an embedder, and runs it once as a check. It supports models of
// the BERT and RoBERTa families with one output, such as
// cross-encoder/ms-marco-MiniLM-L6-v2 or BAAI/bge-reranker-base. The token
// limit applies to query and text together.
func OpenReranker(ctx context.Context, config Config) (*Reranker, error) {
	folder, err := find(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open a reranker: %w", err)
	}
	about, err := readFolder(folder, config)
	if err != nil {
		return nil, fmt.Errorf("open a reranker: %w", err)
	}
	r, err := loadReranker(about, config)
	if err != nil {
		return nil, fmt.Errorf("load the reranking model %s: %w", about.network, err)
	}
	r.name = "onnx:" + modelName(config.Model)
	if _, err := r.Rerank(ctx, "annals", []string{"annals"}); err != nil {
		return nil, errors.Join(fmt.Errorf("try the reranking model %s: %w", about.network, err), r.Close())
	}
	return r, nil
}

// loadReranker returns a reranker of a model's files, without its name.
func loadReranker(about folder, config Config) (*Reranker, error) {
	pairing, err := readPairing(about.path)
	if err != nil {
		return nil, err
	}
	if about.limit <= pairing.own {
		return nil, fmt.Errorf("a limit of %d tokens leaves no room for a query and a text: allow more", about.limit)
	}
	network, err := load(about, config)
	if err != nil {
		return nil, err
	}
	return &Reranker{network: network, pairing: pairing}, nil
}

const notReranker = "a reranker is a cross-encoder of one output; is it an embedding model?"

// Name returns "onnx:" and the last element of the model's folder or name:
// "onnx:ms-marco-MiniLM-L6-v2".
func (r *Reranker) Name() string { return r.name }

// MaxTokens returns the limit of query and text together in tokens, including
// the three or four special tokens that the model adds.
func (r *Reranker) MaxTokens() int { return r.network.limit }

// Runtime returns the version and path of the library, as [Embedder.Runtime]
// does.
func (r *Reranker) Runtime() string { return r.network.Runtime() }

// Close frees the model after the running batch. Later calls of Rerank fail. A
// second Close does nothing.
func (r *Reranker) Close() error { return r.network.Close() }

var errRerankerClosed = errors.New("the reranking model is closed")

// Rerank returns a score from 0 to 1 for each text, in order: the sigmoid of
// the network's output. If query and text exceed MaxTokens, the longer of the
// two is cut. It fails if ctx is done, which it notices at once, if the model
// returns no number for a pair, and after Close.
func (r *Reranker) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	inputs, err := r.pairs(ctx, query, texts)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(texts))
	for _, batch := range batchesOf(inputs) {
		logits, err := inTurn(ctx, r.network, func() ([]float64, error) { return r.run(chosen(inputs, batch)) })
		if err != nil {
			return nil, err
		}
		for i, number := range batch {
			scores[number] = model.Sigmoid(logits[i])
		}
	}
	return scores, nil
}

// pairs returns the query joined with each text, as the network reads them.
func (r *Reranker) pairs(ctx context.Context, query string, texts []string) ([]input, error) {
	asked, err := r.tokens(ctx, query)
	if err != nil {
		return nil, err
	}
	return each.Try(texts, func(text string) (input, error) {
		said, err := r.tokens(ctx, text)
		return r.pairing.join(asked, said, r.network.limit), err
	})
}

// tokens returns the tokens of a text without the special ones at its ends, at
// most as many as the network reads.
func (r *Reranker) tokens(ctx context.Context, text string) ([]uint32, error) {
	read, err := r.network.tokenise(ctx, text)
	if err != nil {
		return nil, err
	}
	// The mask covers the whole text; only its ends are used here.
	mask := read.own
	first, last := 0, 0
	for first < len(mask) && mask[first] == 1 {
		first++
	}
	for last < len(mask)-first && mask[len(mask)-1-last] == 1 {
		last++
	}
	return read.ids[first : len(read.ids)-last], nil
}

// run runs one batch and returns a logit for each input.
func (r *Reranker) run(inputs []input) ([]float64, error) {
	if r.network.closed.Load() {
		return nil, errRerankerClosed
	}
	output, err := r.network.network.forward(inputs)
	if err != nil {
		return nil, err
	}
	return logitsOf(output, len(inputs))
}

// logitsOf reads the network's output for n inputs.
func logitsOf(output any, n int) ([]float64, error) {
	rows, ok := output.([][]float32)
	if !ok || len(rows) != n {
		return nil, fmt.Errorf("the reranking model's output is no list of %s: %T (%s)", each.Count(n, "number"), output, notReranker)
	}
	logits := make([]float64, n)
	for i, row := range rows {
		if len(row) != 1 {
			return nil, fmt.Errorf("the reranking model makes %s of a query and a text (%s)", each.Count(len(row), "number"), notReranker)
		}
		if math.IsNaN(float64(row[0])) {
			return nil, errors.New("the reranking model made no number of a query and a text: its file may be damaged")
		}
		logits[i] = float64(row[0])
	}
	return logits, nil
}
