package model

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/annalsdb/annals/internal/telemetry"
)

const (
	bytesOfNumber  = 24   // bytes of a number in an answer, with all digits of a double
	mostDimensions = 4096 // assumed vector length before the first answer
)

func (e *ServedEmbedder) request(ctx context.Context, texts []string) ([][]float32, error) {
	answer := maxResponse * 7 / 8 / (bytesOfNumber * cmp.Or(e.Dimensions(), mostDimensions))
	return inRequests(ctx, &e.served, texts, min(e.config.BatchTexts, max(answer, 1)), e.embedBatch)
}

// embedBatch writes the vectors of the texts of one request into into. It
// halves a request that the server finds too large.
func (e *ServedEmbedder) embedBatch(ctx context.Context, texts []string, into [][]float32) error {
	asked := e.asksDimensions()
	vectors, err := e.send(ctx, texts)
	half := len(texts) / 2
	switch {
	case err == nil:
		copy(into, vectors)
		return nil
	case asked && refusesDimensions(err):
		e.learned.noDimensions.Store(true)
		return e.embedBatch(ctx, texts, into)
	case half > 0 && refusesBatch(err):
		e.batch.Store(int64(half))
	case half > 0 && (refusesLength(err) || errors.Is(err, errTooLarge)):
	case half == 0 && refusesLength(err) && len(texts[0]) > leastTextBytes:
		e.config.Log.WarnContext(ctx, "a text is too long for the embedding model, and only its first half is embedded",
			"model", e.name, "bytes", len(texts[0]), "error", err)
		return e.embedBatch(ctx, []string{beginning(texts[0], len(texts[0])/2)}, into)
	default:
		return err
	}
	if err := e.embedBatch(ctx, texts[:half], into[:half]); err != nil {
		return err
	}
	return e.embedBatch(ctx, texts[half:], into[half:])
}

// asksDimensions reports whether requests name the number of dimensions. Ollama
// is not told, since it would truncate the vectors of models that do not
// support it.
func (e *ServedEmbedder) asksDimensions() bool {
	return e.config.Dimensions > 0 && e.provider.dialect == openAI && !e.learned.noDimensions.Load()
}

// send makes one request and returns checked vectors.
func (e *ServedEmbedder) send(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	ctx, span := traced(ctx, KindEmbedding, embedPrompt, e.name)
	defer func() { telemetry.End(span, err) }()
	x := &exchange{prompt: embedPrompt}
	vectors, err = e.ask(withExchange(ctx, x), texts)
	if err != nil {
		vectors, err = nil, e.explain(ctx, x, err, errNoVectors, "vectors", "is it an embedding model?")
		if n := len(x.attempts); n > 0 && x.attempts[n-1].err == nil {
			x.attempts[n-1].err = err
		}
	}
	question := Question{Name: embedPrompt, Version: 1, User: strings.Join(texts, "\x00")}
	return vectors, errors.Join(err, e.record(ctx, KindEmbedding, question, x.attempts, len(question.User)/bytesOfToken, e.provider.local()))
}

func (e *ServedEmbedder) ask(ctx context.Context, texts []string) ([][]float32, error) {
	data, _, err := e.post(ctx, e.path(), e.body(texts))
	if err != nil {
		return nil, err
	}
	vectors, err := e.provider.dialect.vectors(data, len(texts))
	if err != nil {
		return nil, err
	}
	return vectors, e.check(vectors)
}

// embedPrompt is the name of embedding requests in the ledger.
const embedPrompt = "embed"
