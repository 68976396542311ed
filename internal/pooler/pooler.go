// Package pooler detects a transaction pooler such as PgBouncer in front of a database,
// and configures connections to work behind it.
package pooler

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Suit reports whether a transaction pooler stands between config and its server. Behind
// a pooler the next transaction may use another server connection, which lacks the
// statements prepared before. Suit therefore configures config to prepare none, unless
// the URL sets default_query_exec_mode.
//
// It connects once and runs one query. Other features that a pooler lacks, such as LISTEN
// and session settings, are the caller's responsibility.
func Suit(ctx context.Context, config *pgx.ConnConfig) (behind bool, err error) {
	began := time.Now()
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if behind, err = stands(ctx, conn, began); err != nil {
		return false, err
	}
	if behind && prepares(config) {
		config.DefaultQueryExecMode = Carried
	}
	return behind, nil
}

// Carried is the query mode that works behind every pooler.
const Carried = pgx.QueryExecModeCacheDescribe

// Unsuited reports whether a connection, made not before began, prepares statements
// although a pooler stands in front of its server. It should then be replaced by one with
// the mode [Carried].
func Unsuited(ctx context.Context, conn *pgx.Conn, began time.Time) (bool, error) {
	if !prepares(conn.Config()) {
		return false, nil
	}
	return stands(ctx, conn, began)
}

// prepares reports whether connections prepare statements by default, without the URL
// asking for it.
func prepares(config *pgx.ConnConfig) bool {
	return !SaysMode(config) && config.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement
}

// SaysMode reports whether the URL sets the query mode.
func SaysMode(config *pgx.ConnConfig) bool {
	return strings.Contains(config.ConnString(), "default_query_exec_mode")
}

// Behind reports whether a pooler stands between a connection and its server.
func Behind(ctx context.Context, conn *pgx.Conn) (bool, error) { return stands(ctx, conn, time.Time{}) }

// stands detects a pooler by comparing what the connection was told at its start with
// what the server reports:
//
//   - The process id, used to cancel statements. Poolers invent one for each client:
//     PgBouncer, PgCat and PgDog at random, Supavisor by counting; RDS Proxy sends none.
//   - The age of the process. A direct connection cannot be older than the call that made
//     it. This detects a counted id that happens to equal the process id. The age is not
//     visible to a user who acts as another role.
func stands(ctx context.Context, conn *pgx.Conn, began time.Time) (bool, error) {
	const question = `SELECT pid, coalesce(extract(epoch FROM clock_timestamp() - backend_start), 0)::float8 FROM pg_stat_get_activity(pg_backend_pid())`
	var pid uint32
	var age float64
	if err := conn.QueryRow(ctx, question, pgx.QueryExecModeSimpleProtocol).Scan(&pid, &age); err != nil {
		return false, fmt.Errorf("look for a pooler: %w", err)
	}
	return pid != conn.PgConn().PID() || age > time.Since(began).Seconds(), nil
}
