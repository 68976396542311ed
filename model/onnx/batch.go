package onnx

import (
	"context"
	"slices"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/guard"
)

const (
	// largestBatch is how many inputs are run at once.
	largestBatch = 32

	// mostTokens bounds the padded size of a batch, and with it the memory.
	mostTokens = 4096

	// startWork is how many tokens starting any batch is worth, as measured.
	startWork = 20
)

// Embed returns one vector of length one for each text, in order. A text that
// is longer than MaxTokens is cut there. It fails when ctx is done, which it
// notices at once, when the model makes no usable vector of a text, and after
// Close.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	inputs := make([]input, len(texts))
	for i, text := range texts {
		var err error
		if inputs[i], err = e.tokenise(ctx, text); err != nil {
			return nil, err
		}
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

// batchesOf groups the numbers of inputs, so that the least work is done for
// all. Work is what a batch has of tokens once it is padded to its longest input,
// and startWork more. Sorted by length, the best groups of the first n inputs are
// a last group and the best ones of those before it (dynamic programming).
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

// chosen are the inputs of some numbers.
func chosen(inputs []input, numbers []int) []input {
	return each.Of(numbers, func(number int) input { return inputs[number] })
}

// inTurn runs the network when it is its turn. It cannot be stopped: when ctx
// is done, it finishes its batch, discards it and only then gives up its turn.
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

// run puts one batch through the network.
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
