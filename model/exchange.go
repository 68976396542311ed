package model

import (
	"context"
	"math"
	"time"
)

// usage is the token count of an answer.
type usage struct {
	input, output, cached int // input includes the cached ones
}

// countable returns what can be added up and stored, as some servers report nonsense: counts of at
// most four bytes, none negative, and no more cached ones than there are.
func (u usage) countable() usage {
	input := min(max(u.input, 0), math.MaxInt32)
	return usage{input, min(max(u.output, 0), math.MaxInt32), min(max(u.cached, 0), input)}
}

// attempt is one request that reached the provider.
type attempt struct {
	usage   usage
	latency time.Duration
	err     error // nil: a complete answer came back
}

// exchange is one request on its way through langchaingo. It tells the
// transport what to add to the body, which langchaingo cannot, and collects
// from the answers what langchaingo drops. It travels in the context and
// belongs to one goroutine.
type exchange struct {
	// Input. Without shape and tools the body is sent unchanged.
	prompt  string
	shape   *shape
	tools   bool
	mode    Structured
	refused refused

	// Results.
	attempts []attempt
	answered bool   // the model did, if perhaps in a form that cannot be read
	cut      bool   // the answer reached its token limit
	refusal  string // what the model said instead of answering
	err      error  // why there is no answer: a *CallError, or the context's error
}

// refused holds the parameters that a model does not accept.
type refused struct {
	temperature bool
	tokensField bool // the name of the field for the answer's token limit
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
