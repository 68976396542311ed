package pgtest

import (
	"context"
	"regexp"

	"github.com/jackc/pgx/v5"
)

// Trips counts round trips to the server. It is a tracer for connections of a
// pool that are used one at a time.
type Trips struct {
	N           int // round trips
	Statements  int // without those that begin, set and end a transaction
	Connections map[*pgx.Conn]bool
}

// Begin resets the counts.
func (c *Trips) Begin() { *c = Trips{Connections: map[*pgx.Conn]bool{}} }

var control = regexp.MustCompile(`^(BEGIN|COMMIT|ROLLBACK|SELECT (pg_catalog\.)?set_config)\b`)

func (c *Trips) note(conn *pgx.Conn, statements ...string) {
	c.N++
	if c.Connections != nil {
		c.Connections[conn] = true
	}
	for _, sql := range statements {
		if !control.MatchString(sql) {
			c.Statements++
		}
	}
}

// TraceQueryStart counts a statement.
func (c *Trips) TraceQueryStart(ctx context.Context, conn *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	c.note(conn, q.SQL)
	return ctx
}

// TraceBatchStart counts a batch as one trip.
func (c *Trips) TraceBatchStart(ctx context.Context, conn *pgx.Conn, b pgx.TraceBatchStartData) context.Context {
	statements := make([]string, 0, b.Batch.Len())
	for _, q := range b.Batch.QueuedQueries {
		statements = append(statements, q.SQL)
	}
	c.note(conn, statements...)
	return ctx
}

// TraceQueryEnd does nothing.
func (*Trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchQuery does nothing.
func (*Trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd does nothing.
func (*Trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
