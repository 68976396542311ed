package onnx

import (
	"context"
	"fmt"
	"slices"

	"github.com/knights-analytics/hugot/backends"

	"github.com/annalsdb/annals/internal/guard"
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
	for _, batch := range batchesOf(inputs, e.network.shapes()) {
		made, err := inTurn(ctx, e, func(ctx context.Context) ([][]float32, error) { return e.run(ctx, chosen(inputs, batch)) })
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
// all. Work is what a batch has of tokens once it is padded to one of the
// shapes that there are, never less than shapes.least, and shapes.start more.
// Sorted by length, the best groups of the first n inputs are a last group and
// the best ones of those before it (dynamic programming).
func batchesOf(inputs []backends.TokenizedInput, shapes shapes) [][]int {
	order := make([]int, len(inputs))
	for i := range order {
		order[i] = i
	}
	tokens := func(i int) int { return len(inputs[i].TokenIDs) }
	slices.SortStableFunc(order, func(a, b int) int { return tokens(a) - tokens(b) })
	work, last := make([]int, len(order)+1), make([]int, len(order)+1)
	for end := 1; end <= len(order); end++ {
		longest := tokens(order[end-1])
		for size := 1; size <= min(end, largestBatch); size++ {
			padded := shapes.padded(size, longest)
			if size > 1 && padded > mostTokens {
				break
			}
			all := work[end-size] + max(padded, shapes.least) + shapes.start
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
func chosen(inputs []backends.TokenizedInput, numbers []int) []backends.TokenizedInput {
	some := make([]backends.TokenizedInput, len(numbers))
	for i, number := range numbers {
		some[i] = inputs[number]
	}
	return some
}

// inTurn runs the network when it is its turn. It cannot be stopped: when ctx
// is done, it finishes its batch, discards it and only then gives up its turn.
func inTurn[T any](ctx context.Context, network *Embedder, run func(context.Context) (T, error)) (made T, err error) {
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
			got.made, err = run(context.WithoutCancel(ctx))
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
func (e *Embedder) run(ctx context.Context, inputs []backends.TokenizedInput) ([][]float32, error) {
	if e.closed.Load() {
		return nil, errClosed
	}
	output, err := e.network.forward(ctx, inputs)
	if err != nil {
		return nil, err
	}
	return pool(output, e.pooling)
}

// recovered turns a panic of the libraries, which check little of what they
// are given, into an error.
func recovered(err *error) {
	if problem := recover(); problem != nil {
		*err = fmt.Errorf("the model cannot be run: %v", problem)
	}
}
