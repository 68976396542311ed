package model

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"
)

// Call is an entry of the ledger: a request that reached a provider, or an
// answer from the ledger itself.
type Call struct {
	Subject
	Key          [32]byte // of the question; equal keys mean the same question to the same model
	Prompt       string   // the question's name
	Version      int      // of the prompt
	Model        string   // provider:model
	InputTokens  int      // input tokens, including cached ones
	OutputTokens int
	CachedTokens int // input tokens that the provider had cached
	Latency      time.Duration
	Cost         *float64 // US dollars by list price; nil: the price is unknown
	Answer       string   // JSON of a valid answer, else empty
	Error        string   // the failure; empty: none
	FromCache    bool     // the answer came from the ledger
	Repair       bool     // the question reported an error in the previous answer
	Kind         string   // KindChat, KindEmbedding or KindRerank
}

// The kinds of calls.
const (
	KindChat      = "chat"
	KindEmbedding = "embedding"
)

// Ledger records calls to models. Implementations must be safe for concurrent
// use. An error of either method fails the call, so that every call is counted.
type Ledger interface {
	// Answer returns the newest valid answer recorded in a group under a key.
	Answer(ctx context.Context, groupID string, key [32]byte) (answer string, found bool, err error)

	// Record adds an entry.
	Record(ctx context.Context, c Call) error
}

// record notes a call in its span and writes it to the ledger, if there is one,
// even if the caller has cancelled: the tokens were spent.
func record(ctx context.Context, ledger Ledger, call Call) error {
	noteCall(ctx, call)
	if ledger == nil {
		return nil
	}
	if err := ledger.Record(context.WithoutCancel(ctx), call); err != nil {
		return fmt.Errorf("record the call of %s: %w", call.Model, err)
	}
	return nil
}

// keyOf returns the key of a question to a model.
func keyOf(model string, q Question, schema []byte) [32]byte {
	h := sha256.New()
	part := func(b []byte) { // prefixed by its length, so that different parts never hash alike
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
