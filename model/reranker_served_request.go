package model

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/annalsdb/annals/internal/telemetry"
)

func (r *ServedReranker) request(ctx context.Context, query string, texts []string) ([]float64, error) {
	return inRequests(ctx, &r.served, texts, r.config.BatchTexts, func(ctx context.Context, some []string, into []float64) error {
		return r.rerankBatch(ctx, query, some, into)
	})
}

// rerankBatch writes the scores of the texts of one request into into. It
// halves a request that the server finds too large.
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
		r.batch.Store(int64(half))
	default:
		return err
	}
	if err := r.rerankBatch(ctx, query, texts[:half], into[:half]); err != nil {
		return err
	}
	return r.rerankBatch(ctx, query, texts[half:], into[half:])
}

// shorter halves the longer of the two.
func shorter(query, text string) (string, string) {
	if len(query) > len(text) {
		return beginning(query, len(query)/2), text
	}
	return query, beginning(text, len(text)/2)
}

// send makes one request and returns the server's scores.
func (r *ServedReranker) send(ctx context.Context, query string, texts []string) (scores []float64, err error) {
	ctx, span := traced(ctx, KindRerank, rerankPrompt, r.name)
	defer func() { telemetry.End(span, err) }()
	x := &exchange{prompt: rerankPrompt}
	scores, told, err := r.ask(withExchange(ctx, x), query, texts)
	if err != nil {
		scores, err = nil, r.explain(ctx, x, err, errNoScores, "scores", "is it a reranking model?")
	}
	if n := len(x.attempts); n > 0 && x.attempts[n-1].err == nil {
		last := &x.attempts[n-1]
		last.usage, last.err = usage{input: cmp.Or(last.usage.input, told)}.countable(), err
	}
	question := Question{Name: rerankPrompt, Version: 1, System: query, User: strings.Join(texts, "\x00")}
	read := (len(query)*len(texts) + len(question.User)) / bytesOfToken // the query is read with every text
	return scores, errors.Join(err, r.record(ctx, KindRerank, question, x.attempts, read, r.free()))
}

// ask returns the scores and the token count, 0 if the server reports none.
func (r *ServedReranker) ask(ctx context.Context, query string, texts []string) (scores []float64, tokens int, err error) {
	data, header, err := r.post(ctx, "/rerank", r.body(query, texts))
	if err != nil {
		return nil, 0, err
	}
	scores, tokens, err = readScores(data, len(texts))
	return scores, cmp.Or(tokens, tokensIn(header)), err
}

// tokensIn returns the token count in the header of text-embeddings-inference.
func tokensIn(h http.Header) int {
	n, err := strconv.Atoi(h.Get("X-Compute-Tokens"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// rerankPrompt is the name of reranking requests in the ledger.
const rerankPrompt = "rerank"

// free reports whether the server is the user's own program. A server known
// only by its address may belong to anybody.
func (r *ServedReranker) free() bool { return r.provider.local() && r.provider.name != "rerank" }
