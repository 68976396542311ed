package modeltest

import (
	"context"
	"slices"
	"sync"

	"github.com/annalsdb/annals/model"
)

// Ledger keeps calls in memory. The zero Ledger is empty and ready.
type Ledger struct {
	AnswerErr, RecordErr error // errors to return from Answer and Record

	mu    sync.Mutex
	calls []model.Call
}

// Answer returns the newest valid answer recorded in a group under a key.
func (l *Ledger) Answer(_ context.Context, groupID string, key [32]byte) (string, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range slices.Backward(l.calls) {
		if c.GroupID == groupID && c.Key == key && c.Answer != "" {
			return c.Answer, true, l.AnswerErr
		}
	}
	return "", false, l.AnswerErr
}

// Record adds a call.
func (l *Ledger) Record(ctx context.Context, c model.Call) error {
	if err := ctx.Err(); err != nil { // as a database would
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.RecordErr == nil {
		l.calls = append(l.calls, c)
	}
	return l.RecordErr
}

// Calls returns what was recorded, in order.
func (l *Ledger) Calls() []model.Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.calls)
}
