// Package modeltest checks that implementations of package model keep their promises.
package modeltest

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/annalsdb/annals/model"
)

// TestEmbedder checks that an embedder keeps the contract of [model.Embedder].
func TestEmbedder(t *testing.T, e model.Embedder) {
	t.Helper()
	texts := []string{"I live in Paris.", "The printer is broken again.", "", "!?", "東京に住んでいます", "I live in Paris."}
	batch, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(batch) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(batch), len(texts))
	}
	for i, vector := range batch {
		checkVector(t, texts[i], vector, e.Dimensions())
		alone, err := e.Embed(t.Context(), texts[i:i+1])
		if err != nil || !slices.Equal(alone[0], vector) {
			t.Errorf("%q has another vector alone than in a batch (%v)", texts[i], err)
		}
	}
	if !slices.Equal(batch[0], batch[5]) || slices.Equal(batch[0], batch[1]) {
		t.Error("vectors are not in the order of their texts")
	}
	if none, err := e.Embed(t.Context(), nil); err != nil || len(none) != 0 {
		t.Errorf("no texts give %v, %v", none, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Embed(cancelled, texts); err == nil {
		t.Error("a cancelled context is not heeded")
	}
	if e.Name() == "" {
		t.Error("the embedder has no name")
	}
}

func checkVector(t *testing.T, text string, vector []float32, dimensions int) {
	t.Helper()
	if len(vector) != dimensions {
		t.Errorf("%q: %d dimensions, want %d", text, len(vector), dimensions)
	}
	if length := math.Sqrt(Dot(vector, vector)); math.Abs(length-1) > 1e-3 {
		t.Errorf("%q: length %v, want 1", text, length)
	}
}

// Dot returns the dot product, which is the cosine of vectors of length one.
func Dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
