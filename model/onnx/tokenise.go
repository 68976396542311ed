package onnx

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gomlx/go-huggingface/tokenizers/api"
)

// input is a tokenised text or pair.
type input struct {
	ids   []uint32 // its tokens
	kinds []uint32 // for each token, its half of a pair: 0 or 1
	own   []int    // 1 for special tokens; not set for pairs
}

// The tokeniser takes quadratic time, so it gets only as much of a long text as
// the model is likely to read. The first try is fewBytes per token, which suits
// words; the limit is mostBytes per token.
const (
	fewBytes  = 8
	mostBytes = 16
)

// tokenise cuts a text into tokens, at most as many as the model reads.
func (e *Embedder) tokenise(ctx context.Context, text string) (read input, err error) {
	// The library panics on some texts that its file does not suit.
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("the model's tokeniser cannot be run: %v", problem)
		}
	}()
	text = strings.ToValidUTF8(text, " ")
	for bytes := fewBytes * e.limit; ; bytes *= 2 {
		if err := ctx.Err(); err != nil {
			return read, err
		}
		beginning := beginningOf(text, bytes)
		read = inputOf(e.tokeniser.EncodeWithAnnotations(beginning))
		if len(read.ids) >= e.limit || len(beginning) == len(text) || bytes >= mostBytes*e.limit {
			break
		}
	}
	if len(read.ids) == 0 {
		return read, errors.New("the model's tokeniser makes no tokens of a text, not even those that mark its ends")
	}
	truncate(&read, e.limit)
	return read, nil
}

// inputOf converts an encoding to an input.
func inputOf(text api.AnnotatedEncoding) input {
	read := input{ids: make([]uint32, len(text.IDs)), kinds: make([]uint32, len(text.IDs)), own: text.SpecialTokensMask}
	for i, id := range text.IDs {
		read.ids[i] = uint32(id)
	}
	return read
}

// beginningOf returns at most the given number of bytes of a text. It ends at a
// space unless that would drop half of the bytes.
func beginningOf(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	for bytes > 0 && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	if space := strings.LastIndexAny(text[:bytes], " \t\r\n"); space > bytes/2 {
		bytes = space
	}
	return text[:bytes]
}

// truncate cuts a text to limit tokens and keeps the special tokens at its end.
func truncate(text *input, limit int) {
	n := len(text.ids)
	if n <= limit {
		return
	}
	added := 0
	for added < min(n, limit) && text.own[n-1-added] == 1 {
		added++
	}
	copy(text.ids[limit-added:limit], text.ids[n-added:])
	text.ids, text.kinds = text.ids[:limit], text.kinds[:limit]
}
