// Package static makes vectors of texts from a table with a vector for each
// token, as wordllama and model2vec distil them from large models. A text's
// vector is the mean of its tokens' vectors, computed in microseconds and in
// pure Go. It reflects the meaning of words, but not their order.
//
// A model is a folder with tokenizer.json (the tokeniser) and one safetensors
// file (the table).
package static

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/gomlx/go-huggingface/tokenizers/hftokenizer"

	"github.com/annalsdb/annals/model"
)

// Embedder makes vectors with a table. It is safe for concurrent use.
type Embedder struct {
	name      string
	table     table
	tokeniser *hftokenizer.Tokenizer
	special   map[int]bool // tokens that represent no part of a text
	words     *words       // cache of words; nil: texts are tokenised whole
}

// Open loads the table of a folder.
//
// Tokens count equally unless there are weights. The table's file may hold them
// (a tensor called weights, as model2vec writes it), or a file idf.json beside
// it, {"token": 4.2}, such as their inverse document frequency in similar texts.
// In many tables the lengths of the vectors already include weights.
func Open(folder string) (*Embedder, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	e := &Embedder{name: "static:" + filepath.Base(folder), special: map[int]bool{}}
	if err := e.load(folder); err != nil {
		return nil, fmt.Errorf("open the static embedding model %s: %w", folder, err)
	}
	return e, nil
}

func (e *Embedder) load(folder string) (err error) {
	// The tokeniser's library panics on some malformed files.
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("tokenizer.json is damaged or of a kind that cannot be used: %v", problem)
		}
	}()
	info, err := os.Stat(folder)
	if err != nil || !info.IsDir() {
		return errors.New("there is no such folder: name the one that holds tokenizer.json and model.safetensors")
	}
	content, err := os.ReadFile(filepath.Join(folder, "tokenizer.json"))
	if err != nil {
		return fmt.Errorf("it needs a tokenizer.json: %w", err)
	}
	if e.tokeniser, err = hftokenizer.NewFromContent(nil, content); err != nil {
		return err
	}
	if err := e.tokeniser.With(api.EncodeOptions{}); err != nil {
		return err
	}
	for _, token := range e.tokeniser.AddedTokensList() {
		e.special[token.ID] = token.Special
	}
	if id, ok := unknownToken(content); ok {
		e.special[id] = true
	}
	if byWords(content) {
		e.words = newWords()
	}
	e.table, err = readTable(folder, e.tokeniser.GetVocab())
	return err
}

// Name returns "static:" and the last element of the folder: "static:wordllama".
func (e *Embedder) Name() string { return e.name }

// Dimensions returns the length of a vector.
func (e *Embedder) Dimensions() int { return e.table.dimensions }

// mostBytes is how much of a text is read.
const mostBytes = 24 << 10

// Embed returns one vector of length one for each text, in order. It reads the
// first 24 KiB of a text. A text of unknown tokens gets one fixed vector. It
// fails only if ctx is done.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = e.embed(text)
	}
	return vectors, nil
}

func (e *Embedder) embed(text string) []float32 {
	sums := make([]float64, e.table.dimensions)
	add := func(tokens []int) {
		for _, token := range tokens {
			if !e.special[token] {
				e.table.add(sums, token)
			}
		}
	}
	text = strings.ToValidUTF8(text[:min(len(text), mostBytes)], " ")
	if e.words == nil {
		add(e.tokens(text))
		return model.Normalised(sums)
	}
	for _, word := range strings.Fields(text) {
		add(e.words.tokens(word, e.tokens))
	}
	return model.Normalised(sums)
}

// tokens cuts a text into tokens. It returns none if the library panics on the
// text.
func (e *Embedder) tokens(text string) (ids []int) {
	defer func() {
		if recover() != nil {
			ids = nil
		}
	}()
	return e.tokeniser.Encode(text)
}
