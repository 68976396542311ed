package model

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// Call is one line of the ledger: a request that reached a provider, or an
// answer given from the ledger itself.
type Call struct {
	Subject
	Key          [32]byte // of the question; equal keys are the same question to the same model
	Prompt       string   // its name
	Version      int      // of the prompt
	Model        string   // provider:model
	InputTokens  int      // of the prompt, the cached ones included
	OutputTokens int
	CachedTokens int // of the input, those the provider had read before
	Latency      time.Duration
	Cost         *float64 // in US dollars, by list price; nil: the price is not known
	Answer       string   // JSON; only of a valid answer, else empty
	Error        string   // what went wrong; empty: nothing
	FromCache    bool     // no provider was asked
	Repair       bool     // the question repeated what was wrong with the answer before
	Kind         string   // KindChat, KindEmbedding or KindRerank
}

// The kinds of calls.
const (
	KindChat      = "chat"
	KindEmbedding = "embedding"
)

// Ledger keeps what models were asked. Implementations must be safe for
// concurrent use. An error of either method fails the call, so that nothing
// goes uncounted.
type Ledger interface {
	// Answer returns the newest valid answer recorded in a group under a key.
	Answer(ctx context.Context, groupID string, key [32]byte) (answer string, found bool, err error)

	// Record adds a line.
	Record(ctx context.Context, c Call) error
}

// keyOf is the key of a question put to a model.
func keyOf(model string, q Question, schema []byte) [32]byte {
	h := sha256.New()
	part := func(b []byte) { // its length first, so that no two lists of parts are written alike
		_ = binary.Write(h, binary.BigEndian, uint64(len(b)))
		_, _ = h.Write(b)
	}
	part([]byte(model))
	part([]byte(q.Name))
	part(binary.BigEndian.AppendUint64(nil, uint64(q.Version)))
	part(schema)
	part([]byte(q.System))
	part([]byte(q.User))
	return [32]byte(h.Sum(nil))
}
