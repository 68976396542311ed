package onnx

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/knights-analytics/hugot/backends"
)

// The tokeniser's time grows with the square of a text's length, so that it is
// given no more of a long text than the model is likely to read. That is tried
// at fewBytes a token, which suits words, and at most at mostBytes a token.
const (
	fewBytes  = 8
	mostBytes = 16
)

// tokenise cuts a text into at most as many tokens as the model reads.
func (e *Embedder) tokenise(ctx context.Context, text string) (input backends.TokenizedInput, err error) {
	defer recovered(&err)
	text = strings.ToValidUTF8(text, " ")
	for bytes := fewBytes * e.limit; ; bytes *= 2 {
		if err := ctx.Err(); err != nil {
			return input, err
		}
		beginning := beginningOf(text, bytes)
		input = inputOf(e.tokeniser.EncodeWithAnnotations(beginning))
		if len(input.TokenIDs) >= e.limit || len(beginning) == len(text) || bytes >= mostBytes*e.limit {
			break
		}
	}
	if len(input.TokenIDs) == 0 {
		return input, errors.New("the model's tokeniser makes no tokens of a text, not even those that mark its ends")
	}
	truncate(&input, e.limit)
	return input, nil
}

// inputOf is a text's tokens as the network takes them.
func inputOf(text api.AnnotatedEncoding) backends.TokenizedInput {
	n := len(text.IDs)
	input := backends.TokenizedInput{TokenIDs: make([]uint32, n), TypeIDs: make([]uint32, n), AttentionMask: make([]uint32, n)}
	for i, id := range text.IDs {
		input.TokenIDs[i], input.AttentionMask[i] = uint32(id), 1
	}
	for _, special := range text.SpecialTokensMask {
		input.SpecialTokensMask = append(input.SpecialTokensMask, uint32(special))
	}
	return input
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
func truncate(input *backends.TokenizedInput, limit int) {
	n := len(input.TokenIDs)
	if n <= limit {
		return
	}
	added := 0
	for added < min(n, limit) && input.SpecialTokensMask[n-1-added] == 1 {
		added++
	}
	copy(input.TokenIDs[limit-added:limit], input.TokenIDs[n-added:])
	input.TokenIDs = input.TokenIDs[:limit]
	input.TypeIDs = input.TypeIDs[:min(limit, len(input.TypeIDs))]
	input.AttentionMask = input.AttentionMask[:min(limit, len(input.AttentionMask))]
}
