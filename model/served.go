package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/guard"
)

const (
	mostRequestBytes = 256 << 10 // of texts in one request
	leastTextBytes   = 256       // that a text is cut to when the model finds it too long
	bytesOfToken     = 4         // about, where a server does not tell how many it read
)

// served is what an embedder and a reranker have in common that a provider or a
// server of one's own runs.
type served struct {
	name     string // "provider:model"
	model    string // as the provider calls it
	provider provider
	reached  Config // how, with the defaults
	client   *http.Client
	ledger   Ledger
	batch    *atomic.Int64 // most texts it takes at once; 0: not refused yet
}

func newServed(p provider, model string, c Config) served {
	return served{name: p.name + ":" + model, model: model, provider: p, reached: c, client: p.client(c), batch: &atomic.Int64{}}
}

// validateAs is validate for the configuration of another model than the
// language model: the error names the field.
func (c Config) validateAs(field string) error {
	err := c.validate()
	if invalid, ok := errors.AsType[*graph.Error](err); ok && invalid.Field == "llm" {
		invalid.Field = field
	}
	return err
}

// inRequests asks for what belongs to each of the texts, several requests at a
// time. Where one fails, the results of the others are returned with the error.
func inRequests[T any](
	ctx context.Context, s *served, texts []string, most int, ask func(ctx context.Context, texts []string, into []T) error,
) ([]T, error) {
	results := make([]T, len(texts))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(s.reached.Concurrency, defaultConcurrency))
	for from := 0; from < len(texts); {
		to := from + s.fitting(texts[from:], most)
		some, into := texts[from:to], results[from:to]
		group.Go(guard.Runs(func() error { return ask(within, some, into) }))
		from = to
	}
	return results, group.Wait()
}

// fitting is how many of the texts, at least one, go into the next request.
func (s *served) fitting(texts []string, most int) int {
	most = min(most, len(texts))
	if batch := int(s.batch.Load()); batch > 0 {
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

// post sends one request and returns the answer.
func (s *served) post(ctx context.Context, path string, body map[string]any) ([]byte, http.Header, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.provider.baseURL+path, bytes.NewReader(encoded))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if s.reached.APIKey != "" {
		request.Header.Set("Authorization", "Bearer "+s.reached.APIKey)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return data, response.Header, err
}

// explain is the error to return: the context's own, what the transport saw, or
// what is wrong with the answer. unusable is that of an answer without what was
// asked for.
func (s *served) explain(ctx context.Context, x *exchange, err, unusable error, wanted, advice string) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("ask %s for %s: %w", s.name, wanted, ctx.Err())
	case x.err != nil:
		return x.err
	case errors.Is(err, unusable):
		return &CallError{Provider: s.name, Message: err.Error(), Err: unusable, advice: advice}
	}
	return err
}

// record writes what reached the provider into the ledger. tokens is what a
// request is taken to have cost where the server does not tell.
func (s *served) record(ctx context.Context, kind string, question Question, attempts []attempt, tokens int, free bool) error {
	for _, a := range attempts {
		call := Call{
			Subject: SubjectOf(ctx), Key: keyOf(s.name, question, nil), Prompt: question.Name, Version: question.Version,
			Model: s.name, Latency: a.latency, Kind: kind,
		}
		if a.err != nil {
			call.Error = a.err.Error()
		} else if a.usage.input == 0 {
			a.usage.input = tokens
		}
		call.InputTokens, call.OutputTokens, call.CachedTokens = a.usage.input, a.usage.output, a.usage.cached
		if call.Cost = s.reached.Prices.costOf(s.name, a.usage); call.Cost == nil && free {
			call.Cost = new(float64)
		}
		noteCall(ctx, call)
		if s.ledger == nil {
			continue
		}
		if err := s.ledger.Record(context.WithoutCancel(ctx), call); err != nil {
			return fmt.Errorf("record the call of %s: %w", s.name, err)
		}
	}
	return nil
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
	return containsAny(refusal(err), "dimension", "matryoshka")
}

func refusesBatch(err error) bool {
	said := refusal(err)
	return !strings.Contains(said, "physical batch size") &&
		containsAny(said, "batch size", "in one batch", "input array", "too many inputs")
}

func refusesLength(err error) bool {
	said := refusal(err)
	return tooLong(said) ||
		containsAny(said, "too large to process", "must have less than", "tokens per request", "token count", "maximum input length")
}

func containsAny(text string, signs ...string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) })
}
