// Package db is not an API: it may change with every release. It is the way to the
// database: the queries that sqlc compiles from queries/, the connection pool,
// transactions, and the translation of rows into the words of package graph.
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

// Open connects to a migrated database, with what is to be set otherwise. An
// unreachable database is a [graph.CodeUnavailable], one without the schema a
// [graph.CodeConflict].
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

// errUnsuited says that a pooler before the server does not carry the connections.
var errUnsuited = errors.New("the connections do not suit the pooler")

// openPool opens a pool and its first connection, which looks for a pooler.
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

// registerTypes teaches a connection the types of vectors, and to read and
// write ids as the bytes that they are: as text it is most of what a search
// costs the client. Where statements are not described first, as some poolers
// need it, it has to be told what an id is sent as.
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

// idCodec reads an id as it comes. pgx asks a type that is a [sql.Scanner], as
// [uuid.UUID] is, before it asks what the library of ids adds to it, and so would
// write each as text and read that. Only pointers take NULL.
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
	if errors.Is(err, pgx.ErrNoRows) { // which says nothing to anybody: what was looked for is not there
		err = nil
	}
	return &graph.Error{
		Code: graph.CodeConflict, Field: "database",
		Message: "is not set up for Annals; run 'annals migrate up', or after a restore 'annals doctor'", Err: err,
	}
}

// Store is what queries run on: a pool, or a transaction, within which a
// further one is a savepoint.
type Store interface {
	DBTX
	Begin(context.Context) (pgx.Tx, error)
}

// Pool is the way to run statements and transactions: a [pgxpool.Pool], or one
// whose every transaction is bound to a [Tenant].
type Pool interface {
	Store
	BeginTx(context.Context, pgx.TxOptions) (pgx.Tx, error)

	// Acquire takes a connection, which is bound to no tenant and is to be released.
	Acquire(context.Context) (*pgxpool.Conn, error)

	// Config says how to make a connection beside the pool, which is bound to
	// no tenant: for locks and for building indexes.
	Config() *pgxpool.Config

	// Stat tells how many connections there are, and are in use.
	Stat() *pgxpool.Stat
}

// InTx runs do in a transaction: committed when do returns nil, rolled back
// otherwise, and run anew as [Retrying] says. What fails within a further
// transaction is for that one to begin anew.
func InTx(ctx context.Context, store Store, do func(*Queries) error) error {
	once := func() error {
		return pgx.BeginFunc(ctx, store, func(tx pgx.Tx) error { return do(New(tx)) })
	}
	if _, within := store.(pgx.Tx); within {
		return once()
	}
	return Retrying(ctx, once)
}

// InTxBy is [InTx] that says who writes, for what triggers record of it.
func InTxBy(ctx context.Context, store Store, do func(*Queries) error) error {
	return InTx(ctx, store, func(q *Queries) error {
		if err := q.OriginSet(ctx, graph.OriginOf(ctx).Doing("edit")); err != nil {
			return err
		}
		return do(q)
	})
}

// How often a transaction is begun anew that the server ended because it could
// not be put in order with others.
const serialisationTries = 6

// Retrying runs a transaction anew when the server ended it for the sake of
// others: by serialisation failures and deadlocks, which leave nothing behind, or
// because a cluster moved the group meanwhile. do must bear being run several times.
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
