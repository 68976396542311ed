package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Beside reads, on another connection of the pool, what a transaction sees.
type Beside struct {
	pool     Pool
	snapshot string
	within   shard // that is read; of all of one server: the zero
}

// besidePatience is how long a second connection is waited for. A
// transaction that waits holds one already: without an end, all could be waiting
// for each other.
const besidePatience = 100 * time.Millisecond

// ErrNoConnection says that no connection came free for [Beside.Read], or only
// one to another replica, which cannot know the snapshot.
var ErrNoConnection = errors.New("no connection is free")

// Beside offers a second connection for reading the state that q, which must
// be in a snapshot, sees. It is nil where the pool is half in use or more, as
// others need its connections then; where the pool is the application's, whose
// connections are not to be taken two at a time; and behind a pooler, where
// nobody knows how many there are.
func (q *Queries) Beside(ctx context.Context, pool Pool) (*Beside, error) {
	within, _ := q.db.(shard)
	if within.server != nil {
		pool = within.server
	}
	if s := pool.Stat(); 2*s.AcquiredConns() > s.MaxConns() || isBorrowed(pool) || SuitedToPooler(pool) {
		return nil, nil
	}
	snapshot, err := q.SnapshotExport(ctx)
	if err != nil {
		return nil, fmt.Errorf("share the snapshot: %w", err)
	}
	return &Beside{pool, snapshot, within}, nil
}

func isUnknownSnapshot(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "22023" || pg.Code == "42704")
}

type acquiredKey struct{}

// acquired tells the reader that waits with a context that a connection has come:
// [Beside.Read] stops waiting when its context ends, but not the beginning of a
// transaction then, which would cost the connection.
func acquired(ctx context.Context, _ *pgx.Conn) (bool, error) {
	if begins, ok := ctx.Value(acquiredKey{}).(func() bool); ok {
		begins()
	}
	return true, nil
}

// Read runs do as [InSnapshot] does, but in the state that is shared; that
// transaction must not end before.
func (b *Beside) Read(ctx context.Context, do func(*Queries) error) error {
	plan := planForReading
	if b.within.server != nil {
		plan = planAlone
	}
	begin := beginReading + "; SET TRANSACTION SNAPSHOT " + quoteLiteral(b.snapshot) + "; " + plan
	waiting, stop := context.WithTimeout(context.WithoutCancel(ctx), besidePatience)
	defer stop()
	waiting = context.WithValue(waiting, acquiredKey{}, context.AfterFunc(ctx, stop))
	tx, err := b.pool.BeginTx(waiting, pgx.TxOptions{BeginQuery: begin})
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
	if b.within.server != nil {
		within := b.within
		within.DBTX = tx
		return do(New(within))
	}
	return do(New(tx))
}
