package service

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/annalsdb/annals"
)

// saying finds the sentence of a text that states a fact.
type saying struct {
	fact      annals.Fact
	sentences []string // the sentences of all versions of the fact
}

// The weights of words that a sentence shares with a fact.
const (
	longWord  = 1.0  // a word of four letters or more
	shortWord = 0.2  // a shorter word, which mostly carries little meaning
	leastSaid = 1.0  // the least weight at which a sentence counts as stating the fact
	stem      = 0.75 // the share of letters that two words must have in common at their beginning to count as the same: live, lives, living
)

// in returns the sentence of a text that shares the most words with the fact, unchanged; empty:
// none shares enough.
func (s saying) in(content string) string {
	for _, sentence := range s.sentences {
		if strings.Contains(content, sentence) {
			return sentence
		}
	}
	wanted := map[string]bool{}
	for _, sentence := range append(s.sentences, strings.ReplaceAll(s.fact.Predicate, "_", " ")) {
		for _, w := range wordsOf(sentence) {
			wanted[w] = true
		}
	}
	best, most := "", leastSaid
	for line := range strings.Lines(content) {
		for parts := sentences.FromString(line); parts.Next(); {
			sentence := strings.TrimSpace(parts.Value())
			if shared := shares(sentence, wanted); shared > most || shared == most && best == "" {
				best, most = sentence, shared
			}
		}
	}
	return best
}

// shares returns the weight of the wanted words in a sentence. Each word counts once.
func shares(sentence string, wanted map[string]bool) float64 {
	sum, counted := 0.0, map[string]bool{}
	for _, word := range wordsOf(sentence) {
		for w := range wanted {
			if counted[w] || !sameWord(w, word) {
				continue
			}
			counted[w] = true
			if utf8.RuneCountInString(w) < 4 {
				sum += shortWord
			} else {
				sum += longWord
			}
			break
		}
	}
	return sum
}

// sameWord reports whether two words are equal apart from their endings.
func sameWord(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) < 4 || len(b) < 4 {
		return false
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= 3 && float64(n) >= stem*float64(min(len(a), len(b)))
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}
