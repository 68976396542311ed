package db

import "context"

// Request is one that its sender may send twice. What it asks for is done once.
type Request struct{ GroupID, Caller, Key string }

type requestKey struct{}

// WithRequest says on whose behalf transactions write.
func WithRequest(ctx context.Context, r Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// NoteDone notes, within the transaction that does what a request asks for, that
// it is done: should the process end before it has answered, the request is not
// done again. Without a request it does nothing.
func (q *Queries) NoteDone(ctx context.Context) error {
	r, ok := ctx.Value(requestKey{}).(Request)
	if !ok {
		return nil
	}
	return q.ReplyDone(ctx, ReplyDoneParams(r))
}
