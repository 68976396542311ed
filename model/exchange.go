package model

import (
	"context"
	"time"
)

// usage is how many tokens an answer took.
type usage struct {
	input, output, cached int // input counts the cached ones too
}

// attempt is one request that reached the provider.
type attempt struct {
	usage   usage
	latency time.Duration
	err     error // nil: a whole answer came back
}

// exchange is one request on its way through langchaingo: what the transport
// is to put into the body, which langchaingo cannot, and what it saw of the
// answers, which langchaingo loses. It travels in the context and belongs to
// one goroutine.
type exchange struct {
	// Wishes. Neither shape nor tools: the body goes out as it is.
	prompt  string
	shape   *shape
	tools   bool
	mode    Structured
	refused refused

	// What came of it.
	attempts []attempt
	cut      bool   // the answer stopped at its maximal length
	refusal  string // what the model said instead of answering
	err      error  // why there is no answer: a *CallError, or that of the context
}

// refused are parameters a model turned out not to take.
type refused struct {
	temperature bool
	tokensField bool // the name under which the length of the answer was sent
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// exchangeOf returns the exchange of the context, or a new one.
func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{}
}
