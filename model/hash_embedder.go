package model

import (
	"context"
	"fmt"
	"math"
)

// HashEmbedder makes vectors from the words, word pairs and character n-grams
// of a text, by signed feature hashing (Weinberger et al., Feature Hashing for
// Large Scale Multitask Learning, ICML 2009, section 2). Texts of similar
// spelling lie close together, in any script. It does not represent meaning:
// "car" lies no closer to "automobile" than to "banana". It is the default
// without a model.
//
// The same text gives the same vector, bit for bit, on every machine. A text
// without letters or digits gives one fixed vector of length one.
type HashEmbedder struct {
	dimensions int
}

// NewHashEmbedder returns an embedder with the given number of dimensions, at
// least 8. Below a few hundred, collisions of features make different texts
// look similar.
func NewHashEmbedder(dimensions int) (*HashEmbedder, error) {
	if dimensions < 8 {
		return nil, fmt.Errorf("a hash embedder needs at least 8 dimensions, not %d", dimensions)
	}
	return &HashEmbedder{dimensions: dimensions}, nil
}

// Name identifies the features and their weights. Vectors of different names
// are not comparable.
func (e *HashEmbedder) Name() string { return fmt.Sprintf("offline:hash-1-%d", e.dimensions) }

// Lexical returns true: the vectors represent spellings; see [Lexical].
func (e *HashEmbedder) Lexical() bool { return true }

// Dimensions returns the length of a vector.
func (e *HashEmbedder) Dimensions() int { return e.dimensions }

// Embed returns one vector of length one for each text. It fails only if ctx is
// done.
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
	// In the order of the text, since the last digit of a sum of floats depends
	// on it.
	for _, f := range featuresOf(text) {
		weight := float64(kinds[f.kind].weight * sublinear(f.count))
		if f.hash>>63 == 1 {
			weight = -weight
		}
		sums[f.hash%uint64(e.dimensions)] += weight
	}
	return Normalised(sums)
}

// sublinear returns 1 + ln count, which dampens repetition (Manning et al.,
// Introduction to Information Retrieval, 2008, section 6.4.1). Logarithms
// differ in the last digit between processors; rounding hides that.
func sublinear(count int) float64 {
	return 1 + float64(float32(math.Log(float64(count))))
}
