// Package static makes vectors of texts with a table that has one vector for
// each token, as wordllama and model2vec distil them from large models: a text's
// vector is the mean of those of its tokens, in microseconds and in pure Go. It
// knows what words mean, but not what order they are in.
//
// A model is a folder with tokenizer.json (how text becomes tokens) and one file
// of safetensors with the table.
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

// Embedder makes vectors with one table. It is safe for concurrent use.
type Embedder struct {
	name      string
	table     table
	tokeniser *hftokenizer.Tokenizer
	special   map[int]bool // tokens that stand for no part of a text
	words     *words       // nil: texts are cut into tokens whole
}

// Open loads the table of a folder.
//
// Tokens count alike, or by their weights where there are some: in the table's
// own file (a tensor called weights, as model2vec writes them), or in a file
// idf.json beside it, {"token": 4.2}, such as their inverse document frequency
// in texts like yours. Many tables have weights already in the lengths of
// their vectors, which count as they are.
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
	// The tokeniser's library panics at some malformed files.
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

// Name is "static:" and the last part of the folder: "static:wordllama".
func (e *Embedder) Name() string { return e.name }

// Dimensions is how many numbers a vector has.
func (e *Embedder) Dimensions() int { return e.table.dimensions }

// mostBytes is how much of a text is read.
const mostBytes = 24 << 10

// Embed returns one vector of length one for each text, in order. A text of
// which the table knows nothing gets one fixed vector. It fails only when ctx is
// done.
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

// tokens cuts a text into tokens. Of what the library panics at it makes none.
func (e *Embedder) tokens(text string) (ids []int) {
	defer func() {
		if recover() != nil {
			ids = nil
		}
	}()
	return e.tokeniser.Encode(text)
}
