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
	// replicaRest is for how long a replica that failed is left alone.
	replicaRest = 5 * time.Second

	// behindRest is for how long nobody waits for a replica that a read waited
	// for in vain: who finds it behind goes to the primary at once.
	behindRest = time.Second

	// How long connecting to a replica may take where its URL does not say:
	// meanwhile somebody waits who could have been answered by the primary.
	replicaConnect = time.Second

	firstPoll, longestPoll = time.Millisecond, 16 * time.Millisecond
)

// errBehind says that the replica has not replayed what a read has to see.
var errBehind = errors.New("the replica is behind")

// Replica is a copy of the database that follows the primary, a little behind,
// and is read from. It is safe for concurrent use.
//
// A connection is handed out when the server at its other end has replayed what
// the read has to see, which is asked of that connection: a URL may stand for
// several replicas.
type Replica struct {
	pool     *pgxpool.Pool
	patience time.Duration
	log      *slog.Logger

	mu      sync.Mutex
	state   replicaState
	resting time.Time // until when it is not used, or not waited for
}

// replicaState is how a replica was last found.
type replicaState string

const (
	replicaFollows replicaState = ""
	replicaBehind  replicaState = "behind"
	replicaFailed  replicaState = "failed"
)

// OpenReplica prepares to read from a replica, which need not answer now nor
// always. A read waits for patience at the most until the replica has replayed
// what it has to see. log may be nil. Only a URL that cannot be read is an error.
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

// suited remembers of the first connection how the server wants statements sent.
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

// Close lets go of the connections. A nil Replica has none.
func (r *Replica) Close() {
	if r != nil {
		r.pool.Close()
	}
}

// Pool is the way to the replica, within [Replica.Read].
func (r *Replica) Pool() Pool { return r.pool }

type afterKey struct{}

// Read runs do, which reads from the replica's [Replica.Pool] with the context
// that it is given, once that has replayed the log up to after. It reports
// whether do's outcome counts; if not, the primary is to be asked: the replica
// is behind, does not answer, or failed on the way.
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

// isAnswer reports whether an error is what the primary would say too.
func isAnswer(err error) bool {
	var known *graph.Error
	return errors.As(err, &known) || errors.Is(err, pgx.ErrNoRows)
}

// isConflict reports whether the replica ended a read for the sake of what it
// had to replay, or because it took too long.
func isConflict(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01" || pg.Code == "57014")
}

// answered notes that the replica answered a read that had to see the log up
// to after.
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

// found notes how the replica was found, and tells the operator when that has
// changed.
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

// prepare waits until the server at the other end of a connection has replayed
// what the read has to see.
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

// waitFor is how long to wait for the replica now.
func (r *Replica) waitFor() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == replicaBehind && time.Now().Before(r.resting) {
		return 0
	}
	return r.patience
}

// Replayed asks a server how far in the primary's log it has come, and whether
// it follows one.
func Replayed(ctx context.Context, server DBTX) (following bool, replayed LSN, err error) {
	row, err := New(server).LogReplayed(ctx)
	if err != nil {
		return false, 0, fmt.Errorf("ask the replica how far it has come: %w", err)
	}
	replayed, err = ParseLSN(row.Lsn)
	return row.Following, replayed, err
}

// Committed returns the place in the primary's log behind all that is
// committed.
func Committed(ctx context.Context, primary DBTX) (LSN, error) {
	mark, err := New(primary).LogMark(ctx)
	if err != nil {
		return 0, fmt.Errorf("ask the primary how far its log goes: %w", err)
	}
	return ParseLSN(mark)
}
