package chunk

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/sentences"
	"github.com/clipperhouse/uax29/v2/words"
)

// sentenceEnds yields the ends of sentences, and whether a paragraph ends there. A line break ends
// a sentence, a blank line a paragraph.
func sentenceEnds(text string) iter.Seq2[int, bool] {
	return func(yield func(end int, paragraph bool) bool) {
		for start := 0; start < len(text); {
			block := text[start : start+blockLen(text[start:])]
			for s := sentences.FromString(block); s.Next(); {
				sentence := s.Value()
				blank := strings.HasSuffix(sentence, "\n") && strings.TrimSpace(sentence) == ""
				if !yield(start+s.End(), blank) {
					return
				}
			}
			start += len(block)
		}
	}
}

// longGap is the number of bytes without a letter or digit that separates sentences.
const longGap = 64

// blockLen returns the length of a text up to and including its first long gap. Without such
// blocks, rule SB8 of the annex takes quadratic time in a run of spaces.
func blockLen(text string) int {
	gap := 0
	for i := 0; i < len(text); {
		r, width := utf8.DecodeRuneInString(text[i:])
		i += width
		if gap += width; unicode.IsLetter(r) || unicode.IsDigit(r) {
			gap = 0
		}
		if gap >= longGap && (unicode.IsSpace(r) || unicode.IsPunct(r)) {
			return i
		}
	}
	return len(text)
}

// lastWordEnd returns the last place up to limit where a word begins, or 0. White space and
// punctuation belong to the word before.
func lastWordEnd(text string, limit int) int {
	last, characters := 0, charactersOf(text)
	for w := words.FromString(text); w.Next() && w.Start() <= limit; {
		r, _ := utf8.DecodeRuneInString(w.Value())
		if !unicode.IsSpace(r) && !unicode.IsPunct(r) && characters.beginAt(w.Start()) {
			last = w.Start()
		}
	}
	return last
}

// characters iterates over grapheme clusters. Some sentences and words of the annex begin inside of
// one.
type characters struct {
	rest *graphemes.Iterator[string]
	at   int // where the next cluster begins
}

func charactersOf(text string) *characters { return &characters{rest: graphemes.FromString(text)} }

// beginAt reports whether a cluster begins at i. i must not decrease between calls.
func (c *characters) beginAt(i int) bool {
	for c.at < i && c.rest.Next() {
		c.at = c.rest.End()
	}
	return c.at == i
}

// lastCharacterEnd returns the last place up to limit where a grapheme cluster begins, or 0.
func lastCharacterEnd(text string, limit int) int {
	last := 0
	for g := graphemes.FromString(text); g.Next() && g.Start() <= limit; {
		last = g.Start()
	}
	return last
}

// lastRuneEnd returns the last place up to limit where a rune begins, or limit.
func lastRuneEnd(text string, limit int) int {
	for end := limit; end > 0 && end > limit-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return end
		}
	}
	return limit
}
