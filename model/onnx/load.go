package onnx

import (
	"context"
	"errors"
	"fmt"

	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/backends"
	"github.com/knights-analytics/hugot/options"
)

// A graph is compiled for each shape of batch and kept, so that the shapes are
// few: every batch has one of these sizes and one of these lengths.
var (
	batchSizes      = []int{1, 2, 4, 8, 16, 32}
	sequenceLengths = []int{8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512}
)

// lengthsUpTo are the sequence lengths for texts of at most limit tokens.
func lengthsUpTo(limit int) []int {
	var lengths []int
	for _, length := range sequenceLengths {
		if length < limit {
			lengths = append(lengths, length)
		}
	}
	for length := 1024; length < limit; length *= 2 {
		lengths = append(lengths, length)
	}
	return append(lengths, limit)
}

// load makes the embedder of a model's files, still without name and dimension.
func load(ctx context.Context, about folder) (e *Embedder, err error) {
	// The session must outlive the context it is opened in.
	session, err := hugot.NewGoSession(context.WithoutCancel(ctx),

		options.WithGoMLXBatchBuckets(batchSizes), options.WithGoMLXSequenceBuckets(lengthsUpTo(about.limit)))
	if err != nil {
		return nil, err
	}
	// The libraries below panic at some malformed files.
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("the file is damaged or of a kind that cannot be run: %v", problem)
		}
		if err != nil {
			err = errors.Join(err, session.Destroy())
		}
	}()
	pipeline, err := hugot.NewPipeline(session, hugot.FeatureExtractionConfig{
		ModelPath:    about.path,
		Name:         "annals",
		OnnxFilename: about.networkBase(),
	})
	if err != nil {
		return nil, err
	}
	if err := markSpecialTokens(pipeline.Model); err != nil {
		return nil, err
	}
	e = &Embedder{
		limit:     about.limit,
		pooling:   about.pooling,
		output:    outputOf(pipeline.Model),
		session:   session,
		pipeline:  pipeline,
		tokeniser: pipeline.Model.Tokenizer,
		turn:      make(chan struct{}, 1),
	}
	e.pass()
	return e, nil
}

// markSpecialTokens makes the tokeniser say which tokens it added itself, which
// truncating needs to know.
func markSpecialTokens(model *backends.Model) error {
	return model.Tokenizer.GoTokenizer.Tokenizer.With(api.EncodeOptions{
		AddSpecialTokens:         true,
		IncludeSpecialTokensMask: true,
	})
}

// outputOf prefers the vector of the whole sentence, which some models make
// themselves, to the vectors of its tokens.
func outputOf(model *backends.Model) int {
	for _, name := range []string{"sentence_embedding", "last_hidden_state", "token_embeddings"} {
		for i, output := range model.OutputsMeta {
			if output.Name == name {
				return i
			}
		}
	}
	return 0
}
