package db

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// queued stands for a database to queries that are to go there together: it
// notes their statements, with the arguments in their order, and answers
// nothing. What each gives back is read from the batch.
type queued struct{ batch pgx.Batch }

// errQueued answers a query that waits for an answer.
var errQueued = errors.New("the statement is queued")

func (d *queued) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	d.batch.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

func (d *queued) Query(_ context.Context, sql string, args ...any) (pgx.Rows, error) {
	d.batch.Queue(sql, args...)
	return nil, errQueued
}

func (d *queued) QueryRow(_ context.Context, sql string, args ...any) pgx.Row {
	d.batch.Queue(sql, args...)
	return batchRow{err: errQueued}
}

func (d *queued) SendBatch(_ context.Context, batch *pgx.Batch) pgx.BatchResults {
	d.batch.QueuedQueries = append(d.batch.QueuedQueries, batch.QueuedQueries...)
	return nil
}

// then reads the answer to the statement that was queued last.
func (d *queued) then(read func(pgx.Rows) error) {
	d.batch.QueuedQueries[d.batch.Len()-1].Query(read)
}

// collect reads rows into a list.
func collect[Row any](list *[]Row) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Row])
		return err
	}
}

// only reads the one row that there must be.
func only[Row any](row *Row) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*row, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Row])
		return err
	}
}
