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
	mostRequestBytes = 256 << 10 // bytes of texts in one request
	leastTextBytes   = 256       // bytes below which a text is not cut further
	bytesOfToken     = 4         // an estimate for servers that report no count
)

// served is the common part of ServedEmbedder and ServedReranker.
type served struct {
	name     string // "provider:model"
	model    string // the provider's name for it
	provider provider
	reached  Config // the configuration with its defaults
	client   *http.Client
	ledger   Ledger
	batch    *atomic.Int64 // the learned limit of texts per request; 0: none yet
}

func newServed(p provider, model string, c Config) served {
	return served{name: p.name + ":" + model, model: model, provider: p, reached: c, client: p.client(c), batch: &atomic.Int64{}}
}

// validateAs validates the configuration of a model that is not the LLM. The
// error names the given field.
func (c Config) validateAs(field string) error {
	err := c.validate()
	if invalid, ok := errors.AsType[*graph.Error](err); ok && invalid.Field == "llm" {
		invalid.Field = field
	}
	return err
}

// inRequests splits texts into concurrent requests and returns one result for
// each text. If a request fails, it returns the results of the others with the
// error.
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

// fitting returns how many of the texts go into the next request, at least one.
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

// explain returns the error to report: the context's, the transport's, or the
// fault of the answer. unusable is the error of an answer without usable
// content.
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

// record writes attempts that reached the provider to the ledger. tokens is the
// estimate used if the server reports none.
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
		if err := record(ctx, s.ledger, call); err != nil {
			return err
		}
	}
	return nil
}

// refusal returns, in lower case, a server's reason for rejecting a request
// permanently, else the empty string.
func refusal(err error) string {
	call, ok := errors.AsType[*CallError](err)
	if !ok {
		return ""
	}
	switch call.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return strings.ToLower(call.Message)
	case http.StatusInternalServerError: // llama.cpp's status for texts that are too long
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
