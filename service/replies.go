package service

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
)

// Request names a request that its sender may send twice.
type Request struct {
	GroupID string // that it is about
	Caller  string // whose it is: two callers may use the same Key
	Key     string // that the caller made up for it, at most 512 bytes
	Hash    [sha256.Size]byte
}

// Reply is what was answered to a [Request].
type Reply struct {
	Status int
	Header map[string]string
	Body   []byte
}

// The reasons for which [Service.Claim] refuses a request.
var (
	ErrKeyReused  = errors.New("the key was used for another request")
	ErrInProgress = errors.New("the request is being worked on")
)

// Claim takes up a request. The reply is nil where it is new: it must then be
// worked on and be ended by [Service.Keep] or [Service.Forget]. It is the one that was
// kept where the request came before, within a day. Another request with the
// same key is an [ErrKeyReused], one that is not answered yet an [ErrInProgress].
func (s *Service) Claim(ctx context.Context, r Request) (*Reply, error) {
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
	case errors.Is(err, pgx.ErrNoRows): // it was just given up
		return nil, ErrInProgress
	case err != nil:
		return nil, wrap(err, "read the reply to a request")
	case [sha256.Size]byte(row.RequestHash) != r.Hash:
		return nil, ErrKeyReused
	case row.Status == nil:
		return nil, ErrInProgress
	}
	reply := &Reply{Status: int(*row.Status), Body: row.Body}
	return reply, wrap(json.Unmarshal(row.Header, &reply.Header), "read the reply to a request")
}

// Keep ends a request with the reply that is given whenever it comes again.
func (s *Service) Keep(ctx context.Context, r Request, reply Reply) error {
	if err := s.admit(r.GroupID); err != nil {
		return err
	}
	if reply.Header == nil {
		reply.Header = map[string]string{}
	}
	header, err := json.Marshal(reply.Header)
	if err != nil {
		return wrap(err, "write the reply to a request")
	}
	err = db.New(s.pool).ReplyKeep(ctx, db.ReplyKeepParams{
		GroupID: r.GroupID, Caller: r.Caller, Key: r.Key, Status: int32(reply.Status), Header: header, Body: append([]byte{}, reply.Body...),
	})
	return wrap(err, "keep the reply to a request")
}

// Forget ends a request that changed nothing: it may come again.
func (s *Service) Forget(ctx context.Context, r Request) error {
	if err := s.admit(r.GroupID); err != nil {
		return err
	}
	err := db.New(s.pool).ReplyForget(ctx, db.ReplyForgetParams{GroupID: r.GroupID, Caller: r.Caller, Key: r.Key})
	return wrap(err, "give up a request")
}

// ForgetReplies removes what was answered more than a day ago and returns how
// many answers.
func (s *Service) ForgetReplies(ctx context.Context) (int, error) {
	if err := s.unbound(); err != nil {
		return 0, err
	}
	n, err := db.New(s.pool).RepliesExpire(ctx)
	return int(n), wrap(err, "remove old replies")
}
