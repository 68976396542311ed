// Package db is not an API: it may change with every release. It is the access to the database: the
// queries that sqlc compiles from queries/, the connection pool, transactions, and the conversion
// of rows into the types of package graph.
package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	pgxvec "github.com/pgvector/pgvector-go/pgx"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pooler"
)

// Open connects to a migrated database. set changes the configuration of the pool. An unreachable
// database is a [graph.CodeUnavailable], one without the schema a [graph.CodeConflict].
func Open(ctx context.Context, databaseURL string, set ...func(*pgxpool.Config)) (*pgxpool.Pool, error) {
	config, err := poolConfig(databaseURL, set...)
	if err != nil {
		return nil, err
	}
	pool, err := openPool(ctx, config)
	if errors.Is(err, errUnsuited) {
		config.ConnConfig.DefaultQueryExecMode = pooler.Carried
		pool, err = openPool(ctx, config)
	}
	return pool, err
}

// errUnsuited says that the pooler before the server does not support the way in which the
// connections send statements.
var errUnsuited = errors.New("the connections do not suit the pooler")

// openPool opens a pool and its first connection, which checks for a pooler.
func openPool(ctx context.Context, config *pgxpool.Config) (*pgxpool.Pool, error) {
	var look sync.Once
	var unsuited error
	began, looking := time.Now(), config.Copy()
	looking.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		look.Do(func() {
			var so bool
			if so, unsuited = pooler.Unsuited(ctx, conn, began); so {
				unsuited = errUnsuited
			}
		})
		if unsuited != nil {
			return unsuited
		}
		return config.AfterConnect(ctx, conn)
	}
	pool, err := pgxpool.NewWithConfig(ctx, looking)
	if err != nil {
		return nil, fmt.Errorf("open the connection pool: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		if errors.Is(err, errUnsuited) {
			return nil, err
		}
		return nil, explainConnect(err)
	}
	return pool, nil
}

func poolConfig(databaseURL string, set ...func(*pgxpool.Config)) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return nil, &graph.Error{Code: graph.CodeInvalid, Field: "database", Message: "the URL cannot be read", Err: err}
	}
	config.ConnConfig.RuntimeParams["application_name"] = "annals"
	config.AfterConnect = registerTypes
	for _, change := range set {
		change(config)
	}
	return config, nil
}

// registerTypes registers the types of vectors on a connection, and a codec that reads and writes
// ids as bytes: as text they are most of what a search costs the client. If statements are not
// described first, as some poolers require, pgx must be told the type of an id.
func registerTypes(ctx context.Context, conn *pgx.Conn) error {
	types := conn.TypeMap()
	pgxuuid.Register(types)
	types.RegisterDefaultPgType(uuid.UUID{}, "uuid")
	types.RegisterDefaultPgType([]uuid.UUID{}, "_uuid")
	types.RegisterType(&pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: idCodec{}})
	if id, ok := types.TypeForOID(pgtype.UUIDOID); ok {
		types.RegisterType(&pgtype.Type{Name: "_uuid", OID: pgtype.UUIDArrayOID, Codec: &pgtype.ArrayCodec{ElementType: id}})
	}
	vector, err := New(conn).VectorType(ctx)
	if err != nil {
		return err
	}
	halfvec := &pgtype.Type{Name: "halfvec", OID: vector.Oid.Uint32, Codec: &pgxvec.HalfVectorCodec{}}
	types.RegisterType(halfvec)
	types.RegisterType(&pgtype.Type{Name: "_halfvec", OID: vector.OfMany.Uint32, Codec: &pgtype.ArrayCodec{ElementType: halfvec}})
	return nil
}

// idCodec reads ids as bytes. pgx prefers [sql.Scanner], which [uuid.UUID] implements, to what the
// library of ids registers, and so would write each id as text and read that. Only pointers take
// NULL.
type idCodec struct{ pgxuuid.UUIDCodec }

func (c idCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	plan, wrapped, ok := pgxuuid.TryWrapUUIDScanPlan(target)
	if !ok {
		return c.UUIDCodec.PlanScan(m, oid, format, target)
	}
	plan.SetNext(c.UUIDCodec.PlanScan(m, oid, format, wrapped))
	return plan
}

func explainConnect(err error) error {
	var pg *pgconn.PgError
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) || errors.As(err, &pg) {
		return &graph.Error{
			Code: graph.CodeUnavailable, Field: "database",
			Message: "cannot be reached; check that it runs and that ANNALS_DATABASE_URL is right", Err: pooler.Once(err),
		}
	}
	if errors.Is(err, pgx.ErrNoRows) { // it tells the user nothing: what was looked for is not there
		err = nil
	}
	return &graph.Error{
		Code: graph.CodeConflict, Field: "database",
		Message: "is not set up for Annals; run 'annals migrate up', or after a restore 'annals doctor'", Err: err,
	}
}

// Store is what queries run on: a pool, or a transaction, in which Begin makes a savepoint.
type Store interface {
	DBTX
	Begin(context.Context) (pgx.Tx, error)
}

// Pool runs statements and transactions. It is a [pgxpool.Pool], or one whose transactions are all
// bound to a [Tenant].
type Pool interface {
	Store
	BeginTx(context.Context, pgx.TxOptions) (pgx.Tx, error)

	// Acquire takes a connection, which is bound to no tenant and must be released.
	Acquire(context.Context) (*pgxpool.Conn, error)

	// Config is the configuration for connections outside the pool, which are bound to no tenant:
	// for locks and for building indexes.
	Config() *pgxpool.Config

	// Stat returns the number of connections, and of those in use.
	Stat() *pgxpool.Stat
}

// InTx runs do in a transaction. It commits if do returns nil, rolls back otherwise, and retries as
// [Retrying] says. Within another transaction it does not retry: that is up to the outer one.
func InTx(ctx context.Context, store Store, do func(*Queries) error) error {
	once := func() error {
		return pgx.BeginFunc(ctx, store, func(tx pgx.Tx) error { return do(New(tx)) })
	}
	if _, within := store.(pgx.Tx); within {
		return once()
	}
	return Retrying(ctx, once)
}

// InTxBy is [InTx], and tells the triggers who writes.
func InTxBy(ctx context.Context, store Store, do func(*Queries) error) error {
	return InTx(ctx, store, func(q *Queries) error {
		if err := q.OriginSet(ctx, graph.OriginOf(ctx).Doing("edit")); err != nil {
			return err
		}
		return do(q)
	})
}

// How often a transaction is tried that the server ends because of a conflict with others.
const serialisationTries = 6

// Retrying runs a transaction again if the server ended it because of others: by a serialisation
// failure or a deadlock, which leave nothing behind, or because a cluster moved the group
// meanwhile. do may run several times.
func Retrying(ctx context.Context, do func() error) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval = 10 * time.Millisecond
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := do()
		var pg *pgconn.PgError
		if err == nil || errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01" || pg.Code == "XX000" && strings.Contains(pg.Message, "could not find valid entry for shard")) {
			return struct{}{}, err
		}
		return struct{}{}, backoff.Permanent(err)
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(serialisationTries))
	if refused := RefusedBeneath(err); refused != nil {
		return refused
	}
	return err
}

// Exec sends a batch and returns its first error.
func Exec(batch interface{ Exec(func(int, error)) }) error {
	var first error
	batch.Exec(func(_ int, err error) {
		if first == nil {
			first = err
		}
	})
	return explainEmbedder(first)
}
