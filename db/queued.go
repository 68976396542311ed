package db

import (
	"context"
	"errors"
	"reflect"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// queued is a DBTX that collects statements with their arguments for one batch, and answers
// nothing. The results are read from the batch.
type queued struct{ batch pgx.Batch }

// errQueued is the answer to a query whose statement was only queued.
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

// then sets the function that reads the result of the last queued statement.
func (d *queued) then(read func(pgx.Rows) error) {
	d.batch.QueuedQueries[d.batch.Len()-1].Query(read)
}

// Together sends queries in one round trip. Their results are there once it is sent.
type Together struct {
	queued
	to *Queries
}

// Together begins a round trip.
func (q *Queries) Together() *Together { return &Together{to: q} }

// Ask adds a query and collects its rows in a list.
func Ask[Params, Row any](t *Together, query func(*Queries, context.Context, Params) ([]Row, error), p Params, into *[]Row) {
	_, _ = query(New(t), context.Background(), p)
	t.then(collect(into))
}

// AskOne adds a query that returns one value.
func AskOne[Params, Value any](t *Together, query func(*Queries, context.Context, Params) (Value, error), p Params, into *Value) {
	_, _ = query(New(t), context.Background(), p)
	t.then(func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[Value])
		return err
	})
}

// Send sends the queries; without any it does nothing.
func (t *Together) Send(ctx context.Context) error {
	if t.batch.Len() == 0 {
		return nil
	}
	return t.to.db.SendBatch(ctx, &t.batch).Close()
}

// SendLast is Send for the last queries of a snapshot: it ends the snapshot in the same round trip.
func (t *Together) SendLast(ctx context.Context) error {
	if ending, is := t.to.db.(interface {
		endWith(context.Context, *pgx.Batch) pgx.BatchResults
	}); is && t.batch.Len() > 0 {
		return ending.endWith(ctx, &t.batch).Close()
	}
	return t.Send(ctx)
}

// collect reads rows into a list, replacing its contents. It resolves the columns once, which for
// many rows costs a fraction of pgx.RowToStructByPos.
func collect[Row any](list *[]Row) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		all := (*list)[:0]
		if all == nil {
			all = []Row{}
		}
		var row, none Row
		_, err := pgx.ForEachRow(rows, fieldsOf(&row), func() error {
			all = append(all, row)
			row = none
			return nil
		})
		*list = all
		return err
	}
}

// fieldsOf returns pointers to the fields of the struct that row points to.
func fieldsOf(row any) []any {
	s := reflect.ValueOf(row).Elem()
	fields := make([]any, s.NumField())
	for i := range fields {
		fields[i] = s.Field(i).Addr().Interface()
	}
	return fields
}

// only reads the one row that a query must return.
func only[Row any](row *Row) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*row, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Row])
		return err
	}
}
