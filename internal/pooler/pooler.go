// Package pooler notices a transaction pooler such as PgBouncer in front of a
// database, and has connections used in a way that it can carry.
package pooler

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Suit says whether a transaction pooler stands between config and its server.
// Behind one the next transaction may run on another connection of the server's,
// which knows no statement that was prepared before: Suit then has config
// prepare none. A URL that says default_query_exec_mode has its way.
//
// It connects once and asks one question. What else a pooler cannot carry, such
// as LISTEN and settings of the session, is for the caller to do without.
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

// Carried is how statements are sent that every pooler carries.
const Carried = pgx.QueryExecModeCacheDescribe

// Unsuited says whether a connection, made not before began, prepares statements although
// a pooler stands before its server: others are to be made, of the mode [Carried].
func Unsuited(ctx context.Context, conn *pgx.Conn, began time.Time) (bool, error) {
	if !prepares(conn.Config()) {
		return false, nil
	}
	return stands(ctx, conn, began)
}

// prepares is whether connections prepare statements, and a URL did not ask for it.
func prepares(config *pgx.ConnConfig) bool {
	return !SaysMode(config) && config.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement
}

// SaysMode is whether a URL says how statements are sent.
func SaysMode(config *pgx.ConnConfig) bool {
	return strings.Contains(config.ConnString(), "default_query_exec_mode")
}

// Behind says whether a pooler stands between a connection and its server.
func Behind(ctx context.Context, conn *pgx.Conn) (bool, error) { return stands(ctx, conn, time.Time{}) }

// stands compares what the other end said of itself when the connection was
// made with what the server says. Two things give a pooler away:
//
//   - The number of the process, by which statements are cancelled. Poolers make
//     up one for each client: PgBouncer, PgCat and PgDog at random, Supavisor by
//     counting; RDS Proxy sends none.
//   - The age of the process. A server's own connection cannot be older than the
//     call that made it. It tells where a number that was counted is by chance
//     that of the process. Who acts as another role may not ask for it.
func stands(ctx context.Context, conn *pgx.Conn, began time.Time) (bool, error) {
	const question = `SELECT pid, coalesce(extract(epoch FROM clock_timestamp() - backend_start), 0)::float8 FROM pg_stat_get_activity(pg_backend_pid())`
	var pid uint32
	var age float64
	if err := conn.QueryRow(ctx, question, pgx.QueryExecModeSimpleProtocol).Scan(&pid, &age); err != nil {
		return false, fmt.Errorf("look for a pooler: %w", err)
	}
	return pid != conn.PgConn().PID() || age > time.Since(began).Seconds(), nil
}
