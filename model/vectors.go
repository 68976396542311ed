package model

import (
	"context"
	"fmt"
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
