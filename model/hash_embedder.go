package model

import (
	"context"
	"fmt"
	"math"
)

// HashEmbedder makes vectors of the words, pairs of words and runs of
// characters that a text holds, by signed feature hashing (Weinberger et al.,
// Feature Hashing for Large Scale Multitask Learning, ICML 2009, section 2).
// Texts lie near each other when they are written alike, in any script; it
// knows nothing of meaning, so that "car" lies no nearer to "automobile" than
// to "banana". It is the offline default, not a language model.
//
// The same text gives the same vector, bit for bit, on every machine. A text
// without letters or digits gives one fixed vector of length one.
type HashEmbedder struct {
	dimensions int
}

// NewHashEmbedder makes vectors of the given number of dimensions, at least 8.
// Under a few hundred, unlike texts begin to look alike because their features
// fall together.
func NewHashEmbedder(dimensions int) (*HashEmbedder, error) {
	if dimensions < 8 {
		return nil, fmt.Errorf("a hash embedder needs at least 8 dimensions, not %d", dimensions)
	}
	return &HashEmbedder{dimensions: dimensions}, nil
}

// Name identifies the features and their weights: vectors of another version
// are not comparable.
func (e *HashEmbedder) Name() string { return fmt.Sprintf("offline:hash-1-%d", e.dimensions) }

// Lexical reports that the vectors are of spellings; see [Lexical].
func (e *HashEmbedder) Lexical() bool { return true }

// Dimensions is how many numbers a vector has.
func (e *HashEmbedder) Dimensions() int { return e.dimensions }

// Embed returns one vector of length one for each text. It fails only when ctx
// is done.
func (e *HashEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = e.embed(text)
	}
	return vectors, nil
}

func (e *HashEmbedder) embed(text string) []float32 {
	sums := make([]float64, e.dimensions)
	// In the order of the text: sums of floats depend on it in the last digit.
	for _, f := range featuresOf(text) {
		weight := float64(kinds[f.kind].weight * sublinear(f.count))
		if f.hash>>63 == 1 {
			weight = -weight
		}
		sums[f.hash%uint64(e.dimensions)] += weight
	}
	return Normalised(sums)
}

// sublinear is 1 + ln count: a word said ten times is not ten times as telling
// (Manning et al., Introduction to Information Retrieval, 2008, section 6.4.1).
// Logarithms differ in the last digit between processors, which rounding hides.
func sublinear(count int) float64 {
	return 1 + float64(float32(math.Log(float64(count))))
}
