package construct

import (
	"iter"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/tokens"
)

// encodings has the tokenizers by name. They are unpacked when first used.
var encodings = map[string]func() *tokens.Encoding{
	"":            tokens.O200k,
	"o200k_base":  tokens.O200k,
	"cl100k_base": tokens.Cl100k,
}

func validateEncoding(name string) error {
	if _, ok := encodings[name]; !ok {
		return graph.Invalid("encoding", "%q is not known; use o200k_base or cl100k_base", name)
	}
	return nil
}

// CountTokens counts the tokens of a text in an encoding: o200k_base, which an empty one means, or
// cl100k_base.
func CountTokens(text, encoding string) (int, error) {
	c, err := newCounter(encoding)
	if err != nil {
		return 0, err
	}
	return c.count(text), nil
}

// counter counts the tokens of texts that share most of their lines, each line
// once.
type counter struct {
	encoding *tokens.Encoding
	known    map[string]int
}

func newCounter(encoding string) (*counter, error) {
	if err := validateEncoding(encoding); err != nil {
		return nil, err
	}
	return &counter{encoding: encodings[encoding](), known: map[string]int{}}, nil
}

// count is the exact number of tokens of a text: the sum over its pieces.
func (c *counter) count(text string) int {
	total := 0
	for piece := range pieces(text) {
		n, ok := c.known[piece]
		if !ok {
			n = c.encoding.Count(piece)
			c.known[piece] = n
		}
		total += n
	}
	return total
}

// pieces cuts a text where no token and no decision of the tokenizer spans the cut: after a line
// break that a visible ASCII character other than / follows.
//
// Both encodings first split a text, then merge bytes within each part. A part with a line break
// continues only with more white space or, in o200k_base, with slashes; and only where white space
// has no line break does what follows it matter.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := strings.IndexByte(text, '\n'); i >= 0 && i+1 < len(text); {
			if next := text[i+1]; next > ' ' && next < 0x7f && next != '/' {
				if !yield(text[start : i+1]) {
					return
				}
				start = i + 1
			}
			skip := strings.IndexByte(text[i+1:], '\n')
			if skip < 0 {
				break
			}
			i += 1 + skip
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}
