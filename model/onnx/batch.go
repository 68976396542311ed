package onnx

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/knights-analytics/hugot/backends"
)

// mostTokens bounds the padded size of a batch, and with it the memory.
const mostTokens = 4096

// Embed returns one vector of length one for each text, in order. A text that
// is longer than MaxTokens is cut there. It fails when ctx is done, which it
// notices at once, when the model makes no usable vector of a text, and after
// Close.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	inputs := make([]backends.TokenizedInput, len(texts))
	for i, text := range texts {
		var err error
		if inputs[i], err = e.tokenise(ctx, text); err != nil {
			return nil, err
		}
	}
	vectors := make([][]float32, len(texts))
	for _, batch := range batchesOf(inputs, lengthsUpTo(e.limit)) {
		if err := e.embed(ctx, inputs, batch, vectors); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// batchesOf groups the numbers of inputs whose lengths round to the same, so
// that little of the work is spent on padding. Every batch has one of the
// batchSizes.
func batchesOf(inputs []backends.TokenizedInput, lengths []int) [][]int {
	byLength := map[int][]int{}
	for i, input := range inputs {
		at, _ := slices.BinarySearch(lengths, len(input.TokenIDs))
		byLength[lengths[at]] = append(byLength[lengths[at]], i)
	}
	var batches [][]int
	for _, length := range lengths {
		for rest := byLength[length]; len(rest) > 0; {
			size := sizeFor(len(rest), length)
			batches = append(batches, rest[:size])
			rest = rest[size:]
		}
	}
	return batches
}

// sizeFor is the largest batch size for the first of n texts of a length.
func sizeFor(n, length int) int {
	best := batchSizes[0]
	for _, size := range batchSizes {
		if size <= n && size*length <= mostTokens {
			best = size
		}
	}
	return best
}

// embed fills in the vectors of one batch when it is its turn.
func (e *Embedder) embed(ctx context.Context, inputs []backends.TokenizedInput, numbers []int, vectors [][]float32) error {
	select {
	case <-e.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	chosen := make([]backends.TokenizedInput, len(numbers))
	for i, number := range numbers {
		chosen[i] = inputs[number]
	}
	type result struct {
		vectors [][]float32
		err     error
	}
	// The network cannot be stopped: when ctx is done, it finishes its batch
	// for nobody and only then gives up its turn.
	done := make(chan result, 1)
	go func() {
		defer e.pass()
		made, err := e.run(context.WithoutCancel(ctx), chosen)
		done <- result{made, err}
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case made := <-done:
		for i, number := range numbers {
			if made.err == nil {
				vectors[number] = made.vectors[i]
			}
		}
		return made.err
	}
}

// run puts one batch through the network.
func (e *Embedder) run(ctx context.Context, inputs []backends.TokenizedInput) (vectors [][]float32, err error) {
	if e.closed.Load() {
		return nil, errClosed
	}
	defer recovered(&err)
	batch := backends.NewBatch(len(inputs))
	batch.Input = inputs
	for _, input := range inputs {
		batch.MaxSequenceLength = max(batch.MaxSequenceLength, len(input.TokenIDs))
	}
	defer func() { err = errors.Join(err, batch.Destroy()) }()
	if err := backends.CreateInputTensors(batch, e.pipeline.Model, e.pipeline.Runtime); err != nil {
		return nil, err
	}
	if err := backends.RunSessionOnBatch(ctx, batch, e.pipeline.BasePipeline); err != nil {
		return nil, fmt.Errorf("run the embedding model: %w", err)
	}
	return pool(batch.OutputValues[e.output], e.pooling)
}

// recovered turns a panic of the libraries, which check little of what they
// are given, into an error.
func recovered(err *error) {
	if problem := recover(); problem != nil {
		*err = fmt.Errorf("the embedding model cannot be run: %v", problem)
	}
}
