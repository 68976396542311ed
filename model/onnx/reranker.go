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
// reads both at once and makes one number of them (Nogueira and Cho, Passage
// Re-ranking with BERT, arXiv 1901.04085, section 2). It is safe for concurrent
// use, but runs one batch at a time: the network uses all processors by itself.
type Reranker struct {
	name    string
	network *Embedder // whose network, tokeniser and turn the reranker uses
	pairing pairing
}

// OpenReranker loads a cross-encoder from a folder or the Hugging Face hub, as
// [Open] does an embedder, and runs it once to see that it works. Models are
// those of the BERT and RoBERTa families with one output, such as
// cross-encoder/ms-marco-MiniLM-L6-v2 or BAAI/bge-reranker-base. The
// limit in tokens is for query and text together.
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

// loadReranker makes the reranker of a model's files, still without a name.
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

// Name is "onnx:" and the last part of the model's folder or name:
// "onnx:ms-marco-MiniLM-L6-v2".
func (r *Reranker) Name() string { return r.name }

// MaxTokens is how much of a query and a text is read together, in tokens,
// among them the three or four that the model adds by itself.
func (r *Reranker) MaxTokens() int { return r.network.limit }

// Runtime is what runs the network, as in [Embedder.Runtime].
func (r *Reranker) Runtime() string { return r.network.Runtime() }

// Close frees the model, after the batch that is running. Rerank fails from
// then on. Closing twice does nothing.
func (r *Reranker) Close() error { return r.network.Close() }

var errRerankerClosed = errors.New("the reranking model is closed")

// Rerank returns a score from 0 to 1 for each text, in order: the sigmoid of
// what the network says. Where query and text are longer than MaxTokens, the
// longer one is cut. It fails when ctx is done, which it notices at once, when
// the model makes no number of a pair, and after Close.
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

// pairs are the query with each of the texts, as the network reads them.
func (r *Reranker) pairs(ctx context.Context, query string, texts []string) ([]input, error) {
	asked, err := r.tokens(ctx, query)
	if err != nil {
		return nil, err
	}
	inputs := make([]input, len(texts))
	for i, text := range texts {
		said, err := r.tokens(ctx, text)
		if err != nil {
			return nil, err
		}
		inputs[i] = r.pairing.join(asked, said, r.network.limit)
	}
	return inputs, nil
}

// tokens are those of a text, without the ones that mark its ends, and at most
// as many as the network reads.
func (r *Reranker) tokens(ctx context.Context, text string) ([]uint32, error) {
	read, err := r.network.tokenise(ctx, text)
	if err != nil {
		return nil, err
	}
	// The mask is that of the whole text, and only its ends are used here.
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

// run puts one batch through the network and returns a logit for each input.
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
