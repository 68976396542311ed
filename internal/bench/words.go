package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"unicode"
)

const (
	vocabularySize = 20_000
	topics         = 500
	commonWords    = 200 // the most frequent words have no topic

	// Zipf–Mandelbrot: the word of rank r is drawn in proportion to 1/(r+shift).
	frequencyShift = 2.7
)

// ranks draws numbers from 0, small ones more often.
type ranks []float64 // cumulative

// newRanks draws 0 to n−1, k with probability proportional to
// 1/(k+1+shift)^exponent.
func newRanks(n int, exponent, shift float64) ranks {
	cumulative := make(ranks, n)
	sum := 0.0
	for k := range cumulative {
		sum += math.Pow(float64(k)+1+shift, -exponent)
		cumulative[k] = sum
	}
	return cumulative
}

func (c ranks) draw(r *rand.Rand) int {
	return min(sort.SearchFloat64s(c, r.Float64()*c[len(c)-1]), len(c)-1)
}

// vocabulary holds words, most frequent first.
type vocabulary struct {
	words    []string
	rank     map[string]int
	of       [topics][]int // ranks of a topic's words
	any      ranks
	ofTopic  ranks
	anyTopic ranks
}

// newVocabulary takes the words of a sample first, by frequency, and adds
// invented ones.
func newVocabulary(sample string) *vocabulary {
	v := &vocabulary{rank: map[string]int{}, any: newRanks(vocabularySize, 1, frequencyShift), anyTopic: newRanks(topics, 1, 0)}
	for _, word := range append(byFrequency(sample), "") {
		v.add(word)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for len(v.words) < vocabularySize {
		v.add(invented(r, 2+r.IntN(3)))
	}
	for rank := commonWords; rank < vocabularySize; rank++ {
		topic := rank % topics
		v.of[topic] = append(v.of[topic], rank)
	}
	v.ofTopic = newRanks(len(v.of[0]), 1, 0) // the smallest topic
	return v
}

func (v *vocabulary) add(word string) {
	if _, known := v.rank[word]; known || word == "" || len(v.words) == vocabularySize {
		return
	}
	v.rank[word] = len(v.words)
	v.words = append(v.words, word)
}

// topic returns the topic of a word; −1: none.
func (v *vocabulary) topic(word string) int {
	rank, known := v.rank[word]
	if !known || rank < commonWords {
		return -1
	}
	return rank % topics
}

// phrase draws words, half of them of the topic.
func (v *vocabulary) phrase(r *rand.Rand, topic, words int) []string {
	drawn := make([]string, words)
	for i := range drawn {
		if r.IntN(2) == 0 {
			drawn[i] = v.words[v.any.draw(r)]
		} else {
			drawn[i] = v.words[v.of[topic][v.ofTopic.draw(r)]]
		}
	}
	return drawn
}

// byFrequency returns the longer words of a text, most frequent first.
func byFrequency(text string) []string {
	counts := map[string]int{}
	var words []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) > 4 {
			if counts[word] == 0 {
				words = append(words, word)
			}
			counts[word]++
		}
	}
	slices.SortStableFunc(words, func(a, b string) int { return counts[b] - counts[a] })
	return words
}

// invented returns a random word with a number of syllables.
func invented(r *rand.Rand, syllables int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range syllables {
		b.WriteByte(consonants[r.IntN(len(consonants))])
		b.WriteByte(vowels[r.IntN(len(vowels))])
		if r.IntN(3) == 0 {
			b.WriteByte(consonants[r.IntN(len(consonants))])
		}
	}
	return b.String()
}
