package db

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pooler"
)

// roomPatience is how long a connection of the server's is waited for. Behind a
// pooler that has one it comes at once.
const roomPatience = 200 * time.Millisecond

// ErrNoRoom says that [Room] found no connection to spare.
var ErrNoRoom = &graph.Error{
	Code: graph.CodeUnavailable, Field: "database",
	Message: "is reached through a pooler that has no connection to spare; raise its pool size (default_pool_size), or do less at once",
}

// Room sees to it that those who hold a lock behind a pooler can work. A lock is
// held by a transaction, which keeps one of the few connections that the pooler
// has to the server; were all of them held so, everybody would wait for everybody
// else. So a process that has taken a lock asks for one more connection before it
// begins, and lets go of the lock where none comes. [ErrNoRoom] then says that it
// is to try again later.
func Room(ctx context.Context, pool Pool) error {
	if !SuitedToPooler(pool) {
		return nil
	}
	waiting, stop := context.WithTimeout(ctx, roomPatience)
	defer stop()
	_, err := New(pool).HealthClock(waiting)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return ErrNoRoom
	}
	return err
}

// SuitedToPooler reports whether a pool sends statements as a pooler needs it:
// [Open] noticed one, or the URL or the application says how to send them.
func SuitedToPooler(pool Pool) bool {
	config := pool.Config().ConnConfig
	return config.DefaultQueryExecMode != pgx.QueryExecModeCacheStatement || pooler.SaysMode(config)
}

// BehindPooler asks on a connection of its own whether a pool stands behind a
// pooler.
func BehindPooler(ctx context.Context, pool Pool) (bool, error) {
	conn, err := Connect(ctx, pool)
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return pooler.Behind(ctx, conn)
}
