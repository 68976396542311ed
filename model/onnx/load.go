package onnx

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/gomlx/go-huggingface/tokenizers/hftokenizer"
)

// load returns an embedder of a model's files, without its name and dimension.
func load(about folder, config Config) (*Embedder, error) {
	tokeniser, err := loadTokeniser(about.path)
	if err != nil {
		return nil, err
	}
	network, err := openNetwork(about, config)
	if err != nil {
		return nil, err
	}
	e := &Embedder{
		limit:     about.limit,
		pooling:   about.pooling,
		network:   network,
		tokeniser: tokeniser,
		turn:      make(chan struct{}, 1),
	}
	e.pass()
	return e, nil
}

// loadTokeniser reads tokenizer.json. The tokeniser marks the special tokens it
// adds, which truncate needs.
func loadTokeniser(path string) (tokeniser *hftokenizer.Tokenizer, err error) {
	// The library panics on some malformed files.
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("tokenizer.json is damaged or of a kind that cannot be used: %v", problem)
		}
	}()
	content, err := os.ReadFile(filepath.Join(path, "tokenizer.json"))
	if err != nil {
		return nil, err
	}
	if tokeniser, err = hftokenizer.NewFromContent(nil, content); err != nil {
		return nil, err
	}
	return tokeniser, errors.Join(tokeniser.With(api.EncodeOptions{AddSpecialTokens: true, IncludeSpecialTokensMask: true}))
}
