package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// SecondReader reads, on another connection of the pool, what a snapshot sees.
type SecondReader struct {
	pool     Pool
	snapshot string
	shard    *shard // the shard that is read; nil: all of one server
}

// readerPatience is how long a second connection is waited for. A
// transaction that waits holds one already: without an end, all could be waiting
// for each other.
const readerPatience = 100 * time.Millisecond

// ErrNoConnection says that no connection came free for [SecondReader.Read], or only
// one to another replica, which cannot know the snapshot.
var ErrNoConnection = errors.New("no connection is free")

// SecondReader offers a second connection for reading the state that q, which must
// be in a snapshot, sees. It is nil where the pool is half in use or more, as
// others need its connections then; where the pool is the application's, whose
// connections are not to be taken two at a time; and behind a pooler, where
// nobody knows how many there are.
func (q *Queries) SecondReader(ctx context.Context, pool Pool) (*SecondReader, error) {
	r := &SecondReader{pool: pool}
	if s, is := q.db.(*snapshot); is && s.shard != nil {
		r.pool, r.shard = s.shard.server, s.shard
	}
	if s := r.pool.Stat(); 2*s.AcquiredConns() > s.MaxConns() || isBorrowed(r.pool) || SuitedToPooler(r.pool) {
		return nil, nil
	}
	var err error
	if r.snapshot, err = q.SnapshotExport(ctx); err != nil {
		return nil, fmt.Errorf("share the snapshot: %w", err)
	}
	return r, nil
}

func isUnknownSnapshot(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "22023" || pg.Code == "42704")
}

type acquiredKey struct{}

// acquired tells the reader that waits with a context that a connection has come:
// [SecondReader.Read] stops waiting when its context ends, but not the beginning of a
// transaction then, which would cost the connection.
func acquired(ctx context.Context, _ *pgx.Conn) (bool, error) {
	if begins, ok := ctx.Value(acquiredKey{}).(func() bool); ok {
		begins()
	}
	return true, nil
}

// Read runs do as [InSnapshot] does, but in the state that is shared; that
// transaction must not end before.
func (r *SecondReader) Read(ctx context.Context, do func(*Queries) error) error {
	plan := planForReading
	if r.shard != nil {
		plan = planAlone
	}
	begin := beginReading + "; SET TRANSACTION SNAPSHOT " + QuoteLiteral(r.snapshot) + "; " + plan
	waiting, stop := context.WithTimeout(context.WithoutCancel(ctx), readerPatience)
	defer stop()
	waiting = context.WithValue(waiting, acquiredKey{}, context.AfterFunc(ctx, stop))
	tx, err := r.pool.BeginTx(waiting, pgx.TxOptions{BeginQuery: begin})
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return fmt.Errorf("read beside: %w", ctx.Err())
	case errors.Is(err, context.DeadlineExceeded), isUnknownSnapshot(err):
		return ErrNoConnection
	default:
		return fmt.Errorf("read beside: %w", err)
	}
	defer endReading(ctx, tx)
	return do(New(&snapshot{to: tx, shard: r.shard}))
}
