// Package tokens counts tokens exactly as o200k_base and cl100k_base do, the encodings of
// OpenAI's models. Their vocabularies (MIT, from github.com/openai/tiktoken) are embedded in
// compressed form, 1.2 MB for both, and unpacked at first use. As Go tables, which other
// libraries use, they would add 12 MB to every program.
package tokens

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the vocabularies
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// LongestToken is the length in bytes of the longest token of both encodings.
const LongestToken = 128

// Encoding cuts texts into tokens. It is safe for concurrent use.
type Encoding struct {
	ranks map[string]uint32
	splitter

	mu    sync.Mutex
	known map[string]int // numbers of tokens of pieces that are no token themselves, such as names
}

const (
	maxKnown     = 10_000 // pieces, then all are forgotten
	longestKnown = 64     // bytes of a piece
)

var (
	//go:embed o200k_base.gz
	o200kBase []byte
	//go:embed cl100k_base.gz
	cl100kBase []byte
)

// O200k is o200k_base, the encoding of GPT-4o and all later models of OpenAI.
var O200k = sync.OnceValue(func() *Encoding { return newEncoding(o200kBase, o200kSplitter) })

// Cl100k is cl100k_base, the encoding of GPT-4 and GPT-3.5.
var Cl100k = sync.OnceValue(func() *Encoding { return newEncoding(cl100kBase, cl100kSplitter) })

func newEncoding(packed []byte, pieces splitter) *Encoding {
	ranks, err := unpack(packed)
	if err != nil {
		panic("tokens: " + err.Error()) // embedded, and tests unpack it
	}
	return &Encoding{ranks: ranks, splitter: pieces, known: map[string]int{}}
}

// unpack reads a vocabulary. Its tokens are sorted, so that each shares a prefix with the one
// before. The number of tokens comes first, in four bytes. A byte per token gives the length
// of the shared prefix, another the length of the rest. Then come the rests of all tokens, and
// at last the high, middle and low bytes of all ranks.
func unpack(packed []byte) (map[string]uint32, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack a vocabulary: %w", err)
	}
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("unpack a vocabulary: %w", err)
	}
	n := int(binary.BigEndian.Uint32(all))
	shared, following, rest, planes := all[4:4+n], all[4+n:4+2*n], all[4+2*n:len(all)-3*n], all[len(all)-3*n:]
	ranks := make(map[string]uint32, n)
	before := ""
	for i := range n {
		token := before[:shared[i]] + string(rest[:following[i]])
		ranks[token] = uint32(planes[i])<<16 | uint32(planes[n+i])<<8 | uint32(planes[2*n+i])
		before, rest = token, rest[following[i]:]
	}
	return ranks, nil
}

// Count returns the number of tokens of a text.
func (e *Encoding) Count(text string) int {
	n := 0
	for piece := range e.pieces(valid(text)) {
		if _, ok := e.ranks[piece]; ok {
			n++
		} else {
			n += e.countMerged(piece)
		}
	}
	return n
}

func (e *Encoding) countMerged(piece string) int {
	e.mu.Lock()
	n, ok := e.known[piece]
	e.mu.Unlock()
	if ok {
		return n
	}
	e.merge(piece, func(string) { n++ })
	if len(piece) <= longestKnown {
		e.mu.Lock()
		defer e.mu.Unlock()
		if len(e.known) == maxKnown {
			clear(e.known)
		}
		e.known[strings.Clone(piece)] = n
	}
	return n
}

// Split cuts a text into its tokens. Bytes that are not UTF-8 are replaced by U+FFFD.
func (e *Encoding) Split(text string) []string {
	var tokens []string
	for piece := range e.pieces(valid(text)) {
		if _, ok := e.ranks[piece]; ok {
			tokens = append(tokens, piece)
		} else {
			e.merge(piece, func(token string) { tokens = append(tokens, token) })
		}
	}
	return tokens
}

// valid replaces bytes that are not UTF-8 by U+FFFD.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
