package db

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pooler"
)

// roomPatience is how long to wait for another server connection. A pooler that has one gives it at
// once.
const roomPatience = 200 * time.Millisecond

// ErrNoRoom says that [Room] found no connection to spare.
var ErrNoRoom = &graph.Error{
	Code: graph.CodeUnavailable, Field: "database",
	Message: "is reached through a pooler that has no connection to spare; raise its pool size (default_pool_size), or do less at once",
}

// Room checks that a process that holds a lock behind a pooler can work. The transaction that holds
// a lock keeps one of the pooler's few connections to the server; if locks held all of them, every
// process would wait for the others. So a process that has taken a lock asks for one more
// connection before it begins. If it gets none, Room returns [ErrNoRoom], and the process releases
// the lock and tries again later.
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

// SuitedToPooler reports whether a pool sends statements as a pooler needs it: because [Open]
// noticed a pooler, or because the URL or the application sets the mode.
func SuitedToPooler(pool Pool) bool {
	config := pool.Config().ConnConfig
	return config.DefaultQueryExecMode != pgx.QueryExecModeCacheStatement || pooler.SaysMode(config)
}

// BehindPooler reports whether a pool is behind a pooler. It asks on a connection of its own.
func BehindPooler(ctx context.Context, pool Pool) (bool, error) {
	conn, err := Connect(ctx, pool)
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return pooler.Behind(ctx, conn)
}
