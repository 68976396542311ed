package db

import (
	"context"
	"errors"
	"regexp"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/trace"
)

// Traced makes each statement within a span a span of its own, under its name in queries/. The span
// holds neither the text nor the arguments. A nil provider traces nothing.
func Traced(provider trace.TracerProvider) func(*pgxpool.Config) {
	return func(config *pgxpool.Config) {
		if provider == nil {
			return
		}
		config.ConnConfig.Tracer = tracer{otelpgx.NewTracer(
			otelpgx.WithTracerProvider(provider), otelpgx.WithMeterProvider(noop.NewMeterProvider()),
			otelpgx.WithDisableSQLStatementInAttributes(), otelpgx.WithSpanNameCtxFunc(nameOf))}
	}
}

var queryName = regexp.MustCompile(`^-- name: (\w+)`)

// nameOf is the name of a query, or else the kind of statement.
func nameOf(ctx context.Context, sql string) string {
	if name := queryName.FindStringSubmatch(sql); name != nil {
		return name[1]
	}
	return otelpgx.SQLOperationName(ctx, sql)
}

// tracer hides the messages of errors, which quote what was sent.
type tracer struct{ *otelpgx.Tracer }

func (t tracer) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	data.Err = wordless(data.Err)
	t.Tracer.TraceQueryEnd(ctx, conn, data)
}

func (t tracer) TraceCopyFromEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceCopyFromEndData) {
	data.Err = wordless(data.Err)
	t.Tracer.TraceCopyFromEnd(ctx, conn, data)
}

func (t tracer) TraceBatchQuery(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchQueryData) {
	data.Err = wordless(data.Err)
	t.Tracer.TraceBatchQuery(ctx, conn, data)
}

func (t tracer) TraceBatchEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchEndData) {
	data.Err = wordless(data.Err)
	t.Tracer.TraceBatchEnd(ctx, conn, data)
}

func (t tracer) TracePrepareEnd(ctx context.Context, conn *pgx.Conn, data pgx.TracePrepareEndData) {
	data.Err = wordless(data.Err)
	t.Tracer.TracePrepareEnd(ctx, conn, data)
}

func (t tracer) TraceConnectEnd(ctx context.Context, data pgx.TraceConnectEndData) {
	data.Err = wordless(data.Err)
	t.Tracer.TraceConnectEnd(ctx, data)
}

func (t tracer) TraceAcquireEnd(ctx context.Context, pool *pgxpool.Pool, data pgxpool.TraceAcquireEndData) {
	data.Err = wordless(data.Err)
	t.Tracer.TraceAcquireEnd(ctx, pool, data)
}

var errStatement = errors.New("the database or the connection to it failed")

// wordless is an error of the same kind that quotes nothing.
func wordless(err error) error {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return &pgconn.PgError{Severity: pg.Severity, Code: pg.Code, Message: "refused"}
	}
	for _, plain := range []error{nil, pgx.ErrNoRows, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, plain) {
			return plain
		}
	}
	return errStatement
}
