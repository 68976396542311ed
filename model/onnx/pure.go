package onnx

import (
	"context"
	"errors"
	"fmt"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/backends"
	"github.com/knights-analytics/hugot/options"
)

// kind is what a network is for.
type kind uint8

const (
	embedding kind = iota
	reranking
)

const pureGo = "pure Go"

// pureNetwork runs on hugot and GoMLX, without any library.
type pureNetwork struct {
	session  *hugot.Session
	pipeline *backends.BasePipeline
	output   int
	limit    int
	why      error
}

// openPure loads a network of a kind to run in pure Go, and keeps why.
func openPure(ctx context.Context, about folder, as kind, why error) (n *pureNetwork, err error) {
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
	pipeline, err := pipelineOf(session, about, as)
	if err != nil {
		return nil, err
	}
	var outputs []string
	for _, output := range pipeline.Model.OutputsMeta {
		outputs = append(outputs, output.Name)
	}
	return &pureNetwork{session: session, pipeline: pipeline, output: outputOf(outputs), limit: about.limit, why: why}, nil
}

func pipelineOf(session *hugot.Session, about folder, as kind) (*backends.BasePipeline, error) {
	const name = "annals"
	if as == embedding {
		pipeline, err := hugot.NewPipeline(session, hugot.FeatureExtractionConfig{ModelPath: about.path, Name: name, OnnxFilename: about.networkBase()})
		if err != nil {
			return nil, err
		}
		return pipeline.BasePipeline, nil
	}
	pipeline, err := hugot.NewPipeline(session, hugot.CrossEncoderConfig{ModelPath: about.path, Name: name, OnnxFilename: about.networkBase()})
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, notReranker)
	}
	return pipeline.BasePipeline, nil
}

// String says why, too.
func (n *pureNetwork) String() string { return fmt.Sprintf("%s (%v)", pureGo, n.why) }

func (n *pureNetwork) close() error { return n.session.Destroy() }

// forward puts one batch through the network.
func (n *pureNetwork) forward(ctx context.Context, inputs []backends.TokenizedInput) (made any, err error) {
	defer recovered(&err)
	batch := backends.NewBatch(len(inputs))
	batch.Input = inputs
	for _, input := range inputs {
		batch.MaxSequenceLength = max(batch.MaxSequenceLength, len(input.TokenIDs))
	}
	defer func() { err = errors.Join(err, batch.Destroy()) }()
	if err := backends.CreateInputTensors(batch, n.pipeline.Model, n.pipeline.Runtime); err != nil {
		return nil, err
	}
	if err := backends.RunSessionOnBatch(ctx, batch, n.pipeline); err != nil {
		return nil, fmt.Errorf("run the model: %w", err)
	}
	return batch.OutputValues[n.output], nil
}

// outputOf prefers the vector of the whole sentence, which some models make
// themselves, to the vectors of its tokens.
func outputOf(names []string) int {
	for _, wanted := range []string{"sentence_embedding", "last_hidden_state", "token_embeddings"} {
		for i, name := range names {
			if name == wanted {
				return i
			}
		}
	}
	return 0
}
