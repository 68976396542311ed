package model

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Vectors asks an embedder for the vectors of texts and checks that it returned
// one for each.
func Vectors(ctx context.Context, embedder Embedder, texts []string) ([][]float32, error) {
	vectors, err := embedder.Embed(ctx, texts)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("it answered with %d vectors for %d texts", len(vectors), len(texts))
	}
	if err != nil {
		return nil, fmt.Errorf("ask %s for vectors: %w", embedder.Name(), err)
	}
	return vectors, nil
}

// VectorLists asks an embedder for the vectors of lists of texts, of all in one go.
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

// Normalised scales a vector to length one. Of nothing it makes a fixed vector,
// which lies near nothing else in particular. The conversions forbid the compiler
// to fuse multiplying and adding, which it does on some processors only.
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
