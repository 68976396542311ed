package db

import (
	"context"
	"time"
)

type learnedKey struct{}

// LearnedAt makes what is read with a context count as learned at a time that is past,
// for a story that is told as it went. Nothing that was written before moves: a write is
// never earlier than the one before it in its group.
func LearnedAt(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, learnedKey{}, at)
}

// BeginWrite is [Queries.WriteBegin] now, or as of [LearnedAt].
func (q *Queries) BeginWrite(ctx context.Context, groupID string) error {
	at, _ := ctx.Value(learnedKey{}).(time.Time)
	_, err := q.WriteBegin(ctx, WriteBeginParams{GroupID: groupID, At: Nullable(at)})
	return err
}
