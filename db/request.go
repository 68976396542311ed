package db

import "context"

// Request identifies a request that its sender may repeat. What it asks for is done once.
type Request struct{ GroupID, Caller, Key string }

type requestKey struct{}

// WithRequest says for which request transactions write.
func WithRequest(ctx context.Context, r Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// NoteDone records that a request is done, within the transaction that does it: if the process ends
// before it has answered, the request is not done again. Without a request it does nothing.
func (q *Queries) NoteDone(ctx context.Context) error {
	r, ok := ctx.Value(requestKey{}).(Request)
	if !ok {
		return nil
	}
	return q.ReplyDone(ctx, ReplyDoneParams(r))
}
