package bench

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"unicode"

	"github.com/annalsdb/annals/internal/each"
)

// latent is the intrinsic dimension of the invented vectors.
const latent = 64

// topicEmbedder makes a text's vector from its words. A word's vector is its
// topic's vector plus a part of its own, weighted by rarity.
type topicEmbedder struct {
	words      *vocabulary
	known      [][]float32 // latent vectors of the vocabulary
	projection []float32   // latent × dimensions
	dimensions int
}

func newTopicEmbedder(words *vocabulary, dimensions int) *topicEmbedder {
	e := &topicEmbedder{words: words, dimensions: dimensions, projection: gaussian(3, latent*dimensions)}
	e.known = each.Of(words.words, e.word)
	return e
}

// Name identifies the vector space.
func (e *topicEmbedder) Name() string { return fmt.Sprintf("bench:topics-1-%d", e.dimensions) }

// Dimensions returns the length of a vector.
func (e *topicEmbedder) Dimensions() int { return e.dimensions }

// Embed returns one vector of length one for each text.
func (e *topicEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return each.Of(texts, func(text string) []float32 { return e.project(e.sum(text)) }), ctx.Err()
}

func (e *topicEmbedder) sum(text string) []float32 {
	sum := gaussian(hashOf(text), latent) // the text's own part beside its words
	for i := range sum {
		sum[i] *= 0.5
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		rank, known := e.words.rank[word]
		vector, weight := []float32(nil), float32(1)
		switch {
		case known:
			vector, weight = e.known[rank], float32(math.Log1p(float64(rank)))/8
		case len(word) > 4:
			vector = e.word(word)
		default:
			continue
		}
		for i, x := range vector {
			sum[i] += weight * x
		}
	}
	return sum
}

// word returns the latent vector of a word.
func (e *topicEmbedder) word(word string) []float32 {
	vector := gaussian(hashOf(word), latent)
	if topic := e.words.topic(word); topic >= 0 {
		for i, x := range gaussian(uint64(topic)<<32, latent) {
			vector[i] = 0.6*vector[i] + 0.8*x
		}
	}
	return vector
}

func (e *topicEmbedder) project(point []float32) []float32 {
	vector := make([]float32, e.dimensions)
	for i, x := range point {
		row := e.projection[i*e.dimensions : (i+1)*e.dimensions]
		for j, y := range row {
			vector[j] += x * y
		}
	}
	squares := 0.0
	for _, x := range vector {
		squares += float64(x) * float64(x)
	}
	for j := range vector {
		vector[j] /= float32(math.Sqrt(squares))
	}
	return vector
}

// gaussian returns n normally distributed numbers, the same for the same seed.
func gaussian(seed uint64, n int) []float32 {
	r := rand.New(rand.NewPCG(seed, 5))
	numbers := make([]float32, n)
	for i := range numbers {
		numbers[i] = float32(r.NormFloat64())
	}
	return numbers
}

func hashOf(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // it never fails
	return h.Sum64()
}
