package service

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
)

// Request identifies a request by its idempotency key, so that a client may send it twice.
type Request struct {
	GroupID string            // the group that it is about
	Caller  string            // who sent it: two callers may use the same Key
	Key     string            // the idempotency key, at most 512 bytes
	Hash    [sha256.Size]byte // of the content, to tell it from another request with the same key
}

// Reply is the answer to a [Request].
type Reply struct {
	Status int
	Header map[string]string
	Body   []byte
}

// The errors with which [Service.ClaimKey] refuses a request.
var (
	ErrKeyReused  = errors.New("the key was used for another request")
	ErrInProgress = errors.New("the request is being worked on")
	ErrDone       = errors.New("the request was done, and its answer was lost")
)

// ClaimKey begins a request. If the request is new, it returns nil: the caller works on it and ends
// it with [Service.SaveReply] or [Service.ReleaseKey]. If the request was answered within the last
// day, it returns that reply. It fails with [ErrKeyReused] if the key belongs to another request,
// with [ErrInProgress] if the first request is not answered yet, and with [ErrDone] if the process
// died after it did the work and before it answered.
func (s *Service) ClaimKey(ctx context.Context, r Request) (*Reply, error) {
	if err := s.admit(r.GroupID); err != nil {
		return nil, err
	}
	q := db.New(s.pool)
	claimed, err := q.ReplyClaim(ctx, db.ReplyClaimParams{GroupID: r.GroupID, Caller: r.Caller, Key: r.Key, RequestHash: r.Hash[:]})
	if err != nil || claimed > 0 {
		return nil, wrap(err, "take up a request")
	}
	row, err := q.ReplyGet(ctx, db.ReplyGetParams{GroupID: r.GroupID, Caller: r.Caller, Key: r.Key})
	switch {
	case errors.Is(err, pgx.ErrNoRows): // released in between
		return nil, ErrInProgress
	case err != nil:
		return nil, wrap(err, "read the reply to a request")
	case [sha256.Size]byte(row.RequestHash) != r.Hash:
		return nil, ErrKeyReused
	case row.Status == nil && row.Done:
		return nil, ErrDone
	case row.Status == nil:
		return nil, ErrInProgress
	}
	reply := &Reply{Status: int(*row.Status), Body: row.Body}
	return reply, wrap(json.Unmarshal(row.Header, &reply.Header), "read the reply to a request")
}

// Doing returns the context in which to work on a request: the transaction that does the work then
// also records that it is done.
func (r Request) Doing(ctx context.Context) context.Context {
	return db.WithRequest(ctx, db.Request{GroupID: r.GroupID, Caller: r.Caller, Key: r.Key})
}

// SaveReplyTx is [Service.SaveReply] in the transaction that does the work: the reply is stored if,
// and only if, the work is done.
func (s *Service) SaveReplyTx(ctx context.Context, tx pgx.Tx, r Request, reply Reply) error {
	return saveReply(ctx, db.New(tx), r, reply)
}

// SaveReply ends a request with a reply. A repeated request gets the same reply.
func (s *Service) SaveReply(ctx context.Context, r Request, reply Reply) error {
	if err := s.admit(r.GroupID); err != nil {
		return err
	}
	return saveReply(ctx, db.New(s.pool), r, reply)
}

func saveReply(ctx context.Context, q *db.Queries, r Request, reply Reply) error {
	if reply.Header == nil {
		reply.Header = map[string]string{}
	}
	header, err := json.Marshal(reply.Header)
	if err != nil {
		return wrap(err, "write the reply to a request")
	}
	err = q.ReplyKeep(ctx, db.ReplyKeepParams{
		GroupID: r.GroupID, Caller: r.Caller, Key: r.Key, Status: int32(reply.Status), Header: header, Body: append([]byte{}, reply.Body...),
	})
	return wrap(err, "keep the reply to a request")
}

// ReleaseKey ends a request that changed nothing. It may be sent again.
func (s *Service) ReleaseKey(ctx context.Context, r Request) error {
	if err := s.admit(r.GroupID); err != nil {
		return err
	}
	err := db.New(s.pool).ReplyForget(ctx, db.ReplyForgetParams{GroupID: r.GroupID, Caller: r.Caller, Key: r.Key})
	return wrap(err, "give up a request")
}
