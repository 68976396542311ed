package onnx

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gomlx/go-huggingface/tokenizers/api"
)

// input is a text as the network reads it.
type input struct {
	ids   []uint32 // its tokens
	kinds []uint32 // which half of a pair each counts to: 0 or 1
	own   []int    // 1 for those that the model adds by itself; of a text alone
}

// The tokeniser's time grows with the square of a text's length, so that it is
// given no more of a long text than the model is likely to read. That is tried
// at fewBytes a token, which suits words, and at most at mostBytes a token.
const (
	fewBytes  = 8
	mostBytes = 16
)

// tokenise cuts a text into at most as many tokens as the model reads.
func (e *Embedder) tokenise(ctx context.Context, text string) (read input, err error) {
	// The library panics at some texts that do not suit its file.
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

// inputOf is a text's tokens as the network takes them.
func inputOf(text api.AnnotatedEncoding) input {
	read := input{ids: make([]uint32, len(text.IDs)), kinds: make([]uint32, len(text.IDs)), own: text.SpecialTokensMask}
	for i, id := range text.IDs {
		read.ids[i] = uint32(id)
	}
	return read
}

// beginningOf is at most the given number of bytes of a text, without half a
// word at the end unless the word is a very long one.
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

// truncate shortens to limit tokens. The tokens that the model adds at the end
// stay at the end.
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
