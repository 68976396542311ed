package db

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// snapshot is a read-only transaction that sees one state of the database. It begins in the round
// trip of its first statement, and may end in that of its last: a round trip is up to a tenth of
// what a search in a small group waits for.
type snapshot struct {
	pool  Pool
	first []statement   // sent after BEGIN, before any other statement
	conn  *pgxpool.Conn // nil: it has not begun
	shard *shard        // the shard to read; nil: no cluster, or the coordinator
	ended bool          // it ended with the last statement
}

// InSnapshot runs do in a read-only transaction that sees one state of a group throughout, with
// planner settings for reading. On a cluster it asks the server that has the group, or the
// coordinator if that cannot answer. do may run several times, and must read no other group. An
// empty group asks the coordinator.
func InSnapshot(ctx context.Context, pool Pool, groupID string, do func(*Queries) error) error {
	return Retrying(ctx, func() error {
		if asked, err := inShard(ctx, pool, groupID, do); asked {
			return err
		}
		s := &snapshot{pool: pool, first: []statement{{sql: planForReading}}}
		if t, bound := pool.(tenant); bound {
			s.pool, s.first = t.pool, append(s.first, t.bind())
		}
		defer s.end(ctx)
		return do(New(s))
	})
}

func (s *snapshot) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	if s.ended {
		return pgx.FailedBatchResults(batch, errEnded)
	}
	for _, queued := range batch.QueuedQueries {
		queued.SQL, queued.Arguments = s.suited(queued.SQL, queued.Arguments)
	}
	if s.begun() {
		return s.conn.SendBatch(ctx, batch)
	}
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return pgx.FailedBatchResults(batch, err)
	}
	s.conn = conn
	first := &pgx.Batch{}
	first.Queue(beginReading)
	return sendAfter(ctx, conn, first, s.first, batch)
}

// begun reports whether the transaction is open.
func (s *snapshot) begun() bool { return s.conn != nil && !s.ended }

func (s *snapshot) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if !s.begun() {
		return execOne(s.SendBatch(ctx, oneOf(sql, args)))
	}
	sql, args = s.suited(sql, args)
	return s.conn.Exec(ctx, sql, args...)
}

func (s *snapshot) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if !s.begun() {
		return queryOne(s.SendBatch(ctx, oneOf(sql, args)))
	}
	sql, args = s.suited(sql, args)
	return s.conn.Query(ctx, sql, args...)
}

func (s *snapshot) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	rows, err := s.Query(ctx, sql, args...)
	return batchRow{rows, err}
}

// suited adapts a statement and its arguments to the connection and the shard.
func (s *snapshot) suited(sql string, args []any) (string, []any) {
	if s.shard != nil {
		sql = s.shard.named(sql)
	}
	if isBorrowed(s.pool) {
		args = plain(args)
	}
	return sql, args
}

// errEnded refuses statements after the end, which would run outside of the transaction and with
// other rights.
var errEnded = errors.New("the snapshot has ended with the statement that was said to be its last")

// endWith ends the snapshot with a batch: nothing can be asked after it.
func (s *snapshot) endWith(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	batch.Queue(`ROLLBACK`)
	results := s.SendBatch(ctx, batch)
	s.ended = true
	return results
}

// end returns the connection to the pool, after it has waited for the end of the transaction. If
// the connection were not back when the next search begins, another one would answer, whose caches
// have gone cold.
func (s *snapshot) end(ctx context.Context) {
	if s.conn == nil {
		return
	}
	s.ended = true
	defer s.conn.Release() // which closes it if the transaction has not ended
	if s.conn.Conn().PgConn().TxStatus() != 'I' {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endingTime)
		defer cancel()
		_, _ = s.conn.Exec(ctx, `ROLLBACK`)
	}
}

// endingTime is how long ending a transaction may take before its connection is given up.
const endingTime = 3 * time.Second

const beginReading = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`

// PlanForAny sets a transaction that writes a whole group to plan as reading does. Otherwise its
// statements would be planned for a group without statistics: any index seems as good as the next,
// and each foreign key is checked against all rows added so far.
func PlanForAny(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, planForReading)
	return err
}

// Plans are cached, as making one takes longer than most searches. A generic plan cannot know the
// size of a group and assumes an average one. So plans that only suit large groups are disabled:
// sequential scans, parallel workers, which take milliseconds to start, JIT, and memoising joined
// rows, as few rows join the same. The coordinator of a cluster must know the group to plan.
const (
	planForReading = `SELECT set_config('plan_cache_mode', CASE current_setting('annals.distributed', true) WHEN 'on' THEN 'auto' ELSE 'force_generic_plan' END, true)` + planFew
	planAlone      = `SELECT set_config('plan_cache_mode', 'force_generic_plan', true)` + planFew
	planFew        = `,
	set_config('enable_seqscan', 'off', true),
	set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true), set_config('enable_memoize', 'off', true)`
)
