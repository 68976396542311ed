// Package service holds what only servers and operators need: API keys, idempotency keys, webhooks
// and bulk loading; what the clients of other products expect, such as users, namespaces, batches
// and templates; and what checks a memory: [Service.Verify], [Service.Rebuild] and the records of
// erasures and rejections.
//
// A [Service] is made from a Client. If the Client is bound to a group, so is the Service:
//
//	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
//	…
//	key, err := service.New(client).Authenticate(ctx, secret)
package service

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/inside"
	"github.com/annalsdb/annals/internal/telemetry"
	"github.com/annalsdb/annals/model"
)

// by runs do in a transaction that knows who writes. Triggers record that.
func by[Row any](ctx context.Context, s *Service, do func(*db.Queries) (Row, error)) (made Row, err error) {
	err = db.InTxBy(ctx, s.pool, func(q *db.Queries) error {
		made, err = do(q)
		return err
	})
	return made, err
}

// edited runs a change of a group by hand, which is traced.
func edited[T any](ctx context.Context, s *Service, operation, groupID string, records func(T) int, do func(context.Context) (T, error)) (changed T, _ error) {
	if err := s.admit(groupID); err != nil {
		return changed, err
	}
	defer s.wrote(groupID)
	return telemetry.Memory(ctx, operation, groupID, records, do)
}

// Service provides the operations that only servers and operators need. It is safe for concurrent
// use, and cheap enough to create for each request.
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

// New creates a Service from a Client. It needs no closing.
func New(client *annals.Client) *Service {
	in := inside.Of(client)
	return &Service{
		client: client, pool: in.Pool, engine: in.Engine, embedder: in.Embedder, insecureWebhooks: in.InsecureWebhooks, indexedVectors: in.IndexedVectors,
		admit: in.Admit, unbound: in.Unbound, wrote: in.Wrote, addAllTx: in.AddAllTx,
	}
}

// listed converts rows. An error is wrapped with what was being done.
func listed[Row, Out any](rows []Row, err error, of func(Row) Out, doing string, args ...any) ([]Out, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
	}
	return each.Of(rows, of), nil
}

// found converts a row. If there is none, it returns the error absent.
func found[Row, Out any](row Row, err error, of func(Row) Out, absent error, doing string, args ...any) (out Out, _ error) {
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return out, absent
	case err != nil:
		return out, fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
	}
	return of(row), nil
}

// changed returns err wrapped, or the error none if no row was changed.
func changed(rows int64, err, none error, doing string, args ...any) error {
	if err != nil {
		return fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
	}
	if rows == 0 {
		return none
	}
	return nil
}

// wrap adds to an error what was being done.
func wrap(err error, what string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// wrapCoded is wrap, but leaves errors with a code as they are: they say it themselves.
func wrapCoded(err error, format string, args ...any) error {
	if err == nil || annals.CodeOf(err) != annals.CodeInternal {
		return err
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}
