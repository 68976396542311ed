package model

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// How much each kind of feature counts beside a whole word.
const (
	wordWeight     = 1.0
	stopWordWeight = 0.15
	bigramWeight   = 0.5
	gramWeight     = 0.25
	shortestGram   = 3
	longestGram    = 5
	maxWords       = 20_000 // of one text; what comes after adds nothing
)

// HashEmbedder makes vectors of the words, pairs of words and runs of
// characters that a text holds, by signed feature hashing (Weinberger et al.,
// Feature Hashing for Large Scale Multitask Learning, ICML 2009, section 2).
// Texts lie near each other when they are written alike, in any script; it
// knows nothing of meaning. It is the offline default, not a language model.
type HashEmbedder struct {
	dimensions int
}

// NewHashEmbedder makes vectors of the given number of dimensions, at least 8.
func NewHashEmbedder(dimensions int) (*HashEmbedder, error) {
	if dimensions < 8 {
		return nil, fmt.Errorf("a hash embedder needs at least 8 dimensions, not %d", dimensions)
	}
	return &HashEmbedder{dimensions: dimensions}, nil
}

// Name identifies the features and their weights: vectors of another version
// are not comparable.
func (e *HashEmbedder) Name() string { return fmt.Sprintf("offline:hash-1-%d", e.dimensions) }

// Dimensions is how many numbers a vector has.
func (e *HashEmbedder) Dimensions() int { return e.dimensions }

// Embed returns one vector of length one for each text.
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
	features := featuresOf(text)
	sums := make([]float64, e.dimensions)
	// In the order of the text: sums of floats depend on it in the last digit.
	for _, f := range features.order {
		// Sublinear: a word said ten times is not ten times as telling.
		weight := f.weight * (1 + math.Log(float64(features.count[f])))
		if f.hash>>63 == 1 {
			weight = -weight
		}
		sums[f.hash%uint64(e.dimensions)] += weight
	}
	return normalised(sums)
}

// normalised scales to length one. Of nothing it makes a fixed vector, which
// lies near nothing else in particular.
func normalised(sums []float64) []float32 {
	length := 0.0
	for _, x := range sums {
		length += x * x
	}
	vector := make([]float32, len(sums))
	if length == 0 {
		vector[0] = 1
		return vector
	}
	for i, x := range sums {
		vector[i] = float32(x / math.Sqrt(length))
	}
	return vector
}

// feature is one thing a text has.
type feature struct {
	hash   uint64
	weight float64
}

// features is what a text has, how often, and in which order it came.
type features struct {
	order []feature
	count map[feature]int
}

func (f *features) add(kind, text string, weight float64) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(kind))
	_, _ = h.Write([]byte(text))
	one := feature{hash: mix(h.Sum64()), weight: weight}
	if f.count[one] == 0 {
		f.order = append(f.order, one)
	}
	f.count[one]++
}

func featuresOf(text string) *features {
	found := &features{count: map[feature]int{}}
	previous, n := "", 0
	for tokens := words.FromString(fold(text)); tokens.Next() && n < maxWords; {
		word := tokens.Value()
		if !hasLetter(word) {
			continue
		}
		n++
		stem := english.Stem(word, true)
		if english.IsStopWord(word) {
			found.add("w", stem, stopWordWeight)
			previous = ""
			continue
		}
		found.add("w", stem, wordWeight)
		if previous != "" {
			found.add("b", previous+" "+stem, bigramWeight)
		}
		previous = stem
		found.addGrams(word)
	}
	return found
}

// addGrams adds the runs of characters within a word, its edges marked: what
// is left of a word when it is misspelt or inflected.
func (f *features) addGrams(word string) {
	runes := []rune("<" + word + ">")
	for size := shortestGram; size <= longestGram; size++ {
		for i := 0; i+size <= len(runes); i++ {
			f.add("g", string(runes[i:i+size]), gramWeight)
		}
	}
}

// mix spreads FNV's low bits over all of them (the finaliser of MurmurHash3).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// fold removes case and accents.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
}

func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
