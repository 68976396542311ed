package construct

import (
	"strings"

	"github.com/annalsdb/annals/retrieval/prose"
)

const (
	minExcerpt = 32 // tokens of a content that must be left when it is cut
	wideToken  = 32 // bytes of a token; a longer text is counted only at its beginning
)

// shorten cuts a content after a sentence to at most limit tokens. It reports false if less than
// minExcerpt would be left.
func (c *counter) shorten(content string, limit int) (string, bool) {
	if len(content) <= limit { // no token is shorter than a byte
		return content, true
	}
	var parts []string
	if len(content) <= wideToken*limit {
		if c.count(content) <= limit {
			return content, true
		}
		parts = prose.Sentences(content)
	} else {
		parts = prose.Sentences(content[:wideToken*limit])
	}
	// The last sentence is left out: with it nothing would be cut, or the cut above may have torn
	// it.
	size := 0
	n, _ := longest(len(parts)-1, func(n int) (bool, error) {
		tokens := c.count(excerpt(parts[:n]))
		if tokens <= limit {
			size = tokens
		}
		return tokens <= limit, nil
	})
	return excerpt(parts[:n]), size >= minExcerpt
}

// lookedThrough is how many bytes of a content are searched for the words of a question.
const lookedThrough = 64 << 10

// telling is a content from the first sentence that has the most words of the question.
func (t topic) telling(content string) string {
	sentences := prose.Sentences(strings.ToValidUTF8(content[:min(len(content), lookedThrough)], ""))
	best, most := 0, 0
	for i, sentence := range sentences {
		if n := t.heldBy(sentence); n > most {
			best, most = i, n
		}
	}
	if best == 0 {
		return content
	}
	return "… " + strings.TrimSpace(strings.Join(sentences[best:], ""))
}

// excerpt is the beginning of a text that was cut.
func excerpt(sentences []string) string {
	return strings.TrimSpace(strings.Join(sentences, "")) + " …"
}
