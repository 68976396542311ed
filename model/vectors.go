package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/annalsdb/annals/internal/each"
)

// Vectors embeds texts and checks the result: one vector for each text, finite
// numbers, and the length that the embedder states, if it states one.
func Vectors(ctx context.Context, embedder Embedder, texts []string) ([][]float32, error) {
	vectors, err := embedder.Embed(ctx, texts)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("it answered with %s for %s", each.Count(len(vectors), "vector"), each.Count(len(texts), "text"))
	}
	for i := 0; err == nil && i < len(vectors); i++ {
		if dimensions := embedder.Dimensions(); dimensions > 0 && len(vectors[i]) != dimensions {
			err = fmt.Errorf("it answered with a vector of %s in place of %d", each.Count(len(vectors[i]), "dimension"), dimensions)
		} else if slices.ContainsFunc(vectors[i], func(x float32) bool { return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) }) {
			err = errors.New("it answered with a vector of what are no numbers")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("ask %s for vectors: %w", embedder.Name(), err)
	}
	return vectors, nil
}

// VectorLists embeds several lists of texts in one call and returns the vectors by
// list.
func VectorLists(ctx context.Context, embedder Embedder, lists [][]string) ([][][]float32, error) {
	vectors, err := Vectors(ctx, embedder, slices.Concat(lists...))
	if err != nil {
		return nil, err
	}
	made := make([][][]float32, len(lists))
	for i, list := range lists {
		made[i], vectors = vectors[:len(list):len(list)], vectors[len(list):]
	}
	return made, nil
}

// Normalised scales a vector to length one. The zero vector becomes a fixed one,
// the first unit vector. The conversions to float64 prevent fused multiply-add,
// which only some processors have, so that all give the same bits.
func Normalised(sums []float64) []float32 {
	squares := 0.0
	for _, x := range sums {
		squares += float64(x * x)
	}
	vector := make([]float32, len(sums))
	if squares == 0 {
		vector[0] = 1
		return vector
	}
	length := math.Sqrt(squares)
	for i, x := range sums {
		vector[i] = float32(x / length)
	}
	return vector
}
