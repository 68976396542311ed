package onnx

import (
	"context"
	"slices"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/guard"
)

const (
	// largestBatch is the most inputs of a batch.
	largestBatch = 32

	// mostTokens limits the padded size of a batch, and thereby its memory.
	mostTokens = 4096

	// startWork is the measured overhead of a batch, in tokens.
	startWork = 20
)

// Embed returns one vector of length one for each text, in order. A text longer
// than MaxTokens is cut there. It fails if ctx is done, which it notices at once,
// if the model makes no usable vector of a text, and after Close.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	inputs, err := each.Try(texts, func(text string) (input, error) { return e.tokenise(ctx, text) })
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	for _, batch := range batchesOf(inputs) {
		made, err := inTurn(ctx, e, func() ([][]float32, error) { return e.run(chosen(inputs, batch)) })
		if err != nil {
			return nil, err
		}
		for i, number := range batch {
			vectors[number] = made[i]
		}
	}
	return vectors, nil
}

// batchesOf groups the indexes of inputs into batches with the least total work.
// The work of a batch is its tokens, padded to its longest input, plus startWork.
// With inputs sorted by length, the best batches of the first n inputs are a last
// batch and the best batches of the inputs before it (dynamic programming).
func batchesOf(inputs []input) [][]int {
	order := make([]int, len(inputs))
	for i := range order {
		order[i] = i
	}
	tokens := func(i int) int { return len(inputs[i].ids) }
	slices.SortStableFunc(order, func(a, b int) int { return tokens(a) - tokens(b) })
	work, last := make([]int, len(order)+1), make([]int, len(order)+1)
	for end := 1; end <= len(order); end++ {
		longest := tokens(order[end-1])
		for size := 1; size <= min(end, largestBatch); size++ {
			padded := size * longest
			if size > 1 && padded > mostTokens {
				break
			}
			all := work[end-size] + padded + startWork
			if size == 1 || all < work[end] {
				work[end], last[end] = all, size
			}
		}
	}
	var batches [][]int
	for end := len(order); end > 0; end -= last[end] {
		batches = append(batches, order[end-last[end]:end])
	}
	return batches
}

// chosen returns the inputs with the given indexes.
func chosen(inputs []input, numbers []int) []input {
	return each.Of(numbers, func(number int) input { return inputs[number] })
}

// inTurn waits for its turn and runs the network. A run cannot be interrupted: if
// ctx is done, inTurn returns at once, but the run finishes before it passes on
// the turn.
func inTurn[T any](ctx context.Context, network *Embedder, run func() (T, error)) (made T, err error) {
	select {
	case <-network.turn:
	case <-ctx.Done():
		return made, ctx.Err()
	}
	type result struct {
		made T
		err  error
	}
	done := make(chan result, 1)
	go func() {
		defer network.pass()
		var got result
		got.err = guard.Run(func() (err error) {
			got.made, err = run()
			return err
		})
		done <- got
	}()
	select {
	case <-ctx.Done():
		return made, ctx.Err()
	case got := <-done:
		return got.made, got.err
	}
}

// run runs one batch through the network.
func (e *Embedder) run(inputs []input) ([][]float32, error) {
	if e.closed.Load() {
		return nil, errClosed
	}
	output, err := e.network.forward(inputs)
	if err != nil {
		return nil, err
	}
	return pool(output, e.pooling)
}
