package db

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// sendAfter sends first, then statements and a batch, in one round trip. It returns the results of
// the batch.
func sendAfter(ctx context.Context, to DBTX, first *pgx.Batch, statements []statement, batch *pgx.Batch) pgx.BatchResults {
	for _, s := range statements {
		first.Queue(s.sql, s.args...)
	}
	ahead := first.Len()
	first.QueuedQueries = append(first.QueuedQueries, batch.QueuedQueries...)
	results := to.SendBatch(ctx, first)
	for range ahead {
		_, _ = results.Exec() // an error stays with the results, and every later statement returns it
	}
	return results
}

// oneOf is a batch of one statement, for [execOne] and [queryOne].
func oneOf(sql string, args []any) *pgx.Batch {
	batch := &pgx.Batch{}
	batch.Queue(sql, args...)
	return batch
}

func execOne(results pgx.BatchResults) (pgconn.CommandTag, error) {
	tag, err := results.Exec()
	if closing := results.Close(); err == nil {
		err = closing
	}
	return tag, err
}

func queryOne(results pgx.BatchResults) (pgx.Rows, error) {
	rows, err := results.Query()
	if err != nil {
		_ = results.Close() // with the same error
		return nil, err
	}
	return &batchRows{Rows: rows, results: results}, nil
}

// batchRows closes the batch once its rows are read.
type batchRows struct {
	pgx.Rows
	results pgx.BatchResults
	ended   bool
	err     error
}

func (r *batchRows) Close() {
	r.Rows.Close()
	if !r.ended {
		r.ended = true
		r.err = r.results.Close()
	}
}

func (r *batchRows) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

func (r *batchRows) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.err
}

// batchRow is the first of several rows.
type batchRow struct {
	rows pgx.Rows
	err  error
}

func (r batchRow) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return pgx.ErrNoRows
	}
	if err := r.rows.Scan(dest...); err != nil {
		return err
	}
	r.rows.Close()
	return r.rows.Err()
}
