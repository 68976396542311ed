package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/internal/guard"
	"github.com/annalsdb/annals/internal/telemetry"
)

const (
	mostRequestBytes = 256 << 10 // of texts in one request
	bytesOfNumber    = 24        // in an answer, with all digits of a double
	mostDimensions   = 4096      // that answers are expected to have before one is there
	leastTextBytes   = 256       // that a text is cut to when the model finds it too long
)

// request has texts embedded, several requests at a time. Where one fails, the
// vectors of the others are returned with the error.
func (e *ServedEmbedder) request(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(e.config.Concurrency, defaultConcurrency))
	for from := 0; from < len(texts); {
		to := from + e.fitting(texts[from:])
		some, into := texts[from:to], vectors[from:to]
		group.Go(guard.Runs(func() error { return e.embedBatch(within, some, into) }))
		from = to
	}
	return vectors, group.Wait()
}

// fitting is how many of the texts, at least one, go into the next request.
func (e *ServedEmbedder) fitting(texts []string) int {
	answer := maxResponse * 7 / 8 / (bytesOfNumber * cmp.Or(e.Dimensions(), mostDimensions))
	most := min(e.config.BatchTexts, max(answer, 1), len(texts))
	if batch := int(e.learned.batch.Load()); batch > 0 {
		most = min(most, batch)
	}
	bytes := 0
	for i, text := range texts[:most] {
		if bytes += len(text); bytes > mostRequestBytes && i > 0 {
			return i
		}
	}
	return most
}

// embedBatch fills in the vectors of the texts of one request. What the server
// finds too much it is given in halves.
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
		e.learned.batch.Store(int64(half))
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

// asksDimensions is whether requests say how many dimensions vectors shall
// have. Ollama would shorten the vectors of models that were not made for it.
func (e *ServedEmbedder) asksDimensions() bool {
	return e.config.Dimensions > 0 && e.provider.dialect == openAI && !e.learned.noDimensions.Load()
}

// refusal is what a server said against a request it will never take, in lower
// case; empty: it said nothing of the kind.
func refusal(err error) string {
	call, ok := errors.AsType[*CallError](err)
	if !ok {
		return ""
	}
	switch call.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return strings.ToLower(call.Message)
	case http.StatusInternalServerError: // llama.cpp says so of texts that are too long
		if said := strings.ToLower(call.Message); strings.Contains(said, "too large to process") {
			return said
		}
	}
	return ""
}

func refusesDimensions(err error) bool {
	said := refusal(err)
	return strings.Contains(said, "dimension") || strings.Contains(said, "matryoshka")
}

func refusesBatch(err error) bool {
	said := refusal(err)
	for _, sign := range []string{"batch size", "in one batch", "input array", "too many inputs"} {
		if strings.Contains(said, sign) && !strings.Contains(said, "physical batch size") {
			return true
		}
	}
	return false
}

func refusesLength(err error) bool {
	said := refusal(err)
	for _, sign := range []string{"too large to process", "must have less than", "tokens per request", "token count", "maximum input length"} {
		if strings.Contains(said, sign) {
			return true
		}
	}
	return tooLong(said)
}

// send makes one request and returns checked vectors.
func (e *ServedEmbedder) send(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	ctx, span := traced(ctx, KindEmbedding, embedPrompt, e.name)
	defer func() { telemetry.End(span, err) }()
	x := &exchange{prompt: embedPrompt}
	vectors, err = e.ask(withExchange(ctx, x), texts)
	if err != nil {
		vectors, err = nil, e.explain(ctx, x, err)
		if n := len(x.attempts); n > 0 && x.attempts[n-1].err == nil {
			x.attempts[n-1].err = err
		}
	}
	return vectors, errors.Join(err, e.record(ctx, texts, x.attempts))
}

func (e *ServedEmbedder) ask(ctx context.Context, texts []string) ([][]float32, error) {
	r, err := e.wire(ctx, texts)
	if err != nil {
		return nil, err
	}
	response, err := e.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	vectors, err := e.provider.dialect.vectors(data, len(texts))
	if err != nil {
		return nil, err
	}
	return vectors, e.check(vectors)
}

// explain is the error to return: the context's own, what the transport saw,
// or what is wrong with the answer.
func (e *ServedEmbedder) explain(ctx context.Context, x *exchange, err error) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("ask %s for vectors: %w", e.name, ctx.Err())
	case x.err != nil:
		return x.err
	case errors.Is(err, errNoVectors):
		return &CallError{Provider: e.name, Message: err.Error(), Err: errNoVectors, advice: "is it an embedding model?"}
	}
	return err
}

// embedPrompt is the name of embedding requests in the ledger.
const embedPrompt = "embed"

// record writes what reached the provider into the ledger. A server that does
// not tell what a request took is taken to have read a token in four bytes.
func (e *ServedEmbedder) record(ctx context.Context, texts []string, attempts []attempt) error {
	question := Question{Name: embedPrompt, Version: 1, User: strings.Join(texts, "\x00")}
	for _, a := range attempts {
		call := Call{
			Subject: SubjectOf(ctx), Key: keyOf(e.name, question, nil), Prompt: question.Name, Version: question.Version,
			Model: e.name, Latency: a.latency, Kind: KindEmbedding,
		}
		if a.err != nil {
			call.Error = a.err.Error()
		} else if a.usage.input == 0 {
			a.usage.input = len(question.User) / 4
		}
		call.InputTokens, call.OutputTokens, call.CachedTokens = a.usage.input, a.usage.output, a.usage.cached
		if call.Cost = e.config.Prices.costOf(e.name, a.usage); call.Cost == nil && e.provider.local() {
			call.Cost = new(float64)
		}
		noteCall(ctx, call)
		if e.ledger == nil {
			continue
		}
		if err := e.ledger.Record(context.WithoutCancel(ctx), call); err != nil {
			return fmt.Errorf("record the call of %s: %w", e.name, err)
		}
	}
	return nil
}
