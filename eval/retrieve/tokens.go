package retrieve

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// Tokenizer is what counts the tokens of a line.
const Tokenizer = string(tokenizer.O200kBase)

var codec = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// Tokens counts the tokens of a text.
func Tokens(text string) int {
	encoding, err := codec()
	if err != nil {
		panic(err) // its tables are part of the program
	}
	n, err := encoding.Count(text)
	if err != nil {
		panic(err) // any text can be encoded
	}
	return n
}
