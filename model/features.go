package model

import (
	"hash/fnv"
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// kind is the kind of a feature.
type kind uint8

const (
	word kind = iota
	stopWord
	bigram
	gram
)

// kinds holds, for each kind, its hash prefix, which separates a word from an
// equal gram, and its weight relative to a whole word.
var kinds = [...]struct {
	mark   byte
	weight float64
}{
	word:     {'w', 1},
	stopWord: {'w', 0.15},
	bigram:   {'b', 0.5},
	gram:     {'g', 0.25},
}

const (
	shortestGram = 3
	longestGram  = 5
	maxWords     = 20_000 // words read of a text; the rest is ignored
)

// feature is a feature of a text with its count.
type feature struct {
	hash  uint64
	kind  kind
	count int
}

// features holds the features of a text in order of first occurrence.
type features struct {
	found []feature
	place map[feature]int // index in found, by the feature without its count
}

func (f *features) add(kind kind, text string) {
	one := feature{hash: hash(kinds[kind].mark, text), kind: kind}
	i, seen := f.place[one]
	if !seen {
		i = len(f.found)
		f.place[one] = i
		f.found = append(f.found, one)
	}
	f.found[i].count++
}

// featuresOf splits a text into words at the boundaries of Unicode Standard Annex
// 29. These separate every Chinese character; the bigrams join neighbours again.
func featuresOf(text string) []feature {
	f := &features{place: make(map[feature]int, min(len(text), 512))}
	previous, n := "", 0
	for tokens := words.FromString(fold(text)); tokens.Next() && n < maxWords; {
		token := tokens.Value()
		if !hasLetter(token) {
			continue
		}
		n++
		stem := english.Stem(token, true)
		if english.IsStopWord(token) {
			f.add(stopWord, stem)
			previous = ""
			continue
		}
		f.add(word, stem)
		if previous != "" {
			f.add(bigram, previous+" "+stem)
		}
		previous = stem
		f.addGrams(token)
	}
	return f.found
}

// addGrams adds the character n-grams of a word with its edges marked. They
// survive misspelling and inflection.
func (f *features) addGrams(token string) {
	marked := "<" + token + ">"
	starts := make([]int, 0, len(marked)+1) // offsets of characters, and the end
	for i := range marked {
		starts = append(starts, i)
	}
	starts = append(starts, len(marked))
	for size := shortestGram; size <= longestGram; size++ {
		for i := 0; i+size < len(starts); i++ {
			f.add(gram, marked[starts[i]:starts[i+size]])
		}
	}
}

// hash is FNV-1a followed by the finaliser of MurmurHash3. The highest bit
// decides the sign and the lowest bits the index, so the bits must be
// independent.
func hash(mark byte, text string) uint64 {
	fnv1a := fnv.New64a()
	_, _ = fnv1a.Write([]byte{mark})
	_, _ = fnv1a.Write([]byte(text))
	h := fnv1a.Sum64()
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// fold removes case and accents.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if isAccent(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
}

// isAccent reports whether a mark is one that people omit in hasty writing
// (accents, the points of Hebrew and Arabic), not one that makes a different
// letter (the voicing of kana, vowels in Hindi or Thai). The canonical combining
// class decides: Unicode Standard, section 4.3.
func isAccent(r rune) bool {
	if r < 0x300 || !unicode.Is(unicode.Mn, r) {
		return false
	}
	class := norm.NFKD.PropertiesString(string(r)).CCC()
	return class >= 10 && class <= 36 || class >= 200
}

func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
