// Package service holds what servers and operators need and programs do not: API
// keys, idempotency keys, webhooks, bulk loading, what the clients of other products
// expect, such as users, namespaces, batches and templates, and what proves a
// memory: [Service.Verify], [Service.Rebuild], the record of what was erased and
// rejected.
//
// A [Service] is made of a Client. It is bound to a group where the Client is:
//
//	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
//	…
//	key, err := service.New(client).Authenticate(ctx, secret)
package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/internal/inside"
	"github.com/annalsdb/annals/model"
)

// by runs a statement in a transaction that says who writes, for what triggers record
// of it.
func by[Row any](ctx context.Context, s *Service, do func(*db.Queries) (Row, error)) (made Row, err error) {
	err = db.InTxBy(ctx, s.pool, func(q *db.Queries) error {
		made, err = do(q)
		return err
	})
	return made, err
}

// Service is the part of a memory that only servers and operators use. It is safe for
// concurrent use, and cheap enough to be made for each request.
type Service struct {
	client           *annals.Client
	pool             db.Pool
	engine           *engine.Engine
	embedder         model.Embedder
	insecureWebhooks bool
	indexedVectors   int

	admit   func(groupID string) error
	unbound func() error
	wrote   func(groups ...string)

	addAllTx func(ctx context.Context, tx pgx.Tx, episodes []annals.Episode) ([]annals.Stored, error)
}

// New makes a Service of a Client. It needs no closing.
func New(client *annals.Client) *Service {
	in := inside.Of(client)
	return &Service{
		client: client, pool: in.Pool, engine: in.Engine, embedder: in.Embedder, insecureWebhooks: in.InsecureWebhooks, indexedVectors: in.IndexedVectors,
		admit: in.Admit, unbound: in.Unbound, wrote: in.Wrote, addAllTx: in.AddAllTx,
	}
}

// listed shows the rows that were read. An error says what was being done.
func listed[Row, Out any](rows []Row, err error, of func(Row) Out, doing string, args ...any) ([]Out, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
	}
	out := make([]Out, len(rows))
	for i, row := range rows {
		out[i] = of(row)
	}
	return out, nil
}

// found shows the row that was read. Where there is none, it returns absent.
func found[Row, Out any](row Row, err error, of func(Row) Out, absent error, doing string, args ...any) (out Out, _ error) {
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return out, absent
	case err != nil:
		return out, fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
	}
	return of(row), nil
}

// changed returns an error where no row was changed, or that went wrong.
func changed(rows int64, err, none error, doing string, args ...any) error {
	if err != nil {
		return fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
	}
	if rows == 0 {
		return none
	}
	return nil
}

// absent is the error of something that is not there.
func absent(field, format string, args ...any) error {
	return &annals.Error{Code: annals.CodeNotFound, Field: field, Message: fmt.Sprintf(format, args...)}
}

// conflict is the error of something that does not go with what is there.
func conflict(field, format string, args ...any) error {
	return &annals.Error{Code: annals.CodeConflict, Field: field, Message: fmt.Sprintf(format, args...)}
}

// wrap adds to an error what was being done.
func wrap(err error, what string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// wrapCoded is wrap, except for errors with a code, which say it themselves.
func wrapCoded(err error, format string, args ...any) error {
	if err == nil || annals.CodeOf(err) != annals.CodeInternal {
		return err
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

func orZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}
