package pgtest

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Trips counts what is sent to the server and waited for, as the tracer of a
// connection.
type Trips struct{ N int }

// TraceQueryStart counts a statement.
func (c *Trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.N++
	return ctx
}

// TraceBatchStart counts a batch, which is one trip.
func (c *Trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.N++
	return ctx
}

// TraceQueryEnd does nothing.
func (*Trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchQuery does nothing.
func (*Trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd does nothing.
func (*Trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
