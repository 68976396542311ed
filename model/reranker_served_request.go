package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/internal/guard"
	"github.com/annalsdb/annals/internal/telemetry"
)

// request has texts scored, several requests at a time.
func (r *ServedReranker) request(ctx context.Context, query string, texts []string) ([]float64, error) {
	scores := make([]float64, len(texts))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(r.config.Concurrency, defaultConcurrency))
	for from := 0; from < len(texts); {
		to := from + r.fitting(texts[from:])
		some, into := texts[from:to], scores[from:to]
		group.Go(guard.Runs(func() error { return r.rerankBatch(within, query, some, into) }))
		from = to
	}
	return scores, group.Wait()
}

// fitting is how many of the texts, at least one, go into the next request.
func (r *ServedReranker) fitting(texts []string) int {
	most := min(r.config.BatchTexts, len(texts))
	if batch := int(r.learned.batch.Load()); batch > 0 {
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

// rerankBatch fills in the scores of the texts of one request. What the server
// finds too much it is given in halves.
func (r *ServedReranker) rerankBatch(ctx context.Context, query string, texts []string, into []float64) error {
	scores, err := r.send(ctx, query, texts)
	half := len(texts) / 2
	switch {
	case err == nil:
		copy(into, scores)
		return nil
	case half == 0 && refusesLength(err) && max(len(texts[0]), len(query)) > leastTextBytes:
		r.config.Log.WarnContext(ctx, "a text and the query are too long for the reranking model, and only half of the longer one is read",
			"model", r.name, "bytes", len(texts[0]), "query", len(query), "error", err)
		query, text := shorter(query, texts[0])
		return r.rerankBatch(ctx, query, []string{text}, into)
	case half > 0 && (refusesLength(err) || errors.Is(err, errTooLarge)):
	case half > 0 && refusesBatch(err):
		r.learned.batch.Store(int64(half))
	default:
		return err
	}
	if err := r.rerankBatch(ctx, query, texts[:half], into[:half]); err != nil {
		return err
	}
	return r.rerankBatch(ctx, query, texts[half:], into[half:])
}

// shorter cuts the longer one of the two to its first half.
func shorter(query, text string) (string, string) {
	if len(query) > len(text) {
		return beginning(query, len(query)/2), text
	}
	return query, beginning(text, len(text)/2)
}

// send makes one request and returns the scores as the server gave them.
func (r *ServedReranker) send(ctx context.Context, query string, texts []string) (scores []float64, err error) {
	ctx, span := traced(ctx, KindRerank, rerankPrompt, r.name)
	defer func() { telemetry.End(span, err) }()
	x := &exchange{prompt: rerankPrompt}
	scores, told, err := r.ask(withExchange(ctx, x), query, texts)
	if err != nil {
		scores, err = nil, r.explain(ctx, x, err)
	}
	if n := len(x.attempts); n > 0 && x.attempts[n-1].err == nil {
		last := &x.attempts[n-1]
		last.usage.input, last.err = cmp.Or(last.usage.input, told), err
	}
	return scores, errors.Join(err, r.record(ctx, query, texts, x.attempts))
}

// ask returns the scores and how many tokens they took, if the server tells.
func (r *ServedReranker) ask(ctx context.Context, query string, texts []string) (scores []float64, tokens int, err error) {
	request, err := r.wire(ctx, query, texts)
	if err != nil {
		return nil, 0, err
	}
	response, err := r.client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, 0, err
	}
	scores, tokens, err = readScores(data, len(texts))
	return scores, cmp.Or(tokens, tokensIn(response.Header)), err
}

// tokensIn are the tokens that text-embeddings-inference tells in a header.
func tokensIn(h http.Header) int {
	n, err := strconv.Atoi(h.Get("X-Compute-Tokens"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// explain is the error to return: the context's own, what the transport saw,
// or what is wrong with the answer.
func (r *ServedReranker) explain(ctx context.Context, x *exchange, err error) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("ask %s for scores: %w", r.name, ctx.Err())
	case x.err != nil:
		return x.err
	case errors.Is(err, errNoScores):
		return &CallError{Provider: r.name, Message: err.Error(), Err: errNoScores, advice: "is it a reranking model?"}
	}
	return err
}

// rerankPrompt is the name of reranking requests in the ledger.
const rerankPrompt = "rerank"

// record writes what reached the provider into the ledger. A server that does
// not tell what a request took is taken to have read the query with every
// text, and a token in four bytes.
func (r *ServedReranker) record(ctx context.Context, query string, texts []string, attempts []attempt) error {
	question := Question{Name: rerankPrompt, Version: 1, System: query, User: strings.Join(texts, "\x00")}
	for _, a := range attempts {
		call := Call{
			Subject: SubjectOf(ctx), Key: keyOf(r.name, question, nil), Prompt: question.Name, Version: question.Version,
			Model: r.name, Latency: a.latency, Kind: KindRerank,
		}
		if a.err != nil {
			call.Error = a.err.Error()
		} else if a.usage.input == 0 {
			a.usage.input = (len(query)*len(texts) + len(question.User)) / 4
		}
		call.InputTokens, call.OutputTokens, call.CachedTokens = a.usage.input, a.usage.output, a.usage.cached
		if call.Cost = r.config.Prices.costOf(r.name, a.usage); call.Cost == nil && r.free() {
			call.Cost = new(float64)
		}
		noteCall(ctx, call)
		if r.ledger == nil {
			continue
		}
		if err := r.ledger.Record(context.WithoutCancel(ctx), call); err != nil {
			return fmt.Errorf("record the call of %s: %w", r.name, err)
		}
	}
	return nil
}

// free is whether the server is a program of the user's own. What is only known
// by its address may be anybody's.
func (r *ServedReranker) free() bool { return r.provider.local() && r.provider.name != "rerank" }
