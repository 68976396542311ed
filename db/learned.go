package db

import (
	"context"
	"time"
)

type learnedKey struct{}

// LearnedAt makes what is read with the context count as learned at a past time, for a story that
// is told as it went. It moves nothing that was written before: a write is never earlier than the
// one before it in its group.
func LearnedAt(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, learnedKey{}, at)
}

// BeginWrite is [Queries.WriteBegin] as of the time of [LearnedAt], or now.
func (q *Queries) BeginWrite(ctx context.Context, groupID string) error {
	at, _ := ctx.Value(learnedKey{}).(time.Time)
	_, err := q.WriteBegin(ctx, WriteBeginParams{GroupID: groupID, At: Nullable(at)})
	return err
}
