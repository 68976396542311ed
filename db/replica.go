package db

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pooler"
)

const (
	// replicaRest is how long a replica that failed is not used.
	replicaRest = 5 * time.Second

	// behindRest is how long reads do not wait for a replica after one waited in vain: if it is
	// behind, they go to the primary at once.
	behindRest = time.Second

	// How long connecting to a replica may take if its URL does not say. Meanwhile a read waits
	// that the primary could have answered.
	replicaConnect = time.Second

	firstPoll, longestPoll = time.Millisecond, 16 * time.Millisecond
)

// errBehind says that the replica has not replayed what a read must see.
var errBehind = errors.New("the replica is behind")

// Replica is a read-only copy of the database that follows the primary with a small delay. It is
// safe for concurrent use.
//
// A connection is handed out once its server has replayed what the read must see. Each connection
// is asked for itself, as a URL may stand for several replicas.
type Replica struct {
	pool     *pgxpool.Pool
	patience time.Duration
	log      *slog.Logger

	mu      sync.Mutex
	state   replicaState
	resting time.Time // until when it is not used, or not waited for
}

// replicaState is the last known state of a replica.
type replicaState string

const (
	replicaFollows replicaState = ""
	replicaBehind  replicaState = "behind"
	replicaFailed  replicaState = "failed"
)

// OpenReplica prepares to read from a replica, which need not be reachable now or later. A read
// waits at most patience for the replica to replay what it must see. log may be nil. The only error
// is a URL that cannot be parsed.
func OpenReplica(ctx context.Context, databaseURL string, patience time.Duration, log *slog.Logger,
	set ...func(*pgxpool.Config),
) (*Replica, error) {
	config, err := poolConfig(databaseURL, set...)
	if err != nil {
		return nil, err
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = replicaConnect
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	r := &Replica{patience: patience, log: log}
	suit := &suited{}
	config.BeforeConnect, config.PrepareConn = suit.connect, r.prepare
	if r.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("open the connection pool of the replica: %w", err)
	}
	return r, nil
}

// suited remembers from the first connection how the server needs statements to be sent.
type suited struct {
	mu   sync.Mutex
	done bool
	mode pgx.QueryExecMode
}

func (s *suited) connect(ctx context.Context, config *pgx.ConnConfig) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.done {
		if _, err := pooler.Suit(ctx, config); err != nil {
			return err
		}
		s.done, s.mode = true, config.DefaultQueryExecMode
	}
	config.DefaultQueryExecMode = s.mode
	return nil
}

// Close closes the connections. It does nothing on a nil Replica.
func (r *Replica) Close() {
	if r != nil {
		r.pool.Close()
	}
}

// Pool is the pool of the replica, for use within [Replica.Read].
func (r *Replica) Pool() Pool { return r.pool }

type afterKey struct{}

// Read runs do, which reads from the replica's [Replica.Pool] with the given context, once the
// replica has replayed the log up to after. It reports whether the outcome of do counts. If not,
// the primary must be asked: the replica is behind, does not answer, or failed on the way.
func (r *Replica) Read(ctx context.Context, after LSN, do func(context.Context) error) bool {
	if r.rests() {
		return false
	}
	err := do(context.WithValue(ctx, afterKey{}, after))
	switch {
	case err == nil:
		r.answered(ctx, after)
		return true
	case ctx.Err() != nil || isAnswer(err):
		return true
	case errors.Is(err, errBehind):
		r.found(ctx, replicaBehind, nil)
	case !isConflict(err):
		r.found(ctx, replicaFailed, err)
	}
	return false
}

// isAnswer reports whether the primary would return the same error.
func isAnswer(err error) bool {
	var known *graph.Error
	return errors.As(err, &known) || errors.Is(err, pgx.ErrNoRows)
}

// isConflict reports whether the replica cancelled a read because of what it had to replay, or
// because it took too long.
func isConflict(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01" || pg.Code == "57014")
}

// answered notes that the replica answered a read that had to see the log up to after.
func (r *Replica) answered(ctx context.Context, after LSN) {
	r.mu.Lock()
	news := r.state == replicaFailed || r.state == replicaBehind && after > 0
	r.mu.Unlock()
	if news {
		r.found(ctx, replicaFollows, nil)
	}
}

func (r *Replica) rests() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state == replicaFailed && time.Now().Before(r.resting)
}

// found notes the state of the replica, and logs a change.
func (r *Replica) found(ctx context.Context, state replicaState, err error) {
	r.mu.Lock()
	before := r.state
	r.state = state
	switch state {
	case replicaBehind:
		r.resting = time.Now().Add(behindRest)
	case replicaFailed:
		r.resting = time.Now().Add(replicaRest)
	}
	r.mu.Unlock()
	if state == before {
		return
	}
	switch state {
	case replicaBehind:
		r.log.WarnContext(ctx, "the replica is behind: reads that follow a write go to the primary", "waited", r.patience)
	case replicaFailed:
		r.log.WarnContext(ctx, "the replica does not answer: reads go to the primary", "error", err, "retry_after", replicaRest)
	default:
		r.log.InfoContext(ctx, "the replica follows again")
	}
}

const replayedKey = "annals.replayed"

// prepare waits until the server of a connection has replayed what the read must see.
func (r *Replica) prepare(ctx context.Context, conn *pgx.Conn) (bool, error) {
	after, _ := ctx.Value(afterKey{}).(LSN)
	known := conn.PgConn().CustomData()
	if replayed, _ := known[replayedKey].(LSN); replayed >= after {
		return true, nil
	}
	deadline := time.Now().Add(r.waitFor())
	for poll := firstPoll; ; poll = min(2*poll, longestPoll) {
		_, replayed, err := Replayed(ctx, conn)
		if err != nil {
			return false, err
		}
		known[replayedKey] = replayed
		switch {
		case replayed >= after:
			return true, nil
		case time.Now().Add(poll).After(deadline):
			return true, errBehind
		}
		select {
		case <-ctx.Done():
			return true, ctx.Err()
		case <-time.After(poll):
		}
	}
}

// waitFor is how long a read may wait for the replica now.
func (r *Replica) waitFor() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == replicaBehind && time.Now().Before(r.resting) {
		return 0
	}
	return r.patience
}

// Replayed asks a server how much of the primary's log it has replayed, and whether it follows a
// primary.
func Replayed(ctx context.Context, server DBTX) (following bool, replayed LSN, err error) {
	row, err := New(server).LogReplayed(ctx)
	if err != nil {
		return false, 0, fmt.Errorf("ask the replica how far it has come: %w", err)
	}
	replayed, err = ParseLSN(row.Lsn)
	return row.Following, replayed, err
}

// Committed returns a position in the primary's log after all that is committed.
func Committed(ctx context.Context, primary DBTX) (LSN, error) {
	mark, err := New(primary).LogMark(ctx)
	if err != nil {
		return 0, fmt.Errorf("ask the primary how far its log goes: %w", err)
	}
	return ParseLSN(mark)
}
