package db

import (
	"context"
	"errors"
	"reflect"

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

// Together sends queries in one round trip. What each finds is there when it is sent.
type Together struct {
	queued
	to *Queries
}

// Together begins a round trip.
func (q *Queries) Together() *Together { return &Together{to: q} }

// Ask adds a query, whose rows are put into a list.
func Ask[Params, Row any](t *Together, query func(*Queries, context.Context, Params) ([]Row, error), p Params, into *[]Row) {
	_, _ = query(New(t), context.Background(), p)
	t.then(collect(into))
}

// AskOne adds a query of which one value is asked.
func AskOne[Params, Value any](t *Together, query func(*Queries, context.Context, Params) (Value, error), p Params, into *Value) {
	_, _ = query(New(t), context.Background(), p)
	t.then(func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[Value])
		return err
	})
}

// Send sends them; where there are none, nothing.
func (t *Together) Send(ctx context.Context) error {
	if t.batch.Len() == 0 {
		return nil
	}
	return t.to.db.SendBatch(ctx, &t.batch).Close()
}

// SendLast is Send, and nothing is asked after it: a snapshot ends with it, which saves a
// round trip.
func (t *Together) SendLast(ctx context.Context) error {
	if ending, is := t.to.db.(interface {
		endWith(context.Context, *pgx.Batch) pgx.BatchResults
	}); is && t.batch.Len() > 0 {
		return ending.endWith(ctx, &t.batch).Close()
	}
	return t.Send(ctx)
}

// collect reads rows into a list, in the place of what it had. Where the columns go is found
// out once, which for many rows costs a fraction of pgx.RowToStructByPos.
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

// fieldsOf are pointers to the fields of the struct that is pointed to.
func fieldsOf(row any) []any {
	s := reflect.ValueOf(row).Elem()
	fields := make([]any, s.NumField())
	for i := range fields {
		fields[i] = s.Field(i).Addr().Interface()
	}
	return fields
}

// only reads the one row that there must be.
func only[Row any](row *Row) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*row, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Row])
		return err
	}
}
